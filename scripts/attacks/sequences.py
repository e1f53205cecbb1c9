"""Methods that label sequences, on hostile ones so short that all labellings can be written out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import sparse

from attacks.held import ALLOWED, ROUNDING, Array, Found, Held, long
from kernlearn.algorithms import ALGORITHMS, Problem, Sequences
from kernlearn.datasets.chains import Chains, chains_of
from kernlearn.kernels import make_family
from kernlearn.solvers.chains import marginals

#: Labellings of a sequence, at most, and steps of Newton's method.
MOST, STEPS = 90, 100


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
    inputs = make_family("chains", window=int(rng.choice([1, 3]))).fit(chains_of(lengths, sparse.csr_array(X)))
    told = {"Cs": sorted({float(f"{10.0**power:.3g}") for power in rng.uniform(-6, 6, 2)}), "tol": 1e-6}
    return Task(name, inputs, labels, k, told, traits)


def labellings(task: Task) -> Iterator[tuple[Array, int, Array]]:
    """Yield of every sequence the features of its places, the number of the right labelling, and all of them."""
    X = task.chains.values.toarray()
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
        step, length = np.linalg.solve(H, -g.astype(float)), 1.0
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
    (solution,), C, words = point.solutions, point.values["C"], str(point.values)
    w = np.concatenate([point.predictor.weights.ravel(), point.predictor.transitions.ravel()])
    maps = [(long(joint_features(X, Y, task.k)), right) for X, right, Y in labellings(task)]
    ours, g, _ = log_loss(maps, long(w), C)
    sizes = [float((np.abs(psi) @ np.abs(w)).max()) for psi, _ in maps]
    rounding = C * ROUNDING * (sum(sizes) + len(maps)) * 8
    error = ROUNDING * (
        np.linalg.norm(w) + 8 * C * sum((1 + s) * np.abs(psi).max() for (psi, _), s in zip(maps, sizes, strict=True))
    )
    best, lower = newton(maps, C, len(w))
    said = solution.objective, solution.dual_objective, solution.gap, point.status
    held = Held(
        *(words, Found(np.zeros(0), np.zeros(0), None, *said), float(ours), float(best), float(lower)),
        *(C * float(sum(np.log(len(psi)) for psi, _ in maps)), 0.0, rounding),
        float(rounding + np.linalg.norm(g.astype(float)) * error + error**2),
    )
    return held.findings() + _hold_labels(task, point.predictor, words)


def _hold_labels(task: Task, decoder: Any, words: str) -> list[tuple[str, float, str]]:
    """Hold the labels that are predicted, and the probabilities of all labels, against all labellings."""
    wrong = []
    w = long(np.concatenate([decoder.weights.ravel(), decoder.transitions.ravel()]))
    places = marginals(decoder.emissions(task.chains), decoder.transitions, task.chains.starts).places
    predicted = decoder.labels(task.chains)
    for (X, _, Y), a in zip(labellings(task), task.chains.starts, strict=False):
        psi, there = long(joint_features(X, Y, task.k)), slice(a, a + len(X))
        s = psi @ w
        error = 8 * ROUNDING * float((np.abs(psi) @ np.abs(w)).max())
        missed = float(s.max() - s[(predicted[there] == Y).all(axis=1)][0])
        if missed > error:
            wrong.append(("false", missed, f"{words}: labels of a score that is less than the best by {missed:.1e}"))
        p = np.exp(s - s.max())
        p /= p.sum()
        true = np.stack([(p[:, None] * (Y == label)).sum(axis=0) for label in range(task.k)], axis=1)
        apart = float(np.abs(places[there] - true).max())
        if not apart <= ALLOWED + error:
            wrong.append(("false", apart, f"{words}: probabilities of labels are wrong by {apart:.1e}"))
    return wrong
