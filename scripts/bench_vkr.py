"""Time the path solver of Voted Kernel Regularization against peers, on the same linear programs in the same run.

One split of a data set, the whole grid of lambda and beta, everything from the training examples on. Each method runs
in a fresh process on one thread; CPU seconds (user and system) of its work, without imports, and the peak memory of its
process are reported, with the largest relative distance of its optimal values from the certified ones.

    python scripts/bench_vkr.py --dataset ionosphere --complexity lemma3

Peers: ``linprog``, scipy.optimize.linprog(method="highs") on the program as printed in the paper, every grid point
cold; ``linprog_scaled``, the same with columns scaled to largest entry 1, which it solves more exactly.
"""

import argparse
import os
import resource
import time
from collections.abc import Callable
from multiprocessing import get_context

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import numpy as np  # noqa: E402  (after the number of threads is set)

from kernlearn.algorithms.vkr import grid, path  # noqa: E402
from kernlearn.datasets import load  # noqa: E402
from kernlearn.evaluation import PROTOCOLS  # noqa: E402
from kernlearn.kernels import COMPLEXITIES, SCALINGS, GramStack, make_family  # noqa: E402

POWERS = [10.0**-i for i in range(7)]


def problem(dataset: str) -> tuple[GramStack, np.ndarray]:
    """Return the training stack and labels of split 0, seed 0, examples of unit norm, degrees 1 to 10."""
    data = load(dataset)
    split = PROTOCOLS["rotation5"].make(data.y, data.classes, seed=0)[0]
    (X,) = SCALINGS["unit"](data.X[split.train])
    stack = GramStack.train(make_family("polynomial", degrees=range(1, 11), coef0=1.0), X)
    return stack, np.where(data.y[split.train] == 1, 1.0, -1.0)


def ours(stack: GramStack, y: np.ndarray, complexity: str) -> list[float]:
    """Solve the grid by our path."""
    points = path(stack, y, complexity=complexity, lambdas=POWERS, betas=POWERS)
    solutions = [point.solutions[0] for point in points]
    assert max(s.gap for s in solutions) <= 1e-8, "a point was not certified"
    return [s.objective for s in solutions]


def linprog(stack: GramStack, y: np.ndarray, complexity: str, scaled: bool = False) -> list[float]:
    """Solve every grid point by scipy, in the variables a+, a-, xi."""
    from scipy.optimize import linprog

    m = len(y)
    A = np.hstack([y[:, None] * stack.matrix(k) for k in range(len(stack))])
    scale = np.abs(A).max(axis=0) if scaled else np.ones(A.shape[1])
    A_ub = np.hstack([-A / scale, A / scale, -np.eye(m)])
    r = COMPLEXITIES[complexity](stack)
    values = []
    for point in grid(stack.family, POWERS, POWERS, complexity):
        penalty = np.repeat(point["lambda"] * r + point["beta"], m) / scale
        c = np.concatenate([penalty, penalty, np.full(m, 1 / m)])
        values.append(linprog(c, A_ub=A_ub, b_ub=-np.ones(m), method="highs").fun)
    return [np.nan if value is None else value for value in values]


METHODS: dict[str, Callable[..., list[float]]] = {
    "kernlearn": ours,
    "linprog": linprog,
    "linprog_scaled": lambda stack, y, complexity: linprog(stack, y, complexity, scaled=True),
}


def measure(method: str, dataset: str, complexity: str) -> tuple[float, float, list[float]]:
    """Return CPU seconds, peak memory in MB and the optimal values of a method."""
    stack, y = problem(dataset)
    start = time.process_time()
    values = METHODS[method](stack, y, complexity)
    seconds = time.process_time() - start
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, values


def main() -> None:
    """Measure all methods and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="ionosphere")
    parser.add_argument("--complexity", default="lemma3", choices=COMPLEXITIES)
    parser.add_argument("--peers", nargs="*", default=["linprog", "linprog_scaled"], choices=[*METHODS][1:])
    arguments = parser.parse_args()
    stack, y = problem(arguments.dataset)
    size = f"m = {len(y)}, p = {len(stack)}, {arguments.complexity}"
    print(f"{arguments.dataset}: {size}, {len(POWERS) ** 2} linear programs")
    print(f"{'method':<16}{'CPU s':>9}{'peak MB':>9}{'ratio':>8}   largest relative error of the optimal value")
    results = {}
    for method in ["kernlearn", *arguments.peers]:
        with get_context("spawn").Pool(1) as pool:
            results[method] = pool.apply(measure, (method, arguments.dataset, arguments.complexity))
        seconds, memory, values = results[method]
        reference_seconds, _, reference = results["kernlearn"]
        error = np.max(np.abs(np.array(values) - reference) / reference)
        print(f"{method:<16}{seconds:>9.2f}{memory:>9.0f}{seconds / reference_seconds:>8.1f}   {error:.1e}")


if __name__ == "__main__":
    main()
