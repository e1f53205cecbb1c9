"""Tables in Markdown have as many cells in every line as in their first."""

import re
from pathlib import Path

import pytest

from kernlearn.papers import load_figure
from kernlearn.report.figures import figure_report
from kernlearn.report.markdown import table_line

ROOT = Path(__file__).parents[2]
WRITTEN = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), ROOT / "scripts/README.md"]
PAGES = [*WRITTEN, *sorted(ROOT.glob("results/**/*.md"))]
#: Bytes of the README: it is read before anything is installed.
MOST_BYTES = 8192


def cells(line):
    """Return the cells of a line as a reader of Markdown finds them: only a bar without a backslash ends one."""
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_a_bar_in_a_cell_ends_no_cell():
    assert table_line(["1/|w0|", "", "a"]) == r"| 1/\|w0\| |  | a |"
    figure = load_figure("mkl2010/fig2_3")
    report = figure_report(figure, [("|w| is |psi|", "1", "holds")])
    assert ["|w| is |psi|", "1", "holds"] in [cells(line) for line in report.splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_line_of_a_table_has_the_cells_of_its_head(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
        counts = {len(cells(line)) for line in table.splitlines()}
        assert len(counts) == 1, table


def anchors(page):
    """Return what links can go to in a page: its headings, as GitHub names them."""
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_every_link_goes_somewhere(page):
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        place, _, anchor = link.partition("#")
        if not link.startswith(("http:", "https:")):
            there = (page.parent / place) if place else page
            assert there.exists(), link
            assert not anchor or anchor in anchors(there), link


def test_the_readme_is_short_and_leads_to_every_page():
    readme = (ROOT / "README.md").read_bytes()
    assert len(readme) <= MOST_BYTES
    assert all(f"(docs/{page.name})".encode() in readme for page in ROOT.glob("docs/*.md"))


def test_the_front_page_leads_to_every_page_and_the_site_has_all():
    index = (ROOT / "docs" / "index.md").read_text()
    others = [page for page in ROOT.glob("docs/*.md") if page.name != "index.md"]
    contents = re.search(r"```{toctree}\n(.*?)```", index, flags=re.DOTALL)[1].splitlines()
    assert len(others) >= 11
    assert all(f"]({page.name})" in index and page.stem in contents for page in others)


@pytest.mark.parametrize("page", sorted(ROOT.glob("docs/*.md")), ids=lambda page: page.stem)
def test_the_last_line_says_what_tests_a_page(page):
    last = page.read_text().rstrip().splitlines()[-1]
    assert last.startswith("*Maintainers: ") and last.endswith("*") and "`" in last
