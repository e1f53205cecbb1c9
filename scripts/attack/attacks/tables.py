"""Random tables written as files of all kinds; what is read from them must be the table, or a refusal in one line."""

import csv
import gzip
import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator

from attacks.exact_claims import Finding
from kernlearn.datasets.userfile import read_user_file
from kernlearn.errors import UserError

#: Sets of labels; none of them has two spellings of one number.
LABELS = (
    ("red", "green", "blue"),
    ("76561198000000001", "76561198000000002", "76561198000000003"),
    ("0", "1", "2"),
    ("-1", "1"),
    ("1.5", "2.5", "10.25"),
    ("none", "some", "NA"),
    ("yes", "no"),
    ("a b", "a,b", "a;b"),
    ("it's", 'say "so"', "50%"),
    ("Köln", "São Paulo", "Ängelholm"),
    ("1_0", "10"),
    ("true", "false"),
    ("{x}", "#y", "?z"),
    ("2020-01-01", "2021-01-01"),
    ("00123", "00124", "10000"),
)
DAY_0 = date(1970, 1, 1)
KINDS = ("number", "number", "number", "integer", "boolean", "date")


@dataclass
class Table:
    """Columns of cells as they mean something, what they are as features, and labels.

    Attributes
    ----------
    names : list of str
    cells : list of list
        Of every column, Python's objects; None for a missing one.
    values : list of list of float
        Of every column as a feature.
    labels : list of str
    """

    names: list[str]
    cells: list[list[Any]]
    values: list[list[float]]
    labels: list[str]
    traits: list[str] = field(default_factory=list)

    @property
    def missing(self) -> bool:
        """Whether a cell has no value."""
        return any(cell is None for column in self.cells for cell in column)


def draw_table(rng: Generator) -> Table:
    """Draw a table of 4 to 30 rows and 1 to 5 features."""
    n, d = int(rng.integers(6, 31)), int(rng.integers(1, 6))
    some = LABELS[int(rng.integers(len(LABELS)))]
    number = len(some)
    labels = [some[int(c)] for c in np.concatenate([np.arange(number), rng.integers(0, number, n - number)])]
    cells, values, traits = [], [], [f"labels {some}"]
    for _ in range(d):
        kind = str(rng.choice(KINDS))
        traits.append(kind)
        if kind == "date":
            days = rng.choice([0, 20_000, 2_932_896, -200_000]) + rng.integers(0, 365, n)
            column = [DAY_0 + timedelta(int(v)) if v <= 2_932_896 else date.max for v in days]
            values.append([float((v - DAY_0).days) for v in column])
        elif kind == "boolean":
            column = [bool(v) for v in rng.integers(0, 2, n)]
            values.append([float(v) for v in column])
        elif kind == "integer":
            column = [int(v) for v in rng.integers(-9, 10, n)]
            values.append([float(v) for v in column])
        else:
            column = [float(f"{v:.4g}") for v in rng.normal(size=n) * 10.0 ** rng.integers(-3, 4)]
            values.append(list(column))
        cells.append(column)
    names = _names(rng, d, traits)
    if rng.random() < 0.1:
        cells[int(rng.integers(d))][int(rng.integers(n))] = None
        traits.append("a missing cell")
    return Table(names, cells, values, labels, traits)


def _names(rng: Generator, d: int, traits: list[str]) -> list[str]:
    kind = str(rng.choice(["texts", "texts", "odd", "years", "numbers"]))
    traits.append(f"names: {kind}")
    if kind == "years":
        return [str(2000 + i) for i in range(d)]
    if kind == "numbers":
        return [str(i) for i in range(d)]
    return [f"feature {i}, é" if kind == "odd" else f"x{i}" for i in range(d)]


