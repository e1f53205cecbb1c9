"""Expand the words of a command line to the configurations of many experiments."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

from kernlearn.cli.configuration.compose import Loader, plain
from kernlearn.cli.configuration.grammar import alternatives
from kernlearn.cli.configuration.inputs import Inputs
from kernlearn.errors import UserError
from kernlearn.report.terminal import say_note

#: A sweep of more configurations, not counting seeds, is taken for a typing error.
MOST_CONFIGURATIONS = 5_000
#: So are more seeds, each of which is planned before the first one runs.
MOST_SEEDS = 10_000


def expand(words: Sequence[str], all_sets: Sequence[str], loader: Loader) -> Iterator[dict[str, Any]]:
    """Yield the configurations of all combinations of comma-separated values and ranges.

    The value of the first word changes slowest. ``dataset=all`` stands for `all_sets`. Each method gets the kernels
    that suit it (`kernlearn.cli.configuration.inputs`). There may be thousands of seeds, so they are inserted into a
    configuration without composing it again.

    Raises `UserError` if a word is not an override, if a combination makes no configuration, or if only some of the
    methods have a given parameter.
    """
    all_sets = [f"dataset={name}" for name in all_sets]
    values = [
        all_sets if word == "dataset=all" and all_sets else alternatives(word, loader.places.options) for word in words
    ]
    inputs = Inputs(values)
    for note in inputs.notes:
        say_note(note)
    seeds = next((options for options in reversed(values) if options[0].startswith("seed=")), None)
    others = [options for options in values if not options[0].startswith("seed=")]
    if prod(map(len, others)) > MOST_CONFIGURATIONS:
        raise UserError(f"more than {MOST_CONFIGURATIONS} combinations, not counting seeds: use several sweeps")
    if seeds and len(seeds) > MOST_SEEDS:
        raise UserError(f"seed: {len(seeds)} seeds, more than {MOST_SEEDS}; use several sweeps")
    for combination in dict.fromkeys(map(inputs.suited, product(*others))):
        if seeds is None:
            yield plain(loader.compose(combination))
            continue
        composed = loader.compose([*combination, seeds[0]])
        config = plain(composed)
        if "${seed}" in str(composed):  # another value depends on the seed
            yield from (plain(loader.compose([*combination, word])) for word in seeds)
            continue
        for word in seeds:
            seed = word.removeprefix("seed=")
            yield {**config, "seed": int(seed) if seed.isdecimal() else seed}
