"""Pages in a real browser: sorting, filtering, the keyboard alone, small and dark screens, print, and axe-core.

They need chromium and the package playwright. The check of accessibility also needs the file of axe-core, whose path is
in KERNLEARN_AXE.
"""

import os
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from kernlearn.report.pages.marks import Reason
from kernlearn.report.pages.page import Head, Part, Sheet, Step, render
from kernlearn.report.pages.results import page_of
from kernlearn.report.pages.site import pages_of
from kernlearn.report.targets import find_target
from tests.report.pages.stored import EMOJI, FORMULA, SCRIPT, within

pytestmark = pytest.mark.slow
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AXE = os.environ.get("KERNLEARN_AXE")
RESULTS = Path(__file__).parents[3] / "results"
TABLE = "vkr2015/table1"
KINDS = ("run", "comparison", "model", "table", "figure", "checks", "paper", "several", "index", "long", "forged")
#: A name that is too long for any line, with everything that a name should not have.
FORGED = f'"><script>document.title="executed"</script>\x1b[31m\u202e{EMOJI}' + "W" * 1_000_000


#: Ten thousand rows; some cells are empty.
ROWS = [[f"row {i}", f"{(i * 7919) % 10007}e-3" if i % 100 else "", ("even", "odd")[i % 2]] for i in range(10_000)]


def long_page():
    heads = [Head("name", number=False), Head("value"), Head("word", number=False)]
    return render(
        "Long", [Part("Long", "long", "index.html", "It is long.", facts={"sheets": [Sheet("Rows", heads, ROWS)]})]
    )


def forged_page():
    """Return a page whose every text was made by somebody else."""
    sheet = Sheet(FORGED, [Head(FORGED, number=False), Head(FORGED)], [[FORGED, FORGED]] * 20, note=FORGED)
    part = Part(
        FORGED, "forged", "index.html", FORGED, [Reason(False, FORGED)], [Step(FORGED, FORGED)], {"sheets": [sheet]}
    )
    return render(FORGED, [part])


@pytest.fixture(scope="module")
def files(stored, tmp_path_factory):
    """The path of a page of every kind."""
    directory = tmp_path_factory.mktemp("pages")
    results, run = stored / "results", next((stored / "results/runs").iterdir())
    comparison, model = next((stored / "results/comparisons").iterdir()), stored / "model.kl"
    words = {
        "run": [run],
        "comparison": [comparison],
        "model": [model],
        "table": [TABLE],
        "figure": ["uml2014/fig_margin"],
        "checks": ["uml2014/theorems"],
    }
    words |= {"paper": ["uml2014"], "several": [run, model, TABLE]}
    with within(stored):
        pages = {
            kind: page_of([find_target(str(word), RESULTS) for word in of_kind], RESULTS)
            for kind, of_kind in words.items()
        }
        pages["index"] = [page.content for page in pages_of(results, {})][-1]
    pages |= {"long": long_page(), "forged": forged_page()}
    for kind, content in pages.items():
        (directory / f"{kind}.html").write_bytes(content)
    return {kind: directory / f"{kind}.html" for kind in pages}


@pytest.fixture(scope="module")
def browser():
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def visit(browser, files):
    """Return a function that opens a page; afterwards nothing may have been said, asked for or run."""
    said, contexts = [], []

    def opened(kind, width=1280, scheme="light", **options):
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        address = files[kind].as_uri()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message) or dialog.dismiss())
        page.on("request", lambda request: request.url.partition("#")[0] == address or said.append(request.url))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        for page in context.pages:
            assert page.title() != "executed"
        context.close()
    assert not said


