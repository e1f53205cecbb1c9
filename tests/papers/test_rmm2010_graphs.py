"""Table 5.3 and figure 5.1 of the thesis on relative margins: counts over rows, and learned spectra."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from kernlearn.cli.main import main
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.measured import Measured
from kernlearn.papers.rmm2010.graphs import fig5_1, table5_3
from kernlearn.papers.rmm2010.graphs.table5_3 import METHODS
from tests.algorithms.test_storm import LABELLED, Y, spectrum


def made(order, rows=25, seed=0, step=0.3):
    """Return a table on every row of which the methods come in an order, with errors a step apart."""
    rng = np.random.default_rng(seed)
    return Measured(
        {
            "dataset": f"row{i}",
            "algorithm": method,
            "seed": 0,
            "metric": "error_pct",
            "values": " ".join(f"{5 + step * place + 0.1 * e:.4f}" for e in rng.normal(size=20)),
        }
        for i in range(rows)
        for place, method in enumerate(order)
    )


def test_counts_are_those_of_the_smallest_means_and_of_paired_tests():
    table = made(METHODS, rows=6, step=0.06)
    rows = table5_3.points(table, made(METHODS[::-1], rows=4))
    best, near = np.zeros(7, dtype=int), np.zeros(7, dtype=int)
    for row in table.datasets:
        means = np.array([np.mean(table.values(row, method)) for method in METHODS])
        first = int(means.argmin())
        equal = means <= means.min() + 1e-9
        p = [ttest_rel(table.values(row, m), table.values(row, METHODS[first])).pvalue for m in METHODS]
        best += equal
        near += ~equal & (np.array(p) >= 0.05)
    some = {row["method"]: row for row in rows if row["table"] == "table5_1"}
    assert [some[method]["best"] for method in METHODS] == best.tolist() and best.sum() == 6
    assert [some[method]["not_worse"] for method in METHODS] == near.tolist()
    assert table5_3.totals(rows, "best")["storm"] == best[-1] + 4 and rows[-1]["rows"] == 4


def test_equal_means_are_all_the_best():
    assert table5_3.best_of({"storm": 0.1 + 0.2, "sgt": 0.3, "kta_s": 0.31}) == ["storm", "sgt"]


def test_printed_counts_add_up_and_are_possible_for_the_printed_means():
    """A count is at most that of the rows in which the rounded mean is the smallest, and at least that where alone."""
    best, near, total = (table5_3.printed(kind) for kind in ("dark_gray", "light_gray", "total"))
    assert all(best[method] + near[method] == total[method] for method in METHODS) and sum(best.values()) == 52
    smallest = [table5_3.smallest_printed(table) for table in table5_3.TABLES]
    assert all(best[method] <= sum(count[method] for count in smallest) for method in METHODS)
    means = {}
    for table in ("table5_1", "table5_2"):
        for row in printed_rows(f"rmm2010/{table}"):
            means.setdefault((row["dataset"], row["setting"]), []).append((float(row["mean"]), row["algorithm"]))
    firsts = [sorted(found)[:2] for found in means.values()]
    alone = [first[1] for first, second in firsts if first[0] < second[0]]
    assert len(means) == 50 and all(alone.count(method) <= best[method] for method in METHODS)


def test_claims_hold_fail_and_need_all_rows():
    good = ("storm", "stoam", "kta_s", "kta_r", "sgt", "mkl_r", "mkl_s")
    rows = table5_3.points(made(good, step=0.02), made(good, step=0.02, seed=1))
    assert {verdict for *_, verdict in table5_3.claims(rows)} == {"holds"}
    assert "printed counts fit" in table5_3.claims(rows)[-1][0]
    fewer = [{**row, "smallest_printed": row["smallest_printed"] - 4} for row in rows]
    assert table5_3.claims(fewer)[-1][1:] == ("not for mkl_s, mkl_r, sgt, kta_s, kta_r, storm", "does not hold")
    rows = table5_3.points(made(METHODS[:1] + good[:-1]), made(METHODS[:1] + good[:-1]))
    assert {verdict for *_, verdict in table5_3.claims(rows)[:-1]} == {"does not hold"}
    rows = table5_3.points(made(good, rows=24), made(good))
    assert {verdict for *_, verdict in table5_3.claims(rows)[:-1]} == {"not measured"}


def test_the_report_is_written_from_what_is_kept_of_both_tables(tmp_path, monkeypatch):
    good = ("storm", "stoam", "kta_s", "kta_r", "sgt", "mkl_r", "mkl_s")
    monkeypatch.setattr("kernlearn.cli.work.figure.kept_tables", lambda *_: [made(good, step=0.02)] * 2, raising=True)
    assert main(["reproduce", "rmm2010/table5_3", "--results-dir", str(tmp_path)]) == 0
    assert "STORM is the best of the seven methods most often" in (tmp_path / "rmm2010" / "table5_3.md").read_text()


def test_without_the_tables_it_is_said_what_to_run_first(tmp_path, capsys):
    assert main(["reproduce", "rmm2010/table5_3", "--results-dir", str(tmp_path)]) == 2
    assert "run kernlearn reproduce rmm2010/table5_1 first" in capsys.readouterr().err
    assert not list(tmp_path.rglob("table5_3*"))


def told(good):
    """Return rows of geometric spectra for which all claims hold, or none does."""
    first = {"kta": 0.5, "storm": 0.1, "stoam": 0.11, "mkl_r": 0.2, "mkl_s": 0.21}
    ratio = {"kta": 0.3, "storm": 0.95, "stoam": 0.95, "mkl_r": 0.6, "mkl_s": 0.6}
    if not good:
        first |= {"kta": 0.05, "stoam": 0.6, "mkl_s": 0.7}
        ratio |= {"kta": 0.99, "mkl_r": 0.99}
    facts = {
        method: {
            "eigenvector": 90 if good else 1,
            "rise": 0.1 if good == method.startswith("mkl") else -1e-6,
            "objective": 2.0 if good == (method == "stoam") else 1.0,
        }
        for method in first
    }
    return [
        {"problem": "x", "method": method, "rank": k + 1, "weight": first[method] * ratio[method] ** k, **facts[method]}
        for method in first
        for k in range(15)
    ]


@pytest.mark.slow
def test_spectra_are_in_order_where_they_should_be_and_claims_hold_and_fail(monkeypatch):
    inputs = spectrum(40)
    monkeypatch.setattr(fig5_1, "_graph", lambda problem: (inputs, Y, [LABELLED, LABELLED[::-1]]))
    rows = [{"seed": seed, **row} for seed in (0, 1) for row in fig5_1.cell(seed, "d3_8")]
    assert len(rows) == 2 * 5 * 15 and max(row["gap"] for row in rows) < 1e-5
    for method in fig5_1.METHODS:
        weights = fig5_1.means(rows, "d3_8", method)
        assert len(weights) == 15 and weights == sorted(weights, reverse=True) and 0 < sum(weights) <= 1 + 1e-9
    assert max(fig5_1.means(rows, "d3_8", "storm", "eigenvector")) < 17  # falling: the first are the largest
    assert {verdict for *_, verdict in fig5_1.claims(rows)[4:5]} == {"holds"}  # by their constraints
    assert fig5_1.claims(rows)[-1][-1] == "holds"
    for good in (True, False):
        found = fig5_1.claims(told(good))
        assert len(found) == 8 and {verdict for *_, verdict in found} == {"holds" if good else "does not hold"}
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    canvas = Figure()
    fig5_1.draw(canvas, rows)
    assert len(canvas.axes[0].lines) == 3
