"""Tables 4.1 and 4.2 of the thesis on relative margins: claims over draws with two roles each."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from kernlearn.papers.core.measured import Measured
from kernlearn.papers.rmm2010.sequences import machines as structured
from kernlearn.papers.rmm2010.sequences import table4_1, table4_2


def measured(errors, partitions=1, noise=0.05):
    """Return errors of the twenty results of every partition, around given means."""
    rng, rows = np.random.default_rng(0), []
    for (row, column), mean in errors.items():
        for seed in range(partitions):
            values = " ".join(str(mean + noise * rng.normal()) for _ in range(20))
            facts = {"dataset": row, "algorithm": column, "seed": seed, "metric": "error_pct", "values": values}
            rows.append({**facts, "validation_error_pct": 1.0})
    return Measured(rows)


def of_labels(ner, pos, **more):
    names = ("crf", "struct_svm", "struct_rmm")
    errors = {
        (row, name): mean
        for row, means in (("ner", ner), ("pos", pos))
        for name, mean in zip(names, means, strict=True)
    }
    return table4_1.claims(measured(errors, **more))


def test_what_the_thesis_says_of_labels_can_hold_and_fail():
    printed = of_labels((5.13, 5.09, 5.04), (11.34, 11.14, 10.42), noise=1e-3)
    # a p-value of 0.07 is not significant: here the noise is so small that it is
    assert [verdict for *_, verdict in printed] == ["does not hold"] * 2 + ["holds"] * 5 + ["not measured"]
    assert [verdict for *_, verdict in of_labels((5.2, 5.1, 5.1), (9, 8, 7), noise=0.3)][:2] == ["holds"] * 2
    assert [verdict for *_, verdict in of_labels((5, 6, 8), (5, 6, 8))][2:-1] == ["does not hold"] * 5


def test_a_table_of_one_method_claims_nothing():
    claims = table4_1.claims(measured({("ner", "crf"): 5.0}))
    assert {verdict for *_, verdict in claims} == {"not measured"}


@pytest.mark.parametrize("partitions", [1, 2])
def test_tests_are_paired_and_roles_of_one_draw_belong_together(partitions):
    rows = {("pos", "struct_svm"): 11.1, ("pos", "struct_rmm"): 11.0}
    found = measured(rows, partitions, noise=0.2)
    svm, rmm = (np.array(found.values("pos", name)) for name in ("struct_svm", "struct_rmm"))
    claim, told, _ = structured.better(found, "rmm2010/table4_1", "pos", "pos", 0.0)[0]
    assert f"p={ttest_rel(svm, rmm).pvalue:.2g} (printed 0.00)" in told and "paired t-test" in claim
    pairs = (svm - rmm).reshape(partitions, 2, 10).mean(axis=1).ravel()
    np.testing.assert_allclose(structured.by_draw((svm - rmm).tolist()), pairs)
    _, told, _ = structured.better(found, "rmm2010/table4_1", "pos", "pos", 0.0)[1]
    assert f"p={ttest_rel(pairs, 0 * pairs).pvalue:.2g}" in told


PRINTED = {"d1": (3.78, 3.85), "d2": (2.11, 1.46), "d3": (1.73, 1.24), "d4": (1.55, 1.18)}


def of_digits(errors, **more):
    pairs = {
        (row, name): mean
        for row, both in errors.items()
        for name, mean in zip(("struct_svm", "struct_rmm"), both, strict=True)
    }
    return table4_2.claims(measured(pairs, **more))


def test_what_the_thesis_says_of_digits_can_hold_and_fail():
    claims = of_digits(PRINTED, noise=0.02)
    assert [verdict for *_, verdict in claims] == ["holds"] * 10 + ["not measured"]
    assert [float(told.split()[0]) for _, told, _ in claims[8:10]] == pytest.approx([20.3, 27.7], abs=0.5)
    worse = of_digits({row: (1.0, 1.2) for row in PRINTED})
    assert [verdict for *_, verdict in worse] == ["holds"] * 2 + ["does not hold"] * 8 + ["not measured"]
    assert {verdict for *_, verdict in of_digits({"d1": (3, 2)})[2:]} == {"not measured"}


@pytest.mark.parametrize(("most", "verdict"), [(4800.0, "holds"), (4801.0, "does not hold")])
def test_all_labellings_ever_added_are_held_against_the_theorem(most, verdict):
    assert structured.theorem_21(240, 1.0, 2.0) == 4800.0
    assert structured.theorem_21(240, 10.0, 3.0) == pytest.approx(72_000)
    facts = {"dataset": "ner", "algorithm": "struct_rmm", "seed": 0, "validation_error_pct": 1.0}
    counts = {"n_added": f"12.0 {most}", "n_allowed": "4800.0 4800.0", "n_cuts": "9 9"}
    found = Measured([{**facts, "metric": metric, "values": values} for metric, values in counts.items()])
    _, told, judged = structured.within_theorem_21(found)
    assert (told, judged) == ("ner struct_rmm 1 of them", verdict)


def test_with_the_linear_kernel_nothing_is_significant():
    linear = measured({("d1", "struct_svm"): 3.78, ("d1", "struct_rmm"): 3.85})
    text, told, _ = structured.better(linear, "rmm2010/table4_2", "d1", "poly_d1", 0.5)[0]
    assert "not significantly fewer" in text and "printed 0.55" in told


def test_columns_are_compared_on_the_partitions_that_both_have():
    def row(name, seed, values):
        return {"dataset": "a", "algorithm": name, "seed": seed, "metric": "error_pct", "values": values}

    rows = [
        row("one", 0, "1 2"),
        row("one", 1, "3 5"),
        row("one", 2, "9 9"),
        row("two", 1, "2 2"),
        row("two", 0, "0 0"),
    ]
    measured = Measured(rows)
    assert measured.differences("a", "one", "two") == [1.0, 2.0, 1.0, 3.0]
    assert measured.p_value("a", "one", "two") < 1.0
    assert len(measured.values("a", "one")) == 6
