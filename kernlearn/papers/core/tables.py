"""The tables that can be reproduced: what ``<paper>/<table>.yaml`` describes, and what the module beside it adds.

The module of a table, ``<table>.py``, may define

- ``claims(measured)``: what the paper says of it in words, as checks of what was measured;
- ``NEEDS``: the columns that the claims are about, by default all;
- ``measure(plan, rows, selection)``: more metrics of a selected model, one value a split;
- ``POINTS``: ``{name: function(plan)}``, more rows computed from the data of its first plan, each a file of its own;
- ``draw(canvas, rows, points)`` with ``SIZE`` in inches: its picture;
- ``printed_dataset(experiment)``: the printed name of the data set if an experiment is one of its cells, else None.

A table in a directory of files has no module. Its description may state claims as expressions
(`kernlearn.papers.language`), and so may that of any table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kernlearn.errors import UserError
from kernlearn.evaluation import METRICS, Metric, Row, Selection
from kernlearn.papers.core.axes import OF_DATA, Alternative, Axis, Reading, axes_of
from kernlearn.papers.core.compare import PrintedValue, cell_values, printed_rows
from kernlearn.papers.core.descriptions import check_description, cited
from kernlearn.papers.core.index import NO_PACKAGE, place_of, places
from kernlearn.papers.core.measured import Claim, Measured
from kernlearn.papers.core.units import PARTITION
from kernlearn.papers.language.expression import Expression, Names
from kernlearn.papers.language.reader import parse
from kernlearn.papers.own.remarks import check_printed, remarks_on
from kernlearn.papers.own.schema import normalised
from kernlearn.runner.plan.plan import Plan

#: What was measured of a cell of a table.
Rows = Sequence[Row]
#: The rows of a reproduced table, ours beside what is printed.
Comparisons = Sequence[Mapping[str, Any]]
#: Metrics by name, one value a split.
Measures = dict[str, list[float]]
#: Gives more metrics of a selected model.
Measure = Callable[[Plan, Rows, Selection], Measures]
#: Rows by the name of their file.
Points = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    #: Of the configuration: they make its experiment.
    overrides: tuple[str, ...]
    #: The printed column it is compared with.
    printed: str | None = None
    #: Whether it is a further reading of a printed column that another one has as stated: judged, but not counted.
    reading: bool = False
    #: Why it has no verdict, as a reading that alters what is printed; empty if it has one.
    no_verdict: str = ""
    #: How many splits at most, from the first, are run of a row; by default as many as the row has.
    splits: int | None = None
    #: Overrides after those of the row, of a reading (`kernlearn.papers.core.axes`).
    final: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """The name of its method; empty if its overrides name none."""
        return next((word.removeprefix("algo=") for word in self.overrides if word.startswith("algo=")), "")


@dataclass(frozen=True)
class TableRow:
    """A row of a table."""

    name: str
    #: Name and options of the data set.
    dataset: Mapping[str, Any]
    #: Of the configuration, after those of the column.
    overrides: tuple[str, ...] = ()
    #: The columns that it has; by default all.
    columns: tuple[str, ...] | None = None
    #: How many splits of the protocol, from its first, are run; by default all.
    splits: int | None = None
    #: The data set's name in the printed table.
    printed: str = ""
    #: How the setting of its printed cells begins, as regression or classification.
    setting: str = ""
    #: Whether its data are others than those of the paper: no verdict is given, as for a table of such data.
    stand_in: bool = False
    #: As for the table, where this row has another number of them; 0 where it has not.
    printed_splits: int = 0

    def has(self, column: Column) -> bool:
        """Return whether the row has the column."""
        return self.columns is None or column.name in self.columns

    def splits_of(self, column: Column) -> int | None:
        """Return how many splits of the protocol are run of the column, None for all."""
        return min((splits for splits in (self.splits, column.splits) if splits is not None), default=None)


@dataclass(frozen=True)
class Display:
    """How a metric is shown."""

    title: str
    digits: int
    #: The metric's name in the printed table, where it is another.
    printed: str = ""
    #: How the setting of its printed cells begins, where these differ by that.
    setting: str = ""
    #: Whether it is a further reading of a printed metric: judged, but not counted.
    reading: bool = False
    #: Why it has no verdict; empty if it has one.
    no_verdict: str = ""
    #: By how much its value of one split changes with one example, of a metric that a module adds; 0 if it is
    #: continuous.
    step: float = 0.0


@dataclass(frozen=True)
class Statement:
    """A claim that a description states as an expression."""

    #: In words.
    claim: str
    holds: Expression
    #: The rows that it is about: those that have its columns.
    rows: tuple[str, ...]
    #: Columns that are further readings of one of its columns, which it is also checked with: by name, that column.
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """A table or figure of a paper."""

    #: ``<paper>/<table>``.
    name: str
    title: str
    #: The file of printed values, for `kernlearn.papers.table_values`; empty if the paper prints none.
    printed: str
    #: In the order of the paper.
    rows: tuple[TableRow, ...]
    columns: tuple[Column, ...]
    #: What is shown, by the names of `kernlearn.evaluation.METRICS` or of those that `measure` adds.
    metrics: Mapping[str, Display] = field(default_factory=dict)
    #: What the paper leaves open and how it is read here.
    readings: Mapping[str, str] = field(default_factory=dict)
    #: The column by whose RMSE that of every column is divided, as one more metric; empty for none.
    ratio_to: str = ""
    #: Whether the data are others than those of the paper, so that its values are context and no verdict is given.
    stand_in: bool = False
    #: Whether the description says of the data whether they are those of the paper.
    data_stated: bool = True
    #: What differs from the experiment of the paper, in words; empty if nothing is said.
    differs: str = ""
    #: Where the table is printed, in words; empty if it is not said.
    cited: str = ""
    #: What a person should know of the description and its printed values, in lines.
    remarks: tuple[str, ...] = ()
    #: What is smaller than in the paper, so that its claims cannot be tested; empty if nothing is.
    reduced: str = ""
    #: The number of random splits whose mean is printed; 0 where these are the folds of one partition.
    printed_splits: int = 0
    #: What counts as one repetition, one of `kernlearn.papers.core.units.UNITS`.
    unit: str = PARTITION
    #: What all splits of a sample share, in words; empty for other units.
    shared: str = ""
    #: The claims of its description.
    statements: tuple[Statement, ...] = ()
    #: The decisions that the paper leaves open, for ``kernlearn reproduce --readings``.
    axes: tuple[Axis, ...] = ()
    #: `claims`, `measure`, `points`, `draw`, `size`: from its module: see the head of this one.
    claims: Callable[[Measured], list[Claim]] | None = None
    #: The columns without which there are no claims.
    needs: frozenset[str] = frozenset()
    measure: Measure | None = None
    points: Mapping[str, Callable[[Plan], list[dict[str, Any]]]] = field(default_factory=dict)
    draw: Callable[[Any, Comparisons, Points], None] | None = None
    size: tuple[float, float] = (6.0, 3.4)

    @property
    def stand_ins(self) -> frozenset[str]:
        """The rows whose data are others than those of the paper."""
        return frozenset(row.name for row in self.rows if self.stand_in or row.stand_in)

    def splits_printed(self, row: TableRow) -> int:
        """Return the number of random splits whose mean is printed of a row; 0 where these are folds."""
        return row.printed_splits or self.printed_splits

    def why_silent(self, column: Column, metric: str) -> str:
        """Return why a metric of a column has no verdict; empty if it has one."""
        return column.no_verdict or (self.metrics[metric].no_verdict if metric in self.metrics else "")

    @property
    def paper(self) -> str:
        """The paper's name."""
        return self.name.partition("/")[0]

    def printed_rows(self) -> list[dict[str, str]]:
        """Return the rows of its printed values; none without such a file."""
        return printed_rows(self.printed) if self.printed else []

    def printed_value(
        self, rows: Sequence[Mapping[str, str]], row: TableRow, column: Column, metric: str
    ) -> PrintedValue | None:
        """Return the printed value of a metric, from `printed_rows`, or None if none is printed."""
        if column.printed is None:
            return None
        values = cell_values(rows, row.printed, column.printed, self.setting_of(row, metric))
        return values.get(self.printed_name(metric))

    @property
    def n_printed(self) -> int:
        """The number of printed values of its rows, columns and metrics."""
        printed = self.printed_rows()
        return sum(
            self.printed_value(printed, row, column, metric) is not None
            for row in self.rows
            for column in self.columns
            if row.has(column) and not column.reading
            for metric, shown in self.metrics.items()
            if not shown.reading
        )

    def setting_of(self, row: TableRow, metric: str) -> str:
        """Return how the setting of the printed cells of a row begins."""
        return row.setting or (self.metrics[metric].setting if metric in self.metrics else "")

    def printed_name(self, metric: str) -> str:
        """Return the name of a metric in the printed table."""
        return (self.metrics[metric].printed if metric in self.metrics else "") or metric

    def metric_of(self, metric: str) -> Metric | None:
        """Return what is known of a metric, by its own or its printed name; None of one that only the table has."""
        return METRICS.get(metric) or METRICS.get(self.printed_name(metric))


