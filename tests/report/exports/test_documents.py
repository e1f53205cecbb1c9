"""What is exported of a run and a comparison, and the part of a result that is asked for."""

import csv
import json

import pytest

from kernlearn.errors import UserError
from kernlearn.report.exports.documents import KINDS, Only, document_of
from kernlearn.report.exports.formats import FORMATS
from kernlearn.report.exports.numbers import Options
from kernlearn.report.targets import Target, find_target
from tests.report.exports.examples import HOSTILE, RESULTS

SUMMARY = """\
run,dataset,algorithm,metric,mean,std,n_splits,n_selected_not_optimal,largest_selected_gap,paper_mean,paper_std,verdict
a1,sonar,vkr,error_pct,12.345678901234567,2.5,5,0,1e-9,11.0,1.5,too few
a1,sonar,vkr,auc,93.21,,5,0,1e-9,,,
a1,sonar,vkr,novel,nan,,0,1,1e-9,,,
""".replace("\n", ",0\n").replace("verdict,0", "verdict,test_rows_in_choice_pct")
#: Errors of five splits whose mean and deviation these are, and such areas, of five splits and of three.
ERRORS = [12.345678901234567 + 2.5 * k / 2.5**0.5 for k in (-2, -1, 0, 1, 2)]
AREAS = {5: [93.21] * 5, 3: [90.71, 93.21, 95.71, "nan", "nan"]}
RANKING = """\
rank,dataset,method,kind,select_by,error_pct_mean,error_pct_std,auc_mean,auc_std,interval_low,interval_high,p_holm,\
tied_with_best,n_splits,n_selected_not_optimal
1,sonar,a,method,error_pct,10.0,1.0,90.0,1.0,8.0,12.0,,True,5,0
2,sonar,b,method,error_pct,10.001,1.0,95.0,1.0,8.0,12.0,0.9,True,5,2
3,sonar,c,baseline,error_pct,30.0,1.0,,,28.0,32.0,0.01,False,5,
1,pima,c,baseline,error_pct,20.0,1.0,70.0,1.0,18.0,22.0,,True,5,
"""


def stored(tmp_path, kind, text):
    name = {"run": "summary.csv", "comparison": "ranking.csv"}[kind]
    directory = tmp_path / "mine"
    directory.mkdir(exist_ok=True)
    (directory / name).write_text(text)
    if kind == "run":
        areas = AREAS[3 if ",93.21,2.5,3," in text else 5]
        columns = (
            "n_train,n_validation,validation_errors,validation_error_pct",
            "n_support,n_nonzero,gap,status,test_error_pct,test_auc",
        )
        lines = [",".join(("run,dataset,algorithm,seed,split,point,C", *columns))]
        for split, (error, area) in enumerate(zip(ERRORS, areas, strict=True)):
            lines.append(f"0123456789,sonar,vkr,0,{split},0,1.0,100,50,4,8.0,9,9,1e-9,optimal,{error},{area}")
        (directory / "paths.csv").write_text("\n".join([*lines, ""]))
        record = {"experiment": {}, "data": [{}], "computed": []}
        record["chosen_by"] = {"select_by": "error_pct", "rule": "per_split"}
        (directory / "provenance.json").write_text(json.dumps(record))
    return Target(kind, directory.name, directory)


def test_a_run_is_a_row(tmp_path):
    document = document_of(stored(tmp_path, "run", SUMMARY))
    error, auc, novel = document.numbers
    assert (error.mean, error.std, error.digits, error.printed_mean) == (12.345678901234567, 2.5, 2, 11.0)
    assert error.delta == pytest.approx(1.345678901234567) and auc.std is None and auc.printed_mean is None
    assert novel.mean != novel.mean and novel.n_not_optimal == 1 and not any(one.best for one in document.numbers)
    (grid,) = document.grids()
    assert (grid.rows, grid.columns) == (["vkr"], ["test error %", "test AUC %", "novel"])
    text = FORMATS["markdown"].content(document, Options(printed=True))
    assert "| vkr | 12.35 (2.50)‡" not in text and "| 12.35 (2.50) |" in text and "| *11.00 (1.50)* |" in text
    assert "| undefined‡ |" in text


