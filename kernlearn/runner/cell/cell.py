"""Experiments and their cells. Both are immutable, hashable, and named in the store by their content."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cached_property
from typing import Any, Self, cast

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.datasets import OWN
from kernlearn.runner.provenance.sources import source_of_cells
from kernlearn.runner.store.records import Source
from kernlearn.runner.store.store import content_key

#: Default values of an experiment's keys; its JSON leaves them out.
CLASSIFICATION, REGRESSION = TASKS = ("classification", "regression")
ONE_VS_REST = "one_vs_rest"
FULL, BY_SIZE = GRIDS = ("full", "by_size")


class Group(Mapping[str, Any]):
    """The choice of a group of a configuration: its ``name`` and parameters, in their order.

    It is immutable and hashable, since it is a key of caches. Lists and mappings are returned as copies.
    """

    def __init__(self, values: Mapping[str, Any]):
        self._values = {key: _frozen(value) for key, value in values.items()}

    def __getitem__(self, key: str) -> Any:
        return _thawed(self._values[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self._values == other._values if type(other) is Group else super().__eq__(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return f"Group({dict(self)})"


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Group(value)
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _thawed(value: Any) -> Any:
    if type(value) is Group:
        return {key: _thawed(one) for key, one in value._values.items()}
    return [_thawed(one) for one in value] if type(value) is tuple else value


class _Json:
    """A record that is written to JSON by its fields, and read again."""

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """Return the record that `to_json` was called on."""
        known = {key: Group(value) if isinstance(value, Mapping) else value for key, value in content.items()}
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        """Return the fields whose values are not the defaults, in their order."""
        values = ((field, getattr(self, field.name)) for field in fields(cast(Any, self)))
        return {
            field.name: _thawed(value) for field, value in values if field.default is MISSING or value != field.default
        }


@dataclass(frozen=True, kw_only=True)
class Experiment(_Json):
    """The values that determine the numbers of an experiment.

    They are checked by `kernlearn.runner.plan.config.check_experiment`.
    """

    #: "classification" or "regression".
    task: str = CLASSIFICATION
    #: How a two-class method learns more than two classes.
    multiclass: str = ONE_VS_REST
    #: Weights of the losses of classes.
    class_weight: str | Group | None = None
    #: The time limit of a program, in seconds.
    limit: float | None = None
    #: Whether kernel values are computed on demand; None decides it by the number of examples.
    streamed: bool | None = False
    #: "full", or "by_size" if the lengths of grids depend on the number of examples.
    grid: str = FULL
    dataset: Group
    scaling: str
    kernel: Group
    algo: Group
    protocol: Group
    seed: int

    @property
    def is_regression(self) -> bool:
        """Whether the targets are real numbers."""
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
        """The source that computes the cells now."""
        return source_of_cells(self.algo["name"], self.kernel["name"])


@dataclass(frozen=True, kw_only=True)
class PathCell(Experiment):
    """One split of an experiment: the whole grid of one algorithm with its kernel family on one data set."""

    #: The sha256 of the content of the data.
    data: str
    #: The version of the algorithm, ``algo``, and of the format of the rows, ``rows``.
    versions: Group
    split: int

    @cached_property
    def key(self) -> str:
        """The name in the store. For a user's file it depends on the content, not on its name and place."""
        return content_key({**self.to_json(), "dataset": _without_place(self.dataset)})

    @property
    def label(self) -> str:
        """What it is called by those who have not planned it."""
        return f"{self.dataset['name']} {self.algo['name']} seed {self.seed} split {self.split}"


def _without_place(dataset: Group) -> dict[str, Any]:
    """Return the choice of a data set, of a user's file without its name and place."""
    if "path" not in dataset:
        return dict(dataset)
    return {key: value for key, value in dataset.items() if key != "path"} | {"name": OWN}


@dataclass(frozen=True, kw_only=True)
class BaselineCell(_Json):
    """One split of a baseline: an estimator of scikit-learn with its default parameters.

    Attributes
    ----------
    baseline : str
        The name of its class, one of `kernlearn.runner.cell.baseline.BASELINES`.
    task, dataset, scaling, protocol, seed, data, split
        As those of `PathCell`.
    versions : Group
        The version of scikit-learn, and of the format of the rows, ``rows``.
    """

    baseline: str
    task: str = CLASSIFICATION
    dataset: Group
    scaling: str
    protocol: Group
    seed: int
    data: str
    versions: Group
    split: int

    @property
    def is_regression(self) -> bool:
        """Whether the targets are real numbers."""
        return self.task == REGRESSION

    def to_json(self) -> dict[str, Any]:
        """Return the fields, with the mark of a baseline."""
        return {"kind": "baseline", **super().to_json()}

    @cached_property
    def key(self) -> str:
        """The name in the store. For a user's file it depends on the content, not on its name and place."""
        return content_key({**self.to_json(), "dataset": _without_place(self.dataset)})

    @property
    def label(self) -> str:
        """What it is called by those who have not planned it."""
        return f"{self.dataset['name']} {self.baseline} seed {self.seed} split {self.split}"


@dataclass(frozen=True, kw_only=True)
class FigureCell(_Json):
    """One repetition of a figure with one choice of options."""

    figure: str
    version: int
    #: The sha256 of the content of every data set, by its name.
    data: Group
    options: Group
    seed: int

    def to_json(self) -> dict[str, Any]:
        """Return the fields, with the mark of a figure."""
        return {"kind": "figure", **super().to_json()}

    @cached_property
    def key(self) -> str:
        """The name in the store."""
        return content_key(self.to_json())

    @property
    def label(self) -> str:
        """What it is called by those who have not planned it."""
        return f"figure {self.figure} seed {self.seed}"


Cell = PathCell | BaselineCell | FigureCell
#: The cells that `to_json` marks with their kind.
KINDS: dict[str, type[BaselineCell] | type[FigureCell]] = {"baseline": BaselineCell, "figure": FigureCell}


def cell_from_json(content: Mapping[str, Any]) -> Cell:
    """Return the cell whose `to_json` gave this content."""
    values = dict(content)
    kind = values.pop("kind", None)
    return KINDS[kind].from_json(values) if kind else PathCell.from_json(values)
