"""Methods that label sequences, on hostile ones so short that all labellings can be written out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import sparse

from attacks import oracles
from attacks.held import ALLOWED, ROUNDING, Array, Found, Held, long
from kernlearn.algorithms import ALGORITHMS, Problem, Sequences
from kernlearn.datasets.core.chains import Chains, chains_of
from kernlearn.kernels import make_family
from kernlearn.solvers.structured.chains import marginals

#: Labellings of a sequence, at most, and steps of Newton's method.
MOST, STEPS = 90, 100
#: Roundings of an output, at most.
ROUNDS = 64


@dataclass
class Task:
    """A path over sequences: what it is told, its inputs, and the labels of all places."""

    name: str
    inputs: Any
    labels: Array
    k: int
    values: dict[str, Any]
    traits: list[str]

    @property
    def chains(self) -> Chains:
        """The sequences with their features."""
        found: Chains = self.inputs.chains
        return found

    def run(self) -> list[Any]:
        """Return the points."""
        return list(ALGORITHMS[self.name].path(Problem(self.inputs, Sequences(self.labels, self.k)), **self.values))


def duplicates(rng: Generator, X: Array) -> None:
    """Let some places be others, whatever their labels."""
    X[rng.integers(0, len(X), len(X) // 2)] = X[rng.integers(0, len(X), len(X) // 2)]


def alike(rng: Generator, X: Array) -> None:
    """Let all places be alike."""
    X[:] = X[0]


def empty(rng: Generator, X: Array) -> None:
    """Let some places have no feature."""
    X[rng.random(len(X)) < 0.5] = 0.0


def far_away(rng: Generator, X: Array) -> None:
    """Move the features far from zero."""
    X += 10.0 ** rng.uniform(1, 4)


def unlike_columns(rng: Generator, X: Array) -> None:
    """Give every feature a size of its own."""
    X *= 10.0 ** rng.uniform(-3, 3, X.shape[1])


def large(rng: Generator, X: Array) -> None:
    """Let all values be large."""
    X *= 10.0 ** rng.uniform(2, 6)


def small(rng: Generator, X: Array) -> None:
    """Let all values be small."""
    X *= 10.0 ** rng.uniform(-8, -2)


TRAITS: tuple[Callable[[Generator, Array], None], ...] = (
    duplicates,
    alike,
    empty,
    far_away,
    unlike_columns,
    large,
    small,
)


def draw_task(rng: Generator, name: str) -> Task:
    """Draw sequences with labels, and what a method is told."""
    k, n, d = int(rng.choice([2, 2, 3, 4, 6])), int(rng.choice([1, 2, 3, 6])), int(rng.choice([1, 2, 4, 8]))
    longest = max(1, int(np.log(MOST) / np.log(k))) if rng.random() < 0.85 else 1
    lengths = rng.integers(1, longest + 1, n)
    lengths[0] = longest
    binary = rng.random() < 0.5
    X = rng.normal(size=(lengths.sum(), d))
    X = (X > 0.5).astype(float) if binary else X
    labels = (X @ rng.normal(size=(d, k)) + 0.5 * rng.normal(size=(len(X), k))).argmax(axis=1)
    traits = [f"n={n}", f"d={d}", f"k={k}", f"longest={longest}", *(["binary"] if binary else [])]
    for trait in rng.permutation(np.array(TRAITS))[: rng.choice([0, 1, 1, 2])]:
        trait(rng, X)
        traits.append(trait.__name__)
    if rng.random() < 0.2:
        labels = rng.integers(0, k, len(labels))
        traits.append("labels at random")
    if rng.random() < 0.1:
        labels[:] = labels[0]
        traits.append("one label")
    if not X.any():
        X[0] = 1.0
    told: dict[str, Any] = {"Cs": sorted({float(f"{10.0**power:.3g}") for power in rng.uniform(-6, 6, 2)}), "tol": 1e-6}
    window, degree = int(rng.choice([1, 3])), {}
    if name != "crf":
        degree = {"degree": int(rng.choice([1, 2, 3]))}
        told |= {"tol": 1e-4, "max_rounds": 30}
    if name == "struct_rmm":
        told["fractions"] = sorted({float(r) for r in rng.choice([1.0, 0.5, 0.1, 0.01], 2)})
    inputs = make_family("chains", window=window, **degree).fit(chains_of(lengths, sparse.csr_array(X)))
    declared = {key: parameter.default for key, parameter in ALGORITHMS[name].parameters.items()}
    return Task(name, inputs, labels, k, declared | told, [*traits, f"window={window}", str(degree)])


def labellings(task: Task, X: Array) -> Iterator[tuple[Array, int, Array]]:
    """Yield of every sequence the rows of X that are its places, the number of the right labelling, and all of them."""
    for a, b in zip(task.chains.starts, task.chains.starts[1:], strict=False):
        Y = np.array(list(product(range(task.k), repeat=int(b - a))))
        yield X[a:b], int(np.flatnonzero((task.labels[a:b] == Y).all(axis=1))[0]), Y


def joint_features(X: Array, Y: Array, k: int) -> Array:
    """Return psi(x, y) of all labellings y, shape (m, D k + k^2), as `kernlearn.algorithms.structured` orders them."""
    hot = np.eye(k)[Y]
    emitted = np.einsum("td,mtk->mdk", X, hot)
    pairs = np.einsum("mti,mtj->mij", hot[:, :-1], hot[:, 1:])
    return np.concatenate([emitted.reshape(len(Y), -1), pairs.reshape(len(Y), -1)], axis=1)


def log_loss(maps: list[tuple[Array, int]], w: Array, C: float) -> tuple[Any, Array, Array]:
    """Return the value, gradient and Hessian of ``1/2 |w|^2 - C sum log p(y_i | x_i)``, in extended precision."""
    F, g, H = w @ w / 2, w.copy(), np.eye(len(w))
    for psi, right in maps:
        s = psi @ w
        p = np.exp(s - s.max())
        F += C * (s.max() - s[right] + np.log(p.sum()))
        p /= p.sum()
        mean = p @ psi
        g += C * (mean - psi[right])
        spread = (psi - mean) * np.sqrt(p)[:, None]
        H += C * (spread.T.astype(float) @ spread.astype(float))
    return F, g, H


def newton(maps: list[tuple[Array, int]], C: float, size: int) -> tuple[Any, Any]:
    """Return the best value found, by Newton's method, and the lower bound that strong convexity gives."""
    w = long(np.zeros(size))
    F, g, H = log_loss(maps, w, C)
    lower = F - g @ g / 2
    for _ in range(STEPS):
        step, length = np.linalg.lstsq(H, -g.astype(float), rcond=None)[0], 1.0
        while length > 1e-12 and log_loss(maps, w + length * step, C)[0] > F + 1e-4 * length * (g @ step):
            length /= 2
        if length <= 1e-12:
            break
        w = w + length * step
        F, g, H = log_loss(maps, w, C)
        lower = max(lower, F - g @ g / 2)
    return F, lower


