"""Time and memory of machines for many examples, without a kernel matrix or with one, against peers, and their growth.

Two noisy classes in 20 dimensions: x is normal, the class the sign of a quadratic form, a tenth of the labels turned
round, so the best error is 10 %. A fresh process on one thread for every line; CPU seconds from the examples on,
imports and compilation apart, the peak of the process, and the error on 4,000 other examples. The exponent is that of
n, over all sizes.

    python scripts/bench/large.py svm --n 4000 8000 16000 32000   # gap 1e-6 beside LibSVM and Nystroem + LinearSVC
    python scripts/bench/large.py w8a                             # all 49,749 examples of w8a, sparse
    python scripts/bench/large.py a8a                             # all 22,696 examples of a8a, sparse
    python scripts/bench/large.py learning --n 2000 4000 8000     # ten Gaussian kernels, one combined matrix
    python scripts/bench/large.py approximate --n 4000 8000 16000 # kernel.approximate=nystrom beside the exact machine

The value of `approximate` is that of (P) in multiples of that of the exact machine: a kernel of lower rank fits less.
"""

import argparse
import resource
from collections.abc import Callable
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import alone

from kernlearn import LKRRRegressor, MKLClassifier, TwoStageClassifier
from kernlearn.datasets import load
from kernlearn.kernels import NystromFamily, make_family
from kernlearn.kernels.matrices.rows import kernel_rows
from kernlearn.memory import MB, peak, reset_peak
from kernlearn.solvers import KernelGram, SMOSolver
from kernlearn.solvers.bands.working_set import Sizes

Array = np.ndarray
#: Features of the problem, part of the labels that is turned round, width of the kernel, and other examples.
D, NOISE, GAMMA, OTHERS = 20, 0.1, 1 / 20, 4000
#: Widths of ten kernels.
GAMMAS = np.geomspace(GAMMA / 10, GAMMA * 10, 10).tolist()
#: Sets that are taken whole, and the width of their kernel.
SETS = ("w8a", "a8a")
SET_GAMMA = 1 / 30
#: Landmarks of the approximations.
RANKS = (100, 300, 1000, 3000)
#: What is measured: CPU seconds, peak in MB, gap (NaN if none is known), error in percent, value of (P).
Line = tuple[float, float, float, float, float]
#: What a fit gives: gap, value of (P), and the outputs on other examples.
Fit = tuple[float, float, Callable[[Any], np.ndarray]]


def noisy(n: int, seed: int = 0) -> tuple[Array, Array]:
    """Return n examples and their labels +-1."""
    random, A = np.random.default_rng(seed), np.random.default_rng(1).standard_normal((D, D))
    X = random.standard_normal((n, D))
    values = np.einsum("ij,jk,ik->i", X, A, X) - np.trace(A)
    return X, np.where((values > 0) ^ (random.random(n) < NOISE), 1.0, -1.0)


def whole(name: str) -> tuple[Any, Array]:
    """Return the examples of a set, a sparse matrix, and labels +-1."""
    data = load(name)
    return data.X, np.where(data.y == 1, 1.0, -1.0)


def by_rows(X: Any, y: Array, gamma: float) -> Fit:
    """Solve the SVM from rows of its kernel."""
    values = kernel_rows(make_family("gaussian", gammas=[gamma]), X)
    solution = SMOSolver(KernelGram(values), y, 1e-6).solve(1.0)
    support = np.flatnonzero(solution.x)
    coef, b = solution.x[support], solution.intercept
    return solution.gap, solution.objective, lambda Z: values.function(Z, X[support]) @ coef + b


def libsvm(X: Any, y: Array, gamma: float) -> Fit:
    """Fit LibSVM at its default tolerance."""
    from scipy import sparse
    from sklearn.svm import SVC

    if sparse.issparse(X):  # it takes short indices only
        X = sparse.csr_matrix((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), X.shape)
    return np.nan, np.nan, SVC(C=1.0, gamma=gamma, cache_size=500).fit(X, y).decision_function


def approximate(rank: int) -> Callable[..., Fit]:
    """Return what solves the SVM whose kernel is approximated, as a run with ``kernel.approximate=nystrom`` does."""

    def fit(X: Any, y: Array, gamma: float) -> Fit:
        family = make_family("gaussian", gammas=[gamma], approximate="nystrom", rank=rank)
        assert isinstance(family, NystromFamily)
        (features,) = family.features(0, X)
        solution = SMOSolver(KernelGram(kernel_rows(family, features)), y, 1e-6).solve(1.0)
        w, b = features.T @ solution.x, solution.intercept
        return solution.gap, solution.objective, lambda Z: family.features(0, X, Z)[1] @ w + b

    return fit


