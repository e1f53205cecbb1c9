"""Whether a validation score still improves at an end of a grid, so that a wider grid may be better."""

from collections.abc import Sequence
from math import inf, isfinite, sqrt
from statistics import fmean, variance
from typing import NamedTuple

from kernlearn.evaluation.metrics import METRICS
from kernlearn.evaluation.rows import Grid, Row

#: The loss of a point on every split, and a row of it.
_Losses = dict[int, tuple[float, Row]]
#: From here on the errors are a millionth of the deviation of the targets, as small as the tolerance of solvers.
EXACT_R2 = 1.0 - 1e-12
#: What a validation score does at an end of a grid, in a word.
IMPROVING, PERFECT, EXACT, UNPROVED, SAME, LEVEL = "improving", "perfect", "exact", "unproved", "same", "flat"
#: What this means for values beyond the end; `{beyond}` are such as "larger values".
WORDS = {
    PERFECT: "{beyond} are pointless, since {score} cannot be better",
    EXACT: "{beyond} are pointless, since errors are below a millionth of the deviation of the targets",
    UNPROVED: "{beyond} are no remedy: {score} improves there, but solutions are no longer proved optimal",
    SAME: "{score} is the same at the value before, so that better values may lie beyond either end",
    LEVEL: "there is no sign that {beyond} do better",
}


class Trend(NamedTuple):
    """How a validation score changes from the last value but one of a grid to the last.

    Attributes
    ----------
    metric : str
        One of `kernlearn.evaluation.METRICS`; the numbers are in its unit.
    largest : bool
        Whether it is the end of the largest values.
    gain : float
        By how much the mean score is better at the last value; negative if it is worse.
    noise : float
        The standard error of the mean score at the last value.
    is_best : bool
        Whether no score can be better than this mean.
    is_exact : bool
        Whether, of a regression, the mean R2 at the last value is at least `EXACT_R2`.
    is_proved : bool
        Whether the solutions at the last value are proved optimal, or those at no value are.
    """

    metric: str
    largest: bool
    gain: float
    noise: float
    is_best: bool
    is_exact: bool = False
    is_proved: bool = True

    @property
    def improves(self) -> bool:
        """Whether the score improves by more than its noise, can improve further, and its solutions are proved."""
        return self.state == IMPROVING

    @property
    def is_flat(self) -> bool:
        """Whether the score is the same at both values, so that it does not tell which end is the better one."""
        return self.state == SAME

    @property
    def state(self) -> str:
        """What the score does, in a word, such as `IMPROVING`."""
        if self.is_best or self.is_exact:
            return PERFECT if self.is_best else EXACT
        if self.gain > self.noise:
            return IMPROVING if self.is_proved else UNPROVED
        return SAME if self.gain == 0.0 else LEVEL

    @property
    def words(self) -> str:
        """What this means for values beyond the end, such as ``the validation error still improves there by 2.1``."""
        score, noise = f"the validation {METRICS[self.metric].title}", f"(noise {self.noise:.2g})"
        if self.improves:
            return f"{score} still improves there by {self.gain:.2g} {noise}"
        words = WORDS[self.state].format(beyond=f"{'larger' if self.largest else 'smaller'} values", score=score)
        if self.state != LEVEL:
            return words
        change = f"improves by only {self.gain:.2g}" if self.gain > 0 else "does not improve"
        return f"{words}: {score} {change} there {noise}"


def trend_at(rows: Sequence[Row], grid: Grid, metric: str, key: str, largest: bool) -> Trend | None:
    """Return how the validation score changes at an end of the values of a hyper-parameter.

    For each of the last two values, the other hyper-parameters are those with the best mean score. The noise is the
    standard error of a mean over splits that share examples (`kernlearn.evaluation.significance`). On a single split
    with n validation examples, a score s in per cent has the noise ``sqrt(s (100 - s) / n)``, and any other score that
    of a root mean square of normal errors, ``|s| / sqrt(2 n)``.

    Parameters
    ----------
    rows : sequence of mappings
        Every grid point of every split; see `kernlearn.evaluation.selection.best_point`.
    grid : sequence of mappings
        The hyper-parameters of every point.
    metric, key : str
        The score, and the hyper-parameter.
    largest : bool
        Whether it is the end of the largest values.

    Returns
    -------
    Trend or None
        None if there is a single value, or no split has the score at both values.
    """
    by_value: dict[float, list[_Losses]] = {}
    for point, losses in _losses(rows, metric).items():
        if key in grid[point]:
            by_value.setdefault(grid[point][key], []).append(losses)
    if len(by_value) < 2:
        return None
    before, last = (_best(by_value[value]) for value in sorted(by_value, reverse=not largest)[-2:])
    common = sorted(before.keys() & last.keys())
    if not common:
        return None
    loss, known = fmean(last[split][0] for split in common), METRICS[metric]
    gain, score = fmean(before[split][0] for split in common) - loss, -loss if known.larger_is_better else loss
    best = known.within(inf if known.larger_is_better else -inf)
    noise = _noise([last[split] for split in common], score, known.unit == "%")
    proved = {value: _is_proved(_best(points)) for value, points in by_value.items()}
    is_proved = proved[max(proved) if largest else min(proved)] or not any(proved.values())
    return Trend(metric, largest, gain, noise, score == best, _is_exact([last[split] for split in common]), is_proved)


def _is_proved(losses: _Losses) -> bool:
    return all(row.get("status", "optimal") == "optimal" for _, row in losses.values())


def _is_exact(splits: Sequence[tuple[float, Row]]) -> bool:
    """Return whether the mean R2 is at least `EXACT_R2`; no if the rows have none."""
    column, known = METRICS["r2"].column_of("validation"), METRICS["r2"]
    return (
        all(column in row for _, row in splits) and fmean(known.value(r, "validation") for _, r in splits) >= EXACT_R2
    )


def _losses(rows: Sequence[Row], metric: str) -> dict[int, _Losses]:
    """Return the validation loss of every point on every split where it has one."""
    known, found = METRICS[metric], dict[int, _Losses]()
    column, sign = known.column_of("validation"), -1.0 if known.larger_is_better else 1.0
    for row in rows:
        if "point" in row and column in row and isfinite(score := known.value(row, "validation")):
            found.setdefault(row["point"], {})[row["split"]] = sign * score, row
    return found


def _best(points: Sequence[_Losses]) -> _Losses:
    """Return the losses of the point with the smallest mean, among those on most splits."""
    return min(points, key=lambda losses: (-len(losses), fmean(loss for loss, _ in losses.values())))


def _noise(splits: Sequence[tuple[float, Row]], score: float, is_share: bool) -> float:
    """Return the standard error of a mean score; infinite if rows do not have the numbers of their examples."""
    sizes = [(row.get("n_validation", 0), row.get("n_train", 0)) for _, row in splits]
    if not all(n > 0 and n_train > 0 for n, n_train in sizes):
        return inf
    if len(splits) > 1:
        ratio = fmean(n / n_train for n, n_train in sizes)
        return sqrt((1.0 / len(splits) + ratio) * variance(loss for loss, _ in splits))
    n = sizes[0][0]
    return sqrt(max(score * (100.0 - score), 0.0) / n) if is_share else abs(score) / sqrt(2.0 * n)
