"""The methods as scikit-learn's estimators, one file each beside that of the method, of the same name.

Nothing else imports scikit-learn's base classes, which take a second: lists, plans and repeated commands do not wait
for them. What is listed here is `kernlearn`'s, too.
"""

from kernlearn.compiled import announce
from kernlearn.estimators.boosting.adaboost import AdaBoostClassifier
from kernlearn.estimators.boosting.adaboost_reg import AdaBoostRegClassifier
from kernlearn.estimators.boosting.ebboost import EBBoostClassifier
from kernlearn.estimators.boosting.lpboost import LPBoostClassifier
from kernlearn.estimators.boosting.qpboost import QPBoostClassifier
from kernlearn.estimators.kernel_learning.dc import LocalRademacherClassifier
from kernlearn.estimators.kernel_learning.lp_mkl import MKLClassifier
from kernlearn.estimators.kernel_learning.multiclass_mkl import MulticlassMKLClassifier
from kernlearn.estimators.kernel_learning.two_stage import TwoStageClassifier, TwoStageRegressor
from kernlearn.estimators.margin.ekm import EKMClassifier
from kernlearn.estimators.margin.hard_svm import HardSVMClassifier
from kernlearn.estimators.margin.l1_svm import L1SVMClassifier
from kernlearn.estimators.margin.l2_svm import L2SVMClassifier
from kernlearn.estimators.margin.linear_svm import LinearSVMClassifier
from kernlearn.estimators.margin.perceptron import KernelPerceptronClassifier
from kernlearn.estimators.margin.rmm import RMMClassifier
from kernlearn.estimators.margin.sgd_svm import SGDSVMClassifier
from kernlearn.estimators.margin.sigma_svm import SigmaSVMClassifier
from kernlearn.estimators.margin.soft_svm import SoftSVMClassifier
from kernlearn.estimators.margin.u_svm import USVMClassifier
from kernlearn.estimators.margin.vkr import VKRClassifier
from kernlearn.estimators.ridge.l2_krr import LKRRRegressor
from kernlearn.estimators.ridge.rbf_network import RBFNetworkClassifier
from kernlearn.estimators.structured.crf import LinearChainCRF
from kernlearn.estimators.structured.struct_rmm import StructRMM, StructRMMClassifier
from kernlearn.estimators.structured.struct_svm import StructSVM, StructSVMClassifier
from kernlearn.estimators.transduction.spectral import GraphClassifier

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegClassifier",
    "EBBoostClassifier",
    "EKMClassifier",
    "GraphClassifier",
    "HardSVMClassifier",
    "KernelPerceptronClassifier",
    "L1SVMClassifier",
    "L2SVMClassifier",
    "LKRRRegressor",
    "LPBoostClassifier",
    "LinearChainCRF",
    "LinearSVMClassifier",
    "LocalRademacherClassifier",
    "MKLClassifier",
    "MulticlassMKLClassifier",
    "QPBoostClassifier",
    "RBFNetworkClassifier",
    "RMMClassifier",
    "SGDSVMClassifier",
    "SigmaSVMClassifier",
    "SoftSVMClassifier",
    "StructRMM",
    "StructRMMClassifier",
    "StructSVM",
    "StructSVMClassifier",
    "TwoStageClassifier",
    "TwoStageRegressor",
    "USVMClassifier",
    "VKRClassifier",
]

announce()  # in Python nothing else says what the first fit waits for