def attack(rng: Generator, name: str) -> tuple[list[str], list[Finding]]:
    """Write a table and read it; return what it was and what is wrong."""
    table = draw_table(rng)
    with tempfile.TemporaryDirectory() as folder:
        path, keys = FORMS[name](rng, table, Path(folder))
        if rng.random() < 0.15:
            packed = path.with_name(path.name + ".gz")
            packed.write_bytes(gzip.compress(path.read_bytes()))
            path = packed
        traits = [f"{name}: {path.name}", str(keys), *table.traits]
        head = repr(path.read_bytes()[:300]) if name != "parquet" and path.suffix != ".gz" else ""
        try:
            examples, classes = read_user_file(path, **keys)
        except UserError as error:
            words = str(error)
            if "\n" in words:
                return traits, [("traceback", 0.0, f"a refusal of several lines: {words!r}")]
            return traits, [("refused", 0.0, f"{words.replace(folder, '')} {head}")]
    return traits, [(kind, by, f"{words} {head}") for kind, by, words in differences(table, examples, classes)]


def differences(table: Table, examples: Any, classes: tuple[str, ...]) -> list[Finding]:
    """Return in what a data set differs from a table."""
    if table.missing:
        return [("wrong", 1.0, "a missing cell is read as something")]
    if examples.X.shape != (shape := (len(table.labels), len(table.values))):
        return [("wrong", 1.0, f"shape {examples.X.shape} for {shape}; remarks {examples.remarks}")]
    wrong: list[Finding] = []
    X = np.array(table.values).T
    if not np.allclose(examples.X, X, rtol=1e-12, atol=0.0):
        i, j = np.argwhere(~np.isclose(examples.X, X, rtol=1e-12, atol=0.0))[0]
        wrong.append(("wrong", 1.0, f"row {i}, feature {j} is {examples.X[i, j]!r}, not {X[i, j]!r}"))
    read = [classes[c] for c in examples.y]
    if len(set(zip(read, table.labels, strict=True))) != len(set(table.labels)) or len(classes) != len(
        set(table.labels)
    ):
        wrong.append(("wrong", 1.0, f"classes {classes} for {sorted(set(table.labels))}"))
    elif read != table.labels:
        wrong.append(("names", 1.0, f"classes are called {classes}, not {sorted(set(table.labels))}"))
    return wrong


