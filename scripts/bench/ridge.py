"""Time and memory of kernel ridge regression on many examples, and its peers.

A real target in 20 dimensions: x is normal, ``y = sin(x_1) + x_2 x_3`` and noise of deviation 0.3. The kernel is
Gaussian with gamma = 1/20. A fresh process on one thread for every line; CPU seconds from the examples on, imports and
compilation apart, the peak of the process, the exact relative duality gap of the predictor, and its RMSE on 4,000
other examples (0.3 is the best possible). The gap of a peer is that to the lower bound which `krr` finds for the same
problem. The exponent is that of n, over all sizes.

    python scripts/bench/ridge.py                                   # 4,000 to 16,000, lambda/n = 1e-3, 1e-5, 1e-7
    python scripts/bench/ridge.py --n 50000 100000 --only krr       # without a matrix; about 20 CPU minutes
    python scripts/bench/ridge.py --path --n 16000                  # ten values of lambda, and the dearest of them
"""

import argparse
from collections.abc import Callable
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import alone, cpu

from kernlearn.algorithms import ALGORITHMS, Problem, Reals
from kernlearn.kernels import make_family
from kernlearn.kernels.matrices.inputs import make_inputs
from kernlearn.kernels.matrices.streamed import StreamedStack
from kernlearn.memory import MB, peak, reset_peak

Array = np.ndarray
D, NOISE, OTHERS, LANDMARKS = 20, 0.3, 4000, 2000
FAMILY = make_family("gaussian", gammas=[1.0 / D])
#: Above so many examples the peers that hold a matrix are left out.
MOST_OF_MATRIX = 16_000
#: What a fit gives: its gap, None if it is to be proved, and expansion points, their coefficients and the intercept.
Fit = tuple[float | None, Array, Array, float]


def target(n: int, seed: int = 0) -> tuple[Array, Array]:
    """Return n examples and their targets."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, D))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + NOISE * random.standard_normal(n)


def krr(X: Array, y: Array, lambdas: list[float]) -> Fit:
    """Solve it as a run does, with an intercept."""
    inputs = make_inputs(FAMILY, X, max_matrix_bytes=ALGORITHMS["krr"].max_matrix_bytes)
    *_, point = ALGORITHMS["krr"].path(Problem(inputs, Reals(y)), lambdas=lambdas)
    coef: Any = point.predictor
    return max(abs(one.gap) for one in point.solutions), X, coef.coef[0, 0], float(coef.intercept[0])


def kernel_ridge(X: Array, y: Array, lambdas: list[float]) -> Fit:
    """Fit scikit-learn's `KernelRidge` for every lambda, without an intercept."""
    from sklearn.kernel_ridge import KernelRidge

    for lambda_ in lambdas:
        model = KernelRidge(kernel="rbf", gamma=1.0 / D, alpha=lambda_).fit(X, y)
    return None, X, model.dual_coef_, 0.0


def nystroem(X: Array, y: Array, lambdas: list[float]) -> Fit:
    """Fit ridge regression on the features of some landmarks, for every lambda, without an intercept."""
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import Ridge

    features = Nystroem(gamma=1.0 / D, n_components=min(LANDMARKS, len(X)), random_state=0)
    V = features.fit_transform(X)
    for lambda_ in lambdas:
        w = Ridge(alpha=lambda_, fit_intercept=False).fit(V, y).coef_
    return None, features.components_, features.normalization_.T @ w, 0.0


METHODS: dict[str, Callable[[Array, Array, list[float]], Fit]] = {
    "krr": krr,
    "KernelRidge": kernel_ridge,
    f"Nystroem {LANDMARKS} + Ridge": nystroem,
}


def measure(name: str, n: int, parts: list[float]) -> tuple[float, float, float, float]:
    """Return CPU seconds, the peak in MB, the gap and the RMSE of a method."""
    fit = METHODS[name]
    warm = target(300)
    inputs = make_inputs(FAMILY, warm[0], max_matrix_bytes=0.0)
    for _ in ALGORITHMS["krr"].path(Problem(inputs, Reals(warm[1])), lambdas=[1.0]):  # all that is to be compiled
        pass
    fit(*warm, [1.0])
    X, y = target(n)
    reset_peak()
    seconds, (gap, points, coef, intercept) = cpu(fit, X, y, [part * n for part in parts])
    most = (peak() or 0) / MB
    if gap is None:
        gap = exact_gap(X, y, points, coef, parts[-1] * n)
    Z, z = target(OTHERS, seed=1)
    f = StreamedStack(FAMILY, Z, points).expand(coef[None]) + intercept
    return seconds, most, gap, float(np.sqrt(np.mean((f - z) ** 2)))


def exact_gap(X: Array, y: Array, points: Array, coef: Array, lambda_: float) -> float:
    """Return the gap of an expansion without an intercept in the exact problem, by the bound of our own solution."""
    residuals = y - StreamedStack(FAMILY, X, points).expand(coef[None])
    square = float(coef @ StreamedStack(FAMILY, points, points).expand(coef[None]))
    value = square + float(residuals @ residuals) / lambda_
    inputs = make_inputs(FAMILY, X, max_matrix_bytes=ALGORITHMS["krr"].max_matrix_bytes)
    (point,) = ALGORITHMS["krr"].path(Problem(inputs, Reals(y)), lambdas=[lambda_], centre=False)
    return (value - point.solutions[0].dual_objective) / value


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, nargs="+", default=[4000, 8000, 16_000], help="numbers of examples")
    parser.add_argument("--parts", type=float, nargs="+", default=[1e-3, 1e-5, 1e-7], help="lambda / n")
    parser.add_argument("--only", nargs="+", metavar="WORD", help="methods whose names begin so")
    parser.add_argument("--path", action="store_true", help="ten values of lambda together")
    arguments = parser.parse_args()
    heads = ("method", "lambda / n", "n", "CPU s", "peak MB", "exact gap", "RMSE", "exponent")
    print("|", " | ".join(heads), "|\n" + len(heads) * "|---" + "|")
    ten = np.logspace(-3, -6, 10).tolist()
    asked = [[ten[-1]], ten] if arguments.path else [[part] for part in arguments.parts]
    for name in METHODS:
        if arguments.only and not name.startswith(tuple(arguments.only)):
            continue
        for parts in asked:
            found: list[tuple[int, float]] = []
            for n in arguments.n:
                if name == "KernelRidge" and n > MOST_OF_MATRIX:
                    continue
                seconds, most, gap, rmse = alone(measure, name, n, parts)
                found.append((n, seconds))
                power = np.polyfit(*np.log(np.array(found)).T, 1)[0] if len(found) > 1 else np.nan
                shown = [
                    f"{seconds:.1f}",
                    f"{most:.0f}",
                    f"{gap:.0e}",
                    f"{rmse:.3f}",
                    f"{power:.1f}".replace("nan", ""),
                ]
                of = f"{parts[0]:.0e}" if len(parts) == 1 else f"{len(parts)} from {parts[0]:.0e} to {parts[-1]:.0e}"
                print("|", " | ".join([name, of, str(n), *shown]), "|", flush=True)


if __name__ == "__main__":
    main()
