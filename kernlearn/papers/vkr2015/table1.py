"""Table 1 of Cortes et al. (2015): eleven data sets, polynomial kernels."""

from statistics import median
from typing import Any

from kernlearn.papers.core.measured import Claim, Measured, counted, judgement
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


VKR = ("vkr_lemma3", "vkr_lemma4")
NEEDS = {*VKR, "l1_svm", "l2_svm", "l2_svm_libsvm_default"}


def claims(measured: Measured) -> list[Claim]:
    """Section 6 of Cortes et al. (2015), with the L2-SVM as stated and as LibSVM's default kernel makes it."""
    claims = []
    for l2 in ("l2_svm", "l2_svm_libsvm_default"):
        svms = (l2, "l1_svm")
        better, clearly, clearly_10, worse = [], [], [], []
        for dataset in measured.datasets:
            vkr, svm = measured.best(dataset, VKR), measured.best(dataset, svms)
            gain = measured.mean(dataset, svm) - measured.mean(dataset, vkr)
            p = measured.p_value(dataset, vkr, svm)
            if gain > 0:
                better.append(dataset)
                clearly_10 += [dataset] * (p < 0.10)
                clearly += [dataset] * (p < 0.05)
            elif p < 0.05:
                worse.append(dataset)
        name = f"VKR against {l2} and l1_svm"
        claims += [
            counted(f"{name}: smaller error than both on 5 of 11 sets", better, len(better) >= 5),
            counted(f"{name}: significantly smaller (5 %) on 3 sets", clearly, len(clearly) >= 3),
            counted(f"{name}: smaller at the 10 % level on 3 sets", clearly_10, len(clearly_10) >= 3),
            counted(f"{name}: significantly larger (5 %) on none", worse, not worse),
        ]
        factors = [
            measured.mean(dataset, l2, "n_support_vectors")
            / measured.mean(dataset, measured.best(dataset, VKR), "n_support_vectors")
            for dataset in measured.datasets
        ]
        text = f"{min(factors):.1f} to {max(factors):.1f} times, median {median(factors):.1f}"
        claims += [
            (f"VKR has fewer support vectors than {l2} on every set", text, judgement(min(factors) > 1)),
            (f"VKR is up to 10 times sparser than {l2}", text, judgement(max(factors) >= 10)),
        ]
    return claims
