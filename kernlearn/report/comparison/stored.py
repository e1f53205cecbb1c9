"""A comparison from the files of its directory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any, cast

from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, Row
from kernlearn.evaluation.comparison import Ranks
from kernlearn.report.comparison.scores import METHOD, Comparison, Measured, over_all
from kernlearn.report.run import kernels_in_words
from kernlearn.runner.store.files import read_json
from kernlearn.runner.store.reading import conforms
from kernlearn.runner.store.records import Described, Provenance
from kernlearn.runner.store.tables import read_csv

#: Columns that both tables have.
SHARED = ("dataset", "sha256", "task", "protocol", "scaling", "method", "kind")


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
    ranking = read_csv(directory / "ranking.csv", (*SHARED, "select_by", "n_splits", "cpu_seconds", "runs"))
    splits = read_csv(directory / "splits.csv", (*SHARED, "seed", "split", "selected"))
    try:
        record = read_json(directory / "provenance.json")
        if not all(conforms(one, Described) for one in record["data"]):
            raise ValueError("its data are not described")
        by_data: dict[tuple[str, str], list[Mapping[str, str]]] = {}
        for row in ranking:
            by_data.setdefault((row["dataset"], row["sha256"]), []).append(row)
        comparisons = [_comparison(ranked, splits, record) for ranked in by_data.values()]
        command = str(record["collected"]["command"])
        left_out = {str(name): str(why) for name, why in record.get("left_out", {}).items()}
        return StoredComparison(command, comparisons, left_out, over_all(comparisons), record)
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise UserError(
            f"{directory}: its files are damaged ({error}); repeat the command of the comparison"
        ) from error


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
