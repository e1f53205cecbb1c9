"""Refuse to overwrite files in a results directory that kernlearn did not write."""

from collections.abc import Sequence
from pathlib import Path

from kernlearn.atomic import write_atomically
from kernlearn.errors import UserError
from kernlearn.runner.store.files import LARGEST, read_regular, refuse_links

#: The file that marks a results directory, and its content.
MARKER = ".kernlearn"
WORDS = b"Results of kernlearn. Its commands write again what has the names of their files here.\n"
#: The directories in a results directory, and the patterns that identify those of earlier versions.
DIRECTORIES = {
    "shards": ("[0-9a-f][0-9a-f]/*.json", "workers", ".tidied"),
    "runs": ("*/paths.csv",),
    "sweeps": ("*/cells.txt",),
    "rankings": ("*.csv",),
    "comparisons": ("*/ranking.csv",),
    "jobs": ("*/batch.json",),
    "multirun": (".submitit",),
}
#: The files that identify a directory of a paper.
OF_PAPERS = ("*.provenance.json", "*_partitions.csv")
#: The files, and the beginning or parts of their first line.
FILES = {"summary.csv": (b"dataset", b"algorithm", b"metric", b"mean"), "SCORECARD.md": (b"# Scorecard",)}


def require_ours(results: Path, papers: Sequence[str]) -> None:
    """Raise if other files stand where we would write in a results directory.

    A directory without any of our names can become a results directory, whatever else it has. Directories of earlier
    versions have no marker and are recognised by their content.

    Parameters
    ----------
    results : Path
    papers : sequence of str
        The directories of tables and figures.

    Raises
    ------
    UserError
        If a file was not written by kernlearn, or if a directory was not and nothing else in `results` was.
    OSError
        If one of our directories is a symbolic link.
    """
    patterns = {**DIRECTORIES, **dict.fromkeys(papers, OF_PAPERS)}
    there = [name for name in patterns if (results / name).exists() or (results / name).is_symlink()]
    for name in there:
        refuse_links(results / name, results)
        if not (results / name).is_dir():
            raise UserError(
                f"{results / name}: is not a directory, and kernlearn writes a directory here; move it away"
            )
    for name in (MARKER, *FILES):
        if (results / name).is_dir():
            raise UserError(f"{results / name}: is a directory, but kernlearn writes a file here; move it away")
    for name, words in FILES.items():
        if _first_line(results / name) and not _has(results / name, words):  # overwriting an empty file loses nothing
            raise UserError(f"{results / name}: was not written by kernlearn, which would overwrite it; move it away")
    if is_marked(results) or any(_recognised(results / name, patterns[name]) for name in there):
        return
    if any(_has(path, FILES["summary.csv"]) for path in results.glob("runs/*/summary.csv")):
        return  # other tables may have this name, so the columns decide
    for name in there:
        if any((results / name).iterdir()):
            raise UserError(f"{results / name}: was not written by kernlearn, which would write there; move it away")


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
    """Return the first line of a file; empty if it is missing or a link."""
    try:
        return read_regular(path, LARGEST).partition(b"\n")[0]
    except OSError:
        return b""
