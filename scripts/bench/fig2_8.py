"""Figure 2.8 of Shivaswamy (2010): CPU time of the SVM and of the RMM against the number of training examples.

    python scripts/bench/fig2_8.py --sizes 250 500 1000 2000 4000 --repeat 10

MNIST digits 0-4 against 5-9, ``((1 + x.z)/2)^5`` on images of norm 1, C = 1; B = 1 + (theta - 1)/2, /4 and /10 with
theta the largest output of the SVM. Times are CPU seconds (user and system) of one thread, the kernel matrix given, in
the mean of draws of the training part. Every RMM starts from nothing: the SVM that it begins with is in its time. They
depend on the machine, which is named above the table, so this is a script and no figure with kept points.
"""

import argparse
import os
import platform
import resource
from collections.abc import Sequence
from statistics import fmean

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np

from kernlearn.algorithms.common.relative_margin import bound
from kernlearn.datasets import Dataset, load
from kernlearn.kernels import SCALINGS
from kernlearn.papers.rmm2010.real.digits import kernel
from kernlearn.solvers import BandSolver, Solution, SVMSolver

C, TOL = 1.0, 1e-3
#: B = 1 + r (theta - 1), by what the thesis calls them.
FRACTIONS = {"RMM B1": 1 / 2, "RMM B2": 1 / 4, "RMM B3": 1 / 10}


def spent() -> float:
    """Return the CPU seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def times(data: Dataset, n: int, seed: int) -> dict[str, float]:
    """Return the CPU seconds of all machines on one draw of n examples."""
    rows = np.sort(np.random.default_rng(seed).permutation(data.n_train)[:n])
    (X,) = SCALINGS["unit"](data.X[rows])
    K, y = kernel(X, X), np.where(data.y[rows] < 5, 1.0, -1.0)
    theta = BandSolver(K, y, TOL).theta(C)
    start = spent()
    solved = SVMSolver(K, y, TOL).solve(C)
    found = {"SVM": _checked(solved, spent() - start)}
    for name, fraction in FRACTIONS.items():
        start = spent()
        solved = BandSolver(K, y, TOL).solve(C, bound(theta, fraction))
        found[name] = _checked(solved, spent() - start)
    return found


def _checked(solution: Solution, seconds: float) -> float:
    if solution.gap > TOL:
        raise SystemExit(f"a gap of {solution.gap:.1e} is not what was asked for")
    return seconds


def main(argv: Sequence[str] | None = None) -> None:
    """Print a Markdown table: a row for every size, and the exponents of n, fitted to the logarithms."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[250, 500, 1000, 2000, 4000])
    parser.add_argument("--repeat", type=int, default=10)
    options = parser.parse_args(argv)
    data = load("mnist")
    times(data, 200, 0)  # compiles
    names = ["SVM", *FRACTIONS]
    print(f"{platform.machine()}, {os.cpu_count()} CPUs, {platform.platform()}, {options.repeat} draws, CPU seconds\n")
    print(f"| n | {' | '.join(names)} |\n|{'---|' * (len(names) + 1)}")
    means = []
    for n in options.sizes:
        drawn = [times(data, n, seed) for seed in range(options.repeat)]
        means.append([fmean(one[name] for one in drawn) for name in names])
        print(f"| {n} | {' | '.join(f'{value:.3g}' for value in means[-1])} |", flush=True)
    if len(options.sizes) > 1:
        slopes = np.polyfit(np.log(options.sizes), np.log(means), 1)[0]
        print(f"| exponent of n | {' | '.join(f'{slope:.2f}' for slope in slopes)} |")


if __name__ == "__main__":
    main()
