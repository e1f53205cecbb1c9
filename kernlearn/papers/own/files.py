"""Read the files of a directory with tables: descriptions and printed values.

They may come from anywhere. They are read as plain files of limited size, without following links, and nothing in them
is executed.
"""

import csv
import io
import os
import re
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

from kernlearn.atomic import create, make_directory, naming
from kernlearn.datasets.core.plain_yaml import check_plain, not_yaml
from kernlearn.errors import UserError
from kernlearn.runner.store.files import read_regular

#: Maximum bytes of a description and of a file of printed values, and maximum rows of the latter.
LARGEST_DESCRIPTION, LARGEST_PRINTED, MOST_PRINTED = 2**18, 2**21, 5_000
#: Maximum number of tables in a directory.
MOST_TABLES = 200
#: What a directory and a table may be called: the name is that of files and directories of results.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
#: The columns of printed values; those that must be there, and what the others have where they are not.
NEEDED, OTHERS = ("dataset", "algorithm", "metric", "mean"), ("paper", "table", "setting", "std", "marker", "note")
#: A printed number.
NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.[0-9]{1,15})?")
DESCRIPTION = "the description of a table"


def tables_of(directory: Path) -> list[Path]:
    """Return the descriptions in a directory, sorted; those in directories below it do not count.

    Raises `UserError` if there are more than `MOST_TABLES`, or the name of one cannot be the name of results.
    """
    files = sorted(path for path in directory.iterdir() if path.suffix == ".yaml" and not path.name.startswith("."))
    if len(files) > MOST_TABLES:
        raise UserError(f"{directory}: has {len(files)} files NAME.yaml, more than {MOST_TABLES}")
    for file in files:
        check_name(file.stem, f"{file}: the name of a table")
    return files


def check_name(name: str, what: str) -> str:
    """Return the name of a paper or a table, or raise `UserError`."""
    if not NAME.fullmatch(name):
        raise UserError(f"{what} must be 1 to 64 of a-z, A-Z, 0-9, '.', '_', '-', the first no sign; rename it")
    return name


def read_description(file: Path) -> Any:
    """Return the content of a description as plain data, or raise `UserError`."""
    return deepcopy(_content(file, _stamp(file)))


@lru_cache(maxsize=256)  # a command looks several times
def _content(file: Path, stamp: tuple[int, ...]) -> Any:
    text = _text(file, LARGEST_DESCRIPTION)
    check_plain(file, text, DESCRIPTION)
    from omegaconf import OmegaConf

    try:
        return OmegaConf.to_container(OmegaConf.load(io.StringIO(text)))
    except Exception as error:  # OmegaConf refuses more than YAML does
        raise not_yaml(file, DESCRIPTION, error) from None


def read_printed(file: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file of printed values, with all columns.

    Raises `UserError` with the line of the first mistake: a column is missing, a row has too few or too many cells, a
    mean or a deviation is no plain decimal number, or the value of a cell of the table is there twice.
    """
    return _printed(file, _stamp(file))


@lru_cache(maxsize=256)  # it is asked for every cell
def _printed(file: Path, stamp: tuple[int, ...]) -> list[dict[str, str]]:
    reader = csv.reader(io.StringIO(_text(file, LARGEST_PRINTED), newline=""), strict=True)
    rows: list[dict[str, str]] = []
    seen: set[tuple[str, ...]] = set()
    try:
        head = [cell.strip() for cell in next(reader, [])]
        if lacking := [name for name in NEEDED if name not in head]:
            raise UserError(
                f"{file}: lacks {', '.join(lacking)}; its first line must name {', '.join(NEEDED)}, and may name "
                f"{', '.join(OTHERS)} (kernlearn paper new makes such a file from a printed table)"
            )
        for cells in reader:
            if not any(cells):
                continue
            where = f"{file}, line {reader.line_num}"
            if len(cells) != len(head):
                raise UserError(f"{where}: has {len(cells)} cells, and the first line has {len(head)}")
            if len(rows) == MOST_PRINTED:
                raise UserError(f"{where}: is one row more than {MOST_PRINTED}")
            row = dict.fromkeys(OTHERS, "") | {name: cell.strip() for name, cell in zip(head, cells, strict=True)}
            _check_row(where, row)
            key = tuple(row[name] for name in ("dataset", "setting", "algorithm", "metric"))
            if key in seen:
                raise UserError(f"{where}: {' '.join(filter(None, key))} is there twice")
            seen.add(key)
            rows.append(row)
    except csv.Error as error:
        raise UserError(f"{file}, line {reader.line_num}: is not CSV ({error})") from None
    return rows


def _check_row(where: str, row: dict[str, str]) -> None:
    for name in NEEDED[:-1]:
        if not row[name] or not row[name].isprintable():
            raise UserError(f"{where}: {name} must be a name")
    for name in ("mean", "std"):
        if row[name] and not (NUMBER.fullmatch(row[name]) and not (name == "std" and row[name].startswith("-"))):
            example = "5.05; leave it empty where nothing is printed"
            raise UserError(f"{where}: {name}={row[name][:40]!r} must be a number such as {example}")


def create_files(contents: Mapping[Path, str]) -> None:
    """Write new files, all of them or none; make their directories.

    Raises `FileExistsError` if one exists, and `OSError` if it cannot be written, with the name of the file.
    """
    made: list[Path] = []
    try:
        for file, text in contents.items():
            with naming(file):
                make_directory(file.parent)
                handle = create(file)
                made.append(file)
                with os.fdopen(handle, "wb") as stream:
                    stream.write(text.encode())
    except BaseException:
        for file in made:
            file.unlink()
        raise


def read_bytes(file: Path, largest: int = LARGEST_PRINTED) -> bytes:
    """Return the content of a plain file, or raise `UserError`."""
    try:
        return read_regular(file, largest)
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror})") from None


def _stamp(file: Path) -> tuple[int, ...]:
    """Return what tells one content of a file from another."""
    try:
        status = file.lstat()
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror})") from None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _text(file: Path, largest: int) -> str:
    try:
        return read_bytes(file, largest).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{file}: is not UTF-8 text") from None
