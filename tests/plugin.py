"""A tiny package of somebody else's that adds an algorithm, a kernel and a data set, installed as pip installs it."""

MODULE = '''
"""An SVM under another name, the Cauchy kernel, and points in two rings."""

from pathlib import Path

import numpy as np

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.algorithms.margin import l2_svm
from kernlearn.datasets import Entry
from kernlearn.kernels.core.family import KernelFamily, make_members
from kernlearn.kernels.core.products import squared_distances
from kernlearn.parameters import Number, Numbers, Parameter

CONFIGS = Path(__file__).parent / "configs"


def cauchy(widths):
    """Cauchy kernels ``K(x, z) = 1 / (1 + |x - z|^2 / width)``."""
    return KernelFamily("cauchy", make_members("widths", widths), squared_distances, _cauchy)


def _cauchy(B, width):
    return 1.0 / (1.0 + B / width)


def rings(n, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    angle = rng.uniform(0, 2 * np.pi, n)
    return (1.0 + y)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, 0.1, (n, 2)), y


ALGORITHMS = {
    "own_svm": Method(
        "own_svm", "an SVM of one's own", "quadratic programs", l2_svm.PARAMETERS, l2_svm.METHOD.grid, l2_svm.path
    )
}
FAMILIES = {"cauchy": cauchy}
KERNEL_PARAMETERS = {"cauchy": {"widths": Parameter([0.5, 2.0], Numbers(Number(positive=True)), "one kernel for each")}}
CATALOGUE = {
    "rings": Entry(
        "two rings",
        60,
        2,
        {"0": "inner", "1": "outer"},
        "nobody (2000)",
        "none needed: generated",
        make=rings,
        options={"n": 60, "seed": 0},
    )
}
'''

CONFIGS = {
    "algo/own_svm.yaml": "name: own_svm\nCs: [0.1, 1, 10]\ntol: 1e-6\nsolver: homotopy\nmax_iter: 1000\n",
    "kernel/cauchy.yaml": "name: cauchy\nwidths: [0.5, 2]\n",
    "dataset/rings.yaml": "name: rings\nn: 60\nseed: 0\n",
}


def install(site, module=MODULE, name="kernlearn_rings"):
    """Write the package and its metadata into a directory for ``sys.path``."""
    package, metadata = site / name, site / f"{name}-1.2.dist-info"
    for path, text in {
        package / "__init__.py": module,
        metadata / "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n",
        metadata / "entry_points.txt": f"[kernlearn.plugins]\nrings = {name}\n",
        **{package / "configs" / path: text for path, text in CONFIGS.items()},
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return site
