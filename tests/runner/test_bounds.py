import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem, Signs
from kernlearn.cli.main import main
from kernlearn.evaluation.risk_bounds.rademacher import theorem1
from kernlearn.runner.cell.bounds import DELTA, RHOS, evaluate
from kernlearn.solvers import Solution

VALUES = {"complexity": "lemma3", "lambdas": [1e-3], "betas": [1e-3]}


def test_bounds_are_those_of_the_normalised_convex_combination(small):
    stack, y, _ = small
    (point,) = ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), **VALUES)
    found = evaluate(stack, y, point.predictor.coef[0])
    K = [stack.matrix(k) / np.diagonal(stack.matrix(k)).max() for k in range(len(stack))]  # values in [-1, 1]
    c = [point.predictor.coef[0, k] * np.diagonal(stack.matrix(k)).max() for k in range(len(stack))]
    total = np.abs(c).sum()
    f = sum(matrix @ coef for matrix, coef in zip(K, c, strict=True)) / total
    assert np.abs(f).max() <= 1.0
    complexity = sum(np.abs(coef).sum() * np.sqrt(np.trace(matrix)) for matrix, coef in zip(K, c, strict=True))
    assert found["complexity"] == pytest.approx(complexity / total / len(y))
    expected = min(
        theorem1((y * f <= rho).mean(), found["complexity"], rho, len(stack), len(y), DELTA / len(RHOS)) for rho in RHOS
    )
    assert found["theorem1_pct"] == pytest.approx(100 * expected)
    assert found["theorem1_pct"] > 100  # sixty points are far too few


def test_the_zero_model_has_no_bound(small):
    stack, y, _ = small
    (point,) = ALGORITHMS["vkr"].path(Problem(stack, Signs(y)), **(VALUES | {"betas": [1e3]}))
    assert not point.predictor.coef.any() and isinstance(point.solutions[0], Solution)
    assert evaluate(stack, y, point.predictor.coef[0])["theorem1_pct"] == np.inf


@pytest.mark.slow
def test_the_table_of_bounds_uses_the_models_of_table_1(capsys):
    command = ["--datasets", "ionosphere", "--algos", "vkr_lemma4", "--jobs", "1"]
    assert main(["reproduce", "vkr2015/table1", *command]) == 0
    capsys.readouterr()
    assert main(["reproduce", "vkr2015/bounds", *command]) == 0
    out = capsys.readouterr().out
    assert "5 already done: nothing to run" in out and "Bound of Theorem 1, %" in out and "Bound of Theorem 2, %" in out