def nystroem(rank: int) -> Callable[..., Fit]:
    """Return what fits a linear SVM on features that approximate the kernel: another problem."""

    def fit(X: Any, y: Array, gamma: float) -> Fit:
        from sklearn.kernel_approximation import Nystroem
        from sklearn.pipeline import make_pipeline
        from sklearn.svm import LinearSVC

        features = Nystroem(gamma=gamma, n_components=min(rank, X.shape[0]), random_state=0)
        model = make_pipeline(features, LinearSVC(loss="hinge", C=1.0, max_iter=10_000, random_state=0))
        return np.nan, np.nan, model.fit(X, y).decision_function

    return fit


def learned(estimator: Any) -> Callable[..., Fit]:
    """Return what fits an estimator with ten kernels, by blocks at any size."""

    def fit(X: Any, y: Array, _: float) -> Fit:
        estimator._held = 0.0
        estimator.set_params(kernel="gaussian", gammas=GAMMAS).fit(X, y)
        return estimator.gap_, np.nan, getattr(estimator, "decision_function", estimator.predict)

    return fit


EXACT = "SVM by rows, gap 1e-6"
METHODS: dict[str, dict[str, Any]] = {
    "svm": {
        EXACT: by_rows,
        "LibSVM, 1e-3": libsvm,
        "Nystroem 300 + LinearSVC": nystroem(300),
        "Nystroem 1000 + LinearSVC": nystroem(1000),
    },
    **{name: {EXACT: by_rows, "LibSVM, 1e-3": libsvm} for name in SETS},
    "learning": {
        "alignf + SVM": learned(TwoStageClassifier(weighting="alignf")),
        "l1_mkl": learned(MKLClassifier(norm=1.0)),
        "l2_krr": learned(LKRRRegressor()),
    },
    "approximate": {EXACT: by_rows, **{f"SVM, rank {rank}, gap 1e-6": approximate(rank) for rank in RANKS}},
}


def measure(part: str, name: str, n: int) -> Line:
    """Return what a method takes."""
    fit, gamma = METHODS[part][name], SET_GAMMA if part in SETS else GAMMA
    warm = min(n, 200)
    fit(*noisy(warm), gamma)
    if part == "approximate" or fit is by_rows:  # all that is to be compiled
        X, y = noisy(warm)
        values = kernel_rows(make_family("gaussian", gammas=[gamma]), X)
        SMOSolver(KernelGram(values), y, 1e-6, sizes=Sizes(60)).solve(1.0)
    X, y = whole(part) if part in SETS else noisy(n)
    reset_peak()
    start = resource.getrusage(resource.RUSAGE_SELF)
    gap, value, outputs = fit(X, y, gamma)
    end = resource.getrusage(resource.RUSAGE_SELF)
    seconds = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    most = (peak() or 0) / MB
    if part in SETS:
        return seconds, most, gap, float("nan"), value
    Z, z = noisy(OTHERS, seed=1)
    return seconds, most, gap, 100.0 * float(np.mean((outputs(Z) > 0) != (z > 0))), value


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=[*METHODS])
    parser.add_argument("--n", type=int, nargs="+", default=[2000, 4000, 8000], help="numbers of examples")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="methods whose names begin so")
    arguments = parser.parse_args()
    heads = ("method", "n", "CPU s", "peak MB", "gap", f"error % (best {100 * NOISE:g})", "value of (P)", "exponent")
    print("|", " | ".join(heads), "|\n" + len(heads) * "|---" + "|")
    exact: dict[int, float] = {}
    for name in METHODS[arguments.part]:
        if arguments.only and not name.startswith(tuple(arguments.only)):
            continue
        found: list[tuple[int, float]] = []
        for n in [len(load(arguments.part).y)] if arguments.part in SETS else arguments.n:
            seconds, most, gap, error, value = alone(measure, arguments.part, name, n)
            found.append((n, seconds))
            power = np.polyfit(*np.log(np.array(found)).T, 1)[0] if len(found) > 1 else np.nan
            share = value / exact.setdefault(n, value)
            shown = [f"{seconds:.1f}", f"{most:.0f}", f"{gap:.0e}", f"{error:.1f}", f"{share:.3f}", f"{power:.1f}"]
            print("|", " | ".join([name, str(n), *(word.replace("nan", "") for word in shown)]), "|", flush=True)


if __name__ == "__main__":
    main()
