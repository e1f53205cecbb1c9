"""Measure peak memory and CPU time of every method at several sizes, hold them against what is predicted, and fit it.

Every method that is registered is run on one split of an artificial problem (nonlinear, a tenth of the labels wrong),
a fresh process on one thread for every size: with Gaussian kernels if it learns weights of kernels, with polynomials
otherwise, and where it can with features for kernels; of sequences on sentences of artificial words, with a Universum
on the images of `mnist_universum`. Reported are the peak of the process and the CPU seconds, the least of some
repetitions, measured and predicted, with the ratio of the two. The problems are those of `scale_problems`.

    python scripts/bench/scale.py                          # all methods, ten minutes or more
    python scripts/bench/scale.py --algos vkr l2_mkl
    python scripts/bench/scale.py --algos l2_mkl --large   # sizes beyond those that the constants are fitted at
    python scripts/bench/scale.py --fit                    # and write kernlearn/runner/plan/costs.csv
    python scripts/bench/scale.py --kernels streamed --patience 3000   # sizes at which no matrices are held, an hour
    python scripts/bench/scale.py --spread --algos vkr     # the columns easy and hard, from other labels and kernels
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from scale_problems import PROBLEMS, Problem, problems_of, words_of, write_problem, write_sentences
from scipy.optimize import least_squares, lsq_linear

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import CHAINS
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.memory import MB, peak, reset_peak
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan import cost
from kernlearn.runner.plan.config import check_experiment
from kernlearn.runner.plan.plan import Plan, plan

TABLE = Path(cost.__file__).with_name("costs.csv")
#: Wall seconds after which a process is ended, and its size left out.
PATIENCE = 200
#: What is taken for granted of a method that is not in the table: arrays of all kinds that there may be.
NEW = {
    "matrices": cost.Constants(0, square=1, stack=2, kept=0, features=0, products=0, seconds=1, n=2, p=1, points=1),
    "features": cost.Constants(0, square=1, stack=0, kept=0, features=1, products=4, seconds=1, n=2, p=1, points=1),
    "stumps": cost.Constants(0, square=0, stack=0, kept=0, features=1, products=0, seconds=1, n=1, p=1, points=1),
}
NEW[CHAINS] = replace(NEW["features"], square=2, features=30, products=0, tol=1)
NEW[cost.STREAMED] = replace(NEW["matrices"], stack=0, features=1)
NEW["all stumps"] = replace(NEW["stumps"], square=1, n=2)
#: Powers that count as likely, and how much: as this part of a measurement.
LIKELY, WEIGHT = {"n": 2.0, "p": 0.7, "points": 0.7, "tol": 0.3, "penalty": 0.3}, 0.5
#: Seconds after which a measurement is not repeated: the first run also loads what is compiled, for one or two of them.
LONG = 10.0


class Measured(NamedTuple):
    """What a cell took and what was predicted; `base` is what the process had before it. Bytes and CPU seconds."""

    size: cost.Size
    predicted: cost.Cost
    base: float
    peak: float
    cpu_seconds: float


def methods() -> Iterator[tuple[str, str, str]]:
    """Yield algorithm, task and kind of kernels of everything that can be run."""
    for name, algorithm in ALGORITHMS.items():
        for task in algorithm.tasks:
            for kernels in cost.kinds_of(algorithm):
                yield name, task, kernels


def plan_of(words: Sequence[str]) -> Plan:
    """Return the plan of an experiment."""
    return plan(check_experiment(compose_config(list(words))))


def measure_here(words: Sequence[str], repeat: int) -> dict[str, Any]:
    """Run the first cell of an experiment in this process; return what `made.Effort` says."""
    tiny = plan_of(["algo=l1_svm", "dataset=sonar", "kernel.degrees=[1]"])
    run_cell(tiny.cells[0])
    cell = plan_of(words).cells[0]
    data_of(cell)  # is read now: what that takes is the same for all
    reset_peak()
    base, made = peak(), []
    while not made or (len(made) < repeat and made[0]["cpu_seconds"] < LONG):
        result = run_cell(cell)
        assert result["status"] == "ok", result["traceback"]
        made.append(result["made"])
    seconds = min(one["cpu_seconds"] for one in made)
    return {"base": base, "peak": MB * made[0]["peak_mb"], "cpu_seconds": seconds}


def measure(
    method: tuple[str, str, str], problem: Problem, folder: Path, repeat: int, patience: float = PATIENCE
) -> Measured | None:
    """Measure a method at a size in a fresh process."""
    d = problem.d or problem.p
    path = folder / f"{problem.n}-{d}-{problem.noise}.csv"
    if method[2] == CHAINS:
        path = folder / f"{problem.n}-{problem.p}-{d}-{problem.noise}.txt"
        write_sentences(path, problem.n, problem.p, d, problem.noise)
    elif not ALGORITHMS[method[0]].universum:
        write_problem(path, problem.n, d, problem.noise)
    words = words_of(*method, problem, path)
    command = [sys.executable, __file__, "--here", json.dumps(words), "--repeat", str(repeat)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)}\n{done.stderr}")
    found = json.loads(done.stdout)
    predicted = plan_of(words).cost
    return Measured(predicted.size, predicted, **found)


def fit(measured: Sequence[Measured], old: cost.Constants) -> cost.Constants:
    """Return the constants by which predictions come nearest to what was measured, relative to it.

    Which kinds of arrays a method holds is known from its code, and how many of the large ones, and by what its time
    grows: what is 0 stays so, and ``stack``, ``kept``, ``products``, ``once`` and ``passes`` stay what they are.
    """
    sizes = [replace(one.size, reading=0.0) for one in measured]  # the data were there
    peaks = np.array([one.peak for one in measured])
    counted = [kind for kind in ("square", "features") if kind in cost.arrays(sizes[0]) and getattr(old, kind)]
    counted += ["columns"] if old.columns else []
    old = replace(old, base_mb=float(np.median([one.base for one in measured])) / MB)

    def misses(numbers: np.ndarray) -> np.ndarray:
        method = replace(old, **dict(zip(counted, numbers, strict=True)))
        return np.array([cost.Cost(size, {"": method}).peak for size in sizes]) / peaks - 1.0

    # Where matrices are held it is a kernel matrix, and another on the way there.
    least = [2.0 * (kind == "square" and not sizes[0].streamed) for kind in counted]
    start = [LIKELY["penalty"] if kind == "columns" else 4.0 for kind in counted]
    memory = least_squares(misses, start, bounds=(least, np.inf)).x
    seconds = [
        max(one.cpu_seconds - cost.base_seconds(one.size), 0.2 * one.cpu_seconds) / len(one.size.problems)
        for one in measured
    ]
    logs = [cost.logs_of(size, old.once) for size in sizes]
    powers = [name for name in LIKELY if getattr(old, name)]
    likely = WEIGHT * np.eye(1 + len(powers))[1:]
    left = np.vstack([[[1.0, *(one[name] for name in powers)] for one in logs], likely])
    right = np.append(np.log(seconds), likely[:, 1:] @ [LIKELY[name] for name in powers])
    low = [-np.inf, *(float(name == "n") for name in powers)]
    first, *found = lsq_linear(left, right, bounds=(low, np.inf)).x
    new = {"seconds": float(np.exp(first))} | dict(zip(counted, memory, strict=True))
    return replace(old, **new, **dict(zip(powers, found, strict=True)))


def spread(measured: Sequence[Measured], old: cost.Constants) -> cost.Constants:
    """Return the constants with how many times the seconds said the easiest and the hardest of some problems took."""
    ratios = [one.cpu_seconds / cost.Cost(one.size, {"": old}).cpu_seconds for one in measured]
    return replace(old, easy=min(1.0, *ratios), hard=max(1.0, *ratios))


def write_constants(table: dict[tuple[str, str, str], cost.Constants]) -> None:
    """Write the constants with three significant digits."""
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["algorithm", "task", "kernels", *(field.name for field in fields(cost.Constants))])
        for method in methods():
            if method in table:
                writer.writerow([*method, *(f"{value:.3g}" for value in astuple(table[method]))])


def show(method: tuple[str, str, str], one: Measured, predicted: cost.Cost) -> None:
    """Print a line of the report."""
    s = one.size
    print(
        f"{' '.join(method):<42}{s.n:>6}{s.p:>6}{s.points:>7}{one.peak / MB:>9.0f}{predicted.peak / MB:>9.0f}"
        f"{predicted.peak / one.peak:>7.2f}{one.cpu_seconds:>10.2f}{predicted.cpu_seconds:>9.2f}"
        f"{predicted.cpu_seconds / one.cpu_seconds:>7.2f}",
        flush=True,
    )


def main() -> None:
    """Measure, print and perhaps fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algos", nargs="+", choices=[*ALGORITHMS], default=[*ALGORITHMS], metavar="NAME")
    parser.add_argument("--kernels", nargs="+", choices=[*PROBLEMS, cost.STREAMED], default=[*PROBLEMS])
    parser.add_argument("--patience", type=float, default=PATIENCE, help="wall seconds of a process that is waited for")
    do = parser.add_mutually_exclusive_group()
    do.add_argument("--large", action="store_true", help="one larger size each")
    do.add_argument("--fit", action="store_true", help="write the constants that fit best")
    do.add_argument("--spread", action="store_true", help="easier and harder problems; writes how much they differ")
    parser.add_argument("--repeat", type=int, default=2, help="repetitions, of which the fastest counts")
    parser.add_argument("--here", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        print(json.dumps(measure_here(json.loads(arguments.here), arguments.repeat)))
        return
    chosen = [
        (name, task, kernels)
        for name, task, kernels in methods()
        if name in arguments.algos and kernels in arguments.kernels
    ]
    if not chosen:
        parser.error("there are no artificial problems for these algorithms and kernels")
    print(f"{'method':<42}{'n':>6}{'p':>6}{'points':>7}{'peak MB':>9}{'said':>9}{'ratio':>7}", end="")
    print(f"{'CPU s':>10}{'said':>9}{'ratio':>7}")
    which = "spread" if arguments.spread else "large" if arguments.large else "fit"
    table = dict(cost.read_constants())
    with tempfile.TemporaryDirectory() as folder:
        for method in chosen:
            name, _, kernels = method
            problems = problems_of(name, kernels, which)
            found = [
                measure(method, problem, Path(folder), arguments.repeat, arguments.patience) for problem in problems
            ]
            measured = [one for one in found if one is not None]
            if not measured:
                print(f"{' '.join(method):<42} nothing was measured in time", flush=True)
                continue
            if which == "spread" and method in table:
                table[method] = spread(measured, table[method])
                write_constants(table)
            elif arguments.fit:
                new = NEW[kernels] if ALGORITHMS[name].weighs else replace(NEW[kernels], stack=0, products=0)
                if ALGORITHMS[name].inputs == CHAINS:  # of features without kernel
                    new = replace(new, square=0)
                table[method] = fit(measured, table.get(method, new))
                write_constants(table)
            for one in measured:
                show(method, one, cost.Cost(one.size, {"": table[method]}) if method in table else one.predicted)


if __name__ == "__main__":
    main()
