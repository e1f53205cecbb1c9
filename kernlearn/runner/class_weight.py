"""The key ``class_weight`` of a configuration: factors of the losses of the examples of a class."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.example_weights import balanced_factors
from kernlearn.datasets import Dataset
from kernlearn.errors import UserError, closest
from kernlearn.parameters import Number, is_number, shown

BALANCED = "balanced"
FACTOR = Number(positive=True)
#: Names that need no quotes on the command line.
PLAIN = re.compile(r"[A-Za-z0-9_.+-]+")
#: A mapping as a text: names, colons and factors.
MAPPING = re.compile(r"\{[^,]*:[^,:]*(,[^,]*:[^,:]*)*\}")
#: Classes that a message names.
NAMED = 10
ClassWeight = str | dict[str, float]


def check_class_weight(value: Any) -> ClassWeight | None:
    """Return a checked ``class_weight``, with the factors in the order of the names of their classes.

    A mapping may be a text, as the command line needs it for names with other letters and signs: ``"{>50K: 5}"``.

    Raises
    ------
    UserError
        If it is neither "balanced", nor a mapping of classes to numbers > 0, nor None.
    """
    if value is None or value == BALANCED:
        return value
    if isinstance(value, str) and MAPPING.fullmatch(value):
        value = _pairs(value[1:-1])
    if not isinstance(value, Mapping) or not value:
        allowed = f"{BALANCED}, a mapping such as {{NAME: 5}} of classes to numbers > 0, or null"
        raise UserError(f"class_weight={shown(value)}: must be {allowed}")
    return {str(key): FACTOR.check(f"class_weight.{shown(key)}", value[key]) for key in sorted(value, key=str)}


def name_classes(class_weight: ClassWeight, dataset: Dataset) -> ClassWeight:
    """Return the factors under the names that the classes of a data set have there.

    A class that is a number may be written in another way: 1 is the class "+1".

    Raises
    ------
    UserError
        If the data set has no such class.
    """
    if isinstance(class_weight, str):
        return class_weight
    return {_class_named(key, dataset): factor for key, factor in class_weight.items()}


def weights_of(class_weight: ClassWeight | None, classes: Sequence[str], y: Any) -> NDArray[np.float64] | None:
    """Return the factors of the losses of training examples, shape (n,); None if there are none.

    Parameters
    ----------
    class_weight : str, dict or None
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
    words = "{" + ",".join(f"{name}:{factor!r}" for name, factor in class_weight.items()) + "}"
    return words if all(map(PLAIN.fullmatch, class_weight)) else f'"{words}"'


def _pairs(text: str) -> dict[str, Any]:
    """Return the mapping that a text ``NAME: 5, NAME: 2`` says; what is no number stays a text."""
    pairs = [part.rpartition(":") for part in text.split(",")]
    return {name.strip(): float(value) if is_number(value) else value.strip() for name, _, value in pairs}


def _class_named(key: str, dataset: Dataset) -> str:
    names = dataset.classes
    alike = [name for name in names if name == key] or [name for name in names if _is_same_number(name, key)]
    if not alike:
        known = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
        raise UserError(f"class_weight.{shown(key)}: {dataset.name} has the classes {known}{closest(key, names)}")
    return alike[0]


def _is_same_number(name: str, key: str) -> bool:
    return is_number(name) and is_number(key) and float(name) == float(key)
