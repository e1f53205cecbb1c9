"""Time one cold program of Voted Kernel Regularization against the number of examples: the simplex method and interior.

Artificial examples: normal in 20 dimensions, of norm 1; the label is the sign of a quadratic form, one in ten is
wrong. Kernels (x.z + 1)^k, k = 1..10, penalties of Lemma 3 with lambda = 0.01, beta = 0.001: ten columns for every
example, and a solution with a coefficient for every second or third. Every solver has a process of its own on one
thread: the simplex method, the same from a basis of the interior point method, both to a gap of 1e-9, and interior
points alone, without a vertex, to that of --tol. From m = 8192 on the kernels are streamed. Reported are CPU seconds
(kernels that are kept and compilation apart), the peak of memory, the gap recomputed from the data, coefficients that
are not 0, pivots or steps, and the exponent of the seconds from one m to the next.

    python scripts/bench_interior.py                               # m = 600, 1200, 2400: five minutes
    python scripts/bench_interior.py --sizes 4800 --solvers interior
    python scripts/bench_interior.py --sizes 2400 4800 9600 20000 --solvers points --tol 1e-6
    python scripts/bench_interior.py --sizes 100000 --solvers points --tol 1e-4 --rounds  # says how far it is
"""

import argparse
import logging
import os
import resource
from math import log
from multiprocessing import get_context
from time import process_time

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import numpy as np  # noqa: E402  (after the number of threads is set)

from kernlearn.algorithms.common.columns import KernelColumns  # noqa: E402
from kernlearn.algorithms.margin.vkr import METHOD  # noqa: E402
from kernlearn.kernels import COMPLEXITIES, make_family  # noqa: E402
from kernlearn.kernels.streamed import kernel_stack  # noqa: E402
from kernlearn.solvers import SOLVERS, InteriorSolver  # noqa: E402

LAMBDA, BETA = 1e-2, 1e-3
MEASURED = {**SOLVERS, "points": InteriorSolver}


def program(m: int) -> tuple[KernelColumns, np.ndarray]:
    """Return columns and costs of m examples."""
    random = np.random.default_rng(0)
    X = random.standard_normal((m, 20))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.sign(np.einsum("ij,jk,ik->i", X, random.standard_normal((20, 20)), X))
    y[random.random(m) < 0.1] *= -1.0
    stack = kernel_stack(make_family("polynomial", degrees=range(1, 11)), X, X, METHOD.held)
    cost = LAMBDA * COMPLEXITIES["lemma3"](stack) + BETA
    return KernelColumns(stack, y), np.repeat(cost[:, None], m, axis=1)


class Clock(logging.Formatter):
    """Messages after the CPU seconds and the peak of memory of their process."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a message."""
        return f"{process_time():8.1f} s {peak():6.0f} MB  {record.getMessage()}"


def peak() -> float:
    """Return the peak of memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(solver: str, m: int, tol: float, rounds: bool) -> tuple[float, float, float, int, int]:
    """Return CPU seconds, peak memory in MB, gap, coefficients and pivots, or steps."""
    columns, cost = program(300)
    MEASURED[solver](columns, tol).solve(cost)  # compiled on its first call
    columns, cost = program(m)
    if rounds:
        handler = logging.StreamHandler()
        handler.setFormatter(Clock())
        logging.getLogger("kernlearn.solvers").addHandler(handler)
        logging.getLogger("kernlearn.solvers").setLevel(logging.DEBUG)
    start = process_time()
    solution = MEASURED[solver](columns, tol).solve(cost)
    seconds = process_time() - start
    return seconds, peak(), solution.gap, int(np.count_nonzero(solution.x)), solution.iterations


def main() -> None:
    """Measure all sizes and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=int, default=[600, 1200, 2400], metavar="M")
    parser.add_argument("--solvers", nargs="+", default=["simplex", "interior"], choices=list(MEASURED))
    parser.add_argument("--tol", type=float, default=1e-6, help="of points; the others end at 1e-9")
    parser.add_argument("--rounds", action="store_true", help="say how far interior points are after every round")
    arguments = parser.parse_args()
    print("| m | solver | CPU s | exponent | peak MB | gap | coefficients | pivots |")
    print("|---|---|---|---|---|---|---|---|")
    before: dict[str, tuple[int, float]] = {}
    for m in sorted(arguments.sizes):
        for solver in arguments.solvers:
            with get_context("spawn").Pool(1) as pool:
                seconds, memory, gap, support, pivots = pool.apply(
                    measure, (solver, m, arguments.tol if solver == "points" else 1e-9, arguments.rounds)
                )
            exponent = ""
            if solver in before:
                exponent = f"{log(seconds / before[solver][1]) / log(m / before[solver][0]):.1f}"
            before[solver] = m, seconds
            print(
                f"| {m} | {solver} | {seconds:.1f} | {exponent} | {memory:.0f} | {gap:.0e} | {support} | {pivots} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
