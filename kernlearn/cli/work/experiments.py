"""Run one experiment of a configuration, or many from the words of a command line, and write the tables."""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kernlearn.cli.configuration.aliases import translated
from kernlearn.cli.configuration.compose import Loader
from kernlearn.cli.configuration.expand import expand
from kernlearn.cli.configuration.settings import Settings, another_place, check_settings, detached
from kernlearn.cli.facts.cells import ComputationFacts
from kernlearn.cli.facts.data import data_facts, table_row
from kernlearn.cli.facts.experiments import BaselineFacts, ExperimentFacts, RunFacts, SweepFacts, experiment_facts
from kernlearn.cli.parser import PILOT, DryRun
from kernlearn.cli.work.failures import conclude, failures, troubles
from kernlearn.cli.work.flow import Computed, Rows, TitledPlan, Work, compute, look, titled, write_tables
from kernlearn.datasets import CATALOGUE, load, whereabouts
from kernlearn.documents import wanted
from kernlearn.errors import UserError
from kernlearn.evaluation import AS_USUAL, METRICS, ChosenBy, Row, Selection
from kernlearn.evaluation.metrics import mean_and_deviation
from kernlearn.evaluation.selection import values_of
from kernlearn.plugins import choices
from kernlearn.report.ranking import Ranking, show_ranking
from kernlearn.report.run import describe, notes, show, shown
from kernlearn.report.summary import collect_summaries, compared_with_baseline
from kernlearn.report.terminal import say, say_note, show_table
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.plan.baseline import baseline_name, baseline_rows
from kernlearn.runner.plan.capacity import too_large
from kernlearn.runner.plan.config import check_chosen_by, check_experiment
from kernlearn.runner.plan.identity import directory_name
from kernlearn.runner.plan.identity import settings as what_differs
from kernlearn.runner.plan.plan import Plan, plan
from kernlearn.runner.plan.sweeps import directory_of, name_of
from kernlearn.runner.provenance.record import shell_word
from kernlearn.runner.store.files import refuse_links

#: Options of a sweep that are not names of settings.
NO_SETTING = ("--detach", PILOT)
#: Maximum number of experiments whose results are shown on the terminal.
SHOWN = 60
HEADERS = ("data set", "algorithm", "setting", "seed", "test", "result", "support vectors", "paper", "selected")


class Outcome(NamedTuple):
    """The results of an experiment, and the results directory."""

    plan: Plan
    selection: Selection
    results: Path


@another_place("results_dir=DIR")
def run(
    values: dict[str, Any],
    *,
    dry_run: DryRun = False,
    outcomes: list[Outcome] | None = None,
    planned: Plan | None = None,
    use: Callable[[RunFacts], None] = lambda run: None,
) -> None:
    """Run the experiment of a configuration, and print and write its results; with `dry_run`, show what would run.

    Raises `UserError` if a name or value is wrong, the data are not available, or the results directory cannot be
    written to. Raises `PartFailed` if cells failed; their errors are in ``paths.csv``.

    Parameters
    ----------
    values : dict
        The configuration.
    dry_run : bool or "pilot"
    outcomes : list, optional
        Receives the outcome.
    planned : Plan, optional
        The plan of the experiment, if it exists.
    use : callable
        ``use(run)`` is called with the facts, also if cells failed.
    """
    start = perf_counter()
    settings = check_settings(values, dry_run=dry_run)
    todo = planned or plan(check_experiment(values), chosen_by=check_chosen_by(values))
    describe(todo)
    for note in notes(todo):
        say_note(note)
    directory = settings.results / "runs" / directory_name(todo)
    refuse_links(directory, settings.results)
    computed = compute(look([todo], settings))
    if not computed.write:
        use(_facts(todo, None, computed.facts, perf_counter() - start))
        return
    found: list[tuple[Selection, Rows, list[Row]]] = []

    def keep(_: TitledPlan, rows: list[Row], selection: Selection, summary: Rows) -> None:
        found.append((selection, summary, rows))

    account, record = write_tables(directory, [titled(todo)], settings, start, keep, single=True)
    collect_summaries(settings.results)
    for trouble in account.troubles.values():  # the command has only this experiment
        raise trouble
    for selection, summary, rows in found:
        if outcomes is not None:
            outcomes.append(Outcome(todo, selection, settings.results))
        show(todo, selection, summary, rows, perf_counter() - start)
    facts = _facts(todo, found[0] if found else None, computed.collected(account), perf_counter() - start)
    use({**facts, "directory": str(directory), "failures": failures(account)})
    conclude(account, record, directory)


