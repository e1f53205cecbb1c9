"""Readers of sentences with a label for every word: columns of the CoNLL tasks, and trees of the Penn Treebank."""

import io
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scipy import sparse

from kernlearn.datasets.core.bounds import check_size
from kernlearn.datasets.core.cells import show
from kernlearn.datasets.core.chains import chains_of
from kernlearn.datasets.core.columns import roles
from kernlearn.datasets.core.dataset import Examples
from kernlearn.datasets.core.schema import RawColumn, TableSchema
from kernlearn.datasets.core.words import indicators, word_features
from kernlearn.errors import UserError

#: One word with its columns.
Line = list[str]
#: What separates columns where there is no tab; other spaces, such as those that do not break, are letters of words.
BLANKS = re.compile(" +")
#: What separates documents in some files, and is no sentence.
DOCUMENT = "-DOCSTART-"
#: The number of a word that consists of several, or of one that is not in the text, in CoNLL-U.
NO_WORD = re.compile(r"[0-9]+[-.][0-9]+")
#: Columns of CoNLL-U.
N_COLUMNS = 10
#: No member of an archive of the catalogue is as large.
LARGEST = 64 * 2**20
#: The word and its label in a tree, and the label of what is not in the text.
LEAF, TRACE = re.compile(r"\(([^\s()]+) ([^\s()]+)\)"), "-NONE-"
#: Said of a file where some lines have tabs.
MIXED = " (only some lines of words have a tab, which then separates their columns alone; use either in all)"
#: Bytes that a stored feature takes, with its copies.
STORED = 36


def read_sentences(text: str) -> list[list[tuple[int, Line]]]:
    """Return the sentences of a file with a word and its labels in a line, and an empty line after each.

    Columns are separated by tabs where there are some, else by blanks. Lines have their numbers from 1 on.
    """
    sentences: list[list[tuple[int, Line]]] = [[]]
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        parts = line.split("\t") if "\t" in line.strip() else BLANKS.split(line.strip(" "))
        fields = [part.strip(" ") for part in parts]
        if not line.strip(" \t") or fields[0] == DOCUMENT:
            sentences.append([])
        else:
            sentences[-1].append((number, fields))
    return [sentence for sentence in sentences if sentence]


def words_of_numbered(file: Path, sentences: list[list[tuple[int, Line]]]) -> tuple[list[list[tuple[int, Line]]], str]:
    """Return sentences without what is no word in CoNLL-U, and a remark; unchanged and "" if they are of another kind.

    In CoNLL-U the first of ten columns numbers the words of every sentence from 1 on; if it does so in most sentences,
    others may have been cut. Lines such as ``1-2`` are several words in one, ``1.1`` are words that are not in the
    text, and lines that begin with ``#`` are comments.

    Raises `UserError` if a line has no number where most sentences have some.
    """
    uncommented = [[line for line in sentence if not line[1][0].startswith("#")] for sentence in sentences]
    words = [[line for line in sentence if not NO_WORD.fullmatch(line[1][0])] for sentence in uncommented]
    words = [sentence for sentence in words if sentence]
    lines = [line for sentence in words for line in sentence]
    n_counted = sum(
        [fields[0] for _, fields in sentence] == [str(i + 1) for i in range(len(sentence))] for sentence in words
    )
    wrong = next((line for line in lines if not line[1][0].isdecimal()), None)
    has_ten = wrong is None and all(len(fields) == N_COLUMNS for _, fields in lines)
    if not words or len(words[0][0][1]) < 3 or not (has_ten or 2 * n_counted > len(words)):
        return sentences, ""
    if wrong is not None:
        what = f"begins with {show(wrong[1][0])}, where in most sentences a number from 1 on stands, as in CoNLL-U"
        raise UserError(f"{file}, line {wrong[0]}: {what}; number the word, or remove the column of numbers")
    n_left_out = sum(map(len, uncommented)) - len(lines)
    left_out = f"; {n_left_out} lines such as 1-2 and 1.1 are no words" if n_left_out else ""
    return words, f"column 0 numbers the words of a sentence, as in CoNLL-U, and the words are column 1{left_out}"


