"""A person's own data file: CSV, ARFF or libsvm text, gzipped or not.

Whatever is wrong with it is reported in one line that names the place. Nothing in a file is ever executed.
"""

import gzip
import io
import re
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.table import read_arff, read_csv, show
from kernlearn.errors import UserError

Examples = tuple[NDArray[np.float64], NDArray[np.int64], tuple[str, ...]]

LIBSVM_SUFFIXES = {".libsvm", ".svm", ".svmlight"}
LIBSVM_LINE = re.compile(rb"[^\s:,;]+(\s+qid:\d+)?(\s+\d+:[^\s:,;]+)+\s*(#.*)?")
#: Cells of a dense matrix (2 GiB); sparse files of text features can ask for any number.
DENSE_LIMIT = 2**28


def read_user_file(path: Any, target: Any = None) -> Examples:
    """Read examples and their classes from a file.

    Parameters
    ----------
    path : str or Path
        * CSV: separated by comma, semicolon, tab or blanks, with a header line or without; features are numbers.
        * ARFF (``.arff``, or a first line ``@relation``): a nominal feature becomes one indicator a declared value.
        * libsvm (``.libsvm``, ``.svm``, ``.svmlight``, or lines such as ``1 3:0.5``): `target` is not used.

        Any of them may be gzipped.
    target : str, int or None
        The column with the classes: its name, or its number from 0, negative from the end; by default the last.

    Returns
    -------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
        Indices of the classes.
    classes : tuple of str
        Sorted as numbers if all are numbers, else alphabetically.

    Raises
    ------
    UserError
        If the file cannot be read or is not such a file, a value is missing or no number, or there is one class only.
    """
    file = Path(str(path)).expanduser()
    content = _content(file)
    suffix = Path(file.stem).suffix if file.suffix == ".gz" else file.suffix
    if suffix in LIBSVM_SUFFIXES or _looks_like_libsvm(content):
        return _read_libsvm(file, content)
    text = _text(file, content)
    arff = suffix.lower() == ".arff" or re.match(r"(\s*%.*\n|\s*\n)*\s*@relation\b", text, re.IGNORECASE)
    table = read_arff(file, text) if arff else read_csv(file, text, target)
    X, labels = table.split(target)
    return X, *_classes(file, labels)


def _content(file: Path) -> bytes:
    if file.is_dir():
        raise UserError(f"{file}: is a directory; give the data file itself")
    try:
        content = file.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
    except FileNotFoundError:
        raise UserError(f"{file}: no such file") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UserError(f"{file}: damaged gzip file ({error})") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{show(str(file))}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if not content.strip():
        raise UserError(f"{file}: is empty")
    return content


def _text(file: Path, content: bytes) -> str:
    if b"\x00" in content:
        raise UserError(f"{file}: is not a text file; csv, arff and libsvm files can be read")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(f"{file}, line {line}: is not UTF-8 text; save the file as UTF-8") from None


def _classes(file: Path, labels: list[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    numbers = {label: _canonical(label) for label in set(labels)}
    if all(numbers.values()):
        labels = [str(numbers[label]) for label in labels]
        classes = sorted(set(labels), key=float)
    else:
        classes = sorted(set(labels))
    if len(classes) == 1:
        raise UserError(f"{file}: all {len(labels)} examples are of class {show(classes[0])}; two are needed")
    if len(classes) == len(labels) > 2:
        raise UserError(f"{file}: all {len(labels)} examples differ in their class; is that the right target?")
    index = {label: i for i, label in enumerate(classes)}
    return np.array([index[label] for label in labels], dtype=np.int64), tuple(classes)


def _canonical(label: str) -> str:
    """Return one spelling for a number ("1" for "1.0" and "+1"), or "" for anything else."""
    try:
        value = float(label)
    except ValueError:
        return ""
    if not np.isfinite(value):
        return ""
    return str(int(value)) if value.is_integer() else repr(value)


def _looks_like_libsvm(content: bytes) -> bool:
    lines = (line.strip() for line in content[: 2**16].splitlines())
    first = next((line for line in lines if line and not line.startswith(b"#")), b"")
    return LIBSVM_LINE.fullmatch(first) is not None


def _read_libsvm(file: Path, content: bytes) -> Examples:
    from sklearn.datasets import load_svmlight_file

    try:
        X, values = load_svmlight_file(io.BytesIO(content))
    except (ValueError, OverflowError, IndexError) as error:
        raise UserError(f"{file}: is not in libsvm format ({' '.join(str(error).split())})") from None
    n, d = X.shape
    if n == 0 or d == 0:
        raise UserError(f"{file}: has no examples with features")
    if n * d > DENSE_LIMIT:
        raise UserError(f"{file}: {n} x {d} values are too many to hold as a dense matrix")
    dense = X.toarray()
    if not np.isfinite(dense).all():
        row, column = np.argwhere(~np.isfinite(dense))[0]
        raise UserError(f"{file}: example {row + 1}, feature column {column + 1}: {dense[row, column]} is not finite")
    if not np.isfinite(values).all():
        raise UserError(f"{file}: example {np.flatnonzero(~np.isfinite(values))[0] + 1}: the class is not finite")
    return dense, *_classes(file, [repr(float(value)) for value in values])
