"""Table 3.1 of the thesis on relative margins: claims that hold on its rows, and fail on others."""

import numpy as np
import pytest

from kernlearn.papers import load_figure
from kernlearn.papers.rmm2010.toy import table3_1


@pytest.fixture(scope="module")
def rows():
    return table3_1.points()


def test_both_labellings_have_the_same_margin_and_the_printed_order(rows):
    X = table3_1.examples()
    assert np.abs(X).min(axis=0).tolist() == [1.0, 1.0] and len(np.unique(X, axis=0)) == len(X)
    assert [judgement for _, _, judgement in load_figure("rmm2010/table3_1").claims(rows)] == ["holds"] * 5 + [
        "ours holds"
    ]
    ours = {(row["example"], row["D"], row["method"]): row["bound"] for row in rows}
    printed = table3_1.printed()
    assert len(printed) == 10 and set(printed) <= set(ours)
    assert sorted(printed, key=lambda key: (round(printed[key], 3), key)) == sorted(
        printed, key=lambda key: (round(ours[key], 3), key)
    )


def test_claims_fail_where_the_examples_change_their_names(rows):
    other = {"toy_example_1": "toy_example_2", "toy_example_2": "toy_example_1"}
    found = table3_1.claims([{**row, "example": other[row["example"]]} for row in rows])
    assert [judgement for _, _, judgement in found] == ["holds"] * 2 + ["does not hold"] * 3 + ["ours holds"]
