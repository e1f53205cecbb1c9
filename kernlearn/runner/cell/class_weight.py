"""The key ``class_weight`` of a configuration: factors of the losses of the examples of a class."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.core.example_weights import balanced_factors
from kernlearn.datasets import Dataset
from kernlearn.datasets.core.cells import show_name
from kernlearn.datasets.core.columns import is_plain
from kernlearn.errors import UserError, closest
from kernlearn.parameters import Number, is_number, shown
from kernlearn.runner.cell.cell import Group

BALANCED = "balanced"
FACTOR = Number(positive=True)
#: A class and its factor in a mapping that is a text: the name may be in quotes; single ones it has twice inside.
PAIR = re.compile(r"\s*('(?:[^']|'')*'|\"[^\"]*\"|[^',:{}][^,:{}]*?)\s*:\s*([^,:{}]+?)\s*(?:,|\Z)")
#: Names that stand for themselves in such a text.
BARE = re.compile(r"[^\s',:{}\"\\]+")
#: Classes that a message names.
NAMED = 10
ClassWeight = str | Mapping[str, float]


def check_class_weight(value: Any) -> ClassWeight | None:
    """Return a checked ``class_weight``, with the factors in the order of the names of their classes.

    A mapping may be a text, as the command line needs it for names with other letters and signs: ``"{>50K: 5}"``.
    These may be in quotes: ``"{'very ill': 5}"``.

    Raises
    ------
    UserError
        If it is neither "balanced", nor a mapping of classes to numbers > 0, nor None.
    """
    if value is None or value == BALANCED:
        return value
    pairs = list(value.items()) if isinstance(value, Mapping) else _pairs(value) if isinstance(value, str) else []
    if not pairs:
        allowed = f"{BALANCED}, a mapping such as {{NAME: 5}} of classes to numbers > 0, or null"
        raise UserError(f"class_weight={shown(value)}: must be {allowed}")
    found = {}
    for key, factor in sorted(pairs, key=lambda pair: str(pair[0])):
        name = str(key).lower() if isinstance(key, bool) else str(key)
        _require_one(name, name in found)
        found[name] = FACTOR.check(f"class_weight.{shown(name)}", factor)
    return found


def name_classes(class_weight: str | Group, dataset: Dataset) -> str | Group:
    """Return the factors under the names that the classes of a data set have there.

    A class that is a number may be written in another way: 1 is the class "+1".

    Raises
    ------
    UserError
        If the data set has no such class, or two keys are one class.
    """
    if isinstance(class_weight, str):
        return class_weight
    found: dict[str, float] = {}
    for key, factor in class_weight.items():
        name = _class_named(key, dataset)
        _require_one(name, name in found)
        found[name] = factor
    return Group(found)


def weights_of(class_weight: ClassWeight | None, classes: Sequence[str], y: Any) -> NDArray[np.float64] | None:
    """Return the factors of the losses of training examples, shape (n,); None if there are none.

    Parameters
    ----------
    class_weight : str, mapping or None
        Of an experiment that is planned: classes have the names of the data set.
    classes : sequence of str
        All classes of the data set.
    y : integer array of shape (n,)
        The index of the class of every training example; not looked at where there are no factors.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        return balanced_factors(y, len(classes))[y]
    return np.array([class_weight.get(name, 1.0) for name in classes])[y]


def in_words(class_weight: ClassWeight) -> str:
    """Return it as the command line has it, in quotes where a name has other letters and signs."""
    if isinstance(class_weight, str):
        return class_weight
    if all(map(is_plain, class_weight)):
        return "{" + ",".join(f"{name}:{factor!r}" for name, factor in class_weight.items()) + "}"
    names = [name if BARE.fullmatch(name) else "'" + name.replace("'", "''") + "'" for name in class_weight]
    text = ",".join(f"{name}:{factor!r}" for name, factor in zip(names, class_weight.values(), strict=True))
    return as_word("{" + text + "}")


def as_word(text: str) -> str:
    """Return a text in the quotes in which the command line takes it for one."""
    escaped = re.sub(r'(\\*)("|\Z)', lambda found: 2 * found[1] + (r"\"" if found[2] else ""), text)
    return f'"{escaped}"'


def _pairs(text: str) -> list[tuple[str, Any]]:
    """Return what a text ``{NAME: 5, NAME: 2}`` says, or nothing if it is no such text."""
    if not (text.startswith("{") and text.endswith("}")):
        return []
    inner, start, pairs = text[1:-1], 0, []
    while start < len(inner):
        found = PAIR.match(inner, start)
        if not found:
            return []
        name, factor = found.groups()
        name = name[1:-1].replace("''", "'") if name[0] == "'" else name[1:-1] if name[0] == '"' else name
        pairs.append((name, float(factor) if is_number(factor) else factor))
        start = found.end()
    return pairs


def _require_one(name: str, there: bool) -> None:
    if there:
        raise UserError(f"class_weight: the class {shown(name)} has two factors; give one")


def _class_named(key: str, dataset: Dataset) -> str:
    names = dataset.classes
    alike = [name for name in names if name == key] or [name for name in names if _is_same_number(name, key)]
    if not alike:
        known = ", ".join(map(show_name, names[:NAMED])) + (", ..." if len(names) > NAMED else "")
        raise UserError(f"class_weight.{shown(key)}: {dataset.name} has the classes {known}{closest(key, names)}")
    return alike[0]


def _is_same_number(name: str, key: str) -> bool:
    return is_number(name) and is_number(key) and float(name) == float(key)
