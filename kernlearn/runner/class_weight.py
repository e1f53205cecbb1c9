"""The key ``class_weight`` of a configuration: factors of the losses of the examples of a class."""

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
#: Classes that a message names.
NAMED = 10
ClassWeight = str | dict[str, float]


def check_class_weight(value: Any) -> ClassWeight | None:
    """Return a checked ``class_weight``, with the factors in the order of the names of their classes.

    Raises
    ------
    UserError
        If it is neither "balanced", nor a mapping of classes to numbers > 0, nor None.
    """
    if value is None or value == BALANCED:
        return value
    if not isinstance(value, Mapping) or not value:
        allowed = f"{BALANCED}, a mapping such as {{NAME: 5}} of classes to numbers > 0, or null"
        raise UserError(f"class_weight={shown(value)}: must be {allowed}")
    return {name: FACTOR.check(f"class_weight.{name}", value[key]) for name, key in sorted((str(k), k) for k in value)}


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


def weights_of(class_weight: ClassWeight | None, classes: Sequence[str], y: NDArray[Any]) -> NDArray[np.float64] | None:
    """Return the factors of the losses of training examples, shape (n,); None if there are none.

    Parameters
    ----------
    class_weight : str, dict or None
        Of an experiment that is planned: classes have the names of the data set.
    classes : sequence of str
        All classes of the data set.
    y : integer array of shape (n,)
        The index of the class of every training example.
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        return balanced_factors(y, len(classes))[y]
    return np.array([class_weight.get(name, 1.0) for name in classes])[y]


def in_words(class_weight: ClassWeight) -> str:
    """Return it as the command line has it: mappings without quotes."""
    if isinstance(class_weight, str):
        return class_weight
    return "{" + ",".join(f"{name}:{factor:.12g}" for name, factor in class_weight.items()) + "}"


def _class_named(key: str, dataset: Dataset) -> str:
    names = dataset.classes
    alike = [name for name in names if name == key] or [name for name in names if _is_same_number(name, key)]
    if not alike:
        known = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
        raise UserError(f"class_weight.{key}: {dataset.name} has the classes {known}{closest(key, names)}")
    return alike[0]


def _is_same_number(name: str, key: str) -> bool:
    return is_number(name) and is_number(key) and float(name) == float(key)
