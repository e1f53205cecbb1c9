"""Refuse to overwrite files in a results directory that kernlearn did not write."""

from collections.abc import Sequence
from pathlib import Path

from kernlearn.errors import UserError
from kernlearn.runner.store.files import LARGEST, read_regular, refuse_links, write_atomically

#: The file that marks a results directory, and what it says.
MARKER = ".kernlearn"
WORDS = b"Results of kernlearn. Its commands write again what has the names of their files here.\n"
#: The directories in a results directory, and what tells that an earlier version has written them.
DIRECTORIES = {
    "shards": ("[0-9a-f][0-9a-f]/*.json", "workers", ".tidied"),
    "runs": ("*/paths.csv",),
    "sweeps": ("*/cells.txt",),
    "rankings": ("*.csv",),
    "jobs": ("*/batch.json",),
    "multirun": (".submitit",),
}
#: What directories of papers have, whose names are those of the package's.
OF_PAPERS = ("*.provenance.json", "*_partitions.csv")
#: The files, and how their first line begins, or what is in it.
FILES = {"summary.csv": (b"dataset", b"algorithm", b"metric", b"mean"), "SCORECARD.md": (b"# Scorecard",)}


def require_ours(results: Path, papers: Sequence[str]) -> None:
    """Raise if a results directory has something of somebody else where we would write.

    A directory without any of our names may become one, whatever else there is. That of an earlier version, which
    has no marker, is recognised by what is in it.

    Parameters
    ----------
    results : Path
    papers : sequence of str
        The directories of tables and figures.

    Raises
    ------
    UserError
        If a file is none of ours, or a directory is not and nothing else is ours.
    OSError
        If a directory of ours is a symbolic link.
    """
    patterns = {**DIRECTORIES, **dict.fromkeys(papers, OF_PAPERS)}
    there = [name for name in patterns if (results / name).exists() or (results / name).is_symlink()]
    for name in there:
        refuse_links(results / name, results)
        if not (results / name).is_dir():
            raise UserError(f"{results / name}: is no directory, and kernlearn writes one of this name; move it away")
    for name in (MARKER, *FILES):
        if (results / name).is_dir():
            raise UserError(f"{results / name}: is a directory, and kernlearn writes a file of this name; move it away")
    for name, words in FILES.items():
        if _first_line(results / name) and not _has(results / name, words):  # an empty one is no loss
            raise UserError(f"{results / name}: was not written by kernlearn, which would write over it; move it away")
    if is_marked(results) or any(_recognised(results / name, patterns[name]) for name in there):
        return
    if any(_has(path, FILES["summary.csv"]) for path in results.glob("runs/*/summary.csv")):
        return  # anybody's table may have this name, so its columns tell
    for name in there:
        if any((results / name).iterdir()):
            raise UserError(f"{results / name}: is there already and not of kernlearn, which would write there")


def mark(results: Path) -> None:
    """Mark a directory as one of results."""
    if not is_marked(results):
        write_atomically(results / MARKER, WORDS)


def is_marked(results: Path) -> bool:
    """Return whether a directory is marked as one of results."""
    try:
        read_regular(results / MARKER)
    except OSError:
        return False
    return True


def _recognised(directory: Path, patterns: tuple[str, ...]) -> bool:
    return any(next(directory.glob(pattern), None) for pattern in patterns)


def _has(path: Path, words: tuple[bytes, ...]) -> bool:
    """Return whether a file has all words in its first line."""
    first = _first_line(path)
    return all(word in first for word in words)


def _first_line(path: Path) -> bytes:
    """Return the first line of a file, nothing of one that is missing or a link."""
    try:
        return read_regular(path, LARGEST).partition(b"\n")[0]
    except OSError:
        return b""
