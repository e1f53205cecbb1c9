"""What is exported of a run and a comparison, and the part of a result that is asked for."""

import json

import pytest

from kernlearn.cli.model.training import plan_of_run
from kernlearn.errors import UserError
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.report.comparison.stored import read_comparison
from kernlearn.report.differences.changes import Status
from kernlearn.report.differences.compare import compare_sides
from kernlearn.report.differences.sides import side_of
from kernlearn.report.exports.documents import KINDS, Only, document_of
from kernlearn.report.exports.formats import FORMATS
from kernlearn.report.exports.numbers import Options
from kernlearn.report.pages.comparisons import comparison_part
from kernlearn.report.plots.kinds import pictures_of
from kernlearn.report.targets import Target, find_target
from kernlearn.runner.store.tables import read_csv, write_csv
from tests.report.exports.examples import HOSTILE, RESULTS
from tests.report.written import write_comparison

SUMMARY = """\
run,dataset,algorithm,metric,mean,std,n_splits,n_selected_not_optimal,largest_selected_gap,paper_mean,paper_std,verdict
a1,sonar,vkr,error_pct,12.345678901234567,2.5,5,0,1e-9,11.0,1.5,too few
a1,sonar,vkr,auc,93.21,,5,0,1e-9,,,
a1,sonar,vkr,novel,nan,,0,1,1e-9,,,
""".replace("\n", ",0\n").replace("verdict,0", "verdict,test_rows_in_choice_pct")
#: Errors of five splits whose mean and deviation these are, and such areas, of five splits and of three.
ERRORS = [12.345678901234567 + 2.5 * k / 2.5**0.5 for k in (-2, -1, 0, 1, 2)]
AREAS = {5: [93.21] * 5, 3: [90.71, 93.21, 95.71, "nan", "nan"]}
#: Scores of five splits: means and deviations are round numbers.
SCORES = {
    "sonar": {
        "a": {"error_pct": [8.0, 9.0, 10.0, 11.0, 12.0], "auc": [89.0, 90.0, 91.0, 90.0, 90.0]},
        "b": {"error_pct": [9.0, 8.0, 12.0, 10.0, 11.02], "auc": [95.0, 94.0, 96.0, 95.0, 95.0]},
        "base": {"error_pct": [30.0, 29.0, 31.0, 30.0, 30.0]},
    },
    "pima": {"base": {"error_pct": [20.0, 19.0, 21.0, 20.0, 20.0], "auc": [70.0, 69.0, 71.0, 70.0, 70.0]}},
}


def compared(tmp_path, scores=SCORES, **options):
    return write_comparison(tmp_path / "mine", scores, inexact=("b",), **options)


def stored(tmp_path, kind, text):
    directory = tmp_path / "mine"
    directory.mkdir(exist_ok=True)
    (directory / "summary.csv").write_text(text)
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
    areas = {name: [90.0, 91.0, 89.0, None, None] for name in "ab"}
    scores = {name: {"error_pct": [10.0, 11.0, 12.0, 13.0, 14.0], "auc": auc} for name, auc in areas.items()}
    document = document_of(compared(tmp_path / "partly", {"sonar": scores}))
    assert document.notes[:2] == said
    assert {(one.metric, one.n_splits) for one in document.numbers} == {("error_pct", 5), ("auc", 3)}


def test_a_comparison_has_its_test_in_the_metric_that_ranks(tmp_path):
    document = document_of(compared(tmp_path))
    numbers = {(one.dataset, one.algorithm, one.metric): one for one in document.numbers}
    assert ("sonar", "base", "auc") not in numbers and len(numbers) == 7
    assert numbers["sonar", "a", "error_pct"].best and numbers["sonar", "b", "error_pct"].best is True  # looks the same
    assert not numbers["sonar", "base", "error_pct"].best and numbers["sonar", "base", "error_pct"].worse
    assert numbers["sonar", "b", "auc"].best and numbers["sonar", "b", "auc"].p_value is None
    p = corrected_resampled_t([1.0, -1.0, 2.0, -1.0, -0.98], 0.25)
    assert (
        numbers["sonar", "b", "error_pct"].p_value == pytest.approx(p) and not numbers["sonar", "b", "error_pct"].worse
    )
    assert numbers["sonar", "b", "auc"].interval_low is None
    assert [grid.name for grid in document.grids()] == ["sonar", "pima"]
    text = FORMATS["latex"].content(document, Options())
    assert r"30.00\,(0.71)$^{\dagger}$" in text and r"\bfseries 10.00\,(1.58)$^{\ddagger}$" in text
    assert "Nadeau and Bengio" in text and text.count(r"\begin{tabular}") == 2
    assert "so its score is optimistic" in text


