"""The script that makes all results again: its plan, its costs, and what it runs."""

import shlex
import shutil

import pytest

from kernlearn.errors import UserError
from kernlearn.papers import load_table
from kernlearn.report.differences.changes import Status
from kernlearn.report.reproduction import command_of_all, read_partitions
from kernlearn.report.scorecard import cpu_seconds
from scripts.tools import reproduce_all as script


def test_the_plan_has_every_report_with_its_command_and_cost():
    items = {item.name: item for item in script.planned()}
    assert len(items) > 40 and all(item.whole for item in items.values())
    for name in ("vkr2015/gaussian", "mkl2010/table3_2"):
        table = load_table(name)
        recorded = command_of_all(table, read_partitions(script.RESULTS / f"{name}_partitions.csv", table))
        assert script.line_of(items[name]) == recorded
    seconds = cpu_seconds(script.RESULTS / "vkr2015/table1.provenance.json")
    assert items["vkr2015/table1"].seconds == seconds > 3600


def test_a_budget_takes_the_cheapest_together():
    items = script.planned()
    some = script.within(items, 600.0)
    assert 0 < len(some) < len(items) and sum(item.seconds for item in some) <= 600
    left = [item.seconds for item in items if item not in some]
    assert min(left) >= max(item.seconds for item in some) and script.within(items, None) == items


def test_fewer_partitions_cost_less_and_are_a_part():
    whole, *_ = script.planned(["vkr2015/table1"])
    part, *_ = script.planned(["vkr2015/table1"], seeds=1)
    assert part.seconds == pytest.approx(whole.seconds / 10) and not part.whole
    assert part.commands == (("reproduce", "vkr2015/table1", "--seeds", "1"),)
    assert script.planned(["vkr2015/table1"], seeds=10)[0].whole


def test_a_figure_comes_after_the_tables_that_it_is_made_of():
    names = [item.name for item in script.planned(["rmm2010/table5_3"])]
    assert names[-1] == "rmm2010/table5_3" and "rmm2010/table5_1" in names[:-1]
    assert "rmm2010/table5_3" not in [item.name for item in script.planned(["rmm2010/table5_3"], seeds=1)]


def test_an_unknown_name_is_an_error():
    with pytest.raises(UserError, match="did you mean vkr2015/table1"):
        script.planned(["vkr2015/tabel1"])


def test_the_quickest_row_and_column_of_a_table():
    item = script.quickest("vkr2015/table1")
    (words,) = item.commands
    assert words[:2] == ("reproduce", "vkr2015/table1") and words[-3:] == ("--seeds", "1", "--add")
    assert 0 < item.seconds < 60 and not item.whole


@pytest.mark.slow
def test_the_site_has_a_page_for_every_table_and_figure(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["reproduce_all.py", "--site", str(tmp_path / "site")])
    assert script.main() == 0
    for item in script.planned():
        assert (tmp_path / "site" / f"{item.name}.html").is_file()


@pytest.mark.slow
def test_what_is_made_again_agrees_and_is_not_made_twice(tmp_path, capfd):
    items = script.planned(["uml2014/fig_margin"])
    for _ in range(2):
        assert script.run(items, tmp_path / "new", 1, str(script.RESULTS)) == 0
    out = capfd.readouterr().out
    assert out.count("uml2014/fig_margin: agrees") == 2 and out.count("results: ") == 1
    file = tmp_path / "new" / "uml2014" / "fig_margin.csv"
    file.write_text(file.read_text().replace("line,0.59", "line,0.58", 1))
    assert script.run(items, tmp_path / "new", 1, str(script.RESULTS)) == 1
    assert "different or failed: uml2014/fig_margin" in capfd.readouterr().out


def test_a_part_is_compared_by_its_measurements(tmp_path):
    shutil.copytree(script.RESULTS / "vkr2015", tmp_path / "vkr2015")
    file = tmp_path / "vkr2015/table1_partitions.csv"
    head, *rows = file.read_text().splitlines(keepends=True)
    file.write_text("".join([head, *(row for row in rows if ",ionosphere,l2_svm,0," in row)]))
    item = script.quickest("vkr2015/table1")
    sides = [script.side_of(str(path), tmp_path) for path in (script.RESULTS, tmp_path)]
    assert script.compared(item, *sides).status is Status.WITHIN
    file.write_text(file.read_text().replace("degree=", "degree=9", 1))
    assert script.compared(item, *sides[:1], script.side_of(str(tmp_path), tmp_path)).status is Status.CHANGED
    assert shlex.split(script.line_of(item))[0] == "kernlearn"
