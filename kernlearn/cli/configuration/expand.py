"""From the words of a command line to the configurations of many experiments."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from kernlearn.errors import UserError
from kernlearn.report.terminal import say

if TYPE_CHECKING:
    from kernlearn.cli.configuration.compose import Loader

#: A sweep of so many values of one word, or so many configurations apart from seeds, is taken for a slip of the finger.
MOST_VALUES, MOST_CONFIGURATIONS = 1_000_000, 5_000


def expand(words: Sequence[str], all_sets: Sequence[str], loader: "Loader") -> Iterator[dict[str, Any]]:
    """Yield the configurations of all combinations of comma-separated values and ranges, the first word slowest.

    ``dataset=all`` stands for `all_sets`. Of several methods each has the kernels that suit it
    (`kernlearn.cli.configuration.inputs`). Seeds, of which there may be thousands, are put into a configuration
    without making it anew.

    Raises
    ------
    UserError
        If a word is no override, or Hydra can make no configuration of a combination; or if only some of several
        methods have a parameter that is given.
    """
    from kernlearn.cli.configuration.compose import plain
    from kernlearn.cli.configuration.inputs import Inputs

    values = [alternatives(word, all_sets, loader) for word in words]
    inputs = Inputs(values)
    for note in inputs.notes:
        say(f"note       {note}")
    seeds = next((options for options in reversed(values) if options[0].startswith("seed=")), None)
    others = [options for options in values if not options[0].startswith("seed=")]
    if prod(map(len, others)) > MOST_CONFIGURATIONS:
        raise UserError(f"more than {MOST_CONFIGURATIONS} combinations, not counting seeds: make it several sweeps")
    for combination in dict.fromkeys(map(inputs.suited, product(*others))):
        if seeds is None:
            yield plain(loader.compose(combination))
            continue
        composed = loader.compose([*combination, seeds[0]])
        config = plain(composed)
        if "${seed}" in str(composed):  # another value follows the seed
            yield from (plain(loader.compose([*combination, word])) for word in seeds)
            continue
        for word in seeds:
            seed = word.removeprefix("seed=")
            yield {**config, "seed": int(seed) if seed.isdecimal() else seed}


def alternatives(word: str, all_sets: Sequence[str], loader: "Loader") -> list[str]:
    """Return the overrides that one word of a sweep stands for."""
    if word == "dataset=all" and all_sets:
        return [f"dataset={name}" for name in all_sets]
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.core.override_parser.types import RangeSweep
    from hydra.errors import HydraException

    from kernlearn.cli.configuration.compose import check_words
    from kernlearn.cli.configuration.explain import GROUPS, explain

    check_words([word])
    try:
        override = OverridesParser.create(config_loader=loader).parse_overrides([word])[0]
        if override.key_or_group in GROUPS and isinstance(override.value(), list | dict):
            raise UserError(f"{word}: takes names, as in {override.key_or_group}=NAME,NAME")
        if not override.is_sweep_override():
            return [word]
        value = override.value()
        if isinstance(value, RangeSweep):
            _check_length(word, value.start, value.stop, value.step)
        head = word.partition("=")[0]
        found = [f"{head}={value}" for value in override.sweep_string_iterator()]
    except (HydraException, ValueError, NotImplementedError, RecursionError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(explain(error, [word])) from error
    if not found:
        raise UserError(f"{word}: stands for no values")
    return found


def _check_length(word: str, start: Any, stop: Any, step: Any) -> None:
    """Refuse a range that is too long, or has no end, before it is written out."""
    if step == 0:
        raise UserError(f"{word}: the step of a range must not be 0")
    try:
        few = (stop - start) / step <= MOST_VALUES
    except (ArithmeticError, TypeError):
        few = False
    if not few:
        raise UserError(f"{word}: stands for more than {MOST_VALUES} values")
