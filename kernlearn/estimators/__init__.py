"""The methods as scikit-learn's estimators, one file each beside that of the method, of the same name.

Nothing else imports scikit-learn's base classes, which take a second: lists, plans and repeated commands do not wait
for them. What is listed here is `kernlearn`'s, too. Each estimator is imported when it is first asked for.
"""

import ast
from importlib import import_module
from typing import TYPE_CHECKING, Any

from kernlearn.compiled import announce

if TYPE_CHECKING:  # the list of estimators, for type checkers, for digests of sources, and for `__getattr__` below
    from kernlearn.estimators.boosting.adaboost import AdaBoostClassifier as AdaBoostClassifier
    from kernlearn.estimators.boosting.adaboost_reg import AdaBoostRegClassifier as AdaBoostRegClassifier
    from kernlearn.estimators.boosting.adaboost_reg import AdaBoostRegClassifierCV as AdaBoostRegClassifierCV
    from kernlearn.estimators.boosting.ebboost import EBBoostClassifier as EBBoostClassifier
    from kernlearn.estimators.boosting.ebboost import EBBoostClassifierCV as EBBoostClassifierCV
    from kernlearn.estimators.boosting.lpboost import LPBoostClassifier as LPBoostClassifier
    from kernlearn.estimators.boosting.lpboost import LPBoostClassifierCV as LPBoostClassifierCV
    from kernlearn.estimators.boosting.qpboost import QPBoostClassifier as QPBoostClassifier
    from kernlearn.estimators.boosting.qpboost import QPBoostClassifierCV as QPBoostClassifierCV
    from kernlearn.estimators.kernel_learning.columns import ColumnKernels as ColumnKernels
    from kernlearn.estimators.kernel_learning.dc import LocalRademacherClassifier as LocalRademacherClassifier
    from kernlearn.estimators.kernel_learning.dc import LocalRademacherClassifierCV as LocalRademacherClassifierCV
    from kernlearn.estimators.kernel_learning.lp_mkl import MKLClassifier as MKLClassifier
    from kernlearn.estimators.kernel_learning.lp_mkl import MKLClassifierCV as MKLClassifierCV
    from kernlearn.estimators.kernel_learning.multiclass_mkl import MulticlassMKLClassifier as MulticlassMKLClassifier
    from kernlearn.estimators.kernel_learning.multiclass_mkl import (
        MulticlassMKLClassifierCV as MulticlassMKLClassifierCV,
    )
    from kernlearn.estimators.kernel_learning.two_stage import TwoStageClassifier as TwoStageClassifier
    from kernlearn.estimators.kernel_learning.two_stage import TwoStageClassifierCV as TwoStageClassifierCV
    from kernlearn.estimators.kernel_learning.two_stage import TwoStageRegressor as TwoStageRegressor
    from kernlearn.estimators.kernel_learning.two_stage import TwoStageRegressorCV as TwoStageRegressorCV
    from kernlearn.estimators.kernel_learning.ufo_mkl import UFOMKLClassifier as UFOMKLClassifier
    from kernlearn.estimators.kernel_learning.ufo_mkl import UFOMKLClassifierCV as UFOMKLClassifierCV
    from kernlearn.estimators.margin.ekm import EKMClassifier as EKMClassifier
    from kernlearn.estimators.margin.ekm import EKMClassifierCV as EKMClassifierCV
    from kernlearn.estimators.margin.hard_svm import HardSVMClassifier as HardSVMClassifier
    from kernlearn.estimators.margin.klda import KLDAClassifier as KLDAClassifier
    from kernlearn.estimators.margin.klda import KLDAClassifierCV as KLDAClassifierCV
    from kernlearn.estimators.margin.l1_svm import L1SVMClassifier as L1SVMClassifier
    from kernlearn.estimators.margin.l1_svm import L1SVMClassifierCV as L1SVMClassifierCV
    from kernlearn.estimators.margin.l2_svm import L2SVMClassifier as L2SVMClassifier
    from kernlearn.estimators.margin.l2_svm import L2SVMClassifierCV as L2SVMClassifierCV
    from kernlearn.estimators.margin.linear_svm import LinearSVMClassifier as LinearSVMClassifier
    from kernlearn.estimators.margin.nearest_mean import NearestMeanClassifier as NearestMeanClassifier
    from kernlearn.estimators.margin.perceptron import KernelPerceptronClassifier as KernelPerceptronClassifier
    from kernlearn.estimators.margin.rmm import RMMClassifier as RMMClassifier
    from kernlearn.estimators.margin.rmm import RMMClassifierCV as RMMClassifierCV
    from kernlearn.estimators.margin.sgd_svm import SGDSVMClassifier as SGDSVMClassifier
    from kernlearn.estimators.margin.sgd_svm import SGDSVMClassifierCV as SGDSVMClassifierCV
    from kernlearn.estimators.margin.sigma_svm import SigmaSVMClassifier as SigmaSVMClassifier
    from kernlearn.estimators.margin.sigma_svm import SigmaSVMClassifierCV as SigmaSVMClassifierCV
    from kernlearn.estimators.margin.soft_svm import SoftSVMClassifier as SoftSVMClassifier
    from kernlearn.estimators.margin.soft_svm import SoftSVMClassifierCV as SoftSVMClassifierCV
    from kernlearn.estimators.margin.u_svm import USVMClassifier as USVMClassifier
    from kernlearn.estimators.margin.vkr import VKRClassifier as VKRClassifier
    from kernlearn.estimators.margin.vkr import VKRClassifierCV as VKRClassifierCV
    from kernlearn.estimators.ridge.krr import KRRRegressor as KRRRegressor
    from kernlearn.estimators.ridge.krr import KRRRegressorCV as KRRRegressorCV
    from kernlearn.estimators.ridge.krr_mean import KRRMeanRegressor as KRRMeanRegressor
    from kernlearn.estimators.ridge.krr_mean import KRRMeanRegressorCV as KRRMeanRegressorCV
    from kernlearn.estimators.ridge.l2_krr import LKRRRegressor as LKRRRegressor
    from kernlearn.estimators.ridge.l2_krr import LKRRRegressorCV as LKRRRegressorCV
    from kernlearn.estimators.ridge.rbf_network import RBFNetworkClassifier as RBFNetworkClassifier
    from kernlearn.estimators.ridge.rbf_network import RBFNetworkClassifierCV as RBFNetworkClassifierCV
    from kernlearn.estimators.structured.crf import LinearChainCRF as LinearChainCRF
    from kernlearn.estimators.structured.struct_rmm import StructRMM as StructRMM
    from kernlearn.estimators.structured.struct_rmm import StructRMMClassifier as StructRMMClassifier
    from kernlearn.estimators.structured.struct_rmm import StructRMMClassifierCV as StructRMMClassifierCV
    from kernlearn.estimators.structured.struct_svm import StructSVM as StructSVM
    from kernlearn.estimators.structured.struct_svm import StructSVMClassifier as StructSVMClassifier
    from kernlearn.estimators.structured.struct_svm import StructSVMClassifierCV as StructSVMClassifierCV
    from kernlearn.estimators.transduction.spectral import GraphClassifier as GraphClassifier
else:
    #: The modules of the estimators, read from the list above, which stands once.
    _MODULES = {
        node.names[0].name: node.module
        for statement in ast.parse(__loader__.get_source(__name__)).body
        if isinstance(statement, ast.If)
        for node in statement.body
    }
    __all__ = sorted(_MODULES)

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found = getattr(import_module(_MODULES[name]), name)
        return found

    def __dir__() -> list[str]:
        return __all__


announce()  # in Python nothing else says what the first fit waits for
