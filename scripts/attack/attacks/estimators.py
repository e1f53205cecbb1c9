"""The public estimators on hostile problems, held against the same oracles as the paths."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

import kernlearn
from attacks import known
from attacks.data import draw_family, draw_penalty, draw_sample, less_constant
from attacks.gram import Gram, tails
from attacks.held import Array, Found, Held, centred, long
from attacks.paths import as_held, draw_norm, prepared, scale_of
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers import resolve_hinge

#: What an estimator is told, and how it is held: K (p, n, n), y, the fitted estimator, what it was told.
Problem = tuple[dict[str, Any], Any, Array, Array]


def draw_problem(rng: Generator, name: str) -> Problem:
    """Draw what an estimator is told, X, y and the kernels that it is to use."""
    joint, regression = name == "MulticlassMKLClassifier", name.endswith("Regressor")
    single = name in ("L1SVMClassifier", "L2SVMClassifier")
    sample = draw_sample(rng, int(rng.choice([2, 2, 3])), 20 if joint else 40)
    y = sample.targets if regression else sample.classes
    X, told = sample.X, {}
    if rng.random() < 0.6:
        X = X / np.where((norms := np.linalg.norm(X, axis=1)) > 0, norms, 1.0)[:, None]
    if not single and name != "VKRClassifier" and rng.random() < 0.2:
        told, K = {"kernel": "features"}, np.einsum("ik,jk->kij", X, X)
    else:
        family = draw_family(rng, sample, 1 if single else 4)
        stack = GramStack.train(make_family(**family), X)
        K = np.stack([stack.matrix(k) for k in range(len(stack))])
        if rng.random() < 0.3:
            told = {"kernel": "precomputed"}
            X = K[0] if single or name == "VKRClassifier" else K
            K = K[:1] if single or name == "VKRClassifier" else K
        else:
            told = {"kernel": family["name"]}
            for key in sorted(family.keys() - {"name"}):
                one = single and key in ("gammas", "degrees")
                told[key[:-1] if one else key] = family[key][0] if one else family[key]
    return told | VALUES[name](rng, K, prepared(rng)), X, y, K


def _weighed(rng: Generator, K: Array, values: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Draw penalties in units of the prepared kernels."""
    G = Gram.of(K, values["centre"])
    scale = G.over(known.sizes(G, values.get("normalise", "none"))[:, None, None]).scale
    units = {"C": 1.0 / scale if scale > 0 else 1.0, "lambda_": scale, "Lambda": 1.0}
    return values | {key: draw_penalty(rng, units[key]) for key in keys}


def _vkr(rng: Generator, K: Array, _: Any) -> dict[str, Any]:
    values = {"complexity": str(rng.choice(["lemma3", "massart"])), "lambda_": draw_penalty(rng, 1.0, -6, 0)}
    return values | {"beta": draw_penalty(rng, scale_of(K), -6, 0), "solver": str(rng.choice(["simplex", "highs"]))}


def _l1_svm(rng: Generator, K: Array, _: Any) -> dict[str, Any]:
    return {"beta": 0.0 if rng.random() < 0.1 else draw_penalty(rng, scale_of(K), -6, 0)}


def _l2_svm(rng: Generator, K: Array, _: Any) -> dict[str, Any]:
    return {"C": draw_penalty(rng, 1.0 / (scale_of(K) or 1.0))}


def _two_stage(rng: Generator, K: Array, values: dict[str, Any]) -> dict[str, Any]:
    weighting, machine = str(rng.choice(["unif", "align", "alignf"])), str(rng.choice(["svm", "svm", "ridge"]))
    return _weighed(rng, K, values, ("C", "lambda_")) | {"weighting": weighting, "machine": machine}


def _two_stage_regressor(rng: Generator, K: Array, values: dict[str, Any]) -> dict[str, Any]:
    return _weighed(rng, K, values, ("lambda_",)) | {"weighting": str(rng.choice(["unif", "align", "alignf"]))}


