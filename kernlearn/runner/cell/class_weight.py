"""The key ``class_weight`` of a configuration: weights of the losses, by class."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.own.weights import balanced_factors
from kernlearn.datasets import Dataset
from kernlearn.datasets.core.cells import show_name
from kernlearn.datasets.core.columns import is_plain
from kernlearn.errors import UserError, closest
from kernlearn.parameters import Number, is_number, shown
from kernlearn.runner.cell.cell import Group

BALANCED = "balanced"
FACTOR = Number(positive=True)
#: A class and its weight in a mapping given as text. The name may be quoted; a single quote inside is doubled.
PAIR = re.compile(r"\s*('(?:[^']|'')*'|\"[^\"]*\"|[^',:{}][^,:{}]*?)\s*:\s*([^,:{}]+?)\s*(?:,|\Z)")
#: Names that need no quotes in such a text.
BARE = re.compile(r"[^\s',:{}\"\\]+")
#: Maximum number of classes in a message.
NAMED = 10
ClassWeight = str | Mapping[str, float]


def check_class_weight(value: Any) -> ClassWeight | None:
    """Return a checked ``class_weight``, with weights sorted by the names of their classes.

    A mapping may be a text, which the command line needs for names with special characters: ``"{>50K: 5}"``.
    Names may be quoted: ``"{'very ill': 5}"``.

    Raises `UserError` if it is not "balanced", a mapping of classes to numbers > 0, or None.
    """
    if value is None or value == BALANCED:
        return value
    pairs = list(value.items()) if isinstance(value, Mapping) else _pairs(value) if isinstance(value, str) else []
    if not pairs:
        allowed = f"{BALANCED}, a mapping such as {{NAME: 5}} of classes to numbers > 0, or null"
        raise UserError(f"class_weight={shown(value)}: must be {allowed}")
    factors = {}
    for key, factor in sorted(pairs, key=lambda pair: str(pair[0])):
        name = str(key).lower() if isinstance(key, bool) else str(key)
        _require_one(name, name in factors)
        factors[name] = FACTOR.check(f"class_weight.{shown(name)}", factor)
    return factors


def name_classes(class_weight: str | Group, dataset: Dataset) -> str | Group:
    """Return the weights under the names of the classes of a data set.

    A class that is a number may be written differently: 1 is the class "+1".

    Raises `UserError` if the data set has no such class, or two keys stand for the same class.
    """
    if isinstance(class_weight, str):
        return class_weight
    factors: dict[str, float] = {}
    for key, factor in class_weight.items():
        name = _class_named(key, dataset)
        _require_one(name, name in factors)
        factors[name] = factor
    return Group(factors)


def weights_of(class_weight: ClassWeight | None, classes: Sequence[str], y: Any) -> NDArray[np.float64] | None:
    """Return the weights of the losses of training examples, shape (n,), or None without weights.

    Parameters
    ----------
    class_weight : str, mapping or None
        From a planned experiment: classes have the names of the data set.
    classes : sequence of str
        All classes of the data set.
    y : integer array of shape (n,)
        The class index of each training example. Not used without weights.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        return balanced_factors(y, len(classes))[y]
    return np.array([class_weight.get(name, 1.0) for name in classes])[y]


def in_words(class_weight: ClassWeight) -> str:
    """Return the value in the syntax of the command line, quoting names with special characters."""
    if isinstance(class_weight, str):
        return class_weight
    if all(map(is_plain, class_weight)):
        return "{" + ",".join(f"{name}:{factor!r}" for name, factor in class_weight.items()) + "}"
    names = [name if BARE.fullmatch(name) else "'" + name.replace("'", "''") + "'" for name in class_weight]
    text = ",".join(f"{name}:{factor!r}" for name, factor in zip(names, class_weight.values(), strict=True))
    return as_word("{" + text + "}")


def as_word(text: str) -> str:
    """Return a text in quotes, so that the command line reads it as a text."""
    escaped = re.sub(r'(\\*)("|\Z)', lambda found: 2 * found[1] + (r"\"" if found[2] else ""), text)
    return f'"{escaped}"'


def _pairs(text: str) -> list[tuple[str, Any]]:
    """Return the pairs of a text ``{NAME: 5, NAME: 2}``, or none if it is not such a text."""
    if not (text.startswith("{") and text.endswith("}")):
        return []
    inner, start, pairs = text[1:-1], 0, []
    while start < len(inner):
        match = PAIR.match(inner, start)
        if not match:
            return []
        name, factor = match.groups()
        name = name[1:-1].replace("''", "'") if name[0] == "'" else name[1:-1] if name[0] == '"' else name
        pairs.append((name, float(factor) if is_number(factor) else factor))
        start = match.end()
    return pairs


def _require_one(name: str, given: bool) -> None:
    if given:
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
