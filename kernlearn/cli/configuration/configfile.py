"""Configuration files, which may come from anywhere: read as data within stated bounds, or refused in one line."""

import io
import os
import re
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from hydra.core.object_type import ObjectType
from hydra.plugins.config_source import ConfigResult, ConfigSource
from omegaconf import OmegaConf
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from kernlearn.datasets.core.bounds import open_plain
from kernlearn.errors import UserError

#: Bounds of one file, far beyond any that a person writes.
LARGEST, DEEPEST = 2**16, 20
#: A reference to another value; whatever else begins with "${" would call a function of OmegaConf.
REFERENCE = re.compile(r"\$\{([a-zA-Z_]\w*(?:\.\w+)*)\}")
#: Hydra's own settings, wherever a key, a group or a package names them.
HYDRA = re.compile(r"(?:^|[\s/@.:+~])hydra(?:$|[\s/@.:])")


class CheckedSource(ConfigSource):
    """A directory of configuration files, each checked before anything is made of it."""

    @staticmethod
    def scheme() -> str:
        """Return the scheme of its addresses in a search path of Hydra."""
        return "checked"

    def load_config(self, config_path: str) -> ConfigResult:
        """Return the configuration of a file, or raise `UserError` that says why it is refused."""
        file = self._file(config_path)
        config, header = deepcopy(_parsed(file, _read(file)))  # Hydra changes what it is given
        return ConfigResult(provider=self.provider, path=self.full_path(), config=config, header=header)

    def is_group(self, config_path: str) -> bool:
        """Tell whether there is such a directory."""
        return inside(config_path) and Path(self.path, config_path).is_dir()

    def is_config(self, config_path: str) -> bool:
        """Tell whether there is such a file; pipes and devices are none."""
        return inside(config_path) and self._file(config_path).is_file()

    def available(self) -> bool:
        """Tell whether the directory is there."""
        return Path(self.path).is_dir()

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        """Return the names of files, of directories, or of both."""
        found: list[str] = []
        for name in os.listdir(Path(self.path, config_path)) if self.is_group(config_path) else ():
            if name.endswith(".yaml") or results_filter is not ObjectType.CONFIG:
                self._list_add_result(found, os.path.join(config_path, name), name, results_filter)
        return sorted(set(found))

    def _file(self, config_path: str) -> Path:
        return Path(self.path, self._normalize_file_name(config_path))


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
def _parsed(file: Path, text: str) -> tuple[Any, dict[str, str | None]]:
    """Return the configuration of a text, and what its first comment says of it.

    Raises
    ------
    UserError
        If it is no YAML; if it has aliases (which make a small file a large configuration), tags, or lists more than
        `DEEPEST` deep; if it sets anything of Hydra's own, which decides what is called; or if "${...}" is more than a
        reference to another value.
    """
    try:
        _check_events(file, text)
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        header = ConfigSource._get_header_dict(text)
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise _none(file, error) from None
    if not isinstance(root, MappingNode | None):
        raise UserError(f"{file}: must be a list of KEY: VALUE")
    if HYDRA.search(header.get("package") or ""):
        raise _sets_hydra(file)
    _check_nodes(file, root)
    try:
        return OmegaConf.load(io.StringIO(text)), header
    except Exception as error:  # OmegaConf refuses more than YAML does
        raise _none(file, error) from None


def check_references(where: object, text: str) -> None:
    """Raise `UserError` if a text calls a function; `REFERENCE` is all that may begin with "${"."""
    if "${" in REFERENCE.sub("", text):
        raise UserError(f"{where}: nothing but a plain reference, such as ${{seed}}, may stand in ${{...}}")


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


def _check_nodes(file: Path, node: Node | None, in_defaults: bool = False) -> None:
    """Look at every key and every text, and at the names in a list of defaults."""
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if HYDRA.search(str(key.value)):
                raise _sets_hydra(file, key)
            _check_nodes(file, key, in_defaults)
            _check_nodes(file, value, in_defaults or key.value == "defaults")
    elif isinstance(node, SequenceNode):
        for item in node.value:
            _check_nodes(file, item, in_defaults)
    elif isinstance(node, ScalarNode):
        check_references(f"{file}, line {node.start_mark.line + 1}", node.value)
        if in_defaults and HYDRA.search(node.value):
            raise _sets_hydra(file, node)


def _none(file: Path, error: Exception) -> UserError:
    """Return what is wrong with a file that is no configuration, and in which line if YAML says that."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    line = f", line {mark.line + 1}" if mark else ""
    return UserError(f"{file}{line}: is no configuration: {problem or ' '.join(str(error).split())}")


def _sets_hydra(file: Path, node: Node | None = None) -> UserError:
    line = f", line {node.start_mark.line + 1}" if node else ""
    return UserError(f"{file}{line}: a file may set nothing of Hydra's own, such as what is launched and logged")
