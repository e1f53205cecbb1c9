"""Exact gaps of popular solvers: how far their solutions are from the optimum of the problem that they state.

There are ten data sets of two classes, with at most 1000 rows of each. Features have mean 0 and variance 1 unless a
line says "unscaled". Kernels are Gaussian with gamma = 1 / (d var). The objective is that of the predictor which is
handed out. The lower bound is the best one known. It comes from the solver's own multipliers, or from points made
from its predictor, as `kernlearn.certify` finds it; or from our own solver, or from scikit-learn's most exact one, on
the same problem. Approximations (Nystroem, a subset of centres) are functions in the space of the exact kernel, and
their objective is that of the exact problem. The last column is the share of rows that the predictor classifies
otherwise than our own solution.

    python scripts/bench/exact_gaps.py                        # everything, some minutes
    python scripts/bench/exact_gaps.py --datasets sonar       # these alone, to the terminal
"""

import argparse
import csv
import io
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

from kernlearn import certify, certify_arrays
from kernlearn.atomic import write_atomically
from kernlearn.certificates.foreign import Proof
from kernlearn.datasets import load
from kernlearn.report.markdown import table_line
from kernlearn.runner.provenance.made import made
from kernlearn.runner.provenance.record import Computation, provenance, write_provenance
from kernlearn.solvers import SVMSolver
from kernlearn.types import Array

TARGET = Path(__file__).parents[2] / "results" / "exact_gaps"
DATASETS = (
    *("ionosphere", "breastcancer", "pima", "sonar", "musk", "spambase"),
    *("wdbc", "digits", "twonorm", "ringnorm"),
)
COLUMNS = (
    *("dataset", "n", "d", "solver", "problem", "objective", "lower_bound", "relative_gap", "certified_alone"),
    *("differ_pct",),
)
MOST = 1000
#: Centres of approximations.
CENTRES = 100
#: Relative gap of our own solutions.
TOL = 1e-9


#: A lower bound of a problem, and the outputs of a solution of it.
Bounded = tuple[float, Array]


class Data(NamedTuple):
    """Examples of two classes, standardised, and as they are."""

    X: Array
    raw: Array
    y: Array

    @property
    def K(self) -> Array:
        """The Gaussian kernel matrix."""
        return rbf_kernel(self.X, gamma=1.0 / (self.X.shape[1] * self.X.var()))


