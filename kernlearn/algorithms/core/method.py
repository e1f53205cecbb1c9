"""What a method is to everybody else: the `Method` at the end of its file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any

from kernlearn.algorithms.core.path import Point
from kernlearn.certificates import Certificate
from kernlearn.parameters import Parameter

PROGRAMS, KERNEL_LEARNING, RIDGE = "quadratic programs", "kernel learning problems", "ridge regressions"
#: What most methods learn from.
KERNELS = "kernels"
#: What is learned of sequences.
CHAINS = "chains"
#: The task of every kind of target (`kernlearn.algorithms.core.problem`).
TASK_OF = {
    "signs": "classification",
    "classes": "classification",
    "reals": "regression",
    "sequences": "classification",
}


@dataclass(frozen=True)
class Method:
    """A method as runner, lists and configuration files see it.

    A path takes a `Problem` (inputs, such as the square Gram stack of the training examples, and a target) and the
    values of the configuration, and yields one certified `Point` after another, in the order of the grid.

    Attributes
    ----------
    name : str
        In ``algo=NAME``, and of its configuration file.
    description : str
        One line for lists.
    problem : str
        What is solved at every grid point, in the plural.
    parameters : mapping
        What ``algo.*`` accepts, by key.
    grid : callable
        ``grid(family, **values)`` lists the points of the grid, the strongest penalty first.
    path : callable
        ``path(problem, **values)`` yields a `Point` for every point of the grid, in its order.
    version : int
        Raised when the numbers change, so that old results are not taken for new ones.
    variant : callable, optional
        ``variant(**values)`` is what tells variants apart in tables; without one there is the name.
    targets : tuple of str
        What it can learn: "signs" of two classes (of more, by a reduction), all "classes" at once, "reals", or
        "sequences" of labels. A method for several tasks has a ``grid`` that depends on ``task``.
    in_regression : str
        What is solved in a regression, where that is another problem.
    weighs : bool
        Whether it learns weights of kernels, which may then be features.
    always_optimal : bool
        Whether every problem is solved to its tolerance, whatever the data; otherwise the status of a point says where
        it stopped, as an algorithm with a budget does, or one for separable data on others.
    sees_all : bool
        Whether it sees the examples, not the labels, of the other parts of a split, too: its problem has all as inputs.
    universum : bool
        Whether it learns from the Universum of the data, too, examples of none of the classes: the last of its inputs.
    class_weight : bool
        Whether a configuration may have the key ``class_weight``, which reaches its path as `Problem.weights`.
    inputs : str
        What it learns from: `KERNELS` of any family, or the name of the one choice of the group ``kernel``, that is no
        kernel, whose inputs it takes. Of sequences these are `CHAINS` for all methods.
    max_matrix_bytes : float
        Bytes of one kernel matrix above which it does without: values are computed from the examples as they are
        needed. Infinite for a method that wants matrices.
    rows_only : bool
        Whether it then makes none at all, and not one at a time.
    certificate : callable, optional
        ``certificate(problem, point, **values)`` returns what is proved of the predictor of a point by the ``dual`` of
        its solution, as a `kernlearn.certificates.Certificate`; see `kernlearn.algorithms.core.path.rebuilt`. Of a
        plug-in it replaces the bounds of the path; those of kernlearn's own paths are compared with it by a test.
    resolve : callable, optional
        ``resolve(n, **values)`` gives values in the place of those that are left to the number n of training examples.
    """

    name: str
    description: str
    problem: str
    parameters: Mapping[str, Parameter]
    grid: Callable[..., list[dict[str, float]]]
    path: Callable[..., Iterator[Point]]
    version: int = 1
    variant: Callable[..., str] | None = None
    targets: tuple[str, ...] = ("signs",)
    in_regression: str = ""
    weighs: bool = False
    always_optimal: bool = True
    sees_all: bool = False
    universum: bool = False
    class_weight: bool = False
    inputs: str = KERNELS
    max_matrix_bytes: float = inf
    rows_only: bool = False
    resolve: Callable[..., dict[str, Any]] | None = None
    certificate: Callable[..., Certificate] | None = None

    @property
    def tasks(self) -> tuple[str, ...]:
        """What it can do."""
        return tuple(dict.fromkeys(TASK_OF[target] for target in self.targets))

    @property
    def is_own(self) -> bool:
        """Whether it comes with kernlearn, not with a plug-in."""
        path: Any = self.path
        while isinstance(path, partial):
            path = path.func
        return path.__module__.startswith("kernlearn.")

    @property
    def unlabelled(self) -> bool:
        """Whether some of its inputs have no label."""
        return self.sees_all or self.universum

    @property
    def joint(self) -> bool:
        """Whether it takes all classes at once, where others need a reduction to two."""
        return "classes" in self.targets or self.sequential

    @property
    def sequential(self) -> bool:
        """Whether it learns labels of sequences."""
        return "sequences" in self.targets

    @property
    def choices(self) -> tuple[str, ...]:
        """What it learns from: `inputs`, and of sequences `CHAINS`."""
        return (self.inputs, CHAINS) if self.sequential else (self.inputs,)

    def takes(self, sequential: bool) -> bool:
        """Return whether it learns from sequences, or from single examples."""
        return self.sequential if sequential else self.targets != ("sequences",)

    def points(self, family: Any, task: str, values: Mapping[str, Any]) -> list[dict[str, float]]:
        """Return the points of the grid."""
        options = {"task": task} if len(self.tasks) > 1 else {}
        return self.grid(family, **values, **options)

    def blocks(self, family: Any, task: str, values: Mapping[str, Any]) -> Sequence[int | None]:
        """Return the indices of the kernels whose paths, in sequence, make up the path of the family.

        Methods that use one kernel at a time have such blocks. Their grid goes through the kernels one by one, and no
        state is carried from kernel to kernel. For other methods the only block is None, the whole path.
        """
        singles = [replace(family, members=(member,)) for member in family.members]
        one_by_one = [point for single in singles for point in self.points(single, task, values)]
        return range(len(family)) if singles and one_by_one == self.points(family, task, values) else [None]

    def resolve_auto(self, n: int, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values with those that are left to the number n of training examples."""
        return {**values, **(self.resolve(n, **values) if self.resolve else {})}

    def restore_defaults(self, n: int, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values with the default in the place of those that it comes to for n training examples."""
        defaults = {key: parameter.default for key, parameter in self.parameters.items()}
        usual, resolved = self.resolve_auto(n, defaults), self.resolve_auto(n, values)
        left = {key for key, default in defaults.items() if usual[key] != default and resolved[key] == usual[key]}
        return {**values, **{key: defaults[key] for key in left}}

    def label(self, **values: Any) -> str:
        """Return the name in tables of the method with some values."""
        return self.variant(**values) if self.variant else self.name
