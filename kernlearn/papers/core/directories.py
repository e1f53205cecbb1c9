"""Papers of one's own: directories of tables, which become papers beside those of packages.

A directory has a description ``TABLE.yaml`` and the printed values ``TABLE.csv`` of every table, in the format of those
that come with kernlearn. Its name is that of the paper. The directory of results keeps a copy of both files, so that
results can be judged again, and compared, wherever the directory is.
"""

import os
from pathlib import Path

from kernlearn.atomic import write_atomically
from kernlearn.errors import UserError, closest
from kernlearn.papers.core.index import DIRECTORIES, NO_PACKAGE, papers, places
from kernlearn.papers.own.files import check_name, read_bytes, tables_of
from kernlearn.runner.store.files import refuse_links
from kernlearn.runner.store.ownership import DIRECTORIES as ROOMS
from kernlearn.runner.store.ownership import FILES, MARKER

#: The directory of copies in the results of a paper.
COPIES = "description"


def open_paper(word: str) -> tuple[str, list[str]] | None:
    """Open the directory that a word of the command line names, and return the paper with the tables that are meant.

    A word is the path of a directory, ``DIR`` for all of its tables, or ``DIR/TABLE`` for one.

    Returns
    -------
    (str, list of str) or None
        The name of the paper, and those of its tables, ``<paper>/<table>``. None if there is no such directory.

    Raises
    ------
    UserError
        If the directory has no tables or not this one, or its name is that of another paper or of a part of a results
        directory.
    """
    path = _expanded(word)
    if path is None:
        return None
    if os.path.isdir(path):
        directory, table = path, ""
    else:
        directory, table = path.parent, path.name.removesuffix(".yaml")
        if not os.path.isdir(directory) or (directory == Path() and not os.path.lexists(directory / f"{table}.yaml")):
            return None
    directory = Path(os.path.realpath(directory))
    tables = [file.stem for file in tables_of(directory)]
    if not tables:
        raise UserError(f"{word}: {directory} has no table, which is a file NAME.yaml (kernlearn paper new writes one)")
    if table and table not in tables:
        raise UserError(f"{word}: has no such table, choose one of {', '.join(tables)}{closest(table, tables)}")
    paper = use_directory(directory.name, directory)
    return paper, [f"{paper}/{name}" for name in tables if not table or name == table]


def use_directory(paper: str, directory: Path) -> str:
    """Make the tables of a directory known by the name of the paper, and return the name.

    Raises `UserError` if the name is taken.
    """
    DIRECTORIES[check_paper(paper, directory)] = directory
    return paper


def check_paper(paper: str, directory: Path) -> str:
    """Return the name of the paper in a directory.

    Raises `UserError` if it cannot be the name of results, or is that of another paper or of a part of the results.
    """
    check_name(paper, f"{directory}: the name of a paper's directory")
    taken = {name for name, packages in papers().items() if packages[0][0] != NO_PACKAGE}
    if paper in taken:
        raise UserError(f"{directory}: {paper} is a paper of an installed package; give the directory another name")
    if paper.lower() in {name.lower() for name in (*ROOMS, *FILES, MARKER)}:
        raise UserError(f"{directory}: results have a directory or a file {paper}; give the directory another name")
    return paper


def is_own(name: str) -> bool:
    """Return whether a table, or a paper, is in a directory of files."""
    return name.partition("/")[0] in DIRECTORIES


def use_results(results: Path) -> None:
    """Make the papers known that a results directory has copies of, but for those that are known already."""
    known = papers()
    for copies in sorted(results.glob(f"*/{COPIES}")):
        paper = copies.parent.name
        try:
            refuse_links(copies, results)
            if paper not in known and tables_of(copies):
                use_directory(paper, copies)
        except (OSError, UserError):  # it is not ours
            continue


def keep_description(table: str, results: Path) -> None:
    """Copy the description and the printed values of a table in a directory to its results, if they are not there."""
    place = places()[table]
    if place.package != NO_PACKAGE:
        return
    directory = results / table.partition("/")[0] / COPIES
    if os.path.realpath(directory) == str(place.path.parent):
        return
    refuse_links(directory, results)
    for suffix in (".yaml", ".csv"):
        source = place.file(suffix)
        if suffix == ".yaml" or place.printed:
            write_atomically(directory / source.name, read_bytes(source))
        else:
            (directory / source.name).unlink(missing_ok=True)


def _expanded(word: str) -> Path | None:
    """Return a word as a path, or None if it can be none."""
    try:
        path = Path(word).expanduser()
        os.lstat(path.parent)
    except (OSError, ValueError, RuntimeError):
        return None
    return path
