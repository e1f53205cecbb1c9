"""Time methods for the linear SVM on many sparse examples, and the substring kernel against listing all substrings.

``--problem sgd``: ``lambda/2 |w|^2`` and the mean hinge loss, no intercept. `LinearSVMClassifier` is asked for a gap,
which it certifies, and stops by itself. The others prove nothing of where they are: stochastic gradient descent as in
the textbook, `SGDClassifier` (with averages) and `LinearSVC`, both of scikit-learn, are run for 1, 2, 4, ... epochs,
each time anew, and credited with the first run that is good enough, as if they knew when to stop. `LinearSVC` is also
run as people do, until it stops by its tolerance. The examples are w8a and a8a where ``KERNLEARN_DATA`` has them, else
examples like these that are generated.

``--problem substring``: the Gram matrices of promoters, and of random strings of DNA, for substrings of length up to 2,
4, 8 and 60, against a dictionary of all substrings of every string and a sparse product.

CPU seconds on one thread, the best of some runs, as Markdown tables; ratios are to the first line.

    python scripts/bench/online.py                      # both
    python scripts/bench/online.py --problem sgd --lambda 1e-5
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import SGDClassifier
from sklearn.svm import LinearSVC
from sklearn.utils._testing import ignore_warnings

from kernlearn import LinearSVMClassifier
from kernlearn.algorithms.margin.sgd_svm import draw, solve_sgd_svm
from kernlearn.datasets import load
from kernlearn.kernels import GramStack, make_family
from kernlearn.solvers.svm.linear_svm import solve_linear_svm

Array = np.ndarray
#: Relative suboptimalities that are waited for, the epochs after which a method is given up, and runs of each.
WITHIN, MOST, RUNS = (1e-2, 1e-3), 512, 3
LENGTHS = [2, 4, 8, 60]
#: Examples, features, features that an example has, and the share of the rarer class of what stands in for a file.
LIKE = {"w8a": (49_749, 300, 12, 0.03), "a8a": (22_696, 123, 14, 0.24)}


def textbook(X: Any, y: Array, lambda_: float, epochs: int) -> Array:
    """Run stochastic gradient descent as printed."""
    return solve_sgd_svm(X, y, lambda_, draw(len(y), epochs, seed=0))


def sgd_classifier(X: Any, y: Array, lambda_: float, epochs: int) -> Array:
    """Run the averaged steps of scikit-learn."""
    options = {"fit_intercept": False, "tol": None, "average": True, "random_state": 0}
    return SGDClassifier(alpha=lambda_, max_iter=epochs, **options).fit(X, y).coef_[0]


def linear_svc(X: Any, y: Array, lambda_: float, epochs: int = 10**5, tol: float = 1e-14) -> Array:
    """Run LibLinear's dual coordinate descent."""
    options = {"loss": "hinge", "dual": True, "fit_intercept": False, "random_state": 0}
    return LinearSVC(C=1.0 / (lambda_ * len(y)), tol=tol, max_iter=epochs, **options).fit(X, y).coef_[0]


def certified(X: Any, y: Array, lambda_: float, gap: float) -> Array:
    """Run ours until the gap is proved."""
    return LinearSVMClassifier(lambda_, constant=0.0, tol=gap, max_sweeps=10**6).fit(X, y).coef_[0]


STOPPED: dict[str, Callable[..., Array]] = {
    "LinearSVC, stopped in time": linear_svc,
    "SGDClassifier, stopped in time": sgd_classifier,
    "SGD of the textbook, stopped in time": textbook,
}


def examples(name: str) -> tuple[Any, Array, str]:
    """Return sparse examples, labels +-1, and where they are from."""
    file = Path(os.environ.get("KERNLEARN_DATA", "")) / "libsvm" / f"{name}.gz"
    if file.is_file():
        given, labels = load_svmlight_file(str(file))
        X, y, source = sparse.csr_array(given), np.where(labels > 0, 1.0, -1.0), "the original"
    else:
        (m, d, some, share), rng = LIKE[name], np.random.default_rng(0)
        rows, columns = np.repeat(np.arange(m), some), (d * rng.random((m, some)) ** 2).astype(int).ravel()
        X = sparse.csr_array((np.ones(m * some), (rows, columns)), shape=(m, d))
        X.data[:] = 1.0
        f = X @ rng.normal(size=d) + rng.normal(size=m)
        y, source = np.where(f > np.quantile(f, 1 - share), 1.0, -1.0), "generated, for KERNLEARN_DATA has no such file"
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # as scikit-learn takes them
    return X, y, source


def timed(run: Callable[..., Array], *given: Any) -> tuple[float, Array]:
    """Return the least CPU seconds of some runs, and what came of them."""
    seconds = []
    for _ in range(RUNS):
        begin = process_time()
        w = run(*given)
        seconds.append(process_time() - begin)
    return min(seconds), w


