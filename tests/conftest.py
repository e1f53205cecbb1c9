"""Problems that several tests use."""

import numpy as np
import pytest

from kernlearn.algorithms.columns import KernelColumns
from kernlearn.kernels import GramStack, make_family


@pytest.fixture(autouse=True)
def no_results_in_the_checkout(tmp_path, monkeypatch):
    """Run every test in a directory of its own, with neither original data nor a download cache but by request."""
    monkeypatch.chdir(tmp_path)


def moons(n: int, seed: int = 0, noise: float = 0.25) -> tuple[np.ndarray, np.ndarray]:
    """Return two interleaved half circles, labels +-1: separable by no line, noisy enough for slack."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    y = rng.choice([-1.0, 1.0], n)
    X = np.column_stack([np.cos(angle), np.sin(angle)]) * y[:, None]
    X[y < 0] += [1.0, 0.5]
    return X + rng.normal(scale=noise, size=X.shape), y


@pytest.fixture
def small():
    """Sixty points, polynomial kernels of degree 1 to 4."""
    X, y = moons(60)
    X /= np.abs(X).max()
    stack = GramStack.train(make_family("polynomial", degrees=[1, 2, 3, 4], coef0=1.0), X)
    return stack, y, KernelColumns(stack, y)
