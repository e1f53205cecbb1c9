"""Configuration files, which may come from anywhere: read as data within stated bounds, or refused in one line."""

import io
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from omegaconf import OmegaConf
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from kernlearn.cli.configuration.grammar import DEEPEST, check_references
from kernlearn.datasets.core.bounds import open_plain
from kernlearn.errors import UserError

#: Bytes of one file, far beyond any that a person writes.
LARGEST = 2**16
PACKAGE = r"[\w$-]+(?:\.[\w$-]+)*"


@dataclass(frozen=True)
class ConfigFile:
    """What a configuration file says.

    Attributes
    ----------
    defaults : list
        What it chooses of other files.
    values : dict
    package : str or None
        Where its values go, if its first comment says that: ``# @package _global_``.
    n_bytes : int
        Of its text.
    """

    defaults: list[Any]
    values: dict[Any, Any]
    package: str | None
    n_bytes: int


def read_config(file: Path) -> ConfigFile:
    """Return what a configuration file says, or raise `UserError` that says why it is refused."""
    return _parsed(file, _read(file))


def inside(config_path: str) -> bool:
    """Tell whether a name stays in its directory."""
    return not config_path.startswith(("/", "~")) and ".." not in re.split(r"[/\\]", config_path)


def _read(file: Path) -> str:
    """Return the text of a configuration file: a plain file of at most `LARGEST` bytes in UTF-8."""
    try:
        with open_plain(file) as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror})") from None
    if len(content) > LARGEST:
        raise UserError(f"{file}: is longer than {LARGEST} bytes, which no configuration needs")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{file}: is not UTF-8 text") from None


@lru_cache(maxsize=256)  # a sweep composes as many configurations as it has runs, all of the same few files
def _parsed(file: Path, text: str) -> ConfigFile:
    """Return what a text says.

    Raises
    ------
    UserError
        If it is no YAML; if it has aliases (which make a small file a large configuration), tags, or lists more than
        `DEEPEST` deep; or if "${...}" is more than a reference to another value.
    """
    try:
        _check_events(file, text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise _none(file, error) from None
    if not isinstance(root, MappingNode | None):
        raise UserError(f"{file}: must be a list of KEY: VALUE")
    _check_nodes(file, root)
    try:
        values: Any = OmegaConf.to_container(OmegaConf.load(io.StringIO(text)))
    except Exception as error:  # OmegaConf refuses more than YAML does
        raise _none(file, error) from None
    defaults = values.pop("defaults", None) or []
    if not isinstance(defaults, list):
        raise UserError(f"{file}: defaults must be a list, such as [algo: vkr]")
    return ConfigFile(defaults, values, _package(file, text), len(text))


def _package(file: Path, text: str) -> str | None:
    """Return what the lines "# @..." before all else say of the package."""
    for line in filter(None, map(str.strip, text.splitlines())):
        if not re.match(r"#\s*@", line):
            break
        if found := re.match(r"#\s*@package\b(.*)", line):
            if not re.fullmatch(PACKAGE, name := found[1].strip()):
                raise UserError(f"{file}: # @package {name}: must be _global_ or a key, such as algo")
            return name
    return None


def _check_events(file: Path, text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            raise UserError(f"{file}, line {line}: an alias (*{event.anchor}); write the value itself")
        if getattr(event, "tag", None) is not None:
            raise UserError(
                f"{file}, line {line}: a tag ({event.tag}); values are texts, numbers, lists and KEY: VALUE"
            )
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise UserError(f"{file}, line {line}: is more than {DEEPEST} levels deep")


def _check_nodes(file: Path, node: Node | None) -> None:
    """Look at the references in every key and every text."""
    if isinstance(node, MappingNode):
        for pair in node.value:
            for one in pair:
                _check_nodes(file, one)
    elif isinstance(node, SequenceNode):
        for item in node.value:
            _check_nodes(file, item)
    elif isinstance(node, ScalarNode):
        check_references(f"{file}, line {node.start_mark.line + 1}", node.value)


def _none(file: Path, error: Exception) -> UserError:
    """Return what is wrong with a file that is no configuration, and in which line if YAML says that."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    line = f", line {mark.line + 1}" if mark else ""
    return UserError(f"{file}{line}: is no configuration: {problem or ' '.join(str(error).split())}")
