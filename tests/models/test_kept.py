"""Models of earlier versions, built by `build_kept.py` beside this file: they load and predict the same for ever."""

import csv
import io
import json

import numpy as np
import pytest

import kernlearn
from kernlearn.cli.main import main
from tests.models.build_kept import KEPT, NEW

#: Other processors round the last bits of products in another way.
ROUNDING = 1e-9
EXPECTED = json.loads((KEPT / "expected.json").read_text())


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_kept_model_predicts_the_same(name):
    model = kernlearn.load(KEPT / f"{name}.kl")
    labels, values = EXPECTED[name]
    assert model.predict(NEW).tolist() == labels
    np.testing.assert_allclose(model.decision_function(NEW), values, rtol=ROUNDING)


def test_a_kept_model_predicts_a_file(capsys):
    assert main(["predict", str(KEPT / "fitted.kl"), str(KEPT / "new.csv"), "--scores", "--proba"]) == 0
    header, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    expected_header, *expected = csv.reader(io.StringIO((KEPT / "fitted.csv").read_text()))
    assert header == expected_header and [row[0] for row in rows] == [row[0] for row in expected]
    found, known = (np.array([row[1:] for row in part], dtype=float) for part in (rows, expected))
    np.testing.assert_allclose(found, known, rtol=1e-7)


def test_every_kept_model_is_tested():
    assert {path.stem for path in KEPT.glob("*.kl")} == {*EXPECTED, "fitted"}
