"""Plan and compute a comparison of methods and baselines on one or several data sets."""

import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from time import perf_counter
from typing import Any

from scipy import sparse

from kernlearn.cli.configuration.aliases import translated
from kernlearn.cli.configuration.compose import Loader, plain
from kernlearn.cli.configuration.expand import expand
from kernlearn.cli.configuration.grammar import alternatives
from kernlearn.cli.configuration.settings import another_place, check_settings
from kernlearn.cli.facts.comparison import ComparisonFacts
from kernlearn.cli.parser import DryRun
from kernlearn.cli.work.candidates import candidates, named_methods
from kernlearn.cli.work.experiments import plan_like
from kernlearn.cli.work.flow import compute, look
from kernlearn.cli.work.ranked import Candidates, compared, write_and_show
from kernlearn.cli.work.reading import KEYS, look_at
from kernlearn.datasets import Dataset, load
from kernlearn.documents import add_note
from kernlearn.errors import UserError
from kernlearn.evaluation import protocol_of
from kernlearn.report.run import classes_in_words, notes, target_range
from kernlearn.report.terminal import say, say_note
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.cell.data import splits_of
from kernlearn.runner.plan.baseline import baseline_name, plan_baselines
from kernlearn.runner.plan.capacity import too_large
from kernlearn.runner.plan.cells import Planned
from kernlearn.runner.plan.config import check_chosen_by, check_experiment
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.plan.speed import seconds_of
from kernlearn.runner.plan.sweeps import name_of

#: Each split selects by its own validation parts, so that no test row takes part in any selection.
RULE = "rule=per_split"
#: The words of a comparison that mean nothing to the model that follows.
OF_COMPARISON = ("engine.", "results_dir=", "seed=", "force=", "retry_failed=")
#: The name of a comparison's directory has the names of at most so many data sets.
NAMED = 3


@dataclass(frozen=True)
class Request:
    """What a command line asks for."""

    #: Files, and names of the catalogue.
    data: Sequence[str]
    #: The words of a configuration, without data and methods.
    words: Sequence[str]
    #: ``fast``, ``all``, or names separated by commas.
    algos: str
    #: Seconds.
    budget: float | None
    config_dir: str | None
    dry_run: DryRun
    command: str


@another_place("results_dir=DIR")
def compare(request: Request, use: Callable[[ComparisonFacts], None]) -> None:
    """Run a comparison; write and show its tables, and call ``use(facts)``, also if cells failed.

    Raises `UserError` if a word is wrong, data are not available, or no method fits. Raises `PartFailed` if cells
    failed, or are missing although there was no budget.
    """
    start = perf_counter()
    named_methods(request.algos)
    loader = Loader(request.config_dir, own=True)
    words = _words_of(request.words, loader)
    _require_different(request.data)
    planned = [_plan(data, words, request.algos, loader) for data in dict.fromkeys(request.data)]
    for note in dict.fromkeys(note for one in planned for note in _notes(one)):  # once if data sets share it
        say_note(note)
    for line in dict.fromkeys(line for one in planned for line in _described(one)):
        say(line)
    settings = replace(planned[0].settings, dry_run=request.dry_run)
    methods = sorted((plan for one in planned for plan in one.plans), key=_expected)
    plans: list[Planned] = [*(plan for one in planned for plan in one.baselines), *methods]
    keys = sorted(key for plan in plans for key in plan.keys)  # the order of computation is no part of the name
    name = name_of([*keys, planned[0].plans[0].metric])
    work = look(plans, settings, name, request.command)
    fitting, refused = too_large(methods, work.missing, settings.engine)
    for line in refused:
        say(f"left out   {line}")
        add_note(f"left out: {line}")
    never = {cell.key for cell in work.missing} - {cell.key for cell in fitting}
    computed = compute(replace(work, missing=fitting), request.budget)
    facts: ComparisonFacts = {
        "command": request.command,
        "comparisons": [compared(one) for one in planned],
        "ranks": None,
        "best": None,
        "computation": computed.facts,
        "directory": None,
        "failures": [],
        "troubles": [],
    }
    if not computed.write:
        use(facts)
        return
    place = "-".join(one.dataset.name for one in planned[:NAMED])
    directory = settings.results / "comparisons" / f"{place}-{name}"
    optional = never.__contains__ if request.budget is None else lambda _: True
    write_and_show(planned, directory, start, optional, _of_fit(request, planned), computed, facts, use)


def _require_different(given: Sequence[str]) -> None:
    """Raise `UserError` if two paths lead to one file, which would count as two data sets."""
    files = [data for data in dict.fromkeys(given) if os.path.isfile(data)]
    for one, other in combinations(files, 2):
        if os.path.samefile(one, other):
            raise UserError(f"{one} and {other}: are the same file; give it once")


def _of_fit(request: Request, planned: Sequence[Candidates]) -> list[str]:
    """Return the words with which ``kernlearn fit`` trains on the same file; none for several or bundled data."""
    if len(planned) > 1 or "path" not in planned[0].plans[0].experiment.dataset:
        return []
    return [request.data[0], *(word for word in request.words if not word.startswith(OF_COMPARISON))]


