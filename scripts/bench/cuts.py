"""Hold the cutting planes of structured machines against other algorithms for the same program; say what a bound costs.

``algorithms`` trains `struct_svm` on sentences of CoNLL 2002 by our solver and by three others, here as short as they
come: Algorithm 4.1 of Shivaswamy (2010) in rounds, the most violated labelling of every sentence at once and each
program by OSQP; one-slack cutting planes (Joachims, Finley and Yu, 2009), a cut of which is the mean of one labelling
of every sentence; and block-coordinate Frank-Wolfe (Lacoste-Julien et al., 2013). All stop at the same relative gap
over **all** labellings, of the best multiple of w, or after ``--most`` CPU seconds with the gap that they reached.

``price`` trains `struct_svm`, and `struct_rmm` from there with B a half of the largest output, for growing numbers of
sentences. Reported are CPU seconds.

``classes`` trains both on all classes of optdigits. With a linear kernel LibLinear (Fan et al., 2008), as scikit-learn
has it, trains the same program without a bound, by the sequential dual method of Keerthi et al. (2008), to its default
tolerance; reported is by how much its objective is above the lower bound that ours proves.

    KERNLEARN_DATA=DIR python scripts/bench/cuts.py algorithms
    KERNLEARN_DATA=DIR python scripts/bench/cuts.py price --sentences 60 120 240
    python scripts/bench/cuts.py classes --degree 1 --Cs 10 1000 100000
    python scripts/bench/cuts.py classes --Cs 10 1000
"""

import argparse
import os
from collections.abc import Iterator
from math import inf
from time import process_time
from typing import NamedTuple

# Not by one_thread.py: a test loads this file alone, where its neighbours are not to be found.
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import numpy as np
from sklearn.svm import LinearSVC

from kernlearn.certificates import relative_gap
from kernlearn.datasets import load
from kernlearn.kernels import make_family
from kernlearn.solvers.core.qp import Bounds, QuadraticProgram
from kernlearn.solvers.structured.cuts import Cuts
from kernlearn.solvers.structured.joint_weights import best_multiple
from kernlearn.solvers.structured.labellings import scores, second_best
from kernlearn.solvers.structured.solver import StructuredSolver


class Data(NamedTuple):
    """Places with their kernel and labels, and where sentences begin."""

    K: np.ndarray
    labels: np.ndarray
    k: int
    starts: np.ndarray

    @property
    def n(self) -> int:
        """How many sentences there are."""
        return len(self.starts) - 1


class Dual(NamedTuple):
    """A point of the dual: w by its coefficients and outputs, what is linear, and the best wrong labellings for w."""

    A: np.ndarray
    T: np.ndarray
    E: np.ndarray
    linear: float
    nearest: np.ndarray
    margins: np.ndarray

    def gap(self, C: float) -> float:
        """Return the relative duality gap over all labellings."""
        squares = float(np.vdot(self.A, self.E) + np.vdot(self.T, self.T))
        value, _ = best_multiple(squares, self.margins, C / len(self.margins), inf)
        return relative_gap(value, self.linear - 0.5 * squares, C)


def problem(sentences: int, degree: int) -> Data:
    """Draw sentences of the training part."""
    data = load("conll2002")
    rows = np.sort(np.random.default_rng(0).permutation(data.n_train)[:sentences])
    windows = make_family("chains", window=3, degree=degree).fit(data.X[rows])
    labels = np.unique(data.y[rows].values, return_inverse=True)[1].astype(np.intp)
    return Data(windows.matrix(), labels, int(labels.max()) + 1, windows.chains.starts.astype(np.intp))


def dual(data: Data, A: np.ndarray, T: np.ndarray, linear: float, E: np.ndarray | None = None) -> Dual:
    """Decode the best wrong labellings for w."""
    E = data.K @ A if E is None else E
    nearest = second_best(E, T, data.starts, data.labels)
    true, near = (scores(E, T, data.starts, y) for y in (data.labels, nearest))
    return Dual(A, T, E, linear, nearest, true - near)


def difference(data: Data, i: int, y: np.ndarray, A: np.ndarray, T: np.ndarray, amount: float) -> None:
    """Add a multiple of ``dpsi_i(y)`` to coefficients, those of places of the sentence i alone."""
    true, t = data.labels[data.starts[i] : data.starts[i + 1]], np.arange(len(y))
    np.add.at(A, (t, true), amount)
    np.add.at(A, (t, y), -amount)
    np.add.at(T, (true[:-1], true[1:]), amount)
    np.add.at(T, (y[:-1], y[1:]), -amount)