def read(name: str) -> Data:
    """Return some rows of a data set; of more than two classes the first half of them against the others."""
    data = load(name)
    rows = np.unique(np.linspace(0, data.X.shape[0] - 1, min(MOST, data.X.shape[0])).astype(int))
    raw = np.asarray(data.X)[rows]
    y = np.where(data.y[rows] >= (len(data.classes) + 1) // 2, 1.0, -1.0)
    raw = raw[:, raw.std(axis=0) > 0.0]
    return Data((raw - raw.mean(axis=0)) / raw.std(axis=0), raw, y)


def our_svm(K: Array, y: Array, C: float, *, bias: bool = True) -> Bounded:
    """Return a lower bound and the outputs of our solution of a support vector machine."""
    solution = SVMSolver(K, y, TOL, bias=bias).solve(C)
    proof = certify_arrays(
        "svm", K, y, solution.x, solution.dual * y, kernel=True, intercept=solution.intercept if bias else None, C=C
    )
    return proof.lower_bound, K @ solution.x + solution.intercept


def most_exact(estimator: Any, data: Data, *, unscaled: bool = False) -> Bounded:
    """Return a lower bound and the outputs of an estimator of scikit-learn that is exact."""
    proof, outputs = fitted(estimator, unscaled=unscaled)(data)
    return proof.lower_bound, outputs


def fitted(estimator: Any, *, unscaled: bool = False) -> Callable[[Data], tuple[Proof, Array]]:
    """Return what fits an estimator and certifies it: the proof, and its outputs."""

    def solve(data: Data) -> tuple[Proof, Array]:
        X = data.raw if unscaled else data.X
        model = estimator.fit(X, data.y)
        outputs = model.decision_function(X) if hasattr(model, "decision_function") else model.predict(X)
        return certify(model, X, data.y), outputs

    return solve


def nystroem(data: Data) -> tuple[Proof, Array]:
    """Fit a linear SVM on the features of Nystroem, and certify it as a function of the exact kernel's space."""
    gamma = 1.0 / (data.X.shape[1] * data.X.var())
    features = Nystroem(gamma=gamma, n_components=min(CENTRES, len(data.y)), random_state=0).fit(data.X)
    Z = features.transform(data.X)
    model = LinearSVC(loss="hinge", C=1.0, max_iter=100_000, random_state=0).fit(Z, data.y)
    coef = np.zeros(len(data.y))
    coef[features.component_indices_] = features.normalization_.T @ model.coef_[0]
    b = float(model.intercept_[0])
    return certify_arrays("svm", data.K, data.y, coef, kernel=True, intercept=b), data.K @ coef + b


def subset_of_centres(data: Data) -> tuple[Proof, Array]:
    """Fit ridge regression with some centres, the problem of FALKON, and certify it in the exact kernel's space."""
    K, n = data.K, len(data.y)
    centres = np.random.default_rng(0).choice(n, min(CENTRES, n), replace=False)
    part = K[:, centres]
    a = np.linalg.lstsq(part.T @ part + K[np.ix_(centres, centres)], part.T @ data.y, rcond=None)[0]
    coef = np.zeros(n)
    coef[centres] = a
    return certify_arrays("ridge", K, data.y, coef, kernel=True), K @ coef


def cases() -> Iterator[tuple[str, Callable[[Data], tuple[Proof, Array]], Callable[[Data], Bounded]]]:
    """Yield solvers by name, and what bounds the same problem by a solution that is more exact."""
    for C in (1.0, 1e3, 1e6):
        for tol in (1e-3, 1e-6):
            name = f"SVC(C={C:g})" if tol == 1e-3 else f"SVC(C={C:g}, tol={tol:g})"
            yield name, fitted(SVC(C=C, tol=tol, max_iter=10_000_000)), partial(gaussian, C)
    linear = SVC(kernel="linear", max_iter=1_000_000)
    yield "SVC(kernel='linear'), unscaled, at most 1e6 steps", fitted(linear, unscaled=True), unscaled_linear
    yield f"Nystroem({CENTRES}) + LinearSVC(loss='hinge')", nystroem, partial(gaussian, 1.0)
    squared = partial(most_exact, LinearSVC(tol=1e-10, dual=False, max_iter=10_000))
    yield "LinearSVC()", fitted(LinearSVC(random_state=0)), squared
    yield "LinearSVC(dual=True)", fitted(LinearSVC(dual=True, random_state=0)), squared
    yield "LinearSVC(loss='hinge')", fitted(LinearSVC(loss="hinge", random_state=0)), penalised_intercept
    for alpha in (1e-4, 1e-2):
        model = SGDClassifier("hinge", alpha=alpha, random_state=0)
        yield f"SGDClassifier('hinge', alpha={alpha:g})", fitted(model), partial(mean_hinge, alpha)
    logistic = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000)
    yield "LogisticRegression()", fitted(LogisticRegression()), partial(most_exact, logistic)
    name = "LogisticRegression(), unscaled"
    yield name, fitted(LogisticRegression(), unscaled=True), partial(most_exact, logistic, unscaled=True)
    yield "KernelRidge(kernel='rbf')", fitted(KernelRidge(kernel="rbf")), partial(most_exact, KernelRidge(kernel="rbf"))
    yield "KernelRidge(kernel='rbf', alpha=1e-4), float32", in_single, double_of_single
    yield f"ridge regression with {CENTRES} of n centres", subset_of_centres, exact_ridge


def gaussian(C: float, data: Data) -> Bounded:
    """Bound a support vector machine with the Gaussian kernel."""
    return our_svm(data.K, data.y, C)


def unscaled_linear(data: Data) -> Bounded:
    """Bound a support vector machine of the features as they are."""
    return our_svm(data.raw @ data.raw.T, data.y, 1.0)


def penalised_intercept(data: Data) -> Bounded:
    """Bound a linear support vector machine whose intercept is penalised."""
    return our_svm(data.X @ data.X.T + 1.0, data.y, 1.0, bias=False)


