"""What a method is to everybody else: the `Method` at the end of its file."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kernlearn.algorithms.common.path import PathPoint
from kernlearn.parameters import Parameter

PROGRAMS, KERNEL_LEARNING, RIDGE = "quadratic programs", "kernel learning problems", "ridge regressions"
BOTH = ("classification", "regression")


@dataclass(frozen=True)
class Method:
    """A method as runner, lists and configuration files see it.

    A path takes the training kernels (a square Gram stack, or features for methods that weigh kernels), labels +-1 or
    real ones and the values of the configuration, and yields one certified `PathPoint` after another, in the order of
    the grid.

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
        ``path(stack, y, **values)`` yields a `PathPoint` for every point of the grid, in its order.
    version : int
        Raised when the numbers change, so that old results are not taken for new ones.
    variant : callable, optional
        ``variant(**values)`` is what tells variants apart in tables; without one there is the name.
    tasks : tuple of str
        What it can do. With several, ``grid`` and ``path`` are told by ``task``; the y of a regression are real.
    in_regression : str
        What is solved in a regression, where that is another problem.
    weighs : bool
        Whether it learns weights of kernels, which may then be features.
    joint : bool
        Whether its ``path`` takes all classes at once, by their numbers, where others take one against the rest.
    """

    name: str
    description: str
    problem: str
    parameters: Mapping[str, Parameter]
    grid: Callable[..., list[dict[str, float]]]
    path: Callable[..., Iterator[PathPoint]]
    version: int = 1
    variant: Callable[..., str] | None = None
    tasks: tuple[str, ...] = ("classification",)
    in_regression: str = ""
    weighs: bool = False
    joint: bool = False

    def label(self, **values: Any) -> str:
        """Return the name in tables of the method with some values."""
        return self.variant(**values) if self.variant else self.name


def configuration(method: Method) -> str:
    """Return the configuration file of a method: its name, and a line for every parameter."""
    lines = [f"# {method.description}", f"name: {method.name}"]
    for key, parameter in method.parameters.items():
        value = json.dumps(parameter.default).strip('"')
        lines.append(f"{key}: {value}  # {parameter.meaning} ({parameter.kind.describe()})")
    return "\n".join(lines) + "\n"
