"""Whether a proof is of what an estimator predicts by: its class, its kernels, and its outputs on the training data."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernlearn.certificates.outputs import Outputs, outputs
from kernlearn.certificates.own.stored import Stored, Trained
from kernlearn.certificates.proofs.examples import OtherData, require_shown
from kernlearn.kernels import GramStack, require_semidefinite, rounding_of
from kernlearn.types import Array, Index

#: The methods of every estimator that keeps a proof.
METHODS_OF = {
    "EKMClassifier": ("ekm",),
    "GraphClassifier": (
        *("storm", "stoam", "mkl_r", "mkl_s", "kta_r", "kta_s", "sgt", "diffusion", "gaussian_field"),
        *("label_propagation", "label_spreading"),
    ),
    "LinearChainCRF": ("crf",),
    "StructRMM": ("struct_rmm",),
    "StructRMMClassifier": ("struct_rmm",),
    "StructSVM": ("struct_svm",),
    "StructSVMClassifier": ("struct_svm",),
    "HardSVMClassifier": ("hard_svm",),
    "KLDAClassifier": ("klda",),
    "KRRMeanRegressor": ("krr_mean",),
    "KRRRegressor": ("krr",),
    "L1SVMClassifier": ("l1_svm",),
    "L2SVMClassifier": ("l2_svm",),
    "LKRRRegressor": ("l1_krr", "l2_krr"),
    "LPBoostClassifier": ("lpboost",),
    "LinearSVMClassifier": ("linear_svm",),
    "LocalRademacherClassifier": ("conv", "dc"),
    "MKLClassifier": ("l1_mkl", "l2_mkl"),
    "MulticlassMKLClassifier": ("multiclass_mkl", "multiclass_conv"),
    "QPBoostClassifier": ("qpboost",),
    "RBFNetworkClassifier": ("rbf_network",),
    "RMMClassifier": ("rmm", "rmm_d"),
    "SGDSVMClassifier": ("sgd_svm",),
    "SigmaSVMClassifier": ("sigma_svm",),
    "SoftSVMClassifier": ("soft_svm",),
    "TwoStageClassifier": ("unif", "align", "alignf"),
    "TwoStageRegressor": ("unif", "align", "alignf"),
    "UFOMKLClassifier": ("ufo_mkl",),
    "USVMClassifier": ("u_svm",),
    "VKRClassifier": ("vkr",),
}
#: Any method may be that of this one: a parameter names it.
ANY = "MethodEstimator"
#: Methods that solve linear programs in the coefficients, of whatever kernels.
OF_ANY_KERNELS = ("l1_svm", "vkr")
#: Names of kernels that are what a user gives.
GIVEN = ("precomputed", "callable", "callables")
#: Examples whose outputs are asked for at a time.
ROWS = 2048


def require_method(kind: str, method: str) -> None:
    """Raise `UserError` unless a method is one of an estimator's class, so that its proof is of its predictor."""
    if kind != ANY and method not in METHODS_OF.get(kind, ()):
        raise OtherData(f"{kind}: does not predict by solutions of {method}")


def outputs_of(estimator: Any, X: Any) -> Array:
    """Return what an estimator itself has as outputs on examples, shape (outputs, n).

    Raises
    ------
    UserError
        If it has none.
    """
    function = estimator.predict if getattr(estimator, "classes_", None) is None else estimator.decision_function
    parts = [np.asarray(function(X[start : start + ROWS])) for start in range(0, X.shape[0], ROWS)]
    found: Array = np.concatenate(parts).astype(np.float64)
    if found.ndim not in (1, 2) or not np.isfinite(found).all():
        raise OtherData(f"{type(estimator).__name__}: its outputs are no numbers")
    return found[None] if found.ndim == 1 else found.T


def require_predictor(stored: Stored, computed: Sequence[Outputs], rows: Index) -> None:
    """Raise `UserError` unless the outputs that are proved are those of the estimator itself.

    Parameters
    ----------
    stored : Stored
    computed : sequence of Outputs
        Of every output, with its intercept, on the examples that are learned from, those of a Universum last.
    rows : integer array
        Which rows of the data these are.
    """
    if stored.shown is None:
        return
    if len(stored.shown) != len(computed):
        raise OtherData(f"the estimator has {len(stored.shown)} outputs, and {len(computed)} are proved")
    for shown, f in zip(stored.shown, computed, strict=True):
        require_shown(shown[rows], f.high[: len(rows)], f.rounding[: len(rows)])


def outputs_of_solution(some: Sequence[Trained]) -> list[Outputs]:
    """Return the outputs of a solution on the examples that it is learned from, with their intercepts."""
    found = []
    for one in some:
        coefs = one.coef if np.ndim(one.intercept) else [one.coef]  # of all outputs where they were learned together
        parts = zip(coefs, np.atleast_1d(one.intercept).tolist(), strict=True)
        found += [outputs(one.inputs, coef).plus(intercept) for coef, intercept in parts]
    return found


def require_convex(method: str, inputs: Any) -> None:
    """Raise `UserError` if a kernel is not positive semidefinite on the examples: (P) and (D) are then no dual pair."""
    if not isinstance(inputs, GramStack) or method in OF_ANY_KERNELS:
        return
    family = inputs.family
    if family.positive_definite and family.name not in GIVEN:
        return
    for k in range(len(inputs)):
        K = inputs.matrix(k)
        require_semidefinite(K, f"kernel={family.name}", rounding_of(K))


def require_combination(mu: Array, combined: Any) -> None:
    """Raise `UserError` if a combination of kernels with weights mu is not positive semidefinite."""
    if mu.min(initial=0.0) < 0.0:
        K = combined(mu)
        require_semidefinite(K, "the kernel of the stored weights", rounding_of(K))