def test_a_method_that_is_worse_by_the_same_amount_everywhere_has_no_dagger(tmp_path):
    """0.00 (0.00) against 41.67 (0.00): a deviation of 0 says nothing of the noise."""
    scores = {"a": {"error_pct": [0.0] * 5}, "base": {"error_pct": [41.67] * 5}}
    document = document_of(compared(tmp_path, {"perfect": scores}))
    assert [(one.p_value, one.worse, one.interval_low) for one in document.numbers] == [(None, False, None)] * 2
    said = "No test compares base with the best: all test parts agree, so a test has nothing to go by."
    assert said in document.notes and document.test == ""
    for name in ("latex", "markdown", "json"):
        text = FORMATS[name].content(document, Options())
        assert said in text and "dagger" not in text and "†" not in text
    assert read_comparison(tmp_path / "mine").comparisons[0].standings[1].agrees


@pytest.mark.parametrize(
    ("column", "value"),
    [("error_pct_mean", "1.0"), ("error_pct_std", "0.5"), ("rank", "1"), ("p_holm", "0.5"), ("interval_low", "1.0")]
    + [("not_distinguished_from_best", "True"), ("auc_mean", "99.0")],
)
def test_an_altered_ranking_is_refused_wherever_it_is_read(column, value, tmp_path):
    target = compared(tmp_path)
    other = write_comparison(tmp_path / "other", SCORES, inexact=("b",))
    rows = read_csv(target.path / "ranking.csv")
    next(row for row in rows if row["method"] == ("b" if column == "auc_mean" else "base"))[column] = value
    write_csv(target.path / "ranking.csv", rows)
    words = f"{column} of .* in ranking.csv does not follow from splits.csv"
    readers = [document_of, comparison_part, pictures_of, lambda target: plan_of_run(target.path)]
    for reader in readers:
        with pytest.raises(UserError, match=words):
            reader(target)
    found = compare_sides(*(side_of(str(one.path), tmp_path) for one in (other, target)))
    (part,) = [part for part in found.parts if part.name == "ranking.csv"]
    assert part.status is Status.UNREADABLE and part.notes[0].startswith("B: ranking.csv: damaged")


def test_the_ranking_of_an_earlier_version_can_be_read_and_compared(tmp_path):
    """Its column had another name, and tests of scores that agree had p-values of 0."""
    scores = {"a": {"error_pct": [0.0] * 5}, "base": {"error_pct": [41.67] * 5}}
    for name, data in (("mine", SCORES), ("agreeing", {"perfect": scores})):
        now, before = (write_comparison(tmp_path / when / name, data) for when in ("now", "before"))
        rows = read_csv(before.path / "ranking.csv")
        for row in rows:
            row["tied_with_best"] = row.pop("not_distinguished_from_best")
            if name == "agreeing" and row["method"] == "base":
                row |= {"p_holm": "0.0", "tied_with_best": "False", "interval_low": "41.67", "interval_high": "41.67"}
        write_csv(before.path / "ranking.csv", rows)
        assert document_of(before).numbers == document_of(now).numbers
        if name == "mine":
            found = compare_sides(*(side_of(str(one.path), tmp_path) for one in (before, now)))
            assert {part.name: part.status for part in found.parts}["ranking.csv"] is Status.WITHIN


