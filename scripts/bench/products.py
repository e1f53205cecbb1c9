"""Time products of kernel matrices that are not kept with a vector: kernlearn, numpy and scikit-learn.

All compute the same sums, on one thread, with as many expansion points as examples. Numpy computes distances or inner
products by a product of matrices and then the entries, 1024 examples at a time; scikit-learn its `rbf_kernel` or
`polynomial_kernel`, as many at a time. Kernlearn is timed in double precision, in single precision, and with the sums
in twice the working precision that a certificate is made of. CPU seconds, the best of three runs, by entry of the
matrix.

    python scripts/bench/products.py                    # 2,000 to 16,000 examples, 20 features; some minutes
    python scripts/bench/products.py --features 8 --most 4000
"""

import argparse
from collections.abc import Callable

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import cpu
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from kernlearn.kernels import KernelFamily, make_family
from kernlearn.kernels.matrices.streamed import StreamedStack

SIZES, KERNELS, RUNS, BLOCK = (2_000, 4_000, 8_000, 16_000), (1, 10), 3, 1024
Array = np.ndarray


def by_blocks(X: Array, coef: Array, block: Callable[[Array], list[Array]]) -> Array:
    """Return the sums over all kernels, whose entries for some examples and all points a function gives."""
    starts = range(0, len(X), BLOCK)
    return np.concatenate(
        [
            sum(K @ one for K, one in zip(block(X[start : start + BLOCK]), coef, strict=True))  # type: ignore[misc]
            for start in starts
        ]
    )


def by_numpy(family: KernelFamily, X: Array, coef: Array) -> Array:
    """Return the sums from blocks of distances, or of inner products."""
    norms = (X * X).sum(axis=1)

    def block(A: Array) -> list[Array]:
        products = A @ X.T
        if family.name == "polynomial":
            return [(products + 1.0) ** member["degree"] for member in family.members]
        D = (A * A).sum(axis=1)[:, None] + norms - 2.0 * products
        return [np.exp(-member["gamma"] * D) for member in family.members]

    return by_blocks(X, coef, block)


def by_scikit_learn(family: KernelFamily, X: Array, coef: Array) -> Array:
    """Return the sums from blocks of each kernel."""

    def block(A: Array) -> list[Array]:
        if family.name == "polynomial":
            return [polynomial_kernel(A, X, member["degree"], 1.0, 1.0) for member in family.members]
        return [rbf_kernel(A, X, member["gamma"]) for member in family.members]

    return by_blocks(X, coef, block)


def by_kernlearn(family: KernelFamily, X: Array, coef: Array) -> Array:
    """Return the same."""
    return StreamedStack(family, X, X).expand(coef)


def by_single(family: KernelFamily, X: Array, coef: Array) -> Array:
    """Return the same from kernel values in single precision."""
    return StreamedStack(family, X, X).expand(coef.astype(np.float32))


def by_twofold(family: KernelFamily, X: Array, coef: Array) -> Array:
    """Return the same, added up in twice the working precision."""
    sums = StreamedStack(family, X, X).twofold(coef)
    assert sums is not None
    return sums[0] + sums[1]


WAYS = {
    "double": by_kernlearn,
    "single": by_single,
    "certificate": by_twofold,
    "numpy": by_numpy,
    "scikit-learn": by_scikit_learn,
}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--features", type=int, default=20)
    parser.add_argument("--most", type=int, default=SIZES[-1])
    options = parser.parse_args()
    d, rng = options.features, np.random.default_rng(0)
    print("ns an entry")
    print("| kernels | n | " + " | ".join(WAYS) + " | numpy / double | off |\n|" + (len(WAYS) + 4) * "---|")
    for name in ("gaussian", "polynomial"):
        for p in KERNELS:
            parameters = (
                [2.0**-k / d for k in range(p)] if name == "gaussian" else list(range(1, p + 1)) if p > 1 else [3]
            )
            family = make_family(name, **{"gammas" if name == "gaussian" else "degrees": parameters})
            for n in (n for n in SIZES if n <= options.most):
                X, coef = rng.normal(size=(n, d)), rng.normal(size=(p, n))
                X /= 1.0 if name == "gaussian" else np.linalg.norm(X, axis=1)[:, None]
                values = [way(family, X, coef) for way in WAYS.values()]
                off = np.abs(values[0] - values[3]).max() / np.abs(values[3]).max()
                seconds = [min(cpu(way, family, X, coef)[0] for _ in range(RUNS)) for way in WAYS.values()]
                each = " | ".join(f"{1e9 * taken / n**2:.1f}" for taken in seconds)
                ratio = seconds[3] / seconds[0]
                print(f"| {p} {name} | {n} | {each} | {ratio:.1f} | {off:.0e} |", flush=True)


if __name__ == "__main__":
    main()
