"""Time one cold program of Voted Kernel Regularization against the number of examples: the simplex method and interior.

Artificial examples: normal in 20 dimensions, of norm 1; the label is the sign of a quadratic form, one in ten is
wrong. Kernels (x.z + 1)^k, k = 1..10, penalties of Lemma 3 with lambda = 0.01, beta = 0.001: ten columns for every
example, and a solution with a coefficient for every second or third. Every solver has a process of its own, on one
thread or OPENBLAS_NUM_THREADS: the simplex method, the same from a basis of the interior point method, both to a gap of
1e-9, and interior points alone, without a vertex, to that of --tol. Peers are the interior point method and PDLP of
HiGHS, on the whole program, for ten minutes at most. Above m = 5000 the kernels are streamed, with --held only above
4 GB a matrix. Reported are CPU seconds and those that go by (kernels that are kept and compilation apart), the peak of
memory, the gap recomputed from the data, coefficients that are not 0, pivots or steps, and the exponent of the CPU
seconds from one m to the next.

    python scripts/bench/interior.py                               # m = 600, 1200, 2400: five minutes
    python scripts/bench/interior.py --sizes 4800 --solvers interior
    python scripts/bench/interior.py --sizes 2400 4800 9600 20000 --solvers points --tol 1e-6
    python scripts/bench/interior.py --sizes 100000 --solvers points --tol 1e-4 --rounds  # says how far it is
    python scripts/bench/interior.py --sizes 600 1200 --solvers points highs_ipm highs_pdlp
    python scripts/bench/interior.py --sizes 5000 --solvers points --tol 1e-4 --path      # all 49 points of `algo=vkr`
    python scripts/bench/interior.py --sizes 5000 --solvers points --tol 1e-4 --path --cold  # each from the origin
    python scripts/bench/interior.py --sizes 5000 --solvers points --tol 1e-4 --at 1e-6 1e-6  # one of them, the dearest
    python scripts/bench/interior.py --sizes 2000 4000 8000 --solvers points --tol 1e-4 --degrees
    python scripts/bench/interior.py --sizes 8000 --solvers points --tol 1e-4 --degrees --jobs 2  # on two cores
    python scripts/bench/interior.py --sizes 5200 8000 --solvers points --tol 1e-4        # and the same with --held

With --degrees the programs are ten of the norm-1 SVM, one degree after another, all with beta = 0.001: that of VKR
above and the middle of the grid of `algo=l1_svm`. Coefficients are those of degree 10. With --jobs every degree has a
process of its own, and seconds that go by are those of all, with their start and compilation.
"""

import argparse
import logging
from functools import partial
from itertools import product
from math import inf, log, nan
from time import perf_counter, process_time
from typing import Any, NamedTuple

import one_thread_by_default  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import each_alone
from scipy import sparse

from kernlearn.algorithms.margin.vkr import METHOD, STRENGTHS
from kernlearn.certificates.hinge_l1 import hinge_l1
from kernlearn.kernels import COMPLEXITIES, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.memory import MB, peak
from kernlearn.solvers import HINGE_SOLVERS, InteriorSolver, Solution
from kernlearn.solvers.core.lp import Highs
from kernlearn.solvers.hinge_l1.problem import solution

logger = logging.getLogger("kernlearn.bench")
LAMBDA, BETA = 1e-2, 1e-3
DEGREES = range(1, 11)
LIMIT = 600.0
#: Bytes of a matrix above which --held streams.
HELD_LIMIT = 2.0**32


