"""The sides of a difference: the files of a results directory, a run, a comparison, a table or a model.

Files lie on the disk, or in a commit of git. Only regular files are read, and no link is followed: a link
in the place of a file cannot be compared.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from kernlearn.errors import UserError
from kernlearn.report.differences import commits
from kernlearn.report.targets import Target, find_target
from kernlearn.runner.store.files import read_regular

#: Files that are compared: tables, models, and records of how they were computed.
COMPARED = (".csv", ".kl", "provenance.json")
#: The kinds of single files, and the names under which they are compared.
SINGLE = {".csv": ("file", "table.csv"), ".kl": ("model", "model.kl")}
#: Files that follow from them, of which only the bytes are compared.
DERIVED = (".md", ".svg", ".png", ".html", ".pdf")
#: Directories of a results directory with intermediate results.
INTERMEDIATE = ("shards", "sweeps", "multirun")
#: The directory of results in a checkout.
RESULTS = "results"
#: The table with the summaries of all runs, which has nothing that these do not have.
OF_ALL = "summary.csv"
#: The endings of the files of a table or figure.
OF_TABLE = (".csv", "_partitions.csv", ".provenance.json")


@dataclass(frozen=True)
class File:
    """A file.

    Attributes
    ----------
    size : int
        In bytes.
    read : function
        Returns its content.
    blob : str
        Its name in git, which equal contents share; empty for a file on the disk.
    """

    size: int
    read: Callable[[], bytes]
    blob: str = ""


@dataclass(frozen=True)
class Side:
    """One side.

    Attributes
    ----------
    name : str
        As on the command line.
    kind : str
        "results", "run", "comparison", "table", "file" or "model".
    files : mapping
        By their path within the side; a single file is ``table.csv`` or ``model.kl``.
    title : str
        What the names of the files of a table begin with, such as ``vkr2015/table1``.
    """

    name: str
    kind: str
    files: Mapping[str, File]
    title: str = ""


def side_of(word: str, results: Path) -> Side:
    """Return the side that a word of the command line names.

    It is a path, a commit of git with or without a path in it (``HEAD~5:results``), or a name that
    `kernlearn.report.targets.find_target` knows.

    Raises `UserError` if it is none of them, or has no results.
    """
    if not word:
        raise UserError("one of the sides is empty; give a path, the name of a result, or a commit")
    path = Path(word)
    if os.path.lexists(path) or os.path.lexists(f"{path}.csv"):
        return _of_path(word, path)
    revision, colon, inner = word.partition(":")
    if colon:
        return _of_commit(word, revision, inner)
    try:
        return _of_target(word, find_target(word, results))
    except UserError as error:
        if commits.is_commit(word):
            return _of_commit(word, word, "")
        raise UserError(f"{error}, or a commit of git") from None


def _of_path(word: str, path: Path) -> Side:
    if not path.exists():
        return _of_stem(word, path)
    if path.is_file():
        if path.suffix not in SINGLE:
            raise UserError(f"{word}: is neither a table (.csv) nor a model (.kl)")
        return _of_file(word, path.suffix, _file(path.resolve()))
    if not path.is_dir():
        raise UserError(f"{word}: is neither a file nor a directory")
    inner = path / RESULTS
    if inner.is_dir() and not inner.is_symlink():  # a checkout, which is not searched as a whole
        path = inner
    files = {os.path.relpath(file, path): file for file in _walk(path)}
    return _of_files(word, {name.replace(os.sep, "/"): _file(file) for name, file in files.items()})


def _of_target(word: str, target: Target) -> Side:
    if target.kind in ("table", "figure"):
        return _of_stem(word, target.path)
    side = _of_path(str(target.path), target.path)
    return Side(word, side.kind, side.files)


def _of_stem(word: str, stem: Path) -> Side:
    """Return the side of a table or figure, whose files begin with this path."""
    title = "/".join(stem.absolute().parts[-2:])
    files = {f"{title}{ending}": Path(f"{stem}{ending}") for ending in OF_TABLE}
    return Side(word, "table", {name: _file(file) for name, file in files.items() if file.is_file()}, title)


def _of_file(word: str, suffix: str, file: File) -> Side:
    kind, name = SINGLE[suffix]
    return Side(word, kind, {name: file})


def _of_commit(word: str, revision: str, inner: str) -> Side:
    blobs = commits.files_of(revision, inner)
    suffix = PurePosixPath(inner).suffix
    if suffix in SINGLE and set(blobs) == {""}:
        return _of_file(word, suffix, _blob(blobs[""]))
    return _of_files(word, {name: _blob(blob) for name, blob in blobs.items() if name})


def _of_files(word: str, files: Mapping[str, File]) -> Side:
    """Return the side of a directory with these files: a run, a comparison, or a results directory."""
    kind = "comparison" if "ranking.csv" in files else "run" if "paths.csv" in files else "results"
    if kind == "results" and any(name.startswith(f"{RESULTS}/") for name in files):
        files = {
            name.removeprefix(f"{RESULTS}/"): file for name, file in files.items() if name.startswith(f"{RESULTS}/")
        }
    kept = {name: file for name, file in files.items() if _is_result(name) and (kind != "results" or name != OF_ALL)}
    if not any(name.endswith((".csv", ".kl")) for name in kept):
        raise UserError(f"{word}: has no results; give a results directory, a run, a comparison, a table or a model")
    return Side(word, kind, kept)


def _is_result(name: str) -> bool:
    parts = name.split("/")
    hidden = any(part.startswith(".") or part in INTERMEDIATE for part in parts)
    return not hidden and name.endswith((*COMPARED, *DERIVED))


def _walk(directory: Path) -> list[Path]:
    """Return the files in a directory and below it that may be results."""
    found = []
    for folder, folders, names in os.walk(directory):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in INTERMEDIATE]
        found += [Path(folder, name) for name in names if name.endswith((*COMPARED, *DERIVED))]
    return found


def _file(path: Path) -> File:
    return File(path.lstat().st_size, partial(read_regular, path))


def _blob(blob: commits.Blob) -> File:
    return File(blob.size, partial(commits.content_of, blob), blob.name)
