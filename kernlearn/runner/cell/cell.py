"""What an experiment and a cell of it are: immutable, hashable, and named in the store by their content."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Self, cast

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.datasets import OWN
from kernlearn.runner.provenance.sources import source_of_cells
from kernlearn.runner.store.records import Source
from kernlearn.runner.store.store import content_key

#: What an experiment is without the keys that say otherwise; its JSON leaves these values out.
CLASSIFICATION, REGRESSION = TASKS = ("classification", "regression")
ONE_VS_REST = "one_vs_rest"
FULL, BY_SIZE = GRIDS = ("full", "by_size")


class Group(Mapping[str, Any]):
    """The choice of a group of a configuration: its ``name`` and parameters, in their order.

    It is immutable, so that it is hashable: caches are keyed by it. Lists and mappings come out as copies.
    """

    def __init__(self, values: Mapping[str, Any]):
        self._values = {key: _frozen(value) for key, value in values.items()}

    def __getitem__(self, key: str) -> Any:
        return _thawed(self._values[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Group({dict(self)})"


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Group(value)
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _thawed(value: Any) -> Any:
    if isinstance(value, Group):
        return dict(value)
    return [_thawed(one) for one in value] if isinstance(value, tuple) else value


class _Json:
    """What is written as JSON, by its fields, and read again."""

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Return what `to_json` was called on."""
        known = {key: Group(value) if isinstance(value, Mapping) else value for key, value in content.items()}
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        """Return the fields whose value is not their default, in their order."""
        found = {field.name: (getattr(self, field.name), field.default) for field in fields(cast(Any, self))}
        return {key: _thawed(value) for key, (value, default) in found.items() if value != default}


@dataclass(frozen=True, kw_only=True)
class Experiment(_Json):
    """What determines the numbers of an experiment, checked by `kernlearn.runner.plan.config.check_experiment`.

    Attributes
    ----------
    task : {"classification", "regression"}
    multiclass : str
        How a method for two classes learns more of them.
    class_weight : str or Group, optional
        Factors of the losses of classes.
    limit : float, optional
        The seconds that a program may take.
    streamed : bool, optional
        Whether kernel values are computed as they are needed; None leaves it to the number of examples.
    grid : {"full", "by_size"}
        Whether the lengths of grids are left to the number of examples.
    dataset, kernel, algo, protocol : Group
    scaling : str
    seed : int
    """

    task: str = CLASSIFICATION
    multiclass: str = ONE_VS_REST
    class_weight: str | Group | None = None
    limit: float | None = None
    streamed: bool | None = False
    grid: str = FULL
    dataset: Group
    scaling: str
    kernel: Group
    algo: Group
    protocol: Group
    seed: int

    @property
    def is_regression(self) -> bool:
        """Whether real targets are to be learned."""
        return self.task == REGRESSION

    @property
    def method(self) -> Method:
        """The algorithm."""
        return ALGORITHMS[self.algo["name"]]

    @property
    def values(self) -> dict[str, Any]:
        """The parameters of the algorithm."""
        return {key: value for key, value in self.algo.items() if key != "name"}

    @property
    def source(self) -> Source:
        """By which source the cells are computed now."""
        return source_of_cells(self.algo["name"], self.kernel["name"])


@dataclass(frozen=True, kw_only=True)
class PathCell(Experiment):
    """One split of an experiment: the whole grid of one algorithm with its kernel family on one data set.

    Attributes
    ----------
    data : str
        The sha256 of the content of the data.
    versions : Group
        Of the algorithm, ``algo``, and of the form of the rows, ``rows``.
    split : int
    """

    data: str
    versions: Group
    split: int

    @cached_property
    def key(self) -> str:
        """The name in the store; of a file of one's own the content is part of it, not name and place."""
        if "path" not in self.dataset:
            return content_key(self.to_json())
        dataset = {key: value for key, value in self.dataset.items() if key != "path"} | {"name": OWN}
        return content_key({**self.to_json(), "dataset": dataset})

    @property
    def label(self) -> str:
        """What it is called by those who have not planned it."""
        return f"{self.dataset['name']} {self.algo['name']} seed {self.seed} split {self.split}"


@dataclass(frozen=True, kw_only=True)
class FigureCell(_Json):
    """One repetition of a figure with one choice of options.

    Attributes
    ----------
    figure : str
    version : int
    data : Group
        The sha256 of the content of every data set, by its name.
    options : Group
    seed : int
    """

    figure: str
    version: int
    data: Group
    options: Group
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Return the fields, and that it is of a figure."""
        return {"kind": "figure", **super().to_json()}

    @cached_property
    def key(self) -> str:
        """The name in the store."""
        return content_key(self.to_json())

    @property
    def label(self) -> str:
        """What it is called by those who have not planned it."""
        return f"figure {self.figure} seed {self.seed}"


Cell = PathCell | FigureCell


def cell_from_json(content: Mapping[str, Any]) -> Cell:
    """Return the cell that `to_json` was called on."""
    if content.get("kind") == "figure":
        return FigureCell.from_json({key: value for key, value in content.items() if key != "kind"})
    return PathCell.from_json(content)
