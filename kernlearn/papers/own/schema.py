"""What a description of one's own may say: the type and the bounds of every value.

Which keys there are and which are needed is said by `kernlearn.papers.core.descriptions`, as for all tables.
"""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kernlearn.datasets import CATALOGUE, OWN
from kernlearn.datasets.loading import OWN_NAME
from kernlearn.errors import UserError, closest
from kernlearn.evaluation import METRICS
from kernlearn.parameters import Flag, Number, shown
from kernlearn.runner.cell.cell import REGRESSION
from kernlearn.runner.plan.config import check_dataset

#: Maximum numbers of rows, columns, metrics, claims and readings, and of rows times columns.
MOST_ROWS, MOST_COLUMNS, MOST_OTHERS, MOST_EXPERIMENTS = 1_000, 200, 100, 20_000
#: Maximum characters of a text.
LONGEST = 5_000
#: The keys of a configuration that a table may set; the rest is the user's.
CHANGEABLE = (
    *("algo", "kernel", "protocol", "scaling", "task", "multiclass", "class_weight", "limit", "streamed"),
    *("grid", "select_by", "rule"),
)
#: The forms of the parts of `axes`, for messages.
OF_ALTERNATIVE = "{status: unstated}, or {status: unstated, overrides: [scaling=minmax]}"
OF_ALTERNATIVES = f"NAME: ALTERNATIVE, two or more, each {OF_ALTERNATIVE}"
OF_AXIS = "{why: WORDS, alternatives: {NAME: ALTERNATIVE, ...}}"
OF_AXES = f"NAME: DECISION, each {OF_AXIS}"
Check = Callable[[str, Any], Any]


def normalised(name: str, spec: Any, directory: Path) -> dict[str, Any]:
    """Return a description with the proper types, and with the paths of data files resolved.

    Raises `UserError` if a value has another type or is out of bounds, an override sets what is not the table's to set,
    or a data file is not in the directory. Unknown keys are kept, for the check of keys.

    Parameters
    ----------
    name : str
        ``<paper>/<table>``.
    directory : Path
        Where the description is, and the data files beside it.
    """
    where = f"{name} ({directory / name.partition('/')[2]}.yaml)"
    top = _mapping(where, spec)
    rows, columns = top.get("rows"), _named(f"{where}: columns", top.get("columns") or {}, MOST_COLUMNS)
    if isinstance(rows, list):
        rows = dict.fromkeys((_name(f"{where}: rows", row) for row in rows), None)
    rows = _named(f"{where}: rows", rows or {}, MOST_ROWS)
    if not rows or not columns:
        raise UserError(f"{where}: has no {'columns' if rows else 'rows'}; a table has one of each at least")
    if len(rows) * len(columns) > MOST_EXPERIMENTS:
        raise UserError(f"{where}: {len(rows)} rows x {len(columns)} columns are more than {MOST_EXPERIMENTS}")
    result = _checked(where, top, TOP)
    result["rows"] = {key: _row(f"{where}: rows.{key}", key, value, directory) for key, value in rows.items()}
    result["columns"] = {
        key: _checked(f"{where}: columns.{key}", _mapping(f"{where}: columns.{key}", value), COLUMN)
        for key, value in columns.items()
    }
    metrics = _named(f"{where}: metrics", top.get("metrics") or {}, MOST_OTHERS)
    result["metrics"] = {
        key: _checked(f"{where}: metrics.{key}", _mapping(f"{where}: metrics.{key}", value), METRIC)
        for key, value in metrics.items()
    }
    if "axes" in top:
        result["axes"] = _axes(f"{where}: axes", top["axes"])
    readings = _named(f"{where}: readings", top.get("readings") or {}, MOST_OTHERS)
    result["readings"] = {key: _words(f"{where}: readings.{key}", value) for key, value in readings.items()}
    _say_task(result)
    return result


