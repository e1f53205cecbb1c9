"""From words and configuration files to configurations that are plain data.

Hydra is given files and words to compose, and nothing to make: its own settings (``hydra.*``), which name classes to
instantiate, modules to import and files to write, can be set by neither, and those of a composed configuration are
thrown away. What is left is resolved without functions, and turned into dictionaries, lists, texts and numbers.
"""

from collections.abc import Sequence
from copy import copy, deepcopy
from pathlib import Path
from typing import Any, ClassVar

from hydra import version
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import CachingConfigRepository, ConfigRepository
from hydra._internal.config_search_path_impl import ConfigSearchPathImpl
from hydra._internal.sources_registry import SourcesRegistry
from hydra.core.override_parser.overrides_visitor import HydraOverrideVisitor
from hydra.core.plugins import Plugins
from hydra.plugins.config_source import ConfigResult
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf, open_dict
from omegaconf.errors import OmegaConfBaseException

from kernlearn.cli.configuration.configfile import DEEPEST, HYDRA, REFERENCE, CheckedSource, check_references, inside
from kernlearn.cli.configuration.explain import GROUPS, UNKNOWN_KEY, explain
from kernlearn.errors import UserError, closest
from kernlearn.plugins import config_directories

#: Bounds of a command line.
MOST_CHARACTERS, MOST_REFERENCES = 100_000, 100
#: Files, each as often as it is asked for, of one configuration.
MOST_FILES = 1_000


def _elements(visitor: HydraOverrideVisitor, context: Any) -> list[Any]:
    """Return the elements of a list; Hydra looks for every one from the first on, 10 s for thousands of them."""
    return [visitor.visitElement(element) for element in context.element()]


HydraOverrideVisitor.visitListContainer = _elements  # type: ignore[method-assign,assignment]


class Loader(ConfigLoaderImpl):
    """Composes the configurations of the package and of a directory of one's own, in which names are looked up first.

    Where the data set is a file of one's own, which has a path, names are looked up in ``own`` of the package, too,
    before its others: experiments on such files have other defaults.

    Parameters
    ----------
    directory : str or None
        The directory: ``dataset/mine.yaml`` in it is chosen by ``dataset=mine``.
    name : str or None
        Of the whole configuration to begin with.

    Raises
    ------
    UserError
        If there is no such directory.
    """

    def __init__(self, directory: str | None = None, name: str | None = None, *, own: bool = False) -> None:
        version.setbase("1.3")
        Plugins.instance()  # registers the sources of Hydra's own defaults
        SourcesRegistry.instance().register(CheckedSource)
        search = ConfigSearchPathImpl()
        search.append("hydra", "pkg://hydra.conf")
        if directory is not None:
            place = Path(directory).expanduser().absolute()
            if "\0" in directory or not place.is_dir():
                raise UserError(f"--config-dir {directory}: is no directory")
            search.append("command-line", f"checked://{place}")
        for place in config_directories(own=own):
            search.append("main", f"checked://{place}")
        search.append("schema", "structured://")
        super().__init__(search)
        self.name = name or "config"
        self.repository = _Repository(search)
        self.of_own_files = None if own else Loader(directory, name, own=True)
        self._own: dict[tuple[str, ...], bool] = {}

    def compose(self, words: Sequence[str], hint: bool = True) -> DictConfig:
        """Return the configuration that words make, its references unresolved.

        Raises
        ------
        UserError
            If they make none, or a file or word is refused.
        """
        if self.of_own_files and self._are_of_own_file(words):
            return self.of_own_files.compose(words, hint)
        return self._compose(words, hint)

    def _compose(self, words: Sequence[str], hint: bool) -> DictConfig:
        try:
            config = self.load_configuration(self.name, list(words), run_mode=RunMode.RUN)
            with open_dict(config):
                del config["hydra"]
            _check_chains(config)
            _check_address(config, words)
        except UserError:
            raise
        except Exception as error:  # Hydra and OmegaConf raise almost anything on files and words that are wrong
            unknown = UNKNOWN_KEY.search(str(error))
            # Not of the choices alone: they are what is asked for a name that is near, and would ask again.
            asked = hint and unknown and unknown[1] not in GROUPS and _says(words, unknown[1])
            near = _near(unknown[1], self.chosen(words)) if asked and unknown else ""
            raise UserError(explain(error, words) + near) from error
        return config

    def chosen(self, words: Sequence[str]) -> DictConfig:
        """Return the configuration that the choices among some words make, whatever the others say."""
        choices = self._choices(words)
        try:
            return self.compose(choices, hint=False)
        except UserError:
            return self.compose([], hint=False)

    def _choices(self, words: Sequence[str]) -> list[str]:
        return [word for word in words if self.repository.group_exists(word.lstrip("+").partition("=")[0])]

    def _are_of_own_file(self, words: Sequence[str]) -> bool:
        """Tell whether the choices among some words choose a data set that has a path."""
        choices = tuple(self._choices(words))
        if choices not in self._own:
            try:
                dataset = self._compose(choices, hint=False).get("dataset")
            except UserError:  # the whole will say what is wrong
                dataset = None
            self._own[choices] = (
                isinstance(dataset, DictConfig) and "path" in dataset.keys()
            )  # also one that is still to be said
        return self._own[choices]

    def _parse_overrides_and_create_caching_repo(self, config_name: str | None, overrides: list[str]) -> Any:
        """Look at the words before anything is made of them; whatever Hydra does with words begins here."""
        check_words(overrides)
        parsed, _ = super()._parse_overrides_and_create_caching_repo(config_name, overrides)
        for override in parsed:
            if HYDRA.search(f"{override.key_or_group}@{override.package or ''}"):
                raise UserError(f"{override.input_line}: {HYDRA_WORDS}")
        return parsed, _Counting(self.repository)