def _expected(plan: Plan) -> float:
    """Return roughly how long a cell takes, as most methods grow with the square of the examples."""
    n_problems = 1 if plan.experiment.is_regression or plan.experiment.method.joint else len(plan.dataset.classes) - 1
    return seconds_of(plan.experiment.algo["name"], plan.experiment.task) * n_problems * plan.cost.size.n**2


def _words_of(given: Sequence[str], loader: Loader) -> list[str]:
    """Return the words of a configuration in our terms; words for reading a file need no ``dataset.``.

    Raises `UserError` if a word other than the seed has several values, or another rule is asked for.
    """
    words, lines = translated(given, loader.places.options)
    for line in lines:
        if not any(line.startswith(f"{key}=") and "as dataset." in line for key in KEYS):
            say_note(line)
    for word in words:
        if word.startswith("rule="):
            raise UserError(f"{word}: compare selects by {RULE}; kernlearn run -m takes other rules")
        if not word.startswith("seed=") and len(alternatives(word, loader.places.options)) > 1:
            raise UserError(f"{word}: only seed= takes several values here; kernlearn run -m runs all combinations")
    return [*words, RULE]


def _plan(given: str, words: Sequence[str], algos: str, loader: Loader) -> Candidates:
    """Plan the comparison on one data set, and show how it is read."""
    data = translated([f"dataset={given}"], loader.places.options)[0]
    config = plain(loader.compose([*data, *_for_any(words, loader)]))
    base, settings = check_experiment(config), check_settings(config)
    check_chosen_by(config)  # a word that no method takes is refused once
    dataset = _look_at(base)
    scaling = []
    if sparse.issparse(dataset.X) and not any(word.startswith("scaling=") for word in words):
        scaling = ["scaling=unit"]
        say_note("the examples are sparse: scaling=unit leaves their zeros alone (scaling=... overrides it)")
        base = replace(base, scaling="unit")
    splits_of(base, dataset)  # raises if the data cannot be split
    chosen, left_out = candidates(algos, dataset, base.task)
    plans = _plans_of(chosen, [*data, *scaling, *words], dataset, loader, left_out)
    if not plans:
        named: dict[str, list[str]] = {}
        for names, reason in left_out.items():
            named.setdefault(reason, []).append(names)
        reasons = "; ".join(f"{', '.join(names)}: {reason}" for reason, names in named.items())
        raise UserError(f"{dataset.name}: no method is left; {reasons}")
    seeds = list(dict.fromkeys(plan.experiment.seed for plan in plans))
    baselines = [one for seed in seeds for one in plan_baselines(replace(base, seed=seed), dataset)]
    return Candidates(dataset, plans, baselines, left_out, settings)


def _for_any(words: Sequence[str], loader: Loader) -> list[str]:
    """Return the words that belong to no method, with the first seed."""
    return [alternatives(word, loader.places.options)[0] for word in words if not word.startswith("algo.")]


def _look_at(base: Experiment) -> Dataset:
    options: dict[str, Any] = dict(base.dataset)
    name = options.pop("name")
    if "path" in options:
        dataset = look_at(name, options)
    else:
        dataset = load(name, **options)
        targets = target_range(dataset) if base.is_regression else classes_in_words(dataset)
        say(f"data       {dataset.name}: {dataset.X.shape[0]} x {dataset.X.shape[1]}, {targets}; {dataset.source}")
    if dataset.is_sequential:
        raise UserError(f"{dataset.name}: has sequences; kernlearn run -m algo=crf,struct_svm compares methods on them")
    return dataset


def _plans_of(
    names: Sequence[str], words: Sequence[str], dataset: Dataset, loader: Loader, left_out: dict[str, str]
) -> list[Plan]:
    """Return the plans of methods and seeds; a method that cannot be planned goes to those left out."""
    plans, checked = list[Plan](), dict[Hashable, Any]()
    if not names:
        return []
    for config in expand([*words, f"algo={','.join(names)}"], (), loader):
        experiment = check_experiment(config)
        checked[experiment.dataset] = dataset
        try:
            plans.append(plan_like(experiment, check_chosen_by(config), checked))
        except UserError as error:
            left_out[experiment.algo["name"]] = str(error)
    return plans


def _notes(one: Candidates) -> list[str]:
    """Return what should be known before methods are compared on one data set."""
    return [f"{one.dataset.name}: {note}" for note in notes(one.plans[0]) if note not in one.dataset.remarks]


def _described(one: Candidates) -> list[str]:
    """Return lines on the splits and the methods of a comparison on one data set."""
    first, labels = one.plans[0], dict.fromkeys(plan.label for plan in one.plans)
    name, by = first.experiment.protocol["name"], first.metric
    seeds = ", ".join(dict.fromkeys(str(plan.experiment.seed) for plan in one.plans))
    words = protocol_of(first.experiment.protocol).described(stratifies=not first.experiment.is_regression)
    baselines = ", ".join(dict.fromkeys(plan.label for plan in one.baselines))
    return [
        *(f"left out   {names}: {reason}" for names, reason in one.left_out.items()),
        f"protocol   {name}, seed {seeds}: {words}",
        f"selection  by {by} in the training part of every split: no test row takes part",
        f"methods    {len(labels)}: {', '.join(labels)}",
        f"baselines  {baseline_name(first)}; {baselines} of scikit-learn with default parameters",
    ]