def _mkl(rng: Generator, K: Array, values: dict[str, Any]) -> dict[str, Any]:
    values = _weighed(rng, K, values, ("C",)) | {"norm": draw_norm(rng)}
    return values | ({"method": "silp"} if values["norm"] == 1 and rng.random() < 0.2 else {})


def _local(rng: Generator, K: Array, values: dict[str, Any]) -> dict[str, Any]:
    told = {"centre": values["centre"], "theta": int(rng.choice([0, 1, 2, 4])), "norm": draw_norm(rng)}
    G = Gram.of(K, told["centre"])
    scale = G.over(tails(G, told["theta"])[:, None, None]).scale
    return told | {"method": str(rng.choice(["conv", "dc"])), "C": draw_penalty(rng, 1.0 / scale if scale > 0 else 1.0)}


def _multiclass(rng: Generator, K: Array, values: dict[str, Any]) -> dict[str, Any]:
    values = _weighed(rng, K, values, ("C",)) | {"norm": draw_norm(rng)}
    return values | ({"theta": int(rng.choice([0, 1, 2]))} if rng.random() < 0.3 else {})


def _lkrr(rng: Generator, K: Array, values: dict[str, Any]) -> dict[str, Any]:
    values = _weighed(rng, K, values, ("lambda_", "Lambda")) | {"norm": int(rng.choice([1, 2]))}
    return values | ({"mu0": float(rng.choice([0.0, 0.5]))} if values["norm"] == 2 else {})


#: What every public estimator is told.
VALUES: dict[str, Callable[[Generator, Array, dict[str, Any]], dict[str, Any]]] = {
    "VKRClassifier": _vkr,
    "L1SVMClassifier": _l1_svm,
    "L2SVMClassifier": _l2_svm,
    "TwoStageClassifier": _two_stage,
    "TwoStageRegressor": _two_stage_regressor,
    "MKLClassifier": _mkl,
    "LocalRademacherClassifier": _local,
    "MulticlassMKLClassifier": _multiclass,
    "LKRRRegressor": _lkrr,
}


def indefinite(rng: Generator, name: str, told: dict[str, Any], K: Array) -> tuple[dict[str, Any], Array] | None:
    """Return, one time in ten, indefinite matrices in the place of K, for methods that need definite ones."""
    if name in ("VKRClassifier", "L1SVMClassifier") or rng.random() > 0.1:
        return None
    K = K / np.maximum(np.abs(K).max(axis=(1, 2), keepdims=True), 1e-300)
    for k in range(len(K)) if rng.random() < 0.5 else [int(rng.integers(len(K)))]:
        v = rng.normal(size=len(K[k]))
        v -= v.mean()
        K[k] -= rng.choice([0.01, 0.1, 0.5]) * np.outer(v, v) / (v @ v) * np.trace(K[k])
        np.fill_diagonal(K[k], np.abs(np.diagonal(K[k])) + 1e-3)
    least = min(np.linalg.eigvalsh(np.asarray(centred(k), dtype=float))[0] for k in K)
    keys = {"gammas", "degrees", "gamma", "degree", "coef0"}
    told = {key: value for key, value in told.items() if key not in keys} | {"kernel": "precomputed"}
    return (told, K[0] if name == "L2SVMClassifier" else K) if least < -1e-3 else None


def fit(name: str, told: dict[str, Any], X: Array, y: Array) -> Any:
    """Return the fitted estimator."""
    return getattr(kernlearn, name)(**told).fit(X, y)


def found(estimator: Any, K: Array) -> Found:
    """Return what a fitted estimator claims, its coefficients for all examples."""
    p, n, _ = K.shape
    if estimator.kernel == "features":
        coef = np.asarray(estimator.coef_, dtype=float)
    else:
        coef = np.zeros((len(estimator.intercept_), p, n))
        coef[:, :, estimator.support_] = estimator._coef
    values = float(estimator.objective_), float(estimator.dual_objective_), float(estimator.gap_)
    tol = getattr(estimator, "tol", 1e-6)
    if tol is None:  # left to the number of examples
        tol = resolve_hinge(n, estimator.solver, tol)[1]
    status = "optimal" if estimator.gap_ <= tol else "inaccurate"
    return Found(coef, estimator.intercept_, getattr(estimator, "weights_", None), *values, status)