def hold(task: Task, point: Any) -> list[tuple[str, float, str]]:
    """Return what is wrong with a point."""
    X = task.chains.values.toarray()
    if task.name == "crf":
        return _hold_likelihood(task, point, X) + _hold_labels(task, point, X)
    if (degree := task.inputs.degree) == 1:
        return _hold_margins(task, point, X, long(X)) + _hold_labels(task, point, X)
    exact = (long(X) @ long(X).T + 1) ** degree
    K = exact.astype(float)
    sizes = np.sqrt(np.diag(K))
    values, vectors = np.linalg.eigh(K / np.outer(sizes, sizes))  # so that large places do not drown the small ones
    features = sizes[:, None] * vectors * np.sqrt(np.maximum(values, 0.0))  # that have this kernel
    return _hold_margins(task, point, features, exact) + _hold_labels(task, point, K)


def _maps(task: Task, X: Array) -> list[tuple[Array, int]]:
    return [(long(joint_features(places, Y, task.k)), right) for places, right, Y in labellings(task, X)]


def _hold_likelihood(task: Task, point: Any, X: Array) -> list[tuple[str, float, str]]:
    """Hold the value of a random field and its lower bound."""
    C, maps = point.values["C"], _maps(task, X)
    w = np.concatenate([point.predictor.weights.ravel(), point.predictor.transitions.ravel()])
    ours, g, _ = log_loss(maps, long(w), C)
    sizes = [float((np.abs(psi) @ np.abs(w)).max()) for psi, _ in maps]
    rounding = C * ROUNDING * (sum(sizes) + len(maps)) * 8
    slopes = sum((1 + s) * float(np.abs(psi).max()) for (psi, _), s in zip(maps, sizes, strict=True))
    error = ROUNDING * (np.linalg.norm(w) + 8 * C * slopes)
    best, lower = newton(maps, C, len(w))
    zero = C * float(sum(np.log(len(psi)) for psi, _ in maps))
    dual_rounding = float(rounding + np.linalg.norm(g.astype(float)) * error + error**2)
    return _held(point, ours, best, lower, zero, 0.0, rounding, dual_rounding)


def _hold_margins(task: Task, point: Any, X: Array, K: Array) -> list[tuple[str, float, str]]:
    """Hold the value of (4.3) or (4.4) at a predictor, its bound, and the lower bound that is claimed.

    X are explicit features, for the oracle; K is what the predictor takes, the same or their kernel.
    """
    B = float(point.facts["B"][0]) if "B" in point.facts else np.inf
    c, A, T = point.values["C"] / len(task.chains), long(point.predictor.weights), long(point.predictor.transitions)
    E, sums = K @ A, np.abs(K) @ np.abs(A)
    of_kernel = task.inputs.degree > 1
    least, most = margins(_differences(task, np.eye(len(X))), np.concatenate([E.ravel(), T.ravel()]))
    ours = ((A * (E if of_kernel else A)).sum() + (T * T).sum()) / 2 + c * np.maximum(0, 1 - least).sum()
    rounding = _rounding(A, T, sums, of_kernel, c)  # outputs and squares are differences of these sums
    # Features of a kernel, from its eigenvectors, have its values up to a part of the product of both sizes.
    sizes = np.sqrt(np.diag(K))[:, None] if of_kernel else None
    of_oracle = rounding if sizes is None else _rounding(A, T, sizes * (sizes.T @ np.abs(A)), of_kernel, c)
    D = _differences(task, X)
    lost = ROUNDS * ROUNDING * float(sums.max() + np.abs(T).max())  # of an output
    zero, off = c * len(D), max(float((most - lost) / B) - 1.0, 0.0)
    return _held(point, ours, by_clarabel(D, c, B), -np.inf, zero, off, rounding, of_oracle)