def _facts(
    plan: Plan, found: tuple[Selection, Rows, list[Row]] | None, computation: ComputationFacts, seconds: float
) -> RunFacts:
    baseline: BaselineFacts | None = None
    if found:
        mean, std, n = mean_and_deviation(values_of(baseline_rows(plan), found[0].metric))
        better, p = compared_with_baseline(plan, found[0])
        baseline = {
            "name": baseline_name(plan),
            "metric": found[0].metric,
            "mean": mean,
            "std": std,
            "n": n,
            "beaten": better,
            "p_value": None if isnan(p) else p,
        }
    return {
        **experiment_facts(plan, found),
        "data": data_facts(plan.dataset, plan.experiment.is_regression),
        "computation": computation,
        "baseline": baseline,
        "directory": None,
        "seconds": seconds,
        "failures": [],
    }


def plan_all(configs: Sequence[dict[str, Any]]) -> tuple[list[Plan], list[UserError]]:
    """Return the plans of some configurations, and the first error of each one that cannot be planned."""
    plans, problems, checked = list[Plan](), list[UserError](), dict[Hashable, Any]()
    for config in configs:
        try:
            check_settings(config)
            plans.append(plan_like(check_experiment(config), check_chosen_by(config), checked))
        except UserError as error:
            problems.append(error)
    return plans, problems


def sweep(
    argv: Sequence[str],
    words: Sequence[str],
    config_dir: str | None,
    options: Collection[str],
    use: Callable[[SweepFacts], None],
) -> None:
    """Run all experiments of the words of a configuration; write and show their tables.

    Raises `UserError` if a word is wrong, data are not available, or the results directory cannot be written to. Raises
    `PartFailed` if cells failed or are missing, or experiments could not be collected.

    Parameters
    ----------
    argv : sequence of str
        The words after ``kernlearn sweep``. The other three parameters are parts of it.
    words : sequence of str
        The words of the configuration.
    config_dir : str, optional
        The directory where choices are looked up first.
    options : collection of str
        The given ones of ``--detach``, ``--collect``, ``--dry-run``, ``--dry-run=pilot``, ``--force`` and
        ``--retry-failed``.
    use : callable
        ``use(sweep)`` is called with the facts, also if cells failed.
    """
    start = perf_counter()
    loader = Loader(config_dir)
    words, lines = translated(words, loader.places.options)
    for line in lines:
        say_note(line)
    experiments, settings, left_out = plan_sweep(words, loader)
    command = " ".join(["kernlearn sweep", *(shell_word(word) for word in argv if word not in options)])
    given: dict[str, Any] = {option[2:].replace("-", "_"): True for option in options if option not in NO_SETTING}
    if PILOT in options:
        given["dry_run"] = "pilot"
    settings = replace(settings, **given)
    if "--detach" in options:
        settings = detached(settings, ["sweep", *argv])
    plans = [experiment.plan for experiment in experiments]
    name = name_of([*(key for plan in plans for key in plan.keys), *filter(None, map(_other_choice, plans))])
    for line in left_out:
        say(f"left out   {line}")
    for one in {(p.dataset.name, p.dataset.digest, p.experiment.scaling): p for p in plans}.values():
        for warning in notes(one):
            say_note(f"{one.dataset.name}: {warning}")
    say(f"sweep      {name}: {len(plans)} experiments")
    data = {plan.dataset.digest: plan for plan in plans}.values()
    facts: SweepFacts = {
        "name": name,
        "command": command,
        "data": [data_facts(plan.dataset, plan.experiment.is_regression) for plan in data],
        "left_out": left_out,
        "computation": None,
        "experiments": [],
        "ranking": [],
        "directory": None,
        "failures": [],
        "troubles": [],
    }
    with another_place("results_dir=DIR"):
        work = look(plans, settings, name, command)
        if "dataset=all" in words and not settings.collect:
            work, refused = _without_too_large(work, plans)
            facts["left_out"] = [*left_out, *refused]
        computed = compute(work)
        facts["computation"] = computed.facts
        if computed.write:
            _write_and_show(directory_of(settings.results, name), experiments, settings, start, computed, facts, use)
        else:
            facts["experiments"] = [experiment_facts(plan, None) for plan in plans]
            use(facts)


def _other_choice(plan: Plan) -> str:
    """Return a name for the choice of grid points if it is not the default, since its tables differ."""
    return "" if plan.chosen_by == AS_USUAL else f"{plan.metric} {plan.rule} "