def table_names() -> list[str]:
    """Return the names of all tables, sorted."""
    return [name for name, place in places().items() if place.is_table]


def load_table(name: str) -> Table:
    """Return a table by its name.

    Raises
    ------
    UserError
        If there is no such table (the message lists those there are), or its module cannot be imported.
    """
    place = place_of(name, "table", table=True)
    spec, module = place.description(), place.module()
    if place.package == NO_PACKAGE:
        spec = normalised(name, spec, place.path.parent)
    check_description(name, spec, place.printed, measures=hasattr(module, "measure"))
    remarks = list[str]()
    if place.package == NO_PACKAGE:
        printed_numbers = printed_rows(place.printed) if place.printed else []
        check_printed(f"{place.path}.csv", spec, printed_numbers)
        remarks = remarks_on(spec, printed_numbers)
    given, common = spec["rows"], tuple(spec.get("overrides", ()))
    rows = tuple(_row(key, (given[key] or {}) if isinstance(given, Mapping) else {}) for key in given)
    columns = tuple(_column(key, value, common) for key, value in spec["columns"].items())
    return Table(
        name=name,
        title=spec["title"],
        printed=place.printed,
        rows=rows,
        columns=columns,
        metrics={key: Display(**value) for key, value in spec["metrics"].items()},
        readings=spec["readings"],
        ratio_to=spec.get("ratio_to", ""),
        stand_in=spec.get("stand_in", False),
        data_stated=place.package != NO_PACKAGE or _says_data(spec),
        differs=spec.get("differs", ""),
        cited=cited(spec.get("source", {})),
        remarks=tuple(remarks),
        reduced=spec.get("reduced", ""),
        printed_splits=spec.get("printed_splits", 0),
        unit=spec.get("unit", PARTITION),
        shared=spec.get("shared", ""),
        statements=tuple(_statement(name, one, rows, columns, spec) for one in spec.get("claims", ())),
        axes=axes_of(name, spec.get("axes"), spec["columns"]),
        claims=getattr(module, "claims", None),
        needs=frozenset(getattr(module, "NEEDS", spec["columns"])),
        measure=getattr(module, "measure", None),
        points=getattr(module, "POINTS", {}),
        draw=getattr(module, "draw", None),
        size=getattr(module, "SIZE", Table.size),
    )


