"""Papers in directories of one's own: they become papers beside ours, and a directory that lies is one line."""

import os
import shutil
from pathlib import Path

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.papers import load_table, table_names
from kernlearn.papers.core.claims import check_claims
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.directories import keep_description, open_paper, use_directory, use_results
from kernlearn.papers.core.index import DIRECTORIES
from kernlearn.report.targets import find_target
from kernlearn.runner.store.tables import read_csv
from tests.papers.test_claims import partitions

#: A table of two methods on a data set of the catalogue and on a file beside it.
DESCRIPTION = """\
title: Two methods
unit: partition
overrides: [protocol=rotation5, scaling=standard, kernel=linear]
rows:
  sonar:
  ours: {dataset: {path: data/ours.csv, target: label}, printed: Ours}
columns:
  svm: {printed: SVM, overrides: [algo=l2_svm]}
  norm1: {overrides: [algo=l1_svm]}
metrics:
  error_pct: {title: "Test error, %", digits: 1}
claims:
  - {claim: the SVM errs less, holds: svm < norm1}
  - {claim: on ours it does so, holds: svm < norm1, rows: [ours]}
  - {claim: on both, holds: count(svm < norm1) >= 2}
  - {claim: it is the printed one, holds: abs(svm - printed(svm)) <= 1}
readings: {}
"""
VALUES = "dataset,algorithm,metric,mean,std\nsonar,SVM,error_pct,25.0,1.5\nOurs,SVM,error_pct,12,\n"
DATA = "a,b,label\n" + "".join(f"{i % 7},{i % 5},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(60))


@pytest.fixture
def paper(tmp_path, monkeypatch):
    """Write a paper of one table, and be in the directory above it."""
    monkeypatch.chdir(tmp_path)
    directory = tmp_path / "mine"
    (directory / "data").mkdir(parents=True)
    (directory / "table1.yaml").write_text(DESCRIPTION)
    (directory / "table1.csv").write_text(VALUES)
    (directory / "data" / "ours.csv").write_text(DATA)
    return directory


def changed(paper, before, after):
    """Replace a part of the description."""
    assert before in DESCRIPTION
    (paper / "table1.yaml").write_text(DESCRIPTION.replace(before, after))


@pytest.mark.parametrize("word", ["mine", "mine/", "mine/table1", "mine/table1.yaml", "./mine/../mine/table1"])
def test_a_path_names_a_paper_or_a_table(paper, word):
    assert open_paper(word) == ("mine", ["mine/table1"])
    assert "mine/table1" in table_names()
    table = load_table("mine/table1")
    assert (table.paper, table.printed, table.claims, table.measure) == ("mine", "mine/table1", None, None)
    svm, ours = table.columns[0], table.rows[1]
    assert table.printed_value(table.printed_rows(), ours, svm, "error_pct").mean == 12.0
    assert ours.dataset["path"] == str(paper / "data" / "ours.csv") and ours.dataset["name"] == "ours"


@pytest.mark.parametrize("word", ["nothing", "mine2/table1", "vkr2015/table1", "5", "x" * 5000, "a\0b", "~nobody/x"])
def test_other_words_name_none(paper, word):
    assert open_paper(word) is None


def test_claims_are_judged_by_what_was_measured(paper):
    open_paper("mine")
    table = load_table("mine/table1")
    values = {("sonar", "svm"): 24.5, ("sonar", "norm1"): 30.0, ("ours", "svm"): 12.0, ("ours", "norm1"): 10.0}
    rows = {(*key, "error_pct"): value for key, value in values.items()}
    assert [(found, judged) for _, found, judged in check_claims(table, partitions(rows))] == [
        ("not for ours (12 against 10)", "does not hold"),
        ("not for ours (12 against 10)", "does not hold"),
        ("1: sonar", "does not hold"),
        ("for all 2: sonar (0.4995 against 1), ours (0.000526 against 1)", "holds"),
    ]
    some = {key: value for key, value in rows.items() if key[0] == "sonar"}
    assert [judged for *_, judged in check_claims(table, partitions(some))] == [
        "holds",
        "not measured",
        "not measured",
        "holds",
    ]


def test_results_keep_a_copy_by_which_they_are_known_without_the_directory(paper, tmp_path):
    open_paper("mine")
    results = tmp_path / "results"
    keep_description("mine/table1", results)
    shutil.rmtree(paper)
    DIRECTORIES.clear()
    assert "mine/table1" not in table_names()
    use_results(results)
    assert load_table("mine/table1").title == "Two methods" and len(printed_rows("mine/table1")) == 2
    keep_description("mine/table1", results)  # nothing is copied onto itself
    (results / "mine" / "table1.csv").write_text("")
    DIRECTORIES.clear()
    for word, kind in (("mine", "paper"), ("mine/table1", "table")):
        target = find_target(word, results)
        assert (target.kind, target.path) == (kind, results / word)


def test_a_copy_without_printed_values_has_none_of_an_earlier_one(paper, tmp_path):
    open_paper("mine")
    keep_description("mine/table1", tmp_path / "results")
    (paper / "table1.csv").unlink()
    keep_description("mine/table1", tmp_path / "results")
    assert os.listdir(tmp_path / "results" / "mine" / "description") == ["table1.yaml"]


@pytest.mark.parametrize("name", ["vkr2015", "runs", "Shards", "summary.csv", "my paper", ".hidden", "x" * 65])
def test_the_name_of_a_directory_is_free_and_can_be_that_of_results(name, tmp_path):
    with pytest.raises(UserError, match="name|called"):
        use_directory(name, tmp_path)


LIES = {
    "claims": ("svm < norm1}", "\"__import__('os').system('touch hacked') < 1\"}", "calls what is no function"),
    "attribute": ("svm < norm1}", "svm.__class__ < norm1}", "is not of the language"),
    "column of a claim": ("svm < norm1}", "svn < norm1}", "'svn' is no column of the table"),
    "row of a claim": ("[ours]", "[theirs]", "is about the row theirs; the rows are sonar, ours"),
    "claim twice": ("claim: on both", "claim: the SVM errs less", "is there twice"),
    "claim without words": ("claim: on both, ", "", "claims, number 3.claim is missing"),
    "path above": ("data/ours.csv", "../../etc/passwd", "must be a file beside the description"),
    "absolute path": ("data/ours.csv", "/etc/passwd", "must be a file beside the description"),
    "home": ("data/ours.csv", "~/.ssh/id_rsa", "must be a file beside the description"),
    "pipe of Windows": ("data/ours.csv", "..\\\\..\\\\secret.csv", "must be a file beside the description"),
    "option of a file": ("target: label", "target: label, run: true", "dataset.run: unknown key"),
    "data set": ("sonar:", "sonar: {dataset: {name: nothing}}", "needs the name of a data set"),
    "data of a column": ("[algo=l1_svm]", "[algo=l1_svm, dataset.path=/etc/passwd]", "a table may set algo"),
    "results of a column": ("[algo=l1_svm]", "[algo=l1_svm, results_dir=/tmp]", "a table may set algo"),
    "engine of a column": ("[algo=l1_svm]", "[algo=l1_svm, +engine=dask]", "a table may set algo"),
    "file of a choice": ("[algo=l1_svm]", "[algo=../../../etc/passwd]", "column norm1, row sonar"),
    "resolver": ("[algo=l1_svm]", '["algo=${oc.env:HOME}"]', "column norm1, row sonar"),
    "method": ("[algo=l1_svm]", "[algo=l3_svm]", "did you mean"),
    "word for words": ("title: Two methods", "title: [1, 2]", "title: must be words"),
    "digits": ("digits: 1}", "digits: 1000000000}", "metrics.error_pct.digits=1000000000: must be"),
    "splits": ("columns:\n", "printed_splits: .nan\ncolumns:\n", "printed_splits=nan: must be"),
    "infinite step": ("digits: 1}", "digits: 1, step: .inf}", "step=inf: must be"),
    "metric": ("error_pct: {", "eror_pct: {", "did you mean error_pct?"),
    "unit": ("unit: partition", "unit: fold", "unit='fold': unknown"),
    "unknown key": ("unit: partition", "unit: partition\nmodule: os", "module: unknown key"),
    "alias": ("title: Two methods", "title: &a Two methods\nreduced: *a", "has an alias"),
    "tag": ("title: Two methods", "title: !!python/object/apply:os.system [id]", "has a tag"),
    "depth": ("readings: {}", f"readings: {'[' * 50}{']' * 50}", "levels deep"),
    "no YAML": ("title: Two methods", "title: [", "is not the description of a table"),
    "name that is none": ("norm1: {overrides", "no: {overrides", "write it in quotes"),
    "no rows": ("rows:\n  sonar:\n  ours: ", "rows: {}\nx: ", "has no rows"),
    "many experiments": ("rows:\n", "rows:\n" + "".join(f"  r{i}:\n" for i in range(1001)), "are more than 1000"),
    "axes": (
        "readings: {}",
        "axes: [1]\nreadings: {}",
        "axes: must be NAME: DECISION, each {why: WORDS,",
    ),
    "axis without alternatives": ("readings: {}", "axes: {a: {why: x}}\nreadings: {}", "alternatives is missing"),
    "alternative without keys": (
        "readings: {}",
        "axes: {a: {why: x, alternatives: {b: [scaling=none], c: {}}}}\nreadings: {}",
        "axes.a.alternatives.b: must be {status: unstated}, or {status: unstated, overrides: [scaling=minmax]}",
    ),
    "data of a reading": (
        "readings: {}",
        "axes: {a: {why: x, alternatives: {b: {status: stated}, c: {overrides: [dataset.path=/etc]}}}}\nreadings: {}",
        "a table may set algo",
    ),
    "printed column": ("printed: SVM", "printed: SWM", "the printed values have SVM; did you mean SVM?"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_description_that_lies_is_one_line(lie, paper, capsys):
    before, after, words = LIES[lie]
    changed(paper, before, after)
    assert main(["reproduce", "mine/table1", "--dry-run"]) == 2
    out, error = capsys.readouterr()
    assert error.count("\n") == 1 and words in error and "mine" in error and "Traceback" not in out + error
    assert sorted(os.listdir(paper.parent)) == ["mine"]  # nothing ran, and nothing was written


BAD_VALUES = {
    "algorithm,metric,mean\na,b,1\n": "lacks dataset",
    VALUES.replace("25.0", "nan"): "line 2: mean='nan' must be a number",
    VALUES.replace("25.0", "1e9"): "must be a number",
    VALUES.replace("1.5", "-1.5"): "std='-1.5' must be a number",
    VALUES + "sonar,SVM,error_pct,25.0,1.5\n": "line 4: sonar SVM error_pct is there twice",
    VALUES + "sonar,SVM\n": "line 4: has 2 cells",
    VALUES + ",SVM,auc,1,\n": "dataset must be a name",
    VALUES + '"sonar,SVM\n': "is not CSV",
    VALUES + "".join(f"r{i},SVM,error_pct,1,\n" for i in range(5001)): "more than 5000",
    "x" * (2**21 + 1): "has more than",
    "\xff\xfe": "lacks",
}


@pytest.mark.parametrize("values", BAD_VALUES, ids=[words[:20] for words in BAD_VALUES.values()])
def test_printed_values_that_lie_are_one_line(values, paper, capsys):
    (paper / "table1.csv").write_text(values, encoding="utf-8")
    assert main(["reproduce", "mine/table1", "--dry-run"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and BAD_VALUES[values] in error and str(paper / "table1.csv") in error


def link_to(target):
    def make(path):
        path.unlink()
        path.symlink_to(target)

    return make


def pipe(path):
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("file", "make", "words"),
    [
        ("table1.yaml", link_to("/etc/passwd"), "is a symbolic link"),
        ("table1.csv", link_to("/etc/passwd"), "is a symbolic link"),
        ("table1.csv", pipe, "is not a regular file"),
        ("table1.yaml", lambda path: path.write_bytes(b"\xff" * 10), "is not UTF-8 text"),
        ("table1.yaml", lambda path: path.write_text("#" * (2**18 + 1)), "has more than"),
        ("data/ours.csv", link_to("/etc/passwd"), "is a link that leads out of"),
    ],
)
def test_links_pipes_and_huge_files_are_refused(file, make, words, paper, capsys):
    make(paper / file)
    assert main(["reproduce", "mine", "--dry-run"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and words in error


def test_a_billion_cells_are_refused_before_they_are_planned(paper, capsys):
    names = "".join(f"  s{i}: {{dataset: {{name: sonar}}}}\n" for i in range(900))
    columns = "".join(f"  c{i}: {{overrides: [algo=l2_svm, protocol=train100]}}\n" for i in range(10))
    text = DESCRIPTION.replace("rows:\n", f"rows:\n{names}").replace("columns:\n", f"columns:\n{columns}")
    (paper / "table1.yaml").write_text(text)
    assert main(["reproduce", "mine/table1", "--dry-run", "--seeds", "10000"]) == 2
    assert "cells, more than 1,000,000" in capsys.readouterr().err


def test_python_beside_a_table_is_not_imported(paper, capsys):
    (paper / "table1.py").write_text("raise SystemExit('it ran')")
    (paper / "__init__.py").write_text("raise SystemExit('it ran')")
    assert main(["reproduce", "mine/table1", "--dry-run"]) == 0
    assert "cells      20, 0 already done" in capsys.readouterr().out


def test_a_directory_alone_lists_its_tables_and_what_they_cost(paper, capsys):
    of_printed = "  - {claim: it is the printed one, holds: abs(svm - printed(svm)) <= 1}\n"
    (paper / "more.yaml").write_text(DESCRIPTION.replace("data/ours.csv", "data/lost.csv").replace(of_printed, ""))
    assert main(["reproduce", "mine"]) == 0
    head, more, first, absent = capsys.readouterr().out.splitlines()
    assert head.split()[:6] == ["table", "rows", "columns", "printed", "cells", "problems"]
    assert more.split()[:6] == ["mine/more", "2", "2", "0", "10", "95"]  # (12 + 7) x 5
    assert first.split()[:6] == ["mine/table1", "2", "2", "2", "20", "190"] and "not run" in first
    assert absent.startswith("mine/more: no data for ours: ") and absent.endswith("lost.csv: no such file")
    assert main(["reproduce", "mine", "--algos", "svm"]) == 2
    assert "name one of them: mine/more, mine/table1" in capsys.readouterr().err
    assert main(["reproduce", "mine/tabel1"]) == 2
    assert "choose one of more, table1; did you mean table1?" in capsys.readouterr().err


def test_a_directory_without_tables_says_how_to_make_one(tmp_path, capsys):
    assert main(["reproduce", str(tmp_path)]) == 2
    assert "kernlearn paper new writes one" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("overrides", "metrics"),
    [("task=classification, algo=nearest_mean", ["macro_f1_pct"]), ("task=regression, algo=krr_mean", ["mae", "r2"])],
)
def test_every_metric_that_a_table_shows_is_measured(overrides, metrics, paper, capsys):
    """Also those that no table of a work has, which are younger than the stored partitions of these tables."""
    (paper / "data" / "ours.csv").write_text("a,label\n" + "".join(f"{i % 7},{i % 7 // 4}\n" for i in range(60)))
    shown = "".join(f"  {metric}: {{title: {metric}, digits: 2}}\n" for metric in metrics)
    (paper / "table1.yaml").write_text(
        "title: One method\nrows: {ours: {dataset: {path: data/ours.csv, target: label}}}\n"
        f"columns: {{one: {{overrides: [{overrides}, kernel=linear]}}}}\nmetrics:\n{shown}readings: {{}}\n"
        f'claims: [{{claim: it is good, holds: "mean(one, {metrics[-1]}) > 0"}}]\n'
    )
    (paper / "table1.csv").unlink()
    assert main(["reproduce", "mine/table1", "--jobs", "1"]) == 0
    assert "holds: it is good" in capsys.readouterr().out
    assert {row["metric"] for row in read_csv(Path("results/mine/table1.csv"))} >= set(metrics)


@pytest.mark.slow
def test_a_table_of_ones_own_is_run_judged_and_judged_again(paper, capsys):
    assert main(["reproduce", "mine/table1", "--seeds", "5", "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "cells      100, 0 already done" in out and "holds" in out
    results = Path("results/mine")
    kept = {path.name for path in results.iterdir()}
    assert kept == {"description", *(f"table1{end}" for end in (".csv", ".md", ".provenance.json", "_partitions.csv"))}
    report = (results / "table1.md").read_text()
    assert "`kernlearn reproduce mine/table1 --seeds 5`" in report and "outside" in report
    assert main(["reproduce", "mine", "--seeds", "5", "--add"]) == 0
    assert "nothing to add" in capsys.readouterr().out
    paper.rename("moved")
    DIRECTORIES.clear()
    (results / "table1.md").unlink()
    assert main(["reproduce", "--judge", "mine"]) == 0
    assert (results / "table1.md").read_text().splitlines()[4:] == report.splitlines()[4:]
    capsys.readouterr()
    assert main(["reproduce", "--list"]) == 0
    assert "mine/table1" in capsys.readouterr().out
    assert main(["reproduce", "--scorecard"]) == 0
    assert "## mine" in Path("results/SCORECARD.md").read_text()
