"""Time the solvers of Voted Kernel Regularization and the norm-1 SVM against peers, on the same linear programs.

One split of a data set (examples of unit norm, kernels (x.z + 1)^k, k = 1..10); the grid of the paper: 49 pairs
(lambda, beta), or 7 values of beta for each of the ten degrees (l1_svm). Each method runs in a fresh process on one
thread. Reported are CPU seconds (user and system) from the training examples on, imports and compilation apart, the
peak memory of the process, and the largest relative distance of the optimal values from the certified ones.

    python scripts/bench/vkr.py --dataset ionosphere --problem lemma3
    python scripts/bench/vkr.py --dataset waveform01 --problem lemma3 --peers highs_cuts
    python scripts/bench/vkr.py --dataset german --problem lemma3 --peers linprog highs_full --sample 7

Peers (a peer that cannot solve a problem is left out of its table):

linprog         scipy.optimize.linprog(method="highs") on the program as printed in the paper, every point cold
linprog_scaled  the same with columns scaled to largest entry 1
highs_full      HiGHS' simplex method on the whole scaled program, presolve off, warm along the grid
highs_cuts      our cutting planes on HiGHS, warm along the grid
column_generation  for l1_svm, the column generation of Dedieu, Mazumder and Wang (2019) on HiGHS: the restricted primal
                program, all columns with negative reduced cost up to 100 a round, warm along the path in beta
lp_solve        lp_solve 5.5, the solver of the paper (Debian's package lp-solve), every point cold

With --sample N every method solves the same N points spread evenly over the grid, and the ratio is of these.
"""

import argparse
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import highspy
import numpy as np
from common import alone

from kernlearn.datasets import load
from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import COMPLEXITIES, SCALINGS, GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns
from kernlearn.memory import MB, peak
from kernlearn.solvers import HINGE_SOLVERS
from kernlearn.solvers.core.lp import Highs

POWERS = [10.0**-i for i in range(7)]
PROBLEMS = ("lemma3", "lemma4", "l1_svm")

Array = np.ndarray
#: Programs on the same columns: the stack, and the cost of a column of each kernel for every point.
Group = tuple[GramStack, list[Array]]


def groups(dataset: str, problem: str, sample: int) -> tuple[Array, list[Group]]:
    """Return the labels and the programs of split 0, seed 0, grouped by what can share a warm start."""
    data = load(dataset)
    split = PROTOCOLS["rotation5"].make(data.y, data.classes, seed=0)[0]
    (X,) = SCALINGS["unit"](data.X[split.train])
    stack = GramStack.train(make_family("polynomial", degrees=range(1, 11), coef0=1.0), X)
    y = np.where(data.y[split.train] == 1, 1.0, -1.0)
    if problem == "l1_svm":
        programs = [(stack.select(k), [np.array([beta]) for beta in POWERS]) for k in range(len(stack))]
    else:
        r = COMPLEXITIES[problem](stack)
        programs = [(stack, [lambda_ * r + beta for lambda_ in POWERS for beta in POWERS])]
    total = sum(len(costs) for _, costs in programs)
    chosen = set(np.linspace(0, total - 1, sample or total).round().astype(int))
    numbers = iter(range(total))
    return y, [(stack, [cost for cost in costs if next(numbers) in chosen]) for stack, costs in programs]


def by_columns(name: str) -> Callable[[Array, list[Group]], Iterator[float]]:
    """Return the method that uses one of our solvers."""

    def solve(y: Array, programs: list[Group]) -> Iterator[float]:
        for stack, costs in programs:
            solver = HINGE_SOLVERS[name](KernelColumns(stack, y))
            for cost in costs:
                solution = solver.solve(np.repeat(cost[:, None], len(y), axis=1))
                if name == "simplex":
                    assert solution.gap <= 1e-9, f"a point was not certified: gap {solution.gap:.1e}"
                yield solution.objective

    return solve


def whole_matrix(stack: GramStack, y: Array, scaled: bool) -> tuple[Array, Array]:
    """Return all columns of a stack side by side, shape (m, p m), and their scales."""
    A = np.hstack([y[:, None] * stack.matrix(k) for k in range(len(stack))])
    scale = np.abs(A).max(axis=0) if scaled else np.ones(A.shape[1])
    return A / scale, scale


