"""Time what whole vectors gain where pairs look for the largest entry (`kernlearn.solvers.core.largest`).

    python scripts/bench/largest.py
    python scripts/bench/largest.py --n 500 1000 --repetitions 5

`SMOSolver` solves the SVM from nothing for C = 1 and 100, and B half way between 1 and theta for C = 1, to a gap of
1e-6: once with the loop written for LLVM, and once with a plain loop that numba compiles. Examples are two Gaussians
with a Gaussian kernel. Every way has a process and a cache of machine code of its own; the CPU seconds are the median,
and both must come to the same bits. Growth is the exponent of n, fitted to all rows.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from hashlib import sha256

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import cpu

from kernlearn.compiled import compiled
from kernlearn.solvers import SMOSolver
from kernlearn.solvers.bands import smo

WAYS = ("vectors", "plain")


@compiled
def plain(a):
    """Return the first place of the largest entry of an array, one entry after the other."""
    best, place = -np.inf, 0
    for j in range(len(a)):
        if a[j] > best:
            best, place = a[j], j
    return place


def problem(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a Gram matrix and labels +-1."""
    random = np.random.default_rng(n)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = random.normal(size=(n, 4)) + 0.5 * y[:, None]
    squares = (X**2).sum(axis=1)
    return np.exp(-0.25 * (squares[:, None] + squares - 2.0 * X @ X.T)), y


def solves(K: np.ndarray, y: np.ndarray) -> str:
    """Solve all programs; return a digest of the coefficients."""
    found = [SMOSolver(K, y).solve(C).x for C in (1.0, 100.0)]
    solver = SMOSolver(K, y)
    found.append(solver.solve(1.0, 0.5 * (1.0 + max(solver.theta(1.0), 1.2))).x)
    return sha256(b"".join(x.tobytes() for x in found)).hexdigest()


def measure(way: str, sizes: list[int], repetitions: int) -> None:
    """Print seconds and digests of one way, as JSON."""
    if way == "plain":
        smo.largest = plain
    solves(*problem(200))  # compiles
    rows = []
    for n in sizes:
        data = problem(n)
        runs = [cpu(solves, *data) for _ in range(repetitions)]
        rows.append((float(np.median([seconds for seconds, _ in runs])), runs[0][1]))
    print(json.dumps(rows))


def main() -> None:
    """Run both ways, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, nargs="+", default=[500, 1000, 2000, 4000])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.way:
        return measure(arguments.way, arguments.n, arguments.repetitions)
    found = {}
    for way in WAYS:
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, __file__, *sys.argv[1:], "--way", way]
            run = subprocess.run(
                command, env={**os.environ, "NUMBA_CACHE_DIR": cache}, check=True, stdout=subprocess.PIPE
            )
            found[way] = json.loads(run.stdout)
    print("| n | vectors, s | plain, s | plain / vectors | same bits |\n|---|---|---|---|---|")
    for n, (ours, digest), (theirs, other) in zip(arguments.n, *found.values(), strict=True):
        print(f"| {n} | {ours:.3f} | {theirs:.3f} | {theirs / ours:.2f} | {digest == other} |")
    for way, rows in found.items():
        slope = np.polyfit(np.log(arguments.n), np.log([seconds for seconds, _ in rows]), 1)[0]
        print(f"growth, {way}: n^{slope:.2f}")
    return None


if __name__ == "__main__":
    main()
