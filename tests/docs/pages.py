"""The blocks of code of Markdown pages."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Block(NamedTuple):
    """A block: its language, and its text."""

    language: str
    text: str

    @property
    def file(self):
        """The file that it is, by its first line; empty for others."""
        match = re.match(r"# file: (\S+)\n", self.text)
        return match[1] if match else ""

    @property
    def content(self):
        """The text without the line that names the file."""
        return self.text.partition("\n")[2] if self.file else self.text


def blocks(page):
    """Return the blocks of a page, in their order."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [Block(*one) for one in found]


def documents():
    """Return the README and the pages of the site that are written by hand."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
