"""A site: every result has a page, and every link leads to one."""

from pathlib import Path
from shutil import copytree
from urllib.parse import unquote

import pytest

from kernlearn.cli.main import main
from kernlearn.papers import figure_names, table_names
from tests.report.pages.parsed import check

RESULTS = Path(__file__).parents[3] / "results"


def check_site(directory):
    """Check every page of a site and every link between them; return the pages that links lead to."""
    reached = {(directory / "index.html").resolve()}
    for path in directory.rglob("*.html"):
        for address in check(path.read_bytes()).addresses:
            if not address.startswith(("#", "data:")):
                place, _, anchor = address.partition("#")
                target = (path.parent / unquote(place)).resolve()
                assert target.is_file() and not anchor, f"{path} leads to {address}"
                reached.add(target)
    assert reached == {path.resolve() for path in directory.rglob("*.html")}
    return reached


@pytest.fixture
def results(stored, tmp_path):
    """A results directory with one paper, one run with a name that addresses have to quote, and one comparison."""
    copytree(stored / "results", tmp_path / "results")
    copytree(
        RESULTS / "uml2014",
        tmp_path / "results/uml2014",
        ignore=lambda _, names: {n for n in names if "fig_m" not in n},
    )
    run = next((tmp_path / "results/runs").iterdir())
    run.rename(run.with_name("a #1 %41 é"))
    return tmp_path / "results"


def test_a_site_has_a_page_for_each_result_and_links_to_all(results, tmp_path, capsys):
    site = tmp_path / "site"
    assert main(["report", "--site", str(site), "--results-dir", str(results)]) == 0
    assert f"site: {site / 'index.html'} (5 pages" in capsys.readouterr().out
    assert len(check_site(site)) == 5
    before = {path: path.read_bytes() for path in site.rglob("*.html")}
    assert main(["report", "--site", str(site), "--results-dir", str(results)]) == 0
    assert before == {path: path.read_bytes() for path in site.rglob("*.html")}


def test_a_damaged_result_is_named_and_the_others_have_their_pages(results, tmp_path, capsys):
    (next((results / "runs").iterdir()) / "provenance.json").write_text("{}")
    assert main(["report", "--site", str(tmp_path / "site"), "--results-dir", str(results)]) == 1
    assert "could not be shown: a #1 %41 é" in capsys.readouterr().err
    assert len(check_site(tmp_path / "site")) == 4


@pytest.mark.slow
def test_a_site_replaces_pages_of_its_own_and_nothing_else(results, tmp_path, capsys):
    site = tmp_path / "site"
    (site / "uml2014").mkdir(parents=True)
    (site / "uml2014/index.html").write_text("mine")
    command = ["report", "--site", str(site), "--results-dir", str(results)]
    assert main(command) == 2
    assert "is there and is no page of kernlearn report" in capsys.readouterr().err
    assert [path.name for path in site.rglob("*.html")] == ["index.html"]  # nothing was written
    assert main([*command, "--force"]) == 0
    assert (site / "uml2014/index.html").read_text() != "mine"


def test_a_site_follows_no_link(results, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "site").mkdir()
    (tmp_path / "site/uml2014").symlink_to(tmp_path / "elsewhere")
    assert main(["report", "--site", str(tmp_path / "site"), "--results-dir", str(results)]) == 2
    assert not any((tmp_path / "elsewhere").iterdir())


@pytest.mark.slow
def test_the_site_of_all_kept_results(tmp_path):
    site = tmp_path / "site"
    assert main(["report", "--site", str(site), "--results-dir", str(RESULTS)]) == 0
    pages = {str(path.relative_to(site.resolve())) for path in check_site(site)}
    assert {f"{name}.html" for name in (*table_names(), *figure_names())} < pages
