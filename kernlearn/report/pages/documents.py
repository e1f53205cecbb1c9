"""Markdown files of a results directory as HTML: notes on what reproduces of a paper, and reports of benchmarks.

HTML in them is shown as text. A link leads to another page or nowhere, and the only pictures are drawings of ours.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kernlearn.errors import UserError
from kernlearn.report.pages.drawings import inline
from kernlearn.report.pages.page import CODES
from kernlearn.runner.store.files import read_regular

if TYPE_CHECKING:  # imported where it is used, so that all else stays fast
    from markdown_it.token import Token

#: The section of notes that is read first.
SHORT = "In short"
#: Most bytes of a document.
LARGEST = 1_000_000
#: How a number begins.
NUMBER = re.compile(r"[-+]?[0-9.]|nan$")
#: Around tables, as `sheet.html` has it.
BEFORE, AFTER = '<div class="box" tabindex="0" role="group" aria-label="{}"><table class="sheet{}">', "</table></div>"


class Notes(NamedTuple):
    """Notes on a paper, as HTML: what comes first, and the rest."""

    short: Any
    rest: Any


def read_notes(directory: Path, level: int, addresses: Mapping[str, str]) -> Notes | None:
    """Return the notes on the paper in a directory, or None if there are none.

    Raises `UserError` if the file is no text, or too large.

    Parameters
    ----------
    directory : Path
    level : int
        Of the headings of sections.
    addresses : mapping
        Those of other pages, by the names of the files beside the notes that they show.
    """
    path = directory / "NOTES.md"
    if not path.exists():
        return None
    _, *sections = re.split(r"^(?=## )", f"\n{_read(path)}", flags=re.MULTILINE)
    before = re.sub(r"^# .*$", "", _, count=1, flags=re.MULTILINE)
    first = [section for section in sections if section.startswith(f"## {SHORT}\n")]
    short = before + "".join(section.partition("\n")[2] for section in first)
    rest = "".join(section for section in sections if section not in first)
    return Notes(html_of(short, level, addresses), html_of(rest, level, addresses) if rest else "")


def read_document(path: Path) -> tuple[str, Any]:
    """Return the title of a document, and its content with the drawings beside it.

    Raises `UserError` if the file is no text, or too large, or a drawing is damaged.
    """
    text = _read(path)
    title, _, rest = text.partition("\n")
    if not title.startswith("# "):
        title, rest = path.stem, text
    names = {name for name in re.findall(r"!\[[^\]]*\]\(([\w.-]+\.svg)\)", rest) if (path.parent / name).is_file()}
    drawings = {}
    for name in sorted(names):
        drawings[name] = inline(read_regular(path.parent / name), f"{path.stem}-", name)
    return title.removeprefix("# ").strip(), html_of(rest, 2, {}, drawings)


def _read(path: Path) -> str:
    content = read_regular(path)
    if len(content) > LARGEST:
        raise UserError(f"{path}: has more than {LARGEST:,} bytes, too many for a page")
    try:
        return content.decode().translate(CODES)
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is no text ({error.reason})") from None


def html_of(text: str, level: int, addresses: Mapping[str, str], drawings: Mapping[str, str] | None = None) -> Any:
    """Return Markdown as HTML, with headings from a level on.

    Parameters
    ----------
    text : str
        Its second level of headings becomes `level`.
    addresses : mapping
        As of `read_notes`.
    drawings : mapping, optional
        Drawings as HTML, by the names of their files.
    """
    from markdown_it import MarkdownIt
    from markupsafe import Markup, escape

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    heading = ""
    for i, token in enumerate(tokens):
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(max(int(token.tag[1]), 2) - 2 + level, 6)}"
            heading = tokens[i + 1].content if token.type == "heading_open" else heading
        elif token.type == "table_open":
            table = tokens[i : next(j for j in range(i, len(tokens)) if tokens[j].type == "table_close")]
            numbers = "".join(f" n{number}" for number in _numbers(table))
            _replace(token, BEFORE.format(escape(heading or "Table"), numbers))
        elif token.type == "table_close":
            _replace(token, AFTER)
        elif token.type == "inline":
            _inline(token.children or [], addresses, drawings or {})
    return Markup(parser.renderer.render(tokens, parser.options, {}))


def _numbers(table: "list[Token]") -> list[int]:
    """Return the columns of a table whose cells are numbers, the first one is 1, and say so in their heads."""
    heads = [token for token in table if token.type == "th_open"]
    cells = [table[i + 1].content for i, token in enumerate(table) if token.type == "td_open"]
    numbers = []
    for i, head in enumerate(heads):
        texts = [text for text in cells[i :: len(heads)] if text]
        if texts and all(NUMBER.match(text) for text in texts):
            head.attrSet("class", "n")
            numbers.append(i + 1)
    return numbers


def _inline(tokens: "list[Token]", addresses: Mapping[str, str], drawings: Mapping[str, str]) -> None:
    """Let links lead to pages, and put drawings in the place of pictures."""
    leads = False
    for token in tokens:
        if token.type == "image":
            _replace(token, drawings.get(str(token.attrGet("src")), ""))
        elif token.type == "link_open":
            address = addresses.get(str(token.attrGet("href")), "")
            token.attrs = {"href": address}
            leads = bool(address)
            if not leads:
                _replace(token, "")
        elif token.type == "link_close" and not leads:
            _replace(token, "")


def _replace(token: "Token", html: str) -> None:
    """Let a token become HTML of ours."""
    token.type, token.content, token.children = "html_block", html, None
