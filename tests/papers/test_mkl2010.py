from pathlib import Path

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.papers import figure_names, load_figure
from kernlearn.papers.mkl2010.bounds import references_of
from kernlearn.papers.mkl2010.fig2_4 import alignments
from kernlearn.report.reproduction import reproduced

RESULTS = Path(__file__).parents[2] / "results"


@pytest.mark.parametrize(("figure", "count"), [("fig2.1", 9), ("fig2.2", 7), ("fig2.3", 2), ("fig2.4", 0)])
def test_values_equal_the_references_to_the_last_digit(figure, count):
    rows = references_of(figure)
    assert len(rows) == count
    for row in rows:
        assert row["agree"] and row["ours"] == pytest.approx(row["reference"], rel=1e-4), row["setting"]


@pytest.mark.parametrize("name", ["fig2_1", "fig2_3", "fig2_4"])
def test_claims_hold_and_can_fail(name):
    figure = load_figure(f"mkl2010/{name}")
    rows, claims = figure.points(), figure.claims
    assert {judgement for _, _, judgement in claims(rows)} == {"holds"}
    terms = list(dict.fromkeys(row.get("term") for row in rows))
    exchanged = dict(zip(terms, terms[::-1], strict=True))
    wrong = [
        {**row, "term": exchanged[row["term"]]} if "term" in row else {**row, "A": row["rho"], "rho": row["A"]}
        for row in rows
    ]
    assert "does not hold" in {judgement for _, _, judgement in claims(wrong)}


def test_claims_on_mnist_hold_and_can_fail():
    rows = [
        {"norm": q, "p": p, "test_error": p / 1e4, "bound": 1 + p / 1e3, "complexity": 0.2 + p / 1e5}
        for q in (1, 2)
        for p in (200, 400, 600)
    ]
    claims = load_figure("mkl2010/fig2_2").claims
    assert {judgement for _, _, judgement in claims(rows)} == {"holds"}
    wrong = [{**row, "test_error": -row["test_error"], "complexity": row["p"]} for row in rows]
    assert {judgement for _, _, judgement in claims(wrong)} == {"does not hold"}


def test_bounds_are_the_sum_of_their_terms_over_the_same_sizes():
    for name in ("fig2_1", "fig2_3"):
        rows = load_figure(f"mkl2010/{name}").points()
        curves = {(row["term"], row["number"]) for row in rows}
        assert len(curves) == 8 and len(rows) == 8 * 200
        assert all(row["bound"] == row["complexity"] + row["confidence"] for row in rows)
        assert {row["p"] == row["m"] for row in rows if row["number"] == "m"} == {True}
    at = {(row["term"], row["number"]): row for row in load_figure("mkl2010/fig2_1").points() if row["m"] == 15e6}
    assert at["Srebro-Ben-David", "10"]["bound"] == pytest.approx(1.077827, abs=1e-6)
    assert at["Srebro-Ben-David", "m^(1/3)"]["p"] == pytest.approx(246.621, abs=1e-3)


@pytest.mark.parametrize("negative", [1, 3, 10, 19])
def test_alignments_are_those_of_the_matrices_of_twenty_points(negative):
    y = np.array([-1.0] * negative + [1.0] * (20 - negative))
    X = np.column_stack([y, np.zeros(20)])
    K, labels, H = X @ X.T + 1, np.outer(y, y), np.eye(20) - 1 / 20

    def cosine(A, B):
        return (A * B).sum() / np.linalg.norm(A) / np.linalg.norm(B)

    A, rho = alignments(negative / 20)
    assert pytest.approx(cosine(K, labels)) == A and rho == pytest.approx(cosine(H @ K @ H, H @ labels @ H))
    assert pytest.approx(np.sqrt((1 + (1 - negative / 10) ** 2) / 2)) == A and rho == pytest.approx(1)


def test_figures_match_their_descriptions():
    assert {f"mkl2010/fig2_{i}" for i in (1, 2, 3, 4)} <= set(figure_names())
    for name in figure_names():
        figure = load_figure(name)
        assert figure.name == name and figure.title and figure.readings
    with pytest.raises(UserError, match="fig9: no such figure, choose one of .*mkl2010/fig2_1"):
        load_figure("mkl2010/fig9")


def test_the_reading_of_the_alignments_of_german_has_the_numbers_of_the_table():
    table, _, rows, _ = reproduced("mkl2010/table3_1", RESULTS)
    known = {(row["algorithm"], row["metric"]): row["mean"] for row in rows if row["dataset"] == "german"}
    columns = ("unif", "align", "alignf")
    tested = ", ".join(f"{known[column, 'test_alignment']:.3f}" for column in columns)
    trained = [f"{known[column, 'alignment']:.3f}" for column in columns]
    words = table.readings["alignment"]
    assert f"alignments of german are {tested} for unif, align, alignf" in words
    assert f"on the training part {min(trained)} to {max(trained)})" in words
    notes = (RESULTS / "mkl2010/NOTES.md").read_text(encoding="utf-8")
    assert f"| test part | {tested} |" in notes and f"| training part | {', '.join(trained)} |" in notes
