"""The methods as scikit-learn's estimators, one file each beside that of the method, of the same name.

Nothing else imports scikit-learn's base classes, which take a second: lists, plans and repeated commands do not wait
for them. What is listed here is `kernlearn`'s, too.
"""

from kernlearn.compiled import announce
from kernlearn.estimators.adaboost import AdaBoostClassifier
from kernlearn.estimators.adaboost_reg import AdaBoostRegClassifier
from kernlearn.estimators.crf import LinearChainCRF
from kernlearn.estimators.dc import LocalRademacherClassifier
from kernlearn.estimators.ebboost import EBBoostClassifier
from kernlearn.estimators.ekm import EKMClassifier
from kernlearn.estimators.hard_svm import HardSVMClassifier
from kernlearn.estimators.l1_svm import L1SVMClassifier
from kernlearn.estimators.l2_krr import LKRRRegressor
from kernlearn.estimators.l2_svm import L2SVMClassifier
from kernlearn.estimators.linear_svm import LinearSVMClassifier
from kernlearn.estimators.lp_mkl import MKLClassifier
from kernlearn.estimators.lpboost import LPBoostClassifier
from kernlearn.estimators.multiclass_mkl import MulticlassMKLClassifier
from kernlearn.estimators.perceptron import KernelPerceptronClassifier
from kernlearn.estimators.qpboost import QPBoostClassifier
from kernlearn.estimators.rbf_network import RBFNetworkClassifier
from kernlearn.estimators.rmm import RMMClassifier
from kernlearn.estimators.sgd_svm import SGDSVMClassifier
from kernlearn.estimators.sigma_svm import SigmaSVMClassifier
from kernlearn.estimators.soft_svm import SoftSVMClassifier
from kernlearn.estimators.spectral import GraphClassifier
from kernlearn.estimators.struct_rmm import StructRMM, StructRMMClassifier
from kernlearn.estimators.struct_svm import StructSVM, StructSVMClassifier
from kernlearn.estimators.two_stage import TwoStageClassifier, TwoStageRegressor
from kernlearn.estimators.u_svm import USVMClassifier
from kernlearn.estimators.vkr import VKRClassifier

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
