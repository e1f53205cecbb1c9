"""What to do next with a run or a comparison: commands that can be copied, and that repeat nothing."""

import json
import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.datasets import OWN
from kernlearn.errors import UserError
from kernlearn.evaluation import protocol_of
from kernlearn.parameters import Number
from kernlearn.report.choice import End, list_of
from kernlearn.report.comparison.scores import BASELINE
from kernlearn.report.comparison.stored import StoredComparison
from kernlearn.report.comparison.tables import further_seeds, no_better, separable
from kernlearn.report.pages.page import Step
from kernlearn.report.plots.stored import StoredRun, stamp
from kernlearn.report.run import TOO_FEW, command_that_judges
from kernlearn.report.summary import BALANCED
from kernlearn.report.targets import Target
from kernlearn.report.terminal import capitalised, shown_path
from kernlearn.runner.cell.cell import FULL, Experiment
from kernlearn.runner.plan.identity import changed_parameters, keys_of_data
from kernlearn.runner.provenance.record import PRINTING, shell_word
from kernlearn.runner.store.files import read_json

#: The rule with which no test row takes part in the choice of hyper-parameters.
PER_SPLIT = "rule=per_split"
#: The results directory of a command that names no other.
RESULTS = "results"
#: So many values are added to a grid beyond each end that was selected.
BEYOND = 2
#: Digits of these values.
DIGITS = 6
#: The keys of a command line that choose seeds and methods.
SEEDS, METHODS = "seed=", "algos="


def steps_of_run(run: StoredRun, target: Target, ends: Sequence[End], *, by_another_score: bool = False) -> list[Step]:
    """Return what to do next with a run, the most useful first.

    Parameters
    ----------
    run : StoredRun
    target : Target
    ends : sequence of End
        Its selected values that are at an end of their grid.
    by_another_score : bool
        Whether a class is rare and the method no better than the majority class, so that another score should select.
        A wider grid is no remedy then.
    """
    steps, experiment = list[Step](), Experiment.from_json(run.provenance["experiment"])
    results = target.path.resolve().parents[1]
    place = results_word(results)
    lists = wider_lists(run, experiment, [end for end in ends if end.improves])
    if by_another_score:
        chosen_by = {**run.provenance["chosen_by"], "select_by": BALANCED.partition("=")[2]}
        words = "Select by a score that counts all classes alike:"
        steps.append(Step(words, f"{command_of(experiment, chosen_by)}{place}"))
    elif lists:
        words = "Widen the grid" if len(lists) == 1 else "Widen the grids"
        command = f"{command_of(experiment, run.provenance['chosen_by'], list(lists))} {_words(lists)}{place}"
        steps.append(Step(f"{words}, since the validation score still improves at an end:", command))
    sha256 = str(run.provenance["data"][0]["sha256"])
    if float(run.summary[0]["test_rows_in_choice_pct"] or 0.0):
        chosen_by = {**run.provenance["chosen_by"], "rule": PER_SPLIT.partition("=")[2]}
        words = "Choose in each split by itself, so that no test row takes part in the choice:"
        steps.append(Step(words, f"{command_of(experiment, chosen_by)}{place}"))
    if paper := next((row for row in run.summary if row.get("paper_mean")), None):
        words = f"{capitalised(TOO_FEW)}; this judges the printed numbers:"
        steps.append(Step(words, f"{command_that_judges(paper)}{results_option(results)}"))
    steps.append(_comparing(experiment, results, sha256))
    command = f"kernlearn fit --from {shlex.quote(str(shown_path(target.path)))} -o model.kl"
    return [*steps, Step("Train a model on all rows with this configuration:", command)]


