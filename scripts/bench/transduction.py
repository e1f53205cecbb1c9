"""Transduction on graphs, timed: learned spectra against Clarabel, MNIST against label spreading; and a rule measured.

    python scripts/bench/transduction.py storm [--q 200] [--labelled 110]
    python scripts/bench/transduction.py growth
    python scripts/bench/transduction.py mnist [--examples 70000] [--labelled 100] [--search exact]
    python scripts/bench/transduction.py basis

`storm` solves one problem of STORM and of STOAM to a relative gap of 1e-6 by the interior-point method of
`kernlearn.solvers.WeightedFeatures`, and in Clarabel in three forms: (5.14) as printed, one quadratic constraint for
every nested kernel; (5.14) with a cone of dimension 3 for every eigenvector, and sums of them; and (5.6) over weights
and a function, with a rotated cone for every eigenvector. All have the kernel scaled to the mean trace 1, and a minute
at most. `growth` has the second form at other q and l. `mnist` states the CPU time of each stage, and the largest
memory of the process. CPU seconds on one thread; of Clarabel those without what cvxpy takes to compile. `basis` solves
STOAM on a mutual graph of MNIST's digits 0 and 9, which has many components, with the written rule for the basis of the
eigenvalue 0 and with random ones. All print a table in Markdown; `mnist` and `basis` need the data of the catalogue.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np
from common import cpu

from kernlearn import memory
from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Problem
from kernlearn.algorithms.transduction.storm import solve_storm
from kernlearn.datasets import load
from kernlearn.evaluation.splits.transduction import few_labels
from kernlearn.kernels.families.graph import neighbour_graph
from kernlearn.kernels.families.spectrum import spectrum_of

Array = np.ndarray
#: Random problems that are solved for a mean.
REPETITIONS = 5
#: The forms that Clarabel solves.
FORMS = {
    "printed": "Clarabel, (5.14) as printed",
    "sums": "Clarabel, (5.14), a cone for every eigenvector",
    "function": "Clarabel, (5.6), a cone for every eigenvector",
}
#: Eigenvectors and labelled examples: one grows, then the other.
GROWTH = ((50, 110), (100, 110), (200, 110), (400, 110), (200, 30), (200, 220), (200, 440))


def clarabel(F: Array, y: Array, C: float, B: float | None, epsilon: float, form: str) -> tuple[float, str]:
    """Solve (5.14) or (5.6) in one of the `FORMS`; return CPU seconds, and value and status."""
    import cvxpy as cp

    n, q = F.shape
    unit = float(np.mean((F**2).sum(axis=1))) / q
    G, c = F / np.sqrt(unit), C * unit
    order = np.arange(1, q)
    if form == "function":
        w, b, xi = cp.Variable(q), cp.Variable(), cp.Variable(n, nonneg=True)
        kappa, delta, u = cp.Variable(q), cp.Variable(q), cp.Variable(q)
        f = G @ w + b
        constraints = [cp.multiply(y, f) >= 1 - xi, kappa >= epsilon, cp.sum(delta) == 1, delta[0] == kappa[0]]
        constraints += [delta[-1] == kappa[-1], delta[1:-1] == delta[2:] + kappa[1:-1]]
        constraints += [cp.SOC(u + delta, cp.vstack([2 * w, u - delta]), axis=0)]  # w_j^2 <= u_j delta_j
        constraints += [] if B is None else [f <= B, f >= -B]
        goal: Any = cp.Minimize(0.5 * cp.sum(u) + c * cp.sum(xi))
    else:
        alpha, lam = cp.Variable(n, nonneg=True), cp.Variable(q, nonneg=True)
        tau, z, gam, value = cp.Variable(), cp.Variable(q), cp.multiply(y, alpha), cp.sum(alpha)
        if B is not None:
            beta, eta = cp.Variable(n, nonneg=True), cp.Variable(n, nonneg=True)
            gam, value = gam - beta + eta, value - B * cp.sum(beta + eta)
        constraints = [alpha <= c, cp.sum(gam) == 0, z == G.T @ gam]
        if form == "printed":
            constraints += [0.5 * cp.square(z[0]) <= tau - lam[0]]
            constraints += [0.5 * cp.sum_squares(z[1 : i + 1]) <= i * tau - lam[i] for i in order]
        else:
            squares, sums = cp.Variable(q), cp.Variable(q)
            constraints += [0.5 * cp.square(z) <= squares, squares[0] <= tau - lam[0], sums[0] == 0]
            constraints += [sums[1:] == sums[:-1] + squares[1:], sums[1:] <= cp.multiply(order, tau) - lam[1:]]
        goal = cp.Maximize(value - tau + epsilon * cp.sum(lam))
    program, limit = cp.Problem(goal, constraints), {"time_limit": 60.0}
    data, chain, inverse = program.get_problem_data(cp.CLARABEL, solver_opts=limit)  # not counted
    seconds, found = cpu(lambda: chain.solve_via_data(program, data, solver_opts=limit))
    program.unpack_results(found, chain, inverse)
    return seconds, f"{program.value / unit:.8g} ({program.status})"


def problem(q: int, labelled: int) -> tuple[Array, Array]:
    """Return q eigenvectors of a random graph on some labelled examples, and their labels."""
    rng = np.random.default_rng(0)
    n = max(1000, 3 * q)
    X = rng.normal(size=(n, 10))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    spectrum = spectrum_of(neighbour_graph(X, 5, mutual=False), q)
    some = rng.permutation(n)[:labelled]
    solve_storm(spectrum.U[some], y[some], 1000.0, 1.5)  # imports and first calls
    return spectrum.U[some], y[some]


def bench_storm(q: int, labelled: int, forms: Sequence[str]) -> None:
    """Print what one problem takes, with a band and without."""
    (F, y), C, epsilon = problem(q, labelled), 1000.0, 1e-6
    for name, B in (("stoam", None), ("storm, B = 1.5", 1.5)):
        times = [cpu(lambda B=B: solve_storm(F, y, C, B)) for _ in range(REPETITIONS)]
        ours, found = np.median([seconds for seconds, _ in times]), times[0][1]
        start = f"| {q} | {labelled} | {name} |"
        print(f"{start} ours | {ours:.4f} | 1 | {found.objective:.8g} (gap {found.gap:.0e}) |")
        for form in forms:
            try:
                seconds, value = clarabel(F, y, C, B, epsilon, form)
            except Exception as error:
                print(f"{start} {FORMS[form]} | - | - | {type(error).__name__} |")
                continue
            print(f"{start} {FORMS[form]} | {seconds:.3f} | {seconds / ours:.0f} | {value} |", flush=True)


def bench_basis() -> None:
    """Print the errors of STOAM with the rule for the basis of the eigenvalue 0, and with random bases."""
    data = load("mnist_pair", first=0, second=9)
    splits = few_labels(len(data.y), 0, 110)[:20]
    seen = np.sort(np.concatenate([splits[0].train, splits[0].test]))
    graph = neighbour_graph(data.X[seen], 5, mutual=True, standardise=True)
    y = np.where(data.y[seen] == 1, 1.0, -1.0)
    print("| basis | components | mean error %, 20 splits | of the 20 means: least, largest |\n|---|---|---|---|")
    for basis, seeds in (("components", 1), ("random", 20)):
        means = []
        for seed in range(seeds):
            spectrum = spectrum_of(graph, 200, basis=basis, seed=seed)
            errors = []
            for split in splits:
                train, test = (np.searchsorted(seen, rows) for rows in (split.train, split.test))
                found = solve_storm(spectrum.U[train], y[train], 1000.0)
                coef = found.x * (spectrum.U[train].T @ found.extras["gam"])
                errors.append(100.0 * np.mean((spectrum.U[test] @ coef + found.intercept > 0) != (y[test] > 0)))
            means.append(np.mean(errors))
        print(
            f"| {basis} | {spectrum.components} | {np.mean(means):.2f} | {min(means):.2f}, {max(means):.2f} |",
            flush=True,
        )


def bench_mnist(examples: int, labelled: int, q: int, search: str) -> None:
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
    seconds, graph = cpu(lambda: neighbour_graph(dense, 5, mutual=False, search=search))
    print(f"| graph, five neighbours, {search} | {seconds:.1f} | |", flush=True)
    seconds, spectrum = cpu(lambda: spectrum_of(graph, q, normalised=True))
    print(f"| {q} eigenvectors, residual {spectrum.residual:.0e} | {seconds:.1f} | |", flush=True)
    problem = Problem(spectrum, Classes(y[some], 10), some)

    def path(one: Problem) -> Any:
        return ALGORITHMS["storm"].path(one, Cs=[1e2 * examples], fractions=[0.5], epsilon=1e-6)

    seconds, (point,) = cpu(lambda: list(REDUCTIONS["one_vs_rest"](path, problem)))
    wrong = 100.0 * np.mean(point.predictor.outputs(spectrum).argmax(axis=0)[others] != y[others])
    print(f"| storm, ten problems with a band and ten without | {seconds:.1f} | {wrong:.2f} |")
    print(f"| peak of this process | {(memory.peak() or 0) / memory.GB:.1f} GB | |", flush=True)
    hidden = np.full(len(y), -1)
    hidden[some] = y[some]
    seconds, model = cpu(lambda: LabelSpreading(kernel="knn", n_neighbors=5, alpha=0.9).fit(dense, hidden))
    wrong = 100.0 * np.mean(model.transduction_[others] != y[others])
    print(f"| scikit-learn's LabelSpreading(kernel='knn'), all | {seconds:.1f} | {wrong:.2f} |")


def main() -> None:
    """Run one of the comparisons."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["storm", "growth", "mnist", "basis"])
    parser.add_argument("--q", type=int, default=200)
    parser.add_argument("--labelled", type=int)
    parser.add_argument("--examples", type=int, default=70_000)
    parser.add_argument("--search", choices=["exact", "approximate"], default="exact")
    options = parser.parse_args()
    if options.what in ("storm", "growth"):
        print("C = 1000, to a relative gap of 1e-6; ratio of CPU seconds to ours\n")
        print("| q | l | problem | method | CPU s | ratio | value |\n|---|---|---|---|---|---|---|")
    if options.what == "storm":
        bench_storm(options.q, options.labelled or 110, list(FORMS))
    elif options.what == "growth":
        for q, labelled in GROWTH:
            bench_storm(q, labelled, ["sums"])
    elif options.what == "mnist":
        bench_mnist(options.examples, options.labelled or 100, options.q, options.search)
    else:
        bench_basis()


if __name__ == "__main__":
    main()
