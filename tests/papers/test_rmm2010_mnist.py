"""The batch of table 2.1 on MNIST: a pair by hand, votes of all pairs, claims that fail, and parts of its cells."""

import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from sklearn.svm import SVC

from kernlearn.cli.main import main
from kernlearn.datasets import load
from kernlearn.evaluation import votes
from kernlearn.evaluation.metrics import expected_error_pct
from kernlearn.papers import load_figure
from kernlearn.papers.rmm2010.real import table2_1_mnist as batch
from kernlearn.report.figures import read_points

FIGURE = "rmm2010/table2_1_mnist"


@pytest.fixture
def small(monkeypatch):
    """Let the small digits of scikit-learn, of 64 pixels, stand for MNIST: 450 of them train."""
    data = load("digits")
    data = replace(data, X=data.X[:750], y=data.y[:750], n_train=450)
    monkeypatch.setattr(batch, "mnist", lambda: data)
    return data


@pytest.mark.slow
def test_a_figure_s_cells_can_be_run_in_parts_and_its_files_have_all_that_is_finished(
    small, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("kernlearn.papers.core.cells.load", lambda name: small)
    monkeypatch.setattr("kernlearn.report.figures.draw_figure", lambda figure, rows: {})  # pictures take their time
    run = ["reproduce", FIGURE, "--jobs", "1", "--results-dir", str(tmp_path), "--only", "kernel=d3", "pair=3-5,4-9"]
    assert main([*run, "method=svm"]) == 0 and main([*run, "method=rmm"]) == 0
    assert capsys.readouterr().out.count("cells      2, 0 already done") == 2
    rows = read_points(tmp_path / f"{FIGURE}.csv")
    assert [(row["method"], row["pair"]) for row in rows[::2]] == [
        (m, p) for m in ("svm", "rmm") for p in ("3-5", "4-9")
    ]
    assert (
        json.loads((tmp_path / f"{FIGURE}.provenance.json").read_text())["state"]
        == "1 of 1 repetitions, 4 of 1440 cells"
    )
    assert main([*run, "method=svm,klda", "--collect"]) == 1
    assert "2 cells are missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("figure", "word", "message"),
    [
        (
            FIGURE,
            "pairs=3-5",
            f"--only pairs=3-5: cells of {FIGURE} have no such option; choose one of kernel, method, pair",
        ),
        (FIGURE, "pair=5-3", f"--only pair=5-3: no cell of {FIGURE} has pair=5-3, choose from 3-5, 4-9"),
        ("rmm2010/fig2_5", "B=2", "--only B=2: cells of rmm2010/fig2_5 have no such option; each repetition"),
        ("rmm2010/table3_1", "D=0", "--only: has no meaning for rmm2010/table3_1, a figure without repetitions"),
    ],
)
def test_a_part_that_there_is_not_is_refused_in_one_line(figure, word, message, capsys, tmp_path, monkeypatch, small):
    monkeypatch.setattr("kernlearn.papers.core.cells.load", lambda name: small)
    assert main(["reproduce", figure, "--only", word, "--results-dir", str(tmp_path / "none")]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"kernlearn: error: {message}") and captured.err.count("\n") == 1
    assert captured.out == "" and not (tmp_path / "none").exists()


def kernel(X, Z, degree):
    X, Z = (A / np.linalg.norm(A, axis=1, keepdims=True) for A in (X, Z))
    return ((1 + X @ Z.T) / 2) ** degree


def test_the_cells_are_every_pair_with_every_kernel_and_method_the_stated_ones_first():
    cells = load_figure(FIGURE).cells
    assert len(cells) == 8 * 4 * 45 and len({tuple(cell.values()) for cell in cells}) == len(cells)
    assert {cell["pair"] for cell in cells} == {f"{a}-{b}" for a, b in combinations(range(10), 2)}
    assert [cell["pair"] for cell in cells[:4]] == ["3-5", "4-9", "7-9", "0-1"]


def test_a_pair_is_the_svm_of_its_images_with_the_c_that_errs_least_on_the_others(small):
    two_thirds, full = batch.cell(0, "d3", "svm", "3-8")
    order = np.random.default_rng(0).permutation(450)
    parts = [rows[np.isin(small.y[rows], (3, 8))] for rows in (np.sort(order[:300]), np.sort(order[300:]))]
    (X, y), (V, v) = ((small.X[rows], np.where(small.y[rows] == 8, 1, -1)) for rows in parts)
    T = small.X[450:]
    of_pair = np.isin(small.y[450:], (3, 8))
    scores = {}
    for C in batch.CS:
        svc = SVC(kernel="precomputed", C=C, tol=1e-9).fit(kernel(X, X, 3), y)
        scores[C] = int((svc.predict(kernel(V, X, 3)) != v).sum()), len(svc.support_)
    best = min(scores, key=scores.get)
    assert two_thirds["selected"] == f"degree=3;C={best:g}" == full["selected"]
    assert (two_thirds["validation_errors"], two_thirds["n_support"]) == scores[best]
    for row, rows in ((two_thirds, parts[0]), (full, np.sort(np.concatenate(parts)))):
        svc = SVC(kernel="precomputed", C=best, tol=1e-9).fit(kernel(small.X[rows], small.X[rows], 3), small.y[rows])
        predicted = svc.predict(kernel(T, small.X[rows], 3))
        assert (row["n_train"], row["n_test"]) == (len(rows), of_pair.sum())
        assert row["test_errors"] == (predicted != small.y[450:])[of_pair].sum()
        order = np.argsort(small.y[450:], kind="stable")
        np.testing.assert_array_equal(votes.unpack(row["votes"], 1, len(T))[0], (predicted == 8)[order])
        assert row["n_not_optimal"] == 0 and row["largest_gap"] < 1e-6 and row["cpu_seconds"] >= 0.0