def _rounding(A: Array, T: Array, sums: Array, of_kernel: bool, c: float) -> float:
    """Return what rounding moves the value by, with ``|K| |A|`` or more as sums."""
    squares = (np.abs(A) * (sums if of_kernel else np.abs(A))).sum() + (T * T).sum()
    return float(ROUNDS * ROUNDING * (squares + c * (sums.max(axis=1).sum() + np.abs(T).sum())))


def _differences(task: Task, X: Array) -> list[Array]:
    """Return the joint features of the right labelling less those of every other one, of each sequence."""
    return [np.delete(psi[right] - psi, right, axis=0) for psi, right in _maps(task, X)]


def margins(D: list[Array], w: Array) -> tuple[Array, Any]:
    """Return the least output of every sequence, and the largest size of any."""
    outputs = [one @ w for one in D]
    return np.array([one.min() for one in outputs]), max(np.abs(one).max() for one in outputs)


def by_clarabel(D: list[Array], c: float, B: float) -> Any:
    """Return the value of (4.4) over all labellings at the point of Clarabel, made feasible, or at zero."""
    rows, owner = np.concatenate(D).astype(float), np.repeat(np.arange(len(D)), [len(one) for one in D])
    s, n, p = float(np.abs(rows).max()) or 1.0, len(D), rows.shape[1]
    slack, none = np.eye(n)[owner], np.zeros((len(rows), n))
    A = [np.hstack([-rows / s, -slack]), np.hstack([np.zeros((n, p)), -np.eye(n)])]
    b = [-np.ones(len(rows)), np.zeros(n)]
    if B < np.inf:
        A += [np.hstack([rows / s, none]), np.hstack([-rows / s, none])]
        b += [np.full(len(rows), B)] * 2
    unit = max(1.0, c * s * s)  # of the objective, so that the larger part of it is next to 1
    P = np.diag(np.concatenate([np.ones(p), np.zeros(n)])) / unit
    q = np.concatenate([np.zeros(p), np.full(n, c * s * s / unit)])
    w = long(np.nan_to_num(oracles.quadratic_program(P, q, np.vstack(A), np.concatenate(b), 0)[:p] / s))
    w = w / max(1, margins(D, w)[1] / B)
    return min(w @ w / 2 + c * np.maximum(0, 1 - margins(D, w)[0]).sum(), c * n)


def _held(point: Any, ours: Any, best: Any, lower: Any, zero: float, *others: float) -> list[tuple[str, float, str]]:
    (solution,) = point.solutions
    said = Found(
        *(np.zeros(0), np.zeros(0), None, solution.objective, solution.dual_objective, solution.gap, point.status)
    )
    return Held(str(point.values), said, float(ours), float(best), float(lower), zero, *others).findings()


def _hold_labels(task: Task, point: Any, X: Array) -> list[tuple[str, float, str]]:
    """Hold the labels that are predicted, and of a random field the probabilities of all, against all labellings."""
    decoder, wrong, words = point.predictor, [], str(point.values)
    w = long(np.concatenate([decoder.weights.ravel(), decoder.transitions.ravel()]))
    places = marginals(X @ decoder.weights, decoder.transitions, task.chains.starts).places
    predicted = decoder.outputs(task.inputs).argmax(axis=0)
    for (rows, _, Y), a in zip(labellings(task, X), task.chains.starts, strict=False):
        psi, there = long(joint_features(rows, Y, task.k)), slice(a, a + len(rows))
        s = psi @ w
        error = 8 * ROUNDING * float((np.abs(psi) @ np.abs(w)).max())
        missed = float(s.max() - s[(predicted[there] == Y).all(axis=1)][0])
        if missed > error:
            wrong.append(("false", missed, f"{words}: labels of a score that is less than the best by {missed:.1e}"))
        p = np.exp(s - s.max())
        p /= p.sum()
        true = np.stack([(p[:, None] * (Y == label)).sum(axis=0) for label in range(task.k)], axis=1)
        apart = float(np.abs(places[there] - true).max())
        if task.name == "crf" and not apart <= ALLOWED + error:
            wrong.append(("false", apart, f"{words}: probabilities of labels are wrong by {apart:.1e}"))
    return wrong