def test_means_say_over_how_many_test_parts_they_are(tmp_path):
    document = document_of(stored(tmp_path, "run", SUMMARY.replace("93.21,,5,", "93.21,2.5,3,")))
    said = ["Mean (standard deviation) over 5 test parts.", "Test AUC %: over the 3 test parts where it is defined."]
    assert document.notes == said
    assert all(
        line in FORMATS[name].content(document, Options()) for name in ("markdown", "latex") for line in said[:1]
    )
    target = stored(tmp_path, "comparison", RANKING)
    assert document_of(target).notes[:-2] == said[:1]
    lines = [
        f"{data},{method},{10 + split},{auc if split < 3 else ''}"
        for data, method, auc in (("sonar", "a", 90), ("sonar", "b", 95), ("sonar", "c", ""), ("pima", "c", 70))
        for split in range(5)
    ]
    (target.path / "splits.csv").write_text("\n".join(["dataset,method,error_pct,auc", *lines]) + "\n")
    document = document_of(target)
    assert document.notes[:-2] == said
    assert {(one.metric, one.n_splits) for one in document.numbers} == {("error_pct", 5), ("auc", 3)}


def test_a_comparison_has_its_test_in_the_metric_that_ranks(tmp_path):
    document = document_of(stored(tmp_path, "comparison", RANKING))
    numbers = {(one.dataset, one.algorithm, one.metric): one for one in document.numbers}
    assert ("sonar", "c", "auc") not in numbers and len(numbers) == 7
    assert numbers["sonar", "a", "error_pct"].best and numbers["sonar", "b", "error_pct"].best is True  # looks the same
    assert not numbers["sonar", "c", "error_pct"].best and numbers["sonar", "c", "error_pct"].worse
    assert numbers["sonar", "b", "auc"].best and numbers["sonar", "b", "auc"].p_value is None
    assert numbers["sonar", "b", "error_pct"].p_value == 0.9 and not numbers["sonar", "b", "error_pct"].worse
    assert numbers["sonar", "b", "auc"].interval_low is None
    assert [grid.name for grid in document.grids()] == ["sonar", "pima"]
    text = FORMATS["latex"].content(document, Options())
    assert r"30.00\,(1.00)$^{\dagger}$" in text and r"\bfseries 10.00\,(1.00)$^{\ddagger}$" in text
    assert "Nadeau and Bengio" in text and text.count(r"\begin{tabular}") == 2


@pytest.mark.parametrize(
    ("metric", "ends", "cut"),
    [
        ("error_pct", (-1.5, 12.0), (0.0, 12.0)),
        ("accuracy_pct", (88.0, 103.0), (88.0, 100.0)),
        ("auc", (-2.0, 101.0), (0.0, 100.0)),
        ("r2", (-7.0, 1.2), (-7.0, 1.0)),
        ("rmse", (-0.1, 0.4), (0.0, 0.4)),
        ("of_a_later_version", (-1.0, 200.0), (-1.0, 200.0)),
    ],
)
def test_an_interval_of_an_earlier_version_ends_within_the_range_of_its_score(metric, ends, cut, tmp_path):
    lines = [
        f"rank,dataset,method,select_by,{metric}_mean,{metric}_std,mae_mean,interval_low,interval_high,p_holm,n_splits",
        f"1,sonar,a,{metric},0.5,1.0,2.0,{ends[0]},{ends[1]},,5",
        f"2,sonar,b,{metric},0.6,1.0,3.0,,,,5",
    ]
    numbers = document_of(stored(tmp_path, "comparison", "\n".join([*lines, ""]))).numbers
    found = {(one.algorithm, one.metric): (one.interval_low, one.interval_high) for one in numbers}
    none = (None, None)
    assert found == {("a", metric): cut, ("a", "mae"): none, ("b", metric): none, ("b", "mae"): none}


def test_tests_against_a_method_that_is_left_out_are_left_out(tmp_path):
    target = stored(tmp_path, "comparison", RANKING)
    document = document_of(target, Only(algorithms=("b", "c"), datasets=("sonar",), metrics=("error_pct",)))
    assert [one.algorithm for one in document.numbers] == ["b", "c"] and document.test == ""
    assert all(one.p_value is None for one in document.numbers) and document.numbers[0].best


