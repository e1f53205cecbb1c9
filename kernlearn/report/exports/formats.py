"""The formats of an export, and how their files are recognised."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from kernlearn.errors import UserError
from kernlearn.report.exports.latex import latex_tables
from kernlearn.report.exports.macros import latex_macros
from kernlearn.report.exports.markdown import markdown_tables
from kernlearn.report.exports.numbers import Document
from kernlearn.report.exports.sheets import AUTHOR, xlsx_bytes
from kernlearn.report.exports.tidy import COLUMNS, csv_text, json_text, parquet_bytes

#: One of these is in the first bytes of every text file of ours.
SIGNATURES = (AUTHOR.encode(), ",".join(COLUMNS).encode(), b'{\n "schema_version": ')
#: Bytes at either end of a file that are read for its signature.
EDGE = 2**16


@dataclass(frozen=True)
class Options:
    """What an export shows.

    Attributes
    ----------
    digits : int or None
        After the decimal point; None for those of each metric.
    all_digits : bool
    printed : bool
        Show the printed values, too.
    prefix : str or None
        What the names of macros begin with.
    """

    digits: int | None = None
    all_digits: bool = False
    printed: bool = False
    prefix: str | None = None


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes
    ----------
    words : str
        What it is.
    suffixes : tuple of str
        Files with these endings have it by default.
    takes : tuple of str
        The options that it has a meaning for.
    content : function or None
        Returns the content of a file, a text or bytes; None if it is made of the files of the result, not its numbers.
        It has a signature, by which `is_export` knows it.
    has_facts : bool
        Whether it has `Document.facts`.
    is_binary : bool
        Whether the content is bytes, which are not for the terminal.
    """

    words: str
    suffixes: tuple[str, ...]
    takes: tuple[str, ...]
    content: Callable[[Document, Options], str | bytes] | None
    has_facts: bool = False
    is_binary: bool = False


FORMATS: Mapping[str, Format] = {
    "latex": Format(
        *("tables for booktabs and siunitx", (".tex",), ("digits", "printed")),
        lambda document, options: latex_tables(document, all_digits=options.all_digits, printed=options.printed),
    ),
    "macros": Format(
        *(r"a LaTeX macro for each number", (), ("digits", "prefix")),
        lambda document, options: latex_macros(document, all_digits=options.all_digits, prefix=options.prefix),
        has_facts=True,
    ),
    "markdown": Format(
        *("tables", (".md",), ("digits", "printed")),
        lambda document, options: markdown_tables(document, all_digits=options.all_digits, printed=options.printed),
    ),
    "csv": Format("a row for each number", (".csv",), (), lambda document, _: csv_text(document)),
    "parquet": Format(
        *("a row for each number", (".parquet", ".pq"), ()),
        lambda document, _: parquet_bytes(document),
        is_binary=True,
    ),
    "json": Format(
        *("an object for each number", (".json",), ()),
        lambda document, _: json_text(document),
        has_facts=True,
    ),
    "xlsx": Format(
        *("a spreadsheet", (".xlsx",), ("printed",)),
        lambda document, options: xlsx_bytes(document, printed=options.printed),
        is_binary=True,
    ),
    "rocrate": Format("an archive of all files with what made them", (".zip",), (), None, is_binary=True),
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
