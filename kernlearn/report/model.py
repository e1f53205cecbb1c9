"""What a model file says of itself, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from kernlearn.certificates.proofs.proof import as_share
from kernlearn.evaluation import METRICS
from kernlearn.evaluation.comparison import LEVEL, NO_BETTER, NO_TEST
from kernlearn.evaluation.metrics import digits_of, rounded

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
    if isinstance(test := about.get("test"), Mapping):
        yield "test", test_in_words(test)
    if isinstance(about.get("baseline"), Mapping):
        yield "compared", against_baseline(about)[1]
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
        if words := exact_in_words(proved):
            yield "exact", words


def exact_in_words(proved: Mapping[str, Any]) -> str:
    """Return how far a model with an approximate kernel is from both optima; empty if this is not known."""
    gaps = [proved.get(key) for key in ("exact_gap", "gap")]
    exact, own = (float(gap) if isinstance(gap, int | float) else None for gap in gaps)
    return "" if exact is None or own is None else both_gaps("the model", exact, own)


def both_gaps(what: str, exact: float, approximate: float) -> str:
    """Return in words how far solutions are from the optima of the exact and of the approximate problem."""
    return (
        f"as a share of its objective, {what} is within {as_share(exact)} of the optimum of the exact problem, and "
        f"within {as_share(approximate)} of that of the approximate problem"
    )


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
    value = f"{rounded(score, digits_of(metric.name, score, None))} {metric.unit}".rstrip()
    return f"always predicting the {baseline['name']} gives a {baseline['rows']} {metric.title} of {value}"


def test_in_words(test: Mapping[str, Any]) -> str:
    """Return the test score of the run or comparison that a model is from, what it is compared with, and its flaws."""
    metric, score, std, parts = METRICS[test["metric"]], float(test["score"]), test["std"], int(test["parts"])
    baseline, unit = test["baseline"], f" {METRICS[test['metric']].unit}".rstrip()
    digits = digits_of(metric.name, score, std)
    over = f"on average over {parts} test parts" if parts > 1 else "on one test part"
    words = f"a test {metric.title} of {rounded(score, digits)}{unit} {over} of the run that it is from"
    if test["low"] is not None and test["high"] is not None:
        words += f" (95 % interval {rounded(float(test['low']), digits)} to {rounded(float(test['high']), digits)})"
    words += f"; always predicting the {baseline['name']} gives {rounded(float(baseline['score']), digits)}{unit}"
    if share := float(test["test_rows_in_choice_pct"]):
        words += f"; optimistic, since {share:.3g} % of the test rows took part in the choice of hyper-parameters"
    if int(test["methods"]) > 1:
        among = f"{test['methods']} methods that are no baselines"
        words += f"; optimistic, since the test rows picked it as the best of {among}"
    return words


def against_baseline(about: Mapping[str, Any]) -> tuple[bool, str]:
    """Return whether a model is better than always predicting the same, by a test, and the reason in words."""
    baseline, selection, test = (about.get(key) for key in ("baseline", "selection", "test"))
    if isinstance(test, Mapping):
        name, other, ours, rows = test["baseline"]["name"], test["baseline"]["score"], test["score"], "test"
        known, points = test, 1
    elif isinstance(baseline, Mapping):
        name, other, rows, known = baseline["name"], baseline["score"], "validation", baseline
        ours = selection.get("validation_score") if isinstance(selection, Mapping) else None
        points = int(baseline.get("points", 1))
    else:
        words = "the file does not say what always predicting the same scores, so there is nothing to compare it with"
        return False, f"{words}; kernlearn fit writes this into new files"
    if ours is None:
        return False, "nothing in the file says whether it is better than this baseline; rows that are new to it do"
    better = float(ours) > float(other) if METRICS[known["metric"]].larger_is_better else float(ours) < float(other)
    if not better:
        return False, f"{NO_BETTER}: its {rows} score is no better than that of the {name}"
    if "p_value" not in known:
        return (
            False,
            f"its {rows} score is better than that of the {name}, but the file does not say if by more than chance",
        )
    if known["p_value"] is None:
        n_parts = known.get("parts") or (selection.get("folds", 1) if isinstance(selection, Mapping) else 1)
        why = "one part is too few for a test" if int(n_parts) < 2 else NO_TEST.format(parts=rows)
        return False, f"its {rows} score is better than that of the {name}, but {why}"
    p = float(known["p_value"])
    if int(tests := known.get("tests", 1)) > 1:
        corrected = f" after {known.get('correction')}'s correction for the {tests} tests of the comparison"
    else:
        corrected = f" after Bonferroni's correction for {points} grid points" if points > 1 else ""
    small = f"p {'<0.001' if p < 0.001 else f'{p:.2g}'}{corrected}"
    if p <= LEVEL:
        return True, f"its {rows} score is better than that of the {name} by a test ({small})"
    return False, f"its {rows} score is not distinguished from that of the {name} by a test ({small})"


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
