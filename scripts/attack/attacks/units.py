"""The same problem in other units: of examples, kernel matrices, targets and penalties. Predictions must be equal."""

import warnings
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np
from numpy.random import Generator

import kernlearn
from attacks.exact_claims import Finding
from attacks.held import Array
from kernlearn.errors import UserError

#: Outputs below this part of the largest may change sides: solutions are the same up to tolerances.
CLOSE = 1e-2
#: The largest constant of a feature that stands for an intercept.
LARGEST = 1e6
#: What objectives may differ by beside their gaps.
ALLOWED = 1e-6


@dataclass(frozen=True)
class Law:
    """How a problem changes when its kernel values are multiplied by s.

    Attributes
    ----------
    powers : dict
        Parameters, and the power of s that they are multiplied by.
    objective : float or None
        The power of s that the objective is multiplied by; None where it is not compared.
    root : dict
        Parameters in the unit of the examples, and the power of their unit.
    told : dict
        Other parameters.
    unique : bool
        Whether there is one solution: of several, each has its own predictions.
    """

    powers: dict[str, float] = field(default_factory=dict)
    objective: float | None = 0.0
    root: dict[str, float] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)
    unique: bool = True


SVM = Law({"C": -1.0}, -1.0)
BY_SIZE = Law({}, 0.0)
#: Of every estimator; of those on features alone a change of the examples.
LAWS = {
    "L2SVMClassifier": SVM,
    "SigmaSVMClassifier": SVM,
    "USVMClassifier": SVM,
    "RMMClassifier": Law({"C": -1.0}, -1.0, told={"B": 2.0}),
    "EKMClassifier": BY_SIZE,
    "HardSVMClassifier": Law({}, -1.0),
    "SoftSVMClassifier": Law({"lambda_": 1.0}),
    "SGDSVMClassifier": Law({"lambda_": 1.0}, told={"constant": 0.0}),
    "KernelPerceptronClassifier": Law({}, told={"constant": 0.0}, unique=False),
    "L1SVMClassifier": Law({"beta": 1.0}, unique=False),
    "VKRClassifier": Law({"beta": 1.0}, unique=False),
    "StructSVMClassifier": SVM,
    "StructRMMClassifier": Law({"C": -1.0}, -1.0, told={"B": 2.0}),
    "MKLClassifier": BY_SIZE,
    "MulticlassMKLClassifier": Law(told={"C": 1.0}),
    "UFOMKLClassifier": Law(told={"C": 1.0, "finish": "exact", "tol": 1e-5}),
    "LocalRademacherClassifier": Law(told={"C": 1.0}),
    "TwoStageClassifier": BY_SIZE,
    "TwoStageRegressor": BY_SIZE,
    "LKRRRegressor": BY_SIZE,
    "LinearSVMClassifier": Law({"lambda_": 1.0}, root={"constant": 1.0}, told={"tol": 1e-6}),
    "AdaBoostClassifier": Law(told={"rounds": 20}),
    "EBBoostClassifier": Law(told={"rounds": 20}),
    "AdaBoostRegClassifier": Law(told={"rounds": 20}),
    "LPBoostClassifier": Law(told={"rounds": 20}, unique=False),
    "QPBoostClassifier": Law(told={"rounds": 20}),
    "RBFNetworkClassifier": Law({}, None, unique=False),  # of several critical points rounding may decide
    "GraphClassifier": Law({}, None),
    "KLDAClassifier": Law({}, None),
    "NearestMeanClassifier": Law({}, 1.0),
    "KRRRegressor": BY_SIZE,
    "KRRMeanRegressor": Law({"lambda_": 1.0}),
}
#: Features of sequences and transitions are in one norm: other units of the features are another problem.
WITHOUT = ("LinearChainCRF", "StructSVM", "StructRMM")


def check(names: list[str]) -> None:
    """Fail loudly where an estimator of the package has no law here."""
    if missing := sorted(set(names) - LAWS.keys() - set(WITHOUT)):
        raise KeyError(f"no law of units for {', '.join(missing)}: add it to scripts/attack/attacks/units.py")


