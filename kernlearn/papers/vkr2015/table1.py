"""Table 1 of Cortes et al. (2015): eleven data sets, polynomial kernels."""

from typing import Any

from kernlearn.runner.cell.cell import Experiment

#: Names of our data sets that are printed in Table 1 under the same name.
DATASETS = frozenset(
    "breastcancer climate german ionosphere musk ocr49 phishing pima retinopathy vertebral waveform01".split()
)

#: The kernels of Table 1: ``(x.y + 1)^k``, k = 1..10.
KERNEL = {"name": "polynomial", "degrees": list(range(1, 11)), "coef0": 1.0}

_PENALTIES = [float(f"1e-{i}") for i in range(7)]
#: The algorithms of Table 1 with their grids.
ALGORITHMS: dict[str, dict[str, Any]] = {
    "vkr": {"lambdas": _PENALTIES, "betas": _PENALTIES, "method": "lp"},
    "l1_svm": {"betas": _PENALTIES},
    "l2_svm": {"Cs": [float(f"1e{i}") for i in range(-4, 8)]},
}
#: What is left open: the complexity measure, which the label of an experiment tells, and how exactly it is solved.
_OPEN = {"name", "complexity", "tol", "solver", "max_iter"}


def printed_dataset(experiment: Experiment) -> str | None:
    """Return the printed data set name if the experiment is one of Table 1, else None.

    It has the data, kernels, protocol and grid of the table, no further option of the algorithm, and examples of norm
    1, the reading that we chose. Anything else is another experiment, of which the printed value says nothing.
    """
    name, algo = experiment.dataset["name"], experiment.algo
    stated = ALGORITHMS.get(algo["name"])
    same = (
        name in DATASETS
        and experiment.kernel == KERNEL
        and experiment.protocol["name"] == "rotation5"
        and experiment.scaling == "unit"
        and stated is not None
        and all(algo[key] == stated.get(key) for key in algo.keys() - _OPEN)
    )
    return name if same else None