def column(page, number):
    """Return the texts of the cells of a column of the first table that are in the page."""
    rows = "[...document.querySelector('table.sheet').tBodies[0].rows]"
    return page.evaluate(f"{rows}.map(row => row.cells[{number - 1}].innerText)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("kind", KINDS)
def test_every_page_fits_its_screen_and_says_nothing(visit, kind, width, scheme):
    page = visit(kind, width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("h1").count() == 1 and page.locator(".result").first.is_visible()
    red, green, blue = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number)")
    assert (red + green + blue > 600) == (scheme == "light")
    for link in page.locator("main a:visible, main button:visible").all()[:40]:
        assert link.inner_text().strip()


def test_the_picture_of_checks_is_folded_below_them_and_can_be_read_on_a_small_screen(visit):
    page = visit("checks", 390)
    picture = page.locator("figure.checks")
    assert not picture.is_visible()
    page.get_by_text("Picture of these numbers").first.click()
    below = page.locator(".claims").first.bounding_box()
    assert picture.bounding_box()["y"] >= below["y"] + below["height"]
    drawn = picture.locator("svg")
    scale = drawn.bounding_box()["width"] / float(drawn.get_attribute("viewBox").split()[2])
    assert 10.0 * scale >= 10.0  # matplotlib's letters are of 10 points
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("kind", ["run", "comparison", "table"])
def test_the_cells_of_a_row_end_on_the_same_whole_pixel(visit, kind, width):
    """A line below a sticky cell would otherwise be a pixel off those beside it, or missing."""
    page = visit(kind, width)
    heights = page.evaluate(
        "[...document.querySelectorAll('table.sheet:not(.paper) tbody tr')].slice(0, 60)"
        ".flatMap(row => [...row.cells].map(cell => cell.getBoundingClientRect().height))"
    )
    assert heights and all(height == round(height) for height in heights)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing(visit, kind, scheme):
    if not AXE:
        pytest.skip("KERNLEARN_AXE is not set: npm install axe-core, and give it the path of axe.min.js")
    page = visit(kind, scheme=scheme)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:300], one["nodes"][0]["failureSummary"]) for one in found] == []


