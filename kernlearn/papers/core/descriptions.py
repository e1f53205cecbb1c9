"""What the description of a table, ``<paper>/<table>.yaml``, has to have, and what it must not."""

from collections.abc import Mapping
from typing import Any

from kernlearn.errors import UserError, closest
from kernlearn.evaluation import METRICS
from kernlearn.papers.core.compare import COLUMNS, printed_rows
from kernlearn.papers.core.index import check_keys
from kernlearn.papers.core.units import DRAW, PARTITION, SAMPLE, UNITS
from kernlearn.parameters import Number

#: The keys of a description and of its rows, columns and metrics, those that have to be there first.
KEYS = (
    ("title", "rows", "columns", "metrics", "readings"),
    (
        *("overrides", "ratio_to", "stand_in", "reduced", "printed_splits", "unit", "shared", "claims", "axes"),
        *("source", "differs"),
    ),
)
ROW_KEYS = (), ("dataset", "overrides", "columns", "splits", "printed", "setting", "stand_in", "printed_splits")
COLUMN_KEYS = ("overrides",), ("printed", "reading", "no_verdict", "splits")
METRIC_KEYS = ("title", "digits"), ("printed", "setting", "reading", "no_verdict", "step")
SOURCE_KEYS = (), ("authors", "title", "year", "journal", "page", "url")
CLAIM_KEYS = ("claim", "holds"), ("rows", "readings")


def check_description(name: str, spec: Any, printed: str, *, measures: bool) -> None:
    """Raise `UserError` if a description has an unknown key or lacks one, or names a metric or column that is none."""
    check_keys(name, spec, *KEYS)
    check_words(name, spec)
    check_unit(name, spec, printed=bool(printed))
    check_keys(f"{name}: source", spec.get("source", {}), *SOURCE_KEYS)
    for row, value in (spec["rows"] if isinstance(spec["rows"], Mapping) else {}).items():
        check_keys(f"{name}: rows.{row}", value or {}, *ROW_KEYS)
        check_words(f"{name}: rows.{row}", value or {})
    cells = printed_rows(printed) if printed else []
    lacking = [column for column in COLUMNS if cells and column not in cells[0]]
    if lacking:
        raise UserError(f"{printed}.csv: lacks {', '.join(lacking)}; its columns are {', '.join(COLUMNS)}")
    known = {cell["algorithm"] for cell in cells}
    for column, value in spec["columns"].items():
        check_keys(f"{name}: columns.{column}", value, *COLUMN_KEYS)
        check_words(f"{name}: columns.{column}", value)
        if known and value.get("printed") and value["printed"] not in known:
            advice = f"the printed values have {', '.join(sorted(known))}{closest(value['printed'], known)}"
            raise UserError(f"{name}: columns.{column}.printed={value['printed']}: {advice}")
    for metric, value in spec["metrics"].items():
        check_keys(f"{name}: metrics.{metric}", value, *METRIC_KEYS)
        check_words(f"{name}: metrics.{metric}", value)
        if metric not in METRICS and not measures and not spec.get("ratio_to"):
            raise UserError(f"{name}: metrics.{metric}: is none of {', '.join(METRICS)}{closest(metric, METRICS)}")
    check_claims(name, spec)


def cited(source: Mapping[str, Any]) -> str:
    """Return where a table was printed, such as ``A. Miller (2009): An example, A journal, page 7``."""
    year = f"({source['year']})" if "year" in source else ""
    head = " ".join(filter(None, (source.get("authors", ""), year)))
    work = ": ".join(filter(None, (head, source.get("title", ""))))
    page = f"page {source['page']}" if "page" in source else ""
    place = ", ".join(filter(None, (source.get("journal", ""), page, source.get("url", ""))))
    return ", ".join(filter(None, (work, place)))


def check_claims(name: str, spec: Mapping[str, Any]) -> None:
    """Raise `UserError` if a claim lacks a key, is there twice, or is about a row or a reading that there is not."""
    words = set()
    for i, claim in enumerate(spec.get("claims", ()), start=1):
        check_keys(f"{name}: claims, number {i}", claim, *CLAIM_KEYS)
        if claim["claim"] in words:
            raise UserError(f"{name}: the claim {claim['claim']!r} is there twice")
        words.add(claim["claim"])
        for row in claim.get("rows", ()):
            if row not in spec["rows"]:
                known = f"the rows are {', '.join(spec['rows'])}{closest(row, spec['rows'])}"
                raise UserError(f"{name}: the claim {claim['claim']!r} is about the row {row}; {known}")
        readings = [
            column for column, value in spec["columns"].items() if value.get("reading") and value.get("printed")
        ]
        for column in claim.get("readings", ()):
            if column not in readings:
                known = f"columns with reading: true and printed are {', '.join(readings) or 'none'}"
                raise UserError(f"{name}: the claim {claim['claim']!r} has the reading {column}; {known}")


def check_words(where: str, given: Mapping[str, Any]) -> None:
    """Raise `UserError` if a key that takes words, or yes or no, has something else."""
    for kind, keys in ((str, ("shared", "reduced", "no_verdict", "differs")), (bool, ("stand_in", "reading"))):
        for key in keys:
            if key in given and not isinstance(given[key], kind):
                raise UserError(f"{where}.{key}={given[key]!r}: takes {'words' if kind is str else 'true or false'}")


def check_unit(name: str, spec: Any, *, printed: bool) -> None:
    """Raise `UserError` if it is not said what one repetition is, or what the splits of a sample share."""
    rows = list(spec["rows"].values() if isinstance(spec["rows"], Mapping) else ())
    rows = [row or {} for row in rows]
    unit = spec.get("unit", "" if printed or "printed_splits" in spec else PARTITION)
    if unit not in UNITS:
        what = f"unit={unit!r}: unknown" if unit else "unit is missing"
        raise UserError(f"{name}: {what}; choose from {', '.join(UNITS)}: what is drawn and chosen once")
    for part in (spec, *rows):
        if "printed_splits" in part:
            splits = Number(low=1, integer=True).check(f"{name}: printed_splits", part["printed_splits"])
            if unit == PARTITION:
                raise UserError(f"{name}: unit={unit}: takes no printed_splits, for its splits are folds")
            if unit == DRAW and splits % 2:
                raise UserError(f"{name}: unit={unit}: printed_splits={splits}: every draw has two splits")
    if unit != PARTITION and "printed_splits" not in spec:
        raise UserError(f"{name}: unit={unit}: needs printed_splits, the number of splits whose mean is printed")
    if (unit == SAMPLE) != isinstance(spec.get("shared"), str):
        need = "needs shared: what its splits share, in words" if unit == SAMPLE else "shared is for unit=sample"
        raise UserError(f"{name}: unit={unit}: {need}")
    if unit == DRAW and any("splits" in part for part in (*rows, *spec["columns"].values())):
        raise UserError(f"{name}: unit={unit}: takes no splits, for half of them would be without their other role")
    if unit == SAMPLE and any("seed" in row.get("dataset", {}) and not row.get("stand_in") for row in rows):
        raise UserError(f"{name}: unit={unit}: dataset.seed makes one sample for all seeds; draw it by the protocol")
