"""From the cells of a target to classes, whose labels are exact texts, or to real numbers."""

import re
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.datasets.core.cells import Coded, Numerals, show, spelling
from kernlearn.errors import UserError

#: A label that is a number; "1_0" is one for Python only, and "nan" is a word.
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
#: Whole numbers of more digits than this are written with an exponent.
DIGITS = 40
POINT = Numerals()
#: More classes than this that are numbers, some of them not whole, are taken for quantities.
HANDFUL = 10
#: More classes than this that are whole numbers may be quantities; fewer, but more than `FEW`, if they may count.
MANY, FEW = 20, 5
#: So many classes a remark names.
NAMED = 3


class Advice(NamedTuple):
    """What messages say of classes that may be none, or others."""

    #: How spellings of one number are kept apart.
    apart: str
    #: What to do if numbers that look like quantities are classes.
    classes: str
    #: What to do if another column has the classes.
    target: str = ""


def coded_labels(labels: Sequence[str]) -> Coded:
    """Return labels, one an example, as the different ones among them."""
    place = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return Coded(np.array([place[label] for label in labels], dtype=np.int64), list(place))


def classes_of(
    file: Path, labels: Coded, advice: Advice, *, exact: bool = False, numerals: Numerals = POINT
) -> tuple[NDArray[np.int64], tuple[str, ...], tuple[str, ...]]:
    """Return the index of the class of every example, the classes, and remarks.

    Labels are never rounded, and a class has the name that is written. "TRUE" and "true" are one class. If all labels
    are decimal numbers in the notation of the file, all spellings of a number are one class ("1", "1.0" and "+1", also
    "2.1" and "2.10"). Its name is the plain number, and a remark reports this.

    Raises `UserError` if there is one class only, every one of more than two examples has its own, or the labels are
    more than `HANDFUL` numbers that are not all whole.

    Parameters
    ----------
    labels : Coded
        Every example has one.
    exact : bool
        Whether labels are texts, of which different ones are different classes also if they are one number.
    numerals : Numerals
        How numbers are written in the file.

    Returns
    -------
    y : ndarray of shape (n,)
    classes : tuple of str
        Sorted as numbers if all are numbers, else alphabetically.
    remarks : tuple of str
    """
    values = {label: _value(label, numerals) for label in labels.texts}
    numeric = None not in values.values()
    names, remarks = dict(zip(labels.texts, labels.texts, strict=True)), list[str]()
    if not exact:
        names, remarks = _one_name_each(values if numeric else dict.fromkeys(labels.texts), advice.apart)
        values |= {name: values[label] for label, name in names.items()}
    merged = labels.merged([names[label] for label in labels.texts])
    n = len(merged.codes)
    if len(merged.texts) == 1:
        raise UserError(f"{file}: all {n} examples are of class {show(merged.texts[0])}; two are needed")
    if len(merged.texts) == n > 2:
        guess = "are these real targets (task=regression)?" if numeric else "is that the right target?"
        other = f" {advice.target} if another column has the classes" if advice.target else ""
        raise UserError(f"{file}: all {n} examples differ in their class; {guess}{other}")
    if numeric and not exact:
        remarks += _quantities(file, [values[name] or Decimal(0) for name in merged.texts], advice)
    remarks += look_alike("classes", merged.texts)
    classes = sorted(merged.texts, key=(lambda name: (values[name], name)) if numeric else None)
    index = {name: i for i, name in enumerate(classes)}
    y = np.array([index[name] for name in merged.texts], dtype=np.int64)[merged.codes]
    return y, tuple(classes), tuple(remarks)


def _one_name_each(values: Mapping[str, Decimal | None], apart: str) -> tuple[dict[str, str], list[str]]:
    """Return the class of every label, one of those that are one number or look the same, and remarks on these.

    The labels have their values if all are numbers, else None.
    """
    spellings: dict[Decimal | str, list[str]] = {}
    for label in sorted(values):
        value = values[label]
        spellings.setdefault(spelling(label) if value is None else value, []).append(label)
    names = {label: _name(value, same) for value, same in spellings.items() for label in same}
    why = "one word" if None in values.values() else "one number"
    remarks = [
        f"labels {' and '.join(map(show, same))} are one class, {show(names[same[0]])}, since they are {why} ({apart})"
        for same in spellings.values()
        if len(same) > 1
    ]
    return names, remarks


def check_targets(file: Path, targets: NDArray[np.float64]) -> None:
    """Raise `UserError` if finite real targets are all the same."""
    if (targets == targets[0]).all():
        raise UserError(f"{file}: all {len(targets)} targets are {targets[0]:g}; there is nothing to learn")


def target_value(file: Path, label: str, numerals: Numerals = POINT) -> float:
    """Return a real target that is written in a file.

    Raises `UserError` if it is no finite number.
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


def _quantities(file: Path, labels: Sequence[Decimal], advice: Advice) -> list[str]:
    """Return a remark on numbers that may be quantities, or raise `UserError` if they are more than a handful."""
    numbers = sorted(labels)
    are_whole = all(number == number.to_integral_value() for number in numbers)
    if are_whole and len(labels) <= MANY:
        if not _may_count(numbers):
            return []
        which = f"{len(labels)} whole numbers from {numbers[0]:f} to {numbers[-1]:f}"
        return [f"{which} are taken as classes (task=regression if they are amounts)"]
    which = f"the labels are {len(labels)} different numbers" + ("" if are_whole else ", not all of them whole")
    if not are_whole and len(labels) > HANDFUL:
        raise UserError(f"{file}: {which}; task=regression if they are quantities; {advice.classes}")
    return [f"{which}, and every number is a class (if they are quantities: task=regression)"]


def _may_count(numbers: Sequence[Decimal]) -> bool:
    """Tell sorted whole numbers that may be counts: more than `FEW`, from 0 or 1 on, and most others in between."""
    return len(numbers) > FEW and 0 <= numbers[0] <= 1 and numbers[-1] - numbers[0] < 2 * len(numbers)


def look_alike(what: str, texts: Sequence[str]) -> list[str]:
    """Return remarks on different texts that differ in upper and lower case, or in blanks, alone."""
    alike: dict[str, list[str]] = {}
    for name in sorted(texts):
        alike.setdefault(spelling(name).casefold(), []).append(name)
    return [
        f"{what} {' and '.join(map(show, same))} differ in blanks or in upper and lower case alone; "
        "write them alike in the file if they mean the same"
        for same in [same for same in alike.values() if len(same) > 1][:NAMED]
    ]


def _value(label: str, numerals: Numerals) -> Decimal | None:
    """Return the exact value of a label that is a decimal number, with one representation for equal ones."""
    plain = numerals.plain(label)
    if plain is None or not NUMBER.fullmatch(plain):
        return None
    value = Decimal(plain).normalize(Context(prec=len(plain) + 1))
    return value if value else Decimal(0)


def _name(value: Decimal | str, spellings: Sequence[str]) -> str:
    """Return what a class is called: as it is written, or if it is written in many ways, in the plainest one."""
    if isinstance(value, str):
        return value if len(spellings) > 1 else spellings[0]
    if len(spellings) > 1 and value == value.to_integral_value() and value.adjusted() < DIGITS:
        return f"{value:f}"
    return min(spellings, key=len)
