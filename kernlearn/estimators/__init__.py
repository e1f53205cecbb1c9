"""The methods as scikit-learn's estimators, one file each beside that of the method, of the same name.

Nothing else imports scikit-learn's base classes, which take a second: lists, plans and repeated commands do not wait
for them. What is listed here is `kernlearn`'s, too.
"""

from kernlearn.compiled import announce
from kernlearn.estimators.boosting.adaboost import AdaBoostClassifier
from kernlearn.estimators.boosting.adaboost_reg import AdaBoostRegClassifier, AdaBoostRegClassifierCV
from kernlearn.estimators.boosting.ebboost import EBBoostClassifier, EBBoostClassifierCV
from kernlearn.estimators.boosting.lpboost import LPBoostClassifier, LPBoostClassifierCV
from kernlearn.estimators.boosting.qpboost import QPBoostClassifier, QPBoostClassifierCV
from kernlearn.estimators.kernel_learning.columns import ColumnKernels
from kernlearn.estimators.kernel_learning.dc import LocalRademacherClassifier, LocalRademacherClassifierCV
from kernlearn.estimators.kernel_learning.lp_mkl import MKLClassifier, MKLClassifierCV
from kernlearn.estimators.kernel_learning.multiclass_mkl import MulticlassMKLClassifier, MulticlassMKLClassifierCV
from kernlearn.estimators.kernel_learning.two_stage import (
    TwoStageClassifier,
    TwoStageClassifierCV,
    TwoStageRegressor,
    TwoStageRegressorCV,
)
from kernlearn.estimators.margin.ekm import EKMClassifier, EKMClassifierCV
from kernlearn.estimators.margin.hard_svm import HardSVMClassifier
from kernlearn.estimators.margin.klda import KLDAClassifier, KLDAClassifierCV
from kernlearn.estimators.margin.l1_svm import L1SVMClassifier, L1SVMClassifierCV
from kernlearn.estimators.margin.l2_svm import L2SVMClassifier, L2SVMClassifierCV
from kernlearn.estimators.margin.linear_svm import LinearSVMClassifier
from kernlearn.estimators.margin.nearest_mean import NearestMeanClassifier
from kernlearn.estimators.margin.perceptron import KernelPerceptronClassifier
from kernlearn.estimators.margin.rmm import RMMClassifier, RMMClassifierCV
from kernlearn.estimators.margin.sgd_svm import SGDSVMClassifier, SGDSVMClassifierCV
from kernlearn.estimators.margin.sigma_svm import SigmaSVMClassifier, SigmaSVMClassifierCV
from kernlearn.estimators.margin.soft_svm import SoftSVMClassifier, SoftSVMClassifierCV
from kernlearn.estimators.margin.u_svm import USVMClassifier
from kernlearn.estimators.margin.vkr import VKRClassifier, VKRClassifierCV
from kernlearn.estimators.ridge.krr import KRRRegressor, KRRRegressorCV
from kernlearn.estimators.ridge.krr_mean import KRRMeanRegressor, KRRMeanRegressorCV
from kernlearn.estimators.ridge.l2_krr import LKRRRegressor, LKRRRegressorCV
from kernlearn.estimators.ridge.rbf_network import RBFNetworkClassifier, RBFNetworkClassifierCV
from kernlearn.estimators.structured.crf import LinearChainCRF
from kernlearn.estimators.structured.struct_rmm import StructRMM, StructRMMClassifier, StructRMMClassifierCV
from kernlearn.estimators.structured.struct_svm import StructSVM, StructSVMClassifier, StructSVMClassifierCV
from kernlearn.estimators.transduction.spectral import GraphClassifier

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegClassifier",
    "AdaBoostRegClassifierCV",
    "ColumnKernels",
    "EBBoostClassifier",
    "EBBoostClassifierCV",
    "EKMClassifier",
    "EKMClassifierCV",
    "GraphClassifier",
    "HardSVMClassifier",
    "KLDAClassifier",
    "KLDAClassifierCV",
    "KRRMeanRegressor",
    "KRRMeanRegressorCV",
    "KRRRegressor",
    "KRRRegressorCV",
    "KernelPerceptronClassifier",
    "L1SVMClassifier",
    "L1SVMClassifierCV",
    "L2SVMClassifier",
    "L2SVMClassifierCV",
    "LKRRRegressor",
    "LKRRRegressorCV",
    "LPBoostClassifier",
    "LPBoostClassifierCV",
    "LinearChainCRF",
    "LinearSVMClassifier",
    "LocalRademacherClassifier",
    "LocalRademacherClassifierCV",
    "MKLClassifier",
    "MKLClassifierCV",
    "MulticlassMKLClassifier",
    "MulticlassMKLClassifierCV",
    "NearestMeanClassifier",
    "QPBoostClassifier",
    "QPBoostClassifierCV",
    "RBFNetworkClassifier",
    "RBFNetworkClassifierCV",
    "RMMClassifier",
    "RMMClassifierCV",
    "SGDSVMClassifier",
    "SGDSVMClassifierCV",
    "SigmaSVMClassifier",
    "SigmaSVMClassifierCV",
    "SoftSVMClassifier",
    "SoftSVMClassifierCV",
    "StructRMM",
    "StructRMMClassifier",
    "StructRMMClassifierCV",
    "StructSVM",
    "StructSVMClassifier",
    "StructSVMClassifierCV",
    "TwoStageClassifier",
    "TwoStageClassifierCV",
    "TwoStageRegressor",
    "TwoStageRegressorCV",
    "USVMClassifier",
    "VKRClassifier",
    "VKRClassifierCV",
]

announce()  # in Python nothing else says what the first fit waits for
