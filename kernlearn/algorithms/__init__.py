"""Learning algorithms: one module each, with ``solve_*`` functions, a path over a grid and an estimator.

`ALGORITHMS` is what the runner knows. A path takes the training kernels (a square Gram stack, or features for methods
that weigh kernels), labels +-1 or real ones and the values of the configuration, and yields one certified `PathPoint`
after another, in the order of ``grid``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from kernlearn.algorithms import conv, dc, krr, l1_krr, l1_svm, l2_krr, l2_svm, lp_mkl, multiclass_mkl, two_stage, vkr
from kernlearn.algorithms.path import PathPoint, one_vs_rest
from kernlearn.kernels import KernelFamily
from kernlearn.parameters import Parameter
from kernlearn.plugins import Registry

__all__ = ["ALGORITHMS", "Algorithm", "PathPoint", "one_vs_rest"]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm as the runner sees it.

    Attributes
    ----------
    description : str
        One line for lists.
    problem : str
        What is solved at every grid point, in the plural.
    parameters : dict
        What ``algo.*`` accepts, by key.
    grid : callable
        ``grid(family, **values)`` lists the points of the grid, the strongest penalty first.
    path : callable
        ``path(stack, y, **values)`` yields a `PathPoint` for every point of the grid, in its order.
    label : callable
        ``label(**values)`` is the name in tables, which tells variants apart.
    tasks : tuple of str
        What it can do. With several, ``grid`` and ``path`` are told by ``task``; the y of a regression are real.
    in_regression : str
        What is solved in a regression, where that is another problem.
    weighs : bool
        Whether it learns weights of kernels, which may then be features.
    joint : bool
        Whether its ``path`` takes all classes at once, by their numbers, where others take one against the rest.
    version : int
        Raised when the numbers change, so that old results are not taken for new ones.
    """

    description: str
    problem: str
    parameters: dict[str, Parameter]
    grid: Callable[..., list[dict[str, float]]]
    path: Callable[..., Iterator[PathPoint]]
    label: Callable[..., str]
    tasks: tuple[str, ...] = ("classification",)
    in_regression: str = ""
    weighs: bool = False
    joint: bool = False
    version: int = 1

    def grid_size(self, family: KernelFamily, **values: Any) -> int:
        """Return the number of points that the path will solve."""
        return len(self.grid(family, **values))


QUADRATIC, KERNEL_LEARNING, RIDGE = "quadratic programs", "kernel learning problems", "ridge regressions"
BOTH = ("classification", "regression")


def _two_stage(weighting: str, description: str, version: int) -> Algorithm:
    return Algorithm(
        description,
        QUADRATIC,
        two_stage.ALIGNF_PARAMETERS if weighting == "alignf" else two_stage.PARAMETERS,
        two_stage.grid,
        partial(two_stage.path, weighting=weighting),
        lambda weights="nonnegative", **_: weighting if weights == "nonnegative" else f"{weighting}_{weights}",
        tasks=BOTH,
        in_regression=RIDGE,
        weighs=True,
        version=version,
    )


def _one_stage(
    name: str, description: str, task: str, path: Any, parameters: Any, grid: Any, version: int
) -> Algorithm:
    return Algorithm(
        description,
        KERNEL_LEARNING,
        parameters,
        grid,
        path,
        lambda **_: name,
        tasks=(task,),
        weighs=True,
        version=version,
    )


def _mkl(name: str, norm: float, description: str, version: int) -> Algorithm:
    path = partial(lp_mkl.path, norm=norm)
    return _one_stage(name, description, "classification", path, lp_mkl.PARAMETERS, two_stage.grid, version)


def _lkrr(name: str, module: Any, description: str, version: int) -> Algorithm:
    return _one_stage(name, description, "regression", module.path, module.PARAMETERS, l1_krr.grid, version)


OWN: dict[str, Algorithm] = {
    "vkr": Algorithm(
        "Voted Kernel Regularization: one coefficient per kernel and point, penalised by the kernel's complexity",
        "linear programs",
        vkr.PARAMETERS,
        vkr.grid,
        vkr.path,
        lambda complexity, **_: f"vkr_{complexity}",
        version=4,
    ),
    "l1_svm": Algorithm(
        "norm-1 SVM: hinge loss and l1 norm of the expansion coefficients, one kernel of the family at a time",
        "linear programs",
        l1_svm.PARAMETERS,
        l1_svm.grid,
        l1_svm.path,
        lambda **_: "l1_svm",
        version=4,
    ),
    "l2_svm": Algorithm(
        "soft-margin SVM, one kernel of the family at a time",
        "quadratic programs",
        l2_svm.PARAMETERS,
        l2_svm.grid,
        l2_svm.path,
        lambda **_: "l2_svm",
        version=5,
    ),
    "unif": _two_stage("unif", "SVM or ridge regression with the mean of the kernels of the family", 4),
    "align": _two_stage("align", "SVM or ridge regression with the kernels weighted by their alignment", 4),
    "alignf": _two_stage(
        "alignf", "SVM or ridge regression with the combination of kernels best aligned with the labels", 5
    ),
    "l1_mkl": _mkl("l1_mkl", 1.0, "SVM with kernel weights of bounded l1 norm, learned along with it: sparse", 6),
    "l2_mkl": _mkl("l2_mkl", 2.0, "SVM with kernel weights of bounded l2 norm, learned along with it", 6),
    "conv": Algorithm(
        "kernel learning with local Rademacher complexity, convex: kernels divided by their tails beyond theta",
        KERNEL_LEARNING,
        conv.PARAMETERS,
        conv.grid,
        conv.path,
        lambda norm, **_: f"conv_l{norm:g}",
        weighs=True,
        version=7,
    ),
    "dc": Algorithm(
        "kernel learning with local Rademacher complexity itself, up to a critical point",
        KERNEL_LEARNING,
        dc.PARAMETERS,
        conv.grid,
        dc.path,
        lambda norm, **_: f"dc_l{norm:g}",
        weighs=True,
        version=7,
    ),
    "multiclass_mkl": Algorithm(
        "multiple kernel learning of all classes at once: multi-class hinge loss, one set of weights of bounded norm",
        KERNEL_LEARNING,
        multiclass_mkl.PARAMETERS,
        two_stage.grid,
        multiclass_mkl.path,
        lambda norm, **_: f"multiclass_mkl_l{norm:g}",
        weighs=True,
        joint=True,
        version=5,
    ),
    "multiclass_conv": Algorithm(
        "kernel learning of all classes at once, kernels divided by their tails beyond theta",
        KERNEL_LEARNING,
        multiclass_mkl.CONV_PARAMETERS,
        conv.grid,
        multiclass_mkl.conv_path,
        lambda norm, **_: f"multiclass_conv_l{norm:g}",
        weighs=True,
        joint=True,
        version=6,
    ),
    "krr": Algorithm(
        "kernel ridge regression, one kernel of the family at a time",
        RIDGE,
        krr.PARAMETERS,
        krr.grid,
        krr.path,
        lambda **_: "krr",
        tasks=("regression",),
    ),
    "l1_krr": _lkrr(
        "l1_krr", l1_krr, "ridge regression with kernel weights of bounded l1 norm, learned along with it", 4
    ),
    "l2_krr": _lkrr(
        "l2_krr", l2_krr, "LKRR: ridge regression with kernel weights in an l2 ball, learned along with it", 3
    ),
}

#: Algorithms by name, one configuration file each; those of plug-ins, too.
ALGORITHMS = Registry("ALGORITHMS", OWN)
