"""Measure the prose: sentences, the share of long ones, and names that the field calls otherwise.

``python scripts/tools/prose.py`` prints a line for each document; ``--long`` prints the long sentences, too. The exit
code is 1 if more than 3 % of the sentences of the README, of a page of ``docs/``, of the benchmarks or of notes on
results have more than 30 words, or if one of these has a word of `DIALECT`.
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: A sentence is long above this number of words.
LONG = 30
#: The share of long sentences that a document may have, in percent.
MOST_LONG = 3.0
#: Cells of tables with fewer words are labels, not sentences.
CELL_WORDS = 9
#: Names that were words of everyday life, and the term that takes their place. These are wrong wherever they stand.
DIALECT = {
    "goes_without": "matrix_free",
    "owed": "pending",
    "told": "reported, given",
    "settle": "resolve_auto",
    "settled": "resolve_auto",
    "unsettled": "restore_defaults",
    "maker": "environment",
}
#: Those that are good English, too, are counted as code alone.
NAMES = {
    "streamed", "held", "far", "near", "alone", "spread", "made", "kept", "written",
    "taken", "there", "found", "least", "whole", "stack",
}  # fmt: skip
#: What a user writes on the command line or reads in a table, and is no name of the code.
USER_FACING = ("streamed=true", "streamed=false", "--kernels streamed")
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|et al|cf|vs|No|Dr|approx|eq|fig|sec)\.", re.IGNORECASE)


@dataclass
class Count:
    """What a document has.

    Attributes
    ----------
    sentences : list of str
    words : Counter
        Words of `DIALECT` and `NAMES`.
    """

    sentences: list[str] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)

    @property
    def long(self) -> list[str]:
        """The sentences of more than `LONG` words."""
        return [sentence for sentence in self.sentences if len(sentence.split()) > LONG]

    @property
    def share(self) -> float:
        """Their share, in percent."""
        return 100.0 * len(self.long) / len(self.sentences) if self.sentences else 0.0

    @property
    def dialect(self) -> dict[str, int]:
        """How often it has each word of `DIALECT`."""
        return {word: number for word, number in sorted(self.words.items()) if word in DIALECT}

    @property
    def passes(self) -> bool:
        """Whether it is plain enough."""
        return self.share <= MOST_LONG and not self.dialect


def blocks_of_markdown(text: str) -> Iterator[str]:
    """Yield paragraphs, items of lists and cells of tables, without code, headings and links' addresses."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"^[ ]*(```|:::).*?^[ ]*\1[ ]*$", "\n", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"!?\[((?:[^\]\\]|\\.)*)\]\([^)]*\)", r"\1", text)
    block: list[str] = []
    for line in [*text.splitlines(), ""]:
        stripped = line.strip()
        starts = re.match(r"([-*+]|\d+\.) ", stripped)
        if not stripped or stripped.startswith(("#", "|")) or starts:
            if block:
                yield " ".join(block)
            block = []
        if stripped.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", stripped)[1:-1]]
            yield from (cell for cell in cells if len(cell.split()) >= CELL_WORDS)
        elif stripped and not stripped.startswith("#"):
            block.append(stripped[starts.end() :] if starts else stripped)


def blocks_of_docstring(text: str) -> Iterator[str]:
    """Yield paragraphs of a docstring, without the headings of numpydoc, names of parameters and literal blocks."""
    literal = False
    for paragraph in re.split(r"\n\s*\n", text):
        lines = paragraph.splitlines()
        indented = all(line.startswith("    ") for line in lines if line.strip())
        if literal and indented:
            continue
        literal = paragraph.rstrip().endswith("::")
        plain = [
            line for line in lines if not re.match(r"^\s*-{3,}\s*$|^[\w*, ]+ : |^[A-Z][a-z]+( [A-Z][a-z]+)?$", line)
        ]
        yield " ".join(line.strip() for line in plain)


def sentences(block: str) -> list[str]:
    """Return the sentences of a block; code in backticks counts as one word."""
    block = re.sub(r"``.*?``|`[^`]*`", lambda match: "code" + "." * match[0].endswith(".`"), block)
    block = ABBREVIATIONS.sub(r"\1", block).replace("**", "")
    parts = re.split(r"(?<=[.!?])[)\"']?\s+(?=[\"'(A-Z0-9*]|code)", block)
    return [part for part in parts if re.search(r"[a-z]{2}", part)]


def count(blocks: Iterator[str]) -> Count:
    """Return what blocks of prose have."""
    result = Count()
    for block in blocks:
        result.sentences += sentences(block)
        code = re.findall(r"`+([^`]*)`+", block)
        prose = re.sub(r"`[^`]*`", " ", block)
        for word in re.findall(r"[a-z_]+", prose.lower()):
            result.words[word] += word in DIALECT
        for snippet in code:
            if not any(words in snippet for words in USER_FACING):
                result.words[snippet] += snippet in NAMES or snippet in DIALECT
    result.words = +result.words
    return result


def docstrings(path: Path) -> Iterator[str]:
    """Yield all docstrings of a Python file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield text


def messages(path: Path) -> Iterator[str]:
    """Yield the texts of a Python file that are given to exceptions and warnings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and re.search(r"Error$|Warning$|^warn$", ast.unparse(node.func).split(".")[-1]):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value
                elif isinstance(argument, ast.JoinedStr):
                    yield "".join(
                        str(part.value) if isinstance(part, ast.Constant) else "`value`" for part in argument.values
                    )


def pages(root: Path = ROOT) -> list[Path]:
    """Return the documents that must be plain: the README, the pages of ``docs``, benchmarks, notes on results."""
    written = [root / "README.md", *sorted((root / "docs").glob("*.md")), root / "scripts" / "README.md"]
    return [*written, *sorted(root.glob("results/*/NOTES.md"))]


def of_markdown(path: Path) -> Count:
    """Return what a Markdown file has."""
    return count(blocks_of_markdown(path.read_text(encoding="utf-8")))


def documents(root: Path = ROOT) -> Iterator[tuple[str, Count]]:
    """Yield the name and the count of every document."""
    for path in [*pages(root), root / "CHANGELOG.md"]:
        yield str(path.relative_to(root)), of_markdown(path)
    for room in sorted(path.parent for path in (root / "kernlearn").glob("*/__init__.py")):
        files = sorted(room.rglob("*.py"))
        yield (
            f"{room.relative_to(root)} docstrings",
            count(block for path in files for text in docstrings(path) for block in blocks_of_docstring(text)),
        )
        yield f"{room.relative_to(root)} messages", count(text for path in files for text in messages(path))


def main() -> int:
    """Print the table and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--long", action="store_true", help="print the long sentences")
    parser.add_argument("documents", nargs="*", help="parts of the names of those to print; by default all")
    arguments = parser.parse_args()
    must = {str(path.relative_to(ROOT)) for path in pages()}
    failed = False
    print(f"{'document':38s} {'sentences':>9s} {'over ' + str(LONG):>8s} {'%':>6s}  names")
    for name, result in documents():
        if arguments.documents and not any(part in name for part in arguments.documents):
            continue
        words = ", ".join(f"{word} {number}" for word, number in sorted(result.words.items()))
        print(f"{name:38s} {len(result.sentences):9d} {len(result.long):8d} {result.share:6.1f}  {words}")
        if arguments.long:
            print("".join(f"    {len(sentence.split())}: {sentence}\n" for sentence in result.long), end="")
        if name in must and not result.passes:
            failed = True
    if failed:
        print(f"Not plain: over {MOST_LONG} % long sentences, or words that are replaced: {', '.join(DIALECT)}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
