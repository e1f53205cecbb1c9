"""The keys of a person's own file, for verbs that take few others."""

from collections.abc import Sequence
from typing import Any

from kernlearn.datasets import OWN
from kernlearn.errors import UserError, closest
from kernlearn.parameters import Text
from kernlearn.runner.cell.cell import TASKS


def own_options(words: Sequence[str], keys: Sequence[str]) -> dict[str, Any]:
    """Return the keys that are given and their values; they have the same syntax as those of ``kernlearn run``.

    Raises `UserError` if a word is no such key with a value.

    Parameters
    ----------
    words : sequence of str
        ``KEY=VALUE`` or ``dataset.KEY=VALUE``.
    keys : sequence of str
        Those that may be given.
    """
    from kernlearn.cli.configuration.compose import compose_config

    words = [word.removeprefix("dataset.") for word in words]
    given = [word.partition("=")[0] for word in words]
    for word, key in zip(words, given, strict=True):
        if "=" not in word or key not in keys:
            raise UserError(f"{word}: give KEY=VALUE, with a key of {', '.join(keys)}{closest(key, keys)}")
    if not words:
        return {}
    prefixed = [word if word.startswith("task=") else f"dataset.{word}" for word in words]
    config = compose_config([f"dataset={OWN}", "dataset.path=FILE", *prefixed])
    if config["task"] not in TASKS:
        raise UserError(f"task={config['task']}: must be one of {', '.join(TASKS)}")
    found = {**config["dataset"], "task": config["task"]}
    own = {key: found[key] for key in given if found.get(key) is not None}
    if "target" in own:
        own["target"] = Text().check("target", own["target"])
    return own