def by_osqp(G: np.ndarray, gains: np.ndarray, groups: np.ndarray, c: float) -> np.ndarray:
    """Return the x >= 0 of the largest ``gains.x - x'Gx/2`` whose sum over every group is c or less."""
    names, group = np.unique(groups, return_inverse=True)
    sums = (group == np.arange(len(names))[:, None]).astype(float)
    free = Bounds(np.zeros(len(names)), np.ones(len(names)), np.zeros(len(G)), np.full(len(G), inf))
    x = np.maximum(QuadraticProgram(c * G, sums, 1e-6).solve(-gains, free).x, 0.0)
    return c * x / np.maximum(sums @ x, 1.0)[group]


def algorithm_4_1(data: Data, C: float) -> Iterator[Dual]:
    """Yield the rounds of the thesis: nothing is dropped, nothing is warm."""
    cuts = Cuts(data.K, data.labels, data.k, data.starts)
    a = np.zeros(0)
    while True:
        w = cuts.combine(a)
        point = dual(data, w.A, w.T, float(a.sum()), w.E)
        yield point
        rows = np.flatnonzero(point.margins < 1.0)
        cuts.add(rows, [point.nearest[data.starts[i] : data.starts[i + 1]].copy() for i in rows])
        a = by_osqp(cuts.gram, np.ones(len(cuts)), cuts.sequences, C / data.n)


def one_slack(data: Data, C: float) -> Iterator[Dual]:
    """Yield the rounds of one cut each, the mean over all sentences of the labellings that are violated the most."""
    As, Ts, Es, gains, a = [], [], [], [], np.zeros(0)
    G = np.zeros((0, 0))
    A, T, E = np.zeros((len(data.labels), data.k)), np.zeros((data.k, data.k)), np.zeros((len(data.labels), data.k))
    while True:
        point = dual(data, A, T, float(a @ gains) if gains else 0.0, E)
        yield point
        A, T = np.zeros_like(A), np.zeros_like(T)
        wrong = np.flatnonzero(point.margins < 1.0)
        for i in wrong:
            part = slice(data.starts[i], data.starts[i + 1])
            difference(data, i, point.nearest[part], A[part], T, 1.0 / data.n)
        As, Ts, Es, gains = [*As, A], [*Ts, T], [*Es, data.K @ A], [*gains, len(wrong) / data.n]
        row = np.array([np.vdot(A, F) + np.vdot(T, S) for F, S in zip(Es, Ts, strict=True)])
        G = np.block([[G, row[:-1, None]], [row[None]]])
        a = by_osqp(G, np.array(gains), np.zeros(len(G)), C)
        A, T, E = (sum(x * part for x, part in zip(a, parts, strict=True)) for parts in (As, Ts, Es))


def frank_wolfe(data: Data, C: float) -> Iterator[Dual]:
    """Yield the passes over all sentences in random order, each with the best step towards its worst labelling."""
    rng, c, k = np.random.default_rng(0), C / data.n, data.k
    A, E, T = np.zeros((len(data.labels), k)), np.zeros((len(data.labels), k)), np.zeros((k, k))
    linear, Ts = np.zeros(data.n), np.zeros((data.n, k, k))
    while True:
        yield dual(data, A.copy(), T, float(linear.sum()))
        for i in rng.permutation(data.n):
            part = slice(data.starts[i], data.starts[i + 1])
            ends, true = np.array([0, part.stop - part.start]), data.labels[part]
            y = second_best(E[part], T, ends, true)
            margin = float((scores(E[part], T, ends, true) - scores(E[part], T, ends, y))[0])
            dA, dT, gain = -A[part], -Ts[i], -linear[i]
            if margin < 1.0:
                difference(data, i, y, dA, dT, c)
                gain += c
            squares = float(np.vdot(dA, data.K[part, part] @ dA) + np.vdot(dT, dT))
            slope = gain - float(np.vdot(dA, E[part]) + np.vdot(dT, T))
            if slope <= 0.0 or squares <= 0.0:
                continue
            step = min(1.0, slope / squares)
            A[part] += step * dA
            T += step * dT
            Ts[i] += step * dT
            E += data.K[:, part] @ (step * dA)
            linear[i] += step * gain


PEERS = {"Algorithm 4.1, OSQP": algorithm_4_1, "one slack": one_slack, "Frank-Wolfe": frank_wolfe}


def ours(data: Data, C: float, tol: float) -> tuple[float, float, int]:
    """Return CPU seconds, the gap and rounds, from zero."""
    begin = process_time()
    solution = StructuredSolver(*data, tol=tol).solve(C)
    return process_time() - begin, solution.gap, solution.rounds


def run(points: Iterator[Dual], C: float, tol: float, most: float) -> tuple[float, float, int]:
    """Return CPU seconds, the gap and rounds of a peer; its best gap of any round."""
    begin, best = process_time(), inf
    for rounds, point in enumerate(points):
        best = min(best, point.gap(C))
        if best <= tol or process_time() - begin > most:
            return process_time() - begin, best, rounds
    raise AssertionError