def _comparing(experiment: Experiment, results: Path, sha256: str) -> Step:
    """Return how to compare the method of an experiment with others.

    If the user has compared methods on the same data, this is that comparison, with the method if it is not in it.
    """
    name, stored = experiment.algo["name"], _comparisons_of(results, sha256)
    for one in stored:
        page = f"kernlearn report {shlex.quote(str(shown_path(one.directory)))}"
        if name in one.methods:
            return Step("Methods have been compared on these data; see how this one ranks:", page)
        if name in one.left_out:
            return Step("Methods have been compared on these data; see why this one was left out:", page)
    for one in stored:
        if one.methods and (command := _with(one.command, [*one.methods, name])):
            own = bool(changed_parameters(experiment, ("kernel", "algo")))
            with_defaults = ", with the parameters of that comparison, and not those of this run" if own else ""
            words = f"Other methods have been compared on these data; add this one{with_defaults}:"
            return Step(words, where_it_ran(command, results))
    command = " ".join(["kernlearn compare", _data_of(experiment), *map(shell_word, keys_of_data(experiment))])
    return Step("See whether another method does better:", command + results_word(results))


def where_it_ran(command: str, results: Path) -> str:
    """Return a stored command with a change to the directory where it ran, if that is another one and is known.

    It is the directory around ``results``, unless the command names another place for its results.
    """
    place = results.resolve().parent
    if results.name != RESULTS or "results_dir=" in command or place == Path.cwd():
        return command
    return f"cd {shlex.quote(str(place))} && {command}"


def results_option(results: Path) -> str:
    """Return `results_word` as an option of ``kernlearn reproduce`` and ``kernlearn report``."""
    return results_word(results).replace("results_dir=", "--results-dir ", 1)


def results_word(results: Path) -> str:
    """Return the word of a command for a results directory, after a blank; empty if it is the default."""
    if results.resolve() == Path(RESULTS).resolve():
        return ""
    return f" results_dir={shell_word(str(shown_path(results)))}"


def command_of(experiment: Experiment, chosen_by: Mapping[str, str], without: Sequence[str] = ()) -> str:
    """Return the command that runs an experiment and chooses its grid points, without some parameters."""
    words = [
        *("kernlearn run", shell_word(f"algo={experiment.algo['name']}"), f"dataset={_data_of(experiment)}"),
        *(shell_word(f"{key}={getattr(experiment, key)['name']}") for key in ("kernel", "protocol")),
        *(shell_word(f"{key}={getattr(experiment, key)}") for key in ("scaling", "seed")),
    ]
    own = "path" in experiment.dataset
    if own and experiment.dataset["name"] != OWN:
        words.append(shell_word(f"dataset.name={experiment.dataset['name']}"))
    words += map(shell_word, keys_of_data(experiment))
    if own or experiment.grid != FULL:
        words.append(shell_word(f"grid={experiment.grid}"))
    usual = {"select_by": "rmse" if experiment.is_regression else "error_pct"}
    usual["rule"] = protocol_of(experiment.protocol).rule
    words += [shell_word(f"{key}={chosen_by[key]}") for key in usual if chosen_by[key] != usual[key]]
    changed = shlex.split(changed_parameters(experiment, ("kernel", "algo", "protocol")))
    words += [shell_word(word) for word in changed if word.partition("=")[0] not in without]
    return " ".join(words)


def wider_lists(run: StoredRun, experiment: Experiment, ends: Sequence[End]) -> dict[str, list[float]]:
    """Return the lists of a grid with more values beyond the ends that were selected, by parameter.

    Steps beyond an end are those before it: factors if all values are positive, differences otherwise. A value that
    the parameter does not take is left out.
    """
    lists: dict[str, list[float]] = {}
    for end in ends:
        name, number = list_of(experiment.algo["name"], experiment.kernel["name"], end.key)
        if number is None:
            continue
        known = list(dict.fromkeys(point[end.key] for point in run.grid.values() if end.key in point))
        values = lists.get(name, known)
        falls = values[0] > values[-1]
        ordered = sorted(values, reverse=not end.largest)
        more = [value for value in _beyond(ordered, number) if value not in values]
        lists[name] = sorted([*values, *more], reverse=falls)
    return {name: values for name, values in lists.items() if values}


def _beyond(values: Sequence[float], number: Number) -> list[float]:
    """Return the next values of a sequence that a parameter takes."""
    before, last = values[-2:]
    by_factor = min(values) > 0 and not number.integer
    found = []
    for _ in range(BEYOND):
        step = 1 if last > before else -1
        value = last * (last / before) if by_factor else last + (step if number.integer else last - before)
        before, last = last, float(f"{value:.{DIGITS}g}")
        try:
            found.append(number.check("value", last))
        except UserError:
            break
    return found


