"""Time our homotopy for the soft-margin SVM against LibSVM and OSQP, on the same quadratic programs.

One split of a data set (examples of unit norm), the kernels (x.z + 1)^k, k = 1..10, and twelve values of C from 1e-4 to
1e7: the grid of the paper, 120 programs. Each method runs in a fresh process on one thread. Reported are CPU seconds
(user and system) from the Gram matrices on, imports and compilation apart; the median and the largest relative duality
gap, recomputed from the data; and how many programs have a gap above 1e-6.

    python scripts/bench/svm.py --dataset ionosphere --peers libsvm osqp
    python scripts/bench/svm.py --dataset german

Peers:

libsvm          LibSVM through scikit-learn, every program anew, its default tolerance, at most 100,000 iterations
libsvm_long     the same with at most 10,000,000 iterations
osqp            OSQP, eps 1e-6, polishing, at most 20,000 iterations; one factorisation for all C of a kernel
"""

import argparse
import resource
from collections.abc import Iterator

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import alone

from kernlearn.certificates import relative_gap
from kernlearn.datasets import load
from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import SCALINGS, GramStack, make_family
from kernlearn.solvers import LibSVMSolver, SVMSolver

CS = [10.0**e for e in range(-4, 8)]

Array = np.ndarray
#: For every C, in order: expansion coefficients and intercept (the primal point), and alpha (the dual point).
Fits = Iterator[tuple[Array, float, Array]]


def homotopy(K: Array, y: Array) -> Fits:
    """Our solver, warm along C."""
    solver = SVMSolver(K, y)
    for C in CS:
        solution = solver.solve(C)
        yield solution.x, solution.intercept, solution.dual


def libsvm(K: Array, y: Array, max_iter: int = 100_000) -> Fits:
    """LibSVM, every C anew."""
    solver = LibSVMSolver(K, y, max_iter=max_iter)
    for C in CS:
        solution = solver.solve(C)
        yield solution.x, solution.intercept, solution.dual


def libsvm_long(K: Array, y: Array) -> Fits:
    """LibSVM with a hundred times the iterations."""
    return libsvm(K, y, 10_000_000)


def osqp(K: Array, y: Array) -> Fits:
    """OSQP on the dual program in beta = alpha y, warm along C; b is the multiplier of sum beta = 0."""
    import osqp
    from scipy import sparse

    n = len(y)
    rows = sparse.vstack([np.ones((1, n)), sparse.eye(n)], format="csc")
    model = osqp.OSQP()
    for number, C in enumerate(CS):
        low, high = np.minimum(0.0, C * y), np.maximum(0.0, C * y)
        bounds = {"l": np.concatenate([[0.0], low]), "u": np.concatenate([[0.0], high])}
        if number == 0:
            options = {"eps_abs": 1e-6, "eps_rel": 1e-6, "max_iter": 20_000, "polishing": True, "verbose": False}
            model.setup(P=sparse.triu(K, format="csc"), q=-y, A=rows, **bounds, **options)
        else:
            model.update(**bounds)
        result = model.solve(raise_error=False)
        x = np.clip(result.x, low, high)
        yield x, float(result.y[0]), y * x


METHODS = {method.__name__: method for method in (homotopy, libsvm, libsvm_long, osqp)}


def gap(K: Array, y: Array, C: float, x: Array, intercept: float, alpha: Array) -> float:
    """Return the relative duality gap."""
    f = K @ x
    primal = 0.5 * x @ f + C * np.maximum(0.0, 1.0 - y * (f + intercept)).sum()
    beta = alpha * y
    return relative_gap(float(primal), float(alpha.sum() - 0.5 * beta @ K @ beta), C * len(y))


def matrices(dataset: str) -> tuple[list[Array], Array]:
    """Return the Gram matrices and the labels of split 0, seed 0."""
    data = load(dataset)
    split = PROTOCOLS["rotation5"].make(data.y, data.classes, seed=0)[0]
    (X,) = SCALINGS["unit"](data.X[split.train])
    stack = GramStack.train(make_family("polynomial", degrees=range(1, 11), coef0=1.0), X)
    return [stack.select(k).matrix(0) for k in range(len(stack))], np.where(data.y[split.train] == 1, 1.0, -1.0)


def measure(method: str, dataset: str) -> tuple[float, list[float]]:
    """Return CPU seconds and gaps of a method."""
    solve = METHODS[method]
    list(solve(np.eye(4) + 1.0, np.array([1.0, -1.0, 1.0, -1.0])))  # imported and compiled on the first call
    Ks, y = matrices(dataset)
    start = resource.getrusage(resource.RUSAGE_SELF)
    fits = [list(solve(K, y)) for K in Ks]
    end = resource.getrusage(resource.RUSAGE_SELF)
    seconds = end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime
    gaps = [gap(K, y, C, *fit) for K, path in zip(Ks, fits, strict=True) for C, fit in zip(CS, path, strict=True)]
    return seconds, gaps


def main() -> None:
    """Measure the methods and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="ionosphere")
    parser.add_argument("--peers", nargs="*", default=["libsvm"], choices=[*METHODS][1:])
    arguments = parser.parse_args()
    try:
        classes = load(arguments.dataset).classes
    except UserError as error:
        parser.error(str(error))
    print(f"{arguments.dataset}, class {classes[1]} against the rest, 120 programs")
    print(f"{'method':<12}{'CPU s':>9}{'ratio':>8}{'median gap':>13}{'largest gap':>13}{'above 1e-6':>12}")
    reference = 0.0
    for method in ["homotopy", *arguments.peers]:
        seconds, gaps = alone(measure, method, arguments.dataset)
        reference = reference or seconds
        sizes = np.abs(gaps)
        print(
            f"{method:<12}{seconds:>9.2f}{seconds / reference:>8.1f}{np.median(sizes):>13.1e}{sizes.max():>13.1e}"
            f"{(sizes > 1e-6).sum():>12}",
            flush=True,
        )


if __name__ == "__main__":
    main()
