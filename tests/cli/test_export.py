"""The command ``kernlearn export``."""

import json

import pytest

from kernlearn.cli.main import main
from kernlearn.report.exports.formats import FORMATS
from tests.report.exports.examples import RESULTS

TABLE = "vkr2015/bounds"


def export(*words):
    return main(["export", TABLE, "--results-dir", str(RESULTS), *words])


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_has_what_is_printed(name, capsys, tmp_path):
    assert export("--to", name, "-o", str(tmp_path / "file")) == 0
    said = capsys.readouterr().out
    assert "110 numbers: " in said or name == "rocrate"
    if FORMATS[name].is_binary:
        assert export("--to", name) == 2
        assert "give a file as -o FILE" in capsys.readouterr().err
    else:
        assert export("--to", name) == 0
        assert capsys.readouterr().out == (tmp_path / "file").read_text()


@pytest.mark.slow
def test_the_ending_of_a_file_says_the_format(capsys):
    for ending in [suffix for one in FORMATS.values() for suffix in one.suffixes]:
        assert export("-o", f"table{ending}") == 0
        assert export("-o", f"table{ending}") == 0  # may replace an export
    assert json.load(open("table.json"))["name"] == TABLE
    capsys.readouterr()
    assert export("-o", "table.txt") == 2 and export() == 2
    assert capsys.readouterr().err.count("--to=NAME") == 2


def test_a_file_of_somebody_stays(tmp_path, capsys):
    file = tmp_path / "paper.tex"
    file.write_text("mine")
    assert export("-o", str(file)) == 2 and file.read_text() == "mine"
    assert "--force" in capsys.readouterr().err
    assert export("-o", str(file), "--force") == 0 and "booktabs" in file.read_text()
    assert export("-o", str(tmp_path)) == 2 and export("-o", str(tmp_path / "no" / "x.tex")) == 2


def test_a_part_is_exported(capsys):
    assert export("--to", "csv", "--datasets", "ocr49", "pima", "--algos", "vkr_lemma3", "--metrics", "error_pct") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[1] for line in lines] == ["dataset", "ocr49", "pima"]
    assert export("--to", "csv", "--datasets", "ocr48") == 2
    assert "ocr48: vkr2015/bounds has no such dataset" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, error",
    [
        (["--to", "csv", "--printed"], "--printed: has no meaning for --to=csv"),
        (["--to", "latex", "--prefix", "A"], "--prefix: has no meaning for --to=latex"),
        (["--to", "latex", "--digits", "-1"], "--digits=-1: must be all or a whole number up to 17"),
        (["--digits", "-1", "--json"], "--digits=-1: must be all or a whole number up to 17"),
        (["--digits", "2", "--json"], "--digits: has no meaning for the document of --json, which has all digits"),
        (["--to", "latex", "--digits", "99"], "--digits=99: must be all or a whole number up to 17"),
        (["--to", "macros", "--prefix", "A1"], "--prefix=A1"),
        (["--to", "markdown", "--width", "200"], "--width: has no meaning for --to=markdown"),
        (["--to", "latex", "--width", "wide"], "--width=wide: must be a width in points from 50 to 16383, such as 345"),
        (["--to", "latex", "--width", "nan"], "--width=nan: must be a width in points"),
        (["--to", "latex", "--width", "1e9"], "--width=1e9: must be a width in points"),
        (["--to", "latec"], "did you mean latex"),
        (["--to", "rocrate", "--datasets", "ocr49", "-o", "x.zip"], "--datasets: has no meaning for --to=rocrate"),
    ],
)
def test_a_wrong_option_is_one_line(words, error, capsys):
    assert export(*words) == 2
    err = capsys.readouterr().err
    assert error in err and err.count("\n") == 1


@pytest.mark.parametrize("name", [TABLE, "uml2014/exercises"])
def test_the_document_of_a_crate_says_what_is_in_it(name, capsys):
    """A figure has no numbers, and only a crate takes it."""
    words = ["export", name, "--results-dir", str(RESULTS), "--json"]
    assert main([*words, "-o", "x.zip"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["name"], found["file"], bool(found["numbers"])) == (name, "x.zip", name == TABLE)
    if name != TABLE:
        assert main([*words, "-o", "x.csv"]) == 2
        assert "is a figure; its points are" in json.loads(capsys.readouterr().out)["error"]


def test_digits_are_as_asked_for(capsys):
    for digits, shown in (("0", " & 5\\,(1)"), ("4", "4.6950\\,(0.8961)"), ("all", "4.695\\,(0.8961268456539309)")):
        assert export("--to", "latex", "--digits", digits, "--datasets", "ocr49", "--metrics", "error_pct") == 0
        assert shown in capsys.readouterr().out


def test_what_there_is_to_export_is_said(capsys):
    assert main(["export", "vkr2015/tabel1", "--to", "csv", "--results-dir", str(RESULTS)]) == 2
    assert "did you mean vkr2015/table1" in capsys.readouterr().err
    assert main(["export", "vkr2015/table1", "--to", "csv"]) == 2
    assert "kernlearn reproduce vkr2015/table1" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["export", "plot", "report"])
def test_no_verb_replaces_a_file_that_it_reads(verb, tmp_path, capsys):
    for file in RESULTS.glob("vkr2015/table1*"):
        (tmp_path / "vkr2015").mkdir(exist_ok=True)
        (tmp_path / "vkr2015" / file.name).write_bytes(file.read_bytes())
    name = {"export": "table1_partitions.csv", "plot": "table1.svg", "report": "table1.provenance.json"}[verb]
    file = tmp_path / "vkr2015" / name
    file.touch()
    before = file.read_bytes()
    options = ["--kind", "agreement"] if verb == "plot" else []
    words = [verb, "vkr2015/table1", "--results-dir", str(tmp_path), "-o", str(file), "--force", *options]
    assert main(words) == 2
    assert "is read by this command" in capsys.readouterr().err and file.read_bytes() == before
