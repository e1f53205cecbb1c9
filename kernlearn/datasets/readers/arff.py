"""Tables in ARFF, as Weka, OpenML and KEEL write them, dense or sparse.

liac-arff splits the rows: it handles quotes, escapes, missing values and sparse rows. The declarations are parsed here,
because no library accepts everything that Weka accepts. liac-arff refuses ``@attribute legs INTEGER [0,9]``,
``@attribute y{p,q}``, ``@attribute m {-1,1} % two values`` and ``@attribute day date 'yyyy-MM-dd'``. Its pattern for
declared values takes exponential time on ``{a,a,a,...`` without the closing brace. `scipy.io.arff` refuses sparse rows
and text attributes. It also guesses one kind of quotes for a whole line: from ``{"p",q,'r'}`` it reads three values,
one of which keeps its quotes.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any

import arff
import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.bounds import check_rows, check_shape
from kernlearn.datasets.core.cells import Numerals, show
from kernlearn.datasets.core.columns import Declared, Keys, roles_of
from kernlearn.datasets.core.table import Table
from kernlearn.errors import UserError

#: So many values are converted at once.
BLOCK = 2**16
#: Values that are missing where they are not declared: what liac-arff gives for ``?`` and nothing, and KEEL's word.
MISSING_CELLS = (None, "<null>")
#: How quotes, values and lists of declared values are written.
QUOTED = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
VALUE = rf"""(?:{QUOTED}|[^\s,{{}}'"%][^\s,{{}}'"]*)"""
DECLARED = rf"\{{\s*(?:{VALUE}\s*(?:,\s*{VALUE}\s*)*)?(?:,\s*)?\}}"
IN_QUOTES, VALUES = re.compile(QUOTED), re.compile(VALUE)
#: Name, type or declared values; what may follow is the range of a number, the format of a date, and a comment.
ATTRIBUTE = re.compile(
    rf"@attribute\s+({QUOTED}|[^\s{{]+)\s*({DECLARED}|(?<=[\s'\"])\w+)(?:\s*\[[^\]]*\]|\s+(?:{QUOTED}))?\s*(?:%.*)?",
    re.IGNORECASE,
)
#: Lines that say nothing about the columns.
IGNORED = re.compile(r"@relation\b|%|$", re.IGNORECASE)
#: KEEL's lines that name the features and the targets.
PURPOSE = re.compile(r"@(input|output)s?\b(.*)", re.IGNORECASE)
DATA = re.compile(r"@data\b", re.IGNORECASE)
#: The number of an attribute in a sparse row.
INDICES = re.compile(r"[{,]\s*(\d+)")
#: A comment, or what separates values; a text in quotes, up to the end where these do not close, stays as it is.
COMMENT = re.compile(rf"({QUOTED}|[\"'].*)|(?:^|(?<=[\s,}}'\"]))%.*")
SEPARATOR = re.compile(rf"({QUOTED}|[\"'].*)|[\s,]++")
#: How the types of columns were found out.
DECLARED_IN = "declared in the file"
NUMBERS, TEXTS, DATES = ("numeric", "real", "integer"), "string", "date"


@dataclass(frozen=True)
class Attribute:
    """A declared column: its name, its type in small letters, and its values if these are declared."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


def looks_like_arff(content: bytes) -> bool:
    """Tell a text in UTF-8 whose first line that is no comment is a declaration."""
    first = next((line for line in map(str.strip, _lines(content)) if line and not line.startswith("%")), "")
    return re.match(r"@(relation|attribute)\b", first, re.IGNORECASE) is not None


def read_arff(file: Path, content: bytes, keys: Keys) -> Table:
    """Read a table in ARFF.

    Raises `UserError`, naming the line that cannot be read, or has a value that is not declared.

    Parameters
    ----------
    content : bytes
        The text in UTF-8.

    Returns
    -------
    Table
        Numbers, declared values, dates and texts. Only ``?``, nothing, and ``<null>`` where it is not declared, are
        missing values. What a sparse row leaves out is 0, or the first declared value.
    """
    attributes, above, purposes = _declarations(file, content)
    names = [attribute.name for attribute in attributes]
    if keys.target is None and purposes:
        keys = replace(keys, declared=_declared(file, names, purposes))
    roles = roles_of(file, names, True, keys, {})
    is_overruled = keys.target is not None and purposes
    remarks = ("@inputs and @outputs of the file do not count, as dataset.target is given",) if is_overruled else ()
    return replace(_Rows(file, content, attributes, above, keys).table([roles.target, *roles.types]), remarks=remarks)


@dataclass(frozen=True)
class _Rows:
    file: Path
    content: bytes
    attributes: list[Attribute]
    above: int
    keys: Keys

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the numbers of the lines that are rows, and these without comments."""
        for number, line in enumerate(islice(_lines(self.content), self.above, None), self.above + 1):
            if row := _without_comment(line.strip()):
                yield number, row

    def cells(self) -> Iterator[tuple[int, list[str | None]]]:
        """Yield the numbers of the lines, and the values, None where they are missing."""
        _, first = next(self.lines(), (0, ""))
        is_sparse, width, at = first.startswith("{"), len(self.attributes), 0
        usual = [attribute.values[0] if attribute.values else "0" for attribute in self.attributes]

        def rows() -> Iterator[str]:
            nonlocal at
            for at, row in self.lines():
                if weight := _weight(row):
                    raise UserError(
                        f"{self.file}, line {at}: ends in the weight {{{weight}}}, and examples have no weights here; "
                        "remove the weights"
                    )
                if row.startswith("{") != is_sparse:
                    kind = "dense" if is_sparse else "sparse"
                    raise UserError(f"{self.file}, line {at}: is a {kind} row, and the first one is not")
                places = [int(i) for i in INDICES.findall(IN_QUOTES.sub("", row))] if is_sparse else []
                if any(i >= j for i, j in pairwise(places)):
                    raise UserError(f"{self.file}, line {at}: the numbers of the attributes must increase: {show(row)}")
                yield row

        try:
            for row in _decoded(rows(), width, is_sparse):
                yield at, [row.get(i, value) for i, value in enumerate(usual)] if is_sparse else row
        except UserError:
            raise
        except arff.BadDataFormat:
            wrong = f"has a value beyond the {width}" if is_sparse else f"does not have the {width} values"
            raise UserError(f"{self.file}, line {at}: {wrong} that are declared") from None
        except (arff.ArffException, csv.Error, ValueError):
            raise UserError(
                f"{self.file}, line {at}: cannot be read; values have commas between them, and quotes around them "
                "if they have blanks, commas, quotes or braces"
            ) from None

    def table(self, as_texts: Sequence[int]) -> Table:
        """Return the columns; some numbers keep the texts that they are written as."""
        import pandas as pd

        n, d = sum(1 for _ in self.lines()), len(self.attributes)
        if n == 0:
            raise UserError(f"{self.file}: has a header but no examples")
        check_rows(self.file, n)
        check_shape(self.file, n, d)
        is_number = np.array([attribute.kind in NUMBERS for attribute in self.attributes])
        is_number[list(as_texts)] = False
        numeric, others = np.flatnonzero(is_number), np.flatnonzero(~is_number)
        values, texts = np.empty((n, len(numeric))), np.empty((n, len(others)), dtype=object)
        declared = [{value: value.strip() for value in self.attributes[i].values} for i in others]
        rows, done = self.cells(), 0
        while block := list(islice(rows, 1 + BLOCK // d)):
            lines, cells = [line for line, _ in block], np.array([row for _, row in block], dtype=object)
            end = done + len(block)
            values[done:end] = self._numbers(lines, numeric, cells[:, numeric])
            for place, known in enumerate(declared):
                texts[done:end, place] = self._texts(lines, int(others[place]), cells[:, others[place]].tolist(), known)
            done = end
        frame = pd.concat(
            [pd.DataFrame(values, columns=numeric), pd.DataFrame(texts, columns=others, dtype=object)], axis=1
        )
        nominal = {int(i): list(dict.fromkeys(of.values())) for i, of in zip(others, declared, strict=True) if of}
        names = [attribute.name for attribute in self.attributes]
        labels = {*nominal, *(i for i, attribute in enumerate(self.attributes) if attribute.kind == TEXTS)}
        return Table(
            *(self.file, names, frame[list(range(d))], self.written, self.keys),
            nominal=nominal,
            texts=labels,
            typed=DECLARED_IN,
        )

    def written(self, row: int) -> tuple[str, list[str]]:
        """Return place and values of a row, counted from 0."""
        line, cells = next(islice(self.cells(), row, None))
        return f"line {line}", ["" if cell in MISSING_CELLS else str(cell) for cell in cells]

    def _numbers(self, lines: list[int], columns: NDArray[np.intp], cells: NDArray[Any]) -> NDArray[np.float64]:
        value = Numerals().value
        numbers = [np.nan if cell in MISSING_CELLS else value(cell) for cell in cells.ravel().tolist()]
        if None in numbers:
            row, column = divmod(numbers.index(None), len(columns))
            where = self._place(lines[row], int(columns[column]))
            raise UserError(f"{where}: {show(cells[row, column])} is not a number")
        return np.array(numbers, dtype=np.float64).reshape(cells.shape)

    def _texts(
        self, lines: list[int], column: int, cells: list[str | None], known: Mapping[str, str]
    ) -> list[str | None]:
        if not known:
            return cells
        texts = [known.get(cell or "") for cell in cells]  # one text for all rows
        for line, cell, text in zip(lines, cells, texts, strict=True):
            if text is None and cell not in MISSING_CELLS:
                raise UserError(f"{self._place(line, column)}: {show(str(cell))} is not among its declared values")
        return texts

    def _place(self, line: int, column: int) -> str:
        return f"{self.file}, line {line}, column {show(self.attributes[column].name)}"


def _declarations(file: Path, content: bytes) -> tuple[list[Attribute], int, dict[str, list[str]]]:
    """Return the attributes, the number of lines up to ``@data``, and what KEEL calls "input" and "output"."""
    attributes, purposes = [], dict[str, list[str]]()
    for number, line in enumerate(map(str.strip, _lines(content)), 1):
        if DATA.match(line):
            break
        if IGNORED.match(line):
            continue
        if purpose := PURPOSE.match(line):
            purposes.setdefault(purpose[1].lower(), []).extend(_unquoted(VALUES.findall(purpose[2])))
            continue
        match = ATTRIBUTE.fullmatch(line)
        if not match:
            raise UserError(f"{file}, line {number}: cannot be read: {show(line)}")
        name, kind = _unquoted([match[1]])[0], match[2].lower()
        if kind.startswith("{"):
            attributes.append(Attribute(name, "nominal", tuple(_unquoted(VALUES.findall(match[2])))))
        elif kind in (*NUMBERS, TEXTS, DATES):
            attributes.append(Attribute(name, kind))
        else:
            raise UserError(
                f"{file}, line {number}: attribute {show(name)} is of type {kind}; use numeric or nominal ones"
            )
    else:
        raise UserError(f"{file}: has no line @data")
    if len(attributes) < 2:
        raise UserError(f"{file}: declares fewer than two attributes; features and class are needed")
    return attributes, number, purposes


def _declared(file: Path, names: Sequence[str], purposes: Mapping[str, Sequence[str]]) -> Declared:
    """Return the target and the columns that are no features, by the names of the inputs and outputs.

    Raises `UserError` if a name is that of no attribute, or there are several outputs.
    """
    for purpose, given in purposes.items():
        for name in given:
            if name not in names:
                raise UserError(f"{file}: @{purpose}s names {show(name)}, which is no attribute")
    inputs, outputs = ([names.index(name) for name in purposes.get(kind, ())] for kind in ("input", "output"))
    if len(outputs) > 1:
        some = ", ".join(show(names[i]) for i in outputs)
        raise UserError(f"{file}: @outputs names {len(outputs)} columns ({some}); choose one with dataset.target=NAME")
    no_inputs = [i for i in range(len(names)) if i not in inputs]
    target = outputs[0] if outputs else (no_inputs or [len(names) - 1])[-1]
    others = [i for i in no_inputs if i != target] if inputs else []
    why = "as @outputs says" if outputs else "which is not among @inputs"
    return Declared(target, tuple(others), why, "not among @inputs")


def _without_comment(row: str) -> str:
    """Return a row without a comment; tabs between its values become commas."""
    if "%" in row:
        row = COMMENT.sub(lambda part: part[1] or "", row).rstrip()
    if "\t" in row and not row.startswith("{"):
        row = SEPARATOR.sub(lambda part: part[1] or ("," if "\t" in part[0] else part[0]), row)
    return row


def _weight(row: str) -> str:
    """Return the weight in braces at the end of a row, as Weka writes it, or nothing."""
    before, _, inside = row.removesuffix("}").rpartition("{")
    is_last = row.endswith("}") and before.rstrip().endswith(",")
    return inside if is_last and Numerals().value(inside.strip()) is not None else ""


def _unquoted(texts: Sequence[str]) -> list[str]:
    """Return names or values without their quotes and escapes."""
    quoted = [text for text in texts if text[0] in "'\""]
    if not quoted:
        return list(texts)
    plain = (row[0] or "" for row in _decoded(quoted, 1, False))
    return [next(plain) if text[0] in "'\"" else text for text in texts]


def _decoded(rows: Iterable[str], width: int, is_sparse: bool) -> Iterator[Any]:
    """Return the values of the rows: a list of each, or by their numbers those that a sparse row has."""
    header = ["@relation r", *(f"@attribute {i} string" for i in range(width)), "@data"]
    return iter(arff.load(chain(header, rows), return_type=arff.LOD_GEN if is_sparse else arff.DENSE_GEN)["data"])


def _lines(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), "utf-8", newline=None)
