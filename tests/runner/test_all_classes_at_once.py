"""Learning kernels for all classes at once, by the runner."""

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Classes, Problem
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.kernels import DenseStack, GramStack, make_family, sizes
from tests.algorithms.combinations import X, solve_multiclass_mkl
from tests.runner.experiments import plan_of, rows_of

LABELS = (X[:, 0] > 0.5).astype(int) + (X[:, 1] > 0.3)
GRAM = GramStack.train(make_family("gaussian", gammas=[0.1, 2.0, 30.0]), X)
JOINT = sorted(name for name, algorithm in ALGORITHMS.items() if algorithm.joint and algorithm.inputs == KERNELS)


@pytest.mark.parametrize("norm", [1.0, 2.0])
def test_points_of_the_path_are_the_solutions_alone(norm):
    stack = DenseStack.of(GRAM).centred()
    t = sizes(stack, "mean_diagonal")
    points = list(ALGORITHMS["multiclass_mkl"].path(Problem(GRAM, Classes(LABELS, 3)), Cs=[10.0, 0.1, 1.0], norm=norm))
    assert [point.values["C"] for point in points] == [0.1, 1.0, 10.0]
    for point in points:
        alone = solve_multiclass_mkl(stack, LABELS, point.values["C"], norm=norm, sizes=t)
        (solution,) = point.solutions
        assert point.status == "optimal" and solution.objective == pytest.approx(alone.objective, rel=2e-4)
        mu, f = point.facts["weights"][0], point.predictor.outputs(GRAM)
        A = solution.dual
        assert np.linalg.norm(mu * t, norm) == pytest.approx(1.0) and point.predictor.coef.shape == (3, 3, len(X))
        if np.allclose(
            alone.extras["response"].alpha, A, atol=1e-6
        ):  # the dual is that of the best bound, not always of these weights
            np.testing.assert_allclose(f, (stack.combine(mu) @ A).T, atol=1e-6)
        slack = (f.T + 1 - np.eye(3)[LABELS]).max(axis=1) - f[LABELS, np.arange(len(X))]
        kept = np.stack([c.sum(axis=0) for c in point.predictor.coef]) / mu.sum()
        quadratic = np.einsum("ci,ij,cj->", kept, stack.combine(mu), kept)
        primal = 0.5 * quadratic + point.values["C"] * slack.sum()
        assert primal == pytest.approx(solution.objective, rel=1e-6)


def test_conv_without_a_head_is_trace_normalised():
    conv = list(ALGORITHMS["multiclass_conv"].path(Problem(GRAM, Classes(LABELS, 3)), thetas=[0, 2], Cs=[1.0]))
    (plain,) = ALGORITHMS["multiclass_mkl"].path(Problem(GRAM, Classes(LABELS, 3)), Cs=[1.0], normalise="trace")
    assert [point.values["theta"] for point in conv] == [0, 2]
    assert conv[0].solutions[0].objective == pytest.approx(plain.solutions[0].objective, rel=2e-4)
    assert conv[1].solutions[0].objective < conv[0].solutions[0].objective  # a smaller divisor is a larger class


@pytest.mark.parametrize("name", JOINT)
def test_rows_of_a_cell(name):
    words = ["dataset=waveform", "dataset.n=120", "kernel=gaussian", "kernel.gammas=[0.1,1]", "algo.Cs=[0.1,1]"]
    more = ["algo.thetas=[1]"] if "conv" in name else []
    rows = rows_of(f"algo={name}", *words, *more)
    method = ALGORITHMS[name]
    assert {row["status"] for row in rows} == {"optimal"} and "test_auc" not in rows[0]
    assert all(0 <= row["test_error_pct"] < 60 and row["gap"] <= method.parameters["tol"].default for row in rows)
    if method.weighs:
        assert len(rows) == 2 and len(rows[0]["weights"].split()) == 2
    else:
        fractions = method.parameters["fractions"].default if "fractions" in method.parameters else [1.0]
        assert len(rows) == 2 * 2 * len(fractions)
    chosen = plan_of(f"algo={name}", *words, *more, "select_by=accuracy_pct").select(
        [{"split": 0, **row} for row in rows]
    )
    assert chosen.values_of("accuracy_pct") == [100 - float(chosen.rows[0]["test_error_pct"])]


def test_two_classes_have_one_output():
    rows = rows_of("algo=multiclass_mkl", "dataset=sonar", "kernel=gaussian", "algo.Cs=[1]")
    assert 50 < rows[0]["test_auc"] <= 100
