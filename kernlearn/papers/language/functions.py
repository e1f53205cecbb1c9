"""The functions of the language: those of columns, those of numbers in a row, and those over all rows."""

from collections.abc import Callable, Sequence
from statistics import fmean, median

from kernlearn.papers.language.parts import Column, Evaluation, Part, defined

#: Rows by their values.
Summary = Callable[[dict[str, float]], tuple[float, str]]


def names_of(values: dict[str, float]) -> list[str]:
    """Return the rows where a condition is true."""
    return [row for row, true in values.items() if true]


def _count(values: dict[str, float]) -> tuple[float, str]:
    true = names_of(values)
    return float(len(true)), f"{len(true)}: {', '.join(true)}" if true else "none"


def _any(values: dict[str, float]) -> tuple[float, str]:
    number, words = _count(values)
    return float(number > 0), words


def _share(values: dict[str, float]) -> tuple[float, str]:
    number = len(names_of(values))
    return number / len(values), f"{number} of {len(values)}"


def _all(values: dict[str, float]) -> tuple[float, str]:
    false = [row for row, true in values.items() if not true]
    return float(not false), f"not for {', '.join(false)}" if false else f"for all {len(values)}"


def _numbers(name: str, summary: Callable[[list[float]], float]) -> Summary:
    """Return the summary of numbers; its words have the smallest, the largest and the middle one."""

    def summarised(values: dict[str, float]) -> tuple[float, str]:
        number = summary(list(values.values()))
        least, most = (extreme(values, key=values.__getitem__) for extreme in (min, max))
        shown, middle = (name, number) if name == "average" else ("median", median(values.values()))
        return number, f"{values[least]:.3g} ({least}) to {values[most]:.3g} ({most}), {shown} {middle:.3g}"

    return summarised


#: Over all rows, of a condition: the function, and whether it gives a truth.
OF_CONDITIONS: dict[str, tuple[Summary, bool]] = {
    "all": (_all, True),
    "any": (_any, True),
    "count": (_count, False),
    "share": (_share, False),
}
#: Over all rows, of a number.
OF_NUMBERS: dict[str, Summary] = {
    name: _numbers(name, summary)
    for name, summary in (("min", min), ("max", max), ("median", median), ("average", fmean))
}
#: Of numbers side by side: the function and how many it takes, 0 for two or more.
SIDE_BY_SIDE: dict[str, tuple[Callable[..., float], int]] = {"min": (min, 0), "max": (max, 0), "abs": (abs, 1)}
#: Of a column and, if it is given, a metric.
OF_COLUMNS = ("mean", "std", "printed")
P_VALUE, BEST = "p_value", "best"
#: How each is called, for messages.
USAGE = {
    **{name: f"{name}(COLUMN) or {name}(COLUMN, METRIC)" for name in OF_COLUMNS},
    P_VALUE: "p_value(COLUMN, COLUMN), perhaps with a METRIC and a ratio of test to training examples at the end",
    BEST: "best(COLUMN, COLUMN, ...)",
    **{name: f"{name}(CONDITION)" for name in OF_CONDITIONS},
    **{name: f"{name}(NUMBER)" for name in ("median", "average", "abs")},
    **{name: f"{name}(NUMBER), or {name}(NUMBER, NUMBER, ...)" for name in ("min", "max")},
}


def of_column(name: str, column: Column, metric: str) -> Part:
    """Return the mean, the deviation or the printed mean of a column in every row."""

    def value(now: Evaluation) -> float:
        ask = {"mean": now.values.mean, "std": now.values.deviation, "printed": now.values.printed}[name]
        return defined(ask(now.row, column(now), metric))

    return Part(False, True, value)


def p_value(first: Column, second: Column, metric: str, ratio: float | None) -> Part:
    """Return the p-value of the difference of two columns in every row; 1 of a column and itself."""

    def value(now: Evaluation) -> float:
        one, other = first(now), second(now)
        if one == other:
            return 1.0
        return defined(now.values.p_value(now.row, one, other, metric, ratio))

    return Part(False, True, value)


def best(columns: Sequence[str], metric: str, *, larger: bool) -> Column:
    """Return which of some columns has the best mean in a row, the first of equal ones."""
    sign = -1.0 if larger else 1.0

    def column(now: Evaluation) -> str:
        means = {name: sign * defined(now.values.mean(now.row, name, metric)) for name in columns}
        return min(means, key=means.__getitem__)

    return column