Written = tuple[Path, dict[str, Any]]


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def csv_file(rng: Generator, table: Table, folder: Path) -> Written:
    """Write CSV in a dialect, the label in any column, with a header or without, perhaps with the index of pandas."""
    delimiter, quoting = str(rng.choice([",", ";", "\t"])), [csv.QUOTE_MINIMAL, csv.QUOTE_ALL][int(rng.integers(2))]
    comma = delimiter == ";" and rng.random() < 0.4
    position = int(rng.integers(len(table.names) + 1)) if rng.random() < 0.3 else len(table.names)
    columns = [[_text(cell).replace(".", ",") if comma else _text(cell) for cell in one] for one in table.cells]
    columns.insert(position, table.labels)
    names = list(table.names)
    names.insert(position, "the class")
    keys: dict[str, Any] = {}
    header = rng.random() < 0.75
    indexed = header and rng.random() < 0.3
    if indexed:
        columns.insert(0, [str(i) for i in rng.permutation(len(table.labels))])
        names.insert(0, "")
    if position < len(table.names):
        keys["target"] = "the class" if header else position
    if not header or rng.random() < 0.3:
        keys["header"] = header
    if comma and rng.random() < 0.5:
        keys["decimal"] = "comma"
    stream = io.StringIO()
    end = str(rng.choice(["\n", "\r\n"]))
    writer = csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator=end)
    writer.writerows(([names] if header else []) + [list(row) for row in zip(*columns, strict=True)])
    encoding = str(rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16"]))
    path = folder / str(rng.choice(["t.csv", "T.CSV", "t.txt", "t.tsv"]))
    path.write_bytes(stream.getvalue().encode(encoding))
    return path, keys


def pandas_csv(rng: Generator, table: Table, folder: Path) -> Written:
    """Write CSV as pandas does, with its index, of all rows or of some that were drawn."""
    frame = _frame(table)
    if rng.random() < 0.5:
        frame.index = rng.permutation(10 * len(frame))[: len(frame)]
    path = folder / "t.csv"
    frame.to_csv(path, sep=str(rng.choice([",", ";", "\t"])), index=bool(rng.random() < 0.7))
    return path, {}


def _frame(table: Table) -> pd.DataFrame:
    columns = dict(zip(table.names, table.cells, strict=True))
    return pd.DataFrame(columns | {"the class": table.labels})


def parquet(rng: Generator, table: Table, folder: Path) -> Written:
    """Write Parquet by pandas, with its index or without, labels as texts or as categories."""
    frame = _frame(table)
    if rng.random() < 0.5:
        frame = frame.set_index(pd.Index(rng.permutation(len(frame)) + 5, name=rng.choice([None, "id"])))
    if rng.random() < 0.3:
        frame["the class"] = frame["the class"].astype("category")
    path = folder / str(rng.choice(["t.parquet", "t.PARQUET", "t"]))
    frame.to_parquet(path)
    return path, {}


def arff(rng: Generator, table: Table, folder: Path) -> Written:
    """Write ARFF, with comments, quoted names and labels, and nominal, numeric, date and integer attributes."""

    def quoted(text: str, always: bool = False) -> str:
        plain = text and not any(c in " ,;{}%'\"?\\#\t" for c in text) and not always
        return text if plain else "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    case = str.upper if rng.random() < 0.5 else str.lower
    lines = ["% a comment", f"{case('@relation')} {quoted('a table')}", ""]
    for name, cells in zip(table.names, table.cells, strict=True):
        kind = next((type(cell) for cell in cells if cell is not None), float)
        words = {bool: "{false, true}", date: 'date "yyyy-MM-dd"', int: "INTEGER [-9,9]", float: case("numeric")}[kind]
        lines.append(f"{case('@attribute')} {quoted(name)} {words}")
    declared = list(dict.fromkeys(table.labels))
    lines.append(f"{case('@attribute')} class {{{','.join(map(quoted, declared))}}}")
    lines += ["", case("@data"), *(["% rows"] if rng.random() < 0.5 else [])]
    for *cells, label in zip(*table.cells, table.labels, strict=True):
        lines.append(", ".join([*("?" if cell is None else _text(cell) for cell in cells), quoted(label)]))
    path = folder / str(rng.choice(["t.arff", "T.ARFF", "t.txt"]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for j in reversed(range(len(table.cells))):  # a nominal feature is one indicator a declared value
        if any(isinstance(cell, bool) for cell in table.cells[j]):
            table.values.insert(j, [1.0 - v for v in table.values[j]])
    return path, {}


def libsvm(rng: Generator, table: Table, folder: Path) -> Written:
    """Write libsvm text: numbers of classes, sparse values, perhaps comments and an empty first example."""
    known = {label: str(i) for i, label in enumerate(sorted(set(table.labels)))}
    if all(label.lstrip("-").isdigit() for label in table.labels):
        known = {label: label for label in known}
    table.labels = [known[label] for label in table.labels]
    for cells, values in zip(table.cells, table.values, strict=True):
        cells[:] = values
        values[-1] = cells[-1] = values[-1] or 1.0  # so that the width is known
    lines = []
    for *values, label in zip(*table.values, table.labels, strict=True):
        lines.append(f"{label} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(values) if v))
    if rng.random() < 0.3:
        lines[-1] += " # a comment"
    path = folder / str(rng.choice(["t.libsvm", "t.svm", "T.SVMLIGHT"]))
    mark = "\ufeff" if rng.random() < 0.1 else ""
    path.write_text(mark + "\n".join(lines) + "\n", encoding="utf-8")
    return path, {}


FORMS: dict[str, Callable[[Generator, Table, Path], Written]] = {
    "csv": csv_file,
    "pandas": pandas_csv,
    "parquet": parquet,
    "arff": arff,
    "libsvm": libsvm,
}