def algorithms(options: argparse.Namespace) -> None:
    """Print a table of algorithms."""
    print("| sentences | C | algorithm | CPU s | ratio | gap | rounds |\n|---|---|---|---|---|---|---|")
    for sentences in options.sentences:
        data = problem(sentences, options.degree)
        ours(data, 1e-3, 0.5)  # compiles
        for C in options.Cs:
            first = min(ours(data, C, options.tol) for _ in range(options.repeat))
            found = {"ours": first}
            found |= {name: run(peer(data, C), C, options.tol, options.most) for name, peer in PEERS.items()}
            for name, (seconds, gap, rounds) in found.items():
                ratio = f"{'> ' * (gap > options.tol)}{seconds / first[0]:.1f}"
                print(f"| {data.n} | {C:g} | {name} | {seconds:.2f} | {ratio} | {gap:.0e} | {rounds} |", flush=True)


def price(options: argparse.Namespace) -> None:
    """Print a table of what a bound costs."""
    head = ("sentences", "words", "C", "theta", "struct_svm s", "B = theta/2 s", "ratio", "gap", "cuts")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for sentences in options.sentences:
        data = problem(sentences, options.degree)
        StructuredSolver(*data).solve(1e-3, 1.5)  # compiles
        for C in options.Cs:
            solver, begin = StructuredSolver(*data, tol=options.tol), process_time()
            solver.solve(C)
            theta, middle = solver.theta, process_time()
            solution = solver.solve(C, max(0.5 * theta, 1.0))
            end = process_time()
            times = f"{middle - begin:.2f}", f"{end - middle:.2f}", f"{(end - middle) / (middle - begin):.1f}"
            cells = data.n, len(data.labels), f"{C:g}", f"{theta:.1f}", *times, f"{solution.gap:.0e}", len(solver.cuts)
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


def classes(options: argparse.Namespace) -> None:
    """Print a table of classes of single examples."""
    head = ("digits", "C", "struct_svm s", "gap", "LibLinear s", "above", "B = theta/2 s", "gap", "rounds")
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    data = load("optdigits")
    order = np.random.default_rng(0).permutation(data.n_train)
    for n in options.examples:
        X, labels = np.asarray(data.X[order[:n]], dtype=float) / 16.0, data.y[order[:n]].astype(np.intp)
        StructuredSolver(np.eye(6), np.arange(6) % 3, 3).solve(1.0, 1.5)  # compiles
        for C in options.Cs:
            begin = process_time()
            K = X @ X.T if options.degree == 1 else (1.0 + X @ X.T) ** options.degree
            solver = StructuredSolver(K, labels, 10, tol=options.tol)
            free = solver.solve(C)
            theta, middle = solver.theta, process_time()
            bounded = solver.solve(C, max(0.5 * theta, 1.0))
            end = process_time()
            cells = n, f"{C:g}", f"{middle - begin:.2f}", f"{free.gap:.0e}"
            cells += by_liblinear(X, labels, C, free.dual_objective) if options.degree == 1 else ("-", "-")
            cells += f"{end - middle:.2f}", f"{bounded.gap:.0e}", bounded.rounds
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


def by_liblinear(X: np.ndarray, labels: np.ndarray, C: float, bound: float) -> tuple[str, str]:
    """Return LibLinear's CPU seconds, and how much its objective is above a lower bound, as a part of it."""
    begin, n = process_time(), len(X)
    W = LinearSVC(multi_class="crammer_singer", C=C / n, fit_intercept=False, max_iter=10**6).fit(X, labels).coef_
    seconds, F = process_time() - begin, X @ W.T
    losses = (F + 1.0 - np.eye(len(W))[labels]).max(axis=1) - F[np.arange(n), labels]
    return f"{seconds:.2f}", f"{(0.5 * np.vdot(W, W) + C * losses.mean()) / bound - 1.0:.0e}"


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=["algorithms", "price", "classes"])
    parser.add_argument("--sentences", nargs="+", type=int, default=[60])
    parser.add_argument("--examples", nargs="+", type=int, default=[500, 1000, 2000], help="digits")
    parser.add_argument("--Cs", nargs="+", type=float, default=[0.1, 1.0])
    parser.add_argument("--degree", type=int, default=2, help="of the kernel")
    parser.add_argument("--tol", type=float, default=1e-3, help="the relative gap")
    parser.add_argument("--most", type=float, default=60.0, help="CPU seconds of a peer")
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    {"algorithms": algorithms, "price": price, "classes": classes}[options.what](options)


if __name__ == "__main__":
    main()
