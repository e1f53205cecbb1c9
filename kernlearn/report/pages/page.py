"""One self-contained page of HTML, and what it consists of.

A page is made from a few parts, one for each result that it shows. A part begins with its result in one sentence,
whether to trust it and what to do next; a template shows the rest. Every text is escaped by Jinja2, and the same parts
give the same bytes.
"""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kernlearn import __version__
from kernlearn.errors import UserError
from kernlearn.report.pages.marks import VERDICTS, Reason
from kernlearn.runner.store.files import read_regular
from kernlearn.streams import CONTROLS

if TYPE_CHECKING:  # imported where a page is made, so that all else stays fast
    from jinja2 import Environment

#: By which a page of ours is known.
MARK = '<meta name="generator" content="kernlearn report">'
#: Bytes of the head of a page that have the mark.
HEAD = 400
#: Most bytes of a page.
LARGEST = 3_000_000
#: Most characters of a text that are shown.
LONGEST = 2_000
#: Names with more characters may break between their words.
LONG_NAME = 16
#: Characters that are shown as codes: those that would move a cursor, and those that change the direction of a text.
CODES = {
    **CONTROLS,
    **{ord(c): f"\\u{ord(c):04x}" for c in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"},
}
DIRECTORY = Path(__file__).parent


class TooLarge(UserError):
    """A page would have more than `LARGEST` bytes."""


class Head(NamedTuple):
    """The title of a column, and whether its cells are numbers."""

    title: str
    number: bool = True


@dataclass(frozen=True)
class Sheet:
    """A table that can be sorted and filtered; the first cell of a row is its name."""

    caption: str
    heads: Sequence[Head]
    #: Texts.
    rows: Sequence[Sequence[str]]
    #: The addresses of the names, by row; empty if they lead nowhere.
    links: Sequence[str] = ()
    #: What is to be known to read it.
    note: str = ""

    @property
    def names(self) -> list[str]:
        """The titles of the columns."""
        return [head.title for head in self.heads]

    @property
    def numbers(self) -> list[int]:
        """The columns of numbers, the first one is 1."""
        return [i for i, head in enumerate(self.heads, 1) if head.number]


class Step(NamedTuple):
    """What to do next, and the command that does it, if there is one."""

    words: str
    command: str = ""


@dataclass(frozen=True)
class Part:
    """A result on a page.

    Attributes
    ----------
    title : str
    anchor : str
        Its id in the page.
    template : str
        The file that shows `facts`.
    result : str
        The result in one sentence.
    trust : sequence of Reason
    steps : sequence of Step
    facts : mapping
        The other values that the template shows.
    depth : int
        1 for a result that belongs to the last one of depth 0 before it, such as a table to its paper.
    starts : str
        The directory from which the relative paths of its commands start; empty if they have none.
    """

    title: str
    anchor: str
    template: str
    result: str
    trust: Sequence[Reason] = ()
    steps: Sequence[Step] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    depth: int = 0
    starts: str = ""


class Link(NamedTuple):
    """An address on another page of the same site, and its words."""

    words: str
    address: str


def render(title: str, parts: Sequence[Part], above: Sequence[Link] = ()) -> bytes:
    """Return a page.

    Raises `TooLarge` if it would have more than `LARGEST` bytes.

    Parameters
    ----------
    title : str
    parts : sequence of Part
    above : sequence of Link
        The pages above it in a site, from the index down.
    """
    style, script = _file("page.css"), _file("page.js")
    text = (
        _environment()
        .get_template("page.html")
        .render(
            title=title,
            parts=parts,
            above=above,
            style=style,
            script=script,
            policy=_policy(style, script),
            version=__version__,
        )
    )
    page = text.encode(errors="backslashreplace")
    if len(page) > LARGEST:
        raise TooLarge(f"{title}: the page would have {len(page):,} bytes, more than {LARGEST:,}; report fewer results")
    return page


def is_page(path: Path) -> bool:
    """Return whether a file is a page of ours."""
    return MARK.encode() in read_regular(path, start=HEAD)


def shown(value: Any) -> Any:
    """Return a value as a page shows it: without control characters, and not longer than `LONGEST` characters."""
    if type(value) is not str:  # a number, or HTML of ours
        return value
    if len(value) > LONGEST:
        value = f"{value[:LONGEST]}… ({len(value):,} characters)"
    return value if value.isprintable() else value.translate(CODES)


@cache
def _environment() -> "Environment":
    """Return the templates; they escape every value that is not marked as HTML of ours."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(DIRECTORY),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["inline"] = html_of_line
    environment.filters["breakable"] = breakable
    environment.globals["signs"] = VERDICTS
    return environment


def html_of_line(text: str) -> Any:
    """Return a line of Markdown as HTML: emphasis and code, and all else as it is."""
    from markupsafe import Markup, escape

    html = re.sub(r"\*([^*]+)\*", r"<em>\1</em>", str(escape(shown(text))))
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", html))


def breakable(text: Any) -> Any:
    """Return a long name that breaks between its words on a small screen, as HistGradient-BoostingClassifier."""
    from markupsafe import Markup, escape

    if type(text) is not str or len(text) <= LONG_NAME:
        return text
    parts = re.split(r"(?<=[a-z])(?=[A-Z])|(?<=_)(?=[^_])", shown(text))
    return Markup("<wbr>").join(map(escape, parts))


@cache
def _file(name: str) -> Any:
    """Return the content of the style sheet or the script, which is not escaped."""
    from markupsafe import Markup

    return Markup((DIRECTORY / name).read_text(encoding="utf-8"))


def _policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy: nothing is loaded, and only our own style sheet and script are used."""
    of = {
        name: b64encode(sha256(text.encode()).digest()).decode()
        for name, text in (("style", style), ("script", script))
    }
    return (
        f"default-src 'none'; style-src 'sha256-{of['style']}'; script-src 'sha256-{of['script']}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
