"""Other units change nothing: kernels, targets, C, lambda and beta times powers of ten, for every registered method."""

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem
from kernlearn.kernels import GramStack, make_family
from tests.algorithms.test_programs import TASKS, VALUES, target_of
from tests.conftest import moons

X, Y = moons(24)
X = np.column_stack([X, X**2, np.sin(3 * X), X[:, ::-1] ** 3])
REAL = X[:, 0] - X[:, 3] + 0.1 * Y
VIEWS = make_family("views", n_views=4)


def in_other_units(values, s):
    """The values that give the same predictor for kernels times s."""
    if "betas" in values:  # coefficients times 1 / s have the penalty lambda r_k + beta, and r_k grows with the kernel
        return values | {"betas": [s * beta for beta in values["betas"]]}
    if "thetas" in values or "Es" in values:  # kernels are divided by their tails; examples are brought into a ball
        return values
    changed = {key: [C / s for C in values.get(key, [])] for key in ("Cs", "Ds")}
    changed |= {"lambdas": [s * x for x in values.get("lambdas", [])]}
    kept = {key: changed[key] for key in changed if key in values}
    return values | kept | ({"normalise": "none"} if "normalise" in values else {})


def run(name, task, scale=1.0, target_scale=1.0):
    """Objective over that of the zero solution, gap, status and decision values of every point of a path."""
    algorithm = ALGORITHMS[name]
    values = algorithm.resolve_auto(len(X), in_other_units(VALUES[name], scale**2))
    target = target_of(algorithm, task, target_scale * REAL if task == "regression" else Y)
    stack = GramStack.train(VIEWS, scale * X)
    found = []
    for point in algorithm.path(Problem(stack, target), **values):
        (solution,) = point.solutions
        f = point.predictor.outputs(stack)[0] / target_scale
        found.append((solution.objective / (solution.zero or 1.0), solution.gap, point.status, f))
    return found, values["tol"] if "tol" in values else 1e-6


@pytest.mark.sampled(3)
@pytest.mark.parametrize("scale", [1e-6, 1e5])
@pytest.mark.parametrize(("name", "task"), TASKS)
def test_kernels_in_other_units(name, task, scale):
    found, tol = run(name, task, scale)
    plain, _ = run(name, task)
    for (value, gap, status, f), (expected, _, _, g) in zip(found, plain, strict=True):
        assert status == "optimal" and abs(gap) <= tol
        assert value == pytest.approx(expected, rel=3 * tol, abs=1e-13)
        np.testing.assert_allclose(f, g, atol=100 * np.sqrt(tol))


@pytest.mark.parametrize("scale", [1e-9, 1e9])
@pytest.mark.parametrize("name", [name for name, task in TASKS if task == "regression"])
def test_targets_in_other_units(name, scale):
    found, tol = run(name, "regression", target_scale=scale)
    plain, _ = run(name, "regression")
    for (value, gap, status, f), (expected, _, _, g) in zip(found, plain, strict=True):
        assert status == "optimal" and abs(gap) <= tol
        assert value == pytest.approx(expected, rel=3 * tol)
        np.testing.assert_allclose(f, g, rtol=1e-3, atol=1e-3)
