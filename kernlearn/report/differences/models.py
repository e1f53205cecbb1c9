"""How two models differ: what their files say of them, and the numbers of their predictors."""

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kernlearn.errors import UserError
from kernlearn.models.archive import read_array, reading
from kernlearn.models.file import checked_header
from kernlearn.report.differences.cells import GREW, LOOSE, NOT_COMPARED, OBJECTIVES, RELATIVE, WIDEST, close
from kernlearn.report.differences.changes import Change, Kind, Part, Status, ordered, status_of, worst
from kernlearn.report.differences.records import ABSENT, data_in_words, leaves, parameters

#: Where the certificate is in what a file says of its model.
CERTIFICATE = "certificate"
#: Parts of the state that are no numbers of the predictor: what proves the model, and how it was found.
APART = frozenset(("_proof", "proof", "iterations", "n_iter_", "options"))
#: Words of the format of a model file, which names are shown without.
FORMAT = re.compile(r"\b(estimator|params|state|steps|tuple|record|fields|dict|family|members)\b(\[\d+\])*")


class Model(NamedTuple):
    """What a model file says of the model, and the tree of its state with arrays in the place of their numbers."""

    about: dict[str, Any]
    tree: Any


def model_of(name: str, content: bytes) -> Model:
    """Return the model in a file; nothing in it is run.

    Raises `UserError` if it is damaged.
    """
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, Path(name).name or "model.kl")
        path.write_bytes(content)
        try:
            with reading(path) as archive:
                header = checked_header(archive)
                return Model(header["about"], _with_arrays(header["model"], cache(partial(read_array, archive))))
        except UserError as error:  # names a copy that is gone by then
            raise UserError(str(error).replace(str(path), name)) from error


def _with_arrays(value: Any, array: Any) -> Any:
    if isinstance(value, dict):
        number = value.get("array")
        if len(value) == 1 and isinstance(number, int) and not isinstance(number, bool):
            return array(number)
        if len(value) == 1 and _is_pairs(value.get("dict")):  # a mapping, which JSON writes as a list
            value = {str(key): one for key, one in value["dict"]}
        return {key: _with_arrays(one, array) for key, one in value.items()}
    return [_with_arrays(one, array) for one in value] if isinstance(value, list) else value


def _is_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 2 and isinstance(one[0], str | int | float) for one in value
    )


def compare_models(name: str, before: Model, after: Model, most: int, tolerance: float = RELATIVE) -> Part:
    """Return how two models differ; see `kernlearn.report.differences.tables.compare_tables` for the parameters."""
    first, second = dict(before.about), dict(after.about)
    certificates = first.pop(CERTIFICATE, None), second.pop(CERTIFICATE, None)
    header = parameters(first, second)
    proof = [*_proved(*certificates), *_unproved(first, second)]
    changes = _told_once([*proof, *_numbers(before.tree, after.tree, tolerance)])
    notes = [f"header: {header}"] if header else []
    if words := _other_data(first.get("data"), second.get("data")):
        changes = [one for one in changes if _attribute(one) not in OBJECTIVES]
        notes.append(f"{NOT_COMPARED}: {words}")
    counts = Counter(change.kind for change in changes)
    status = worst([Status.CHANGED if notes else Status.WITHIN, status_of(counts)])
    return Part(name, status, notes, ordered(changes)[:most], counts)


def _other_data(before: Any, after: Any) -> str:
    """Return how the training data of two models differ, in words; empty if they do not, or a file does not say it."""
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return ""
    return data_in_words({str(before.get("name")): before}, {str(after.get("name")): after})


def _told_once(changes: Sequence[Change]) -> list[Change]:
    """Return changes with a name for each, and without those of copies.

    The same numbers stand in the certificate, in an attribute of the estimator and in its predictor: the first of
    these is kept, if one lies in the other and has the same name.
    """
    names = [".".join(filter(None, FORMAT.sub("", change.place).split("."))) for change in changes]
    times = Counter(names)
    told: dict[tuple[str, str, str], list[str]] = {}
    kept = []
    for change, name in zip(changes, names, strict=True):
        known = told.setdefault((_attribute(change), change.before, change.after), [])
        parent = change.place.rpartition(".")[0]
        if not any(parent.startswith(one) or one.startswith(parent) for one in known):
            kept.append(replace(change, place=name if times[name] == 1 else change.place))
        known.append(parent)
    return kept


def _attribute(change: Change) -> str:
    """Return what a change is of: the last name of its place, without the underscores of Python."""
    return change.place.split(":")[0].rpartition(".")[2].strip("_")


