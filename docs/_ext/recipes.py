"""The run that each method's page shows: small data, a short grid, a second or two."""

from kernlearn import estimators
from kernlearn.algorithms import ALGORITHMS, Method

#: Words that make a run small, by what a method learns from.
TWO_CLASSES = ["dataset=sonar", "scaling=standard", "kernel=gaussian"]
ONE_KERNEL = [*TWO_CLASSES, "kernel.gammas=[0.02]"]
SEVERAL_KERNELS = [*TWO_CLASSES, "kernel.gammas=[0.002,0.02,0.2]"]
REGRESSION = ["task=regression"]
ALL_CLASSES = ["dataset=waveform", "dataset.n=150", "scaling=standard", "kernel=gaussian", "kernel.gammas=[0.005,0.05]"]
STUMPS = ["dataset=sonar", "scaling=none", "kernel.number=100", "algo.rounds=50"]
NETWORKS = ["dataset=gaussians", "dataset.n=150", "scaling=standard", "algo.units=[5]", "algo.rounds=20"]
GRAPH = ["dataset=gaussians", "dataset.n=150", "scaling=standard", "kernel.q=30"]
SENTENCES = ["dataset=conll", "dataset.path=sentences.txt", "dataset.target=-1", "scaling=none", "protocol=rotation5"]

#: Other words for methods whose default grid takes longer.
SPECIAL = {
    "vkr": [*SEVERAL_KERNELS, "algo.lambdas=[0.1,0.01,0.001]", "algo.betas=[0.01,0.001]"],
    "struct_svm": ALL_CLASSES[:-1] + ["kernel.gammas=[0.02]"],
    "struct_rmm": ALL_CLASSES[:-1] + ["kernel.gammas=[0.02]"],
    "rbf_network": NETWORKS[:-1],
}


def words(method: Method) -> list[str]:
    """Return the words of ``kernlearn run`` for the run of a method's page."""
    usual: list[str]
    if method.name in SPECIAL:
        usual = SPECIAL[method.name]
    elif method.targets == ("sequences",):
        usual = SENTENCES
    elif method.inputs == "stumps":
        usual = STUMPS
    elif method.inputs == "features":
        usual = NETWORKS
    elif method.sees_all:
        usual = GRAPH
    elif method.joint:
        usual = ALL_CLASSES
    elif method.weighs:
        usual = SEVERAL_KERNELS
    else:
        usual = ONE_KERNEL
    return [f"algo={method.name}", *usual, *(REGRESSION if method.tasks == ("regression",) else [])]


#: Methods that cannot be run from bundled data alone.
WITHOUT_RUN = {name for name, method in ALGORITHMS.items() if method.universum}

#: The methods of every public estimator; other methods have none.
ESTIMATORS: dict[str, tuple[str, ...]] = {
    "AdaBoostClassifier": ("adaboost",),
    "AdaBoostRegClassifier": ("adaboost_reg",),
    "ColumnKernels": (),  # kernels of estimators
    "EBBoostClassifier": ("ebboost",),
    "EKMClassifier": ("ekm",),
    "GraphClassifier": tuple(name for name, method in ALGORITHMS.items() if method.sees_all),
    "HardSVMClassifier": ("hard_svm",),
    "KLDAClassifier": ("klda",),
    "KRRMeanRegressor": ("krr_mean",),
    "KRRRegressor": ("krr",),
    "KernelPerceptronClassifier": ("perceptron",),
    "L1SVMClassifier": ("l1_svm",),
    "L2SVMClassifier": ("l2_svm",),
    "LKRRRegressor": ("l1_krr", "l2_krr"),
    "LPBoostClassifier": ("lpboost",),
    "LinearChainCRF": ("crf",),
    "LinearSVMClassifier": (),  # the linear SVM of many sparse examples is an estimator alone
    "LocalRademacherClassifier": ("conv", "dc"),
    "MKLClassifier": ("l1_mkl", "l2_mkl"),
    "MulticlassMKLClassifier": ("multiclass_mkl", "multiclass_conv"),
    "NearestMeanClassifier": ("nearest_mean",),
    "QPBoostClassifier": ("qpboost",),
    "RBFNetworkClassifier": ("rbf_network",),
    "RMMClassifier": ("rmm", "rmm_d", "rmm_c_eq_d"),
    "SGDSVMClassifier": ("sgd_svm",),
    "SigmaSVMClassifier": ("sigma_svm",),
    "SoftSVMClassifier": ("soft_svm",),
    "StructRMM": ("struct_rmm",),
    "StructRMMClassifier": ("struct_rmm",),
    "StructSVM": ("struct_svm",),
    "StructSVMClassifier": ("struct_svm",),
    "TwoStageClassifier": ("unif", "align", "alignf"),
    "TwoStageRegressor": ("unif", "align", "alignf"),
    "UFOMKLClassifier": ("ufo_mkl",),
    "USVMClassifier": ("u_svm",),
    "VKRClassifier": ("vkr",),
}
ESTIMATORS |= {f"{name}CV": methods for name, methods in ESTIMATORS.items() if f"{name}CV" in estimators.__all__}
