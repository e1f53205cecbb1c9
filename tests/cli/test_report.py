"""``kernlearn report``: which file is written, and what is refused."""

from pathlib import Path

import pytest

from kernlearn.cli.complete import candidates
from kernlearn.cli.main import VERBS, main
from kernlearn.report.pages.page import is_page

RESULTS = str(Path(__file__).parents[2] / "results")
FIGURE = "uml2014/fig_margin"


def report(*words):
    return main(["report", *words, "--results-dir", RESULTS])


def test_the_file_is_named_after_the_result_and_replaces_a_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert report(FIGURE) == 0
    page = tmp_path / "uml2014-fig_margin.html"
    assert capsys.readouterr().out == f"page: {page.name} ({page.stat().st_size} bytes)\n"
    assert is_page(page)
    assert report(FIGURE) == 0
    assert report(FIGURE, "uml2014/fig_losses", FIGURE) == 0
    assert (tmp_path / "report.html").read_text().count("<article ") == 2  # one of them is named twice


@pytest.mark.parametrize("name", ["page.html", "-x.html", "ö ü.html"])
def test_a_file_that_is_no_page_is_only_replaced_by_force(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text("<html>")
    assert report(FIGURE, f"--output={name}") == 2
    error = capsys.readouterr().err
    assert "is there and is no page of kernlearn report" in error and "--force" in error and error.count("\n") == 1
    assert Path(name).read_text() == "<html>"
    assert report(FIGURE, f"--output={name}", "--force") == 0
    assert is_page(Path(name))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "give a result"),
        (("uml2014/fig_margn",), "did you mean uml2014/fig_margin"),
        ((FIGURE, "-o", "."), "is a directory"),
        ((FIGURE, "-o", "no/where.html"), "there is no directory no"),
        ((FIGURE, "-o", "-"), "give the name of a file"),
        ((FIGURE, "--site", "site"), "leave it out"),
        (("--site", "site", "-o", "page.html"), "leave it out"),
        (("--site", "file"), "is no directory"),
        (("--sit", "x", "--nonsense"), "kernlearn report --help"),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    assert report(*words) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_site_needs_a_results_directory(tmp_path, capsys):
    assert main(["report", "--site", str(tmp_path / "s"), "--results-dir", str(tmp_path / "none")]) == 2
    assert "no such results directory" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_completion_has_results_and_options(monkeypatch):
    monkeypatch.chdir(RESULTS.removesuffix("/results"))
    assert "uml2014/fig_margin" in candidates(["report"], "uml", VERBS)
    assert "--site" in candidates(["report"], "--", VERBS)