def linprog(y: Array, programs: list[Group], scaled: bool = False) -> Iterator[float]:
    """Solve every point by scipy, in the variables a+, a-, xi."""
    from scipy.optimize import linprog

    m = len(y)
    for stack, costs in programs:
        A, scale = whole_matrix(stack, y, scaled)
        A_ub = np.hstack([-A, A, -np.eye(m)])
        for cost in costs:
            penalty = np.repeat(cost, m) / scale
            c = np.concatenate([penalty, penalty, np.full(m, 1 / m)])
            value = linprog(c, A_ub=A_ub, b_ub=-np.ones(m), method="highs").fun
            yield np.nan if value is None else value


def highs_full(y: Array, programs: list[Group]) -> Iterator[float]:
    """Solve the whole scaled program by HiGHS; from point to point only the costs change, the basis stays feasible."""
    m = len(y)
    for stack, costs in programs:
        A, scale = whole_matrix(stack, y, scaled=True)
        n = A.shape[1]
        dense = np.hstack([A, -A, np.eye(m)])
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = 2 * n + m, m
        lp.col_cost_, lp.col_lower_ = np.zeros(2 * n + m), np.zeros(2 * n + m)
        lp.col_upper_ = np.full(2 * n + m, highspy.kHighsInf)
        lp.row_lower_, lp.row_upper_ = np.ones(m), np.full(m, highspy.kHighsInf)
        rows, columns = np.nonzero(dense.T)[::-1]
        lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=2 * n + m))]).astype(
            np.int32
        )
        lp.a_matrix_.index_, lp.a_matrix_.value_ = rows.astype(np.int32), dense[rows, columns]
        highs = Highs(threads=1, presolve="off", solver="simplex")
        highs.passModel(lp)
        del dense, lp
        indices = np.arange(2 * n + m, dtype=np.int32)
        for cost in costs:
            penalty = np.repeat(cost, m) / scale
            c = np.concatenate([penalty, penalty, np.full(m, 1 / m)])
            highs.changeColsCost(2 * n + m, indices, c)
            highs.run()
            yield highs.getObjectiveValue()


def column_generation(y: Array, programs: list[Group]) -> Iterator[float]:
    """Column generation on the primal for the norm-1 SVM: start with the ten columns best aligned with the labels."""
    m = len(y)
    for stack, costs in programs:
        A, scale = whole_matrix(stack, y, scaled=True)
        highs = Highs(threads=1, presolve="off", simplex_strategy=4)
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = m, m
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = np.full(m, 1 / m), np.zeros(m), np.full(m, highspy.kHighsInf)
        lp.row_lower_, lp.row_upper_ = np.ones(m), np.full(m, highspy.kHighsInf)
        lp.a_matrix_.start_ = np.arange(m + 1, dtype=np.int32)
        lp.a_matrix_.index_, lp.a_matrix_.value_ = np.arange(m, dtype=np.int32), np.ones(m)
        highs.passModel(lp)
        inside = np.zeros(0, dtype=int)
        for cost in costs:
            c = np.repeat(cost, m) / scale
            if len(inside):
                places = m + np.arange(2 * len(inside), dtype=np.int32)
                highs.changeColsCost(len(places), places, np.repeat(c[inside], 2))
            new = np.argsort(-np.abs(A.sum(axis=0)))[:10] if not len(inside) else np.zeros(0, dtype=int)
            while True:
                if len(new):
                    values = np.stack([A[:, new], -A[:, new]], axis=2).transpose(1, 2, 0).reshape(-1, m)
                    starts = np.arange(2 * len(new), dtype=np.int32) * m
                    index = np.tile(np.arange(m, dtype=np.int32), 2 * len(new))
                    upper = np.full(2 * len(new), highspy.kHighsInf)
                    arguments = (
                        np.repeat(c[new], 2),
                        np.zeros_like(upper),
                        upper,
                        values.size,
                        starts,
                        index,
                        values.ravel(),
                    )
                    highs.addCols(2 * len(new), *arguments)
                    inside = np.append(inside, new)
                highs.run()
                excess = np.abs(A.T @ np.array(highs.getSolution().row_dual)) - c
                excess[inside] = 0.0
                new = np.argsort(-excess)[:100]
                new = new[excess[new] > 1e-6 * c[new]]
                if not len(new):
                    break
            yield highs.getObjectiveValue()


