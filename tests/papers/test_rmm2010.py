"""Figures 2.1 to 2.4 of the thesis on relative margins: what is known exactly, LibSVM, and claims that fail."""

import numpy as np
import pytest
from scipy.stats import norm, ttest_rel
from sklearn.svm import SVC

from kernlearn.papers.core.figures import load_figure
from kernlearn.papers.rmm2010.toy import comparison
from kernlearn.papers.rmm2010.toy.gaussians import Draw


@pytest.fixture(scope="module")
def stretched():
    return Draw(0, 60, stretch=5.0)


def test_the_bayes_rule_has_its_error_in_the_box_and_stretched(stretched):
    known = 100.0 * norm.cdf(-np.sqrt(np.array([-18, -12]) @ np.linalg.solve([[17, 15], [15, 17]], [-18, -12])) / 2)
    assert known == pytest.approx(0.8171, abs=1e-4)  # as transcribed
    line = stretched.bayes[:, None]
    assert stretched.risk_pct(line)[0] == pytest.approx(known, rel=1e-9)
    deviation = 100.0 * np.sqrt(known / 100.0 / len(stretched.test.y))
    assert abs(stretched.test.error_pct(line)[0] - known) < 4 * deviation


def test_no_other_line_is_better_and_the_stretch_keeps_what_is_along_the_normal(stretched):
    box, bayes = Draw(0, 60), stretched.bayes
    moved = bayes[:, None] + 0.05 * np.abs(bayes).max() * np.eye(3)
    assert (stretched.risk_pct(moved) > stretched.risk_pct(bayes[:, None])).all()
    parts = np.concatenate([part.X for part in (box.train, box.validation, box.test)])
    np.testing.assert_allclose([parts.min(axis=0)[:2], parts.max(axis=0)[:2]], [[0, 0], [1, 1]], atol=1e-12)
    w = box.bayes[:2] / np.linalg.norm(box.bayes[:2])
    along = np.array([-w[1], w[0]])
    np.testing.assert_allclose(stretched.train.X[:, :2] @ w, box.train.X[:, :2] @ w, atol=1e-12)
    np.testing.assert_allclose(stretched.train.X[:, :2] @ along, 5.0 * box.train.X[:, :2] @ along, atol=1e-11)


def test_lines_are_those_of_libsvm_and_keep_to_their_bound(stretched):
    machines = list(stretched.grid(Cs=(100.0,), fractions=(1.0, 0.3)))
    oracle = SVC(kernel="linear", C=100.0, tol=1e-8).fit(stretched.train.X[:, :2], stretched.train.y)
    np.testing.assert_allclose(machines[0].line, [*oracle.coef_[0], oracle.intercept_[0]], rtol=1e-4, atol=1e-4)
    for machine in machines:
        assert np.abs(stretched.train.X @ machine.line).max() <= machine.B * (1 + 1e-9)
    assert machines[1].B < machines[0].B


def test_the_best_machines_are_those_with_least_validation_error(stretched):
    best, machines = stretched.best(), list(stretched.grid())
    errors = stretched.validation.error_pct(np.column_stack([machine.line for machine in machines]))
    svm = [error for error, machine in zip(errors, machines, strict=True) if machine.fraction == 1.0]
    found = stretched.validation.error_pct(np.column_stack([best["svm"].line, best["rmm"].line]))
    np.testing.assert_array_equal(found, [min(svm), min(errors)])


def rows_where_the_rmm_gains(gain, noise=0.05):
    rng = np.random.default_rng(0)
    return [
        {"n": n, "seed": seed, "svm_pct": 1.0, "rmm_pct": 1.0 - gain + noise * rng.normal(), "bayes_pct": 0.8}
        for n in (50, 6400)
        for seed in range(20)
    ]


def test_significance_is_that_of_the_paired_t_test_and_needs_the_right_sign():
    rows = rows_where_the_rmm_gains(0.1)
    assert [verdict for _, _, verdict in comparison.better(rows, "n", 0.05)] == ["holds", "holds"]
    worse = rows_where_the_rmm_gains(-0.1)
    assert [verdict for _, _, verdict in comparison.better(worse, "n", 0.05)] == ["does not hold"] * 2
    weak = rows_where_the_rmm_gains(0.01)
    columns = [[row[f"{name}_pct"] for row in weak if row["n"] == 50] for name in ("svm", "rmm")]
    assert f"n=50 (p={ttest_rel(*columns).pvalue:.2g})" in comparison.better(weak, "n", 1e-9)[0][1]


def test_the_advantage_that_does_not_vanish_is_a_claim_that_fails():
    verdicts = [verdict for _, _, verdict in load_figure("rmm2010/fig2_2").claims(rows_where_the_rmm_gains(0.1))]
    assert verdicts == ["holds", "holds", "does not hold", "does not hold"]
