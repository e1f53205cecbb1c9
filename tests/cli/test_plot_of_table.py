"""``kernlearn plot`` of tables of papers: our numbers against the printed ones, as the scorecard counts them."""

import csv
import re
from pathlib import Path
from shutil import copyfile

import pytest

import kernlearn
from kernlearn.cli.main import main
from kernlearn.report.exports.documents import document_of
from kernlearn.report.plots.kinds import pictures_of
from kernlearn.report.plots.layout.pictures import scene_of
from kernlearn.report.plots.layout.scene import Text
from kernlearn.report.plots.svg import svg
from kernlearn.report.reproduction import reproduced
from kernlearn.report.scorecard import count_cells, outcome_of
from kernlearn.report.targets import find_target

RESULTS = Path(kernlearn.__file__).parents[1] / "results"


def test_deviations_are_ours_minus_the_printed_numbers():
    target = find_target("mkl2010/table3_1", RESULTS)
    rows = [row for row in csv.DictReader((RESULTS / "mkl2010/table3_1.csv").open()) if row["paper_mean"]]
    agreement, deviations = (pictures_of(target, [kind]) for kind in ("agreement", "deviations"))
    assert len(agreement) == len(deviations) == len({row["metric"] for row in rows})
    of_error = [row for row in rows if row["metric"] == "error_pct"]
    against, difference = next(
        (a, b) for a, b in zip(agreement, deviations, strict=True) if len(b.names) == len(of_error)
    )
    assert list(difference.values) == pytest.approx([float(row["delta"]) for row in of_error])
    ends = [float(row["interval_low"]) - float(row["paper_mean"]) for row in of_error]
    assert list(difference.low) == pytest.approx(ends)
    points = {(x, y) for one in against.series if not one.reference for x, y in zip(one.x, one.y, strict=True)}
    assert points == {(float(row["paper_mean"]), float(row["mean"])) for row in of_error}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["vkr2015/table1", "rmm2010/table5_2", "rmm2010/table6_1", "rmm2010/table2_3", "mkl2010/sec3_2_2"],
)
@pytest.mark.parametrize("kind", ["agreement", "deviations"])
def test_pictures_of_a_table_count_each_printed_number_once_as_the_scorecard_does(name, kind):
    """The counts are those of the scorecard, and each drawn value is one that it compares."""
    table, _, rows, _ = reproduced(name, RESULTS)
    pictures = pictures_of(find_target(name, RESULTS), [kind])
    said = [picture.words for picture in pictures if "the scorecard does not count" not in picture.words]
    counts = count_cells(table, rows)
    found = {"run": sum(int(re.search(r"(\d+) printed numbers?", words)[1]) for words in said)}
    for word in ("inside", "near", "outside"):
        found[word] = sum(int(number) for words in said for number in re.findall(rf"(\d+) {word}", words))
    assert found == {word: counts[word] for word in found}
    reading = {column.name for column in table.columns if column.reading}
    stand_ins = {f"{row.name} (stand-in) " for row in table.rows if row.name in table.stand_ins}
    for picture in pictures:
        if kind == "deviations" and picture.words in said:
            assert not {one.rsplit(" ", 1)[1] for one in picture.names} & reading
            assert all("(stand-in)" not in one or one.startswith(tuple(stand_ins)) for one in picture.names)
    if name == "rmm2010/table6_1":
        assert "10 without a verdict: the data are a stand-in for those of the paper. 80 without" in said[0]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("localrad2013/table1", "No verdict: the data are a stand-in"),
        ("mkl2010/table3_1", "No verdict: the part is not stated"),
        ("rmm2010/table5_2", "No verdict: alters the choice that is stated"),
        ("rmm2010/table2_1", "No verdict: there are fewer than 5 partitions"),
        ("rmm2010/table2_3", "101 without a verdict: each sample has fewer splits than in the paper"),
    ],
)
def test_pictures_of_a_table_say_why_there_is_no_verdict(name, reason):
    for kind in ("agreement", "deviations"):
        assert any(reason in picture.words for picture in pictures_of(find_target(name, RESULTS), [kind]))


def test_a_further_reading_of_a_percentage_has_points_too():
    error, honest = pictures_of(find_target("rmm2010/table5_2", RESULTS), ["deviations"])
    assert honest.x.label == "ours minus printed, percentage points"
    assert error.x.label == f"{honest.x.label}, with 95 % intervals"


@pytest.mark.parametrize("kind", ["agreement", "deviations"])
def test_lines_of_a_picture_are_explained_on_an_axis_and_in_words_if_there_are_any(kind):
    """Of table 3.1, one metric has no verdicts, and so no lines."""
    has = []
    for one in pictures_of(find_target("mkl2010/table3_1", RESULTS), [kind]):
        lines = one.low if kind == "deviations" else [low for series in one.series for low in series.low]
        labels = one.x.label + (one.y.label if kind == "agreement" else "")
        has.append(bool(lines))
        assert ("with 95 % intervals" in labels) == ("Lines are 95 % predictive" in one.words) == has[-1]
    assert set(has) == {True, False}