@pytest.mark.parametrize(("metric", "end"), [("error_pct", 0.0), ("auc", 100.0), ("accuracy_pct", 100.0)])
def test_an_interval_of_an_earlier_version_ends_within_the_range_of_its_score(metric, end, tmp_path):
    values = [abs(end - value) for value in (0.0, 0.0, 0.0, 9.0, 1.0)]
    scores = {name: {metric: values, "macro_f1_pct": [3.0] * 5} for name in "ab"}
    target = compared(tmp_path, {"sonar": scores}, metric=metric)
    rows = read_csv(target.path / "ranking.csv")
    for row in rows:
        row["interval_low" if end == 0.0 else "interval_high"] = -1.5 if end == 0.0 else 103.0
    write_csv(target.path / "ranking.csv", rows)
    for one in document_of(target).numbers:
        ends = (one.interval_low, one.interval_high)
        assert (end in ends) if one.metric == metric else (ends == (None, None))


def test_tests_against_a_method_that_is_left_out_are_left_out(tmp_path):
    document = document_of(compared(tmp_path), Only(("sonar",), ("b", "base"), ("error_pct",)))
    assert [one.algorithm for one in document.numbers] == ["b", "base"] and document.test == ""
    assert all(one.p_value is None for one in document.numbers) and document.numbers[0].best


@pytest.mark.parametrize(
    "part, words",
    [
        ({"datasets": ("sonr",)}, "sonr: mine has no such dataset, choose from sonar, pima; did you mean sonar"),
        ({"algorithms": ("x",)}, "x: mine has no such algorithm, choose from a, b, base"),
        ({"datasets": ("pima",), "algorithms": ("a",)}, "a: mine has no such algorithm, choose from base"),
    ],
)
def test_a_name_that_is_not_there_is_an_error(part, words, tmp_path):
    with pytest.raises(UserError, match=words):
        document_of(compared(tmp_path), Only(**part))


@pytest.mark.parametrize(
    "text",
    [
        SUMMARY.replace("5,0,", "5.5,0,"),
        SUMMARY.replace("nan", "1e999999x"),
        SUMMARY.partition("\n")[0] + "\n",
        "\x00\xff",
    ],
)
def test_a_damaged_run_is_one_clear_error(text, tmp_path):
    with pytest.raises(UserError) as error:
        document_of(stored(tmp_path, "run", text))
    assert "mine" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(",10.0,", ",ten,", 1),
        lambda text: text + text.splitlines()[1] + "\n",
        lambda text: text.replace("method,kind", "way,kind"),
        lambda text: text[:-20],
        lambda text: text.partition("\n")[0] + "\n",
        lambda text: "",
    ],
)
def test_a_damaged_comparison_is_one_clear_error(change, tmp_path):
    target = compared(tmp_path)
    file = target.path / "ranking.csv"
    file.write_text(change(file.read_text()))
    with pytest.raises(UserError) as error:
        document_of(target)
    assert "mine" in str(error.value) and "\n" not in str(error.value)


def test_hostile_names_of_a_comparison_are_exported_in_every_format(tmp_path):
    scores = {name: {"error_pct": [10.0, 11.0, 12.0], "auc": [90.0, 91.0, 92.0]} for name in HOSTILE}
    document = document_of(compared(tmp_path, {HOSTILE[0]: scores}))
    assert {one.algorithm for one in document.numbers if one.metric == "auc"} == set(HOSTILE)
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
    (bold,) = [note for _, note in document.notes_of(grid, "", "", False) if note.startswith("Bold: ")]
    apart = {*document.readings, *document.additions}
    assert bold.startswith(words.removesuffix(".")) and (bold == words) == (not apart)
    for i in range(len(grid.rows)):
        mine = [number for (line, _), number in grid.cells.items() if line == i]
        row = [number for number in mine if number.algorithm not in apart]
        digits = row[0].digits
        expected = f"{best(number.mean for number in row):.{digits}f}"
        assert {id(n) for n in row if n.best} == {id(n) for n in row if f"{n.mean:.{digits}f}" == expected}