HYDRA_WORDS = "of Hydra's own settings, kernlearn run -m takes hydra/launcher=NAME and hydra.launcher.KEY=VALUE alone"


class _Repository(ConfigRepository):
    """Files of the search path, and none beside it; Hydra's own, which nobody else's come before, are read once."""

    of_hydra: ClassVar[dict[str, ConfigResult]] = {}

    def load_config(self, config_path: str) -> ConfigResult | None:
        if config_path not in self.of_hydra:
            result = super().load_config(config_path) if inside(config_path) else None
            if result is None or result.provider != "hydra":
                return result
            self.of_hydra[config_path] = result
        return deepcopy(self.of_hydra[config_path])  # Hydra changes what it is given

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Repository":
        """Hydra copies it twice for every composition, in case its list of sources is set anew."""
        return copy(self)


class _Counting(CachingConfigRepository):
    """Files that are asked for during one composition: lists of defaults that name each other twice ask for ever."""

    asked = 0

    def load_config(self, config_path: str) -> ConfigResult | None:
        self.asked += 1
        if self.asked > MOST_FILES:
            raise UserError(f"{config_path}: its lists of defaults lead to more than {MOST_FILES} files")
        return super().load_config(config_path)


def check_words(words: Sequence[str]) -> None:
    """Raise `UserError` for words of a size or depth that a parser would take ages for, and for calls of functions."""
    length = sum(map(len, words))
    if length > MOST_CHARACTERS:
        raise UserError(f"the words of the command line have {length} characters, more than {MOST_CHARACTERS}")
    for word in words:
        depth = 0
        for letter in word:
            depth += (letter in "([{") - (letter in ")]}")
            if depth > DEEPEST:
                raise UserError(f"{word[:40]}...: is more than {DEEPEST} levels deep")
        if HYDRA.search(word.partition("=")[0]):
            raise UserError(f"{word}: {HYDRA_WORDS}")
        check_references(word[:40], word)


def _check_chains(config: DictConfig) -> None:
    """Refuse references to what has references itself: a few lines of such would stand for any amount of memory."""
    raw: Any = OmegaConf.to_container(config, resolve=False)
    references = REFERENCE.findall(str(raw))
    if len(references) > MOST_REFERENCES:
        raise UserError(f"{len(references)} references, more than {MOST_REFERENCES}: write the values themselves")
    for reference in references:
        first, *rest = reference.split(".")
        target = raw.get(first)
        for part in rest:
            if not isinstance(target, dict) or part not in target:
                break  # a place in a list, or nothing: what surrounds it decides
            target = target[part]
        if "${" in str(target):
            raise UserError(f"${{{reference}}}: refers to a reference; write the value itself")


def _check_address(config: DictConfig, words: Sequence[str]) -> None:
    """Refuse the address of a scheduler that a file names: what a scheduler of Dask answers is unpickled."""
    engine = config.get("engine")
    address = engine.get("address") if isinstance(engine, DictConfig) and "address" in engine else None
    if address is not None and not any(word.lstrip("+").startswith("engine.address=") for word in words):
        raise UserError(f"engine.address={address}: a file may not choose whom to trust; give it on the command line")


def plain(config: DictConfig) -> dict[str, Any]:
    """Return a composed configuration as dictionaries and lists.

    References are replaced by what they refer to, and paths made absolute: the work may be done elsewhere.

    Raises
    ------
    UserError
        If a value is missing or refers to nothing.
    """
    try:
        container: Any = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        raise UserError(explain(error, [])) from error
    for group, key in ((container, "results_dir"), (container.get("dataset"), "path")):
        value = group.get(key) if isinstance(group, dict) else None
        if isinstance(value, str) and value and not value.startswith("~"):
            group[key] = str(Path(value).absolute())
    return container


def compose_config(words: Sequence[str], directory: str | None = None) -> dict[str, Any]:
    """Return the configuration that words make of those of the package and of a directory, as plain data.

    Raises
    ------
    UserError
        If they make none.
    """
    return plain(Loader(directory).compose(words))


def _says(words: Sequence[str], key: str) -> bool:
    return any(word.lstrip("+~").startswith(key) for word in words)


def _near(key: str, config: DictConfig) -> str:
    """Return the key that was meant by one that is none, or those that its group has."""
    group, _, name = key.rpartition(".")
    known = keys_of(config)
    own = [one for one in known if one.startswith(f"{group}.") and one != f"{group}.name"]
    if not group or not own:
        return closest(key, known)
    if closest(name, [one.removeprefix(f"{group}.") for one in own]):
        return closest(key, own)
    return f"; {group}={config[group].get('name')} has {', '.join(own)}"


def keys_of(config: DictConfig) -> list[str]:
    """Return the keys of a configuration and those of its groups, such as ``seed`` and ``algo.lambdas``."""
    keys = [str(key) for key in config]
    groups = [key for key in keys if isinstance(config._get_node(key), DictConfig)]
    return keys + [f"{key}.{inner}" for key in groups for inner in config[key]]
