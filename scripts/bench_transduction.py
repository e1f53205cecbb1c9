"""Transduction on graphs, timed: one learned spectrum against Clarabel, and MNIST whole against label spreading.

    python scripts/bench_transduction.py storm [--q 200] [--labelled 110]
    python scripts/bench_transduction.py mnist [--examples 70000] [--labelled 100]

`storm` solves one problem of STORM and of STOAM to a relative gap of 1e-6 by the interior-point method of
`kernlearn.solvers.WeightedFeatures`, and in Clarabel in two forms: (5.14) as printed, one quadratic constraint
for every nested kernel, and one rotated cone for every eigenvector with linear sums of them, the best conic form that
is known to us. `mnist` needs the data of the catalogue; it states the CPU time of each
stage, and the largest memory of the process. Both print a table in Markdown, CPU seconds on one
thread; of Clarabel they are those that it states, without what cvxpy takes to compile.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

os.environ.update(dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1"))
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np  # noqa: E402

from kernlearn import memory  # noqa: E402
from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem  # noqa: E402
from kernlearn.algorithms.transduction.storm import solve_storm  # noqa: E402
from kernlearn.datasets import load  # noqa: E402
from kernlearn.kernels.graph import neighbour_graph  # noqa: E402
from kernlearn.kernels.spectrum import spectrum_of  # noqa: E402

Array = np.ndarray
#: Random problems that are solved for a mean.
REPETITIONS = 5


def clarabel(F: Array, y: Array, C: float, B: float | None, epsilon: float, literal: bool) -> tuple[float, str]:
    """Solve (5.14) as printed, or with a cone for every eigenvector; return CPU seconds, and value and status."""
    import cvxpy as cp

    n, q = F.shape
    alpha, lam = cp.Variable(n, nonneg=True), cp.Variable(q, nonneg=True)
    beta, eta = (cp.Variable(n, nonneg=True) for _ in range(2))
    tau, gam = cp.Variable(), cp.multiply(y, alpha) - beta + eta
    z = F.T @ gam
    constraints = [alpha <= C, cp.sum(gam) == 0]
    constraints += [beta == 0, eta == 0] if B is None else []
    order = np.arange(1, q)
    if literal:
        constraints += [0.5 * cp.square(z[0]) <= tau - lam[0]]
        constraints += [0.5 * cp.sum_squares(z[1 : i + 1]) <= i * tau - lam[i] for i in order]
    else:
        squares = cp.Variable(q)
        constraints += [0.5 * cp.square(z) <= squares, squares[0] <= tau - lam[0]]
        constraints += [cp.cumsum(squares[1:]) <= cp.multiply(order, tau) - lam[1:]]
    value = cp.sum(alpha) - tau + epsilon * cp.sum(lam) - (B or 0.0) * cp.sum(beta + eta)
    program = cp.Problem(cp.Maximize(value), constraints)
    program.solve(solver="CLARABEL")
    seconds = float(program.solver_stats.solve_time)  # what compiling takes is not counted
    return seconds, f"{program.value:.8g} ({program.status})"


def timed(solve: Callable[[], Any]) -> tuple[float, Any]:
    """Return CPU seconds and the result."""
    start = process_time()
    found = solve()
    return process_time() - start, found


def bench_storm(q: int, labelled: int) -> None:
    """Print what one problem takes, with a band and without."""
    rng = np.random.default_rng(0)
    n = max(1000, 3 * q)
    X = rng.normal(size=(n, 10))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    spectrum = spectrum_of(neighbour_graph(X, 5, mutual=False), q)
    some = rng.permutation(n)[:labelled]
    F, y, C, epsilon = spectrum.U[some], y[some], 1000.0, 1e-6
    solve_storm(F, y, C, 1.5)  # imports and first calls
    print(f"q = {F.shape[1]}, l = {labelled}, C = {C:g}: one problem to a relative gap of 1e-6\n")
    print("| problem | method | CPU s | ratio | value |\n|---|---|---|---|---|")
    for name, B in (("stoam", None), ("storm, B = 1.5", 1.5)):
        times = [timed(lambda B=B: solve_storm(F, y, C, B)) for _ in range(REPETITIONS)]
        ours, found = np.median([seconds for seconds, _ in times]), times[0][1].solution
        print(f"| {name} | interior points of our own | {ours:.4f} | 1 | {found.objective:.8g} (gap {found.gap:.0e}) |")
        for words, literal in (
            ("Clarabel, a cone for every eigenvector", False),
            ("Clarabel, (5.14) as printed", True),
        ):
            try:
                seconds, value = clarabel(F, y, C, B, epsilon, literal)
            except Exception as error:
                print(f"| {name} | {words} | - | - | {type(error).__name__} |")
                continue
            print(f"| {name} | {words} | {seconds:.3f} | {seconds / ours:.0f} | {value} |", flush=True)


def bench_mnist(examples: int, labelled: int, q: int) -> None:
    """Print what the stages take on MNIST, ten classes by STORM against each rest, and label spreading."""
    from sklearn.semi_supervised import LabelSpreading

    data = load("mnist")
    rng = np.random.default_rng(0)
    rows = np.sort(rng.permutation(len(data.y))[:examples])
    X, y = data.X[rows], data.y[rows]
    some = np.sort(rng.permutation(len(y))[:labelled])
    others = np.setdiff1d(np.arange(len(y)), some)
    memory.reset_peak()
    print(f"{len(y)} images, {labelled} labelled, q = {q}\n\n| stage | CPU s | error % |\n|---|---|---|")
    dense = X.toarray()
    seconds, graph = timed(lambda: neighbour_graph(dense, 5, mutual=False))
    print(f"| graph, five neighbours, exact | {seconds:.1f} | |", flush=True)
    seconds, spectrum = timed(lambda: spectrum_of(graph, q, normalised=True))
    print(f"| {q} eigenvectors, residual {spectrum.residual:.0e} | {seconds:.1f} | |", flush=True)
    problem = Problem(spectrum, Classes(y[some], 10), some)

    def path(one: Problem) -> Any:
        return ALGORITHMS["storm"].path(one, Cs=[1e2 * examples], fractions=[0.5], epsilon=1e-6)

    seconds, (point,) = timed(lambda: list(REDUCTIONS["one_vs_rest"](path, problem)))
    wrong = 100.0 * np.mean(point.predictor.outputs(spectrum).argmax(axis=0)[others] != y[others])
    print(f"| storm, ten problems with a band and ten without | {seconds:.1f} | {wrong:.2f} |")
    print(f"| peak of this process | {(memory.peak() or 0) / memory.GB:.1f} GB | |", flush=True)
    hidden = np.full(len(y), -1)
    hidden[some] = y[some]
    seconds, model = timed(lambda: LabelSpreading(kernel="knn", n_neighbors=5, alpha=0.9).fit(dense, hidden))
    wrong = 100.0 * np.mean(model.transduction_[others] != y[others])
    print(f"| scikit-learn's LabelSpreading(kernel='knn'), all | {seconds:.1f} | {wrong:.2f} |")


def main() -> None:
    """Run one of the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["storm", "mnist"])
    parser.add_argument("--q", type=int, default=200)
    parser.add_argument("--labelled", type=int)
    parser.add_argument("--examples", type=int, default=70_000)
    options = parser.parse_args()
    if options.what == "storm":
        bench_storm(options.q, options.labelled or 110)
    else:
        bench_mnist(options.examples, options.labelled or 100, options.q)


if __name__ == "__main__":
    main()