@pytest.mark.parametrize(
    "part, words",
    [
        ({"datasets": ("sonr",)}, "sonr: mine has no such dataset, choose from sonar, pima; did you mean sonar"),
        ({"algorithms": ("x",)}, "x: mine has no such algorithm, choose from a, b, c"),
        ({"datasets": ("pima",), "algorithms": ("a",)}, "a: mine has no such algorithm, choose from c"),
    ],
)
def test_a_name_that_is_not_there_is_an_error(part, words, tmp_path):
    with pytest.raises(UserError, match=words):
        document_of(stored(tmp_path, "comparison", RANKING), Only(**part))


@pytest.mark.parametrize(
    "kind, text",
    [
        ("comparison", RANKING.replace("10.0,", "ten,", 1)),
        ("comparison", RANKING + "4,sonar,a,method,error_pct,10.0,1.0,90.0,1.0,8.0,12.0,,True,5,0\n"),
        ("comparison", RANKING.replace("method,kind", "way,kind")),
        ("comparison", RANKING[:-20]),
        ("comparison", RANKING.partition("\n")[0] + "\n"),
        ("comparison", ""),
        ("run", SUMMARY.replace("5,0,", "5.5,0,")),
        ("run", SUMMARY.replace("nan", "1e999999x")),
        ("run", SUMMARY.partition("\n")[0] + "\n"),
        ("run", "\x00\xff"),
    ],
)
def test_a_damaged_table_is_one_clear_error(kind, text, tmp_path):
    with pytest.raises(UserError) as error:
        document_of(stored(tmp_path, kind, text))
    assert "mine" in str(error.value) and "\n" not in str(error.value)


def test_hostile_names_of_a_comparison_are_exported_in_every_format(tmp_path):
    head, first, *_ = RANKING.splitlines()
    path = tmp_path / "mine" / "ranking.csv"
    path.parent.mkdir()
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, head.split(","), lineterminator="\r\n")
        writer.writeheader()
        row = dict(zip(head.split(","), first.split(","), strict=True))
        writer.writerows({**row, "method": name, "dataset": HOSTILE[0]} for name in HOSTILE)
    path.write_bytes(path.read_bytes())
    document = document_of(Target("comparison", "mine", tmp_path / "mine"))
    assert [one.algorithm for one in document.numbers if one.metric == "auc"] == list(HOSTILE)
    for one in FORMATS.values():
        assert one.kinds != KINDS or one.content(document, Options())


@pytest.mark.parametrize("word", ["mkl2010/fig2_1", "vkr2015"])
def test_what_is_no_table_is_refused(word):
    with pytest.raises(UserError, match="is a (figure|paper); "):
        document_of(find_target(word, RESULTS))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "metric", "best", "words"),
    [
        ("mkl2010/table3_1", "test_alignment", max, "Bold: the largest of the row."),
        ("mkl2010/table3_2", "alignment", max, "Bold: the largest of the row."),
        ("rmm2010/table5_2", "honest_pct", min, "Bold: the smallest of the row."),
        ("rmm2010/table5_2", "error_pct", min, "Bold: the smallest of the row."),
    ],
)
def test_metrics_known_by_their_printed_name_have_a_best(name, metric, best, words):
    document = document_of(find_target(name, RESULTS))
    (grid,) = [grid for grid in document.grids() if grid.name == metric]
    if any(number.algorithm in document.readings for number in grid.cells.values()):
        words = words.replace("row.", "row without readings.")
    assert words in [note for _, note in document.notes_of(grid, "", "", False)]
    for i in range(len(grid.rows)):
        mine = [number for (line, _), number in grid.cells.items() if line == i]
        row = [number for number in mine if number.algorithm not in document.readings]
        digits = row[0].digits
        expected = f"{best(number.mean for number in row):.{digits}f}"
        assert {id(n) for n in row if n.best} == {id(n) for n in row if f"{n.mean:.{digits}f}" == expected}
