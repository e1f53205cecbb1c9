"""The figures whose points are computed by a function: what ``<paper>/<figure>.yaml`` and the module beside it say.

The module of a figure, ``<figure>.py``, defines ``claims(rows)`` (what the paper says of the rows, as checks),
``draw(canvas, rows)`` with ``SIZE`` in inches (its picture), if there are reference values ``references()``, and either

- ``points()``: the points of its curves as rows, computed at once, as those of formulas are; where the description has
  ``tables``, from what was kept of these, which ``points`` takes as `kernlearn.papers.core.measured.Measured`; or
- ``cell(seed, **options)``: the rows of one repetition, a pure function. The description says how many
  ``repetitions`` there are, and lists the options of the ``cells`` of each, where there are several, or has a list of
  values for every option: then all combinations are cells. Every one is a cell of the store: seeded, resumable, on any
  engine. ``VERSION`` is raised when its numbers change.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from kernlearn.errors import UserError
from kernlearn.papers.core.index import check_keys, place_of, places
from kernlearn.papers.core.measured import Claim
from kernlearn.parameters import Number

Rows = list[dict[str, Any]]
#: The keys of a description, those that have to be there first.
KEYS = ("title", "readings"), ("data", "tables", "repetitions", "cells", "reduced")


@dataclass(frozen=True)
class Figure:
    """A figure of a paper."""

    #: ``<paper>/<figure>``.
    name: str
    title: str
    #: Which defines it.
    module: str
    #: What the paper leaves open and how it is read here.
    readings: Mapping[str, str]
    #: Returns what the paper says of the rows, with what was found.
    claims: Callable[[Rows], list[Claim]]
    #: Draws the rows on a canvas of matplotlib.
    draw: Callable[[Any, Rows], None]
    #: Of the picture, in inches.
    size: tuple[float, float] = (6.0, 3.4)
    #: What is smaller than in the paper, so that its claims cannot be tested; empty if nothing is.
    reduced: str = ""
    #: Reference values beside ours.
    references: Rows = field(default_factory=list)
    #: The data sets the rows are computed from; none for formulas alone.
    data: tuple[str, ...] = ()
    #: The tables whose kept measurements `points` takes.
    tables: tuple[str, ...] = ()
    #: Returns the rows, where they are computed at once.
    points: Callable[..., Rows] | None = None
    #: Returns the rows of one repetition, where there are several.
    cell: Callable[..., Rows] | None = None
    #: Of `cell`.
    version: int = 1
    #: With seeds from 0 on.
    repetitions: int = 0
    #: The options of every cell of a repetition.
    cells: tuple[Mapping[str, Any], ...] = ({},)


def figure_names() -> list[str]:
    """Return the names of all figures, sorted."""
    return [name for name, place in places().items() if not place.is_table]


def load_figure(name: str) -> Figure:
    """Return a figure by its name.

    Raises
    ------
    UserError
        If there is no such figure (the message lists those there are), or its description or its module lacks
        something or has too much.
    """
    place = place_of(name, "figure", table=False)
    spec, module = place.description(), place.module()
    check_keys(name, spec, *KEYS)
    for part in ("claims", "draw"):
        if module is None or not hasattr(module, part):
            raise UserError(f"{name}: {place.path.with_suffix('.py')} has no function {part}")
    assert module is not None
    points, cell = getattr(module, "points", None), getattr(module, "cell", None)
    if (points is None) == (cell is None) or (cell is None) == ("repetitions" in spec):
        raise UserError(
            f"{name}: {place.path.with_suffix('.py')} needs either points(), or cell(seed, ...) and repetitions in the "
            "description beside it"
        )
    return Figure(
        name=name,
        title=spec["title"],
        module=module.__name__,
        readings=spec["readings"],
        claims=module.claims,
        draw=module.draw,
        size=getattr(module, "SIZE", Figure.size),
        reduced=spec.get("reduced", ""),
        references=module.references() if hasattr(module, "references") else [],
        data=tuple(spec.get("data", ())),
        tables=tuple(spec.get("tables", ())),
        points=points,
        cell=cell,
        version=getattr(module, "VERSION", Figure.version),
        repetitions=Number(low=1, integer=True).check(f"{name}: repetitions", spec["repetitions"]) if cell else 0,
        cells=_cells(spec.get("cells", Figure.cells)),
    )


def _cells(spec: Any) -> tuple[Mapping[str, Any], ...]:
    """Return the options of all cells: those of a list, or all combinations of the values of a mapping."""
    if isinstance(spec, Mapping):
        return tuple(dict(zip(spec, values, strict=True)) for values in product(*spec.values()))
    return tuple(spec)
