"""The paths of `kernlearn.algorithms.ALGORITHMS` on hostile problems, held against the oracles."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator

from attacks import known, oracles
from attacks.data import Kernels, draw_kernels, draw_penalty, draw_sample, given, reference_kernels
from attacks.held import Array, Found, Held, centred, long
from kernlearn.algorithms import ALGORITHMS
from kernlearn.kernels import GramStack

Values = dict[str, Any]
#: What an entry of a kernel matrix may be wrong by, as a part of the diagonal.
KERNEL = 1e-9
#: What an objective of ``dc`` may rise by in a step whose SVMs are solved to 1e-7.
RISE = 1e-6


@dataclass
class Task:
    """A path to run: of algorithm `name`, with kernels, labels and the values of its configuration."""

    name: str
    stack: GramStack
    K: Array
    y: Array
    values: Values
    n_features: int = 1
    traits: tuple[str, ...] = ()
    kernel_error: float = 0.0

    def run(self) -> list[tuple[Values, Found]]:
        """Return every point of the path."""
        return [(point.values, found(point)) for point in ALGORITHMS[self.name].path(self.stack, self.y, **self.values)]

    def with_matrices(self, K: Array, **changes: Any) -> "Task":
        """Return the same task with given matrices."""
        return replace(self, stack=given(K), K=K, **changes)


def found(point: Any) -> Found:
    """Return a point of a path."""
    solutions = point.solutions
    return Found(
        point.coef,
        point.intercept,
        point.weights,
        float(sum(s.objective for s in solutions)),
        float(sum(s.dual_objective for s in solutions)),
        float(max(s.gap for s in solutions)),
        point.status,
    )


def scale_of(K: Array) -> float:
    """Return the mean of the diagonals."""
    return float(np.mean(np.diagonal(K, axis1=1, axis2=2)))


def some(rng: Generator, draw: Callable[[], float], most: int = 3) -> list[float]:
    """Return one to some different values."""
    return sorted({draw() for _ in range(rng.integers(1, most + 1))})


def _svm_values(rng: Generator, K: Array) -> Values:
    scale = scale_of(K)
    unit = 1.0 / scale if scale > 0 else 1.0
    return {"Cs": some(rng, lambda: draw_penalty(rng, unit))}


def prepared(rng: Generator) -> Values:
    """Draw what is done to kernels before they are weighed."""
    normalise = str(rng.choice(["mean_diagonal", "none", "trace", "frobenius"], p=[0.4, 0.3, 0.1, 0.2]))
    return {"centre": bool(rng.random() < 0.7), "normalise": normalise}


def _weighed(rng: Generator, K: Array, keys: tuple[str, ...] = ("Cs",)) -> Values:
    """Draw how kernels are prepared, and penalties in units of what they are then."""
    values = prepared(rng)
    K = known.centred(K) if values["centre"] else K
    scale = scale_of(np.asarray(K / known.sizes(K, values["normalise"], False)[:, None, None], dtype=float))
    for key in keys:
        unit = scale if key == "lambdas" else 1.0 / scale if scale > 0 and key == "Cs" else 1.0
        values[key] = some(rng, lambda unit=unit: draw_penalty(rng, unit))
    return values


def _tails(rng: Generator, K: Array) -> Values:
    n = K.shape[1]
    thetas = sorted({int(t) for t in rng.choice([0, 1, 2, 4, n - 1, n, n + 3], rng.integers(1, 3))})
    values = {"centre": bool(rng.random() < 0.7), "thetas": thetas}
    G = oracles.gram(K, values["centre"])
    scale = G.over(oracles.tails(G, thetas[0])[:, None, None]).scale
    return values | {"Cs": some(rng, lambda: draw_penalty(rng, 1.0 / scale if scale > 0 else 1.0), 2)}


def draw_norm(rng: Generator) -> float:
    """Draw the p of a norm."""
    return float(rng.choice([1.0, 1.0, 1.001, 1.01, 1.1, 1.5, 2.0, 4.0, 100.0]))


def draw_values(rng: Generator, name: str, kernels: Kernels) -> Values:
    """Draw what an algorithm is told."""
    K = kernels.K
    if name == "l2_svm":
        values = _svm_values(rng, K) | {"solver": "libsvm" if rng.random() < 0.15 else "homotopy"}
        return values | {"tol": float(rng.choice([1e-6, 1e-9]))}
    if name in ("vkr", "l1_svm"):
        scale = scale_of(K) if rng.random() < 0.67 else 1.0
        zero = rng.random() < 0.1
        betas = [0.0] if zero else some(rng, lambda: draw_penalty(rng, scale, -6, 0))
        values = {"betas": betas, "solver": "highs" if rng.random() < 0.15 else "simplex"}
        if name == "l1_svm":
            return values
        counts = kernels.family is not None and kernels.family["name"] != "gaussian"
        offered = ["lemma3", "massart", "local", *(["lemma4", "lemma4_m", "dimension"] if counts else [])]
        values["complexity"] = str(rng.choice(offered))
        values["local_radii"] = (
            some(rng, lambda: 10.0 ** rng.integers(-3, 2), 2) if values["complexity"] == "local" else None
        )
        values["lambdas"] = [0.0] if rng.random() < 0.15 else some(rng, lambda: draw_penalty(rng, 1.0, -6, 0), 2)
        if rng.random() < 0.1:
            values |= {"method": "cd", "max_iter": int(rng.choice([1, 30, 1000])), "solver": "simplex"}
        return values
    if name in ("unif", "align", "alignf"):
        regression = rng.random() < 0.4
        values = _weighed(rng, K, ("lambdas",) if regression else ("Cs",))
        return values | {"task": "regression" if regression else "classification"}
    if name in ("l1_mkl", "l2_mkl"):
        return _weighed(rng, K)
    if name == "multiclass_mkl":
        return _weighed(rng, K) | {"norm": draw_norm(rng)}
    if name in ("conv", "multiclass_conv", "dc"):
        values = _tails(rng, K) | {"norm": draw_norm(rng)}
        if name == "dc":
            values["norm"] = float(rng.choice([values["norm"], 2.0]))
            values["normalise"] = str(rng.choice(["none", "mean_diagonal"]))
            values["step"] = "alternate" if rng.random() < 0.15 else "solve"
        return values
    if name == "krr":
        return _weighed(rng, K, ("lambdas",))
    if name in ("l1_krr", "l2_krr"):
        values = _weighed(rng, K, ("lambdas",)) | {"Lambdas": some(rng, lambda: draw_penalty(rng, 1.0, -2, 2), 2)}
        return values | ({"mu0": str(rng.choice(["zero", "uniform"]))} if name == "l2_krr" else {})
    raise KeyError(f"no values are drawn for the algorithm {name}: add it to scripts/attacks/paths.py")


def draw_task(rng: Generator, name: str) -> Task:
    """Draw a task for an algorithm."""
    algorithm = ALGORITHMS[name]
    sample = draw_sample(rng, int(rng.integers(2, 5)) if algorithm.joint else 2, 20 if algorithm.joint else 40)
    kernels = draw_kernels(rng, sample)
    values = draw_values(rng, name, kernels)
    regression = values.get("task") == "regression" or algorithm.tasks == ("regression",)
    y = sample.targets if regression else sample.classes if algorithm.joint else np.where(sample.classes > 0, 1.0, -1.0)
    features = sample.X.shape[1] if kernels.X is not None else len(sample.X)
    return Task(name, kernels.stack, kernels.K, y, values, features, tuple(sample.traits), wrong_kernels(kernels))


def hold(task: Task, values: Values, said: Found) -> Held | None:
    """Hold a point against its oracle; None where the problem has no single answer."""
    at, K, y, told = str(values), task.K, task.y, task.values
    coef, intercept = said.coef[0], float(said.intercept[0])
    mu = np.zeros(len(K)) if said.weights is None else said.weights[0]
    centre = told.get("centre", False)
    match task.name:
        case "l2_svm" | "l1_svm":
            k = _member(task, values)
            if task.name == "l1_svm":
                what = known.voted(K[[k]], y, long([values["beta"]]), coef[[k]])
            else:
                what = known.svm(K[[k]], y, values["C"], coef[[k]], intercept, np.ones(1))
        case "krr":
            k = _member(task, values)
            t = known.sizes(K[[k]], told["normalise"], centre)
            what = known.ridge(K[[k]], y, values["lambda"], coef[[k]], intercept, 1 / t, centre)
        case "vkr":
            degrees = [member["degree"] for member in task.stack.family.members if "degree" in member] or None
            r = known.complexities(told["complexity"], K, task.n_features, degrees, values.get("radius"))
            what = known.voted(K, y, values["lambda"] * r + values["beta"], coef)
        case "unif" | "align" | "alignf":
            if "lambda" in values:
                what = known.ridge(K, y, values["lambda"], coef, intercept, mu, centre)
            else:
                what = known.svm(K, y, values["C"], coef, intercept, mu)
        case "l1_mkl" | "l2_mkl":
            t, p = known.sizes(K, told["normalise"], centre), 1.0 if task.name == "l1_mkl" else 2.0
            what = known.mkl(K, t, y, values["C"], p, coef, intercept, mu, centre)
        case "conv" | "dc":
            t = known.local_sizes(K, mu, values["theta"], centre, task.name, told["norm"])
            if t is None:
                return None
            what = known.mkl(K, t, y, values["C"], told["norm"], coef, intercept, mu, centre)
        case "multiclass_mkl" | "multiclass_conv":
            if task.name == "multiclass_mkl":
                t = known.sizes(K, told["normalise"], centre)
            else:
                t = oracles.tails(oracles.gram(K, centre), values["theta"])
            what = known.multiclass(K, t, y, values["C"], told["norm"], said.coef, said.intercept, mu, centre)
        case "l1_krr" | "l2_krr":
            t, p = known.sizes(K, told["normalise"], centre), 1 if task.name == "l1_krr" else 2
            mu0 = values["Lambda"] / len(K) ** 0.5 if told.get("mu0") == "uniform" else 0.0
            penalties = values["lambda"], values["Lambda"], p, mu0
            what = known.lkrr(K, t, y, *penalties, coef, intercept, mu, centre)
        case _:
            raise KeyError(f"the algorithm {task.name} has no oracle: add it to scripts/attacks/paths.py")
    return what.held(at, said)


def _member(task: Task, values: Values) -> int:
    """Return the number of the kernel that a point uses."""
    members = task.stack.family.members
    return next(k for k, member in enumerate(members) if all(values[key] == member[key] for key in member))


def wrong_kernels(kernels: Kernels) -> float:
    """Return the largest error of a kernel matrix, relative to its diagonal."""
    if kernels.family is None or kernels.X is None:
        return 0.0
    exact = reference_kernels(kernels.family, kernels.X)
    root = np.sqrt(np.maximum(np.diagonal(exact, axis1=1, axis2=2), 0))
    unit = root[:, :, None] * root[:, None, :]
    return float((np.abs(kernels.K - exact) / np.where(unit > 0, unit, 1)).max())


def variants(task: Task, rng: Generator) -> Iterator[tuple[str, Task, float]]:
    """Yield tasks that have the same answer in another order or in other units: a name, the task, the factor of P."""
    n, p, name, values = len(task.y), len(task.K), task.name, task.values
    order = rng.permutation(n)
    if values.get("complexity") in ("lemma4", "lemma4_m", "dimension"):
        return  # these ask for the family
    yield "examples", task.with_matrices(task.K[:, order][:, :, order], y=task.y[order]), 1.0
    if p > 1 and name not in ("l2_svm", "l1_svm", "krr") and unique(task):
        yield "kernels", task.with_matrices(task.K[rng.permutation(p)]), 1.0
    regression = values.get("task") == "regression" or name in ("krr", "l1_krr", "l2_krr")
    if regression:
        s = float(2.0 ** rng.choice([-40, -20, 20, 40]))
        yield "size of targets", task.with_matrices(task.K, y=task.y * s), s * s
    elif ALGORITHMS[name].joint:
        names = rng.permutation(int(task.y.max()) + 1)
        yield "classes", task.with_matrices(task.K, y=names[task.y]), 1.0
    else:
        yield "classes", task.with_matrices(task.K, y=-task.y), 1.0
    s = float(2.0 ** rng.choice([-40, -20, 20, 40]))
    if name in ("vkr", "l1_svm"):
        if values.get("complexity") in (None, "lemma3", "massart"):
            betas = [beta * s for beta in values["betas"]]
            yield "size of kernels", task.with_matrices(task.K * s, values=values | {"betas": betas}), 1.0
        return
    relative = values.get("normalise", "none") != "none" and name != "dc" or "thetas" in values
    if relative:
        yield "size of kernels", task.with_matrices(task.K * s), 1.0
    elif regression:
        lambdas = [lambda_ * s for lambda_ in values["lambdas"]]
        yield "size of kernels", task.with_matrices(task.K * s, values=values | {"lambdas": lambdas}), 1.0 / s
    else:
        Cs = [C / s for C in values["Cs"]]
        yield "size of kernels", task.with_matrices(task.K * s, values=values | {"Cs": Cs}), 1.0 / s


def rises(task: Task) -> Iterator[tuple[str, float, float]]:
    """Yield the steps in which ``dc`` makes its objective larger, which no majorant does: where, by which part, gap."""
    before: list[tuple[Values, Found]] = []
    for steps in (1, 2, 3, 5, 9):
        points = replace(task, values=task.values | {"max_iter": steps, "step": "solve"}).run()
        for (values, one), (_, two) in zip(before, points, strict=bool(before)):
            rise = (two.objective - one.objective) / (abs(one.objective) or 1.0)
            if rise > RISE:
                yield f"{values}: {one.objective!r} rises to {two.objective!r} within {steps} steps", rise, two.gap
        before = points


def unique(task: Task) -> bool:
    """Return whether the weights of the kernels are the only ones: alignf has a choice where kernels are dependent."""
    flat = centred(task.K).reshape(len(task.K), -1)
    units = np.sqrt((flat * flat).sum(axis=1, keepdims=True))
    flat = np.asarray(flat / np.where(units > 0, units, 1), dtype=float)
    return task.name != "alignf" or bool(np.linalg.eigvalsh(flat @ flat.T)[0] > 1e-8)


def exact(task: Task) -> bool:
    """Return whether the solver asked for goes on to the tolerance."""
    return task.values.get("solver") != "libsvm" and task.values.get("method") != "cd"