@ignore_warnings(category=ConvergenceWarning)
def bench_sgd(name: str, lambda_: float) -> None:
    """Print the seconds of every method to every suboptimality."""
    X, y, source = examples(name)

    def objective(w: Array) -> float:
        return 0.5 * lambda_ * float(w @ w) + float(np.maximum(0.0, 1.0 - y * (X @ w)).mean())

    both = np.concatenate([np.flatnonzero(y > 0)[:50], np.flatnonzero(y < 0)[:50]])
    for run in (*STOPPED.values(), certified):
        run(X[both], y[both], lambda_, 1)  # compiles, imports
    known = solve_linear_svm(X, y, lambda_, 1e-5, max_sweeps=10**5)
    best = known.dual_objective

    def above(w: Array) -> float:
        return objective(w) / best - 1.0

    lines: dict[str, list[tuple[float, str] | None]] = {"LinearSVMClassifier, gap certified": []}
    for within in WITHIN:
        seconds, w = timed(certified, X, y, lambda_, within)
        lines["LinearSVMClassifier, gap certified"].append((seconds, f"{above(w):.0e}"))
    for method, run in STOPPED.items():
        lines[method], epochs = [], 1
        for within in WITHIN:
            while (reached := above(run(X, y, lambda_, epochs))) > within and epochs < MOST:
                epochs *= 2
            words = f"{reached:.0e} in {epochs} epochs"
            lines[method].append((timed(run, X, y, lambda_, epochs)[0], words) if reached <= within else None)
    for tol in (1e-1, 1e-4):
        seconds, w = timed(linear_svc, X, y, lambda_, 10**5, tol)
        found = seconds, f"{above(w):.0e}"
        lines[f"LinearSVC, tol={tol:g}"] = [found if above(w) <= within else None for within in WITHIN]
    size = f"{X.shape[0]} x {X.shape[1]}, {X.nnz} values"
    print(f"\n{name} ({source}): {size}, lambda = {lambda_:g}, optimum {best:.6f} certified to {known.gap:.0e}\n")
    print("| method |", *(f"CPU s within {within:g} | ratio | reached |" for within in WITHIN))
    print("|---|" + "---|---|---|" * len(WITHIN))
    first = [found[0] for found in lines["LinearSVMClassifier, gap certified"] if found]
    for method, found in lines.items():
        cells = [
            f"{one[0]:.3f} | {one[0] / ours:.1f} | {one[1]} |" if one else f"not in {MOST} epochs | | |"
            for one, ours in zip(found, first, strict=True)
        ]
        print(f"| {method} |", *cells)


def listed(X: Array) -> Array:
    """Return the substring kernels by listing the substrings of every string, up to the longest length."""
    strings = [tuple(int(code) for code in x if code >= 0) for x in X]
    numbers: dict[tuple[int, ...], int] = {}
    rows, columns = [], []
    for i, string in enumerate(strings):
        words = {string[a : a + k] for k in range(1, max(LENGTHS) + 1) for a in range(len(string) - k + 1)}
        columns += [numbers.setdefault(word, len(numbers)) for word in words]
        rows += [i] * len(words)
    lengths = np.array([len(word) for word in numbers])
    psi = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(X), len(numbers)))
    parts = [psi[:, lengths <= length] for length in LENGTHS]
    return np.stack([(part @ part.T).toarray() for part in parts], axis=2)


def bench_substring() -> None:
    """Print the seconds of both on promoters and on random DNA of several numbers, and that they agree."""
    family = make_family("substring", lengths=LENGTHS)
    GramStack.train(family, np.zeros((2, 3)))  # compiles
    random = np.random.default_rng(0).integers(0, 4, (1000, 60)).astype(float)
    sets = {"promoters, 106 of length 57": load("promoters").X}
    sets |= {f"{n} random strings of length 60": random[:n] for n in (250, 500, 1000)}
    print("\n| strings | automaton, CPU s | listed, CPU s | ratio |\n|---|---|---|---|")
    for name, X in sets.items():
        ours, K = timed(lambda X=X: GramStack.train(family, X).base)
        theirs, other = timed(listed, X)
        if not np.array_equal(K, other):
            raise AssertionError(f"{name}: the kernels differ")
        print(f"| {name} | {ours:.4f} | {theirs:.3f} | {theirs / ours:.1f} |")


def main() -> None:
    """Run the benchmarks that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problem", choices=["sgd", "substring"], help="one of the two")
    parser.add_argument("--data", nargs="+", choices=list(LIKE), default=list(LIKE))
    parser.add_argument("--lambda", dest="lambda_", type=float, default=1e-4)
    options = parser.parse_args()
    if options.problem != "substring":
        for name in options.data:
            bench_sgd(name, options.lambda_)
    if options.problem != "sgd":
        bench_substring()


if __name__ == "__main__":
    main()
