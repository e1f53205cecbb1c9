"""What a model file says of itself, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from kernlearn.evaluation import METRICS
from kernlearn.evaluation.metrics import digits_of

#: Most columns and classes that are listed.
SHOWN = 20


def facts_of(about: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the titles and the words of what the header of a model says (`about`); a damaged one raises any error."""
    data, selection, proved = (about.get(key) for key in ("data", "selection", "certificate"))
    yield "model", _model(about)
    if isinstance(data, Mapping):
        size = f"{data.get('rows')} x {data.get('columns')}"
        yield "data", f"{data.get('name')}: {size}, sha256 of the values {data.get('sha256')}"
        if data.get("file_sha256"):
            yield "data file", f"sha256 {data['file_sha256']}"
    if about.get("target"):
        yield "target", str(about["target"])
    if about.get("classes"):
        yield "classes", _listed(about["classes"])
    if about.get("features"):
        yield "features", _listed(about["features"])
    if isinstance(selection, Mapping):
        yield "selected", str(selection.get("words"))
        if by := _selected_by(selection):
            yield "chosen by", by
        if ends := grid_ends(selection):
            yield "grid ends", "; ".join(words for words, _ in ends)
    if isinstance(baseline := about.get("baseline"), Mapping):
        yield "baseline", baseline_in_words(baseline)
    parameters, experiment = about.get("parameters"), about.get("experiment")
    if isinstance(experiment, Mapping) and isinstance(kernel := experiment.get("kernel"), Mapping):
        values = selection.get("values") if isinstance(selection, Mapping) else None
        values = values if isinstance(values, Mapping) else {}
        algo = experiment.get("algo") or {}
        if grid := {**_grid(kernel, values), **_grid(algo, values)}:
            words = "; ".join(f"{key} of {', '.join(map(_short, listed))}" for key, listed in grid.items())
            yield "grid", words
        chosen = _chosen(kernel, values)
        words = ", ".join(f"{key}={value}" for key, value in chosen.items() if key != "name")
        yield "kernel", f"{kernel.get('name')} {words}".strip() + f"; scaling of examples: {experiment.get('scaling')}"
        rest = {key: value for key, value in algo.items() if key.removesuffix("s") not in values}
        yield "settings", _settings({**experiment, "algo": rest})
    elif isinstance(parameters, Mapping):
        yield "parameters", ", ".join(f"{key}={value}" for key, value in parameters.items())
    if "n_support" in about:
        yield "support", f"{about['n_support']} training examples"
    if about.get("unproved"):
        yield "proved", f"nothing: {about['unproved']}"
    elif isinstance(proved, Mapping):
        words = f"objective {_short(proved.get('objective'))}, lower bound {_short(proved.get('dual_objective'))}"
        yield "proved", f"{words}: relative gap {_short(proved.get('gap'))}"


def grid_ends(selection: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return the notes on selected values at an end of their grid, and whether nothing speaks for a wider one.

    Files of older versions have none.
    """
    return [(str(end["words"]), end["settled"] is True) for end in selection.get("at_grid_end", [])]


def _selected_by(selection: Mapping[str, Any]) -> str:
    """Return what selected a grid point; empty if the file does not say it, or there was nothing to select."""
    if "protocol" in selection:
        return f"the protocol {selection['protocol']} of the run"
    if "validation_score" not in selection:
        return ""
    folds = f"{selection['folds']}-fold " if "folds" in selection else ""
    return f"{folds}cross-validation over all rows"


def _grid(given: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the lists of a kernel or a method from which `values` were selected, by the name of the value.

    The name of a list is that of its values with an s, as in gammas.
    """
    lists = {key.removesuffix("s"): value for key, value in given.items() if isinstance(value, list)}
    return {key: listed for key, listed in lists.items() if key in values}


def _chosen(given: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a kernel or a method, with the selected values in the place of their lists."""
    chosen = dict[str, Any]()
    for key, value in given.items():
        name = key.removesuffix("s")
        chosen |= {name: _short(values[name])} if isinstance(value, list) and name in values else {key: value}
    return chosen


def baseline_in_words(baseline: Mapping[str, Any]) -> str:
    """Return the score of predicting one class or number for every row, such as ``always predicting the mean ...``."""
    metric, score = METRICS[baseline["metric"]], float(baseline["score"])
    value = f"{score:.{digits_of(metric.name, score, None)}f} {metric.unit}".rstrip()
    return f"always predicting the {baseline['name']} gives a {baseline['rows']} {metric.title} of {value}"


def _settings(experiment: Mapping[str, Any]) -> str:
    """Return what was said of the data and the training, beyond the kernel: all that is no default."""
    data, algo = dict(experiment.get("dataset") or {}), dict(experiment.get("algo") or {})
    found = {f"algo.{key}": value for key, value in algo.items() if key != "name"}
    found |= {key: experiment[key] for key in ("seed", "class_weight", "multiclass") if experiment.get(key) is not None}
    found |= {f"dataset.{key}": value for key, value in data.items() if key != "name" and value not in (None, [])}
    return ", ".join(f"{key}={value}" for key, value in found.items())


def _model(about: Mapping[str, Any]) -> str:
    if "algorithm" in about:
        probability = ", with probabilities" if about.get("probability") is True else ""
        return f"{about['algorithm']}, {about.get('task')}{probability}"
    steps = [str(name) for name in about.get("steps", [])]
    return str(about.get("class")) + (f" (after {', '.join(steps[:-1])})" if len(steps) > 1 else "")


def _listed(values: Any) -> str:
    known = list(map(str, values if isinstance(values, list) else [values]))
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"{len(known)}: {', '.join(known[:SHOWN])}{more}"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
