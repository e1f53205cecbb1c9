"""Time predictions of very many rows: a model of `kernlearn fit`, LibSVM through scikit-learn's SVC, and numpy.

All three have the Gaussian kernel and the same number of support vectors. Numpy computes distances by a product of
matrices and the exponential, 4096 rows at a time. CPU seconds on one thread, the best of some runs on a part of the
rows, and what all rows would take; then the model predicts all rows, and the peak of the memory is printed.

    python scripts/bench/predict.py                     # 1,000,000 rows, 1,000 support vectors, 20 features
    python scripts/bench/predict.py --rows 100000
"""

import argparse
import warnings
from collections.abc import Callable

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import cpu
from sklearn.svm import SVC

from kernlearn.memory import MB, peak, reset_peak
from kernlearn.models.estimator import MethodEstimator

#: Rows that are timed, how often, and rows that numpy has at hand.
PART, RUNS, BLOCK = 20_000, 3, 4096


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--support", type=int, default=1_000)
    options = parser.parse_args()
    rng, d, n = np.random.default_rng(0), options.features, options.support
    X = rng.normal(size=(n, d))
    y = rng.integers(0, 2, n)
    ours = MethodEstimator(
        "l2_svm",
        {"Cs": [1e-3]},  # so weak that every example is a support vector
        {"name": "gaussian", "gammas": [1.0 / d]},
        labels=("0", "1"),
    ).fit(X, y)
    theirs = SVC(C=1e-3, gamma=1.0 / d).fit(X, y)
    S, beta = ours.support_vectors_, ours._coef[0, 0]

    def by_numpy(Z: np.ndarray) -> np.ndarray:
        parts = (Z[start : start + BLOCK] for start in range(0, len(Z), BLOCK))
        norms = (S * S).sum(axis=1)
        distances = ((A * A).sum(axis=1)[:, None] + norms - 2.0 * A @ S.T for A in parts)
        return np.concatenate([np.exp(-D / d) @ beta + ours.intercept_ for D in distances])

    ways: dict[str, Callable[[np.ndarray], np.ndarray]] = {
        "kernlearn": ours.decision_function,
        "SVC": theirs.decision_function,
        "numpy": by_numpy,
    }
    Z = rng.normal(size=(options.rows, d))
    part = Z[:PART]
    print(f"{len(S)} and {theirs.n_support_.sum()} support vectors, {d} features; per entry and for {len(Z)} rows\n")
    print("| way | ns an entry | CPU s | ratio to kernlearn |\n|---|---|---|---|")
    seconds = {name: min(cpu(way, part)[0] for _ in range(RUNS)) for name, way in ways.items()}
    for name, taken in seconds.items():
        each = taken / len(part)
        ratio = taken / seconds["kernlearn"]
        print(f"| {name} | {1e9 * each / len(S):.1f} | {each * len(Z):.1f} | {ratio:.2f} |")
    off = np.abs(ours.decision_function(part) - by_numpy(part)).max()
    reset_peak()
    taken, _ = cpu(ours.predict, Z)
    most = peak()
    print(f"\nall rows: {taken:.1f} CPU s, peak {0 if most is None else most / MB:.0f} MB; off numpy by {off:.1e}")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        main()
