"""The tables on learning kernels, end to end on what is bundled: a few splits of a small data set."""

from dataclasses import replace

import pytest

from kernlearn.cli import reproduce as command
from kernlearn.cli.main import main
from kernlearn.papers import load_table
from kernlearn.papers.core.tables import TableRow
from kernlearn.report.layout import STAND_IN

#: A row of every table with data that are bundled, and overrides that make it small.
GRIDS = ["algo.lambdas=[1,0.1]"]
SMALL = {
    "mkl2010/table3_1": ("ionosphere", {"name": "ionosphere"}, ["kernel.gammas=[0.25,1]"]),
    "mkl2010/table2_1": ("ionosphere", {"name": "ionosphere"}, ["kernel.gammas=[0.25,1,4]"]),
    "mkl2010/table3_2": ("books_regression", {"name": "sonar"}, GRIDS),
    "mkl2010/sec3_2_2": ("sonar", {"name": "sonar"}, ["protocol=rotation5", *GRIDS]),
    "mkl2010/fig3_1": ("kitchen_500", {"name": "sonar"}, ["protocol=rotation5", *GRIDS]),
    "localrad2013/table1": (
        "protein_fold",
        {"name": "sonar"},
        ["protocol=rotation5", "kernel.n_views=12", "algo.Cs=[1]"],
    ),
    "localrad2013/fig2": (
        "n100",
        {"name": "promoters"},
        ["protocol=rotation5", "kernel.letters=ACGT", "algo.Cs=[1]"],
    ),
}
#: What takes longest; of the two that are drawn it is the one.
LONG = {"localrad2013/table1", "localrad2013/fig2"}


@pytest.fixture
def small(monkeypatch):
    """Make `load_table` give one small row."""

    def load(name):
        table = load_table(name)
        of_paper, dataset, overrides = SMALL[name]
        row = next(row for row in table.rows if row.name == of_paper)
        kept = tuple(word for word in row.overrides if not word.startswith(("protocol=", "kernel.gammas")))
        row = TableRow(row.name, dataset, (*kept, *overrides), row.columns, 2, row.printed, row.setting)
        columns = [replace(column, overrides=_smaller(column.overrides, overrides)) for column in table.columns]
        statements = tuple(replace(one, rows=(row.name,)) for one in table.statements)
        return replace(table, rows=(row,), columns=tuple(c for c in columns if row.has(c)), statements=statements)

    monkeypatch.setattr(command, "load_table", load)


def _smaller(words, overrides):
    """Return the overrides of a column without those that the row makes, and with one theta."""
    keys = {override.partition("=")[0] for override in overrides}
    kept = [word for word in words if word.partition("=")[0] not in keys]
    return tuple("algo.thetas=[1]" if word.startswith("algo.thetas") else word for word in kept)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in SMALL]
)
def test_every_table_runs_end_to_end(name, small, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert main(["reproduce", name, "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "failed" not in out
    report = (tmp_path / "results" / f"{name}.md").read_text()
    table = load_table(name)
    shown = [metric.title for metric in table.metrics.values() if f"## {metric.title}" in report]
    assert shown and "nan" not in report.replace("unif", "").partition("## Readings")[0]
    drawn = (tmp_path / "results" / f"{name}.svg").exists()
    assert drawn == (name in ("localrad2013/fig2", "mkl2010/fig3_1")) == (".svg)" in report)
    assert (STAND_IN in report) == table.stand_in
    assert main(["reproduce", name, "--jobs", "1"]) == 0
    assert "nothing to run" in capsys.readouterr().out
