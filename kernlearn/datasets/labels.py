"""From the cells of a target to classes, whose labels are exact texts, or to real numbers."""

import re
from collections.abc import Sequence
from decimal import Context, Decimal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.cells import Coded, Numerals, show
from kernlearn.errors import UserError

#: A label that is a number; "1_0" is one for Python only, and "nan" is a word.
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
#: Whole numbers of more digits than this are written with an exponent.
DIGITS = 40
POINT = Numerals()
#: Said of the key that keeps spellings apart.
APART = "dataset.types={NAME: text} of the target keeps them apart"


def coded_labels(labels: Sequence[str]) -> Coded:
    """Return labels, one an example, as the different ones among them."""
    place = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return Coded(np.array([place[label] for label in labels], dtype=np.int64), list(place))


def classes_of(
    file: Path, labels: Coded, *, exact: bool = False, apart: str = APART
) -> tuple[NDArray[np.int64], tuple[str, ...], tuple[str, ...]]:
    """Return the index of the class of every example, the classes, and remarks.

    Labels are never rounded, and a class is called as it is written. If all labels are decimal numbers, spellings of
    one number ("1", "1.0" and "+1"; also "2.1" and "2.10", as in every program that reads numbers) are one class. It
    is called by the plain number, which a remark says.

    Parameters
    ----------
    file : Path
        For messages.
    labels : Coded
        Every example has one.
    exact : bool
        Whether labels are texts, of which different ones are different classes also if they are one number.
    apart : str
        What a remark on merged spellings says of how they are kept apart.

    Returns
    -------
    y : ndarray of shape (n,)
    classes : tuple of str
        Sorted as numbers if all are numbers, else alphabetically.
    remarks : tuple of str

    Raises
    ------
    UserError
        If there is one class only, or every one of more than two examples has its own.
    """
    values = [_value(label) for label in labels.texts]
    numeric = all(value is not None for value in values)
    names, remarks = dict(zip(labels.texts, labels.texts, strict=True)), []
    if numeric and not exact:
        spellings: dict[Decimal | None, list[str]] = {}
        for label, value in sorted(zip(labels.texts, values, strict=True)):
            spellings.setdefault(value, []).append(label)
        names = {label: _name(value, same) for value, same in spellings.items() if value is not None for label in same}
        remarks = [
            f"labels {' and '.join(map(show, same))} are one class, {show(names[same[0]])}, since they are one number "
            f"({apart})"
            for same in spellings.values()
            if len(same) > 1
        ]
    merged = labels.merged([names[label] for label in labels.texts])
    n = len(merged.codes)
    if len(merged.texts) == 1:
        raise UserError(f"{file}: all {n} examples are of class {show(merged.texts[0])}; two are needed")
    if len(merged.texts) == n > 2:
        advice = "are these real targets (task=regression)?" if numeric else "is that the right target?"
        raise UserError(f"{file}: all {n} examples differ in their class; {advice}")
    classes = sorted(merged.texts, key=(lambda name: (Decimal(name), name)) if numeric else None)
    index = {name: i for i, name in enumerate(classes)}
    y = np.array([index[name] for name in merged.texts], dtype=np.int64)[merged.codes]
    return y, tuple(classes), tuple(remarks)


def check_targets(file: Path, targets: NDArray[np.float64]) -> None:
    """Raise `UserError` if finite real targets are all the same."""
    if (targets == targets[0]).all():
        raise UserError(f"{file}: all {len(targets)} targets are {targets[0]:g}; there is nothing to learn")


def target_value(file: Path, label: str, numerals: Numerals = POINT) -> float:
    """Return a real target that is written in a file.

    Raises
    ------
    UserError
        If it is no finite number.
    """
    value = numerals.value(label)
    if value is None:
        raise UserError(
            f"{file}: the target {show(label)} is no number, which task=regression needs: name another column "
            "(dataset.target=NAME), or leave out task=regression to tell classes apart"
        )
    if not np.isfinite(value):
        raise UserError(f"{file}: the target {show(label)} is not finite; remove the line or correct it")
    return value


def _value(label: str) -> Decimal | None:
    """Return the exact value of a label that is a decimal number, with one representation for equal ones."""
    if not NUMBER.fullmatch(label):
        return None
    value = Decimal(label).normalize(Context(prec=len(label) + 1))
    return value if value else Decimal(0)


def _name(value: Decimal, spellings: Sequence[str]) -> str:
    """Return what a class of numbers is called: as it is written, or the plain number if it is written in many ways."""
    if len(spellings) > 1 and value == value.to_integral_value() and value.adjusted() < DIGITS:
        return f"{value:f}"
    return min(spellings, key=len)