def _say_task(spec: Mapping[str, Any]) -> None:
    """Give the data files of a regression the task, so that their targets are read as numbers.

    A table that shows scores of classes has classes, also where a regression learns from their labels -1 and +1.
    """
    if any(METRICS[key].target not in ("", "reals") for key in spec["metrics"] if key in METRICS):
        return
    word = f"task={REGRESSION}"
    everywhere = word in spec.get("overrides", ()) or all(
        word in column.get("overrides", ()) for column in spec["columns"].values()
    )
    for row in spec["rows"].values():
        if "path" in row.get("dataset", {}) and (everywhere or word in row.get("overrides", ())):
            row["dataset"].setdefault("task", REGRESSION)


def _row(where: str, name: str, value: Any, directory: Path) -> dict[str, Any]:
    row = _checked(where, _mapping(where, {} if value is None else value), ROW)
    if "dataset" in row:
        row["dataset"] = _dataset(f"{where}.dataset", name, row["dataset"], directory)
    return row


def _dataset(where: str, row: str, value: Any, directory: Path) -> dict[str, Any]:
    """Return the choice of the data of a row: a name of the catalogue with options, or a file in the directory."""
    dataset = {"name": value} if isinstance(value, str) else _mapping(where, value)
    if "path" not in dataset:
        name = dataset.get("name")
        if not isinstance(name, str) or name not in CATALOGUE:
            near = closest(name, CATALOGUE) if isinstance(name, str) else ""
            raise UserError(
                f"{where}: needs the name of a data set (kernlearn data list), or path: FILE beside this file{near}"
            )
        return dataset
    usual = row if OWN_NAME.fullmatch(row) and row not in CATALOGUE else OWN
    file = inside(f"{where}.path", dataset.pop("path"), directory)
    task = {"task": dataset.pop("task")} if "task" in dataset else {}
    try:
        return check_dataset({"name": usual, "target": None, **dataset, "path": str(file)}) | task
    except UserError as error:
        raise UserError(f"{where}: {error}") from None


def inside(where: str, given: Any, directory: Path) -> Path:
    """Return the path of a file in a directory or below it, or raise `UserError` if it leads elsewhere."""
    path = _words(where, given)
    parts = re.split(r"[/\\]", path)
    if os.path.isabs(path) or path.startswith("~") or ".." in parts:
        raise UserError(f"{where}={shown(path)}: must be a file beside the description or below it; copy it there")
    root, place = os.path.realpath(directory), os.path.realpath(directory / path)
    if os.path.commonpath([root, place]) != root:
        raise UserError(f"{where}={shown(path)}: is a link that leads out of {directory}; copy the file there")
    return Path(place)


def _mapping(where: str, value: Any, like: str = "KEY: VALUE") -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise UserError(f"{where}: must be {like}, and is {shown(repr(value))}")
    return {_name(where, key): one for key, one in value.items()}


def _named(where: str, value: Any, most: int, like: str = "KEY: VALUE") -> dict[str, Any]:
    """Return a mapping of names, of which there may be so many."""
    mapping = _mapping(where, value, like)
    if len(mapping) > most:
        raise UserError(f"{where}: {len(mapping)} are more than {most}")
    return mapping


