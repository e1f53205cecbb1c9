"""kernlearn: kernel-learning research re-run, certified and usable.

The estimators are imported on first use, so that ``import kernlearn`` and ``kernlearn --help`` stay fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors, what `__getattr__` does at run time
    from kernlearn.algorithms.dc import LocalRademacherClassifier
    from kernlearn.algorithms.l1_svm import L1SVMClassifier
    from kernlearn.algorithms.l2_krr import LKRRRegressor
    from kernlearn.algorithms.l2_svm import L2SVMClassifier
    from kernlearn.algorithms.lp_mkl import MKLClassifier
    from kernlearn.algorithms.multiclass_mkl import MulticlassMKLClassifier
    from kernlearn.algorithms.two_stage import TwoStageClassifier, TwoStageRegressor
    from kernlearn.algorithms.vkr import VKRClassifier

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "VKRClassifier",
    "L1SVMClassifier",
    "L2SVMClassifier",
    "TwoStageClassifier",
    "TwoStageRegressor",
    "MKLClassifier",
    "LocalRademacherClassifier",
    "MulticlassMKLClassifier",
    "LKRRRegressor",
]

_MODULES = {
    "VKRClassifier": "vkr",
    "L1SVMClassifier": "l1_svm",
    "L2SVMClassifier": "l2_svm",
    "TwoStageClassifier": "two_stage",
    "TwoStageRegressor": "two_stage",
    "MKLClassifier": "lp_mkl",
    "LocalRademacherClassifier": "dc",
    "MulticlassMKLClassifier": "multiclass_mkl",
    "LKRRRegressor": "l2_krr",
}

if not TYPE_CHECKING:  # which would take every misspelled name for Any

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return getattr(import_module(f"kernlearn.algorithms.{_MODULES[name]}"), name)
        raise AttributeError(f"module 'kernlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