def test_columns_are_sorted_by_numbers_or_words_and_empty_cells_come_last(visit):
    page = visit("long")
    value, word = (page.get_by_role("button", name=name, exact=True) for name in ("value", "word"))
    value.click()
    first = column(page, 2)
    assert [float(text) for text in first] == sorted(float(text) for text in first) and float(first[0]) < 1e-2
    head = page.locator("th", has=value)
    assert head.get_attribute("aria-sort") == "ascending"
    value.click()
    first = column(page, 2)
    assert [float(text) for text in first] == sorted((float(text) for text in first), reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    word.click()
    assert head.get_attribute("aria-sort") is None
    assert set(column(page, 3)) == {"even"}
    page.get_by_label("Filter rows").fill("row 1")  # of the rows that stay, those without a value are last
    value.click()
    while page.get_by_role("button", name="Show more").is_visible():
        page.get_by_role("button", name="Show more").click()
    values = column(page, 2)
    assert "" in values and all(not second or first for first, second in pairwise(values))


def test_cells_of_a_paper_are_sorted_by_our_numbers(visit):
    page = visit("table")
    page.get_by_role("button", name="l1_svm", exact=True).first.click()
    numbers = [float(text.split()[0]) for text in column(page, 3)]
    assert numbers == sorted(numbers) and len(numbers) == 11


def test_rows_are_filtered_by_all_words_and_counted(visit):
    page = visit("long")
    assert page.locator("tbody tr").count() == 100
    assert page.locator("output").inner_text() == "10,000 of 10,000 rows, the first 100 shown"
    box = page.get_by_label("Filter rows")
    box.fill("ODD row 123")
    expected = [row[0] for row in ROWS if row[2] == "odd" and "123" in f"{row[0]} {row[1]}"]
    assert column(page, 1) == expected
    assert page.locator("output").inner_text() == f"{len(expected)} of 10,000 rows"
    assert page.get_by_role("button", name="Show more").is_hidden()
    box.fill("nothing like this")
    assert page.locator("tbody tr").count() == 0
    box.fill("")
    page.get_by_role("button", name="Show more").click()
    assert page.locator("tbody tr").count() == 600


def test_a_number_opens_what_made_it_and_the_focus_returns(visit):
    page = visit("table")
    link = page.locator("a[data-metric]").first
    link.click()
    dialog = page.locator("dialog")
    text = dialog.inner_text()
    for words in (
        "ocr49, l2_svm",
        "kernlearn reproduce vkr2015/table1 --datasets ocr49",
        "sha256",
        "commit",
        "largest gap",
    ):
        assert words in text
    assert "5.05 (0.65)" in text and "outside, lower" in text
    page.keyboard.press("Escape")
    assert dialog.count() == 0
    assert link.evaluate("one => one === document.activeElement")
    page.keyboard.press("Enter")
    dialog.get_by_role("button", name="Close").click()
    assert dialog.count() == 0


def test_the_keyboard_alone_is_enough(visit):
    page = visit("table")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("(e => e.tagName + ' ' + e.className)(document.activeElement)"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert {"DIV box", "BUTTON ", "A ours"} <= seen
    page.get_by_role("button", name="l1_svm", exact=True).first.focus()
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort]").count() == 1
    summary = page.locator("details.provenance > summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("details.provenance").first.get_attribute("open") is not None


@pytest.mark.parametrize("width", [1280, 390])
def test_columns_to_the_right_are_announced_and_can_be_reached_by_keyboard(visit, width):
    page = visit("table", width)
    button = page.get_by_role("button", name="to the right").first
    box = page.locator(".box").first
    hidden = """box => {
        const edge = box.getBoundingClientRect().left + box.clientLeft + box.clientWidth + 1;
        const heads = [...box.querySelector("thead tr").cells];
        return heads.filter((cell) => cell.getBoundingClientRect().right > edge).length;
    }"""
    n = box.evaluate(hidden)
    assert n >= 1 and button.inner_text() == f"{n} more column{'s' if n > 1 else ''} to the right →"
    assert "linear-gradient" in box.evaluate("box => getComputedStyle(box).backgroundImage")
    button.focus()
    for _ in range(20):
        if not box.evaluate(hidden):
            break
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    assert box.evaluate(hidden) == 0
    back = page.get_by_role("button", name="Back to the first columns").first
    assert back.evaluate("one => one === document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.box').scrollLeft === 0")
    assert button.inner_text().startswith(f"{n} more")


def test_a_table_that_fits_announces_nothing(visit):
    page = visit("long")
    assert page.get_by_role("button", name="to the right").count() == 0


@pytest.mark.parametrize(("kind", "width"), [("table", 1280), ("table", 390), ("long", 1280)])
def test_rows_below_are_announced_and_can_be_reached_by_keyboard(visit, kind, width):
    page = visit(kind, width)
    for details in page.locator("details.provenance").all():
        details.evaluate("one => { one.open = true; }")
    page.wait_for_timeout(100)
    tall = """() => {
        const boxes = [...document.querySelectorAll(".box")];
        return boxes.filter((box) => box.scrollHeight > box.clientHeight + 1).length;
    }"""
    assert page.evaluate(tall) == page.get_by_role("button", name=re.compile("more rows? below")).count() >= 1
    button = page.get_by_role("button", name=re.compile("more rows? below")).first.element_handle()
    box = button.evaluate_handle("one => one.parentNode.previousElementSibling").as_element()
    hidden = """box => {
        const edge = box.getBoundingClientRect().top + box.clientTop + box.clientHeight + 1;
        return [...box.querySelectorAll("tbody tr")].filter((row) => row.getBoundingClientRect().bottom > edge).length;
    }"""
    left = 9_900 if kind == "long" else 0
    n = box.evaluate(hidden) + left
    assert n >= 1 and button.inner_text() == f"{n:,} more row{'s' if n > 1 else ''} below ↓"
    button.focus()
    for _ in range(20):
        if not box.evaluate(hidden):
            break
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    if kind == "long":  # it brings more rows into the page
        page.keyboard.press("Enter")
        assert len(box.query_selector_all("tbody tr")) > 100 and "below" in button.inner_text()
        return
    assert button.inner_text() == "↑ Back to the first rows"
    assert button.evaluate("one => one === document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    assert box.evaluate("box => box.scrollTop") == 0 and button.inner_text().startswith(f"{n:,} more")


def test_a_filter_that_leaves_few_rows_announces_none_below(visit):
    page = visit("long")
    assert page.get_by_role("button", name=re.compile("more rows? below")).count() == 1
    page.get_by_label("Filter rows").fill("7777")
    page.wait_for_timeout(100)
    assert page.get_by_role("button", name=re.compile("rows? below")).count() == 0


@pytest.mark.parametrize("kind", ["table", "paper"])
def test_legends_are_open_and_above_their_tables(visit, kind):
    page = visit(kind)
    legend = page.locator(".how").first
    assert legend.is_visible() and "standard deviations (std)" in legend.inner_text()
    assert legend.bounding_box()["y"] < page.locator("table.sheet").first.bounding_box()["y"]
    assert " s " not in " ".join(page.locator(".effect").all_inner_texts()) + " "
    if kind == "table":
        assert page.locator(".effect").first.inner_text().endswith(" std")


def test_an_address_opens_the_details_that_it_leads_to(visit, files):
    page = visit("table")
    page.goto(f"{files['table'].as_uri()}#vkr2015-table1-3-2")
    assert page.locator("[id='vkr2015-table1-3-2']").is_visible()


def test_everything_is_there_without_javascript(visit):
    page = visit("long", java_script_enabled=False)
    assert page.locator("tbody tr").count() == 10_000
    page = visit("table", java_script_enabled=False)
    assert page.locator("button, input").count() == 0
    page.locator("a[data-metric]").first.click()
    assert page.locator("[id='vkr2015-table1-0-0']").is_visible()


@pytest.mark.parametrize("kind", ["table", "run", "long"])
def test_print_has_all_rows_and_open_details(visit, kind):
    page = visit(kind)
    closed = page.locator("details:not([open])").count()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    if kind == "long":
        assert page.locator("tbody tr").count() == 10_000
    assert page.locator(".tools:visible, .skip:visible").count() == 0
    too_wide = page.evaluate(
        "[...document.querySelectorAll('table')].filter(one => one.scrollWidth > document.body.clientWidth + 1).length"
    )
    assert too_wide == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() == closed
    if kind != "long":  # 10,000 rows are hundreds of pages of paper
        assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_in_print_the_head_of_a_table_is_on_the_page_of_its_first_row(visit, tmp_path):
    visit("table").pdf(path=tmp_path / "page.pdf", prefer_css_page_size=True)
    text = subprocess.run(["pdftotext", "-layout", tmp_path / "page.pdf", "-"], capture_output=True, check=True).stdout
    for sheet in text.decode().split("\f"):
        lines = sheet.splitlines()
        heads = [i for i, line in enumerate(lines) if line.split()[:2] == ["row", "l2_svm"]]
        first = next((i for i, line in enumerate(lines) if re.match(r"\s*ocr49 +[0-9.]+ \([0-9.]+\)", line)), None)
        assert first is None or any(i < first for i in heads)
        assert all(any(line.strip() for line in lines[i + 1 :]) for i in heads)


def test_forged_names_are_shown_as_text(visit):
    page = visit("forged", 390)
    text = page.locator("h1").inner_text()
    assert text.startswith('"><script>document.title="executed"</script>\\x1b[31m\\u202e')
    assert text.endswith("characters)") and len(text) < 2_100
    page.get_by_label("Filter rows").fill("executed")
    assert page.locator("tbody tr").count() == 20


def test_names_of_a_hostile_file_are_shown_as_text(visit):
    page = visit("run")
    assert FORMULA in page.locator("main").inner_text()
    page = visit("model")
    assert SCRIPT in page.locator("main").inner_text()
