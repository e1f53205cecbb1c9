"""Figures 2.5 and 2.6 of the thesis on relative margins: LibSVM, counts by hand, and claims that fail."""

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.svm import SVC

from kernlearn.papers.rmm2010.real import digits, fig2_5, fig2_6


@pytest.fixture(scope="module")
def parts():
    """Return two noisy classes on the unit sphere: a part that trains, one that validates and one that tests."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(240, 12)), np.where(rng.random(240) < 0.5, 1.0, -1.0)
    X[:, 0] += y
    part = digits.Part(X / np.linalg.norm(X, axis=1, keepdims=True), y)
    return part[:80], part[80:160], part[160:]


def test_machines_without_a_band_are_those_of_libsvm_and_others_keep_to_theirs(parts):
    train, _, test = parts
    K = digits.kernel(train.X, train.X)
    assert np.trace(K) == pytest.approx(len(K))
    svm, rmm = digits.machines(K, train.y, [10.0], [1.0, 0.3])
    oracle = SVC(kernel="precomputed", C=10.0, tol=1e-9).fit(K, train.y)
    among = ((1 + test.X @ train.X.T) / 2) ** 5
    np.testing.assert_allclose(svm.outputs(among), oracle.decision_function(among), atol=1e-5)
    assert np.abs(rmm.outputs(K)).max() <= rmm.B * (1 + 1e-9) < svm.B


def test_errors_along_b_are_those_of_the_machines_and_start_with_the_svm(parts):
    train, _, test = parts
    rows = fig2_5.errors_along(train, test, (1.0, 0.5, 0.1), seed=0)
    K, among = digits.kernel(train.X, train.X), digits.kernel(test.X, train.X)
    order = np.random.default_rng(0).permutation(len(train.y))
    fit, rest = order[:53], order[53:]
    scores = []
    for C in fig2_5.CS:
        svc = SVC(kernel="precomputed", C=C, tol=1e-9).fit(K[np.ix_(fit, fit)], train.y[fit])
        scores.append(svc.score(K[np.ix_(rest, fit)], train.y[rest]))
    assert {row["C"] for row in rows} == {fig2_5.CS[int(np.argmax(scores))]}
    machines = digits.machines(K, train.y, [rows[0]["C"]], (1.0, 0.5, 0.1))
    wrong = [np.sign(machine.outputs(among)) != test.y for machine in machines]
    assert [row["rmm"] for row in rows] == [one.sum() for one in wrong]
    assert [row["only_svm"] for row in rows] == [(wrong[0] & ~one).sum() for one in wrong]
    assert all(row["rmm"] - row["only_rmm"] == row["svm"] - row["only_svm"] for row in rows)


def test_the_machine_of_a_pair_has_the_fewest_validation_errors(parts):
    train, validation, test = parts
    found = fig2_6.chosen_machines(*parts)
    grid = list(digits.machines(digits.kernel(train.X, train.X), train.y, fig2_6.CS, fig2_6.FRACTIONS))
    among = digits.kernel(validation.X, train.X)
    errors = {(m.C, m.fraction): (np.sign(m.outputs(among)) != validation.y).sum() for m in grid}
    assert errors[found["rmm_C"], found["rmm_fraction"]] == min(errors.values())
    assert errors[found["svm_C"], 1.0] == min(count for (_, fraction), count in errors.items() if fraction == 1.0)


def rows_of(*counts):
    return [
        {"svm": 30, "rmm": 30 - only_svm + only_rmm, "only_svm": only_svm, "only_rmm": only_rmm}
        for only_svm, only_rmm in counts
    ]


def test_significance_is_mcnemars_of_the_right_sign_and_holms():
    rows = rows_of((15, 1), (1, 15), (9, 2), (3, 3))
    (_, before, first), (_, after, second) = digits.significant(rows, "abcd", 0.1, 0.5)
    assert (first, second) == ("holds", "does not hold")
    assert before == f"2: a (p={binomtest(1, 16).pvalue:.2g}), c (p={binomtest(2, 11).pvalue:.2g})"
    assert after == f"1: a (p={4 * binomtest(1, 16).pvalue:.2g})"


def test_claims_of_both_figures_can_hold_and_fail():
    curve = [
        {"seed": 0, "fraction": fraction, "B": B, **row}
        for fraction, B, row in zip((1.0, 0.5, 0.1), (3.0, 2.0, 1.2), rows_of((0, 0), (15, 0), (15, 0)), strict=True)
    ]
    words = ("holds", "does not hold")
    assert [words.index(verdict) for *_, verdict in fig2_5.claims(curve)] == [1, 1, 0, 0, 0, 0]
    flat = [{**row, "svm": 15, "rmm": 15, "only_svm": 0} for row in curve]
    assert [words.index(verdict) for *_, verdict in fig2_5.claims(flat)] == [0, 1, 1, 0, 1, 1]
    pairs = [{"first": 0, "second": k, "n_test": 2000, **row} for k, row in enumerate(rows_of(*[(20, 1)] * 3, (0, 0)))]
    assert {verdict for *_, verdict in fig2_6.claims(pairs)} == {"holds"}
    worse = [{**row, "svm": row["rmm"], "rmm": row["svm"], "only_svm": 1, "only_rmm": 20} for row in pairs]
    assert {verdict for *_, verdict in fig2_6.claims(worse)} == {"does not hold"}
