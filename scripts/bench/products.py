"""Time products of Gaussian kernel matrices that are not kept with a vector: kernlearn, numpy and scikit-learn.

All three compute the same sums, on one thread, with as many expansion points as examples. Numpy computes distances by a
product of matrices and the exponential, 1024 examples at a time; scikit-learn its `rbf_kernel`, as many at a time. CPU
seconds, the best of three runs, by entry of the matrix.

    python scripts/bench/products.py                    # 2,000 to 16,000 examples, 20 features
    python scripts/bench/products.py --features 8 --most 4000
"""

import argparse

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import cpu
from sklearn.metrics.pairwise import rbf_kernel

from kernlearn.kernels import make_family
from kernlearn.kernels.matrices.streamed import StreamedStack

SIZES, KERNELS, RUNS, BLOCK = (2_000, 4_000, 8_000, 16_000), (1, 10), 3, 1024


def by_numpy(X: np.ndarray, gammas: list[float], coef: np.ndarray) -> np.ndarray:
    """Return the sums over all kernels, from blocks of distances."""
    norms, parts = (X * X).sum(axis=1), []
    for start in range(0, len(X), BLOCK):
        A = X[start : start + BLOCK]
        D = norms[start : start + BLOCK, None] + norms - 2.0 * A @ X.T
        parts.append(sum(np.exp(-gamma * D) @ one for gamma, one in zip(gammas, coef, strict=True)))
    return np.concatenate(parts)


def by_scikit_learn(X: np.ndarray, gammas: list[float], coef: np.ndarray) -> np.ndarray:
    """Return the sums over all kernels, from blocks of each."""
    parts = [
        sum(rbf_kernel(X[start : start + BLOCK], X, gamma) @ one for gamma, one in zip(gammas, coef, strict=True))
        for start in range(0, len(X), BLOCK)
    ]
    return np.concatenate(parts)


def by_kernlearn(X: np.ndarray, gammas: list[float], coef: np.ndarray) -> np.ndarray:
    """Return the same."""
    return StreamedStack(make_family("gaussian", gammas=gammas), X, X).expand(coef)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    options = parser.parse_args()
    d, rng = options.features, np.random.default_rng(0)
    ways = {"kernlearn": by_kernlearn, "numpy": by_numpy, "scikit-learn": by_scikit_learn}
    print("| kernels | n | " + " | ".join(f"{way}, ns an entry" for way in ways) + " | numpy / kernlearn | off |")
    print("|---|---|" + "---|" * (len(ways) + 2))
    for p in KERNELS:
        gammas = [2.0**-k / d for k in range(p)]
        for n in (n for n in SIZES if n <= options.most):
            X, coef = rng.normal(size=(n, d)), rng.normal(size=(p, n))
            values = [way(X, gammas, coef) for way in ways.values()]
            off = np.abs(values[0] - values[1]).max() / np.abs(values[1]).max()
            seconds = [min(cpu(way, X, gammas, coef)[0] for _ in range(RUNS)) for way in ways.values()]
            each = " | ".join(f"{1e9 * taken / n**2:.1f}" for taken in seconds)
            print(f"| {p} | {n} | {each} | {seconds[1] / seconds[0]:.1f} | {off:.0e} |", flush=True)


if __name__ == "__main__":
    main()