def hold(name: str, told: dict[str, Any], X: Array, y: Array, K: Array, said: Found) -> Held | None:
    """Hold a fitted estimator against the oracle; None where the problem has no single answer."""
    if told["kernel"] == "features":  # f(x) = w.x: in terms of rank-1 kernels any combination of examples that gives w
        said = Found(*_of_features(said, X), said.weights, said.objective, said.dual_objective, said.gap, said.status)
    centre, C, lambda_ = told.get("centre", False), told.get("C", 1.0), told.get("lambda_", 1.0)
    family = None if told["kernel"] in ("precomputed", "features") else {"name": told["kernel"], **told}
    G, said = as_held(K, less_constant(family, X) if centre else None, centre, said)
    if name == "MulticlassMKLClassifier":
        t = tails(G, told["theta"]) if "theta" in told else known.sizes(G, told["normalise"])
        index, values = np.unique(y, return_inverse=True)[1], (said.coef, said.intercept, said.weights[0])
        return known.multiclass(G, t, index, C, told["norm"], *values).held(str(told), said)
    if name.endswith("Regressor"):
        labels = [y]
    else:
        classes = np.unique(y)
        labels = [np.where(y == c, 1.0, -1.0) for c in (classes[1:] if len(classes) == 2 else classes)]
    total: known.Known | None = None
    for o, signs in enumerate(labels):
        coef, b, mean = said.coef[o], said.intercept[o], long(signs).mean() if centre else 0.0
        mu = np.ones(len(K)) if said.weights is None else said.weights[o]
        match name:
            case "VKRClassifier":
                r = known.complexities(told["complexity"], K, 1, None, None)
                part = known.voted(G, signs, lambda_ * r + told["beta"], coef)
            case "L1SVMClassifier":
                part = known.voted(G, signs, long([told["beta"]]), coef)
            case "L2SVMClassifier":
                part = known.svm(Gram.of(K, True), signs, C, coef, b, mu)
            case "TwoStageClassifier" | "TwoStageRegressor" if told.get("machine") == "svm":
                part = known.svm(G, signs, C, coef, b, mu)
            case "TwoStageClassifier" | "TwoStageRegressor":
                part = known.ridge(G, signs, lambda_, coef, b, mu, mean)
            case "MKLClassifier":
                part = known.mkl(G, known.sizes(G, told["normalise"]), signs, C, told["norm"], coef, b, mu)
            case "LocalRademacherClassifier":
                t = known.local_sizes(G, mu, told["theta"], told["method"], told["norm"])
                if t is None:
                    return None
                part = known.mkl(G, t, signs, C, told["norm"], coef, b, mu)
            case "LKRRRegressor":
                penalties = lambda_, told["Lambda"], told["norm"], told.get("mu0", 0.0)
                part = known.lkrr(G, known.sizes(G, told["normalise"]), signs, penalties, coef, b, mu, mean)
            case _:
                raise KeyError(f"the estimator {name} has no oracle: add it to scripts/attack/attacks/estimators.py")
        total = part if total is None else total + part
    assert total is not None
    return total.held(str(told), said)


def _of_features(said: Found, X: Array) -> tuple[Array, Array]:
    """Return weights of features as coefficients of rank-1 kernels: ``sum_j c_j x_jk = w_k`` by one example each."""
    coef = np.zeros((len(said.coef), X.shape[1], len(X)), dtype=np.longdouble)
    best = np.abs(X).argmax(axis=0)
    for k, j in enumerate(best):
        if X[j, k]:
            coef[:, k, j] = long(said.coef[:, k]) / long(X[j, k])
    return coef, said.intercept
