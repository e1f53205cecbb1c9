"""The tables of a stored run, as pictures need them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isclose, isfinite, nan
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, cast

from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, RULES, Metric, Row, Selection, select
from kernlearn.report.choice import End, ends_of
from kernlearn.report.targets import Target
from kernlearn.runner.plan.plan import WORDS
from kernlearn.runner.store.files import read_json
from kernlearn.runner.store.tables import read_csv

#: The columns of `paths.csv` on either side of the hyper-parameters.
_BEFORE, _AFTER = "point", "n_train"
#: The files of a run.
_FILES = ("paths.csv", "summary.csv", "provenance.json")
#: The columns of ``summary.csv`` that are needed, and those with numbers of splits.
OF_SUMMARY = (
    *("dataset", "algorithm", "metric", "mean", "std", "n_splits", "n_selected_not_optimal", "test_rows_in_choice_pct"),
)
_COUNTS = ("n_splits", "n_selected_not_optimal")
_NUMBERS = ("mean", "std", "test_rows_in_choice_pct")
#: What the record of a run says of its computation, besides ``computed``, if it says it.
_RECORDED = ("collected", "cell_seconds", "cell_cpu_seconds", "cell_peak_mb")
#: How far numbers of ``summary.csv`` may be from those that follow from ``paths.csv``: they are written to all digits.
SAME = 1e-9
#: Runs that are kept in memory.
_KEPT = 2


class Lacking(UserError):
    """A result has no picture of some kind; the message is the reason."""


@dataclass(frozen=True)
class StoredRun:
    """A run from its tables.

    Attributes
    ----------
    path : Path
    rows : list of Row
        Of all grid points and splits, without failed splits.
    parameters : list of str
        The names of the hyper-parameters of the grid.
    summary : list of dict
        The rows of ``summary.csv`` as texts.
    provenance : mapping
    """

    path: Path
    rows: list[Row]
    parameters: Sequence[str]
    summary: Sequence[Mapping[str, str]]
    provenance: Mapping[str, Any]

    @property
    def title(self) -> str:
        """The method and the data."""
        return f"{self.rows[0]['algorithm']} on {self.rows[0]['dataset']}"

    @property
    def metric(self) -> Metric:
        """The score that selected grid points."""
        return METRICS[self.provenance["chosen_by"]["select_by"]]

    @cached_property
    def grid(self) -> dict[int, dict[str, float]]:
        """The hyper-parameters of every point; those that a point does not have are left out."""
        points: dict[int, dict[str, float]] = {}
        for row in self.rows:
            values: Mapping[str, Any] = row
            if row["point"] not in points:
                points[row["point"]] = {name: values[name] for name in self.parameters if name in values}
        return dict(sorted(points.items()))

    @property
    def varied(self) -> list[str]:
        """The hyper-parameters with more than one value, the one with most values first."""
        values = {name: {point.get(name) for point in self.grid.values()} for name in self.parameters}
        names = [name for name in self.parameters if len(values[name]) > 1]
        return sorted(names, key=lambda name: -len(values[name]))

    @cached_property
    def selection(self) -> Selection:
        """The selected grid points, by the rule of the run.

        Raises `UserError` if no point can be selected.
        """
        try:
            found = select(self.rows, self._points, self.metric.name, self.provenance["chosen_by"]["rule"])
        except (LookupError, TypeError, ArithmeticError) as error:
            raise UserError(f"{self.path}: no grid point can be selected from paths.csv ({error!r})") from error
        if found is None:
            raise Lacking("no grid point was selected")
        return found

    @property
    def ends(self) -> list[End]:
        """The selected values at an end of their grid."""
        algorithm, kernel = (self.provenance["experiment"][key]["name"] for key in ("algo", "kernel"))
        return ends_of(algorithm, kernel, self._points, self.selection, self.rows)

    @property
    def _points(self) -> list[dict[str, float]]:
        """The hyper-parameters of the points 0, 1, ...; none of a point that was not measured."""
        return [self.grid.get(point, {}) for point in range(max(self.grid) + 1)]

    @property
    def splits(self) -> list[int]:
        """The numbers of the splits with results."""
        return sorted({row["split"] for row in self.rows})

    def over_splits(self, column: str) -> dict[int, list[float]]:
        """Return the finite values of a column by grid point; points without any have an empty list."""
        found: dict[int, list[float]] = {point: [] for point in self.grid}
        for row in self.rows:
            if isfinite(value := value_of(row, column)):
                found[row["point"]].append(value)
        return found

    def has(self, column: str) -> bool:
        """Return whether a row has a column."""
        return any(column in row for row in self.rows)


def value_of(row: Row, column: str) -> float:
    """Return a number of a row, or NaN."""
    values: Mapping[str, Any] = row
    return float(values.get(column, nan))


def read_run(target: Target) -> StoredRun:
    """Return the tables of a run.

    Raises `UserError` if they are damaged, or no split has finished.
    """
    run = _read(target.path.resolve(), tuple(stamp(target.path / name) for name in _FILES))
    _check_summary(run)
    return run


def _check_summary(run: StoredRun) -> None:
    """Raise `UserError` if ``summary.csv`` has no row of the score, or other numbers than follow from ``paths.csv``."""
    try:
        measured = run.selection.summary()
    except Lacking:
        return
    path, found = run.path / "summary.csv", {row["metric"]: row for row in run.summary}
    if run.metric.name not in found:
        raise UserError(f"{path}: damaged (it has no {run.metric.name}); repeat the command of the run")
    for metric, row in ((metric, row) for metric, row in found.items() if metric in METRICS):  # others are of plug-ins
        mean, std, n = measured.get(metric, (nan, nan, -1))
        same = int(row["n_splits"]) == n and all(
            isclose(float(row[key] or 0.0), value or 0.0, rel_tol=SAME, abs_tol=1e-12)
            for key, value in (("mean", mean), ("std", std))
            if n > 0
        )
        if not same:
            raise UserError(
                f"{path}: damaged (its {metric} does not follow from paths.csv); repeat the command of the run"
            )


def stamp(path: Path) -> tuple[int, int]:
    """Return what changes if a file is written again; zeros if there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=_KEPT)
