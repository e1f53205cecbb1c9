"""How cells of two tables differ: numbers by a tolerance or their certified gaps, certificates by what they prove."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from kernlearn.report.differences.changes import Kind, flip
from kernlearn.types import Array

#: What a difference is relative to the larger of two numbers, and what it is where both are next to 0.
RELATIVE, ABSOLUTE = 1e-9, 1e-12
#: Columns that tell how a result was computed, and not what it is.
EFFORT = frozenset(
    ("run", "runs", "commit", "versions", "cpu_seconds", "seconds", "peak_mb", "iterations", "rounds", "when")
)
#: A column that is the difference of two others, as a rule.
DELTA, MINUEND, SUBTRAHEND = "delta", "mean", "paper_mean"
#: Columns with hashes, which are texts even if they look like numbers: 335871110e13.
HASHES = frozenset(("sha256",))
#: The texts of infinity, without a sign.
INFINITE = frozenset(("inf", "infinity"))
#: Columns with a conclusion.
VERDICTS = frozenset(("verdict", "not_distinguished_from_best"))
#: The verdicts from the worst to the best. Which side of the interval our number is on is neither better nor worse.
RANKS = {"outside, lower": 0, "outside, higher": 0, "near": 1, "inside": 2}
#: What stands for a verdict where there is none.
UNJUDGED = frozenset(("", "too few", "fewer splits", "incomplete"))
#: Columns with numbers of solutions that are not proved optimal, and with the state of a solution; those with relative
#: gaps are recognised by `is_gap`.
UNPROVED = frozenset(("n_not_optimal", "n_selected_not_optimal"))
STATE, OPTIMAL = "status", "optimal"
#: Columns that lie within `gap` of each other if both solutions are certified.
DUAL = "dual_objective"
OBJECTIVES = frozenset(("objective", DUAL))
#: Why these are not compared, which the data or parameters that differ follow.
NOT_COMPARED = "objectives are not compared, as the training rows differ"
#: A gap is worse if it grew by this factor, and is above `LOOSE` where nothing tells whether it counts as a proof.
GREW, LOOSE = 2.0, 1e-6
#: A larger gap proves too little to explain another objective.
WIDEST = 0.01


def is_gap(column: str) -> bool:
    """Return whether a column has relative gaps."""
    return column == "gap" or column.endswith("_gap")


def is_certificate(column: str) -> bool:
    """Return whether a column says what is proved."""
    return column == STATE or column in UNPROVED or is_gap(column)


@dataclass(frozen=True)
class Cells:
    """The cells of one column in the rows that both sides have, in the same order.

    Attributes
    ----------
    name : str
    before, after : sequence of str
    """

    name: str
    before: Sequence[str]
    after: Sequence[str]

    def unequal(self) -> list[int]:
        """Return the rows where the texts differ."""
        if self.before == self.after:
            return []
        return [i for i, (one, other) in enumerate(zip(self.before, self.after, strict=True)) if one != other]


@dataclass(frozen=True)
class Found:
    """The changed cells of a column.

    Attributes
    ----------
    rows : array of shape (n,)
    kinds : list of Kind
    differences, sizes : arrays of shape (n,)
        As in `kernlearn.report.differences.changes.Change`; a difference is NaN for texts.
    """

    rows: NDArray[np.intp]
    kinds: list[Kind]
    differences: Array
    sizes: Array


def changes_of(cells: Cells, certificates: Mapping[str, Cells], tolerance: float = RELATIVE) -> Found:
    """Return the changed cells of a column.

    Parameters
    ----------
    cells : Cells
    certificates : mapping
        The columns with certificates that both sides have, see `is_certificate`.
    tolerance : float
        Relative to the larger of two numbers.
    """
    rows = np.array([] if cells.name in EFFORT else cells.unequal(), dtype=np.intp)
    before, after = (_taken(side, rows) for side in (cells.before, cells.after))
    if is_certificate(cells.name):
        judged = [(k, kind) for k, i in enumerate(rows.tolist()) if (kind := certificate(cells.name, i, certificates))]
        changed = np.array([k for k, _ in judged], dtype=np.intp)
        one, other = (numbers(_taken(side, changed)) for side in (before, after))
        return _found(rows[changed], [kind for _, kind in judged], one, other)
    if cells.name in VERDICTS | HASHES:
        undefined = np.full(len(rows), np.nan)
        kinds = [Kind.TEXT if cells.name in HASHES else verdict(*pair) for pair in zip(before, after, strict=True)]
        return _found(rows, kinds, undefined, undefined)
    one, other = numbers(before), numbers(after)
    both = ~(np.isnan(one) | np.isnan(other))
    same = both & close(one, other, tolerance) & ~_too_large(before, after, one, other)
    if cells.name in OBJECTIVES and "gap" in certificates:
        same |= both & _may_agree(cells.name, one, other, certificates["gap"], rows)
    found = _found(rows, [Kind.NUMBER] * len(rows), one, other)
    others = np.flatnonzero(~both)
    same[others], found.differences[others], found.sizes[others] = _of_texts(
        _taken(before, others), _taken(after, others), tolerance
    )
    kept = np.flatnonzero(~same)
    kinds = [Kind.TEXT if isnan(difference) else Kind.NUMBER for difference in found.differences[kept].tolist()]
    return Found(rows[kept], kinds, found.differences[kept], found.sizes[kept])


def _taken(cells: Sequence[str], rows: NDArray[np.intp]) -> list[str]:
    return [cells[i] for i in rows.tolist()]


def _found(rows: NDArray[np.intp], kinds: list[Kind], one: Array, other: Array) -> Found:
    with np.errstate(invalid="ignore", over="ignore"):
        differences = other - one
        sizes = np.abs(differences) / np.maximum(np.maximum(np.abs(one), np.abs(other)), np.finfo(np.float64).tiny)
    return Found(rows, kinds, differences, np.where(np.isnan(sizes), np.inf, sizes))


def number(text: str) -> float:
    """Return the number in a cell; NaN if there is none."""
    try:
        return float(text)
    except ValueError:
        return np.nan


def numbers(texts: Sequence[str]) -> Array:
    """Return the numbers in cells; NaN where there is none."""
    try:
        return np.array(texts, dtype=np.float64) if texts else np.empty(0)
    except ValueError:
        return np.array([np.nan if " " in text else number(text) for text in texts], dtype=np.float64)


def close(one: Array, other: Array, tolerance: float) -> NDArray[np.bool_]:
    """Return whether numbers are equal, or as near as the tolerance."""
    with np.errstate(invalid="ignore", over="ignore"):
        largest = np.maximum(np.abs(one), np.abs(other))
        near = np.abs(one - other) <= np.maximum(tolerance * largest, ABSOLUTE)
    result: NDArray[np.bool_] = (one == other) | (near & np.isfinite(one) & np.isfinite(other))
    return result


def _too_large(before: Sequence[str], after: Sequence[str], one: Array, other: Array) -> NDArray[np.bool_]:
    """Return where different texts, such as identifiers, are too large to differ as floats."""
    result = np.zeros(len(before), dtype=np.bool_)
    for k in np.flatnonzero((np.abs(one) >= 2**53) & (np.abs(other) >= 2**53)).tolist():
        pair = [text.strip().lower().lstrip("+-") for text in (before[k], after[k])]
        whole = all(map(str.isdecimal, pair))
        result[k] = pair[0] != pair[1] and (whole or (np.isinf(one[k]) and not INFINITE.issuperset(pair)))
    return result


def _may_agree(name: str, one: Array, other: Array, gaps: Cells, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return where two certificates leave a common value of the optimum.

    An objective P with the relative gap g says that the optimum is in [P - g |P|, P]. Two such intervals intersect if
    the larger objective exceeds the other by no more than its own gap. The lower end is the dual objective D, so of two
    dual objectives the smaller one may be below the other by its own gap, in which P = D / (1 - g), or D / (1 + g) if
    they are negative.
    """
    first, second = (np.maximum(numbers(_taken(side, rows)), 0.0) for side in (gaps.before, gaps.after))
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        narrow = (first <= WIDEST) & (second <= WIDEST)
        if name == DUAL:
            widths = [g * np.abs(bound) / (1.0 - g * np.sign(bound)) for g, bound in ((first, one), (second, other))]
            allowed = np.where(one < other, *widths)
        else:
            allowed = np.where(one > other, first * np.abs(one), second * np.abs(other))
        result: NDArray[np.bool_] = narrow & (np.abs(one - other) <= (1.0 + RELATIVE) * allowed)
    return result


