"""kernlearn: kernel-learning research re-run, certified and usable.

The estimators are imported on first use, so that ``import kernlearn`` and ``kernlearn --help`` stay fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers and editors, what `__getattr__` does at run time
    from kernlearn.algorithms.boosting.adaboost import AdaBoostClassifier
    from kernlearn.algorithms.boosting.adaboost_reg import AdaBoostRegClassifier
    from kernlearn.algorithms.boosting.ebboost import EBBoostClassifier
    from kernlearn.algorithms.boosting.lpboost import LPBoostClassifier
    from kernlearn.algorithms.boosting.qpboost import QPBoostClassifier
    from kernlearn.algorithms.kernel_learning.dc import LocalRademacherClassifier
    from kernlearn.algorithms.kernel_learning.lp_mkl import MKLClassifier
    from kernlearn.algorithms.kernel_learning.multiclass_mkl import MulticlassMKLClassifier
    from kernlearn.algorithms.kernel_learning.two_stage import TwoStageClassifier, TwoStageRegressor
    from kernlearn.algorithms.margin.hard_svm import HardSVMClassifier
    from kernlearn.algorithms.margin.l1_svm import L1SVMClassifier
    from kernlearn.algorithms.margin.l2_svm import L2SVMClassifier
    from kernlearn.algorithms.margin.perceptron import KernelPerceptronClassifier
    from kernlearn.algorithms.margin.rmm import RMMClassifier
    from kernlearn.algorithms.margin.sgd_svm import SGDSVMClassifier
    from kernlearn.algorithms.margin.sigma_svm import SigmaSVMClassifier
    from kernlearn.algorithms.margin.soft_svm import SoftSVMClassifier
    from kernlearn.algorithms.margin.u_svm import USVMClassifier
    from kernlearn.algorithms.margin.vkr import VKRClassifier
    from kernlearn.algorithms.ridge.l2_krr import LKRRRegressor

__version__ = "0.1.0"

__all__ = [
    "__version__",
    "VKRClassifier",
    "L1SVMClassifier",
    "L2SVMClassifier",
    "RMMClassifier",
    "USVMClassifier",
    "SoftSVMClassifier",
    "HardSVMClassifier",
    "SGDSVMClassifier",
    "KernelPerceptronClassifier",
    "SigmaSVMClassifier",
    "TwoStageClassifier",
    "TwoStageRegressor",
    "MKLClassifier",
    "LocalRademacherClassifier",
    "MulticlassMKLClassifier",
    "LKRRRegressor",
    "AdaBoostClassifier",
    "AdaBoostRegClassifier",
    "EBBoostClassifier",
    "LPBoostClassifier",
    "QPBoostClassifier",
]

_MODULES = {
    "VKRClassifier": "margin.vkr",
    "L1SVMClassifier": "margin.l1_svm",
    "L2SVMClassifier": "margin.l2_svm",
    "RMMClassifier": "margin.rmm",
    "USVMClassifier": "margin.u_svm",
    "SoftSVMClassifier": "margin.soft_svm",
    "HardSVMClassifier": "margin.hard_svm",
    "SGDSVMClassifier": "margin.sgd_svm",
    "KernelPerceptronClassifier": "margin.perceptron",
    "SigmaSVMClassifier": "margin.sigma_svm",
    "TwoStageClassifier": "kernel_learning.two_stage",
    "TwoStageRegressor": "kernel_learning.two_stage",
    "MKLClassifier": "kernel_learning.lp_mkl",
    "LocalRademacherClassifier": "kernel_learning.dc",
    "MulticlassMKLClassifier": "kernel_learning.multiclass_mkl",
    "LKRRRegressor": "ridge.l2_krr",
    "AdaBoostClassifier": "boosting.adaboost",
    "AdaBoostRegClassifier": "boosting.adaboost_reg",
    "EBBoostClassifier": "boosting.ebboost",
    "LPBoostClassifier": "boosting.lpboost",
    "QPBoostClassifier": "boosting.qpboost",
}

if not TYPE_CHECKING:  # which would take every misspelled name for Any

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return getattr(import_module(f"kernlearn.algorithms.{_MODULES[name]}"), name)
        raise AttributeError(f"module 'kernlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
