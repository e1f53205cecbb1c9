"""Pictures of a run from its tables: the grid, the path over it, sparsity, and the scores of splits."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import floor, isfinite, log10, nan

from kernlearn.evaluation import Metric, Row
from kernlearn.evaluation.metrics import digits_of, rounded
from kernlearn.evaluation.trend import LEVEL
from kernlearn.report.choice import End
from kernlearn.report.plots.picture import Axis, Curves, Grid, Mark, Picture, Series
from kernlearn.report.plots.stored import Lacking, StoredRun, mean_and_std, read_run, value_of
from kernlearn.report.summary import not_optimal
from kernlearn.report.targets import Target
from kernlearn.report.terminal import capitalised
from kernlearn.runner.engines.timing import counted

#: A scale is logarithmic if its largest value is so many times its smallest.
_WIDE = 20.0
#: So do those of a grid where each value is so many times the one before.
_STEP = 5.0
#: Digits of numbers in fields, of the smallest one.
_DIGITS = 3
#: Lines of one picture.
_MOST_LINES = 7
#: Rows of points whose means are said in words.
_SAID = 3
#: Distance of points with the same place, the highest one, and where the means stand, in rows.
_STACKED, _HIGHEST, _BELOW = 0.15, 0.45, 0.25


def validation(target: Target) -> list[Picture]:
    """Return the validation score over the grid, with the selected points."""
    run = read_run(target)
    column = run.metric.column_of("validation")
    _require_grid(run)
    if not run.has(column):
        raise Lacking("its splits have no validation part: all its grid points were fixed beforehand")
    scores = {
        point: [run.metric.of_column(value) for value in values] for point, values in run.over_splits(column).items()
    }
    means = {point: mean_and_std(values) for point, values in scores.items()}
    label = f"validation {run.metric.title} {run.metric.unit}".strip()
    title = f"{capitalised(label)} over the grid: {run.title}"
    words = _words_of_choice(run, means)
    first, *others = run.varied
    if not others:
        return [_curve(run, first, means, title, label, words)]
    return [_surface(run, first, others, means, title, label, words)]


def _require_grid(run: StoredRun) -> None:
    if not run.varied:
        raise Lacking("its grid has a single point")


def _curve(
    run: StoredRun, name: str, means: Mapping[int, tuple[float, float]], title: str, label: str, words: str
) -> Picture:
    order = sorted(run.grid, key=lambda point: run.grid[point].get(name, 0.0))
    x = [run.grid[point].get(name, float("nan")) for point in order]
    y = [means[point][0] for point in order]
    spread = [means[point][1] for point in order]
    many = len(run.splits) > 1
    band = f"mean over {len(run.splits)} splits, shaded: plus and minus one standard deviation"
    series = Series(
        band if many else "",
        x,
        y,
        [a - b for a, b in zip(y, spread, strict=True)] if many else (),
        [a + b for a, b in zip(y, spread, strict=True)] if many else (),
        style="line and points",
    )
    marks = [
        Mark(run.grid[point].get(name, float("nan")), means[point][0], _often(run, point, count))
        for point, count in _chosen(run)
    ]
    return Curves("validation", title, _axis(name, x), Axis(label), [series], marks, words)


def _surface(
    run: StoredRun,
    first: str,
    others: Sequence[str],
    means: Mapping[int, tuple[float, float]],
    title: str,
    label: str,
    words: str,
) -> Picture:
    columns = sorted({point.get(first) for point in run.grid.values()}, key=lambda value: _sortable([value]))
    rows = sorted({tuple(point.get(name) for name in others) for point in run.grid.values()}, key=_sortable)
    values = [[float("nan")] * len(columns) for _ in rows]
    framed = []
    chosen = dict(_chosen(run))
    for point, place in run.grid.items():
        i, j = rows.index(tuple(place.get(name) for name in others)), columns.index(place.get(first))
        values[i][j] = means[point][0]
        if point in chosen:
            framed.append((i, j))
    known = [value for row in values for value in row if isfinite(value)]
    smallest = min((abs(value) for value in known if value), default=1.0)
    digits = 1 if run.metric.unit == "%" else max(0, _DIGITS - 1 - floor(log10(smallest)))
    shown = [[f"{value:.{digits}f}" if isfinite(value) else "" for value in row] for row in values]
    names = [_row_name(row) for row in rows]
    x, y = Axis(first, names=[_row_name([value]) for value in columns]), Axis(", ".join(others), names=names)
    return Grid("validation", title, x, y, values, shown, label, framed, words=words)


def _sortable(row: Iterable[float | None]) -> list[tuple[bool, float]]:
    return [(value is not None, value or 0.0) for value in row]


def _row_name(row: Sequence[float | None]) -> str:
    return ", ".join("none" if value is None else f"{value:g}" for value in row)


def _chosen(run: StoredRun) -> list[tuple[int, int]]:
    """Return the selected grid points with the number of splits that selected them, the most frequent first."""
    return Counter(row["point"] for row in run.selection.rows).most_common()


def _often(run: StoredRun, point: int, count: int) -> str:
    values, of = _values(run.grid[point]), len(run.selection.rows)
    return f"selected: {values}" + (f" ({count} of {of} splits)" if count < of else "")


def _values(point: Mapping[str, float]) -> str:
    return ", ".join(f"{name} = {value:g}" for name, value in point.items())


def _words_of_choice(run: StoredRun, means: Mapping[int, tuple[float, float]]) -> str:
    """Return what was selected, how good it is, and whether it is at an end of the grid."""
    chosen = _chosen(run)
    known = [mean for mean, _ in means.values() if isfinite(mean)]
    unit = f" {run.metric.unit}" if run.metric.unit else ""
    if len(chosen) == 1:
        point = chosen[0][0]
        what = f"Selected: {_values(run.grid[point])}, with a mean of {in_digits(run.metric, means[point][0])}{unit}."
    else:
        most, count = chosen[0]
        often = f"most often {_values(run.grid[most])} ({count} splits)" if count > 1 else "each one once"
        what = f"The splits selected {len(chosen)} grid points, {often}."
    limits = [in_digits(run.metric, end) for end in (min(known), max(known))] if known else []
    between = f" The means lie between {' and '.join(limits)}{unit}." if known else ""
    return what + between + _words_of_ends(run.ends)


def _words_of_ends(ends: Sequence[End]) -> str:
    """Return which selected values are at an end of the grid, and whether values beyond may be better."""
    if not ends:
        return " No selected value is at an end of the grid."
    words = f" At an end of the grid: {'; '.join(end.words for end in ends)}."
    improving = ", ".join(dict.fromkeys(end.key for end in ends if end.improves))
    if improving:
        return f"{words} The validation score still improves there, so a wider grid of {improving} may be better."
    if any(not end.is_settled for end in ends):
        return f"{words} The validation score is the same at the value before, so a wider grid may be better."
    known = [end.trend for end in ends if end.trend]
    if len(known) < len(ends):
        return words
    if all(trend.state == LEVEL for trend in known):
        return f"{words} There is no sign that a wider grid is better."
    return f"{words} {'; '.join(dict.fromkeys(capitalised(trend.words) for trend in known))}."


def _axis(name: str, values: Sequence[float]) -> Axis:
    known = sorted({value for value in values if isfinite(value)})
    if not known or known[0] <= 0.0:
        return Axis(name)
    steps = [after / before for before, after in pairwise(known)]
    return Axis(name, log=known[-1] >= _WIDE * known[0] or min(steps, default=0.0) >= _STEP)


def path(target: Target) -> list[Picture]:
    """Return objective, gap and support vectors of the first split along the grid."""
    run = read_run(target)
    _require_grid(run)
    split = run.splits[0]
    rows = sorted((row for row in run.rows if row["split"] == split), key=lambda row: row["point"])
    pictures = list[Picture]()
    of = f"split {split} of {run.title}"
    gaps = [value_of(row, "gap") for row in rows]
    known = [gap for gap in gaps if isfinite(gap)]
    unproved = len(not_optimal(rows))
    for column, label, log, words in (
        ("objective", "objective", True, "The objective of the solution at every grid point."),
        (
            "gap",
            "relative gap",
            True,
            f"The largest gap is {max(known, default=0.0):.2g}. {_proved(unproved, len(rows))}",
        ),
        ("n_support", "support vectors", False, "The number of support vectors of the solution at every grid point."),
        ("n_nonzero", "non-zero coefficients", False, "The number of non-zero coefficients at every grid point."),
    ):
        values = [value_of(row, column) for row in rows]
        if column in ("n_support", "n_nonzero") and not any(isfinite(v) for v in values):
            continue
        if column == "n_nonzero" and values == [value_of(row, "n_support") for row in rows]:
            continue
        if column in ("n_support", "n_nonzero") and len(set(values)) == 1:
            continue  # such as of ridge regression, whose machines have all training rows
        x, series = _along(run, rows, column)
        positive = [value for value in values if isfinite(value) and value > 0.0]
        wide = log and bool(positive) and (column == "gap" or max(positive) >= _WIDE * min(positive))
        wide = wide and all(value >= 0.0 or not isfinite(value) for value in values) if column == "objective" else wide
        lines = len({tuple(run.grid[row["point"]].get(name) for name in run.varied[1:]) for row in rows})
        if lines > _MOST_LINES:
            words += f" {_MOST_LINES} of {lines} values of {', '.join(run.varied[1:])} are drawn."
        title = f"{capitalised(label)} along the path: {of}"
        pictures.append(Curves("path", title, x, Axis(label, log=wide), series, words=words))
    return pictures


def _proved(unproved: int, count: int) -> str:
    if unproved:
        return f"{unproved} of {count} solutions are not proved optimal."
    return f"All {count} solutions are proved optimal."


def _along(run: StoredRun, rows: Sequence[Row], column: str) -> tuple[Axis, list[Series]]:
    """Return a column over the hyper-parameter with most values, a line for each choice of the others."""
    first, *others = run.varied
    lines: dict[tuple[float | None, ...], list[Row]] = {}
    for row in rows:
        place = run.grid[row["point"]]
        lines.setdefault(tuple(place.get(name) for name in others), []).append(row)
    series_of = []
    for key in _some(sorted(lines, key=_sortable)):
        order = sorted(lines[key], key=lambda row: run.grid[row["point"]].get(first, 0.0))
        x = [run.grid[row["point"]].get(first, float("nan")) for row in order]
        name = ", ".join(f"{other} = {value:g}" for other, value in zip(others, key, strict=True) if value is not None)
        series_of.append(Series(name, x, [value_of(row, column) for row in order], style="line and points"))
    return _axis(first, [value for one in series_of for value in one.x]), series_of


def _some(keys: Sequence[tuple[float | None, ...]]) -> list[tuple[float | None, ...]]:
    """Return at most `_MOST_LINES` of some keys, the first, the last, and others at equal distances."""
    if len(keys) <= _MOST_LINES:
        return list(keys)
    return [keys[round(i * (len(keys) - 1) / (_MOST_LINES - 1))] for i in range(_MOST_LINES)]


def sparsity(target: Target) -> list[Picture]:
    """Return the error of every grid point against the number of its support vectors or coefficients."""
    run = read_run(target)
    _require_grid(run)
    chosen = _chosen(run)
    column = next((name for name in ("n_nonzero", "n_support") if all(name in row for row in run.selection.rows)), "")
    if not column:
        raise Lacking("its solutions have no number of coefficients")
    sizes = {point: mean_and_std(values)[0] for point, values in run.over_splits(column).items()}
    if len(set(sizes.values())) == 1:
        raise Lacking(f"all grid points have {next(iter(sizes.values())):.4g} coefficients or support vectors")
    series = []
    for part in ("validation", "test"):
        if not run.has(name := run.metric.column_of(part)):
            continue
        scores = {
            p: mean_and_std([run.metric.of_column(v) for v in values])[0] for p, values in run.over_splits(name).items()
        }
        series.append(
            Series(f"{part} parts", [sizes[p] for p in run.grid], [scores[p] for p in run.grid], style="points")
        )
    marks = [
        Mark(sizes[point], series[0].y[list(run.grid).index(point)], _often(run, point, count))
        for point, count in chosen
    ]
    label = f"{run.metric.title} {run.metric.unit}".strip()
    what = "non-zero coefficients" if column == "n_nonzero" else "support vectors"
    title = f"{capitalised(label)} against sparsity: {run.title}"
    (point, count), best = chosen[0], series[0].y[list(run.grid).index(chosen[0][0])]
    part, score = series[0].name.split()[0], in_digits(run.metric, best)
    found = f"{sizes[point]:.4g} {what} and a {part} {run.metric.title} of {score}"
    which = "selected one" if len(chosen) == 1 else f"first of {len(chosen)} selected ones"
    if len(chosen) > 1 and count > chosen[1][1]:
        which = "one that is selected most often"
    words = (
        f"Each point is one of {len(run.grid)} grid points, as means over {counted(len(run.splits), 'split')}. "
        f"The {which} has {f'{found} {run.metric.unit}'.rstrip()}."
    )
    x = _axis(f"{what}, mean over splits", list(sizes.values()))
    return [Curves("sparsity", title, x, Axis(label), series, marks, words)]


def splits(target: Target) -> list[Picture]:
    """Return the scores of the selected models on every split."""
    run = read_run(target)
    metric, rows = run.metric, run.selection.rows
    parts = {}
    for part in ("validation", "test"):
        if any(metric.column_of(part) in row for row in rows):
            parts[f"{part} parts"] = [metric.value(row, part) for row in rows if metric.column_of(part) in row]
    label = f"{metric.title} {metric.unit}".strip()
    title = f"{capitalised(label)} of every split: {run.title}"
    return [strips(metric, title, label, parts, len(run.splits))]


def in_digits(metric: Metric, value: float) -> str:
    """Return a score with as many digits as tables have."""
    return rounded(value, digits_of(metric.name, value, None))


def strips(metric: Metric, title: str, label: str, values: Mapping[str, Sequence[float]], n_splits: int) -> Curves:
    """Return the scores of every split: a row of points for each name, with mean and standard deviation below it."""
    x, y, means = list[float](), list[float](), list[tuple[float, float]]()
    every = [value for row in values.values() for value in row if isfinite(value)]
    width = (max(every) - min(every)) / 60 if every else 0.0
    for i, row in enumerate(values.values()):
        known = sorted(value for value in row if isfinite(value))
        places = [round(value / width) if width else 0 for value in known]
        step = min(_STACKED, _HIGHEST / max(Counter(places).values(), default=1))
        stacked: Counter[int] = Counter()
        for value, place in zip(known, places, strict=True):
            x.append(value)
            y.append(i - step * stacked[place])
            stacked[place] += 1
        means.append(mean_and_std(known))
    below = [i + _BELOW for i in range(len(values))]
    ends = [end for mean, std in means for end in (mean - std, mean + std, nan)]
    series = [
        Series("one split", x, y, style="points"),
        Series("mean", [mean for mean, _ in means], below, style="points"),
        Series("plus and minus one standard deviation", ends, [at for at in below for _ in range(3)]),
    ]
    said = "; ".join(
        f"{name} {in_digits(metric, mean)} and {in_digits(metric, std)}"
        for name, (mean, std) in zip(values, means, strict=True)
    )
    words = f"Each point is one of {n_splits} splits." if n_splits != 1 else "There is one split."
    counts = {name: sum(map(isfinite, row)) for name, row in values.items()}
    if fewer := [f"{name} {count}" for name, count in counts.items() if count < n_splits]:
        words += f" Splits with this score: {', '.join(fewer)}."
    if len(values) <= _SAID:
        words += f" Mean and standard deviation: {said}."
    return Curves("splits", title, Axis(label), Axis("", names=list(values)), series, words=words)
