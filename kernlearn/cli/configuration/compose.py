"""Compose configurations, which are plain data, from words and configuration files.

The result has only dictionaries, lists, texts, numbers and booleans. Composing looks up configuration files and values
in them. It has no access to classes, functions or environment variables, so the file of a stranger can reach none.
"""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from kernlearn.cli.configuration.choices import Choices, Places
from kernlearn.cli.configuration.grammar import GROUPS, MOST_CHARACTERS, REFERENCE, Override, read_word
from kernlearn.errors import UserError, closest
from kernlearn.plugins import config_directories

#: Maximum number of references in one configuration, and of the characters that they stand for.
MOST_REFERENCES, MOST_REFERRED = 100, 2**20
#: The value of a key that the user has to set.
MISSING = "???"


class Loader:
    """Composes configurations from the files of the user's directory, the package and plug-ins, in this order.

    A data set with a path is the user's own file. Experiments on such files have other defaults. These are in the
    directory ``own`` of the package, which then comes before the rest of the package.

    Raises `UserError` if there is no such directory.

    Parameters
    ----------
    directory : str or None
        The user's directory: ``dataset=mine`` chooses ``dataset/mine.yaml`` in it.
    name : str or None
        Name of the configuration to start from.

    Attributes
    ----------
    places : Places
        Where names are looked up.
    """

    def __init__(self, directory: str | None = None, name: str | None = None, *, own: bool = False) -> None:
        directories = config_directories(own=own)
        if directory is not None:
            place = Path(directory).expanduser().absolute()
            if "\0" in directory or not place.is_dir():
                raise UserError(f"--config-dir {directory}: is not a directory")
            directories.insert(0, place)
        self.places = Places(directories)
        self._name = name or "config"
        self._of_own_files = None if own else Loader(directory, name, own=True)
        self._own: dict[tuple[str, ...], bool] = {}

    def compose(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the configuration of some words, with references unresolved.

        Raises `UserError` if the words make no configuration, or if a file or word is refused.
        """
        overrides = [read_word(word) for word in words]
        length = sum(map(len, words))
        if length > MOST_CHARACTERS:
            raise UserError(f"the words of the command line have {length} characters, more than {MOST_CHARACTERS}")
        if self._of_own_files and self._are_of_own_file(overrides):
            return self._of_own_files._compose(overrides)
        return self._compose(overrides)

    def _compose(self, overrides: Sequence[Override]) -> dict[str, Any]:
        choices = [override for override in overrides if self._chooses(override)]
        config: dict[str, Any] = {}
        for package, values in Choices(self.places, choices).files(self._name):
            part = config
            for key in filter(None, package.split(".")):
                part[key] = part = part[key] if isinstance(part.get(key), dict) else {}
            _merge(part, values)
        for override in overrides:
            if override not in choices:
                _change(config, override)
        _check_references(config)
        _check_address(config, overrides)
        return config

    def _chooses(self, override: Override) -> bool:
        """Return whether a word makes a choice: GROUP=NAME, but not GROUP={KEY: VALUE}."""
        if (override.text or "").startswith("{"):
            return False
        return override.package is not None or "/" in override.key or self.places.is_group(override.key)

    def chosen(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the configuration that the choices among some words make, ignoring the other words."""
        choices = [word for word in words if self.places.is_group(word.lstrip("+").partition("=")[0])]
        try:
            return self.compose(choices)
        except UserError:
            return self.compose([])

    def _are_of_own_file(self, overrides: Sequence[Override]) -> bool:
        """Return whether some words choose a data set that has a path, even if its value is not given yet."""
        choices = [override for override in overrides if self._chooses(override)]
        words = tuple(override.word for override in choices)
        if words not in self._own:
            try:
                dataset = self._compose(choices).get("dataset")
            except UserError:  # composing all words will report the error
                dataset = None
            self._own[words] = isinstance(dataset, dict) and "path" in dataset
        return self._own[words]


def _merge(config: dict[Any, Any], values: dict[Any, Any], *, missing: bool = False) -> None:
    """Set values in a part of a configuration; mappings keep their other keys.

    With `missing`, a value can also be removed, so that the user has to give it.
    """
    for key, value in values.items():
        if isinstance(value, dict) and isinstance(config.get(key), dict):
            _merge(config[key], value, missing=missing)
        elif missing or key not in config or value != MISSING:
            config[key] = deepcopy(value)


def _change(config: dict[str, Any], override: Override) -> None:
    """Change, add or leave out a value, or raise `UserError` if that is impossible."""
    group, _, name = override.key.rpartition(".")
    adds = override.sign.startswith("+")
    part: Any = config
    for key in filter(None, group.split(".")):
        if adds and part.get(key) in (None, MISSING):
            part[key] = {}
        part = part.get(key)
        if not isinstance(part, dict):
            part, adds = {}, False
    value, there = (None if override.text is None else override.value()), part.get(name)
    if override.sign == "~":
        if name not in part or (override.text is not None and value != there):
            raise UserError(f"{override.word}: there is no such key to leave out")
        del part[name]
    elif name not in part and not adds:
        raise _unknown(config, override.key)
    elif override.sign == "+" and there not in (None, MISSING) and not isinstance(value, list | dict):
        raise UserError(f"{override.word}: {override.key} has a value; without the +, {override.key}=VALUE changes it")
    elif override.key in GROUPS and not adds and _has_more(value, there):
        raise UserError(f"{override.word}: takes a name, as in {override.key}=NAME")
    else:
        _merge(part, {name: value}, missing=True)


def _has_more(value: Any, there: Any) -> bool:
    return isinstance(value, dict) and isinstance(there, dict) and not value.keys() <= there.keys()


def _unknown(config: dict[str, Any], key: str) -> UserError:
    """Return the error for an unknown key. It suggests a similar key, or lists the keys of its group."""
    if key in ("kernel.approximate", "kernel.rank", "kernel.exact_gap"):
        return UserError(
            f"{key}: approximates the matrices of positive definite kernels; this choice of kernel has none"
        )
    group, _, name = key.rpartition(".")
    known = keys_of(config)
    own = [one for one in known if one.startswith(f"{group}.") and one != f"{group}.name"]
    if not group or not own:
        near = closest(key, known)
    elif closest(name, [one.removeprefix(f"{group}.") for one in own]):
        near = closest(key, own)
    else:
        near = f"; {group}={config[group].get('name')} has {', '.join(own)}"
    return UserError(f"{key}: unknown key (kernlearn run --cfg job shows those there are){near}")


def _check_references(config: dict[str, Any]) -> None:
    """Refuse references to references: a few lines of them would expand to any amount of memory."""
    references = REFERENCE.findall(str(config))
    if len(references) > MOST_REFERENCES:
        raise UserError(f"{len(references)} references, more than {MOST_REFERENCES}: write the values themselves")
    referred = 0
    for reference in references:
        try:
            target = str(_referred(config, "", reference))
        except UserError:
            continue  # reported where the value is needed
        referred += len(target)
        if "${" in target:
            raise UserError(f"${{{reference}}}: refers to a reference; write the value itself")
    if referred > MOST_REFERRED:
        raise UserError(f"references stand for {referred} characters, more than {MOST_REFERRED}")


def _referred(config: dict[str, Any], key: str, reference: str) -> Any:
    """Return the value of a reference that stands at a key."""
    target: Any = config
    for part in reference.split("."):
        if isinstance(target, list) and part.isdecimal() and int(part) < len(target):
            target = target[int(part)]
        elif isinstance(target, dict) and part in target:
            target = target[part]
        else:
            raise UserError(f"{key}: ${{{reference}}} refers to a key that does not exist")
    return target


def _check_address(config: dict[str, Any], overrides: Sequence[Override]) -> None:
    """Refuse the address of a scheduler that a file gives, because answers of a Dask scheduler are unpickled."""
    engine = config.get("engine")
    address = engine.get("address") if isinstance(engine, dict) else None
    if address not in (None, MISSING) and not any(override.key == "engine.address" for override in overrides):
        raise UserError(f"engine.address={address}: a file may not choose whom to trust; give it on the command line")


def plain(config: dict[str, Any]) -> dict[str, Any]:
    """Return a composed configuration with references replaced by their values and with absolute paths.

    Paths are absolute because the work may be done in another directory.

    Raises `UserError` if a value is missing or refers to nothing.
    """
    container: dict[str, Any] = _resolved(config, "", config)
    for group, key in ((container, "results_dir"), (container.get("dataset"), "path")):
        value = group.get(key) if isinstance(group, dict) else None
        if isinstance(group, dict) and isinstance(value, str) and value and not value.startswith("~"):
            group[key] = str(Path(value).absolute())
    return container


def _resolved(config: dict[str, Any], key: str, value: Any) -> Any:
    """Return a copy of a value of a configuration without references."""
    if isinstance(value, dict):
        return {name: _resolved(config, f"{key}.{name}".lstrip("."), one) for name, one in value.items()}
    if isinstance(value, list):
        return [_resolved(config, f"{key}.{i}", one) for i, one in enumerate(value)]
    if isinstance(value, str) and (whole := REFERENCE.fullmatch(value)):
        value = deepcopy(_referred(config, key, whole[1]))
    elif isinstance(value, str):
        value = REFERENCE.sub(lambda found: str(_referred(config, key, found[1])), value)
        if "${" in value:
            raise UserError(f"{key}: refers to a part of a reference; write the value itself")
    if value == MISSING:
        raise UserError(f"{key} is missing: give {key}=VALUE")
    return value


def compose_config(words: Sequence[str], directory: str | None = None) -> dict[str, Any]:
    """Return the configuration of some words, from files of a directory and the package, as plain data.

    Raises `UserError` if the words make no configuration.
    """
    return plain(Loader(directory).compose(words))


def keys_of(config: dict[str, Any]) -> list[str]:
    """Return the keys of a configuration and those of its groups, such as ``seed`` and ``algo.lambdas``."""
    inner = [f"{key}.{name}" for key, part in config.items() if isinstance(part, dict) for name in part]
    return [*map(str, config), *inner]
