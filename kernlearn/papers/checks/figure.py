"""Statements of a paper as checks that are computed: what is found of each beside what may at most be found.

The module of a figure of checks, ``<paper>/theorems.py`` say, says ``points, claims, draw, SIZE = figure_of(CHECKS)``.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Figure
from kernlearn.papers.core.measured import CORRECTION, OURS, PRINTED, Claim, Rows, judgement

__all__ = ["CORRECTION", "OURS", "PRINTED", "ROUNDING", "Check", "figure_of"]

#: What rounding may make of 0.
ROUNDING = 1e-9
#: Below this the picture is linear, so that it has a 0.
LINEAR = 1e-17
#: An allowed number so near 1 is that of a quotient.
ONE = 1e-2
#: What is found, in the legend of the picture; corrected statements have the colour of their marks on pages.
LABELS = FOUND, CORRECTED, ABOVE = "found", "found, as corrected", "found, not allowed"
BROWN = "#7a4a00"


#: What the number of a check is, if it does not say it: of a quotient of what is bounded and its bound, or else.
QUOTIENT, DEVIATION = "{} of the bound", "deviation {}"


class Check(NamedTuple):
    """A statement of a paper, and the number that it is judged by."""

    #: A sentence without its full stop.
    words: str
    #: Returns the deviation from the statement, or the quotient of what is bounded and its bound, at most.
    compute: Callable[[], float]
    #: The largest number with which the statement holds: 0, `ROUNDING`, or 1 of a quotient.
    allowed: float
    #: Whose statement it is: `PRINTED`; `CORRECTION` if the printed one is false, and this one is meant; `OURS`.
    of: str = PRINTED
    #: What the number is, with braces in its place, such as ``second singular value {}``.
    number: str = ""


#: What the module of a figure defines: points, claims, draw, SIZE.
Parts = tuple[
    Callable[[], list[dict[str, Any]]],
    Callable[[Rows], list[Claim]],
    Callable[[Any, Rows], None],
    tuple[float, float],
]


def figure_of(checks: Mapping[str, Check]) -> Parts:
    """Return what the module of a figure defines, for a figure of checks by the names of what is stated."""
    return partial(points, checks), partial(claims, checks), partial(draw, checks), (6.0, 1.4 + 0.2 * len(checks))


def is_of_checks(figure: Figure) -> bool:
    """Return whether a figure is one of checks, whose picture shows the numbers of its claims again."""
    return isinstance(figure.draw, partial) and figure.draw.func is draw


def points(checks: Mapping[str, Check]) -> list[dict[str, Any]]:
    """Return what is found of every statement, and what may at most be found."""
    return [
        {"statement": name, "words": one.words, "found": float(one.compute()), "allowed": float(one.allowed)}
        for name, one in checks.items()
    ]


def claims(checks: Mapping[str, Check], rows: Rows) -> list[Claim]:
    """Return the statements with what was found; NaN does not hold."""
    return [
        (
            f"{row['statement']}: {row['words']}",
            _in_words(row["found"], row["allowed"], _number_of(checks, row)),
            judgement(_holds(row), _whose(checks, row)),
        )
        for row in rows
    ]


def _holds(row: Mapping[str, Any]) -> bool:
    return bool(row["found"] <= row["allowed"])


def _whose(checks: Mapping[str, Check], row: Mapping[str, Any]) -> str:
    """Return whose statement a row has; one that is no longer checked is of the paper."""
    return checks[row["statement"]].of if row["statement"] in checks else PRINTED


def _number_of(checks: Mapping[str, Check], row: Mapping[str, Any]) -> str:
    """Return what the number of a row is."""
    said = checks[row["statement"]].number if row["statement"] in checks else ""
    return said or (QUOTIENT if abs(row["allowed"] - 1.0) <= ONE else DEVIATION)


def _in_words(found: float, allowed: float, number: str) -> str:
    """Return what was found and what is allowed, with digits enough to tell whether it is."""
    digits = next((d for d in range(2, 17) if (float(f"{found:.{d}g}") <= allowed) == (found <= allowed)), 17)
    return f"{number.format(f'{found:.{digits}g}')}, at most {allowed:.2g} allowed"


def draw(checks: Mapping[str, Check], canvas: Any, rows: Rows) -> None:
    """Draw what is found of every statement, and as bars what is allowed: 0, rounding, or a bound.

    What is above that has a colour of its own, and so have corrected statements, as in the list of a page.
    """
    axes = canvas.subplots()
    names = [f"{row['statement']}" for row in rows]
    allowed, found = ([row[key] for row in rows] for key in ("allowed", "found"))
    axes.barh(names, allowed, height=0.6, color="0.88", label="allowed")
    axes.plot(allowed, names, "|", color=GREY, markersize=9, markeredgewidth=1.5)
    kinds: dict[str, list[tuple[float, str]]] = {label: [] for label in LABELS}
    for row, f, name in zip(rows, found, names, strict=True):
        corrected = _whose(checks, row) == CORRECTION
        kinds[ABOVE if not _holds(row) else CORRECTED if corrected else FOUND].append((f, name))
    for label, marks in kinds.items():
        if marks:
            colour = COLOURS[0] if label == FOUND else COLOURS[1] if label == ABOVE else BROWN
            axes.plot(*zip(*marks, strict=True), "o", color=colour, markersize=4, label=label)
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.5)
    powers = [0.0, *(10.0**k for k in range(-15, 1, 3))]
    axes.set_xticks(powers, ["0", *(f"$10^{{{k}}}$" for k in range(-15, 1, 3))])
    axes.minorticks_off()
    axes.set_xlim(-0.3 * LINEAR, 4.0 * max(1.0, *found))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel("deviation from the statement, or quotient of what is bounded and its bound")
    canvas.legend(loc="outside upper right", ncols=3)