def attack(rng: Generator, name: str) -> tuple[list[str], list[Finding]]:
    """Solve a problem in two units; return what it was and what differs."""
    law, kind = LAWS[name], getattr(kernlearn, name)
    parameters, regression = signature(kind).parameters, name.endswith("Regressor")
    n, d = int(rng.integers(20, 41)), int(rng.integers(2, 5))
    y = np.arange(n) % 2 if rng.random() < 0.7 else np.arange(n) % 3
    X = rng.normal(size=(n, d)) * 3 + 4.0 * (y[:, None] - y.mean()) * (np.arange(d) == 0)
    X = np.round(X, 1)  # last, so that values which are equal are so in other units
    target = np.round(X @ rng.normal(size=d) + rng.normal(size=n), 2) if regression else y
    s = _unit(rng)
    if law.root and s > LARGEST:
        s = 1.0 / s
    told: dict[str, Any] = dict(law.told)
    told |= {key: float(f"{10.0 ** rng.uniform(-2, 2):.3g}") for key in law.powers}
    told |= {key: 1.0 for key in law.root}
    several, inputs = "gammas" in parameters, "features"
    if "kernel" in parameters:
        inputs = str(rng.choice(["linear", "gaussian", "precomputed"]))
        told["kernel"] = "polynomial" if several and inputs == "linear" else inputs
        if told["kernel"] == "polynomial":
            told |= {"degrees": [1], "coef0": 0.0}
        if inputs == "gaussian":
            told |= {"gammas": [0.01, 0.1]} if several else {"gamma": 0.05}
    changed, factor, Z = dict(told), 1.0, s * X
    if inputs == "gaussian":
        changed |= {key: np.divide(told[key], s**2).tolist() for key in ("gammas", "gamma") if key in told}
    elif inputs == "precomputed":
        K = np.stack([X @ X.T, (X @ X.T + 1) ** 2]) if several and name != "VKRClassifier" else X @ X.T
        X, Z, factor = K, s * K, s
    else:
        factor = s * s
    changed |= {key: told[key] * factor**power for key, power in law.powers.items()}
    changed |= {key: told[key] * s**power for key, power in law.root.items()}
    unit = _unit(rng) if regression else 1.0
    traits = [f"{name}(**{told})", f"{inputs}, n={n}, d={d}, unit {s:g}", f"targets x {unit:g}"]
    if name == "GraphClassifier":
        target = np.where(np.arange(n) % 4 > 1, -1, np.arange(n) % 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        one = kind(**told).fit(X, target)
        try:
            two = kind(**changed).fit(Z, unit * target if regression else target)
        except UserError as error:
            return traits, [("units", 1.0, f"refused in other units: {error}")]
    objective = None if law.objective is None else factor**law.objective * unit**2
    return traits, _differences(one, two, X, Z, law.unique, objective, unit)


def _unit(rng: Generator) -> float:
    """Draw a power of 2 or of 10 from 1e-9 to 1e9."""
    return float(2.0 ** rng.integers(-30, 31)) if rng.random() < 0.5 else float(10.0 ** rng.integers(-9, 10))


def _differences(one: Any, two: Any, X: Array, Z: Array, unique: bool, objective: Any, unit: float) -> list[Finding]:
    """Return in what two fits differ."""
    findings = []
    if objective is not None and np.isfinite(one.objective_):
        gaps = max(one.gap_, 0.0) + max(two.gap_, 0.0) + ALLOWED
        there = two.objective_ / objective
        size = max(abs(one.objective_), abs(there), 1e-12)
        if not abs(there - one.objective_) <= gaps * size:
            words = f"objective {one.objective_!r} (gap {one.gap_:.1e}) and {there!r} (gap {two.gap_:.1e})"
            findings.append(("units", abs(there - one.objective_) / size, words))
    if not hasattr(one, "classes_"):
        a, b = one.predict(X), two.predict(Z) / unit
        if (off := float(np.abs(a - b).max() / (np.abs(a).max() or 1.0))) > CLOSE:
            findings.append(("units", off, f"predictions differ by {off:.1e}"))
        return findings
    if hasattr(one, "transduction_"):
        wrong = float((one.transduction_ != two.transduction_).mean())
        return [*findings, ("units", wrong, f"{wrong:.0%} of the labels differ")] if wrong else findings
    f = one.decision_function(X)
    sides = np.sort(np.stack([-f, f]) if f.ndim == 1 else f.T, axis=0)
    clear = sides[-1] - sides[-2] > CLOSE * np.abs(f).max()
    wrong = float((one.predict(X) != two.predict(Z))[clear].mean()) if clear.any() else 0.0
    if wrong > (0.0 if unique else 0.2):
        findings.append(("units", wrong, f"{wrong:.0%} of the predictions differ"))
    return findings