@pytest.mark.parametrize(("method", "trainings"), [("rmm", 2), ("klda", 1), ("sigma_svm", 1)])
def test_the_other_methods_of_a_pair_choose_from_their_grids(method, trainings, small):
    rows = batch.cell(0, "rbf", method, "1-7")
    assert [row["training"] for row in rows] == ["two_thirds", "full"][:trainings]
    assert len({row["selected"] for row in rows}) == 1 and rows[0]["selected"].startswith("gamma=")
    assert rows[0]["test_errors"] <= 0.1 * rows[0]["n_test"]


def test_the_votes_of_all_pairs_are_those_of_one_against_one(small):
    """Ten classes of the small digits, an SVM for every pair; ties are broken at random in either."""
    rows = {pair: batch.cell(0, "d2", "svm", pair)[1] for pair in (f"{a}-{b}" for a, b in batch.PAIRS)}
    Cs = {float(row["selected"].rpartition("=")[2]) for row in rows.values()}
    assert len(Cs) > 1  # pairs choose for themselves
    y, total = small.y[450:], np.zeros((10, 300))
    for pair, row in rows.items():
        first, second = map(int, pair.split("-"))
        C = float(row["selected"].rpartition("=")[2])
        mine = np.isin(small.y[:450], (first, second))
        svc = SVC(kernel="precomputed", C=C, tol=1e-9).fit(
            kernel(small.X[:450][mine], small.X[:450][mine], 2), small.y[:450][mine]
        )
        predicted = svc.predict(kernel(small.X[450:], small.X[:450][mine], 2))
        total[predicted, np.arange(300)] += 1
    assert batch.n_errors(rows) == pytest.approx(3.0 * expected_error_pct(y, total))


def row_of(pair, method, errors, training="two_thirds", right=True, kernel="d3"):
    """Return a row of a world with one test image a digit, on which every pair is right, or wrong."""
    first, second = map(int, pair.split("-"))
    choices = np.arange(10) == (second if right else first)
    words = {"training": training, "kernel": kernel, "method": method, "pair": pair, "images": "1 " * 10}
    return {
        **words,
        "votes": votes.pack(choices[None]),
        "test_errors": errors,
        "n_train": 8000,
        "cpu_seconds": 80.0,
        "peak_mb": 2048,
    }


def test_claims_of_pairs_can_hold_and_fail_and_say_what_all_would_cost():
    def judged(svm, rmm):
        rows = [row_of(pair, "svm", svm) for pair in ("3-5", "4-9")] + [row_of("3-5", "rmm", rmm)]
        return batch.claims(rows)

    (votes_of_all, _, of_votes), (_, found, verdict), *costs = judged(5, 3)
    assert of_votes == "not measured" and "by 10 or more" in votes_of_all
    assert (found, verdict) == ("1; more on none; all together svm 5, rmm 3", "holds")
    assert costs[0][1:] == ("1 CPU hours, 2 GB, by the 2 that were run", "no claim")
    assert judged(3, 5)[1][1:] == ("0; more on 3-5 d3; all together svm 3, rmm 5", "does not hold")


def test_votes_are_compared_with_what_is_printed_where_all_pairs_are_there():
    pairs = [f"{a}-{b}" for a, b in batch.PAIRS]
    rows = [row_of(p, m, 0, right=m == "rmm") for m in ("svm", "rmm") for p in pairs]
    found = {text: (words, verdict) for text, words, verdict in batch.claims(rows)}
    assert found["two_thirds d3: errors of the votes, svm: 200, within 10"] == ("10", "does not hold")
    assert found["two_thirds d3: errors of the votes, rmm: 148, within 10"] == ("0", "does not hold")
    assert found["the RMM has fewer errors than the SVM, by 10 or more"] == ("for all 1", "holds")


def test_the_picture_has_every_pair(tmp_path):
    pyplot = pytest.importorskip("matplotlib.figure")
    canvas = pyplot.Figure()
    batch.draw(canvas, [row_of(p, m, 3, t) for p in ("3-5", "0-1") for m in ("svm", "klda") for t in batch.MEAN_N])
    assert [label.get_text() for label in canvas.axes[1].get_xticklabels()] == ["0-1 d3", "3-5 d3"]
    assert [text.get_text() for text in canvas.legends[0].get_texts()] == ["svm", "klda"]  # only those that are there
    (svm, *_), (klda, *_) = (line.get_xdata() for line in canvas.axes[0].lines[:2])
    assert svm != klda  # of equal errors neither marker hides the other
