"""Every public estimator on a small problem: its claims against the exact objective of the predictor it hands out."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from inspect import signature
from math import inf
from typing import Any

import numpy as np
from numpy.random import Generator
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

import kernlearn
from attacks import exact, exact_designs, exact_sequences
from attacks.exact import Case, rational
from attacks.exact_claims import ALLOWED, KERNEL_VALUES, Finding, claims, predictions
from attacks.exact_data import Table, draw_kernels, draw_table, penalty
from attacks.exact_sizes import sizes, violation
from attacks.held import Array
from kernlearn.kernels import GramStack, make_family


@dataclass(frozen=True)
class Exact:
    """How an estimator of kernel expansions is held.

    Attributes
    ----------
    value : callable
        ``value(case, coef, b)``: the objective of functions with coefficients (outputs, p, m) and intercepts.
    penalties : tuple
        Parameters that are drawn from 1e-6 to 1e6.
    several : bool
        Whether it has several kernels.
    more : callable
        ``more(rng)``: other parameters.
    bounds : bool
        Whether the lower bound is one of all predictors; otherwise it depends on what is not handed out.
    bias : bool
        Whether the intercept is free.
    weighted : bool
        Whether it takes ``class_weight``.
    homogenous : bool
        Whether the intercept follows from the coefficients, so that other predictors are multiples.
    finest : float
        The least tolerance that is drawn.
    """

    value: Callable[[Case, Array, Array], Any]
    penalties: tuple[str, ...] = ()
    several: bool = False
    more: Callable[[Generator], dict[str, Any]] = lambda rng: {}
    bounds: bool = True
    bias: bool = True
    weighted: bool = False
    homogenous: bool = False
    finest: float = 1e-9


def _choice(**options: Any) -> Callable[[Generator], dict[str, Any]]:
    """Return a draw of one value for every parameter."""
    return lambda rng: {key: values[int(rng.integers(len(values)))] for key, values in options.items()}


def _band(rng: Generator) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {"B": float(f"{1 + 10.0 ** rng.uniform(-3, 2):.3g}")}
    return {"D": penalty(rng), "nu": None if rng.random() < 0.5 else float(rng.choice([1.0, 2.0, 5.0]))}


NORMALISE = ("none", "trace", "mean_diagonal", "frobenius")
NORMS = (1.0, 1.0, 1.01, 1.5, 2.0, 4.0, inf)
WEIGHTING = ("unif", "align", "alignf")
#: Estimators whose predictor is a kernel expansion.
EXPANSIONS = {
    "L2SVMClassifier": Exact(exact.svm, ("C",), weighted=True),
    "SoftSVMClassifier": Exact(exact.soft_svm, ("lambda_",), weighted=True),
    "HardSVMClassifier": Exact(exact.hard_svm),
    "SGDSVMClassifier": Exact(
        exact.sgd_svm, ("lambda_",), more=_choice(constant=(0.0, 1.0, 3.0), n_epochs=(1, 20)), bias=False
    ),
    "KernelPerceptronClassifier": Exact(
        exact.perceptron, more=_choice(constant=(0.0, 1.0), max_updates=(1, 10_000)), bias=False
    ),
    "RMMClassifier": Exact(exact.rmm, ("C",), more=_band, weighted=True),
    "USVMClassifier": Exact(
        exact.universum, ("C", "C_universum"), more=_choice(epsilon=(0.0, 0.1, 1.0)), weighted=True
    ),
    "SigmaSVMClassifier": Exact(exact.whitened, ("C",), more=_choice(D=(0.0, 0.5, 0.9, 0.999)), weighted=True),
    "EKMClassifier": Exact(exact.loss_alone, ("C",), more=_choice(E=(0.1, 1.0, 10.0)), bounds=False, weighted=True),
    "L1SVMClassifier": Exact(
        exact.voted, ("beta",), more=_choice(solver=("auto", "simplex", "highs")), bias=False, weighted=True
    ),
    "VKRClassifier": Exact(
        exact.voted,
        ("lambda_", "beta"),
        several=True,
        more=_choice(complexity=("lemma3", "massart"), solver=("auto", "simplex", "interior", "highs")),
        bias=False,
        weighted=True,
    ),
    "MKLClassifier": Exact(
        exact.mkl,
        ("C",),
        several=True,
        more=_choice(norm=NORMS, normalise=NORMALISE, centre=(True, False)),
        weighted=True,
    ),
    "LocalRademacherClassifier": Exact(
        exact.weighted_svm,
        ("C",),
        several=True,
        more=_choice(method=("conv", "dc"), theta=(0, 1, 2, 4), norm=NORMS, centre=(True, False)),
        bounds=False,
        weighted=True,
        finest=1e-8,
    ),
    "MulticlassMKLClassifier": Exact(
        exact.multiclass,
        ("C",),
        several=True,
        more=_choice(norm=NORMS, normalise=NORMALISE, centre=(True, False), theta=(None, None, 0, 1, 4)),
        weighted=True,
        homogenous=True,
    ),
    "UFOMKLClassifier": Exact(
        exact.group_norm,
        ("C", "alpha"),
        several=True,
        more=_choice(n_epochs=(1, 20), finish=("none", "exact"), normalise=NORMALISE, centre=(True, False)),
        weighted=True,
        homogenous=True,
        finest=1e-6,
    ),
    "TwoStageClassifier": Exact(
        exact.two_stage,
        ("C", "lambda_"),
        several=True,
        more=_choice(weighting=WEIGHTING, machine=("svm", "ridge"), normalise=NORMALISE, centre=(True, False)),
    ),
    "TwoStageRegressor": Exact(
        exact.ridge,
        ("lambda_",),
        several=True,
        more=_choice(weighting=WEIGHTING, normalise=NORMALISE, centre=(True, False)),
    ),
    "LKRRRegressor": Exact(
        exact.ridge,
        ("lambda_", "Lambda"),
        several=True,
        more=_choice(norm=(1, 2), normalise=NORMALISE, centre=(True, False)),
    ),
    "StructSVMClassifier": Exact(exact.structured, ("C",), bias=False),
    "StructRMMClassifier": Exact(
        exact.structured, ("C",), more=_choice(B=(1.0, 1.001, 2.0, 10.0), fraction=(0.5,)), bias=False
    ),
}
#: Others: ``attack(rng, name)`` returns traits and findings.
OTHERS: dict[str, Callable[[Generator, str], tuple[list[str], list[Finding]]]] = {
    **dict.fromkeys(exact_designs.NAMES, exact_designs.attack),
    **dict.fromkeys(exact_sequences.NAMES, exact_sequences.attack),
}
#: Estimators that are attacked as methods, by closed forms or on eigenvectors that are not handed out, and where.
ELSEWHERE = {
    "GraphClassifier": "attacks/graphs.py",
    **dict.fromkeys(
        ("KLDAClassifier", "KRRRegressor", "KRRMeanRegressor", "NearestMeanClassifier"), "attacks/paths.py"
    ),
}


def check(names: list[str]) -> None:
    """Fail loudly where an estimator of the package has no problem here."""
    if missing := sorted(set(names) - EXPANSIONS.keys() - OTHERS.keys() - ELSEWHERE.keys()):
        raise KeyError(f"no exact oracle for {', '.join(missing)}: add it to scripts/attack/attacks/exact_problems.py")


def attack(rng: Generator, name: str) -> tuple[list[str], list[Finding]]:
    """Attack an estimator by one problem; return what it was and what is wrong."""
    if name in OTHERS:
        return OTHERS[name](rng, name)
    how, regression = EXPANSIONS[name], name.endswith("Regressor")
    table = draw_table(rng, int(rng.choice([2, 2, 3])))
    told, X, K = draw_kernels(rng, table, how.several)
    if name == "VKRClassifier":
        told, X, K = _as_voted(told, X, K)
    told |= how.more(rng) | {key: penalty(rng) for key in how.penalties}
    if rng.random() < 0.3 and how.finest and "tol" in signature(getattr(kernlearn, name)).parameters:
        told["tol"] = how.finest
    y = table.targets if regression else table.y
    weights = np.ones(len(y))
    if how.weighted and rng.random() < 0.3:
        factors = {c: float(2.0 ** rng.integers(-8, 9)) for c in np.unique(y).tolist()}
        told["class_weight"], weights = factors, np.array([factors[c] for c in y.tolist()])
    traits = [f"{name}(**{told})", *table.traits]
    extra: dict[str, Any] = {}
    examples = X
    if name == "USVMClassifier" and told["kernel"] != "precomputed":
        extra["universum"] = X[: len(X) // 2] + np.round(rng.normal(size=X[: len(X) // 2].shape))
        examples = np.concatenate([X, extra["universum"]])
        K = GramStack.train(_family(told), examples).matrix(0)[None]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        estimator = getattr(kernlearn, name)(**told).fit(X, y, **extra)
    warned = any(issubclass(one.category, ConvergenceWarning) for one in said)
    findings: list[Finding] = []
    for values in _readings(told, examples, K):
        case = Case(
            estimator.get_params(deep=False),
            values,
            y,
            0 if regression else len(estimator.classes_),
            rational(weights),
            rational(estimator.weights_) if hasattr(estimator, "weights_") else None,
            None,
            vars(estimator),
        )
        if how.several and name != "VKRClassifier":
            case.sizes = sizes(case)
        findings = hold(rng, how, case, estimator, X, table, warned)
        if all(kind == "inaccurate" for kind, *_ in findings):
            break
    return traits, findings


def _readings(told: dict[str, Any], X: Array, K: Array) -> Iterator[Array]:
    """Yield exact kernels of the examples, where they are polynomials, and those of 64-bit values: one may be meant."""
    if told["kernel"] == "features":
        yield np.stack([np.outer(column, column) for column in rational(X).T])
    elif told["kernel"] in ("linear", "polynomial"):
        degrees = told.get("degrees", [told.get("degree", 1)])
        products = rational(X) @ rational(X).T + Fraction(told.get("coef0", 0.0))
        yield np.stack([products**degree for degree in degrees])
    yield rational(K)


def _family(told: dict[str, Any]) -> Any:
    plural = {"gamma": "gammas", "degree": "degrees"}
    values = {
        plural.get(key, key): [told[key]] if key in plural else told[key]
        for key in ("gamma", "degree", "coef0")
        if key in told
    }
    return make_family(told["kernel"], **values)


def _as_voted(told: dict[str, Any], X: Array, K: Array) -> tuple[dict[str, Any], Array, Array]:
    """Return several kernels, or one matrix, as Voted Kernel Regularization takes them."""
    if told["kernel"] == "features":
        return {"kernel": "polynomial", "degrees": [1, 2]}, X, np.stack([(X @ X.T + 1.0) ** k for k in (1, 2)])
    return (told, X[0], K[:1]) if told["kernel"] == "precomputed" else (told, X, K)


def predictor(estimator: Any, case: Case, X: Array) -> tuple[Array, Array]:
    """Return the coefficients of all points of the expansion, shape (outputs, p, m), and the intercepts."""
    p, _, m = case.K.shape
    if case.told.get("kernel") == "features":  # w_k is a multiple of feature k of one example
        best = np.abs(X).argmax(axis=0)
        coef = np.full((len(estimator.coef_), p, m), Fraction(0), dtype=object)
        for k in np.flatnonzero(X.any(axis=0)):
            coef[:, k, best[k]] = rational(estimator.coef_[:, k]) / Fraction(X[best[k], k])
        return coef, rational(estimator.intercept_)
    own = estimator._coef if not hasattr(estimator, "dual_coef_") else estimator.dual_coef_
    own = np.reshape(own, (len(estimator.intercept_), p, len(estimator.support_)))
    coef = np.full((len(own), p, m), Fraction(0), dtype=object)
    coef[:, :, estimator.support_] = rational(own)
    return coef, rational(estimator.intercept_)


def hold(rng: Generator, how: Exact, case: Case, estimator: Any, X: Array, table: Table, warned: bool) -> list[Finding]:
    """Return what is wrong with the claims of a fitted estimator."""
    coef, b = predictor(estimator, case, X)
    value = how.value(case, coef, b)
    slack = ALLOWED if table.integer and case.told["kernel"] != "gaussian" else KERNEL_VALUES
    zero = how.value(case, 0 * coef, 0 * b)
    candidates = [value, zero, *_others(rng, how, case, coef, b)] if how.bounds else [inf]
    findings = claims(estimator, value, zero, candidates, warned, slack)
    if case.sizes is not None and (off := violation(case)) > (1e-9 if table.integer else 1e-6):
        findings.append(("infeasible", off, f"weights_ break their constraint by {off:.1e}"))
    outputs = np.stack([case.outputs(c, s) for c, s in zip(coef, b, strict=True)])
    reach = [
        sum((np.abs(k[: len(case.y)]) @ np.abs(row) for k, row in zip(case.K, c, strict=True)), abs(s))
        for c, s in zip(coef, b, strict=True)
    ]
    return findings + predictions(estimator, X, outputs, np.stack(reach), table.integer)


def _others(rng: Generator, how: Exact, case: Case, coef: Array, b: Array) -> list[Any]:
    """Return the objectives of other predictors: multiples, perturbations, and the SVM of scikit-learn."""
    found = []
    bias = (
        how.bias and not how.homogenous and case.told.get("centre", True) is True or case.told.get("machine") == "svm"
    )
    for factor in (Fraction(1, 2), Fraction(999, 1000), Fraction(1001, 1000), Fraction(10**6 - 1, 10**6)):
        found.append(how.value(case, factor * coef, factor * b))
        if bias:
            found.append(how.value(case, factor * coef, b))
    if not how.homogenous:
        noise = rational(rng.normal(size=coef.shape) * 1e-4) * coef
        found.append(how.value(case, coef + noise, b))
    if bias and case.classes:
        for shift in (-1, 1):
            found.append(how.value(case, 0 * coef, 0 * b + shift))
    if how.value is exact.svm and case.told["class_weight"] is None:
        found.append(how.value(case, *_of_scikit(case)))
    return found


def _of_scikit(case: Case) -> tuple[Array, Array]:
    """Return the SVM of scikit-learn."""
    n, outputs = len(case.y), 1 if case.classes == 2 else case.classes
    coef, b = np.full((outputs, 1, n), Fraction(0), dtype=object), rational(np.zeros(outputs))
    K = case.K[0].astype(float)
    for o in range(outputs):
        machine = SVC(kernel="precomputed", C=float(case.told["C"]), tol=1e-8, max_iter=100_000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            machine.fit(K, case.signs(o))
        coef[o, 0, machine.support_] = rational(machine.dual_coef_[0])
        b[o] = Fraction(float(machine.intercept_[0]))
    return coef, b
