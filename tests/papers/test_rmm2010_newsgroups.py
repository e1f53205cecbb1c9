"""Figure 2.7 of the thesis on relative margins: LibSVM on both roles, and claims that fail."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import ttest_rel
from sklearn.svm import SVC

from kernlearn.papers.rmm2010.real import fig2_7


def test_errors_are_those_of_libsvm_chosen_on_one_part_and_counted_on_the_other():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(140) < 0.5, 1.0, -1.0)
    X = rng.poisson(1.0 + 0.8 * np.outer(y > 0, np.arange(12) < 4)).astype(float)
    found = fig2_7.errors_of(sparse.csr_array(X), y, seed=3, size=40)
    order = np.random.default_rng([3, 0]).permutation(140)
    train, *parts = (np.sort(some) for some in np.split(order, [40, 90]))
    unit = (X[train] ** 2).sum() / 40
    errors = [[], []]
    for C in fig2_7.CS:
        svc = SVC(kernel="linear", C=C / unit, tol=1e-9).fit(X[train], y[train])
        for mine, part in zip(errors, parts, strict=True):
            mine.append(100 * (svc.predict(X[part]) != y[part]).mean())
    roles = [test[int(np.argmin(those))] for those, test in (errors, errors[::-1])]
    assert found["svm_pct"] == pytest.approx(np.mean(roles)) and found["test_to_train"] == 1.25
    assert abs(found["rmm_pct"] - found["svm_pct"]) < 20


def rows(better, pairs=12):
    """Return ten repetitions of pairs, of which so many have an RMM that is clearly better."""
    rng = np.random.default_rng(0)
    return [
        {"first": 0, "second": k, "seed": seed, "svm_pct": 5.0, "test_to_train": 0.7}
        | {"rmm_pct": 5.0 - (1.0 if k < better else -0.1) + 0.1 * rng.normal()}
        for k in range(pairs)
        for seed in range(10)
    ]


def test_claims_hold_and_fail_and_the_test_is_the_paired_one():
    assert {verdict for *_, verdict in fig2_7.claims(rows(10))} == {"holds"}
    assert {verdict for *_, verdict in fig2_7.claims(rows(1))} == {"does not hold"}
    some = rows(1)
    errors = np.array([(row["svm_pct"], row["rmm_pct"]) for row in some if row["second"] == 0])
    assert fig2_7.p_values(some, corrected=False)[0] == pytest.approx(ttest_rel(*errors.T).pvalue)
    assert fig2_7.p_values(some, corrected=True)[0] > fig2_7.p_values(some, corrected=False)[0]
    assert set(fig2_7.p_values(some, corrected=False)[1:]) == {1.0}  # the RMM is worse there