def _without_too_large(work: Work, plans: Sequence[Plan]) -> tuple[Work, list[str]]:
    """Return the work without the cells that need more memory than this machine has, and a line for each plan of them.

    They remain missing.
    """
    missing, refused = too_large(plans, work.missing, work.settings.engine)
    for line in refused:
        say(f"left out   {line}")
    return replace(work, missing=missing), refused


def plan_sweep(words: Sequence[str], loader: Loader) -> tuple[list[TitledPlan], Settings, list[str]]:
    """Return the experiments of a sweep, its settings, and a line for each data set of ``dataset=all`` left out.

    Raises `UserError` if a word is wrong, or a data set that was given by name is not available.
    """
    known = [name for name in choices("dataset") if name in CATALOGUE]
    here = [name for name in known if whereabouts(name).kind not in ("to download", "nowhere")]
    everything = "dataset=all" in words
    absent = [name for name in known if name not in here] if everything else []
    left_out = {name: f"{name}: is not on this machine (kernlearn data info {name})" for name in absent}
    plans: list[Plan] = []
    checked: dict[Hashable, Any] = {}
    settings = engine = None
    for config in expand(words, here, loader):
        experiment = check_experiment(config)
        if config["engine"] is not engine:  # the configuration differs in more than the seed
            engine = config["engine"]
            found = check_settings(config)
            if settings and settings != found:
                raise UserError("engine, results_dir, force and retry_failed: give one value for the whole sweep")
            settings = found
        name = experiment.dataset["name"]
        if name in left_out:
            continue
        try:
            plans.append(plan_like(experiment, check_chosen_by(config), checked))
        except UserError as error:
            if not everything:
                raise
            left_out[name] = f"{name}: {error}"
    experiments = [titled(plan) for plan in plans if plan.dataset.name not in left_out]
    if settings is None or not experiments:
        raise UserError("no experiment is left: " + "; ".join(left_out.values()))
    return experiments, settings, list(left_out.values())


def plan_like(experiment: Experiment, chosen_by: ChosenBy, checked: dict[Hashable, Any]) -> Plan:
    """Plan an experiment; `checked` caches loaded data, and the plan of the first seed of each configuration."""
    data = experiment.dataset
    if data not in checked:
        checked[data] = load(**data)
    but_seed = replace(experiment, seed=0)
    found = plan(experiment, checked[data], like=checked.get(but_seed), chosen_by=chosen_by)
    return checked.setdefault(but_seed, found) if but_seed not in checked else found


def _write_and_show(
    directory: Path,
    experiments: Sequence[TitledPlan],
    settings: Settings,
    start: float,
    computed: Computed,
    facts: SweepFacts,
    use: Callable[[SweepFacts], None],
) -> None:
    """Write and show the tables of a sweep; its facts receive the results."""
    ranking, summaries, results = Ranking(), list[Rows](), dict[str, ExperimentFacts]()

    def keep(experiment: TitledPlan, rows: list[Row], selection: Selection, summary: Rows) -> None:
        ranking.add(experiment.plan, selection)
        if len(summaries) <= SHOWN:
            summaries.append(summary)
        if wanted():
            results[experiment.title] = experiment_facts(experiment.plan, (selection, summary, rows))

    account, record = write_tables(directory, experiments, settings, start, keep)
    if len(summaries) <= SHOWN:
        firsts = [summary[0] for summary in summaries]
        heads = zip(firsts, what_differs(firsts), summaries, strict=True)
        lines = [(r["dataset"], r["algorithm"], s, str(r["seed"]), *_result(summary)) for r, s, summary in heads]
        show_table(HEADERS, lines, left=3)
    ranked = show_ranking(ranking, directory / "ranking.csv")
    facts["computation"] = computed.collected(account)
    facts["experiments"] = [results.get(one.title) or experiment_facts(one.plan, None) for one in experiments]
    facts["ranking"] = [table_row(row) for row in ranked]
    facts["directory"] = str(directory)
    facts["failures"], facts["troubles"] = failures(account), troubles(account)
    use(facts)
    conclude(account, record, directory)


def _result(summary: Rows) -> tuple[str, ...]:
    """Return the cells shown for an experiment: metric, value, support vectors, paper's value, and the choice."""
    first, by_metric = summary[0], {row["metric"]: row for row in summary}
    paper = shown(first["metric"], first["paper_mean"], first["paper_std"]) if "paper" in first else ""
    support = by_metric.get("n_support_vectors")  # features have no support vectors
    return (
        METRICS[first["metric"]].words.removeprefix("test "),
        shown(first["metric"], first["mean"], first["std"]),
        shown("n_support_vectors", support["mean"], support["std"]) if support else "",
        paper,
        first["selected"],
    )
