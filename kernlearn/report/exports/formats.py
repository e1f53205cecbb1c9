"""The formats of an export, and how their files are recognised."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from kernlearn.errors import UserError
from kernlearn.report.exports.crate import crate_bytes
from kernlearn.report.exports.documents import KINDS, WITH_FILES
from kernlearn.report.exports.latex import latex_tables
from kernlearn.report.exports.macros import latex_macros
from kernlearn.report.exports.markdown import markdown_tables
from kernlearn.report.exports.numbers import Document, Options
from kernlearn.report.exports.sheets import AUTHOR, xlsx_bytes
from kernlearn.report.exports.tidy import COLUMNS, csv_text, json_text, parquet_bytes

#: One of these is in the first bytes of every text file of ours.
SIGNATURES = (AUTHOR.encode(), ",".join(COLUMNS[: COLUMNS.index("reading")]).encode(), b'{\n "schema_version": ')
#: Bytes at either end of a file that are read for its signature.
EDGE = 2**16


#: The options that choose a part of the numbers.
PART = ("datasets", "algos", "metrics")


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes
    ----------
    words : str
        What it is.
    suffixes : tuple of str
        Files with these endings have it by default.
    content : function
        Returns the content of a file, a text or bytes. It has a signature, by which `is_export` knows it.
    takes : tuple of str
        The options that it has a meaning for.
    kinds : tuple of str
        The kinds of results that it takes.
    has_facts : bool
        Whether it has `Document.facts`.
    is_binary : bool
        Whether the content is bytes, which are not for the terminal.
    """

    words: str
    suffixes: tuple[str, ...]
    content: Callable[[Document, Options], str | bytes]
    takes: tuple[str, ...] = PART
    kinds: tuple[str, ...] = KINDS
    has_facts: bool = False
    is_binary: bool = False


FORMATS: Mapping[str, Format] = {
    "latex": Format("tables for booktabs and siunitx", (".tex",), latex_tables, (*PART, "digits", "printed", "width")),
    "macros": Format("a LaTeX macro for each number", (), latex_macros, (*PART, "digits", "prefix"), has_facts=True),
    "markdown": Format("tables", (".md",), markdown_tables, (*PART, "digits", "printed")),
    "csv": Format("a row for each number", (".csv",), csv_text),
    "parquet": Format("a row for each number", (".parquet", ".pq"), parquet_bytes, is_binary=True),
    "json": Format("an object for each number", (".json",), json_text, has_facts=True),
    "xlsx": Format("a spreadsheet", (".xlsx",), xlsx_bytes, (*PART, "printed"), is_binary=True),
    "rocrate": Format(
        "an archive of all files with what made them", (".zip",), crate_bytes, (), WITH_FILES, is_binary=True
    ),
}


def format_of(asked: str | None, file: Path | None) -> str:
    """Return the name of the format that is asked for, or else that of the ending of a file.

    Raises `UserError` if there is neither, or no such format.
    """
    names = ", ".join(FORMATS)
    if asked is not None:
        return asked
    if file is None:
        raise UserError(f"give the format as --to=NAME, one of {names}, or a file as -o FILE")
    by_suffix = {suffix: name for name, one in FORMATS.items() for suffix in one.suffixes}
    if file.suffix.lower() not in by_suffix:
        raise UserError(f"{file}: its ending tells no format; give --to=NAME, one of {names}")
    return by_suffix[file.suffix.lower()]


def is_export(file: Path) -> bool:
    """Return whether a file is an export, which another export may replace."""
    with file.open("rb") as stream:
        head = stream.read(EDGE)
        stream.seek(max(0, file.stat().st_size - EDGE))
        tail = stream.read(EDGE)
    if head.startswith(b"PK"):
        try:
            with ZipFile(file) as archive:
                if archive.comment == AUTHOR.encode():
                    return True
                with archive.open("docProps/core.xml") as properties:
                    return AUTHOR.encode() in properties.read(EDGE)
        except (BadZipFile, KeyError, OSError, NotImplementedError, RuntimeError):
            return False
    return any(signature in head for signature in SIGNATURES) or (head.startswith(b"PAR1") and AUTHOR.encode() in tail)
