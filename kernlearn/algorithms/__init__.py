"""Learning algorithms, one file each, by family: ``solve_*`` functions, a path over a grid, its `METHOD`.

`ALGORITHMS` is what everybody else knows: the `METHOD`, or the several `METHODS`, at the end of every file here.
"""

from importlib import import_module
from pkgutil import walk_packages

from kernlearn.algorithms.common.reductions import REDUCTIONS
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Classes, Problem, Reals, Sequences, Signs
from kernlearn.plugins import Registry

__all__ = ["ALGORITHMS", "REDUCTIONS", "Classes", "Method", "Point", "Problem", "Reals", "Sequences", "Signs"]


def _methods() -> dict[str, Method]:
    modules = [import_module(module.name) for module in walk_packages(__path__, f"{__name__}.")]
    methods = [method for one in modules for method in getattr(one, "METHODS", [getattr(one, "METHOD", None)])]
    return {method.name: method for method in methods if method}


#: Algorithms by name, one configuration file each; those of plug-ins, too. All are imported when one is looked up, so
#: that an estimator imports its own method alone.
ALGORITHMS = Registry("ALGORITHMS", _methods)
