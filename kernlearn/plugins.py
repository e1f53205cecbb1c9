"""Plug-ins: installed packages that add algorithms, kernels, data sets and protocols.

A package names a module of its own in its metadata::

    [project.entry-points."kernlearn.plugins"]
    mine = "kernlearn_mine"

and the module has dictionaries that are called as the registries are (``ALGORITHMS``, ``FAMILIES`` with
``KERNEL_PARAMETERS``, ``CATALOGUE``, ``PROTOCOLS``; those it needs), ``CONFIGS``, the directory of its configuration
files (``algo/NAME.yaml``, ...), and ``PAPERS``, the name of a package of tables and figures
(`kernlearn.papers.core.index`). It is imported when a registry is first looked into, in every process of
a run alike. To install a package is to trust it; a configuration file or a data file names no code.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from kernlearn.errors import UserError

GROUP = "kernlearn.plugins"

T = TypeVar("T")


@dataclass(frozen=True)
class Plugin:
    """An installed plug-in."""

    #: As its package calls it.
    name: str
    #: The name of the package.
    package: str
    #: With the dictionaries and ``CONFIGS``.
    module: Any


#: The plug-ins that are installed, once they are imported.
_plugins: list[Plugin] | None = None


def plugins() -> list[Plugin]:
    """Return the installed plug-ins, sorted by name; they are imported when asked for the first time.

    Raises `UserError` if one cannot be imported.
    """
    global _plugins
    if _plugins is None:
        _plugins = []  # all that a plug-in sees of others while it is imported
        try:
            _plugins = [_load(point) for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)]
        except UserError:
            _plugins = None
            raise
    return _plugins


def _load(point: Any) -> Plugin:
    try:
        return Plugin(point.name, point.dist.name, point.load())
    except Exception as error:
        raise UserError(
            f"the plug-in {point.name} cannot be imported: {type(error).__name__}: {error}; mend or uninstall "
            f"{point.dist.name} {point.dist.version}"
        ) from error


def config_directories(*, own: bool = False) -> list[Path]:
    """Return the directories of configuration files: that which comes with kernlearn, then those of plug-ins.

    With `own` the first has what is different for files of one's own.

    Raises `UserError` if one is not there.
    """
    directories = [Path(str(files("kernlearn.configs") / "config.yaml")).parent]
    if own:
        directories.insert(0, directories[0] / "own")
    for plugin in plugins():
        if hasattr(plugin.module, "CONFIGS"):
            directories.append(Path(plugin.module.CONFIGS))
            if not directories[-1].is_dir():
                raise UserError(f"the plug-in {plugin.name} of {plugin.package} has no directory {directories[-1]}")
    return directories


def choices(group: str) -> list[str]:
    """Return what there is to choose in a group such as ``algo``: the names of its configuration files, sorted."""
    return sorted(file.stem for directory in config_directories() for file in directory.glob(f"{group}/*.yaml"))


def described(group: str) -> list[tuple[str, str]]:
    """Return what there is to choose in a group, sorted, with the comment that its configuration file begins with.

    That takes no import of the algorithms, which take a second.
    """
    files = {file.stem: file for directory in config_directories() for file in directory.glob(f"{group}/*.yaml")}
    first = {name: file.read_text(encoding="utf-8").partition("\n")[0] for name, file in sorted(files.items())}
    return [(name, line.removeprefix("# ") if line.startswith("# ") else "") for name, line in first.items()]


class Registry(MutableMapping[str, T]):
    """What there is of one kind, by name: what comes with kernlearn, then what plug-ins add.

    Parameters
    ----------
    kind : str
        What the dictionaries are called, here and in plug-ins.
    own : mapping, or callable
        What comes with kernlearn, or what returns it when it is first asked for.
    """

    def __init__(self, kind: str, own: Mapping[str, T] | Callable[[], Mapping[str, T]]):
        self.kind, self._own = kind, own
        self._seen: list[Plugin] = []

    @cached_property
    def _entries(self) -> dict[str, T]:
        return dict(self._own() if callable(self._own) else self._own)

    def _all(self) -> dict[str, T]:
        for plugin in plugins():
            if plugin not in self._seen:
                self._seen.append(plugin)
                for name, entry in getattr(plugin.module, self.kind, {}).items():
                    if name in self._entries:
                        raise UserError(
                            f"the plug-in {plugin.name} gives {self.kind} a second {name!r}: rename it, or uninstall "
                            f"{plugin.package}"
                        )
                    self._entries[name] = entry
        return self._entries

    def __getitem__(self, name: str) -> T:
        if not isinstance(name, str):  # a list of a configuration, which is no key
            raise KeyError(name)
        return self._all()[name]

    def __setitem__(self, name: str, entry: T) -> None:
        self._entries[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())
