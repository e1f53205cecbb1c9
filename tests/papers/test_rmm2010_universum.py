"""Table 2.2 of the thesis on relative margins: claims over draws with two roles each."""

import numpy as np
from scipy.stats import ttest_rel

from kernlearn.papers.core.measured import Measured
from kernlearn.papers.rmm2010.real import table2_2


def measured(gains, draws=10, noise=0.05):
    """Return errors of so many draws: of the SVM 1.3 %, of the others less by their gains."""
    rng, rows = np.random.default_rng(0), []
    for (row, column), gain in gains.items():
        for seed in range(draws):
            values = " ".join(str(1.3 - gain + noise * rng.normal()) for _ in range(2))
            facts = {"dataset": row, "algorithm": column, "seed": seed, "metric": "error_pct", "values": values}
            rows.append({**facts, "validation_error_pct": 1.0})
    return Measured(rows)


def gains(rmm, thousand, every):
    alone = table2_2.ALONE
    return {
        (alone, "svm"): 0.0,
        (alone, "rmm"): rmm,
        ("universum_1000", "u_svm"): thousand,
        ("universum_all", "u_svm"): every,
    }


def verdicts(*args, **more):
    return [verdict for *_, verdict in table2_2.claims(measured(gains(*args), **more))]


def test_what_the_thesis_says_can_hold_and_fail():
    assert verdicts(0.3, 0.3, 0.6) == ["holds"] * 5 + ["not measured", "holds"]
    assert verdicts(-0.3, 0.3, 0.3)[:5] == ["does not hold"] * 5
    assert verdicts(0.3, 0.3, 0.3)[-1] == "does not hold"
    assert verdicts(0.3, 0.3, 0.6, draws=1)[4:] == ["not measured"] * 3


def test_the_test_is_the_paired_one_over_draws():
    found = measured(gains(0.3, 0.33, 0.6))
    rmm, universum = (
        np.reshape(found.values(*column), (10, 2)).mean(axis=1)
        for column in ((table2_2.ALONE, "rmm"), ("universum_1000", "u_svm"))
    )
    told = dict((claim, text) for claim, text, _ in table2_2.claims(found))
    (text,) = (text for claim, text in told.items() if claim.startswith("universum_1000"))
    assert f"p={ttest_rel(rmm, universum).pvalue:.3f}" in text and "in 10 draws" in text
