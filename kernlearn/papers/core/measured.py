"""What was measured of a table, as its claims ask for it."""

from collections.abc import Mapping, Sequence
from math import isnan, nan
from statistics import fmean
from typing import Any

from kernlearn.evaluation.metrics import mean_and_deviation
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.papers.core.units import values_of

Rows = Sequence[Mapping[str, Any]]
#: A claim, what was found, and a judgement: one of `JUDGEMENTS_OF`, "not measured", "not testable" or "no claim".
Claim = tuple[str, str, str]

#: Of `rotation5`: one fold tests, three train.
TEST_TO_TRAIN = 1 / 3


HOLDS, FAILS = "holds", "does not hold"
#: Of a corrected statement where the paper's is false as printed, and of what else we state beside the paper.
CORRECTION_HOLDS, CORRECTION_FAILS = "correction holds", "correction does not hold"
OURS_HOLDS, OURS_FAILS = "ours holds", "ours does not hold"
#: Whose statement is judged.
PRINTED, CORRECTION, OURS = "printed", "correction", "ours"
#: The judgements of a statement that holds, and of one that does not.
JUDGEMENTS_OF = {
    PRINTED: (HOLDS, FAILS),
    CORRECTION: (CORRECTION_HOLDS, CORRECTION_FAILS),
    OURS: (OURS_HOLDS, OURS_FAILS),
}
NOT_MEASURED = "not measured"
#: Of a stand-in for the data of the paper, or a run that is smaller than the paper's.
NOT_TESTABLE = "not testable"
#: Of what is reported beside the claims, as what something costs.
NO_CLAIM = "no claim"


class Measured:
    """The measured values of every row ("dataset") and column ("algorithm"), over splits and partitions.

    Parameters
    ----------
    partitions : sequence of mappings
        With ``dataset``, ``algorithm``, ``seed``, ``metric``, ``values`` (one number a split), ``validation_<metric>``,
        and, for tests with the ratio of their sizes, ``n_tested`` and ``n_trained``.
    """

    def __init__(self, partitions: Rows):
        self._values: dict[tuple[str, str, str], dict[int, tuple[float, ...]]] = {}
        self._sizes: dict[tuple[str, str], tuple[int, int]] = {}
        self._validation: dict[tuple[str, str], list[float]] = {}
        for row in partitions:
            scores = [float(row[k]) for k in row if k.startswith("validation_") and row[k] != ""]
            self._validation.setdefault((row["dataset"], row["algorithm"]), []).extend(scores)
            if row.get("n_trained"):
                self._sizes[row["dataset"], row["algorithm"]] = int(row["n_tested"]), int(row["n_trained"])
            key = (row["dataset"], row["algorithm"], row["metric"])
            self._values.setdefault(key, {})[int(row["seed"])] = values_of(row["values"])
        self.datasets = list(dict.fromkeys(key[0] for key in self._values))
        self.algorithms = list(dict.fromkeys(key[1] for key in self._values))

    def rows(self, metric: str, *algorithms: str) -> list[str]:
        """Return the rows in which all these columns have a metric."""
        return [dataset for dataset in self.datasets if self.has(dataset, metric, *algorithms)]

    def has(self, dataset: str, metric: str, *algorithms: str) -> bool:
        """Return whether all these columns have a metric in a row."""
        return all((dataset, algorithm, metric) in self._values for algorithm in algorithms)

    def test_to_train(self, dataset: str, algorithm: str) -> float:
        """Return the number of test examples divided by that of training examples, NaN if it is not known."""
        tested, trained = self._sizes.get((dataset, algorithm), (0, 0))
        return tested / trained if trained else nan

    def values(self, dataset: str, algorithm: str, metric: str = "error_pct") -> list[float]:
        """Return the value of every split."""
        return [value for splits in self._values[dataset, algorithm, metric].values() for value in splits]

    def differences(self, dataset: str, first: str, second: str, metric: str = "error_pct") -> list[float]:
        """Return what one column has more than another, split by split; each counts that both have.

        Of a partition a column may have fewer splits than another, from the first on.
        """
        mine, others = self._values[dataset, first, metric], self._values[dataset, second, metric]
        return [x - z for seed in mine if seed in others for x, z in zip(mine[seed], others[seed], strict=False)]

    def mean(self, dataset: str, algorithm: str, metric: str = "error_pct") -> float:
        """Return the mean over all splits that have the metric."""
        return mean_and_deviation(self.values(dataset, algorithm, metric))[0]

    def deviation(self, dataset: str, algorithm: str, metric: str = "error_pct") -> float:
        """Return the standard deviation over all splits, 0 for one."""
        return mean_and_deviation(self.values(dataset, algorithm, metric))[1] or 0.0

    def validation(self, dataset: str, algorithm: str) -> float:
        """Return the mean validation score by which grid points were chosen."""
        return fmean(self._validation[dataset, algorithm])

    def p_value(
        self, dataset: str, first: str, second: str, metric: str = "error_pct", ratio: float = TEST_TO_TRAIN
    ) -> float:
        """Return the p-value of the difference of two columns, by the corrected resampled t-test."""
        gains = self.differences(dataset, first, second, metric)
        return corrected_resampled_t([gain for gain in gains if not isnan(gain)], ratio)

    def best(self, dataset: str, algorithms: Sequence[str], metric: str = "error_pct") -> str:
        """Return the column with the smallest mean."""
        return min(algorithms, key=lambda algorithm: self.mean(dataset, algorithm, metric))


def counted(text: str, datasets: Sequence[str], holds: bool) -> Claim:
    """Return a claim about rows: those of which it is true were found."""
    return (text, f"{len(datasets)}: {', '.join(datasets)}" if datasets else "none", judgement(holds))


def everywhere(text: str, true: Mapping[str, bool]) -> Claim:
    """Return a claim about every row, with the rows where it fails; of no row nothing is claimed."""
    if not true:
        return (text, "no row has what it compares", NOT_MEASURED)
    failing = [row for row, holds in true.items() if not holds]
    extent = f"not for {', '.join(failing)}" if failing else f"for all {len(true)}"
    return (text, extent, judgement(not failing))


def judgement(condition: bool, of: str = PRINTED) -> str:
    """Return the judgement of a claim of the paper, or of another key of `JUDGEMENTS_OF`."""
    holds, fails = JUDGEMENTS_OF[of]
    return holds if condition else fails