def _proved(before: Any, after: Any) -> Iterator[Change]:
    """Yield the change of a certificate; objectives that differ by no more than their gaps are the same."""
    one, other = (side if isinstance(side, dict) else {} for side in (before, after))
    gaps = one.get("gap"), other.get("gap")
    if gaps != (None, None) and None in gaps:
        yield Change(Kind.WORSE if gaps[1] is None else Kind.BETTER, "certificate gap", str(gaps[0]), str(gaps[1]))
    elif all(isinstance(gap, int | float) for gap in gaps):
        first, second = abs(float(gaps[0] or 0.0)), abs(float(gaps[1] or 0.0))
        if max(first, second) > LOOSE and max(first, second) > GREW * min(first, second):
            kind = Kind.WORSE if second > first else Kind.BETTER
            yield Change(kind, "certificate gap", str(gaps[0]), str(gaps[1]), second - first)
        objectives = one.get("objective"), other.get("objective")
        if all(isinstance(value, int | float) and isfinite(value) for value in objectives):
            a, b = float(objectives[0] or 0.0), float(objectives[1] or 0.0)
            proved = first <= WIDEST and second <= WIDEST
            allowed = max(first * proved, RELATIVE) * abs(a) + max(second * proved, RELATIVE) * abs(b)
            if abs(a - b) > allowed:
                yield Change(Kind.NUMBER, "objective", repr(a), repr(b), b - a, abs(b - a) / max(abs(a), abs(b)))


def _unproved(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Change]:
    """Yield the change of a model for which nothing is proved, or no longer."""
    one, other = (bool(side.get("unproved")) for side in (before, after))
    if one != other:
        was, now = (str(side.get("unproved") or "proved") for side in (before, after))
        yield Change(Kind.WORSE if other else Kind.BETTER, "certificate", was, now)


def _numbers(before: Any, after: Any, tolerance: float, name: str = "") -> Iterator[Change]:
    """Yield the changes in the state of two models."""
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        yield from _arrays(before, after, tolerance, name)
    elif isinstance(before, dict) and isinstance(after, dict):
        for key in (one for one in dict.fromkeys([*before, *after]) if one not in APART):
            inner = f"{name}.{key}" if name else str(key)
            yield from _numbers(before.get(key, ABSENT), after.get(key, ABSENT), tolerance, inner)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _numbers(one, other, tolerance, f"{name}[{number}]")
    elif isinstance(before, np.ndarray) or isinstance(after, np.ndarray):
        yield Change(Kind.TEXT, name, _shape(before), _shape(after))
    elif _is_number(before) and _is_number(after):
        if not close(np.array([float(before)]), np.array([float(after)]), tolerance)[0]:
            size = abs(after - before) / max(abs(before), abs(after))
            yield Change(Kind.NUMBER, name, repr(before), repr(after), float(after - before), size)
    else:
        for _, one, other in leaves(before, after):
            yield Change(Kind.TEXT, name, str(one), str(other))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _arrays(before: Any, after: Any, tolerance: float, name: str) -> Iterator[Change]:
    """Yield the largest change of an array."""
    if before.shape != after.shape or before.dtype.kind != after.dtype.kind:
        yield Change(Kind.TEXT, name, _shape(before), _shape(after))
        return
    if before.dtype.kind not in "fiu":
        if n := int((before != after).sum()):
            yield Change(Kind.TEXT, f"{name}: {n} of {before.size} values", _shape(before), _shape(after))
        return
    one, other = (array.astype(np.float64).ravel() for array in (before, after))
    changed = ~(close(one, other, tolerance) | (np.isnan(one) & np.isnan(other)))
    # Coefficients next to 0 are rounding of the large ones.
    scale = float(np.abs(one[np.isfinite(one)]).max(initial=0.0))
    with np.errstate(invalid="ignore"):
        changed &= ~(np.abs(one - other) <= tolerance * scale)
    if n := int(changed.sum()):
        with np.errstate(invalid="ignore"):
            differences = np.where(changed, other - one, 0.0)
        k = int(np.nan_to_num(np.abs(differences), nan=np.inf).argmax())
        difference = float(differences[k])
        size = abs(difference) / (max(abs(one[k]), abs(other[k])) or 1.0)
        yield Change(
            Kind.NUMBER,
            f"{name}: {n} of {one.size} values",
            repr(float(one[k])),
            repr(float(other[k])),
            difference,
            size,
        )


def _shape(value: Any) -> str:
    return f"array {value.shape} of {value.dtype}" if isinstance(value, np.ndarray) else str(value)
