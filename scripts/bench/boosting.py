"""Time boosting of stumps against scikit-learn's AdaBoost, and LPBoost against HiGHS on the program written out.

    python scripts/bench/boosting.py --part random
    python scripts/bench/boosting.py --part best
    python scripts/bench/boosting.py --part lpboost

Every row is measured in a fresh process on one thread, in CPU seconds (user and system), imports and compilation apart,
from the examples on: sorting and drawing of stumps are part of it. Growth is the exponent of n from row to row.

random      500 rounds over 500 random stumps on spambase; scikit-learn's AdaBoostClassifier of 500 rounds, whose trees
            of one split look at all features
best        the best of all stumps in every round on normal data of 50 features; the same of scikit-learn. Beside it one
            pass over the presorted data, the weights fetched in every feature's order, and the plain read of the order
lpboost     LPBoost over all stumps, nu = 0.1, of examples of spambase; HiGHS on the same program with all stumps and
            their negations as columns. The gaps are recomputed for both, of HiGHS from its point and its multipliers
"""

import argparse
from collections.abc import Callable, Sequence
from math import log, nan
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import alone, cpu

from kernlearn.algorithms.boosting.lpboost import solve_lpboost
from kernlearn.certificates import relative_gap
from kernlearn.compiled import compiled
from kernlearn.datasets import load
from kernlearn.kernels.families.stumps import Stumps, every_stump, stumps
from kernlearn.solvers.stumps_networks.stumps import Sorted, boost

Array = np.ndarray
NU, FEATURES = 0.1, 50


def again(times: int, function: Callable[..., Any], *arguments: Any) -> None:
    """Call a function so many times."""
    for _ in range(times):
        function(*arguments)


def spam(n: int) -> tuple[Array, Array]:
    """Return examples of spambase, drawn at random, with labels +-1."""
    data = load("spambase")
    rows = np.random.default_rng(0).permutation(len(data.y))[:n]
    return data.X[rows], np.where(data.y[rows] == 1, 1.0, -1.0)


def normal(n: int) -> tuple[Array, Array]:
    """Return normal examples whose class is that of a curved surface, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, FEATURES))
    return X, np.where(X[:, 0] + X[:, 1] ** 2 - 0.5 + rng.normal(size=n) > 0.0, 1.0, -1.0)


def our_boosting(X: Array, y: Array, number: int, rounds: int) -> Array:
    """Boost drawn stumps, or all for 0, and return the votes' weights."""
    inputs = stumps(number).fit(X, 0)
    return boost(Sorted(inputs.order, inputs.starts, inputs.cuts), y, np.ones(len(y)), 0.0, rounds)[1]


def their_boosting(X: Array, y: Array, rounds: int) -> Array:
    """Boost scikit-learn's trees of one split."""
    from sklearn.ensemble import AdaBoostClassifier

    return AdaBoostClassifier(n_estimators=rounds).fit(X, y).estimator_weights_


@compiled
def read(order):
    """Add up what is read of the presorted data."""
    total = 0
    for k in range(order.shape[0]):
        for j in range(order.shape[1]):
            total += order[k, j]
    return total


@compiled
def fetch(order, v):
    """Add up the weights in the order of every feature, in four sums so that none waits for another."""
    total = 0.0
    for k in range(order.shape[0]):
        row, a, b, c, e = order[k], 0.0, 0.0, 0.0, 0.0
        for j in range(0, order.shape[1] - 3, 4):
            a += v[row[j]]
            b += v[row[j + 1]]
            c += v[row[j + 2]]
            e += v[row[j + 3]]
        total += a + b + c + e
    return total


def _random(n: int, rounds: int) -> list[float]:
    X, y = spam(n)
    our_boosting(X[:50], y[:50], 5, 2)
    their_boosting(X[:50], y[:50], 2)
    return [cpu(our_boosting, X, y, 500, rounds)[0], cpu(their_boosting, X, y, rounds)[0]]


