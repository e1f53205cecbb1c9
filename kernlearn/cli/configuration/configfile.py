"""Read configuration files as data within stated bounds, or refuse them in one line. They may come from anywhere."""

import io
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from kernlearn.cli.configuration.grammar import check_references
from kernlearn.datasets.core.bounds import open_plain
from kernlearn.datasets.core.plain_yaml import check_plain, not_yaml
from kernlearn.errors import UserError

#: Maximum bytes of one file, far more than a person writes.
LARGEST = 2**16
#: What a file should be, for messages.
CONFIGURATION = "a configuration"
PACKAGE = r"[\w$-]+(?:\.[\w$-]+)*"


@dataclass(frozen=True)
class ConfigFile:
    """The content of a configuration file."""

    #: Its choices of other files.
    defaults: list[Any]
    values: dict[Any, Any]
    #: Where its values go, if its first comment gives a package: ``# @package _global_``.
    package: str | None
    #: The length of its text.
    n_bytes: int


def read_config(file: Path) -> ConfigFile:
    """Return the content of a configuration file, or raise `UserError` with the reason why it is refused."""
    return _parsed(file, _read(file))


def inside(config_path: str) -> bool:
    """Return whether a path stays inside its directory."""
    return not config_path.startswith(("/", "~")) and ".." not in re.split(r"[/\\]", config_path)


def _read(file: Path) -> str:
    """Return the text of a configuration file: a plain file of at most `LARGEST` bytes in UTF-8."""
    try:
        with open_plain(file) as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"{file}: cannot be read ({error.strerror})") from None
    if len(content) > LARGEST:
        raise UserError(f"{file}: is longer than {LARGEST} bytes, the limit for configuration files")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{file}: is not UTF-8 text") from None


@lru_cache(maxsize=256)  # each run of a sweep composes a configuration from the same few files
def _parsed(file: Path, text: str) -> ConfigFile:
    """Return the content of a text.

    Raises `UserError` if it is not YAML. Raises `UserError` also if it has tags, lists nested deeper than `DEEPEST`, or
    aliases, which can make a large configuration from a small file; or if "${...}" is more than a reference to another
    value.
    """
    root = check_plain(file, text, CONFIGURATION)
    if not isinstance(root, MappingNode | None):
        raise UserError(f"{file}: must be a list of KEY: VALUE")
    _check_nodes(file, root)
    try:
        values: Any = OmegaConf.to_container(OmegaConf.load(io.StringIO(text)))
    except Exception as error:  # OmegaConf refuses more than YAML does
        raise not_yaml(file, CONFIGURATION, error) from None
    defaults = values.pop("defaults", None) or []
    if not isinstance(defaults, list):
        raise UserError(f"{file}: defaults must be a list, such as [algo: vkr]")
    return ConfigFile(defaults, values, _package(file, text), len(text))


def _package(file: Path, text: str) -> str | None:
    """Return the package that the lines "# @..." at the top of a file give."""
    for line in filter(None, map(str.strip, text.splitlines())):
        if not re.match(r"#\s*@", line):
            break
        if found := re.match(r"#\s*@package\b(.*)", line):
            if not re.fullmatch(PACKAGE, name := found[1].strip()):
                raise UserError(f"{file}: # @package {name}: must be _global_ or a key, such as algo")
            return name
    return None


def _check_nodes(file: Path, node: Node | None) -> None:
    """Check the references in every key and every text."""
    if isinstance(node, MappingNode):
        for pair in node.value:
            for one in pair:
                _check_nodes(file, one)
    elif isinstance(node, SequenceNode):
        for item in node.value:
            _check_nodes(file, item)
    elif isinstance(node, ScalarNode):
        check_references(f"{file}, line {node.start_mark.line + 1}", node.value)
