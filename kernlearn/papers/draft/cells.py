r"""Printed cells: a mean, perhaps with a deviation and marks, as people copy them from a paper.

Read are ``5.05``, ``5.05 ± 0.65``, ``5.05 +- 0.65``, ``5.05 \pm 0.65``, ``5.05 (0.65)``, ``5.05 [0.65]``, with ``%``,
``$``, stars and other marks, bold face of Markdown and LaTeX, and decimal commas. Nothing is guessed in a number: what
is read otherwise is no number, and is said.
"""

import re
from typing import NamedTuple

#: What stands for no number.
NOTHING = frozenset({"", "-", "--", "---", ".", "?", "na", "n/a", "nan", "none", "null", "n.a."})
#: Bold face and other commands of LaTeX, and signs that have one meaning.
BOLD = re.compile(r"\\(?:textbf|mathbf|bf|bfseries|bm|boldsymbol)(?![a-zA-Z])|<b>")
#: Bold face of Markdown; stars without others before them mark a number.
EMPHASIS = re.compile(r"(\*\*|__)(?=\S)(.*?\S)\1")
PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])|\+/-|\+-|&plusmn;|∓")
COMMAND = re.compile(r"\\[a-zA-Z]+\*?|\\[,;:! ]|</?[a-z]+>|\$|~")
MINUS = re.compile("[−‐‑–—]")
MARK = re.compile(r"[*†‡§^°•]+|\^\S+$")
_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
MEAN = re.compile(rf"({_NUMBER})(?:\s*(?:±\s*({_NUMBER})|[(\[]\s*±?\s*({_NUMBER})\s*[)\]]))?")
DECIMAL_COMMA = re.compile(r"(?<![0-9.,])[0-9]+,[0-9]+(?![0-9.,])")
THOUSANDS = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])")


class Cell(NamedTuple):
    """A printed cell.

    Attributes
    ----------
    mean, std : str
        As printed, with a decimal point; empty where there is none.
    marker : str
        "bold", stars and the like.
    problem : str
        Why a cell with content has no mean; empty if it has one or is empty.
    """

    mean: str
    std: str
    marker: str
    problem: str = ""


def has_decimal_commas(texts: list[str]) -> bool:
    """Return whether commas in numbers are decimal ones: some number has one that cannot be between thousands."""
    return any(not THOUSANDS.fullmatch(found[0]) for text in texts for found in DECIMAL_COMMA.finditer(_bare(text)))


def read_cell(text: str, *, decimal_comma: bool = False) -> Cell:
    """Return what a cell says."""
    marks = ["bold"] if BOLD.search(text) or EMPHASIS.search(text) else []
    plain = COMMAND.sub(" ", PLUS_MINUS.sub("±", _bare(EMPHASIS.sub(r"\2", text))))
    plain = plain.replace("\N{NO-BREAK SPACE}", " ").replace("\\%", " ").replace("%", " ")
    plain = MINUS.sub("-", plain).strip()
    if plain.lower() in NOTHING:
        return Cell("", "", "")
    if found := MARK.findall(plain):
        marks += [mark.strip() for mark in found]
        plain = MARK.sub("", plain)
    plain = " ".join(plain.split())
    plain = plain.replace(",", ".") if decimal_comma else THOUSANDS.sub(lambda one: one[0].replace(",", ""), plain)
    number = MEAN.fullmatch(plain)
    if not number:
        return Cell("", "", "", "is no number, or more than a mean and a deviation")
    mean, *stds = map(_written, number.groups())
    std = next(filter(None, stds), "")
    if std.startswith("-"):
        return Cell("", "", "", "has a negative deviation")
    if std and "." in mean and "." not in std and number[3]:
        return Cell(mean, "", " ".join(marks), f"({std}) is not read as a deviation, for it has no decimal point")
    return Cell(mean, std, " ".join(marks))


def _bare(text: str) -> str:
    """Return a text without braces, which LaTeX has around commas too."""
    return re.sub("[{}]", "", text)


def _written(number: str | None) -> str:
    """Return a number in the form that files of printed values have."""
    if not number:
        return ""
    sign, digits = ("-", number[1:]) if number[0] == "-" else ("", number.lstrip("+"))
    digits = f"0{digits}" if digits.startswith(".") else digits
    return sign + digits.removesuffix(".")
