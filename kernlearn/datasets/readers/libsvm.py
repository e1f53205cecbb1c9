"""libsvm text: a label and pairs of a feature's number and its value in every line, read by scikit-learn.

Labels do not pass through a number: they are put aside before, exactly as they are written.
"""

import io
import re
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.bounds import LARGEST, check_rows, check_shape, check_size
from kernlearn.datasets.core.cells import Numerals, show
from kernlearn.datasets.core.columns import drop_key
from kernlearn.datasets.core.dataset import Examples
from kernlearn.datasets.core.labels import Advice, check_targets, classes_of, coded_labels, target_value
from kernlearn.datasets.readers.doubts import suspects
from kernlearn.datasets.readers.understood import Column
from kernlearn.errors import UserError

SUFFIXES = {".libsvm", ".svm", ".svmlight"}
#: One label, or several whole numbers with commas between them.
LABEL = r"(?:[^\s:,;#]+|[0-9]+(?:,[0-9]+)+)"
LINE = re.compile(rf"{LABEL}(\s+qid:\d+)?(\s+\d+:[^\s:,;]+)+\s*(#.*)?")
#: A line of an example without features.
BARE = re.compile(rf"{LABEL}\s*(#.*)?")
PAIR = re.compile(r"\d+:(\S+)")
QUERY = re.compile(r"\s*qid:\d+(?=\s|$)")
#: Bytes that the number of a feature takes as a name, beside the values.
NAME_BYTES = 64
#: Of so many features each is shown by itself.
SHOWN = 20
#: Part of the largest entry by which a kernel matrix may miss its symmetry: it may be written with six digits.
ASYMMETRY = 1e-5
#: How features are known.
PAIRS = "NUMBER:VALUE"
#: Said of labels that are numbers.
ADVICE = Advice("other words are kept apart", "words, such as c1.5, if they are classes")
#: Said of a file with queries.
QUERIES = "qid: the numbers of queries are not used; examples of one query may be in training and test part"


def looks_like_libsvm(content: bytes) -> bool:
    """Tell by the first line that is more than one word, of a text in UTF-8."""
    lines = (line.strip() for line in content[: 2**16].decode(errors="replace").splitlines())
    first = next((line for line in lines if line and not line.startswith("#") and not BARE.fullmatch(line)), "")
    return LINE.fullmatch(first) is not None


def read_libsvm(
    file: Path,
    content: bytes,
    real: bool,
    drop: Sequence[Any] = (),
    report: Callable[[list[Column], list[str]], None] | None = None,
) -> tuple[Examples, tuple[str, ...]]:
    """Read examples and their classes, or with `real` their real targets.

    Raises `UserError` if a line cannot be read or has several labels, a number is not finite, or the file is a kernel
    matrix.

    Parameters
    ----------
    content : bytes
        The text in UTF-8.
    drop : sequence of str or int
        The numbers of features to leave out, as they are in the file.
    report : callable, optional
        Called with how features and labels were understood, and remarks, before a label is refused.

    Returns
    -------
    examples : Examples
        The first column is feature 0 if there is one, else feature 1, but for those that are left out.
    classes : tuple of str
        Empty for real targets.
    """
    X, labels, first, has_queries = _read(file, content)
    names = [str(number) for number in range(first, first + X.shape[1])]
    dropped = _dropped(file, names, drop)
    which = f"features are numbered from {first}, as {'none' if first else 'one'} has number 0"
    remarks = (which, QUERIES) if has_queries else (which,)
    if report:
        report(_columns(X, names, dropped, labels, real), list(remarks))
    if dropped:
        X = np.ascontiguousarray(np.delete(X, dropped, axis=1))
    columns = tuple(np.delete(names, dropped).tolist()) if dropped else tuple(names)
    remarks = (*remarks, *suspects(X, columns))
    if real:
        targets = np.array([target_value(file, label) for label in labels])
        check_targets(file, targets)
        return Examples(X, np.zeros(0, dtype=np.int64), targets, columns=columns, remarks=remarks), ()
    y, classes, merged = classes_of(file, coded_labels(labels), ADVICE)
    return Examples(X, y, columns=columns, remarks=(*remarks, *merged)), classes


def read_new_libsvm(
    file: Path, content: bytes, numbers: Sequence[int], before: int
) -> tuple[NDArray[np.float64], list[str], list[int]]:
    """Read the features with some numbers of a part of a file, which has so many lines before it.

    Returns
    -------
    X : array of shape (n, len(numbers))
        0 where a line does not have a feature.
    labels : list of str
        As they are written.
    others : list of int
        Numbers of features that are not asked for.
    """
    values, labels, first, _ = _read(file, content, before)
    there = range(first, first + values.shape[1])
    X = np.zeros((len(labels), len(numbers)))
    for j, number in enumerate(numbers):
        if number in there:
            X[:, j] = values[:, number - first]
    known = set(numbers)
    return X, labels, [number for number in there if number not in known and values[:, number - first].any()]


def _dropped(file: Path, names: Sequence[str], drop: Sequence[Any]) -> list[int]:
    """Return the places of the features with some numbers."""
    first, last = int(names[0]), int(names[-1])
    for number in map(str, drop):
        if not number.isdecimal() or not first <= int(number[:10]) <= last:
            raise UserError(f"{file}: drop={number}: features are numbered {first} to {last}")
    places = sorted({int(number) - first for number in map(str, drop)})
    if len(places) == len(names):
        raise UserError(f"{file}: dataset.drop leaves no feature")
    return places


