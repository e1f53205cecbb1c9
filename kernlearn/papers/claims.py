"""What the papers say in words, as checks that can fail."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.papers.tables import Table

Rows = Sequence[Mapping[str, Any]]
#: A claim, what was found, and "holds" or "does not hold".
Claim = tuple[str, str, str]

#: Of `rotation5`: one fold tests, three train.
TEST_TO_TRAIN = 1 / 3


def check_claims(table: Table, partitions: Rows) -> list[Claim]:
    """Return the claims of a table with what the measured partitions say; none while columns are missing.

    Parameters
    ----------
    table : Table
    partitions : sequence of mappings
        Rows with ``dataset``, ``algorithm``, ``seed``, ``metric`` and ``values`` (one number a split).
    """
    if table.name not in CLAIMS or not partitions:
        return []
    measured = Measured(partitions)
    return CLAIMS[table.name](measured) if set(measured.algorithms) >= NEEDED[table.name] else []


class Measured:
    """The measured values of every data set and algorithm, over splits and partitions."""

    def __init__(self, partitions: Rows):
        self._values: dict[tuple[str, str, str], list[float]] = {}
        for row in partitions:
            key = (row["dataset"], row["algorithm"], row["metric"])
            self._values.setdefault(key, []).extend(float(value) for value in str(row["values"]).split())
        self.datasets = list(dict.fromkeys(key[0] for key in self._values))
        self.algorithms = list(dict.fromkeys(key[1] for key in self._values))

    def mean(self, dataset: str, algorithm: str, metric: str = "error_pct") -> float:
        """Return the mean over all splits."""
        return fmean(self._values[dataset, algorithm, metric])

    def p_value(self, dataset: str, first: str, second: str) -> float:
        """Return the p-value of the difference of two errors, by the corrected resampled t-test."""
        a, b = (self._values[dataset, algorithm, "error_pct"] for algorithm in (first, second))
        return corrected_resampled_t([x - z for x, z in zip(a, b, strict=True)], TEST_TO_TRAIN)

    def best(self, dataset: str, algorithms: Sequence[str]) -> str:
        """Return the algorithm with the smallest mean error."""
        return min(algorithms, key=lambda algorithm: self.mean(dataset, algorithm))


VKR = ("vkr_lemma3", "vkr_lemma4")


def vkr2015_table1(measured: Measured) -> list[Claim]:
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
            _claim(f"{name}: smaller error than both on 5 of 11 sets", better, len(better) >= 5),
            _claim(f"{name}: significantly smaller (5 %) on 3 sets", clearly, len(clearly) >= 3),
            _claim(f"{name}: smaller at the 10 % level on 3 sets", clearly_10, len(clearly_10) >= 3),
            _claim(f"{name}: significantly larger (5 %) on none", worse, not worse),
        ]
        factors = [
            measured.mean(dataset, l2, "n_support_vectors")
            / measured.mean(dataset, measured.best(dataset, VKR), "n_support_vectors")
            for dataset in measured.datasets
        ]
        found = f"{min(factors):.1f} to {max(factors):.1f} times, median {median(factors):.1f}"
        claims += [
            (f"VKR has fewer support vectors than {l2} on every set", found, judgement(min(factors) > 1)),
            (f"VKR is up to 10 times sparser than {l2}", found, judgement(max(factors) >= 10)),
        ]
    return claims


def vkr2015_gaussian(measured: Measured) -> list[Claim]:
    """Section 6 of Cortes et al. (2015), second experiment: comparable, gains not always as significant, sparse."""
    svms = ("l2_svm", "l1_svm")
    not_worse, clearly = [], []
    for dataset in measured.datasets:
        svm = measured.best(dataset, svms)
        gain = measured.mean(dataset, svm) - measured.mean(dataset, "vkr_lemma3")
        p = measured.p_value(dataset, "vkr_lemma3", svm)
        not_worse += [dataset] * (gain >= 0 or p >= 0.05)
        clearly += [dataset] * (gain > 0 and p < 0.05)
    factors = [
        measured.mean(dataset, "l2_svm", "n_support_vectors")
        / max(1.0, measured.mean(dataset, "vkr_lemma3", "n_support_vectors"))
        for dataset in measured.datasets
    ]
    found = f"{min(factors):.1f} to {max(factors):.1f} times, median {median(factors):.1f}"
    everywhere = len(not_worse) == len(measured.datasets)
    return [
        _claim("VKR is not significantly worse (5 %) than the better SVM on any set", not_worse, everywhere),
        _claim("VKR is significantly better (5 %) than both SVMs on some set", clearly, bool(clearly)),
        ("VKR has fewer support vectors than the L2-SVM on every set", found, judgement(min(factors) > 1)),
    ]


def _claim(text: str, datasets: Sequence[str], holds: bool) -> Claim:
    return (text, f"{len(datasets)}: {', '.join(datasets)}" if datasets else "none", judgement(holds))


def judgement(condition: bool) -> str:
    """Return the judgement of a claim."""
    return "holds" if condition else "does not hold"


CLAIMS: dict[str, Callable[[Measured], list[Claim]]] = {
    "vkr2015/table1": vkr2015_table1,
    "vkr2015/gaussian": vkr2015_gaussian,
}
#: The columns that the claims are about.
NEEDED: dict[str, set[str]] = {
    "vkr2015/table1": {*VKR, "l1_svm", "l2_svm", "l2_svm_libsvm_default"},
    "vkr2015/gaussian": {"vkr_lemma3", "l1_svm", "l2_svm"},
}
