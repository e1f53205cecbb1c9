"""How two records of a computation differ: parameters, data and packages; and the trees of parameters in general."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from kernlearn.errors import UserError
from kernlearn.runner.store.reading import parse_json

#: Parameters that are named in a note.
NAMED = 8
#: What stands for a parameter that one side lacks.
ABSENT = "absent"
#: Characters of a value, and digits of a checksum, that are shown.
LONGEST, DIGITS = 40, 12
#: What determines the training rows of a run, besides its data.
SPLITTING = ("protocol", "seed")


def record_of(name: str, content: bytes) -> dict[str, Any]:
    """Return the record in a file of provenance.

    Raises `UserError` if it is damaged.
    """
    try:
        record = parse_json(content)
    except ValueError as error:
        raise UserError(f"{name}: damaged ({error})") from error
    if not isinstance(record, dict):
        raise UserError(f"{name}: damaged (no JSON object)")
    return record


def notes_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return notes on the parameters and data in which two records differ."""
    titles: dict[str, list[str]] = {}
    for title, (one, other) in _experiments(before, after).items():
        if words := parameters(one, other):
            titles.setdefault(words, []).append(title)
    notes = [f"parameters{_of(names)}: {words}" for words, names in titles.items()]
    if len(notes) > NAMED:
        notes = [*notes[:NAMED], f"other parameters of more experiments: {len(notes) - NAMED} kinds of differences"]
    if changed := _changed(_data(before), _data(after)):
        notes.append(f"data: {', '.join(changed)}: other values (sha256)")
    return notes


def other_rows(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[frozenset[str], str]:
    """Return the data sets on which two computations trained on other rows, and why in words.

    Of two runs, these are all if their data, protocols or seeds differ, as training rows differ then.
    """
    one, other = _data(before), _data(after)
    if words := data_in_words(one, other):
        return frozenset(_changed(one, other) or [*one, *other]), words
    runs = [record.get("experiment") for record in (before, after)]
    first, second = ({key: run.get(key) for key in SPLITTING} if isinstance(run, dict) else {} for run in runs)
    words = parameters(first, second)
    return frozenset([*one, *other] if words else ()), words


def data_in_words(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return in words which data sets have other values, from their records by name; empty if none has.

    A single data set is compared with a single one of another name.
    """
    changed = _changed(before, after)
    if changed:
        return f"data {', '.join(f'{name} ({_size(before[name])} | {_size(after[name])})' for name in changed)}"
    (one, *more), (other, *others) = ([*side] or [""] for side in (before, after))
    if one == other or more or others or before.get(one, {}).get("sha256") == after.get(other, {}).get("sha256"):
        return ""
    return f"data {one} ({_size(before[one])}) | {other} ({_size(after[other])})"


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    names = before.keys() & after.keys()
    return sorted(name for name in names if before[name].get("sha256") != after[name].get("sha256"))


def _size(data: Mapping[str, Any]) -> str:
    return f"{data.get('examples', data.get('rows'))} rows, sha256 {str(data.get('sha256'))[:DIGITS]}"


def packages_in_words(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the versions of packages in which two computations differ; empty if they are the same."""
    return parameters(_packages(before), _packages(after))


def _of(names: Sequence[str]) -> str:
    """Return what some experiments are called; a run has one without a name."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f" of {names[0]}{more}" if names[0] else ""


def _experiments(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the pairs of experiments: of a run, or of the rows and columns that two tables have."""
    if "experiment" in before and "experiment" in after:
        keys = ("experiment", "chosen_by")
        one, other = ({key: record[key] for key in keys if key in record} for record in (before, after))
        return {"": (_of_run(one), _of_run(other))}
    first, second = (record.get("experiments") for record in (before, after))
    if not (isinstance(first, dict) and isinstance(second, dict)):
        return {}
    return {name: (_without_seed(first[name]), _without_seed(second[name])) for name in first if name in second}


def _without_seed(experiment: Any) -> Any:
    """Return an experiment without its seed: of several partitions, a record has the last one."""
    if not isinstance(experiment, dict):
        return experiment
    return {key: value for key, value in experiment.items() if key != "seed"}


def _of_run(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a run, with the names that they have on the command line."""
    experiment = record.get("experiment")
    head = dict(experiment) if isinstance(experiment, dict) else {}
    chosen = record.get("chosen_by")
    return {**head, **(chosen if isinstance(chosen, dict) else {})}


def _data(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a record says of its data sets, by their names."""
    data = record.get("data")
    listed = [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []
    return {str(one.get("name")): one for one in listed}


def _packages(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the versions of the first environment that computed something."""
    computed = record.get("computed")
    first = computed[0] if isinstance(computed, list) and computed else {}
    packages = first.get("packages") if isinstance(first, dict) else None
    return packages if isinstance(packages, dict) else {}


def parameters(before: Any, after: Any) -> str:
    """Return the parameters in which two trees differ, with both values; empty if they are equal."""
    words = [f"{name}: {_short(one)} | {_short(other)}" for name, one, other in leaves(before, after)]
    more = [f"and {len(words) - NAMED} more"] if len(words) > NAMED else []
    return "; ".join([*words[:NAMED], *more])


def leaves(before: Any, after: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the names of unequal leaves of two trees from JSON, with both values; `ABSENT` stands for none.

    Lists of plain values are leaves.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            yield from leaves(before.get(key, ABSENT), after.get(key, ABSENT), f"{name}.{key}" if name else str(key))
    elif _is_nested(before) and _is_nested(after):
        for number, (one, other) in enumerate(zip_longest(before, after, fillvalue=ABSENT)):
            yield from leaves(one, other, f"{name}[{number}]")
    elif before != after and not (before != before and after != after):
        yield name, before, after


def _is_nested(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict | list) for one in value)


def _short(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
