"""Gather the finished cells of a comparison, rank its methods, and write and show the tables."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from time import perf_counter
from typing import cast

from kernlearn.atomic import write_atomically
from kernlearn.cli.configuration.settings import Settings
from kernlearn.cli.facts.comparison import ComparedData, ComparisonFacts, RankFacts
from kernlearn.cli.facts.data import data_facts, table_row
from kernlearn.cli.work.failures import Account, conclude, failures, troubles
from kernlearn.cli.work.flow import Computed, TitledPlan, collect, finished, titled
from kernlearn.datasets import Dataset
from kernlearn.documents import add_note
from kernlearn.evaluation import METRICS, Row, Selection
from kernlearn.evaluation.comparison import Ranks, cliques
from kernlearn.report.choice import choice_columns, end_in_words, ends_of_partitions, is_settled
from kernlearn.report.comparison.page import page_of
from kernlearn.report.comparison.picture import draw_ranks
from kernlearn.report.comparison.scores import BASELINE, Comparison, Measured, over_all
from kernlearn.report.comparison.tables import (
    LEGEND,
    at_ends,
    no_better,
    rank_table,
    rank_words,
    table_of,
    unproved_words,
    words_of,
)
from kernlearn.report.run import inputs_in_words
from kernlearn.report.summary import on_rare_class
from kernlearn.report.terminal import say, say_note, show_table
from kernlearn.runner.plan.baseline import BaselinePlan, baseline_name, baseline_rows
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.provenance.record import described, provenance, uncommitted, write_provenance
from kernlearn.runner.store.files import refuse_links
from kernlearn.runner.store.records import About
from kernlearn.runner.store.store import Store
from kernlearn.runner.store.tables import write_csv

NONE: Mapping[str, str] = {}


@dataclass(frozen=True)
class Candidates:
    """The plans of a comparison on one data set."""

    dataset: Dataset
    #: Of every method and seed.
    plans: list[Plan]
    #: Of every seed.
    baselines: list[BaselinePlan]
    #: The reasons why methods are left out, by their names.
    left_out: dict[str, str]
    settings: Settings


def compared(
    one: Candidates, comparison: Comparison | None = None, unfinished: Mapping[str, str] = NONE
) -> ComparedData:
    """Return the facts on one data set: of the plans, and of the finished methods."""
    experiment, metric = one.plans[0].experiment, one.plans[0].metric
    return {
        "data": data_facts(one.dataset, experiment.is_regression),
        "task": experiment.task,
        "protocol": experiment.protocol["name"],
        "scaling": experiment.scaling,
        "select_by": metric,
        "methods": [table_row(row) for row in comparison.ranking()] if comparison else [],
        "no_better": (no_better(comparison) or None) if comparison else None,
        "left_out": {**one.left_out, **unfinished},
    }


def write_and_show(
    planned: Sequence[Candidates],
    directory: Path,
    start: float,
    optional: Callable[[str], bool],
    of_fit: Sequence[str],
    computed: Computed,
    facts: ComparisonFacts,
    use: Callable[[ComparisonFacts], None],
) -> None:
    """Rank the methods on every data set and over all of them; write and show the tables.

    Raises `PartFailed` if cells failed, or others are missing than those that may.

    Parameters
    ----------
    planned : sequence of Candidates
    directory : Path
        Of the tables.
    start : float
        The start of the command, by `time.perf_counter`.
    optional : callable
        Whether a cell, given by its key, may be missing.
    of_fit : sequence of str
        The words with which ``kernlearn fit`` would train a method on the first data set; none to say nothing of it.
    computed : Computed
    facts : dict
        Receives the results.
    use : callable
        ``use(facts)`` is called at the end.
    """
    settings, account = planned[0].settings, Account()
    refuse_links(directory, settings.results)
    comparisons, left_out = list[Comparison](), dict[str, str]()
    facts["comparisons"] = []
    for one in planned:
        unfinished: dict[str, str] = {}
        comparisons.append(comparison_of(one, settings.store, account, unfinished))
        left_out |= one.left_out | unfinished
        _show(comparisons[-1], unfinished)
        facts["comparisons"].append(compared(one, comparisons[-1], unfinished))
    say()
    for line in LEGEND:
        say(f"note       {line}")
    ranked = over_all(comparisons)
    if ranked:
        names, ranks = ranked
        facts["ranks"] = _rank_facts(names, ranks)
        show_table(*rank_table(names, ranks))
        for line in rank_words(len(comparisons), ranks):
            say(f"ranks      {line}")
        title = f"mean rank on {len(comparisons)} data sets; critical difference {ranks.critical_difference:.2f}"
        for suffix, content in draw_ranks(names, ranks, title).items():
            write_atomically(directory / f"ranks{suffix}", content)
    datasets = [one.dataset for one in planned]
    record = provenance(datasets, account.computation, perf_counter() - start, settings.engine)
    write_csv(directory / "splits.csv", [row for one in comparisons for row in one.rows_of_splits()])
    write_csv(directory / "ranking.csv", [row for one in comparisons for row in one.ranking()])
    page = page_of(facts["command"], comparisons, left_out, ranked, uncommitted(record))
    write_atomically(directory / "summary.md", page.encode())
    plans = [plan for one in planned for plan in one.plans]
    about: About = {
        "experiments": {run_id(plan): plan.experiment.to_json() for plan in plans},
        "left_out": left_out,
        "notes": {one.data["name"]: list(one.notes) for one in comparisons},
        "at_grid_end": {
            one.data["name"]: {
                by.name: [{"words": words, "settled": settled} for words, settled in by.ends]
                for by in one.measured
                if by.ends
            }
            for one in comparisons
        },
    }
    write_provenance(directory / "provenance.json", record, about)
    facts["computation"], facts["directory"] = computed.collected(account), str(directory)
    account.missing[:] = [key for key in account.missing if not optional(key)]
    if of_fit and not no_better(comparisons[0]) and (best := _best_method(planned[0], comparisons[0])):
        facts["best"] = best
        say(f"next: kernlearn fit algo={best} {shlex.join(of_fit)} -o model.kl")
    facts["failures"], facts["troubles"] = failures(account), troubles(account)
    use(facts)
    conclude(account, record, directory)


def _rank_facts(names: Sequence[str], ranks: Ranks) -> RankFacts:
    groups = cliques(ranks.mean, ranks.critical_difference)
    order = sorted(range(len(names)), key=lambda i: ranks.mean[i])
    return {
        "methods": [
            {
                "method": names[i],
                "mean_rank": float(ranks.mean[i]),
                "groups": [number for number, group in enumerate(groups, 1) if i in group],
            }
            for i in order
        ],
        "p_value": ranks.p_value,
        "critical_difference": ranks.critical_difference,
    }


def _best_method(one: Candidates, comparison: Comparison) -> str:
    """Return the best method that is no baseline, as ``algo=`` names it; empty if none has finished."""
    names = {plan.label: str(plan.experiment.algo["name"]) for plan in one.plans}
    return next((names[place.name] for place in comparison.standings if place.name in names), "")


def comparison_of(one: Candidates, store: Store, account: Account, unfinished: dict[str, str]) -> Comparison:
    """Return the finished methods and baselines on one data set; `unfinished` receives the others and the reasons."""
    methods: dict[str, Measured] = {}
    choices: dict[str, list[dict[str, str]]] = {}

    def use(experiment: TitledPlan, rows: list[Row], selection: Selection) -> None:
        plan = experiment.plan
        found = methods.setdefault(plan.label, Measured(plan.label, inputs=inputs_in_words(plan)))
        found.rows += selection.rows
        found.runs.append(run_id(plan))
        found.selected += [_words(plan.grid[row["point"]]) for row in selection.rows]
        choices.setdefault(plan.label, []).append(choice_columns(plan, selection, rows))

    for _ in collect(map(titled, one.plans), store, account, use):
        pass  # the rows of selected points are enough
    for name, of_seeds in choices.items():
        methods[name].ends = [(end_in_words(*end), is_settled(end[1])) for end in ends_of_partitions(of_seeds)]
    for baseline in one.baselines:
        found = methods.setdefault(baseline.label, Measured(baseline.label, BASELINE))
        found.rows += _rows_of_baseline(baseline, store, account)
    first = one.plans[0]
    simple = Measured(baseline_name(first), BASELINE)
    for seed, of_seed in {plan.experiment.seed: plan for plan in one.plans}.items():
        simple.rows += [{**row, "seed": seed} for row in baseline_rows(of_seed)]
    seconds = account.computation.record()["cell_cpu_seconds"]
    finished = [simple]
    for name, found in methods.items():
        found.cpu_seconds = seconds.get(f"{one.dataset.name} {name}", nan)
        if len(found.rows) == len(simple.rows):
            finished.append(found)
        else:
            unfinished[name] = f"{len(found.rows)} of {len(simple.rows)} splits are finished"
    for plan in one.plans:
        if plan.label not in methods:
            unfinished[plan.label] = f"0 of {len(simple.rows)} splits are finished"
    experiment = first.experiment
    return Comparison(
        *(
            described(one.dataset),
            experiment.task,
            experiment.protocol["name"],
            experiment.scaling,
            first.metric,
            finished,
        ),
        tuple(f"{one.dataset.name}: {words}" for words in on_rare_class(first)),
    )


def _rows_of_baseline(plan: BaselinePlan, store: Store, account: Account) -> list[Row]:
    """Return the rows of the finished cells of a baseline, and note all others in the account."""
    return [
        cast(Row, {**row, "seed": cell.seed, "split": cell.split})
        for cell, shard in finished(plan, f"{plan.dataset.name} {plan.label}", store, account)
        for row in shard["rows"]
    ]


def _words(point: Mapping[str, float]) -> str:
    return ";".join(f"{key}={value:g}" for key, value in point.items())


def _show(comparison: Comparison, unfinished: Mapping[str, str]) -> None:
    """Print the ranked table of one data set."""
    say()
    say(f"{comparison.data['name']}: ranked by {METRICS[comparison.metric].words}")
    headers, lines = table_of(comparison)
    show_table(headers, lines, left=2)
    for line in words_of(comparison):
        say(f"result     {line}")
        add_note(f"{comparison.data['name']}: {line}")
    for line in unproved_words(comparison, lines):
        say_note(line)
    for words, _ in at_ends(comparison):
        say_note(f"{words}: see summary.md")
    for name, reason in unfinished.items():
        say(f"left out   {name}: {reason}")
