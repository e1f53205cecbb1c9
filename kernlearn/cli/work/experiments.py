"""Run one experiment of a configuration, or many from the words of a command line, and write the tables."""

from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kernlearn.cli.configuration.aliases import translated
from kernlearn.cli.configuration.compose import Loader
from kernlearn.cli.configuration.expand import expand
from kernlearn.cli.configuration.settings import Settings, another_place, check_settings, detached
from kernlearn.cli.parser import PILOT, DryRun
from kernlearn.cli.work.failures import conclude
from kernlearn.cli.work.flow import Rows, TitledPlan, Work, compute, look, titled, write_tables
from kernlearn.datasets import CATALOGUE, load, whereabouts
from kernlearn.errors import UserError
from kernlearn.evaluation import AS_USUAL, METRICS, ChosenBy, Row, Selection
from kernlearn.plugins import choices
from kernlearn.report.ranking import Ranking, show_ranking
from kernlearn.report.run import describe, notes, show, shown
from kernlearn.report.summary import collect_summaries
from kernlearn.report.terminal import say, say_note, show_table
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.plan.capacity import too_large
from kernlearn.runner.plan.config import check_chosen_by, check_experiment
from kernlearn.runner.plan.identity import directory_name
from kernlearn.runner.plan.identity import settings as what_differs
from kernlearn.runner.plan.plan import Plan, plan
from kernlearn.runner.plan.sweeps import directory_of, name_of
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
) -> None:
    """Run the experiment of a configuration, and print and write its results; with `dry_run`, show what would run.

    The outcome is appended to `outcomes`, if there is one. `planned` is the plan of the experiment, if it exists.

    Raises `UserError` if a name or value is wrong, the data are not available, or the results directory cannot be
    written to. Raises `PartFailed` if cells failed; their errors are in ``paths.csv``.
    """
    start = perf_counter()
    settings = check_settings(values, dry_run=dry_run)
    todo = planned or plan(check_experiment(values), chosen_by=check_chosen_by(values))
    describe(todo)
    for note in notes(todo):
        say_note(note)
    directory = settings.results / "runs" / directory_name(todo)
    refuse_links(directory, settings.results)
    if not compute(look([todo], settings)):
        return
    found: list[tuple[Selection, Rows, list[Row]]] = []

    def use(_: TitledPlan, rows: list[Row], selection: Selection, summary: Rows) -> None:
        found.append((selection, summary, rows))

    account, record = write_tables(directory, [titled(todo)], settings, start, use, single=True)
    collect_summaries(settings.results)
    for trouble in account.troubles.values():  # the command has only this experiment
        raise trouble
    for selection, summary, rows in found:
        if outcomes is not None:
            outcomes.append(Outcome(todo, selection, settings.results))
        show(todo, selection, summary, rows, perf_counter() - start)
    conclude(account, record, directory)


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


def sweep(argv: Sequence[str], words: Sequence[str], config_dir: str | None, options: Collection[str]) -> None:
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
    """
    start = perf_counter()
    loader = Loader(config_dir)
    words, lines = translated(words, loader.places.options)
    for line in lines:
        say_note(line)
    experiments, settings, left_out = plan_sweep(words, loader)
    command = " ".join(["kernlearn sweep", *(word for word in argv if word not in options)])
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
    with another_place("results_dir=DIR"):
        work = look(plans, settings, name, command)
        if "dataset=all" in words and not settings.collect:
            work = _without_too_large(work, plans)
        if compute(work):
            _write_and_show(directory_of(settings.results, name), experiments, settings, start)


def _other_choice(plan: Plan) -> str:
    """Return a name for the choice of grid points if it is not the default, since its tables differ."""
    return "" if plan.chosen_by == AS_USUAL else f"{plan.metric} {plan.rule} "


def _without_too_large(work: Work, plans: Sequence[Plan]) -> Work:
    """Return the work without the cells that need more memory than this machine has; they remain missing."""
    missing, refused = too_large(plans, work.missing, work.settings.engine)
    for line in refused:
        say(f"left out   {line}")
    return replace(work, missing=missing)


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


def _write_and_show(directory: Path, experiments: Sequence[TitledPlan], settings: Settings, start: float) -> None:
    ranking, summaries = Ranking(), list[Rows]()

    def use(experiment: TitledPlan, rows: list[Row], selection: Selection, summary: Rows) -> None:
        ranking.add(experiment.plan, selection)
        if len(summaries) <= SHOWN:
            summaries.append(summary)

    account, record = write_tables(directory, experiments, settings, start, use)
    if len(summaries) <= SHOWN:
        firsts = [summary[0] for summary in summaries]
        heads = zip(firsts, what_differs(firsts), summaries, strict=True)
        lines = [(r["dataset"], r["algorithm"], s, str(r["seed"]), *_result(summary)) for r, s, summary in heads]
        show_table(HEADERS, lines, left=3)
    show_ranking(ranking, directory / "ranking.csv")
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
