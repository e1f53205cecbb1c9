"""Problems that several tests use."""

import gc
import os
import sys
from pathlib import Path
from zlib import crc32

# Before numpy is loaded, here and in what tests start: the threads of several workers would fight for the cores.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import numpy as np
import pytest

from kernlearn import plugins
from kernlearn.kernels import GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns

#: Plug-ins that are installed beside the checkout are no part of what is tested: the registries have none.
plugins._plugins = []

#: Rooms of tests that compile functions. Their tests come first: the half of one of two processes, which then compiles
#: nearly all, and the other one nearly nothing.
COMPILING = {"algorithms", "certificates", "kernels", "models", "solvers"}

needs_originals = pytest.mark.skipif(not os.environ.get("KERNLEARN_DATA"), reason="KERNLEARN_DATA is not set")


def pytest_collection():
    """Look for no garbage in what is imported and collected: all of it stays, and that took a quarter of the time."""
    gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Leave one in so many of the cases that are marked `sampled` to the default, by their names; the rest is slow.

    What compiles functions comes first.
    """
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled and crc32(item.name.encode()) % sampled.args[0]:
            item.add_marker(pytest.mark.slow)
    here = Path(__file__).parent
    items.sort(key=lambda item: item.path.relative_to(here).parts[0] not in COMPILING)  # otherwise as they are


def pytest_collection_finish():
    """Leave modules and thousands of tests out of every later search for garbage, of which compiling makes many."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def no_results_in_the_checkout(tmp_path, monkeypatch):
    """Run every test in a directory of its own, with neither original data nor a download cache but by request."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def no_papers_of_other_tests():
    """Forget the directories of papers that a test has used."""
    yield
    if index := sys.modules.get("kernlearn.papers.core.index"):
        index.DIRECTORIES.clear()


def first_of(cases, count=1):
    """Return plain cases of one kind, of which the first are tested by default and the others with what is slow."""
    return [case if number < count else _slow(case) for number, case in enumerate(cases)]


def one_of_each(names, kind):
    """Return names, of which one of each kind is tested by default and the others with what is slow."""
    seen = set()
    return [_slow(name) if kind(name) in seen else seen.add(kind(name)) or name for name in names]


def slow_where(is_long, cases):
    """Return cases, of which those that take long are tested with what is slow."""
    return [_slow(case) if is_long(case) else case for case in cases]


def _slow(case):
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)


def paper_of(name):
    """Return the paper of a table or figure."""
    return name.partition("/")[0]


def moons(n: int, seed: int = 0, noise: float = 0.25) -> tuple[np.ndarray, np.ndarray]:
    """Return two interleaved half circles, labels +-1: separable by no line, noisy enough for slack."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    y = rng.choice([-1.0, 1.0], n)
    X = np.column_stack([np.cos(angle), np.sin(angle)]) * y[:, None]
    X[y < 0] += [1.0, 0.5]
    return X + rng.normal(scale=noise, size=X.shape), y


def random_sequences(n: int, seed: int, longest: int = 8, letters: int = 4) -> np.ndarray:
    """Return sequences of codes 0, 1, ... of different lengths, the shorter ones ended by -1."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, letters, (n, longest)).astype(float)
    codes[np.arange(longest) >= rng.integers(longest // 2, longest + 1, n)[:, None]] = -1
    return codes


def edit_distance_by_table(x, z, insertion, deletion, substitution) -> float:
    """Fill the table of Wagner and Fischer for one pair of sequences."""
    x, z = x[x >= 0], z[z >= 0]
    D = np.zeros((len(x) + 1, len(z) + 1))
    D[:, 0], D[0] = deletion * np.arange(len(x) + 1), insertion * np.arange(len(z) + 1)
    for i in range(len(x)):
        for j in range(len(z)):
            substituted = D[i, j] + (substitution if x[i] != z[j] else 0)
            D[i + 1, j + 1] = min(D[i, j + 1] + deletion, D[i + 1, j] + insertion, substituted)
    return D[-1, -1]


@pytest.fixture
def small():
    """Sixty points, polynomial kernels of degree 1 to 4."""
    X, y = moons(60)
    X /= np.abs(X).max()
    stack = GramStack.train(make_family("polynomial", degrees=[1, 2, 3, 4], coef0=1.0), X)
    return stack, y, KernelColumns(stack, y)
