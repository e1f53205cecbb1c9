"""The command ``kernlearn diff``."""

import json

import jsonschema
import pytest

from kernlearn.cli.main import main
from kernlearn.report.differences.compare import Difference
from kernlearn.report.differences.page import summary_of
from scripts.tools.write_schemas import schema_of
from tests.report.differences.test_sides import commit, copied, git, replaced
from tests.report.exports.examples import HOSTILE


@pytest.fixture
def sides(tmp_path):
    """Return directories: a table, the same, with another number, with another verdict, and with one row damaged."""
    for name in "abcde":
        copied(tmp_path / name, "vkr2015/table1")
    replaced(
        tmp_path / "c/vkr2015/table1.csv", "algo=l2_svm,l2_svm,error_pct,2.0,", "algo=l2_svm,l2_svm,error_pct,2.5,"
    )
    replaced(tmp_path / "d/vkr2015/table1.csv", ",inside,", ",near,")
    replaced(tmp_path / "e/vkr2015/table1.csv", ",inside,", ",")
    return tmp_path


@pytest.mark.parametrize("others, code", [("b", 0), ("c", 0), ("d", 1), ("bcd", 1), ("e", 2)])
def test_the_exit_code_says_whether_a_verdict_flips(others, code, sides, capsys):
    assert main(["diff", "a", *others]) == code
    captured = capsys.readouterr()
    assert captured.out.count("result     2 parts: ") == len(others)
    assert ("vkr2015/table1.csv: B: vkr2015/table1.csv: damaged" in captured.err) == (code == 2)


def test_only_what_differs_is_shown(sides, capsys):
    assert main(["diff", "a", "c"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == ["A          a", "B          c", "", "vkr2015/table1.csv: changed", "what" + lines[4][4:]]
    assert lines[5].split() == ["ocr49", "l2_svm", "error_pct", "mean", "2.0", "2.5", "+0.5"]
    assert lines[-1] == "result     2 parts: 1 changed, 1 same bytes" and len(lines) == 8
    assert main(["diff", "a", "b"]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ["", "result     2 parts: 2 same bytes"]


def test_markdown_is_for_a_pull_request(sides, capsys):
    assert main(["diff", "a", "c", "d", "--to", "markdown"]) == 1
    text = capsys.readouterr().out
    assert "| ocr49 l2\\_svm error\\_pct mean | 2.0 | 2.5 | +0.5 |" in text
    assert "### vkr2015/table1.csv: verdict flipped" in text and text.count("\n## ") == 1 and text.startswith("## a")


def test_the_document_has_its_schema(sides, capsys):
    for others, code in (("bcd", 1), ("e", 2)):
        assert main(["diff", "a", *others, "--json"]) == code
        content = json.loads(capsys.readouterr().out)
        jsonschema.validate(content, schema_of("diff"), cls=jsonschema.Draft202012Validator)
        assert [one["after"] for one in content["differences"]] == list(others)
    (change,) = json.loads(_json(capsys, "c"))["differences"][0]["parts"][0]["changes"]
    assert change == {
        "kind": "number",
        "place": "ocr49 l2_svm error_pct mean",
        "before": "2.0",
        "after": "2.5",
        "difference": 0.5,
    }


def test_flips_are_counted_by_their_direction(sides, capsys):
    file = sides / "b/vkr2015/table1.csv"
    replaced(file, ",near,", ",inside,")
    replaced(file, '"outside, lower"', '"outside, higher"')
    replaced(file, '"outside, higher"', "near")
    assert main(["diff", "a", "b", "d", "--json"]) == 1
    better, worse = json.loads(capsys.readouterr().out)["differences"]
    assert better["verdicts"]["better"] == 2 and better["verdicts"]["worse"] == 0
    assert worse["verdicts"] == {"worse": 1, "better": 0, "neither": 0}
    assert [one["kind"] for one in worse["parts"][0]["changes"]] == ["verdict worse"]


def _json(capsys, side):
    main(["diff", "a", side, "--json"])
    return capsys.readouterr().out


def test_changes_are_capped_and_counted(sides, capsys):
    file = sides / "b/vkr2015/table1.csv"
    file.write_text(file.read_text().replace(",50,10,", ",40,10,"))
    assert main(["diff", "a", "b", "--top", "3"]) == 0
    out = capsys.readouterr().out
    assert "vkr2015/table1.csv: changed, 440 cells" in out and "and 437 more (--top shows more)" in out
    assert sum(line.endswith("-10") for line in out.splitlines()) == 3


def test_a_commit_against_the_files(sides, monkeypatch, capsys):
    repository = sides / "repository"
    copied(repository / "results", "vkr2015/table1")
    for key in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(key, raising=False)
    git(repository, "init", "-q")
    commit(repository)
    replaced(repository / "results/vkr2015/table1.csv", ",inside,", ",near,")
    monkeypatch.chdir(repository)
    assert main(["diff", "HEAD", "."]) == 1
    out = capsys.readouterr().out
    assert "ocr49 l2_svm n_support_vectors verdict  inside  near  verdict worse" in out
    assert out.endswith("result     2 parts: 1 verdict flipped, 1 same bytes; verdicts: 1 worse\n")
    assert main(["diff", "HEAD~1", "."]) == 2
    assert "a commit of git" in capsys.readouterr().err


def test_names_from_anyone_give_no_orders_to_the_terminal_or_the_page(tmp_path, capsys):
    for name, value in (("a.csv", "1.0"), ("b.csv", "2.0")):
        rows = "".join(f'"{text}x",{value}\n' for text in (one.replace('"', '""') for one in HOSTILE))
        (tmp_path / name).write_bytes(f"dataset,mean\n{rows}".encode())
    for switch in ([], ["--to", "markdown"]):
        assert main(["diff", "a.csv", "b.csv", "--top", "100", *switch]) == 0
        out = capsys.readouterr().out
        assert not set(out) & {"\x1b", "\x00", "\r", "\u202e"} and out.count("2.0") == len(HOSTILE)
    rows = [line for line in out.splitlines() if line.startswith("| ")]
    assert len(rows) == 1 + len(HOSTILE) and "<script>" not in out


@pytest.mark.parametrize(
    "words, error",
    [
        (["a"], "give a second side"),
        (["a", "nix"], "nix: no such result"),
        (["a", "a/vkr2015/table1.csv"], "give two of the same kind"),
        (["a", "b", "--top", "-1"], "--top -1"),
        (["a", "b", "--tol", "1"], "--tol 1"),
        (["a", "b", "--tol", "nan"], "--tol nan"),
        (["a", "b", "--to", "html"], "invalid choice"),
    ],
)
def test_a_wrong_command_is_one_line(words, error, sides, capsys):
    assert main(["diff", *words]) == 2
    err = capsys.readouterr().err
    assert error in err and err.count("\n") == 1


def test_nothing_is_summed_up_as_nothing():
    assert summary_of(Difference("a", "b", [])) == "0 parts: "
