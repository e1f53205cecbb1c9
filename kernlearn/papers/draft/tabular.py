r"""The rows of a table in LaTeX: the first ``tabular`` of a text, or the lines of one. Nothing is executed or followed.

Read are rules (``\hline``, booktabs), ``\multicolumn`` and several lines of heads, ``\multirow``, colours, notes,
``\makecell``, the braces and columns of siunitx, comments, and rows over several lines. Commands that would read a
file, such as ``\input``, are left out and said.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kernlearn.errors import UserError
from kernlearn.papers.draft.cells import read_cell

#: Environments that are tables, and how many arguments they have before that of the columns.
ENVIRONMENTS = {
    **dict.fromkeys(("tabular", "array", "longtable", "NiceTabular", "supertabular", "tabu"), 0),
    **dict.fromkeys(("tabular*", "tabularx", "tabulary", "xltabular"), 1),
}
BEGIN = re.compile(r"\\begin\s*\{(" + "|".join(map(re.escape, ENVIRONMENTS)) + r")\}")
#: What is between rows and no row: rules, heads of long tables, and the like, with their arguments.
BETWEEN = re.compile(
    r"\s*\\(?:hline|toprule|midrule|bottomrule|addlinespace|cmidrule|cline|hhline|specialrule|morecmidrules|endhead"
    r"|endfirsthead|endfoot|endlastfoot|noalign|arrayrulecolor|rowcolor|label|caption|centering|small|footnotesize"
    r"|scriptsize)(?![a-zA-Z])\*?"
)
#: Commands by how many of their arguments are left out; the others stay as text.
LEFT_OUT = {
    **dict.fromkeys(
        ("cite", "citep", "citet", "ref", "label", "footnote", "footnotemark", "tnote", "cellcolor", "rowcolor"), 1
    ),
    **dict.fromkeys(("color", "textcolor", "hspace", "vspace", "phantom", "hphantom", "raisebox", "rotatebox"), 1),
    **dict.fromkeys(("scalebox", "fontsize", "href", "colorbox"), 1),
    **dict.fromkeys(("resizebox", "multirow"), 2),
}
#: Commands that read or write files, or define others.
NEVER = ("input", "include", "includegraphics", "write", "openin", "openout", "read", "def", "newcommand", "csvreader")
#: Commands by the sign that they print.
SIGNS = {
    **{"dagger": "†", "ddagger": "‡", "ast": "*", "star": "*", "S": "§", "bullet": "•", "circ": "°"},
    **{"textpm": "±", "pm": "±", "textendash": "-", "textemdash": "-", "quad": " ", "qquad": " ", "newline": " "},
}
#: What may stand between such a command and its argument in braces.
WITHOUT_BRACES = re.compile(r"[0-9=\s]*(?:\\[a-zA-Z]+\s*)?(?:#[0-9])*(?:\[[^\]]*\])?")
ESCAPED = re.compile(r"\\([&%_#])")
COMMAND = re.compile(r"\\([a-zA-Z]+)\*?")
#: A number of siunitx with its uncertainty in units of its last digits, as in 5.05(65).
UNCERTAIN = re.compile(r"([+-]?[0-9]*)\.([0-9]+)\s*\(([0-9]+)\)")
#: A row of `kernlearn export --to latex --printed` below each row.
PRINTED_BELOW = re.compile(r"\\itshape\s+printed\s*$")


class Piece(NamedTuple):
    """A cell: its text, and over how many columns it is."""

    text: str
    span: int


def is_latex(text: str) -> bool:
    """Return whether a text has a table in LaTeX, or lines of one."""
    if BEGIN.search(text):
        return True
    lines = [line for line in text.splitlines() if line.strip() and not BETWEEN.match(line)]
    return r"\\" in text and bool(lines) and sum("&" in line for line in lines) > len(lines) / 2


def rows_of_latex(file: Path, text: str) -> tuple[list[list[str]], list[str]]:
    """Return the cells of the first table in a text, equally many in each row, and remarks.

    Lines of heads are joined to one. Raises `UserError` if braces or environments do not match, or there is no row.
    """
    text = re.sub(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?", r"\1", text)
    remarks = ["it is a table in LaTeX"]
    body, columns, others = _body(file, text)
    if others:
        remarks.append(f"{others} more table(s) in the file are left out; give each a file of its own")
    never = sorted({name for name in COMMAND.findall(body) if name in NEVER})
    remarks += [f"\\{name} is not followed" for name in never]
    lines, sections, below = list[list[Piece]](), list[str](), 0
    for cells in _rows(file, body):
        pieces = [_piece(cell, _kind(columns, i)) for i, cell in enumerate(cells)]
        width = sum(piece.span for piece in pieces)
        if not any(piece.text.strip() for piece in pieces):
            continue
        if PRINTED_BELOW.search(cells[0]):
            below += 1
        elif len(pieces) == 1 and (width > 1 or lines):
            sections.append(" ".join(pieces[0].text.split()))
        else:
            lines.append(pieces)
    if below:
        remarks.append(f"{below} rows of printed values, as kernlearn export has them, are left out")
    remarks += [f"the line {name[:40]!r} over all columns is left out" for name in sections]
    if len(lines) < 2:
        return [_flat(line) for line in lines], remarks
    return _with_one_head(lines), remarks


def _body(file: Path, text: str) -> tuple[str, str, int]:
    """Return the content of the first table, its columns, and how many more there are."""
    begin = BEGIN.search(text)
    if not begin:
        return text, "", 0
    name, at = begin[1], begin.end()
    for _ in range(ENVIRONMENTS[name]):
        _, at = _argument(file, text, _after_options(text, at))
    columns, at = _argument(file, text, _after_options(text, at))
    depth, marks = 1, re.compile(r"\\(begin|end)\s*\{" + re.escape(name) + r"\}")
    for mark in marks.finditer(text, at):
        depth += 1 if mark[1] == "begin" else -1
        if depth == 0:
            return text[at : mark.start()], columns, len(BEGIN.findall(text, mark.end()))
    raise UserError(f"{file}: \\begin{{{name}}} has no \\end{{{name}}}")


def _after_options(text: str, at: int) -> int:
    """Return the place after blanks and arguments in square or round brackets."""
    option = re.compile(r"\s*(?:\[[^\]]*\]|\([^)]*\))")
    while found := option.match(text, at):
        at = found.end()
    return at


def _argument(file: Path, text: str, at: int) -> tuple[str, int]:
    """Return the argument that begins at a place, in braces or a single character, and the place after it."""
    while at < len(text) and text[at].isspace():
        at += 1
    if at == len(text) or text[at] != "{":
        return text[at : at + 1], min(at + 1, len(text))
    depth, i = 0, at
    while i < len(text):
        if text[i] == "\\":
            i += 1
        elif text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0:
                return text[at + 1 : i], i + 1
        i += 1
    raise UserError(f"{file}: a brace {{ of the table is not closed: {text[at : at + 30]!r}")


def _rows(file: Path, body: str) -> Iterator[list[str]]:
    r"""Yield the raw cells of every row: split at ``\\`` and ``&`` outside of braces and environments."""
    cells, start, depth, i = list[str](), 0, 0, 0
    body = body.replace(r"\tabularnewline", r"\\ ")
    while i < len(body):
        if body.startswith(r"\\", i) and depth == 0:
            yield [*cells, body[start:i]]
            i = _after_options(body, i + (3 if body.startswith(r"\\*", i) else 2))
            cells, start = [], i
            continue
        if depth == 0 and (rule := BETWEEN.match(body, i)) and not cells and not body[start:i].strip():
            i = _after_options(body, rule.end())
            while i < len(body) and body[i] == "{":
                i = _after_options(body, _argument(file, body, i)[1])
            start = i
            continue
        if body[i] == "\\":
            depth += body.startswith(r"\begin{", i) - body.startswith(r"\end{", i)
            i += 2
            continue
        depth += (body[i] == "{") - (body[i] == "}")
        if depth < 0:
            raise UserError(f"{file}: a brace }} of the table has no beginning: {body[max(0, i - 30) : i + 1]!r}")
        if body[i] == "&" and depth == 0:
            cells, start = [*cells, body[start:i]], i + 1
        i += 1
    if depth:
        raise UserError(f"{file}: a brace {{ of the table is not closed")
    if cells or body[start:].strip():
        yield [*cells, body[start:]]


def _piece(cell: str, kind: str) -> Piece:
    """Return a cell without the commands that print no text."""
    span, text = 1, cell.strip()
    if text.startswith(r"\multicolumn"):
        at, parts = len(r"\multicolumn"), list[str]()
        for _ in range(3):
            part, at = _argument(Path(), text, at)
            parts.append(part)
        width, _, text = parts
        span = max(1, int(width)) if width.strip().isdecimal() and len(width) < 5 else 1
    return Piece(_plain(text, kind), span)


def _plain(text: str, kind: str) -> str:
    """Return the text of a cell: signs for the commands that print them, nothing for those that print none."""
    out, at = list[str](), 0
    while found := COMMAND.search(text, at):
        out.append(text[at : found.start()])
        name, at = found[1], found.end()
        if name in SIGNS:
            out.append(SIGNS[name])
        elif name in NEVER or name in LEFT_OUT:
            if name in LEFT_OUT:
                at = _after_options(text, at)
            elif bare := WITHOUT_BRACES.match(text, at):
                at = bare.end()
            for _ in range(LEFT_OUT.get(name, 1)):
                if text[at : at + 1] in ("{", "*"):
                    _, at = _argument(Path(), text, at)
                    at = _after_options(text, at) if text[at : at + 1] == "[" else at
        elif name in ("num", "tablenum", "SI", "qty"):
            number, at = _argument(Path(), text, _after_options(text, at))
            out.append(_certain(number))
            if name in ("SI", "qty"):
                _, at = _argument(Path(), text, _after_options(text, at))
        elif name in ("makecell", "shortstack"):
            part, at = _argument(Path(), text, _after_options(text, at))
            out.append(_plain(part.replace(r"\\", " "), ""))
        else:
            out.append(found[0])
    plain = ESCAPED.sub(r"\1", "".join([*out, text[at:]])).strip()
    return _certain(plain) if kind == "S" else plain


def _certain(number: str) -> str:
    """Return a number of siunitx with its uncertainty as a deviation: 5.05(65) is 5.05 (0.65)."""

    def written(found: re.Match[str]) -> str:
        digits = len(found[2])
        padded = found[3].zfill(digits + 1)
        return f"{found[1]}.{found[2]} ({padded[:-digits]}.{padded[-digits:]})"

    return UNCERTAIN.sub(written, number)


def _kind(columns: str, number: int) -> str:
    """Return the letter of a column, as ``S`` of siunitx; empty where it is not known."""
    letters = re.findall(r"[lcrSXpmbN]", re.sub(r"\{[^{}]*\}|\[[^\]]*\]", "", re.sub(r"[@!><]\{[^{}]*\}", "", columns)))
    return letters[number] if number < len(letters) and "*" not in columns else ""


def _flat(line: list[Piece]) -> list[str]:
    """Return the cells of a row, one for each column."""
    return [text for piece in line for text in (piece.text, *[""] * (piece.span - 1))]


def _with_one_head(lines: list[list[Piece]]) -> list[list[str]]:
    """Return the rows with one line of heads: the words above a column, those over several columns repeated.

    What is over all methods tells none from another and is left out.
    """
    n_heads = 1
    while n_heads < len(lines) and not any(read_cell(piece.text).mean for piece in lines[n_heads][1:]):
        n_heads += 1
    if n_heads == len(lines):  # no row has a number
        n_heads = 1
    heads = [[piece.text for piece in line for _ in range(piece.span)] for line in lines[:n_heads]]
    rows = [_flat(line) for line in lines[n_heads:]]
    width = max(map(len, [*heads, *rows]))
    heads = [[*head, *[""] * (width - len(head))] for head in heads]
    heads = [head for head in heads if n_heads == 1 or not (head[1] and len(set(head[1:])) == 1 < width - 1)]
    words = [" ".join(dict.fromkeys(filter(None, column))) for column in zip(*heads, strict=True)]
    return [words, *([*row, *[""] * (width - len(row))] for row in rows)]