def lp_solve(y: Array, programs: list[Group]) -> Iterator[float]:
    """Solve every point by lp_solve 5.5, which reads the scaled program from a file; reading is not counted."""
    m = len(y)
    for stack, costs in programs:
        A, scale = whole_matrix(stack, y, scaled=True)
        for cost in costs:
            penalty = np.repeat(cost, m) / scale
            with tempfile.NamedTemporaryFile("w", suffix=".lp") as file:
                terms = [f"{c!r} p{q} + {c!r} n{q}" for q, c in enumerate(penalty.tolist())]
                file.write("min: " + " + ".join(terms + [f"{1 / m!r} x{i}" for i in range(m)]) + ";\n")
                for i, row in enumerate(A.tolist()):
                    file.write(
                        " ".join(f"{a:+.17g} p{q} {-a:+.17g} n{q}" for q, a in enumerate(row)) + f" + x{i} >= 1;\n"
                    )
                file.flush()
                done = subprocess.run(["lp_solve", "-S4", "-time", file.name], capture_output=True, text=True)
            out = done.stdout + done.stderr
            READING.append(float(re.findall(r"Parsing input: ([0-9.e+-]+)s", out)[0]))
            match = re.search(r"Value of objective function: (\S+)", out)
            yield float(match.group(1)) if match else np.nan


#: Seconds that lp_solve spent on reading its file, which are not counted.
READING: list[float] = []

METHODS: dict[str, Callable[[Array, list[Group]], Iterator[float]]] = {
    "simplex": by_columns("simplex"),
    "highs_cuts": by_columns("highs"),
    "highs_full": highs_full,
    "linprog": linprog,
    "linprog_scaled": lambda y, programs: linprog(y, programs, scaled=True),
    "column_generation": column_generation,
    "lp_solve": lp_solve,
}


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of the programs it called, without lp_solve's reading."""
    own, called = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + called.ru_utime + called.ru_stime - sum(READING)


def measure(method: str, dataset: str, problem: str, sample: int) -> tuple[float, float, list[float]]:
    """Return CPU seconds, peak memory in MB and the optimal values of a method."""
    y, programs = groups("sonar", problem, 1)
    list(METHODS[method](y, programs))  # what is compiled on its first call is of no account, whoever calls it
    start = cpu_seconds()
    y, programs = groups(dataset, problem, sample)
    values = list(METHODS[method](y, programs))
    seconds = cpu_seconds() - start
    return seconds, (peak() or 0) / MB, values


def main() -> None:
    """Measure the methods and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="ionosphere")
    parser.add_argument("--problem", default="lemma3", choices=PROBLEMS)
    parser.add_argument("--peers", nargs="*", default=["highs_cuts", "linprog"], choices=[*METHODS][1:])
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many points of the grid only")
    arguments = parser.parse_args()
    if "lp_solve" in arguments.peers and not shutil.which("lp_solve"):
        parser.error("lp_solve is not installed (Debian: apt-get install lp-solve)")
    if "column_generation" in arguments.peers and arguments.problem != "l1_svm":
        parser.error("column_generation is for --problem l1_svm")
    try:
        load(arguments.dataset)
    except UserError as error:
        parser.error(str(error))
    print(f"{arguments.dataset}, {arguments.problem}" + f", {arguments.sample} points" * bool(arguments.sample))
    print(f"{'method':<18}{'CPU s':>10}{'peak MB':>9}{'ratio':>8}   largest relative error of the optimal value")
    reference_seconds, reference = 0.0, np.zeros(0)
    for method in ["simplex", *arguments.peers]:
        seconds, memory, values = alone(measure, method, arguments.dataset, arguments.problem, arguments.sample)
        if method == "simplex":
            reference_seconds, reference = seconds, np.array(values)
        error = np.max(np.abs(np.array(values) - reference) / reference)
        print(
            f"{method:<18}{seconds:>10.2f}{memory:>9.0f}{seconds / reference_seconds:>8.1f}   {error:.1e}", flush=True
        )


if __name__ == "__main__":
    main()