def _name(where: str, value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UserError(f"{where}: {shown(repr(value))} is no name; write it in quotes if it is meant as one")
    if not (name := str(value)).isprintable() or not 0 < len(name) <= 64 or name != name.strip():
        raise UserError(f"{where}: {shown(repr(name))} is no name: it must have 1 to 64 letters, digits and signs")
    return name


def _words(where: str, value: Any) -> str:
    """Return a text in one line."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UserError(f"{where}: must be words, and is {shown(repr(value))}")
    words = " ".join(str(value).split())
    if not words or not words.isprintable() or len(words) > LONGEST:
        raise UserError(f"{where}: must be words, 1 to {LONGEST} characters, without control characters")
    return words


def _list(where: str, value: Any) -> list[str]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or len(values) > MOST_OTHERS:
        raise UserError(f"{where}: must be a list of at most {MOST_OTHERS} texts, and is {shown(repr(value))}")
    return [_words(where, one) for one in values]


def _overrides(where: str, value: Any) -> list[str]:
    words = _list(where, value)
    for word in words:
        key = re.split(r"[.=@/]", word.lstrip("+~"), maxsplit=1)[0]
        if key not in CHANGEABLE:
            data = "; the data of a row are its key dataset" if key == "dataset" else ""
            raise UserError(f"{where}: {shown(word)!r}: a table may set {', '.join(CHANGEABLE)}{data}")
    return words


def _claims(where: str, value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or len(value) > MOST_OTHERS:
        raise UserError(f"{where}: must be a list of at most {MOST_OTHERS} claims, each with claim: and holds:")
    return [_checked(f"{where}[{i}]", _mapping(f"{where}[{i}]", one), CLAIM) for i, one in enumerate(value)]


def _source(where: str, value: Any) -> dict[str, str]:
    """Return where a table is printed; its keys are checked by `kernlearn.papers.core.descriptions`."""
    return {key: _words(f"{where}.{key}", one) for key, one in _mapping(where, value).items()}


def _axes(where: str, value: Any) -> dict[str, Any]:
    """Return the decisions of a table; their keys are checked by `kernlearn.papers.core.axes`."""
    axes = {}
    for axis, one in _named(where, value or {}, MOST_OTHERS, OF_AXES).items():
        inner = f"{where}.{axis}"
        axes[axis] = _checked(inner, _mapping(inner, one, OF_AXIS), AXIS)
        if "alternatives" in axes[axis]:
            named = _named(f"{inner}.alternatives", axes[axis]["alternatives"], MOST_OTHERS, OF_ALTERNATIVES)
            axes[axis]["alternatives"] = {
                key: _checked(
                    f"{inner}.alternatives.{key}",
                    _mapping(f"{inner}.alternatives.{key}", other, OF_ALTERNATIVE),
                    ALTERNATIVE,
                )
                for key, other in named.items()
            }
    return axes


def _number(**bounds: Any) -> Check:
    return Number(**bounds).check


CLAIM: dict[str, Check] = {"claim": _words, "holds": _words, "rows": _list, "readings": _list}
AXIS: dict[str, Check] = {"why": _words, "columns": _list}
ALTERNATIVE: dict[str, Check] = {"status": _words, "overrides": _overrides}
_SPLITS = _number(low=1, high=10_000, integer=True)
TOP: dict[str, Check] = {
    "title": _words,
    "overrides": _overrides,
    "ratio_to": _words,
    "stand_in": Flag().check,
    "reduced": _words,
    "printed_splits": _SPLITS,
    "unit": _words,
    "shared": _words,
    "claims": _claims,
    "source": _source,
    "differs": _words,
}
ROW: dict[str, Check] = {
    "overrides": _overrides,
    "columns": _list,
    "splits": _SPLITS,
    "printed": _words,
    "setting": _words,
    "stand_in": Flag().check,
    "printed_splits": _SPLITS,
}
COLUMN: dict[str, Check] = {
    "overrides": _overrides,
    "printed": _words,
    "reading": Flag().check,
    "no_verdict": _words,
    "splits": _SPLITS,
}
METRIC: dict[str, Check] = {
    "title": _words,
    "digits": _number(low=0, high=15, integer=True),
    "printed": _words,
    "setting": _words,
    "reading": Flag().check,
    "no_verdict": _words,
    "step": _number(low=0),
}


def _checked(where: str, given: Mapping[str, Any], checks: Mapping[str, Check]) -> dict[str, Any]:
    """Return values with those that have a check by it."""
    return {key: checks[key](f"{where}.{key}", value) if key in checks else value for key, value in given.items()}