def read_conll(file: Path, text: str, target: Any, drop: Sequence[Any]) -> tuple[Examples, tuple[str, ...]]:
    """Read a person's own sentences: the first column is the word, one is the label, the others are features, too.

    In CoNLL-U the second column is the word, see `words_of_numbered`.

    Raises `UserError`, naming the line that has another number of columns than the first, or what else is wrong.

    Parameters
    ----------
    target : int, str or None
        The number of the column with the labels, from 0, negative from the end; by default the last.
    drop : sequence of int or str
        Columns that are not to be used.

    Returns
    -------
    examples : Examples
        Features of words (`kernlearn.datasets.core.words`), and ``COLUMN=VALUE`` of the other columns.
    labels : tuple of str
        Sorted.
    """
    sentences, numbered = words_of_numbered(file, read_sentences(text))
    if not sentences:
        raise UserError(f"{file}: has no sentence")
    first, width = sentences[0][0][0], len(sentences[0][0][1])
    for number, fields in (line for sentence in sentences for line in sentence):
        if len(fields) != width or not all(fields):
            count = sum(map(bool, fields))
            columns = f"{count} column{'s' * (count > 1)} instead of the {width} of line {first}, the first of words"
            mixed = "" if len({"\t" in line for line in text.split("\n") if line.strip()}) == 1 else MIXED
            raise UserError(f"{file}, line {number}: has {columns}: {show(' '.join(fields))}{mixed}")
    if width < 2:
        raise UserError(f"{file}: has one column; a word and its label in every line are needed")
    at, used = roles(file, [str(column) for column in range(width)], False, target, drop)
    word = 1 if numbered else 0
    used = [column for column in used if column >= word]
    lines = [fields for sentence in sentences for _, fields in sentence]
    labels = tuple(sorted({fields[at] for fields in lines}))
    if len(labels) == 1:
        raise UserError(f"{file}: all {len(lines)} labels are {show(labels[0])}; two are needed")
    check_size(file, STORED * (20 + len(used)) * len(lines), "its features")
    blocks, names = [], []
    for column in used:
        values = [fields[column] for fields in lines]
        if column != word:
            block, features = indicators([[f"{column}={value}"] for value in values])
        else:
            block, features = word_features(values)
        blocks.append(block)
        names += features
    index = {label: i for i, label in enumerate(labels)}
    lengths = [len(sentence) for sentence in sentences]
    remarks = (
        *filter(None, [numbered]),
        f"labels are column {at} of {width}, features are of column{'s' * (len(used) > 1)} "
        f"{', '.join(map(str, used))}, counted from 0 (dataset.target and dataset.drop say otherwise)",
    )
    X: Any = sparse.hstack(blocks, format="csr")
    y = [index[fields[at]] for fields in lines]
    read = tuple(RawColumn(str(column), column, "word" if column == word else "text") for column in used)
    schema = TableSchema(read, str(at), at, width, named=False)
    examples = Examples(chains_of(lengths, X), chains_of(lengths, y), columns=tuple(names), remarks=remarks)
    return examples._replace(schema=schema), labels


def conll2002(contents: Sequence[bytes], labels: Sequence[str]) -> Examples:
    """Read the Spanish news of CoNLL 2002, training part, then testa and testb, from their archive."""
    sentences: list[list[Line]] = []
    for member in ("esp.train", "esp.testa", "esp.testb"):
        text = _member(contents[0], f"conll2002/{member}").decode()
        sentences += [[fields for _, fields in sentence] for sentence in read_sentences(text)]
    return _tagged([[(fields[0], fields[-1]) for fields in sentence] for sentence in sentences], labels)


def treebank(contents: Sequence[bytes], labels: Sequence[str]) -> Examples:
    """Read the words of the trees of the Penn Treebank with their parts of speech; traces are in no text, left out."""
    with zipfile.ZipFile(io.BytesIO(contents[0])) as archive:
        members = sorted(name for name in archive.namelist() if re.fullmatch(r"treebank/combined/wsj_\d+\.mrg", name))
    sentences = []
    for member in members:
        for tree in re.split(r"^\(", _member(contents[0], member).decode("latin-1"), flags=re.MULTILINE)[1:]:
            leaves = LEAF.findall(tree)
            sentences.append([(word, tag) for tag, word in leaves if tag != TRACE])
    return _tagged(sentences, labels)


def _tagged(sentences: Sequence[Sequence[tuple[str, str]]], labels: Sequence[str]) -> Examples:
    """Return sentences of words with labels, which are all among `labels`, as examples."""
    index = {label: i for i, label in enumerate(labels)}
    pairs = [pair for sentence in sentences for pair in sentence]
    if unknown := next((label for _, label in pairs if label not in index), None):
        raise UserError(f"label {unknown[:20]!r} is not one of {', '.join(index)}")
    X, names = word_features([word for word, _ in pairs])
    lengths = [len(sentence) for sentence in sentences]
    y = [index[label] for _, label in pairs]
    return Examples(chains_of(lengths, X), chains_of(lengths, y), columns=tuple(names))


def _member(archive: bytes, name: str) -> bytes:
    """Return a file of a zip archive, or raise `UserError` if it is not there or too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened, opened.open(name) as stream:
            content = stream.read(LARGEST + 1)
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise UserError(f"the archive has no {name} that can be read ({error})") from None
    if len(content) > LARGEST:
        raise UserError(f"{name} is larger than {LARGEST >> 20} MiB, so not the file it is named after")
    return content
