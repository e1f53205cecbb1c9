"""The figures that need no cells, most of formulas alone, as ``configs/figure/<paper>/<figure>.yaml`` describe them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

from kernlearn.errors import UserError, closest
from kernlearn.papers import mkl2010
from kernlearn.papers.measured import Claim

DESCRIPTIONS = files("kernlearn.configs") / "figure"
PAPERS = {"mkl2010": mkl2010}

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Figure:
    """A figure of a paper.

    Attributes
    ----------
    name : str
        ``<paper>/<figure>``.
    title : str
    references : list of dict
        Reference values beside ours.
    readings : mapping
        What the paper leaves open and how it is read here.
    points : callable
        Returns the points of its curves as rows.
    claims : callable
        Returns what the paper says of these rows, with what was found.
    data : tuple of str
        The data sets they are computed from; none for formulas alone.
    """

    name: str
    title: str
    references: Rows
    readings: Mapping[str, str]
    points: Callable[[], Rows]
    claims: Callable[[Rows], list[Claim]]
    data: tuple[str, ...] = ()


def figure_names() -> list[str]:
    """Return the names of all figures, sorted."""
    return sorted(f"{paper}/{name}" for paper, module in PAPERS.items() for name in module.FIGURES)


def load_figure(name: str) -> Figure:
    """Return a figure by its name.

    Raises
    ------
    UserError
        If there is no such figure; the message lists those there are.
    """
    from omegaconf import OmegaConf

    if name not in figure_names():
        known = figure_names()
        raise UserError(f"{name}: no such figure, choose one of {', '.join(known)}{closest(name, known)}")
    paper, _, figure = name.partition("/")
    with as_file(DESCRIPTIONS / paper / f"{figure}.yaml") as path:
        spec: Any = OmegaConf.to_container(OmegaConf.load(path))
    module = PAPERS[paper]
    points, claims = module.FIGURES[figure]
    references, data = module.references(spec["references"]), tuple(spec.get("data", ()))
    return Figure(name, spec["title"], references, spec["readings"], points, claims, data)