def test_a_number_is_inside_if_its_line_meets_the_printed_one():
    """What the words say of lines and verdicts holds for the numbers of a table."""
    rows = [row for row in csv.DictReader((RESULTS / "vkr2015/table1.csv").open()) if row["interval_low"]]
    assert {row["verdict"] for row in rows} > {"inside"}
    for row in rows:
        inside = float(row["interval_low"]) <= float(row["paper_mean"]) <= float(row["interval_high"])
        assert inside == (row["verdict"] == "inside")


def test_pictures_pages_and_exports_take_the_numbers_from_the_measurements(tmp_path, monkeypatch, capsys):
    """Verdicts that somebody has written into the table are nobody's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mkl2010").mkdir()
    for ending in (".csv", "_partitions.csv", ".provenance.json"):
        copyfile(RESULTS / f"mkl2010/table3_1{ending}", tmp_path / f"mkl2010/table3_1{ending}")
    target = find_target("mkl2010/table3_1", tmp_path)
    before = [svg(picture) for picture in pictures_of(target)]
    exported = document_of(target).numbers
    table = tmp_path / "mkl2010/table3_1.csv"
    text = re.sub(r'near|"outside, (lower|higher)"', "inside", table.read_text())
    assert text != table.read_text()
    table.write_text(text)
    assert [svg(picture) for picture in pictures_of(target)] == before and document_of(target).numbers == exported
    measured = tmp_path / "mkl2010/table3_1_partitions.csv"
    measured.write_text("damaged\n")
    for verb, ending in (("plot", "svg"), ("export", "csv"), ("report", "html")):
        assert main([verb, "mkl2010/table3_1", "--results-dir", ".", "-o", f"t.{ending}"]) == 2
        assert "table3_1_partitions.csv: damaged" in capsys.readouterr().err


def test_a_table_of_other_rows_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vkr2015").mkdir()
    for ending in (".csv", "_partitions.csv"):
        text = (RESULTS / f"vkr2015/table1{ending}").read_text()
        (tmp_path / f"vkr2015/table1{ending}").write_text(text.replace("ocr49", "ocr50"))
    assert main(["plot", "vkr2015/table1", "--results-dir", ".", "--kind", "agreement", "-o", "t.svg"]) == 2
    assert "line 2 is damaged" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("result", "kind", "words"),
    [
        ("vkr2015/theorems", "theorems", "theorems: no such kind of picture, choose from drawing"),
        ("vkr2015/theorems", "drawin", "choose from drawing; did you mean drawing?"),
        ("vkr2015/theorems", "agreement", "agreement: it is of a table or of a paper; choose from drawing"),
        ("rmm2010/fig2_4", "splits", "splits: it is of a run or of a comparison; choose from drawing"),
        ("vkr2015/table1", "grid", "grid: no such kind of picture, choose from agreement, deviations"),
        ("vkr2015", "drawing", "drawing: it is of a table or figure, drawn alone; choose from agreement, deviations"),
    ],
)
def test_a_kind_that_a_result_lacks_gives_those_that_it_has(tmp_path, monkeypatch, capsys, result, kind, words):
    monkeypatch.chdir(tmp_path)
    assert main(["plot", result, "--results-dir", str(RESULTS), "--kind", kind]) == 2
    assert words in capsys.readouterr().err and not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["vkr2015/table1", "rmm2010/table5_1", "mkl2010/table3_1", "rmm2010/table2_2"])
def test_verdicts_have_the_same_colour_and_symbol_in_all_pictures(name):
    """Series and points are grouped by verdicts, and intervals that are cut are few and said."""
    rows = [row for row in csv.DictReader((RESULTS / f"{name}.csv").open()) if row["paper_mean"]]
    for one in pictures_of(find_target(name, RESULTS), ["agreement", "deviations"]):
        if one.kind == "agreement":
            looks = {series.name: series.look for series in one.series if not series.reference}
            units = [axis.label.partition(": ")[2].removesuffix(", with 95 % intervals") for axis in (one.x, one.y)]
            assert units[0] == units[1] and 0 < len(units[0]) <= 50
        else:
            looks = dict(one.groups)
            assert all(label in one.x.label for label in ("ours minus printed", "p"))
        assert looks and (("Verdicts: " in one.words) or looks == {"no verdict": 5})
        assert looks.items() <= {"inside": 0, "near": 4, "outside": 1, "no verdict": 5}.items()
        for verdict in ("inside", "near", "outside"):
            assert (verdict in looks) == (f" {verdict}" in one.words.partition("Verdicts: ")[2].partition(".")[0])
        drawn = [text.words for text in scene_of(one).items if isinstance(text, Text) and text.bold]
        assert " ".join(drawn).replace("\N{NO-BREAK SPACE}", " ").startswith(one.title)  # not cut
        if one.kind == "deviations":
            known = {(f"{row['dataset']} {row['algorithm']}", outcome_of(row)) for row in rows}
            assert len(one.members) == len(one.names) == len(one.values)
            for label, member in zip(one.names, one.members, strict=True):
                assert (label, one.groups[member][0]) in known


def test_all_of_44_numbers_are_drawn_and_of_more_it_is_said_how_many():
    titles = [one.title for one in pictures_of(find_target("vkr2015/table1", RESULTS), ["deviations"])]
    assert not any("largest" in title for title in titles)
    first = pictures_of(find_target("rmm2010/table5_1", RESULTS), ["deviations"])[0]
    assert "ours minus printed, the 60 largest of 175: error" in first.title
    assert "115 more are not drawn" in svg(first)
