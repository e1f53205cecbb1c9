"""Where the tables and figures of papers are: side by side in a package for every paper.

A table or figure is its description ``<paper>/<name>.yaml``; beside it are the values that the paper prints,
``<name>.csv``, and its module ``<name>.py`` with what is special to it, where there are any. That is all: they
are found there. Papers are packages in `kernlearn.papers`, and in the package that a plug-in names by ``PAPERS``
(`kernlearn.plugins`); to install a package is to trust its modules, and modules of no other place are imported.

Others are directories of files (`kernlearn.papers.core.directories`): a table is ``<name>.yaml`` and ``<name>.csv``
there. They may come from anywhere, so they are read as data, and have no modules and no figures.
"""

import io
import os
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from kernlearn.errors import UserError, closest, one_line
from kernlearn.papers.own.files import read_description, tables_of
from kernlearn.plugins import plugins

#: What a description has that tells a table from a figure: a key of its own line.
OF_TABLES = re.compile(r"^columns:", re.MULTILINE)
#: The package of what is in no package, but in a directory of files.
NO_PACKAGE = ""
#: The directories of papers that this process has opened, by the names of the papers.
DIRECTORIES: dict[str, Path] = {}


@dataclass(frozen=True)
class Place:
    """Where a table or figure is."""

    #: ``<paper>/<table or figure>``.
    name: str
    #: The package that it is in, such as ``kernlearn.papers.vkr2015``; `NO_PACKAGE` in a directory of files.
    package: str
    #: Of its files, without their suffix.
    path: Path

    @property
    def is_table(self) -> bool:
        """Whether it is reproduced as a table, by rows and columns, even if the paper draws it."""
        return self.package == NO_PACKAGE or bool(OF_TABLES.search(self.file(".yaml").read_text(encoding="utf-8")))

    def file(self, suffix: str) -> Path:
        """Return one of its files; the name of a table may have points."""
        return self.path.with_name(f"{self.path.name}{suffix}")

    @property
    def printed(self) -> str:
        """The name of the file of printed values, empty if the paper prints none."""
        return self.name if os.path.lexists(self.file(".csv")) else ""

    def description(self) -> Mapping[str, Any]:
        """Return the content of the description.

        Raises `UserError` if it is none.
        """
        file = self.file(".yaml")
        if self.package == NO_PACKAGE:
            return read_description(file)
        try:
            content: Any = deepcopy(_content(file.read_text(encoding="utf-8")))
        except Exception as error:  # of YAML, of OmegaConf, of the file system
            raise UserError(f"{self.name}: {file} is no description: {one_line(error)}") from error
        return content

    def module(self) -> ModuleType | None:
        """Return its module, None if there is nothing special to it.

        Raises `UserError` if it cannot be imported.
        """
        if self.package == NO_PACKAGE:
            return None
        name = f"{self.package}.{self.path.name}"
        try:
            return import_module(name) if find_spec(name) else None
        except Exception as error:
            raise UserError(f"{self.name}: {name} cannot be imported: {one_line(error)}") from error


@lru_cache(maxsize=256)  # a scorecard asks for each table several times, and to parse one takes 20 ms
def _content(text: str) -> Any:
    from omegaconf import OmegaConf

    return OmegaConf.to_container(OmegaConf.load(io.StringIO(text)))


def papers() -> dict[str, list[tuple[str, Path]]]:
    """Return the packages of every paper with their directories; a plug-in may add to a paper that is there.

    Papers in directories of files come last, with `NO_PACKAGE`.

    Raises `UserError` if the package that a plug-in names cannot be imported.
    """
    packages: dict[str, list[tuple[str, Path]]] = {}
    for package, root in roots():
        for directory in sorted(path for path in root.iterdir() if path.name.isidentifier() and _is_paper(path)):
            packages.setdefault(directory.name, []).append((f"{package}.{directory.name}", directory))
    return packages | {name: [(NO_PACKAGE, directory)] for name, directory in DIRECTORIES.items()}


def _is_paper(path: Path) -> bool:
    return path.is_dir() and next(path.rglob("*.yaml"), None) is not None


def roots() -> list[tuple[str, Path]]:
    """Return the packages of papers, that of kernlearn and those of plug-ins, with their directories.

    Raises `UserError` if the package that a plug-in names cannot be imported.
    """
    found = [(__package__.rpartition(".")[0], Path(__file__).parents[1])]
    for plugin in plugins():
        if package := getattr(plugin.module, "PAPERS", None):
            try:
                found.append((package, Path(import_module(package).__path__[0])))
            except Exception as error:
                raise UserError(
                    f"the plug-in {plugin.name} of {plugin.package} has no package {package}: {one_line(error)}"
                ) from error
    return found


def places() -> dict[str, Place]:
    """Return where all tables and figures are, sorted by name.

    Raises `UserError` if there are two of a name.
    """
    by_name: dict[str, Place] = {}
    for paper, packages in papers().items():
        for package, directory in packages:
            for path in tables_of(directory) if package == NO_PACKAGE else directory.rglob("*.yaml"):
                within = ".".join((package, *path.parent.relative_to(directory).parts))
                place = Place(f"{paper}/{path.stem}", within, path.with_name(path.stem))
                if place.name in by_name:
                    raise UserError(f"{place.name} is in {by_name[place.name].package} and in {package}: rename one")
                by_name[place.name] = place
    return dict(sorted(by_name.items()))


def place_of(name: str, what: str, *, table: bool) -> Place:
    """Return where a table, or a figure, is.

    Raises `UserError` if there is no such `what`; the message lists those there are.
    """
    known = {other: place for other, place in places().items() if place.is_table == table}
    if name not in known:
        raise UserError(f"{name}: no such {what}, choose one of {', '.join(known)}{closest(name, list(known))}")
    return known[name]


def check_keys(where: str, given: Any, needed: tuple[str, ...], others: tuple[str, ...]) -> None:
    """Raise `UserError` if a part of a description has an unknown key or lacks one that is needed."""
    if not isinstance(given, Mapping):
        raise UserError(f"{where}: must have keys such as {', '.join(needed or others)}")
    for key in given:
        if key not in needed + others:
            known = needed + others
            raise UserError(f"{where}.{key}: unknown key, there are: {', '.join(known)}{closest(key, known)}")
    for key in needed:
        if key not in given:
            raise UserError(f"{where}.{key} is missing")
