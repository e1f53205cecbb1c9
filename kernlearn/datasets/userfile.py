"""A person's own data file: CSV, ARFF, libsvm text or Parquet, gzipped or not.

Whatever is wrong with it is reported in one line that names the place. Nothing in a file is ever executed.
"""

import codecs
import gzip
import os
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kernlearn.datasets.core.bounds import check_size, most_bytes, open_plain
from kernlearn.datasets.core.cells import show
from kernlearn.datasets.core.columns import Keys
from kernlearn.datasets.core.dataset import Examples
from kernlearn.datasets.core.raw import REFUSE, numbers_of
from kernlearn.datasets.features import complete, encodings, features_of, schema_of
from kernlearn.datasets.magic import refuse_others
from kernlearn.datasets.readers.arff import looks_like_arff, read_arff
from kernlearn.datasets.readers.delimited import read_csv
from kernlearn.datasets.readers.doubts import doubts, suspects
from kernlearn.datasets.readers.libsvm import SUFFIXES, looks_like_libsvm, read_libsvm
from kernlearn.datasets.readers.parquet import is_parquet, read_parquet
from kernlearn.datasets.readers.tagged import read_conll
from kernlearn.datasets.readers.understood import Column, columns_of
from kernlearn.errors import UserError

#: The names for `dataset.encoding`, and the marks by which some are known.
ENCODINGS = (
    "utf-8,utf-16,utf-32,cp1252,latin-1,iso8859-15,cp1250,iso8859-2,cp1251,koi8-r,cp1253,cp1254,"
    "shift_jis,euc-jp,gb18030,big5,euc-kr"
).split(",")
MARKS = {b"\xff\xfe\x00\x00": "utf-32", b"\x00\x00\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}

#: Stands for no column in ``dataset.drop``.
NO_COLUMN = "none"
#: What a file has to be said to be, since it looks like others.
FORMATS = ("conll",)


def read_user_file(
    path: Any,
    target: Any = None,
    drop: Any = (),
    *,
    real: bool = False,
    header: bool | int | None = None,
    index: Sequence[Any] | None = None,
    types: Mapping[Any, str] | None = None,
    na_values: Sequence[str] | None = None,
    missing: str = REFUSE,
    text: str = REFUSE,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    format: str | None = None,
    report: Callable[[list[Column], list[str]], None] | None = None,
) -> tuple[Examples, tuple[str, ...]]:
    """Read examples and their classes, or with `real` their real targets, from a file.

    Parameters
    ----------
    path : str or Path
        * CSV: separated by comma, semicolon, tab, pipe or blanks, with or without a header line. Features are numbers,
          true and false (read as 1 and 0) or dates of ISO 8601 (read as days since 1970-01-01).
        * ARFF (``.arff``, or a first line ``@relation``), dense or sparse: a nominal feature becomes one indicator a
          declared value, and a label that is not declared is an error.
        * libsvm (``.libsvm``, ``.svm``, ``.svmlight``, or lines such as ``1 3:0.5``): the label is first,
          and `drop` has numbers of features as they are in the file.
        * Parquet (by its mark; needs pyarrow): numbers, booleans, dates, and categories as indicators.
        * CoNLL, where `format` says so: sentences, see `kernlearn.datasets.readers.tagged.read_conll`.

        Any of them may be gzipped.
    target : str, int or None
        The column with the classes or targets: its name, or its number from 0, negative from the end (where the index
        of pandas is not counted); by default the last.
    drop : sequence of str or int, or one of them
        Columns that are no features, such as a number of the example, named in the same way; "none" for no column.
    real : bool
        Whether the targets are real numbers, not classes.
    header : bool or int, optional
        Whether the first line of a CSV file has the names of the columns, or 2 if the first two lines have them. By
        default this is detected, see `kernlearn.datasets.readers.names`.
    index : sequence of str or int, optional
        The columns that number or name the rows, or ("none",); by default those that pandas has written as its index.
    types : mapping of str or int to str, optional
        What columns hold where this is not to be found out: "number", "category", "text", "date" or "boolean".
    na_values : sequence of str, optional
        The texts that stand for no value. By default "?", and words such as NA among numbers, dates and booleans; an
        empty cell always.
    missing, text : str
        What is done about missing values (one of `kernlearn.datasets.core.raw.MISSING_WAYS`) and about columns of texts
        (one of `TEXT_WAYS`): by default they are refused. "drop" leaves out rows with missing values, and columns of
        texts. With others the features are `kernlearn.datasets.core.raw.RawFeatures`, made numbers by a training part.
    encoding : str, optional
        One of `ENCODINGS`. By default what a byte order mark says (UTF-8, UTF-16, UTF-32), else UTF-8, else
        Windows-1252 (the letters of Western Europe).
    delimiter, decimal, thousands : str, optional
        The signs of a CSV file, in words: see `kernlearn.datasets.readers.source`.
    format : {"conll"}, optional
        By default it is found out which of the others it is.
    report : callable, optional
        Called with how the columns of a table were understood, and remarks, before anything in them is refused.

    Returns
    -------
    examples : Examples
        With indices of the classes, or with targets; of sentences with `Chains` of features and of labels.
    classes : tuple of str
        Sorted as numbers if all are numbers, else alphabetically; empty for real targets.

    Raises
    ------
    UserError
        If the file cannot be read or has another format; if a value is missing or not a number; if there is only one
        class or target. If the unpacked file or its matrix is larger than ``KERNLEARN_MAX_DATA_MB`` megabytes (500).
    """
    drop = _listed_columns(drop)
    content = read_content(file := _expanded(str(path)))
    signs = {"delimiter": delimiter, "decimal": decimal, "thousands": thousands}
    of_csv = signs | {"header": header}
    of_tables = {
        "index": index,
        "types": types or None,
        "na_values": na_values,
        "missing": None if missing == REFUSE else missing,
        "text": None if text == REFUSE else text,
    }
    suffix = (Path(file.stem).suffix if file.suffix == ".gz" else file.suffix).lower()
    remarks: tuple[str, ...] = ()
    if format == "conll":
        _refuse(file, "CoNLL", of_csv | of_tables)
        if real:
            raise UserError(f"{file}: task=regression: a CoNLL file has labels and no real target")
        content, remarks = as_utf8(file, content, encoding)
        examples, classes = read_conll(file, content.decode(), target, drop)
        return examples._replace(remarks=(*remarks, *examples.remarks)), classes
    keys = Keys(target, drop, index, types or {}, header, na_values, real, missing, text)
    if is_parquet(content):
        _refuse(file, "Parquet", of_csv | {"encoding": encoding})
        table = read_parquet(file, content, keys)
    else:
        content, remarks = as_utf8(file, content, encoding)
        if suffix in SUFFIXES or looks_like_libsvm(content):
            _refuse(file, "libsvm", of_csv | of_tables | {"target": target})
            examples, classes = read_libsvm(file, content, real, drop, report)
            return examples._replace(remarks=(*remarks, *examples.remarks)), classes
        if suffix == ".arff" or looks_like_arff(content):
            _refuse(file, "ARFF", of_csv)
            table = read_arff(file, content, keys)
        else:
            table = read_csv(file, content, keys, **signs)
    first, *more = [*table.understood(), *encodings(table), *doubts(table)]
    if report:
        report(columns_of(table), [first, *remarks, *more])
    if missing != REFUSE:
        table, left_out = complete(table)
        more += left_out
    X, columns, words = features_of(table)
    more += suspects(numbers_of(X), columns, words)
    examples = Examples(X, np.zeros(0, dtype=np.int64), columns=tuple(columns), schema=schema_of(table))
    classes = tuple[str, ...]()
    if real:
        examples = examples._replace(target=table.targets())
    else:
        y, classes, merged = table.classes()
        examples, more = examples._replace(y=y), [*more, *merged]
    return examples._replace(remarks=(first, *remarks, *more)), classes


def _listed_columns(given: Any) -> list[Any]:
    """Return the columns that are given as a list, as one alone, or as a word for none."""
    if given is None or given == NO_COLUMN:
        return []
    return [given] if isinstance(given, str | int | float) else list(given)


def _refuse(file: Path, kind: str, given: Mapping[str, Any]) -> None:
    """Refuse keys that have a value and mean nothing for a kind of file."""
    for key, value in given.items():
        if value is not None:
            raise UserError(f"{file}: dataset.{key} does not apply to {kind} files; leave it out")


def _expanded(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:  # ~nobody
        return Path(path)


def read_content(file: Path) -> bytes:
    """Return the bytes of a plain file, unpacked if it is gzipped, or raise `UserError` if there is none to be read."""
    most = most_bytes()
    try:
        with open_plain(file) as stream:
            check_size(file, os.fstat(stream.fileno()).st_size, "its bytes")
            packed = stream.read(2) == b"\x1f\x8b"
            stream.seek(0)
            content = (gzip.GzipFile(fileobj=stream) if packed else stream).read(most + 1)
    except UserError:
        raise
    except FileNotFoundError:
        raise UserError(f"{file}: no such file") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UserError(f"{file}: damaged gzip file ({error})") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{show(str(file))}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    check_size(file, len(content), "its bytes, unpacked," if packed else "its bytes")
    if not content.strip():
        raise UserError(f"{file}: is empty")
    refuse_others(file, content)
    return content


def as_utf8(file: Path, content: bytes, encoding: str | None) -> tuple[bytes, tuple[str, ...]]:
    """Return a text in UTF-8, and a remark if it was in another encoding that nobody named."""
    marked = next((name for mark, name in MARKS.items() if content.startswith(mark)), None)
    known = encoding or marked or "utf-8"
    remark: tuple[str, ...] = (f"the text is {marked.upper()}",) if marked and not encoding else ()
    try:
        text = content.decode("utf-8-sig" if known == "utf-8" else known)
    except UnicodeError as error:
        line = content.count(b"\n", 0, getattr(error, "start", 0)) + 1
        if encoding or marked:
            raise UserError(f"{file}, line {line}: is not {known} text; dataset.encoding=NAME names another") from None
        try:
            text = content.decode("cp1252")
        except UnicodeDecodeError:
            raise UserError(
                f"{file}, line {line}: is not UTF-8 text, nor Windows-1252; dataset.encoding=NAME names another"
            ) from None
        remark = (f"the text is not UTF-8 (line {line}), read as Windows-1252; dataset.encoding=NAME names another",)
    plain = text.lstrip("\ufeff")  # two marks, where one program has put its own before another's
    if plain.endswith(("\x1a", "\x1a\n", "\x1a\r\n")):  # the end of a file of DOS
        plain = plain.rstrip("\x1a\r\n")
    if "\x00" in text:
        raise UserError(
            f"{file}: is not a text file, for line {text.count(chr(10), 0, text.index(chr(0))) + 1} has a character 0 "
            "(UTF-16 text without a byte order mark is read by dataset.encoding=utf-16)"
        )
    if not text.strip():  # blanks of Unicode too
        raise UserError(f"{file}: is empty")
    check_size(file, 8 * (text.count("\n") + text.count("\r")), "its lines")
    is_utf8 = not remark and not encoding and len(plain) == len(text)
    return (content.removeprefix(codecs.BOM_UTF8) if is_utf8 else plain.encode()), remark
