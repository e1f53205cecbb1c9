"""Statements of a paper as checks that are computed: what is found of each beside what may at most be found.

The module of a figure of checks, ``<paper>/theorems.py`` say, says ``points, claims, draw, SIZE = figure_of(CHECKS)``.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.measured import CORRECTION, OURS, PRINTED, Claim, Rows, judgement

__all__ = ["CORRECTION", "OURS", "PRINTED", "ROUNDING", "Check", "figure_of"]

#: What rounding may make of 0.
ROUNDING = 1e-9
#: Below this the picture is linear, so that it has a 0.
LINEAR = 1e-17


class Check(NamedTuple):
    """A statement of a paper, and the number that it is judged by."""

    words: str
    #: Returns the deviation from the statement, or the quotient of what is bounded and its bound, at most.
    compute: Callable[[], float]
    #: The largest number with which the statement holds: 0, `ROUNDING`, or 1 of a quotient.
    allowed: float
    #: Whose statement it is: `PRINTED`; `CORRECTION` if the printed one is false, and this one is meant; `OURS`.
    of: str = PRINTED


#: What the module of a figure defines: points, claims, draw, SIZE.
Parts = tuple[
    Callable[[], list[dict[str, Any]]],
    Callable[[Rows], list[Claim]],
    Callable[[Any, Rows], None],
    tuple[float, float],
]


def figure_of(checks: Mapping[str, Check]) -> Parts:
    """Return what the module of a figure defines, for a figure of checks by the names of what is stated."""
    return partial(points, checks), partial(claims, checks), draw, (6.0, 1.4 + 0.2 * len(checks))


def points(checks: Mapping[str, Check]) -> list[dict[str, Any]]:
    """Return what is found of every statement, and what may at most be found."""
    return [
        {"statement": name, "words": words, "found": float(compute()), "allowed": float(allowed)}
        for name, (words, compute, allowed, _) in checks.items()
    ]


def claims(checks: Mapping[str, Check], rows: Rows) -> list[Claim]:
    """Return the statements with what was found; NaN does not hold."""
    of = {name: check.of for name, check in checks.items()}
    return [
        (
            f"{row['statement']}: {row['words']}",
            _in_words(row["found"], row["allowed"]),
            judgement(bool(row["found"] <= row["allowed"]), of.get(row["statement"], PRINTED)),
        )
        for row in rows
    ]


def _in_words(found: float, allowed: float) -> str:
    """Return what was found and what is allowed, with digits enough to tell whether it is."""
    digits = next((d for d in range(2, 17) if (float(f"{found:.{d}g}") <= allowed) == (found <= allowed)), 17)
    return f"{found:.{digits}g}, allowed {allowed:.2g}"


def draw(canvas: Any, rows: Rows) -> None:
    """Draw what is found of every statement, and as bars what is allowed: 0, rounding, or a bound.

    What is above that has a colour of its own.
    """
    axes = canvas.subplots()
    names = [f"{row['statement']}" for row in rows]
    allowed, found = ([row[key] for row in rows] for key in ("allowed", "found"))
    axes.barh(names, allowed, height=0.6, color="0.88", label="allowed")
    axes.plot(allowed, names, "|", color=GREY, markersize=9, markeredgewidth=1.5)
    axes.plot(found, names, "o", color=COLOURS[0], markersize=4, label="found")
    above = [(f, name) for f, a, name in zip(found, allowed, names, strict=True) if f > a]
    if above:
        axes.plot(*zip(*above, strict=True), "o", color=COLOURS[1], markersize=4, label="found, not allowed")
    axes.set_xscale("symlog", linthresh=LINEAR, linscale=0.5)
    powers = [0.0, *(10.0**k for k in range(-15, 1, 3))]
    axes.set_xticks(powers, ["0", *(f"$10^{{{k}}}$" for k in range(-15, 1, 3))])
    axes.minorticks_off()
    axes.set_xlim(-0.3 * LINEAR, 4.0 * max(1.0, *found))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlabel("deviation from the statement, or quotient of what is bounded and its bound")
    canvas.legend(loc="outside upper right", ncols=3)