def without_following(columns: Mapping[str, Cells]) -> Mapping[str, Cells]:
    """Return columns of a table, in which `DELTA` has no changes that follow from changes of the two others."""
    if not {DELTA, MINUEND, SUBTRAHEND} <= columns.keys():
        return columns
    follows = np.ones(len(columns[DELTA].before), dtype=np.bool_)
    for side in ("before", "after"):
        delta, mean, printed = (numbers(getattr(columns[name], side)) for name in (DELTA, MINUEND, SUBTRAHEND))
        with np.errstate(invalid="ignore", over="ignore"):
            largest = np.maximum(np.abs(mean), np.abs(printed))
            follows &= np.abs(delta - (mean - printed)) <= np.maximum(RELATIVE * largest, ABSOLUTE)
    before = columns[DELTA].before
    after = [old if same else new for old, new, same in zip(before, columns[DELTA].after, follows, strict=True)]
    return {**columns, DELTA: Cells(DELTA, before, after)}


def _of_texts(before: Sequence[str], after: Sequence[str], tolerance: float) -> tuple[NDArray[np.bool_], Array, Array]:
    """Return how pairs of cells that are not two numbers differ: whether they do not, differences and sizes.

    Lists of equally many numbers have the difference of the pair that differs most, and its size. Other texts have
    NaN and infinity. NaN is equal to itself.
    """
    same = np.array([_is_nan(one) and _is_nan(other) for one, other in zip(before, after, strict=True)], dtype=np.bool_)
    differences, sizes = np.full(len(before), np.nan), np.full(len(before), np.inf)
    words, others = [one.split() for one in before], [one.split() for one in after]
    lists = [k for k in range(len(words)) if len(words[k]) == len(others[k]) > 1]
    first, second = (_numbers_of(lists, side) for side in (words, others))
    if first is None or second is None:  # not all of them are numbers
        lists = [k for k in lists if all(_numbers_of([k], side) is not None for side in (words, others))]
        first, second = (_numbers_of(lists, side) for side in (words, others))
    if not lists or first is None or second is None:
        return same, differences, sizes
    equal = (np.isnan(first) & np.isnan(second)) | close(first, second, tolerance)
    found = _found(np.arange(len(first)), [], np.where(equal, 0.0, first), np.where(equal, 0.0, second))
    lengths = np.array([len(words[k]) for k in lists])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    sizes[lists] = np.maximum.reduceat(found.sizes, starts)
    for k, start, length in zip(lists, starts.tolist(), lengths.tolist(), strict=True):
        if sizes[k] > 0:
            differences[k] = found.differences[start + int(found.sizes[start : start + length].argmax())]
    same[lists] = np.logical_and.reduceat(equal, starts)
    return same, differences, sizes


