"""From the words of a command line to the configurations of a sweep."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, product
from math import prod
from typing import Any

from kernlearn.cli.run import explain
from kernlearn.errors import UserError

#: A sweep of so many values of one word, or so many configurations apart from seeds, is taken for a slip of the finger.
MOST_VALUES, MOST_CONFIGURATIONS = 1_000_000, 5_000


def compose_config(words: Sequence[str]) -> dict[str, Any]:
    """Return the configuration that Hydra makes of overrides.

    Raises
    ------
    UserError
        If it can make none.
    """
    with _loader() as compose:
        return compose(words)


def expand(words: Sequence[str], all_sets: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the configurations of all combinations of comma-separated values and ranges, the first word slowest.

    ``dataset=all`` stands for `all_sets`. Seeds, of which there may be thousands, are put into a configuration
    without making it anew.

    Raises
    ------
    UserError
        If a word is no override, or Hydra can make no configuration of a combination.
    """
    values = [alternatives(word, all_sets) for word in words]
    seeds = next((options for options in reversed(values) if options[0].startswith("seed=")), None)
    others = [options for options in values if not options[0].startswith("seed=")]
    if prod(map(len, others)) > MOST_CONFIGURATIONS:
        raise UserError(f"more than {MOST_CONFIGURATIONS} combinations, not counting seeds: make it several sweeps")
    with _loader() as compose:
        for combination in product(*others):
            config = compose(combination)
            if seeds is None:
                yield config
                continue
            for word in seeds:
                seed = word.removeprefix("seed=")
                yield {**config, "seed": int(seed) if seed.isdecimal() else seed}


def alternatives(word: str, all_sets: Sequence[str]) -> list[str]:
    """Return the overrides that one word of a sweep stands for."""
    if word == "dataset=all":
        return [f"dataset={name}" for name in all_sets]
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.errors import HydraException

    if word.startswith("-"):
        raise UserError(f"{word}: no such option (kernlearn sweep --help)")
    try:
        override = OverridesParser.create().parse_override(word)
        if override.key_or_group.partition(".")[0] == "hydra":
            raise UserError(f"{word}: a sweep is not run by Hydra; use engine=..., or kernlearn run -m")
        if not override.is_sweep_override():
            return [word]
        head = word.partition("=")[0]
        found = [f"{head}={value}" for value in islice(override.sweep_string_iterator(), MOST_VALUES + 1)]
    except (HydraException, ValueError, NotImplementedError, RecursionError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(explain(error, [word])) from error
    if not 0 < len(found) <= MOST_VALUES:
        raise UserError(f"{word}: stands for {f'more than {MOST_VALUES}' if found else 'no'} values")
    return found


@contextmanager
def _loader() -> Iterator[Callable[[Sequence[str]], dict[str, Any]]]:
    """Hydra at the ready; its errors come out as `UserError`."""
    from hydra import compose, initialize_config_module
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    def make(words: Sequence[str]) -> dict[str, Any]:
        try:
            config = compose("config", list(words))
            container: Any = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
        except (HydraException, OmegaConfBaseException, ValueError, RecursionError) as error:
            raise UserError(explain(error, list(words))) from error
        return container

    with initialize_config_module("kernlearn.configs", version_base="1.3"):
        yield make
