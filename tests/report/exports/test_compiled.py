"""LaTeX compiles the exported tables and macros, and the page has their numbers."""

import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

from kernlearn.report.exports.latex import latex_tables
from kernlearn.report.exports.macros import latex_macros
from kernlearn.report.exports.numbers import Document, Number, Options, shown
from kernlearn.report.targets import Target
from tests.report.exports.examples import KEPT, hostile, kept

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("pdflatex") and shutil.which("pdftotext")),
        reason="needs LaTeX and poppler (Debian: texlive-latex-recommended texlive-science poppler-utils)",
    ),
]
#: The width of its text in points, in which all kept tables are in one piece.
WIDTH = 1600.0
DOCUMENT = r"""\documentclass{article}
\usepackage[a2paper,landscape,margin=1.5cm]{geometry}
\usepackage{booktabs,siunitx,graphicx}
\sisetup{group-digits=none}
\input{numbers}
\begin{document}
MACROS
TABLES
\end{document}
"""


def log_of(name):
    """Compile a document as often as references need, and return the log of the last time."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]
    return Path(f"{name}.log").read_text(errors="replace")


def page_of(macros, used, tables):
    """Return the text of the page that LaTeX makes, with single blanks between words."""
    Path("numbers.tex").write_text(macros)
    Path("paper.tex").write_text(DOCUMENT.replace("MACROS", used).replace("TABLES", "\n\\clearpage\n".join(tables)))
    log = log_of("paper")
    assert "Missing character" not in log and "undefined" not in log
    subprocess.run(["pdftotext", "-layout", "paper.pdf"], check=True)
    assert subprocess.run(["pdftoppm", "-r", "20", "-png", "paper.pdf", "paper"]).returncode == 0
    assert list(Path().glob("paper-*.png"))
    return " ".join(unicodedata.normalize("NFKC", Path("paper.txt").read_text()).split())


def text_of(mean, std, digits):
    deviation = shown(std, digits)
    return (shown(mean, digits).replace("-", "\u2212") + (f" ({deviation})" if deviation else "")).strip()


def test_every_kept_table_compiles_and_the_page_has_its_numbers():
    documents = [kept(name) for name in KEPT]
    macros = "".join(latex_macros(one, Options()) for one in documents)
    names = re.findall(r"newcommand\{\\([A-Za-z]+)\}\{([^}]*)\}", macros)
    assert len({name for name, _ in names}) == len(names) > 10_000
    first, second = next(one for one in names if one[1].startswith("-")), names[-1]
    tables = [latex_tables(d, Options(printed=True, width=WIDTH)) for d in documents]
    page = page_of(macros, f"Text \\num{{\\{first[0]}}} and \\{second[0]}.", tables)
    minus = "\u2212"
    assert f"Text {first[1].replace('-', minus)} and {second[1]}." in page
    explained = {"†": r"$^{\dagger}$ worse", "‡": r"$^{\ddagger}$ some"}  # below each part of a table
    marks = {mark: page.count(mark) - sum(one.count(words) for one in tables) for mark, words in explained.items()}
    page = " ".join(
        page.replace("†", " ").replace("‡", " ").split()
    )  # in the first row they are on a line of their own
    rows = 0
    for document in documents:
        for grid in document.grids():
            marks["†"] -= sum(one.worse for one in grid.cells.values())
            marks["‡"] -= sum(bool(one.n_not_optimal) for one in grid.cells.values())
            for i, row in enumerate(grid.rows):
                numbers = [number for j in range(len(grid.columns)) if (number := grid.cells.get((i, j)))]
                ours = [text_of(one.mean, one.std, one.digits) or "–" for one in numbers]
                assert " ".join([row.replace("_", " "), *ours]) in page, (document.name, grid.name, row)
                printed = [text_of(one.printed_mean, one.printed_std, one.digits) for one in numbers]
                if any(printed):
                    assert " ".join(["printed", *filter(None, printed)]) in page
                rows += 1
    assert rows > 500 and marks == {"†": 0, "‡": 0}


def test_hostile_names_compile_and_are_shown_as_they_are():
    document = hostile()
    page = page_of(latex_macros(document, Options(prefix="X")), "", [latex_tables(document, Options(width=WIDTH))])
    for words in (
        "50% of all & #1 {x} $y$ ",
        r"\input{/etc/passwd}",
        r"\end{tabular}\csname",
        "+1+1",
        "a,b;c",
        "two lines of | text",
        "*bold* [link](x) <script>alert(1)</script>",
        "-- ---",
        "Zürich",
        "[U+4E2D][U+6587] [U+1F600]",
        "rightleft[31m",
    ):
        assert words in page, words
    assert "root:" not in page


@pytest.mark.parametrize(("options", "printed"), [("10pt,a4paper", False), ("11pt,letterpaper", True), ("12pt", True)])
def test_every_kept_table_fits_the_text_of_an_article_and_its_pages(options, printed):
    """Nothing is wider than the text, and no float is higher than a page."""
    packages = "\\usepackage{booktabs,siunitx,graphicx}"
    tables = [latex_tables(kept(name), Options(printed=printed)) for name in KEPT]
    body = "\n\\clearpage\n".join(tables)
    Path("fits.tex").write_text(
        f"\\documentclass[{options}]{{article}}\n{packages}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    )
    log = log_of("fits")
    assert not re.findall(r"Overfull \\hbox.*|Float too large.*|.*undefined.*", log)
    text = subprocess.run(["pdftotext", "-layout", "fits.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "resizebox" not in body and len(re.findall(r"Table \d+, continued", text)) > 3


def test_long_names_are_made_smaller_and_fit_too():
    long = " ".join(["a method with a very long name"] * 3)
    numbers = [Number(f"{long} {i}", f"{long} {j}", "error_pct", 1.0 + j, 1.0, 2, 5) for i in (1, 2) for j in (1, 2)]
    document = Document(Target("table", "long", Path("long")), "Long", numbers, {"error_pct": "Error"}, "metrics")
    text = latex_tables(document, Options())
    assert text.count(r"\resizebox") == 2 and "booktabs,siunitx,graphicx" in text
    packages = "\\usepackage{booktabs,siunitx,graphicx}"
    Path("long.tex").write_text(
        f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{text}\n\\end{{document}}\n"
    )
    assert not re.findall(r"Overfull \\hbox.*", log_of("long"))
