"""A comparison from the files of its directory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose, nan
from pathlib import Path
from typing import Any, cast

from kernlearn.datasets.core.cells import show
from kernlearn.errors import UserError, one_line
from kernlearn.evaluation import METRICS, Row
from kernlearn.evaluation.comparison import Ranks
from kernlearn.report.comparison.scores import METHOD, RENAMED, Comparison, Measured, over_all
from kernlearn.report.run import kernels_in_words
from kernlearn.runner.store.files import read_json
from kernlearn.runner.store.reading import conforms
from kernlearn.runner.store.records import Described, Provenance
from kernlearn.runner.store.tables import read_csv

#: Columns that both tables have.
SHARED = ("dataset", "sha256", "task", "protocol", "scaling", "method", "kind")
#: The columns of the tables that are needed.
OF_RANKING = (*SHARED, "select_by", "n_splits", "cpu_seconds", "runs")
OF_SPLITS = (*SHARED, "seed", "split", "selected")
#: Numbers of two tables that follow from each other agree up to this, relative to the larger one.
SAME = 1e-9


@dataclass(frozen=True)
class StoredComparison:
    """What `kernlearn.report.comparison.page.page_of` shows, as it was stored."""

    command: str
    comparisons: Sequence[Comparison]
    left_out: Mapping[str, str]
    #: Methods, and their ranks over several data sets, if there are any.
    ranked: tuple[Sequence[str], Ranks] | None
    record: Provenance


def read_comparison(directory: Path) -> StoredComparison:
    """Return a stored comparison; older ones lack the methods that were left out, and notes.

    Raises `UserError` if its files are damaged.
    """
    ranking = read_csv(directory / "ranking.csv", OF_RANKING)
    splits = read_csv(directory / "splits.csv", OF_SPLITS)
    try:
        record = read_json(directory / "provenance.json")
        comparisons = comparisons_of(ranking, splits, record)
        command = str(record["collected"]["command"])
        left_out = {str(name): str(why) for name, why in record.get("left_out", {}).items()}
        return StoredComparison(command, comparisons, left_out, over_all(comparisons), record)
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise UserError(
            f"{directory}: its files are damaged ({one_line(error)}); repeat the command of the comparison"
        ) from error


def comparisons_of(
    ranking: Sequence[Mapping[str, str]], splits: Sequence[Mapping[str, str]], record: Any
) -> list[Comparison]:
    """Return the comparison on every data set from the rows of the tables, and the record of what computed them.

    All numbers are those of ``splits.csv``. Raises an error, such as `ValueError` or `LookupError`, if something is
    damaged, or if a number of ``ranking.csv`` does not follow from ``splits.csv``.
    """
    if not ranking:
        raise ValueError("ranking.csv has no method")
    if not all(conforms(one, Described) for one in record["data"]):
        raise ValueError("its data are not described")
    by_data: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row in ranking:
        by_data.setdefault((row["dataset"], row["sha256"]), []).append(row)
    comparisons = [_comparison(ranked, splits, record) for ranked in by_data.values()]
    for one, ranked in zip(comparisons, by_data.values(), strict=True):
        _check(one, ranked)
    return comparisons


def _check(comparison: Comparison, ranking: Sequence[Mapping[str, str]]) -> None:
    """Raise `ValueError` if a number of ``ranking.csv`` does not follow from ``splits.csv``.

    Earlier versions wrote ends of intervals beyond the range of the score, and other tests where scores agree.
    """
    names = [row["method"] for row in ranking]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise ValueError(f"{show(twice)} is there twice")
    metric = METRICS[comparison.metric]
    has_other_tests = any(place.agrees or place.equal or place.rank == 1 for place in comparison.standings[1:])
    computed = {row["method"]: row for row in comparison.ranking()}
    for row in ({RENAMED.get(key, key): cell for key, cell in row.items()} for row in ranking):
        known = computed[row["method"]]
        follow = {key: row[key] for key in known if key in row and key.endswith(("_mean", "_std"))}
        if known["interval_low"] != "":
            ends = {key: row[key] for key in ("interval_low", "interval_high") if row.get(key)}
            follow |= {key: str(metric.within(float(end))) for key, end in ends.items()}
        if not has_other_tests:
            follow |= {key: row[key] for key in ("rank", "p_holm", "not_distinguished_from_best") if key in row}
        for key, cell in follow.items():
            if not _same(cell, known[key]):
                raise ValueError(f"{key} of {show(row['method'])} in ranking.csv does not follow from splits.csv")


def _same(cell: str, value: Any) -> bool:
    """Return whether a cell is a value, or a number that differs from it by rounding only."""
    if value == "" or isinstance(value, bool):
        return cell == str(value)
    return bool(cell) and isclose(float(cell), value, rel_tol=SAME, abs_tol=1e-12)


def _comparison(ranking: Sequence[Mapping[str, str]], splits: Sequence[Mapping[str, str]], record: Any) -> Comparison:
    """Return the methods and baselines on one data set."""
    first = ranking[0]
    known = [one for one in record["data"] if one["name"] == first["dataset"] and one["sha256"][:12] == first["sha256"]]
    if not known:
        raise ValueError(f"provenance.json does not describe {first['dataset']}")
    data, measured = known[0], []
    ends = record.get("at_grid_end", {}).get(data["name"], {})
    for row in ranking:
        mine = [one for one in splits if all(one[key] == row[key] for key in SHARED)]
        if len(mine) != int(row["n_splits"]):
            raise ValueError(f"{row['method']} has {len(mine)} of {row['n_splits']} splits in splits.csv")
        is_method, runs = row["kind"] == METHOD, row["runs"].split()
        measured.append(
            Measured(
                row["method"],
                row["kind"],
                [_row(one) for one in mine],
                runs,
                [one["selected"] for one in mine] if is_method else [],
                float(row["cpu_seconds"] or nan),
                kernels_in_words(record["experiments"][runs[0]]["kernel"], data["features"]) if runs else "",
                [_end(note) for note in ends.get(row["method"], ())],
            )
        )
    notes = tuple(str(note) for note in record.get("notes", {}).get(data["name"], ()))
    METRICS[first["select_by"]]  # a comparison of a newer version may have another
    return Comparison(data, first["task"], first["protocol"], first["scaling"], first["select_by"], measured, notes)


def _end(note: Any) -> tuple[str, bool]:
    """Return a note of `Measured.ends`; those of older versions do not say whether a wider grid may be better."""
    return (note, False) if isinstance(note, str) else (str(note["words"]), note["settled"] is True)


def _row(line: Mapping[str, str]) -> Row:
    """Return the row of a selected grid point, as cells have it."""
    row: dict[str, Any] = {"split": int(line["split"])}
    row |= {key: int(line[key]) for key in ("seed", "n_train", "n_test") if line.get(key)}
    if ("n_train" in row) != ("n_test" in row):
        raise ValueError("a split has only one of n_train and n_test")
    if line.get("gap"):
        row |= {"gap": float(line["gap"]), "status": line["status"]}
    for name, metric in METRICS.items():
        if line.get(name) and metric.target:
            row[metric.column_of("test")] = metric.to_column(float(line[name]))
    return cast(Row, row)