def _numbers_of(places: Sequence[int], words: Sequence[Sequence[str]]) -> Array | None:
    """Return the numbers of some lists one after the other, or None if they have other words."""
    try:
        return np.array([word for k in places for word in words[k]], dtype=np.float64)
    except ValueError:
        return None


def _is_nan(text: str) -> bool:
    return text.strip().lower() == "nan"


def verdict(before: str, after: str) -> Kind:
    """Return the kind of another verdict: a verdict that is new or lost is no flip."""
    if UNJUDGED & {before, after}:
        return Kind.TEXT
    return flip(RANKS[before], RANKS[after]) if {before, after} <= RANKS.keys() else Kind.VERDICT


def certificate(name: str, row: int, columns: Mapping[str, Cells]) -> Kind | None:
    """Return whether a certificate became better or worse in a row; None if it proves the same.

    A solution that is "optimal" on both sides is within the tolerance of its method, whatever its gap.
    """
    before, after = columns[name].before[row], columns[name].after[row]
    if name == STATE:
        return Kind.WORSE if before == OPTIMAL else Kind.BETTER if after == OPTIMAL else Kind.TEXT
    one, other = number(before), number(after)
    if isnan(one) or isnan(other):
        return None if isnan(one) and isnan(other) else Kind.WORSE if isnan(other) else Kind.BETTER
    if name in UNPROVED:
        return None if one == other else Kind.WORSE if other > one else Kind.BETTER
    if (other < -RELATIVE) != (one < -RELATIVE):  # a bound above the objective is a defect
        return Kind.WORSE if other < one else Kind.BETTER
    proved = _proved(row, columns)
    if proved or (proved is None and max(abs(one), abs(other)) <= LOOSE):
        return None
    if abs(other) > GREW * abs(one):
        return Kind.WORSE
    return Kind.BETTER if abs(one) > GREW * abs(other) else None


def _proved(row: int, columns: Mapping[str, Cells]) -> bool | None:
    """Return whether the solutions of a row are proved optimal on both sides; None if no column tells it."""
    told = [
        *([side[row] == OPTIMAL for side in (columns[STATE].before, columns[STATE].after)] if STATE in columns else ()),
        *(
            number(side[row]) == 0
            for name in sorted(UNPROVED & columns.keys())
            for side in (columns[name].before, columns[name].after)
        ),
    ]
    return all(told) if told else None
