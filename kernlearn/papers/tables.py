"""The tables that can be reproduced, as their configuration files ``configs/experiment/<paper>/<table>.yaml`` say."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

from kernlearn.errors import UserError

EXPERIMENTS = files("kernlearn.configs") / "experiment"


@dataclass(frozen=True)
class Column:
    """A column of a table: the overrides that make its experiment, and the printed column it is compared with."""

    name: str
    overrides: tuple[str, ...]
    printed: str


@dataclass(frozen=True)
class Table:
    """A table or figure of a paper.

    Attributes
    ----------
    name : str
        ``<paper>/<table>``.
    title : str
    printed : str
        The file of printed values, empty if the paper prints none.
    datasets : tuple of str
        The rows, in the order of the paper.
    columns : tuple of Column
    readings : mapping
        What the paper leaves open and how it is read here.
    bounds : bool
        Whether it is about margin bounds of the selected models, beside their errors.
    """

    name: str
    title: str
    printed: str
    datasets: tuple[str, ...]
    columns: tuple[Column, ...]
    readings: Mapping[str, str]
    bounds: bool = False

    @property
    def paper(self) -> str:
        """The paper's name."""
        return self.name.partition("/")[0]


def table_names() -> list[str]:
    """Return the names of all tables, sorted."""
    papers = [paper for paper in EXPERIMENTS.iterdir() if paper.is_dir()]
    return sorted(
        f"{paper.name}/{path.name.removesuffix('.yaml')}"
        for paper in papers
        for path in paper.iterdir()
        if path.name.endswith(".yaml")
    )


def load_table(name: str) -> Table:
    """Return a table by its name.

    Raises
    ------
    UserError
        If there is no such table; the message lists those there are.
    """
    from omegaconf import OmegaConf

    if name not in table_names():
        raise UserError(f"{name}: no such table, choose one of {', '.join(table_names())}")
    paper, _, table = name.partition("/")
    with as_file(EXPERIMENTS / paper / f"{table}.yaml") as path:
        spec: Any = OmegaConf.to_container(OmegaConf.load(path))
    columns = tuple(Column(key, tuple(value["overrides"]), value["printed"]) for key, value in spec["columns"].items())
    datasets, bounds = tuple(spec["datasets"]), spec.get("bounds", False)
    return Table(name, spec["title"], spec["printed"], datasets, columns, spec["readings"], bounds)