def mean_hinge(alpha: float, data: Data) -> Bounded:
    """Bound a linear support vector machine in the units of gradient descent."""
    bound, outputs = our_svm(data.X @ data.X.T, data.y, 1.0 / (alpha * len(data.y)))
    return alpha * bound, outputs


def double_of_single(data: Data) -> Bounded:
    """Bound ridge regression of features that are rounded to single precision."""
    X = data.X.astype(np.float32).astype(np.float64)
    return most_exact(KernelRidge(kernel="rbf", alpha=1e-4), data._replace(X=X))


def exact_ridge(data: Data) -> Bounded:
    """Return a lower bound and the outputs of exact kernel ridge regression."""
    coef = np.linalg.solve(data.K + np.eye(len(data.y)), data.y)
    return certify_arrays("ridge", data.K, data.y, coef, coef, kernel=True).lower_bound, data.K @ coef


def in_single(data: Data) -> tuple[Proof, Array]:
    """Fit a KernelRidge in single precision, and certify what it hands out on the same numbers."""
    X = data.X.astype(np.float32)
    model = KernelRidge(kernel="rbf", alpha=1e-4).fit(X, data.y)
    return certify(model, X, data.y), model.predict(X)


def rows_of(name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a data set."""
    data = read(name)
    for solver, solve, exact in cases():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what did not converge is what is measured
            proof, outputs = solve(data)
            bound, best = exact(data)
        lower = max(proof.lower_bound, bound)
        gap = (proof.objective - lower) / proof.objective
        yield {
            **{"dataset": name, "n": len(data.y), "d": data.X.shape[1], "solver": solver, "problem": proof.problem},
            **{"objective": f"{proof.objective:.10g}", "lower_bound": f"{lower:.10g}"},
            **{"relative_gap": f"{max(gap, 0.0):.1e}", "certified_alone": f"{max(proof.relative_gap, 0.0):.1e}"},
            "differ_pct": f"{100.0 * np.mean((outputs > 0.0) != (best > 0.0)):.1f}",
        }


def report(rows: list[dict[str, Any]]) -> str:
    """Return the report in Markdown: for every solver the median and the largest gap over the data sets."""
    lines = [
        *("# Exact gaps of popular solvers", "", "`python scripts/bench/exact_gaps.py`", ""),
        *(" ".join((__doc__ or "").split("\n\n")[1].split()), ""),
        table_line(("solver", "median gap", "largest gap", "on", "certified alone, median", "differs most, %")),
        "|---|---|---|---|---|---|",
    ]
    for solver in dict.fromkeys(row["solver"] for row in rows):
        mine = [row for row in rows if row["solver"] == solver]
        worst = max(mine, key=lambda row: float(row["relative_gap"]))
        middle, alone = (median(float(row[key]) for row in mine) for key in ("relative_gap", "certified_alone"))
        differ = max(float(row["differ_pct"]) for row in mine)
        cells = solver, f"{middle:.1e}", worst["relative_gap"], worst["dataset"], f"{alone:.1e}", f"{differ:.1f}"
        lines.append(table_line(cells))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Compute all lines, then write table and report, or print the lines of some data sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", nargs="+", choices=DATASETS, default=[], metavar="NAME")
    arguments = parser.parse_args()
    computation, start, rows = Computation(None), perf_counter(), []
    for name in arguments.datasets or DATASETS:
        began = perf_counter()
        for row in rows_of(name):
            rows.append(row)
            shown = ("dataset", "solver", "relative_gap", "certified_alone", "differ_pct")
            print("  ".join(str(row[key]) for key in shown), flush=True)
        computation.add(name, made(seconds=perf_counter() - began))
    if arguments.datasets:
        return
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    TARGET.mkdir(parents=True, exist_ok=True)
    write_atomically(TARGET / "exact_gaps.csv", stream.getvalue().encode())
    write_atomically(TARGET / "exact_gaps.md", report(rows).encode())
    write_provenance(TARGET / "exact_gaps.provenance.json", provenance([], computation, perf_counter() - start))


if __name__ == "__main__":
    main()