class HighsWhole:
    """Solves the dual program with all its rows at once by HiGHS, on one thread and without crossover.

    Parameters
    ----------
    columns : KernelColumns
    tol : float
        HiGHS's tolerance of feasibility, of the gap, and of the first-order method.
    solver : {"ipm", "pdlp"}
    """

    def __init__(self, columns: KernelColumns, tol: float, solver: str):
        self.columns, self.tol, self.solver = columns, tol, solver

    def solve(self, cost: np.ndarray) -> Solution:
        """Return the solution for costs of shape (p, n), with the certificate that all have."""
        start = process_time()
        p, m, n = self.columns.shape
        k, j = (index.ravel() for index in np.indices((p, n)))
        A, limit = sparse.csr_array(self.columns.take(k, j)), m * cost.ravel()
        options = {
            "solver": self.solver,
            "run_crossover": "off",
            "threads": 1,
            "time_limit": LIMIT,
        }
        tolerances = ("primal_feasibility_tolerance", "dual_feasibility_tolerance", "ipm_optimality_tolerance")
        options |= dict.fromkeys((*tolerances, "pdlp_optimality_tolerance"), self.tol)
        highs = Highs(**options)
        highs.addVars(m, np.zeros(m), np.ones(m))
        highs.changeColsCost(m, np.arange(m, dtype=np.int32), np.full(m, -1.0))
        highs.addRows(len(limit), -limit, limit, A.nnz, A.indptr[:-1].astype(np.int32), A.indices, A.data)
        highs.run()
        found, info = highs.getSolution(), highs.getInfo()
        coef = -np.array(found.row_dual).reshape(cost.shape)
        certificate = hinge_l1(self.columns, cost, coef, np.array(found.col_value))
        steps = max(info.ipm_iteration_count, info.pdlp_iteration_count)
        return solution(coef, certificate, self.tol, steps, 1, process_time() - start)


PEERS = {f"highs_{name}": partial(HighsWhole, solver=name) for name in ("ipm", "pdlp")}
MEASURED: dict[str, Any] = {**HINGE_SOLVERS, "points": InteriorSolver, **PEERS}


def program(
    m: int, degrees: range = DEGREES, held: float = METHOD.max_matrix_bytes
) -> tuple[KernelColumns, np.ndarray]:
    """Return columns of m examples, and the penalties r_k of their kernels."""
    random = np.random.default_rng(0)
    X = random.standard_normal((m, 20))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    y = np.sign(np.einsum("ij,jk,ik->i", X, random.standard_normal((20, 20)), X))
    y[random.random(m) < 0.1] *= -1.0
    stack = kernel_stack(make_family("polynomial", degrees=degrees), X, X, held)
    return KernelColumns(stack, y), COMPLEXITIES["lemma3"](stack)


def costs(r: np.ndarray, m: int, lambda_: float = LAMBDA, beta: float = BETA) -> np.ndarray:
    """Return the costs of all columns, shape (p, m)."""
    return np.repeat((lambda_ * r + beta)[:, None], m, axis=1)


class LogFormatter(logging.Formatter):
    """Messages after the CPU seconds and the peak of memory of their process."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a message."""
        return f"{process_time():8.1f} s {(peak() or 0) / MB:6.0f} MB  {record.getMessage()}"


class Task(NamedTuple):
    """What a process solves: programs of m examples, at all points of a family of degrees before the next one's."""

    solver: str
    m: int
    tol: float
    families: list[range]
    points: list[tuple[float, float]]  # lambda, beta
    cold: bool
    held: float  # bytes of a matrix above which kernels are streamed
    rounds: bool


class Measured(NamedTuple):
    """Seconds of CPU and of the clock, peak in MB, largest gap, coefficients of the last point, pivots or steps."""

    seconds: float
    elapsed: float
    memory: float
    gap: float
    support: int
    steps: int


def measure(task: Task) -> Measured:
    """Solve programs one after another, and return what they take."""
    columns, r = program(300)
    MEASURED[task.solver](columns, task.tol).solve(costs(r, 300))  # compiled on its first call
    if task.rounds:
        handler = logging.StreamHandler()
        handler.setFormatter(LogFormatter())
        logging.getLogger("kernlearn").addHandler(handler)
        logging.getLogger("kernlearn").setLevel(logging.DEBUG)
    seconds, elapsed, solved = 0.0, 0.0, []
    for degrees in task.families:
        columns, r = program(task.m, degrees, task.held)
        start, begun = process_time(), perf_counter()
        machine = MEASURED[task.solver](columns, task.tol)
        for lambda_, beta in task.points:
            machine = MEASURED[task.solver](columns, task.tol) if task.cold else machine
            solved.append(machine.solve(costs(r, task.m, lambda_, beta)))
            logger.debug(
                "degrees %s, lambda %g, beta %g: gap %.0e, %d steps",
                *(list(degrees), lambda_, beta, solved[-1].gap, solved[-1].iterations),
            )
        seconds, elapsed = seconds + process_time() - start, elapsed + perf_counter() - begun
    gap, steps = max(one.gap for one in solved), sum(one.iterations for one in solved)
    return Measured(seconds, elapsed, (peak() or 0) / MB, gap, int(np.count_nonzero(solved[-1].x)), steps)