def _says_data(spec: Mapping[str, Any]) -> bool:
    """Return whether a description of one's own says of all data whether they are those of the paper."""
    return "stand_in" in spec or all("stand_in" in (row or {}) for row in spec["rows"].values())


def _row(name: str, value: Mapping[str, Any]) -> TableRow:
    """Return a row; with nothing more said, it is the data set of its name."""
    columns = value.get("columns")
    return TableRow(
        name,
        value.get("dataset", {"name": name}),
        tuple(value.get("overrides", ())),
        None if columns is None else tuple(columns),
        value.get("splits"),
        value.get("printed", name),
        value.get("setting", ""),
        value.get("stand_in", False),
        value.get("printed_splits", 0),
    )


def _column(name: str, value: Mapping[str, Any], common: tuple[str, ...]) -> Column:
    overrides = common + tuple(value["overrides"])
    return Column(
        name,
        overrides,
        value.get("printed"),
        value.get("reading", False),
        value.get("no_verdict", ""),
        value.get("splits"),
    )


def _statement(
    name: str, value: Mapping[str, Any], rows: Sequence[TableRow], columns: Sequence[Column], spec: Mapping[str, Any]
) -> Statement:
    """Return a claim of a description. An expression may use the metrics of the table, and all that are measured."""
    first = next(iter(spec["metrics"]), "error_pct")
    metrics = tuple(dict.fromkeys((first, *spec["metrics"], *METRICS)))
    names = Names([column.name for column in columns], metrics, first in METRICS and METRICS[first].larger_is_better)
    holds = parse(f"{name}: the claim {value['claim']!r}", value["holds"], names)
    needed = [column for column in columns if column.name in holds.columns]
    about = value.get("rows")
    return Statement(
        value["claim"],
        holds,
        tuple(row.name for row in rows if (about is None or row.name in about) and all(row.has(one) for one in needed)),
        {one: _stated(name, value["claim"], one, needed, columns) for one in value.get("readings", ())},
    )


def _stated(name: str, claim: str, reading: str, needed: Sequence[Column], columns: Sequence[Column]) -> str:
    """Return the column of a claim that another one is a further reading of."""
    printed = next(column.printed for column in columns if column.name == reading)
    found = [column.name for column in needed if column.printed == printed and not column.reading]
    if len(found) != 1:
        raise UserError(
            f"{name}: the claim {claim!r} has the reading {reading}, but no column that is printed as {printed}"
        )
    return found[0]


def under_reading(table: Table, reading: Reading) -> Table:
    """Return a table as it is under a reading.

    The overrides of its alternatives come after those of the columns and rows.
    """
    chosen = [(axis, axis.alternative(reading[axis.name])) for axis in table.axes if axis.name in reading]
    of_data = [word for _, one in chosen for word in one.overrides if word.startswith(OF_DATA)]
    return replace(
        table,
        rows=tuple(_row_under(row, of_data) for row in table.rows),
        columns=tuple(_column_under(column, chosen) for column in table.columns),
    )


def _row_under(row: TableRow, words: Sequence[str]) -> TableRow:
    from omegaconf import OmegaConf

    options: Any = OmegaConf.to_container(OmegaConf.from_dotlist([word.removeprefix(OF_DATA) for word in words]))
    return replace(row, dataset={**row.dataset, **options}) if words else row


def _column_under(column: Column, chosen: Sequence[tuple[Axis, Alternative]]) -> Column:
    words = [
        word
        for axis, one in chosen
        if axis.concerns(column.name)
        for word in one.overrides
        if not word.startswith(OF_DATA)
    ]
    return replace(column, final=tuple(words)) if words else column
