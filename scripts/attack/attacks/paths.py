"""The paths of `kernlearn.algorithms.ALGORITHMS` on hostile problems, held against the oracles."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import Generator

from attacks import known, single, spread
from attacks.data import Kernels, Less, draw_kernels, draw_penalty, draw_sample, given, less_constant, reference_kernels
from attacks.gram import Gram, tails
from attacks.held import Array, Found, Held, long
from kernlearn.algorithms import ALGORITHMS, Classes, Problem, Reals, Signs
from kernlearn.kernels import GramStack

Values = dict[str, Any]
#: A sum of coefficients below this part of the sum of their sizes is 0.
NO_SUM = 1e-9


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
    less: Less | None = None

    def run(self) -> list[tuple[Values, Found]]:
        """Return every point of the path."""
        return [(point.values, self._found(point)) for point in self.points()]

    def _found(self, point: Any) -> Found:
        """Return a point with the outputs that it hands out, beside its coefficients."""
        said = found(point)
        return replace(said, facts={**said.facts, "outputs": point.predictor.outputs(self.stack)})

    def points(self) -> Iterator[Any]:
        """Yield the points of the path."""
        values, method = dict(self.values), ALGORITHMS[self.name]
        regression = values.pop("task", method.tasks[0]) == "regression"
        signs = self.y[: spread.labelled(self.y)] if method.universum else self.y
        target: Any = Reals(self.y) if regression else Signs(signs)
        if method.joint:
            target = Classes(self.y, int(self.y.max()) + 1)
        return method.path(Problem(self.stack, target), **values)

    def with_matrices(self, K: Array, **changes: Any) -> "Task":
        """Return the same task with given matrices."""
        return replace(self, stack=given(K), K=K, less=None, **changes)


def found(point: Any) -> Found:
    """Return a point of a path."""
    solutions = point.solutions
    return Found(
        point.predictor.coef,
        point.predictor.intercept,
        point.facts.get("weights"),
        float(sum(s.objective for s in solutions)),
        float(sum(s.dual_objective for s in solutions)),
        float(max(s.gap for s in solutions)),
        point.status,
        solutions[0].dual if len(solutions) == 1 else None,
        point.facts,
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
    G = Gram.of(K, values["centre"])
    scale = G.over(known.sizes(G, values["normalise"])[:, None, None]).scale
    for key in keys:
        unit = scale if key == "lambdas" else 1.0 / scale if scale > 0 and key == "Cs" else 1.0
        values[key] = some(rng, lambda unit=unit: draw_penalty(rng, unit))
    return values


def _tails(rng: Generator, K: Array) -> Values:
    n = K.shape[1]
    thetas = sorted({int(t) for t in rng.choice([0, 1, 2, 4, n - 1, n, n + 3], rng.integers(1, 3))})
    values = {"centre": bool(rng.random() < 0.7), "thetas": thetas}
    G = Gram.of(K, values["centre"])
    scale = G.over(tails(G, thetas[0])[:, None, None]).scale
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
    if name in single.ORACLES:
        return single.ORACLES[name].draw(rng, K)
    raise KeyError(f"no values are drawn for the algorithm {name}: add it to scripts/attack/attacks/paths.py")


def has_oracle(name: str) -> bool:
    """Return whether problems of an algorithm are drawn here."""
    try:
        draw_task(np.random.default_rng(0), name)
    except KeyError:
        return False
    return True


def draw_task(rng: Generator, name: str) -> Task:
    """Draw a task for an algorithm."""
    algorithm = ALGORITHMS[name]
    sample = draw_sample(rng, int(rng.integers(2, 5)) if algorithm.joint else 2, 20 if algorithm.joint else 40)
    kernels = draw_kernels(rng, sample)
    values = draw_values(rng, name, kernels)
    regression = values.get("task") == "regression" or algorithm.tasks == ("regression",)
    y = sample.targets if regression else sample.classes if algorithm.joint else np.where(sample.classes > 0, 1.0, -1.0)
    features = sample.X.shape[1] if kernels.X is not None else len(sample.X)
    return Task(
        name,
        kernels.stack,
        kernels.K,
        y,
        values,
        features,
        tuple(sample.traits),
        wrong_kernels(kernels),
        less_constant(kernels.family, kernels.X),
    )


def hold(task: Task, values: Values, said: Found) -> Held | None:
    """Hold a point against its oracle; None where the problem has no single answer."""
    y, told, centre = task.y, task.values, task.values.get("centre", False)
    if task.name in single.ORACLES:
        k = [_member(task, values)]
        what = single.ORACLES[task.name].hold(task.K[k], y, told, values, replace(said, coef=said.coef[:, k]))
        return what and what.held(str(values), said)
    G, said = as_held(task.K, task.less, centre, said)
    coef, intercept = said.coef[0], said.intercept[0]
    mu = np.zeros(len(task.K)) if said.weights is None else said.weights[0]
    mean = long(y).mean() if centre else 0.0
    match task.name:
        case "l2_svm":
            k = _member(task, values)
            G, mu = Gram.of(task.K[[k]], True), np.ones(1)
            what = known.svm(G, y, values["C"], coef[[k]], intercept, mu)
        case "l1_svm":
            k = _member(task, values)
            what = known.voted(G.one(k), y, long([values["beta"]]), coef[[k]])
        case "vkr":
            degrees = [member["degree"] for member in task.stack.family.members if "degree" in member] or None
            r = known.complexities(told["complexity"], task.K, task.n_features, degrees, values.get("radius"))
            what = known.voted(G, y, values["lambda"] * r + values["beta"], coef)
        case "krr":
            k = _member(task, values)
            t = known.sizes(G.one(k), told["normalise"])
            what = known.ridge(G.one(k), y, values["lambda"], coef[[k]], intercept, 1 / t, mean)
        case "unif" | "align" | "alignf" if "lambda" in values:
            what = known.ridge(G, y, values["lambda"], coef, intercept, mu, mean)
        case "unif" | "align" | "alignf":
            what = known.svm(G, y, values["C"], coef, intercept, mu)
        case "l1_mkl" | "l2_mkl":
            t, p = known.sizes(G, told["normalise"]), 1.0 if task.name == "l1_mkl" else 2.0
            what = known.mkl(G, t, y, values["C"], p, coef, intercept, mu)
        case "conv" | "dc":
            sizes = known.local_sizes(G, mu, values["theta"], task.name, told["norm"])
            if sizes is None:
                return None
            what = known.mkl(G, sizes, y, values["C"], told["norm"], coef, intercept, mu)
        case "multiclass_mkl":
            t = known.sizes(G, told["normalise"])
            what = known.multiclass(G, t, y, values["C"], told["norm"], said.coef, said.intercept, mu)
        case "multiclass_conv":
            t = tails(G, values["theta"])
            what = known.multiclass(G, t, y, values["C"], told["norm"], said.coef, said.intercept, mu)
        case "l1_krr" | "l2_krr":
            t, p = known.sizes(G, told["normalise"]), 1 if task.name == "l1_krr" else 2
            mu0 = values["Lambda"] / len(task.K) ** 0.5 if told.get("mu0") == "uniform" else 0.0
            what = known.lkrr(G, t, y, (values["lambda"], values["Lambda"], p, mu0), coef, intercept, mu, mean)
        case _:
            raise KeyError(f"the algorithm {task.name} has no oracle: add it to scripts/attack/attacks/paths.py")
    if "C" in values:
        what = known.with_dual(what, G, mu, said.dual)
    return what.held(str(values), said)


def as_held(K: Array, less: Less | None, centre: bool, said: Found) -> tuple[Gram, Found]:
    """Return the kernels of a problem, and what was found in terms of them.

    Where the coefficients of a kernel add up to 0, but for rounding, a predictor does not see its constant.
    """
    if less is not None and centre:
        sums, sizes = long(said.coef).sum(axis=2), np.abs(long(said.coef)).sum(axis=2)
        seen = np.where(np.abs(sums) > NO_SUM * sizes, sums, 0) @ less.constants
        said = replace(said, intercept=said.intercept + seen)
    return Gram.of(K, centre, less), said


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
