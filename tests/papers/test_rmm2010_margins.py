"""Figure 1.1 of the thesis on relative margins: LibSVM, geometry, and claims that fail on other data."""

import numpy as np
import pytest
from sklearn.svm import SVC

from kernlearn.papers.rmm2010.toy import fig1_1


@pytest.fixture(scope="module")
def rows():
    return fig1_1.points()


def test_the_margins_of_the_svm_are_those_of_libsvm(rows):
    for stretch, (margin, relative) in zip(fig1_1.STRETCHES, fig1_1.margins(rows, "svm"), strict=True):
        X, y = fig1_1.examples(stretch)
        oracle = SVC(kernel="linear", C=fig1_1.C, tol=1e-9).fit(X, y)
        assert margin == pytest.approx(1.0 / np.linalg.norm(oracle.coef_), rel=1e-5)
        assert relative == pytest.approx(100.0 / np.abs(oracle.decision_function(X)).max(), rel=1e-5)
        assert margin == pytest.approx(np.linalg.norm(fig1_1.ENDS[0] * [stretch, 1.0]), rel=1e-6)  # the nearest two


def test_the_margin_of_the_rmm_is_half_of_the_distance_of_the_lines(rows):
    for stretch, (margin, _) in zip(fig1_1.STRETCHES, fig1_1.margins(rows, "rmm"), strict=True):
        start, end = fig1_1.ENDS * [stretch, 1.0]
        along = (end - start) / np.linalg.norm(end - start)
        assert margin == pytest.approx(abs(start[0] * along[1] - start[1] * along[0]), rel=1e-5)


def test_all_claims_hold_and_those_about_the_rmm_fail_for_the_line_of_the_svm(rows):
    assert [verdict for _, _, verdict in fig1_1.claims(rows)] == ["holds"] * 6
    swapped = [{**row, "what": {"svm": "rmm", "rmm": "svm"}.get(row["what"], row["what"])} for row in rows]
    assert [verdict for _, _, verdict in fig1_1.claims(swapped)][:5] == ["does not hold"] * 5