def _columns(
    X: NDArray[np.float64], names: Sequence[str], dropped: Sequence[int], labels: Sequence[str], real: bool
) -> list[Column]:
    """Return how features and labels were understood: each feature, or all together if they are many."""
    kind, key = ("number", "task=classification") if real else ("class", "task=regression")
    content = f"{len(set(labels))} values"
    target = Column("", "label", "target", kind, content, "first in every line", key)
    if len(names) > SHOWN:
        some = f"{names[0]}-{names[-1]}"
        left_out = f", {len(dropped)} of them dropped" if dropped else ""
        features = [
            Column(
                some, f"{len(names)} features", "feature", "number", _content(X) + left_out, PAIRS, drop_key("NUMBER")
            )
        ]
    else:
        features = [
            Column(name, f"feature {name}", "dropped", "", "", "dataset.drop", "dataset.drop", name)
            if i in dropped
            else Column(name, f"feature {name}", "feature", "number", _content(X[:, i]), PAIRS, drop_key("NAME"), name)
            for i, name in enumerate(names)
        ]
    return [target, *features]


def _content(values: NDArray[np.float64]) -> str:
    share = 100 * np.count_nonzero(values) / values.size
    return f"{share:.3g} % are not 0, values from {values.min():g} to {values.max():g}"


def _read(file: Path, content: bytes, before: int | None = None) -> tuple[NDArray[np.float64], list[str], int, bool]:
    """Return the features, the labels as they are written, the first feature's number, and if there are queries.

    A part of a file, with so many lines before it, may be without features.
    """
    from sklearn.datasets import load_svmlight_file

    check_rows(file, content.count(b"\n"))
    labels, pairs, numbers, has_queries = [], [], [], False
    for number, line in enumerate(io.TextIOWrapper(io.BytesIO(content), "utf-8", newline=None), (before or 0) + 1):
        label, _, rest = line.partition("#")[0].strip().replace("\t", " ").partition(" ")
        if not label:
            continue
        if ":" in label:
            raise UserError(f"{file}, line {number}: has no label before {show(label)}")
        if "," in label:
            raise UserError(f"{file}, line {number}: has several labels ({show(label)}); one an example is needed")
        value = Numerals().value(label)
        if value is not None and not isfinite(value):
            raise UserError(f"{file}, line {number}: the label {show(label)} is not finite; correct it")
        if query := QUERY.match(rest):
            rest, has_queries = rest[query.end() :], True
        labels.append(label)
        pairs.append(rest)
        numbers.append(number)
    try:
        X, _ = load_svmlight_file(io.BytesIO("".join(f"0 {some}\n" for some in pairs).encode()))
    except (ValueError, OverflowError, IndexError) as error:
        for number, some in zip(numbers, pairs, strict=True):
            _check_pairs(file, number, some)
        raise UserError(f"{file}: is not in libsvm format ({' '.join(str(error).split())[:200]})") from None
    n, d = X.shape
    if before is None and (n == 0 or d == 0):
        raise UserError(f"{file}: has no examples with features")
    check_shape(file, n, d)
    check_size(file, NAME_BYTES * d, f"the numbers of {d} features")
    dense = X.toarray()
    if not np.isfinite(dense).all():
        row, column = np.argwhere(~np.isfinite(dense))[0]
        raise UserError(f"{file}, line {numbers[row]}: {dense[row, column]} is not finite")
    if (too_large := np.argwhere(np.abs(dense) > LARGEST)).size:
        row, column = too_large[0]
        wrong = f"{dense[row, column]:g} is too large to square (more than {LARGEST:g}); correct it or remove the line"
        raise UserError(f"{file}, line {numbers[row]}: {wrong}")
    from_zero = any(re.match(r"\s*0+:", some) for some in pairs)
    if before is None and from_zero and _is_kernel(dense):
        raise UserError(
            f"{file}: is a kernel matrix (of svm-train -t 4), whose first column numbers the examples; give the "
            "features and choose a kernel, or use an estimator with kernel='precomputed' in Python"
        )
    return dense, labels, 0 if from_zero else 1, has_queries


def _check_pairs(file: Path, number: int, pairs: str) -> None:
    """Raise `UserError` if the features of a line are no pairs of increasing numbers and of values."""
    last = -1
    for pair in pairs.split():
        match = PAIR.fullmatch(pair)
        if match is None or Numerals().value(match[1]) is None:
            raise UserError(f"{file}, line {number}: is not in libsvm format: {show(pair)} is no NUMBER:VALUE")
        index = pair.partition(":")[0]
        if len(index) > 10 or int(index) >= 2**31:
            raise UserError(f"{file}, line {number}: the number of feature {show(pair)} is too large")
        if int(index) <= last:
            raise UserError(f"{file}, line {number}: numbers of features must increase, and {index} is after {last}")
        last = int(index)


def _is_kernel(X: NDArray[np.float64]) -> bool:
    """Tell a kernel matrix: its first column has the numbers of examples, whose columns have a symmetric matrix."""
    places, largest = X[:, 0], X.shape[1] - 1
    valid = (places == np.floor(places)) & (places >= 1) & (places <= largest)
    if not valid.all() or len(np.unique(places)) < len(places):
        return False
    among = X[:, places.astype(int)]
    return bool(np.abs(among - among.T).max() <= ASYMMETRY * np.abs(among).max())