def _words(lists: Mapping[str, Sequence[float]]) -> str:
    return " ".join(f"{name}={json.dumps(values, separators=(',', ':'))}" for name, values in lists.items())


def _data_of(experiment: Experiment) -> str:
    dataset = experiment.dataset
    return shlex.quote(str(shown_path(Path(dataset["path"])))) if "path" in dataset else str(dataset["name"])


class _Compared(NamedTuple):
    """A stored comparison: the sha256 of its data, and the names of methods that have finished, and of others."""

    directory: Path
    command: str
    data: frozenset[str]
    methods: tuple[str, ...]
    left_out: frozenset[str]


def _comparisons_of(results: Path, sha256: str) -> list[_Compared]:
    """Return the comparisons in a results directory on the data with a sha256, the last name first."""
    paths = sorted((results / "comparisons").glob("*/provenance.json"), reverse=True)
    found = [_compared(path, stamp(path)) for path in paths]
    return [one for one in found if one and sha256 in one.data]


@lru_cache(maxsize=1000)
def _compared(path: Path, _: object) -> _Compared | None:
    """Return a comparison from its record; None if this is damaged."""
    try:
        record = read_json(path)
        left_out = _names(record.get("left_out", {}))
        methods = dict.fromkeys(str(one["algo"]["name"]) for one in record["experiments"].values())
        return _Compared(
            path.parent,
            str(record["collected"]["command"]),
            frozenset(str(one["sha256"]) for one in record["data"]),
            tuple(name for name in methods if name not in left_out),
            left_out,
        )
    except (OSError, LookupError, TypeError, ValueError, AttributeError):
        return None


def _names(left_out: Mapping[str, str]) -> frozenset[str]:
    """Return the names of the methods that were left out of a comparison: methods with one reason share a line."""
    return frozenset(name for names in left_out.keys() for name in names.split(", "))


def steps_of_comparison(stored: StoredComparison, directory: Path) -> list[Step]:
    """Return what to do next with a comparison.

    No step computes a method again that was left out, or that is known to be worse than the best one.
    """
    steps = []
    seeds, open_methods = further_seeds(stored.comparisons[0]), _undecided(stored)  # all data sets have the same seeds
    if open_methods and seeds and (command := _with(stored.command, open_methods, f"{SEEDS}{seeds}")):
        command = where_it_ran(command, directory.parents[1])
        steps.append(Step("More partitions may tell these methods apart:", command))
    first = stored.comparisons[0]
    has_methods = any(one.kind != BASELINE for one in first.measured)
    if len(stored.comparisons) == 1 and has_methods and not no_better(first):
        words = "Train the best method that is no baseline on all rows:"
        steps.append(Step(words, f"kernlearn fit --from {shlex.quote(str(shown_path(directory)))} -o model.kl"))
    return steps


def _undecided(stored: StoredComparison) -> list[str]:
    """Return the names of the methods that more partitions may tell from the best on some data, and those of the best.

    Baselines are part of every comparison, so they are not named.
    """
    experiments: Mapping[str, Any] = stored.record["experiments"]  # type: ignore[typeddict-item]
    left_out, found = _names(stored.left_out), dict[str, None]()
    for one in stored.comparisons:
        known = {place.name for place in one.standings[1:] if separable(place)}
        if known:
            known.add(one.standings[0].name)
            runs = [measured.runs[0] for measured in one.measured if measured.name in known and measured.runs]
            found |= dict.fromkeys(str(experiments[run]["algo"]["name"]) for run in runs)
    return [name for name in found if name not in left_out]


def _with(command: str, methods: Sequence[str], seeds: str = "") -> str:
    """Return the command of a comparison with other methods, and other seeds if given; empty if it is none."""
    try:
        words = shlex.split(command)
    except ValueError:  # of an older version, which did not quote
        return ""
    if words[:2] != ["kernlearn", "compare"]:
        return ""
    without = (METHODS, SEEDS) if seeds else METHODS
    kept = [word for word in words if word not in PRINTING and not word.startswith(without)]
    chosen = [f"{METHODS}{','.join(methods)}", *filter(None, [seeds])]
    return " ".join(map(shell_word, [*kept, *chosen]))
