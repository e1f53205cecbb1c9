"""The documents of tables, runs and comparisons, read from their files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan
from typing import Any

from kernlearn.errors import UserError, closest
from kernlearn.evaluation import METRICS
from kernlearn.evaluation.comparison import NO_TEST
from kernlearn.evaluation.metrics import digits_of, mean_and_deviation
from kernlearn.evaluation.significance import corrected_resampled_t
from kernlearn.papers import Table, load_figure, load_table
from kernlearn.papers.core.claims import check_claims
from kernlearn.papers.core.compare import FEWEST
from kernlearn.papers.core.measured import FAILS, HOLDS
from kernlearn.report.comparison.scores import Comparison
from kernlearn.report.comparison.stored import read_comparison
from kernlearn.report.exports.numbers import READING, Document, Number, grouped, number_or_none, with_best
from kernlearn.report.layout import STAND_IN, averaged_over, differs_in_words
from kernlearn.report.plots.stored import read_run
from kernlearn.report.reproduction import printed_cell, read_partitions, table_rows
from kernlearn.report.scorecard import OUTCOMES, count_cells, why_no_verdict
from kernlearn.report.story import main_metric, stories
from kernlearn.report.summary import nothing_proved, why_unproved
from kernlearn.report.targets import Target
from kernlearn.report.terminal import capitalised
from kernlearn.runner.engines.timing import counted

Row = Mapping[str, Any]
#: The test of a comparison.
RESAMPLED = "the corrected resampled t-test of Nadeau and Bengio, adjusted by Holm's rule, at 5 %"
#: The kinds of results that have numbers, and those that have files.
KINDS = ("table", "run", "comparison")
WITH_FILES = (*KINDS, "figure")
#: What to do with other results.
OTHERWISE = {
    "figure": "its points are in the CSV file beside its picture, and --to=rocrate takes all of its files",
    "paper": "name one of its tables",
    "model": "kernlearn info shows it, kernlearn evaluate measures it",
}


@dataclass(frozen=True)
class Only:
    """The part of a result that is exported: these data sets, algorithms and metrics, or all if there are none."""

    datasets: Sequence[str] = ()
    algorithms: Sequence[str] = ()
    metrics: Sequence[str] = ()

    def of(self, name: str, numbers: Sequence[Number]) -> list[Number]:
        """Return the numbers of this part.

        Raises `UserError` if there are none, or if the result lacks one of the names.
        """
        for what in ("dataset", "algorithm", "metric"):
            known, asked = dict.fromkeys(getattr(one, what) for one in numbers), getattr(self, f"{what}s")
            for word in asked:
                if word not in known:
                    there = f"choose from {', '.join(known)}{closest(word, known)}"
                    raise UserError(f"{word}: {name} has no such {what}, {there}")
            numbers = [one for one in numbers if not asked or getattr(one, what) in asked]
        if not numbers:
            raise UserError(f"{name}: there is no number to export")
        return list(numbers)


ALL = Only()


def document_of(target: Target, only: Only = ALL, *, facts: bool = False, kinds: Sequence[str] = KINDS) -> Document:
    """Return the document of a table, a run or a comparison, or of a figure, which has no numbers.

    Raises `UserError` if its files are damaged, if it is something else, or if it lacks a name that is asked for.

    Parameters
    ----------
    facts : bool
        Count verdicts and claims, which takes seconds for a large table. A part of a table has none.
    kinds : sequence of str
        The kinds of results that are taken.
    """
    if target.kind not in kinds:
        raise UserError(f"{target.name}: is a {target.kind}; {OTHERWISE[target.kind]}")
    try:
        if target.kind == "table":
            methods = {column.name: column.method for column in load_table(target.name).columns}
            return _with_proofs(of_table(target, only, facts), methods)
        if target.kind == "figure":
            return Document(target, load_figure(target.name).title, numbers=(), titles={}, layout="metrics")
        return _with_proofs(of_run(target, only) if target.kind == "run" else of_comparison(target, only))
    except UserError:
        raise
    except (ValueError, OverflowError) as error:
        raise UserError(f"{target.path}: its table is damaged ({error})") from error


def of_table(target: Target, only: Only, facts: bool) -> Document:
    """Return the document of a table, in the layout of the paper."""
    table = load_table(target.name)
    partitions = read_partitions(target.path.with_name(f"{target.path.name}_partitions.csv"), table)
    rows = table_rows(table, partitions)
    repeated = {_place(row): row["repetitions"] for row in rows}
    n_partitions = sorted({row["n_partitions"] for row in rows}) or [0]
    unproved: dict[tuple[str, str], dict[int, int]] = {}
    for row in partitions:
        counts = unproved.setdefault((row["dataset"], row["algorithm"]), {})
        counts[row["seed"]] = row.get("n_selected_not_optimal", 0)

    agreeing = list[Number]()

    def p_value(one: Number, best: Number) -> float | None:
        ours, others = (repeated[number.dataset, number.algorithm, number.metric] for number in (one, best))
        differences = [ours[key] - others[key] for key in sorted(ours.keys() & others.keys())]
        if len(differences) < FEWEST:
            return None
        p = corrected_resampled_t(differences, 0.0)
        agreeing.extend([one] * isnan(p))
        return None if isnan(p) else p

    every = [
        _of_row(table, row, sum(unproved[row["dataset"], row["algorithm"]].values()))
        for row in rows
        if row["metric"] in table.metrics
    ]
    by_line = grouped(only.of(target.name, every), lambda one: (one.metric, one.dataset))
    readings = {column.name for column in table.columns if column.reading}
    is_printed = any(column.printed is not None for column in table.columns)
    additions = {column.name for column in table.columns if is_printed and column.printed is None}
    apart = readings | additions
    numbers = list[Number]()
    for mine in (by_line.get((metric, line.name), []) for metric in table.metrics for line in table.rows):
        compared = with_best([one for one in mine if one.algorithm not in apart], p_value)
        numbers += [*compared, *(one for one in mine if one.algorithm in apart)]
    test = ""
    if any(number.p_value is not None for number in numbers):
        test = (
            f"a paired t-test over the {table.unit}s at 5 %, adjusted by Holm's rule within the row, "
            f"and not for examples that {table.unit}s share"
        )
    return Document(
        target=target,
        title=table.title,
        numbers=numbers,
        titles={name: f"{one.title} {READING}" if one.reading else one.title for name, one in table.metrics.items()},
        layout="metrics",
        notes=[
            f"{averaged_over(table, n_partitions)}.",
            *([STAND_IN] if table.stand_in else []),
            *([f"The printed table is from {table.cited}."] if table.cited else []),
            *([differs_in_words(table)] if table.differs else []),
            *_without_test(agreeing),
        ],
        test=test,
        headings={name: f"{name} (stand-in)" for name in table.stand_ins},
        readings=readings,
        additions=additions,
        facts=_facts(table, partitions, rows) if facts and only == ALL else {},
    )


def _without_test(numbers: Sequence[Number]) -> list[str]:
    """Return which numbers no test compares with the best of their row, and why."""
    names = dict.fromkeys(f"{one.algorithm} on {one.dataset}" for one in numbers)
    why = "the difference is the same in all repetitions, so a test has nothing to go by"
    return [f"No test compares {', '.join(names)} with the best of the row: {why}."] if names else []


def _facts(table: Table, partitions: Sequence[Row], rows: Sequence[Row]) -> dict[str, int]:
    """Return the counts of the scorecard: verdicts, claims, and the contrasts of the first metric that has some."""
    counts, facts = count_cells(table, rows), dict[str, int]()
    if counts["run"]:
        facts |= {f"numbers {outcome}": counts[outcome] for outcome in ("run", *OUTCOMES)}
    judgements = [judgement for _, _, judgement in check_claims(table, partitions)]
    if judgements:
        facts |= {"claims hold": judgements.count(HOLDS), "claims fail": judgements.count(FAILS)}
    by_metric = stories(table, rows)
    story = by_metric.get(main_metric(table, by_metric) or "")
    return facts | ({"contrasts": story.contrasts, "contrasts kept": story.kept} if story else {})


def _place(row: Row) -> tuple[str, str, str]:
    return row["dataset"], row["algorithm"], row["metric"]


def _of_row(table: Table, row: Row, n_not_optimal: int) -> Number:
    known = table.metric_of(row["metric"])
    return Number(
        *_place(row),
        mean=row["mean"],
        std=row["std"] if row["std"] is not None and isfinite(row["std"]) else None,
        digits=table.metrics[row["metric"]].digits,
        n_splits=row["n_splits"],
        printed_mean=row.get("paper_mean"),
        printed_std=row.get("paper_std"),
        interval_low=row.get("interval_low"),
        interval_high=row.get("interval_high"),
        verdict=row.get("verdict", ""),
        n_not_optimal=n_not_optimal,
        known_as=known.name if known else "",
        reading=printed_cell(table, row)[1],
        no_verdict=why_no_verdict(table, row) if "paper_mean" in row else "",
    )


def of_run(target: Target, only: Only) -> Document:
    """Return the document of a run: a row for its method, a column for each metric."""
    numbers, summary = [], read_run(target).summary
    for row in summary:
        mean, std = float(row["mean"]), number_or_none(row["std"])
        numbers.append(
            Number(
                *_place(row),
                mean=mean,
                std=std,
                digits=_digits(row["metric"], mean, std),
                n_splits=int(row["n_splits"]),
                printed_mean=number_or_none(row.get("paper_mean", "")),
                printed_std=number_or_none(row.get("paper_std", "")),
                verdict=row.get("verdict", ""),
                n_not_optimal=int(row["n_selected_not_optimal"]),
            )
        )
    _require_unique(target, numbers)
    numbers = only.of(target.name, numbers)
    return Document(
        target=target,
        title=f"Scores of {numbers[0].algorithm}",
        numbers=numbers,
        titles=_titles(numbers),
        layout="datasets",
        notes=[*_over_parts(numbers), *_optimism(float(summary[0]["test_rows_in_choice_pct"] or 0.0))],
    )


def _with_proofs(document: Document, methods: Mapping[str, str] | None = None) -> Document:
    """Return a document that says of which algorithms nothing is proved; their numbers have no count of solutions.

    `methods` has the methods of algorithms that have another name.
    """
    named = {one.algorithm: (methods or {}).get(one.algorithm, one.algorithm) for one in document.numbers}
    numbers = [
        replace(one, n_not_optimal=None) if why_unproved(named[one.algorithm]) else one for one in document.numbers
    ]
    notes = [f"{capitalised(words)}." for words in nothing_proved(named)]
    return replace(document, numbers=numbers, notes=[*document.notes, *notes])


def _optimism(share: float) -> list[str]:
    """Return that scores are optimistic where part of the test rows (in per cent) took part in the choice."""
    return [f"Optimistic: hyper-parameters were chosen with {share:.3g} % of these test rows."] if share else []


def _over_parts(numbers: Sequence[Number]) -> list[str]:
    """Return over how many test parts means are: a score may be undefined on some of them."""
    n, titles = max(one.n_splits for one in numbers), _titles(numbers)
    fewer = {(titles[one.metric], one.n_splits): None for one in numbers if one.n_splits < n}
    words = [
        f"{title[:1].upper()}{title[1:]}: over the {counted(count, 'test part')} where it is defined."
        for title, count in fewer
        if count
    ]
    return [f"Mean (standard deviation) over {n} test parts.", *words]


def of_comparison(target: Target, only: Only) -> Document:
    """Return the document of a comparison: a row for each method, a column for each metric."""
    comparisons = read_comparison(target.path).comparisons
    every = [number for one in comparisons for number in _of_comparison(one)]
    _require_unique(target, every)
    places = {(one.data["name"], place.name, one.metric): place for one in comparisons for place in one.standings}
    numbers, untested = list[Number](), list[str]()
    for mine in grouped(only.of(target.name, every), lambda one: (one.dataset, one.metric)).values():
        found = [places.get((one.dataset, one.algorithm, one.metric)) for one in mine]
        is_tested = any(place and place.rank == 1 for place in found)  # else the best method is left out
        p_values = [place.p_value if place and is_tested and isfinite(place.p_value) else None for place in found]
        numbers += [replace(one, p_value=p) for one, p in zip(with_best(mine), p_values, strict=True)]
        untested += [place.name for place in found if place and is_tested and place.agrees]
    numbers = [one for group in grouped(numbers, lambda one: one.dataset).values() for one in group]
    selected = ", ".join(dict.fromkeys(METRICS[one.metric].words for one in comparisons))
    tested = any(number.p_value is not None for number in numbers)
    several = len({one.algorithm for one in numbers}) > 1
    picked = ["The test rows picked the best method, so its score is optimistic."] if several else []
    names = ", ".join(dict.fromkeys(untested))
    why = [f"No test compares {names} with the best: {NO_TEST.format(parts='test')}."] if names else []
    return Document(
        target=target,
        title="Comparison of methods",
        numbers=numbers,
        titles=_titles(numbers),
        layout="datasets",
        notes=[*_over_parts(numbers), f"Methods are ranked by {selected}.", *picked, *why],
        test=RESAMPLED if tested else "",
    )


def _of_comparison(comparison: Comparison) -> Iterator[Number]:
    """Yield the scores of all methods on one data set, the best method first."""
    measured = {one.name: one for one in comparison.measured}
    for place, row in zip(comparison.standings, comparison.ranking(), strict=True):
        for name in comparison.metrics:
            mean, std, n = mean_and_deviation(measured[place.name].values(name))
            if not n:
                continue
            ends = [place.low, place.high] if name == comparison.metric else []
            low, high = [end if isfinite(end) else None for end in ends] or (None, None)
            yield Number(
                comparison.data["name"],
                place.name,
                name,
                mean=mean,
                std=std,
                digits=digits_of(name, mean, std),
                n_splits=n,
                interval_low=low,
                interval_high=high,
                n_not_optimal=row["n_selected_not_optimal"] if row["n_selected_not_optimal"] != "" else None,
            )


def _digits(metric: str, mean: float, std: float | None) -> int:
    """Return the digits of a metric, or 2 of one that this version does not know."""
    return digits_of(metric, mean, std) if metric in METRICS else 2


def _titles(numbers: Sequence[Number]) -> dict[str, str]:
    return {one.metric: METRICS[one.metric].words if one.metric in METRICS else one.metric for one in numbers}


def _require_unique(target: Target, numbers: Sequence[Number]) -> None:
    """Raise `UserError` if a number is there twice."""
    seen = set[tuple[str, str, str]]()
    for one in numbers:
        key = one.dataset, one.algorithm, one.metric
        if key in seen:
            raise UserError(f"{target.path}: {' '.join(key)} is there twice")
        seen.add(key)