def _best(n: int, rounds: int) -> list[float]:
    X, y = normal(n)
    our_boosting(X[:50], y[:50], 0, 2)
    their_boosting(X[:50], y[:50], 2)
    order = every_stump(X).order
    read(order[:, :4].copy()), fetch(order[:, :1].copy(), y)
    ours, theirs = cpu(our_boosting, X, y, 0, rounds)[0], cpu(their_boosting, X, y, rounds)[0]
    inputs = every_stump(X)
    form = Sorted(inputs.order, inputs.starts, inputs.cuts)
    a_round = cpu(boost, form, y, np.ones(n), 0.0, rounds)[0] / rounds
    passes = [cpu(again, rounds, *call)[0] / rounds for call in ((fetch, order, y), (read, order))]
    return [ours, theirs, *(1e3 * seconds for seconds in (a_round, *passes))]


def _lpboost(n: int, _: int) -> list[float]:
    X, y = spam(n)
    solve_lpboost(every_stump(X[:20]), y[:20], 0.5)
    ours, solution = cpu(lambda: solve_lpboost(every_stump(X), y, NU))
    seconds, gap, columns = highs(every_stump(X), y)
    return [columns, ours, solution.gap, seconds, gap]


def highs(inputs: Stumps, y: Array) -> tuple[float, float, int]:
    """Solve LPBoost with all columns by HiGHS; return CPU seconds, the relative gap of its point, the columns."""
    from scipy.optimize import linprog

    n, C = len(y), 1.0 / (NU * len(y))
    signed = inputs.votes(np.arange(len(inputs))) * y
    columns = 2 * len(signed)
    # a_s of both signs, xi and rho: min -rho + C sum xi subject to rho - xi_i - (votes a)_i <= 0
    A = np.hstack([-signed.T, signed.T, -np.eye(n), np.ones((n, 1))])
    c = np.concatenate([np.zeros(columns), np.full(n, C), [-1.0]])
    total = np.concatenate([np.ones(columns), np.zeros(n + 1)])[None]
    bounds = [(0, None)] * (columns + n) + [(None, None)]
    seconds, found = cpu(lambda: linprog(c, A, np.zeros(n), total, [1.0], bounds, method="highs"))
    if found.x is None:
        return seconds, nan, columns
    a = np.maximum(found.x[:columns], 0.0)
    margins = (a / a.sum()) @ np.vstack([signed, -signed])
    rho = np.sort(margins)[max(0, int(np.ceil(NU * n)) - 1)]  # the best for these margins
    primal = 1.0 - rho + C * np.maximum(0.0, rho - margins).sum()
    u = np.clip(-found.ineqlin.marginals, 0.0, C)
    u /= u.sum()
    dual = 1.0 - np.abs(signed @ u).max() if u.max() <= C * (1.0 + 1e-9) else nan
    return seconds, relative_gap(float(primal), float(dual), 1.0), columns


PARTS = {
    "random": (_random, [500, 1000, 2000, 4601], 500, ["ours", "scikit-learn"]),
    "best": (
        _best,
        [12500, 25000, 50000],
        50,
        ["ours", "scikit-learn", "a round, ms", "fetching pass, ms", "plain read, ms"],
    ),
    "lpboost": (_lpboost, [100, 200, 400], 0, ["columns", "ours", "gap", "HiGHS", "its gap"]),
}
#: Which columns are the seconds of ours and of the peer.
COMPARED = {"random": (0, 1), "best": (0, 1), "lpboost": (1, 3)}


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, default="random")
    parser.add_argument("--sizes", nargs="+", type=int, help="numbers of examples")
    parser.add_argument("--rounds", type=int)
    arguments = parser.parse_args()
    function, sizes, rounds, names = PARTS[arguments.part]
    ours, peer = COMPARED[arguments.part]
    print(f"| n | {' | '.join(names)} | ratio | growth of ours | growth of the peer |\n|{'---|' * (len(names) + 4)}")
    before: tuple[int, Sequence[float]] | None = None
    for n in arguments.sizes or sizes:
        found = alone(function, n, arguments.rounds or rounds)
        growth = ["", ""]
        if before:
            growth = [f"{log(found[i] / before[1][i]) / log(n / before[0]):.1f}" for i in (ours, peer)]
        cells = [f"{value:.3g}" for value in found] + [f"{found[peer] / found[ours]:.1f}", *growth]
        print(f"| {n} | {' | '.join(cells)} |", flush=True)
        before = n, found


if __name__ == "__main__":
    main()
