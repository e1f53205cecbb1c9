"""The cells of a figure with repetitions: one seed and one choice of options each, kept as those of experiments are."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from kernlearn.datasets import Dataset, load
from kernlearn.evaluation import Row
from kernlearn.papers.core.figures import Figure, Rows, load_figure
from kernlearn.runner.cell.cell import Cell, FigureCell, Group
from kernlearn.runner.cell.run import attempt
from kernlearn.runner.plan.cells import Planned
from kernlearn.runner.provenance.sources import source_of_figure
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.records import Shard, Source


@dataclass(frozen=True)
class FigurePlan(Planned):
    """The cells of a figure: seed by seed, so that an interrupted run leaves whole repetitions."""

    figure: Figure
    #: Those that it is computed from.
    datasets: list[Dataset]
    cells: list[FigureCell]

    @property
    def source(self) -> Source:
        """By which source they are computed now."""
        return _source_of(self.figure)

    @property
    def about(self) -> str:
        """What computes them."""
        return f"figure {self.figure.name}"

    def _label_of(self, cell: FigureCell) -> str:
        return " ".join([self.figure.name, *_words(cell.options), f"seed {cell.seed}"])

    def _has_rows_of(self, cell: FigureCell, shard: Shard) -> bool:
        return all(isinstance(row, dict) and row.keys() == shard["rows"][0].keys() for row in shard["rows"]) and all(
            isinstance(value, str | int | float) for row in shard["rows"] for value in row.values()
        )


def plan_figure(figure: Figure, repetitions: int) -> FigurePlan:
    """Lay out the cells of so many repetitions; the content of the data is part of every cell.

    Raises `UserError` if the data cannot be had.
    """
    datasets = [load(name) for name in figure.data]
    cells: list[FigureCell] = [
        FigureCell(
            figure=figure.name,
            version=figure.version,
            data=Group({data.name: data.digest for data in datasets}),
            options=Group(options),
            seed=seed,
        )
        for seed in range(repetitions)
        for options in figure.cells
    ]
    return FigurePlan(figure, datasets, cells)


def run_figure_cell(cell: Cell, partial: Partial | None = None) -> Shard:
    """Compute the rows of a cell, as `kernlearn.runner.cell.run.run_cell`; the figure's name finds its function.

    That is in `kernlearn.papers` or in an installed plug-in and nowhere else, so a cell names no code of its own.
    """
    figure_cell = cast(FigureCell, cell)
    return attempt(
        cell,
        lambda: _source_of(load_figure(figure_cell.figure)),
        lambda: cast(list[Row], _rows(figure_cell)),  # with columns of their own
    )


def _source_of(figure: Figure) -> Source:
    return source_of_figure(figure.name, figure.module)


def _rows(cell: FigureCell) -> Rows:
    figure = load_figure(cell.figure)
    assert figure.cell is not None
    rows = [{key: _plain(value) for key, value in row.items()} for row in figure.cell(cell.seed, **cell.options)]
    if not rows:
        raise ValueError(f"{figure.name}: cell(seed={cell.seed}) gave no rows")
    return rows


def _plain(value: Any) -> Any:
    """Return a number or word as JSON has it, also one of numpy's."""
    return value.item() if hasattr(value, "item") else value


def _words(options: Mapping[str, Any]) -> list[str]:
    return [f"{key}={value}" for key, value in options.items()]
