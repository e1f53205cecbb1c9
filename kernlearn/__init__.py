"""kernlearn: kernel-learning research re-run, certified and usable.

The estimators are imported on first use, so that ``import kernlearn`` and ``kernlearn --help`` stay fast.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_ESTIMATORS = {
    "VKRClassifier": "kernlearn.algorithms.vkr",
    "L1SVMClassifier": "kernlearn.algorithms.l1_svm",
    "L2SVMClassifier": "kernlearn.algorithms.l2_svm",
    "TwoStageClassifier": "kernlearn.algorithms.two_stage",
    "TwoStageRegressor": "kernlearn.algorithms.two_stage",
    "MKLClassifier": "kernlearn.algorithms.lp_mkl",
    "LocalRademacherClassifier": "kernlearn.algorithms.dc",
    "MulticlassMKLClassifier": "kernlearn.algorithms.multiclass_mkl",
    "LKRRRegressor": "kernlearn.algorithms.l2_krr",
}

__all__ = ["__version__", *_ESTIMATORS]


def __getattr__(name: str) -> Any:
    if name in _ESTIMATORS:
        return getattr(import_module(_ESTIMATORS[name]), name)
    raise AttributeError(f"module 'kernlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