def together(measured: list[Measured], jobs: int, elapsed: float) -> Measured:
    """Return what all take, so many at a time, in the order in which they began; the first has the coefficients."""
    seconds, _, memory, gaps, supports, steps = zip(*measured, strict=True)
    return Measured(sum(seconds), elapsed, sum(sorted(memory)[-jobs:]), max(gaps), supports[0], sum(steps))


def tolerance(solver: str, tol: float) -> float:
    """Return what is asked of a solver: a vertex has 1e-9 or better."""
    return 1e-9 if solver in HINGE_SOLVERS else tol


def count(text: str) -> int:
    """Return an argument that is a number of things, at least one."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text}: must be an integer >= 1")
    return int(text)


def size(text: str) -> float:
    """Return an argument that is a finite number > 0."""
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not 0.0 < value < inf:
        raise argparse.ArgumentTypeError(f"{text}: must be a number > 0")
    return value


def main() -> None:
    """Measure all sizes and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=count, default=[600, 1200, 2400], metavar="M")
    parser.add_argument("--solvers", nargs="+", default=["simplex", "interior"], choices=list(MEASURED))
    parser.add_argument("--tol", type=size, default=1e-6, help="of points and the peers; the others end at 1e-9")
    parser.add_argument("--rounds", action="store_true", help="say how far interior points are after every round")
    parser.add_argument("--jobs", type=count, default=1, help="so many degrees at a time")
    several = parser.add_mutually_exclusive_group()
    for what, meaning in (("path", "all 49 points of the grid"), ("degrees", "norm-1 SVMs, one degree after another")):
        several.add_argument(f"--{what}", dest="what", action="store_const", const=what, help=f"solve {meaning}")
    several.add_argument("--at", nargs=2, type=size, default=(LAMBDA, BETA), metavar=("LAMBDA", "BETA"))
    parser.add_argument("--cold", action="store_true", help="every program from the origin")
    parser.add_argument("--held", action="store_true", help="keep matrices that the method does without")
    arguments = parser.parse_args()
    if arguments.jobs != 1 and arguments.what != "degrees":
        parser.error("--jobs is for --degrees")
    print("| m | solver | CPU s | elapsed s | exponent | peak MB | gap | coefficients | pivots |")
    print("|---|---|---|---|---|---|---|---|---|")
    before: dict[str, tuple[int, float]] = {}
    points, families = [tuple(arguments.at)], [[DEGREES]]
    if arguments.what == "path":
        points = list(product(STRENGTHS, STRENGTHS))
    elif arguments.what == "degrees":
        points, single = [(0.0, BETA)], [range(k, k + 1) for k in DEGREES]
        families = [[degree] for degree in reversed(single)] if arguments.jobs > 1 else [single]  # the dearest first
    held = HELD_LIMIT if arguments.held else METHOD.max_matrix_bytes
    for m in sorted(set(arguments.sizes)):
        for solver in dict.fromkeys(arguments.solvers):
            tol, begun = tolerance(solver, arguments.tol), perf_counter()
            tasks = [Task(solver, m, tol, some, points, arguments.cold, held, arguments.rounds) for some in families]
            measured = each_alone(measure, [(task,) for task in tasks], arguments.jobs)
            one = measured[0] if len(measured) == 1 else together(measured, arguments.jobs, perf_counter() - begun)
            exponent = ""
            if solver in before:
                exponent = f"{log(one.seconds / before[solver][1]) / log(m / before[solver][0]):.1f}"
            before[solver] = m, one.seconds
            print(
                f"| {m} | {solver} | {one.seconds:.1f} | {one.elapsed:.1f} | {exponent} | {one.memory:.0f} "
                f"| {one.gap:.0e} | {one.support} | {one.steps} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
