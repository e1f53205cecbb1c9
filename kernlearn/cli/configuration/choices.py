"""Choices: which configuration files are merged, and in which order. Lists of defaults and words decide that."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.cli.configuration.configfile import PACKAGE, inside, read_config
from kernlearn.cli.configuration.grammar import GROUPS, Override
from kernlearn.errors import UserError, closest
from kernlearn.plugins import plugins

#: Bounds of one configuration: the number of files (counted each time they are chosen), their bytes, and the length of
#: a chain of files that choose one another.
MOST_FILES, MOST_BYTES, LONGEST_CHAIN = 1_000, 2**20, 100
#: An entry of a list of defaults, or its key if it is a mapping such as ``algo: vkr``.
ENTRY = re.compile(rf"(?P<override>override\s+)?(?P<root>/?)(?P<path>[^@\s]+)(?:@(?P<package>{PACKAGE}))?")
SELF = "_self_"
#: What a plug-in calls its choices of a group.
REGISTRIES = {"algo": "ALGORITHMS", "kernel": "FAMILIES", "dataset": "CATALOGUE", "protocol": "PROTOCOLS"}

#: The choice: one name, several names whose values are merged, or none.
Names = str | tuple[str, ...] | None


class Places:
    """Directories of configuration files. The first directory that has a name provides its file."""

    def __init__(self, directories: Sequence[Path]) -> None:
        self.directories = directories

    def find(self, path: str) -> Path | None:
        """Return the file of a choice such as ``algo/vkr``, if it is a plain file in one of the directories."""
        files = (place / f"{path.removesuffix('.yaml')}.yaml" for place in self.directories)
        return next(filter(os.path.isfile, files), None) if inside(path) else None

    def is_group(self, group: str) -> bool:
        """Return whether there is such a directory of choices."""
        return bool(group) and inside(group) and any(os.path.isdir(place / group) for place in self.directories)

    def options(self, group: str) -> list[str]:
        """Return the names of a group, sorted; none if there is no such group."""
        if not self.is_group(group):
            return []
        files = (file for place in self.directories for file in (place / group).glob("*.yaml"))
        return sorted({file.stem for file in files if os.path.isfile(file)})


@dataclass(frozen=True)
class Entry:
    """An entry of a list of defaults: files, and where their values go.

    Attributes
    ----------
    group : str
        The directory of the files.
    names : str, tuple of str or None
    parent : str
        The package of the file that has the list.
    package : str or None
        The package that the entry gives.
    inner : str
        Where values go, relative to the parent, if neither the entry nor the file gives a package.
    chosen : bool
        Whether it is a choice (``algo: vkr``) and not a file (``vkr``). Words and other files can change a choice.
    overrides : bool
        Whether it changes a choice that is made elsewhere.
    """

    group: str
    names: Names
    parent: str = ""
    package: str | None = None
    inner: str = ""
    chosen: bool = False
    overrides: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """The group and the place of the choice, which do not depend on the chosen name."""
        return self.group, self.place()

    def place(self, of_file: str | None = None) -> str:
        """Return the package for its values; the entry's package takes precedence over the file's."""
        said = self.package or of_file or "_group_"
        inner = self.inner if said == "_group_" else "" if said == "_here_" else said
        path = ".".join(filter(None, (self.parent, inner)))
        return path.rpartition("_global_")[2].lstrip(".")


class Change(NamedTuple):
    """The change of a choice by a word or an overriding entry: other names, or leaving it out."""

    said: str
    names: Names
    leaves_out: bool = False


class Choices:
    """The choices of one configuration.

    Those of the words take precedence, then those of files, the outermost first.

    Parameters
    ----------
    words : sequence of Override
        The words that choose.
    """

    def __init__(self, places: Places, words: Sequence[Override]) -> None:
        self._places = places
        self._added: dict[Entry, str] = {}
        self._changes: dict[tuple[str, str], Change] = {}
        self._made: set[tuple[str, str]] = set()
        self._changed: set[tuple[str, str]] = set()
        self._n_files = self._n_bytes = 0
        for word in words:
            if not places.is_group(word.key):
                raise UserError(f"{word.word}: there is no group {word.key} of choices")
            entry = Entry(word.key, _names(word), "", word.package, word.key.replace("/", "."), chosen=True)
            if word.sign.startswith("+"):
                self._added[entry] = word.word
            else:
                self._changes[entry.key] = Change(word.word, entry.names, word.sign == "~")

    def files(self, name: str) -> list[tuple[str, dict[Any, Any]]]:
        """Return packages and values of a file and of all files that it chooses; later values hold.

        Raises `UserError` if a file is missing or refused, or a choice cannot be made.
        """
        files = list(self._file(Entry("", name), name, ()))[::-1]
        for key in self._changes.keys() - self._changed:
            said, _, leaves_out = self._changes[key]
            if leaves_out:
                raise UserError(f"{said}: there is no such key to leave out")
            raise UserError(f"{said}: there is no such choice to change; +{key[0]}=NAME makes one")
        return files

    def _file(self, entry: Entry, name: str, chain: tuple[str, ...]) -> Iterator[tuple[str, dict[Any, Any]]]:
        """Yield the values of a file and of its list of defaults, last first: later ones may change earlier choices."""
        path = "/".join(filter(None, (entry.group, name)))
        file = self._places.find(path)
        if file is None:
            raise self._missing(entry, path, chain)
        if path in chain or len(chain) == LONGEST_CHAIN:
            raise UserError(f"{path}: its list of defaults leads back to itself, or the chain is too long")
        config = read_config(file)
        self._n_files, self._n_bytes = self._n_files + 1, self._n_bytes + config.n_bytes
        if self._n_files > MOST_FILES or self._n_bytes > MOST_BYTES:
            raise UserError(f"{path}: lists of defaults lead to more than {MOST_FILES} files or {MOST_BYTES} bytes")
        package = entry.place(config.package)
        if any(re.match(r"hydra\b", str(key)) for key in ([package] if package else config.values)):
            raise UserError(f"{file}: a file may not set Hydra's own keys, such as its launcher and logging")
        entries = [_entry(file, item, path.rpartition("/")[0], package) for item in config.defaults]
        for one in filter(None, entries):
            if one.overrides:
                self._changes.setdefault(one.key, Change(f"{file}: override {one.group}", one.names))
        if None not in entries:
            entries.append(None)
        for one in reversed([*entries, *(() if chain else self._added)]):
            if one is None:
                yield package, config.values
            elif not one.overrides:
                yield from self._chosen(one, (*chain, path))

    def _chosen(self, entry: Entry, chain: tuple[str, ...]) -> Iterator[tuple[str, dict[Any, Any]]]:
        """Yield the values of the files of an entry, or of the files that replace them."""
        if entry.chosen:
            if entry.key in self._made:
                added = next((word for one, word in self._added.items() if one.key == entry.key), None)
                why = f"without the +, {entry.group}=NAME takes its place" if added else "give one"
                raise UserError(f"{added or chain[-1]}: {entry.group} has a value; {why}")
            self._made.add(entry.key)
            if change := self._changes.get(entry.key):
                if change.leaves_out and change.names in (None, entry.names):
                    self._changed.add(entry.key)
                    return
                if not change.leaves_out:
                    self._changed.add(entry.key)
                    entry = replace(entry, names=change.names)
        for name in reversed((entry.names,) if isinstance(entry.names, str) else entry.names or ()):
            yield from self._file(entry, name, chain)

    def _missing(self, entry: Entry, path: str, chain: tuple[str, ...]) -> UserError:
        if not chain:
            return UserError(f"--config-name {path}: there is no {path}.yaml")
        group, _, name = path.rpartition("/")
        options = self._places.options(entry.group)
        if not (entry.chosen and isinstance(entry.names, str) and options):
            return UserError(f"{chain[-1]}: there is no {path}.yaml")
        for plugin in plugins():
            if name in getattr(plugin.module, REGISTRIES.get(entry.group, ""), {}):
                why = f"is in the plug-in {plugin.name}, but its CONFIGS has no file {path}.yaml"
                return UserError(f"{entry.group}={name}: {why}; its first line is name: {name}, then its parameters")
        return UserError(f"{entry.group}={entry.names}: must be one of {', '.join(options)}{closest(name, options)}")


def _entry(file: Path, item: Any, group: str, parent: str) -> Entry | None:
    """Return an entry of a list of defaults, or None for the values of the file itself.

    Parameters
    ----------
    item : object
        The entry in the file: NAME, or a mapping of a group to NAME.
    group : str
        The directory of the file.
    parent : str
        The package of the file.
    """
    if item == SELF:
        return None
    key, names = next(iter(item.items())) if isinstance(item, dict) and len(item) == 1 else (item, SELF)
    found = ENTRY.fullmatch(key) if isinstance(key, str) else None
    listed = names == SELF
    if not found or (listed and found["override"]) or not _are_names(names):
        raise UserError(f"{file}: defaults have NAME, GROUP: NAME and override GROUP: NAME, not {str(item)[:40]}")
    inner, name = found["path"], ""
    if listed:
        inner, _, name = inner.rpartition("/")
    directory = "/".join(filter(None, ("" if found["root"] else group, inner)))
    return Entry(
        directory,
        name if listed else tuple(names) if isinstance(names, list) else names,
        parent,
        found["package"],
        inner.replace("/", "."),
        chosen=not listed,
        overrides=bool(found["override"]),
    )


def _names(word: Override) -> Names:
    """Return the names that a word chooses, or raise `UserError` if its value is not a name."""
    if word.text is None:
        return None
    value = word.value()
    value = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if value is None or not _are_names(value):
        raise UserError(f"{word.word}: {', '.join(GROUPS)} take names; write other keys as KEY=VALUE")
    return tuple(value) if isinstance(value, list) else value


def _are_names(names: Any) -> bool:
    return names is None or isinstance(names, str) or isinstance(names, list) and all(isinstance(n, str) for n in names)