def _read(path: Path, _: object) -> StoredRun:
    paths, record = path / "paths.csv", path / "provenance.json"
    lines = read_csv(paths, ("run", "dataset", "algorithm", "seed", "split"))
    lines = [line for line in lines if line.get("point")]
    if not lines:
        raise UserError(f"{paths}: no split has finished, so there is nothing to show")
    try:
        names = list(lines[0])
        parameters = names[names.index(_BEFORE) + 1 : names.index(_AFTER)]
        rows = [cast(Row, {key: _number(key, value) for key, value in line.items() if value}) for line in lines]
        if not all({"split", "point", "status"} <= row.keys() for row in rows):
            raise ValueError("a row of paths.csv lacks its split, point or status")
        provenance = read_json(record)
        METRICS[provenance["chosen_by"]["select_by"]], RULES[provenance["chosen_by"]["rule"]]
        described = (provenance["experiment"], provenance["data"][0], *provenance["data"])
        if not all(isinstance(one, Mapping) for one in described):
            raise ValueError("provenance.json does not describe an experiment and its data")
        known = (*provenance["computed"], *(provenance[key] for key in _RECORDED if key in provenance))
        if not all(isinstance(one, Mapping) for one in known):
            raise ValueError("provenance.json does not describe how the run was computed")
    except (ValueError, LookupError, TypeError) as error:
        raise UserError(f"{path}: its tables are damaged ({error}); repeat the command of the run") from error
    return StoredRun(path, rows, parameters, _summary(path / "summary.csv"), provenance)


def _summary(path: Path) -> list[dict[str, str]]:
    """Return the rows of ``summary.csv``.

    Raises `UserError` if it is missing, or has other texts in the place of numbers.
    """
    try:
        summary = read_csv(path, OF_SUMMARY)
        for line in summary:
            _ = (
                [float(line[key] or 0.0) for key in ("mean", "std", "test_rows_in_choice_pct")],
                *(int(line[key]) for key in _COUNTS),
            )
    except UserError:
        raise
    except FileNotFoundError:
        raise UserError(f"{path}: is missing; repeat the command of the run") from None
    except ValueError as error:
        raise UserError(f"{path}: damaged ({error}); repeat the command of the run") from error
    return summary


_INTEGERS = ("seed", "split", "point", "iterations", "rounds")


def _number(key: str, value: str) -> Any:
    if key in WORDS or key in ("run", "dataset", "algorithm"):
        return value
    return int(value) if key in _INTEGERS or key.startswith("n_") or key.endswith("_errors") else float(value)


def mean_and_std(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean, NaN of no values, and the standard deviation, 0 of fewer than two."""
    return (fmean(values) if values else nan), (stdev(values) if len(values) > 1 else 0.0)
