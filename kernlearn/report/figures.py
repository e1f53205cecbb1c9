"""Drawings of figures, the same bytes from the same rows, and the files that go with them."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from kernlearn.datasets import load
from kernlearn.errors import UserError
from kernlearn.papers.figures import Figure, load_figure
from kernlearn.report.terminal import say, show_table
from kernlearn.runner.files import write_atomically
from kernlearn.runner.made import Effort
from kernlearn.runner.provenance import Computation, provenance, uncommitted, write_provenance
from kernlearn.runner.tables import write_csv

Rows = list[dict[str, Any]]

STYLE = {
    "font.size": 9.0,
    "mathtext.fontset": "dejavusans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.5,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "svg.hashsalt": "kernlearn",  # else the names of elements are random
}

#: Colours that differ in lightness, too, and for colour-blind readers (Okabe and Ito).
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#d55e00")
#: How the number of kernels is written.
SYMBOLS = {"10": "$p = 10$", "20": "$p = 20$", "m^(1/3)": "$p = m^{1/3}$", "m^(4/5)": "$p = m^{4/5}$", "m": "$p = m$"}
TERMS = {"Srebro-Ben-David": "Srebro & Ben-David", "new L1": "$L_1$, Corollary 2.1", "new L2": "$L_2$, Corollary 2.2"}


def reproduce_figure(name: str, results: Path) -> Path:
    """Compute a figure, print what the paper says of it, and write its points, report and drawings.

    Returns
    -------
    Path
        Of the report; beside it are the points (csv), the drawings (svg, png) and where they come from.

    Raises
    ------
    UserError
        If there is no such figure, or matplotlib is not installed.
    """
    start, effort = perf_counter(), Effort()
    figure = load_figure(name)
    rows = figure.points()
    computation = Computation()
    computation.add(name, effort.made())
    drawings = draw(name, rows)
    say(f"{name}: {figure.title}")
    if figure.references:
        lines = [[row["setting"], f"{row['reference']:g}", f"{row['ours']:.6f}"] for row in figure.references]
        show_table(("value", "reference", "ours"), lines)
    for claim, found, judgement in figure.claims(rows):
        say(f"{judgement}: {claim} ({found})")
    target = results / f"{name}.md"
    record = provenance([load(data) for data in figure.data], computation, perf_counter() - start)
    if warning := uncommitted(record):
        say(warning)
    write_csv(target.with_suffix(".csv"), rows)
    for suffix, content in drawings.items():
        write_atomically(target.with_suffix(suffix), content)
    write_atomically(target, markdown(figure, rows, warning).encode())
    write_provenance(target.with_suffix(".provenance.json"), {"state": "drawn", **record})
    return target


def markdown(figure: Figure, rows: Rows, warning: str = "") -> str:
    """Return the report of a figure: a warning if there is one, the drawing, reference values, claims and readings."""
    stem = figure.name.rpartition("/")[2]
    lines = [f"# {figure.name}: {figure.title}", "", f"`kernlearn reproduce {figure.name}`", ""]
    lines += [f"**{warning}**", ""] if warning else []
    lines += [f"![{figure.title}]({stem}.svg)", "", f"Points of the curves: [{stem}.csv]({stem}.csv)", ""]
    if figure.references:
        lines += ["## Reference values", "", "Of the printed formulas; the paper prints none of them.", ""]
        lines += ["| value | reference | ours | |", "|---|---|---|---|"]
        for row in figure.references:
            verdict = "match" if row["agree"] else "differs"
            lines.append(
                f"| {row['setting'].replace(';', ', ')} | {row['reference']:g} | {row['ours']:.6f} | {verdict} |"
            )
        lines.append("")
    lines += ["## Claims", "", "| claim | found | |", "|---|---|---|"]
    lines += [f"| {claim} | {found} | {judgement} |" for claim, found, judgement in figure.claims(rows)]
    lines += ["", "## Readings", "", *(f"- **{key}**: {text}" for key, text in figure.readings.items())]
    return "\n".join(lines) + "\n"


def draw(name: str, rows: Rows) -> dict[str, bytes]:
    """Return the drawings of a figure by the suffix of their files."""
    return render((6.0, 3.4), lambda canvas: DRAWINGS[name](canvas.subplots(), rows))


def render(size: tuple[float, float], paint: Callable[[Any], None]) -> dict[str, bytes]:
    """Return what `paint` draws on a canvas of a size in inches, by the suffix of the files.

    Raises
    ------
    UserError
        If matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Canvas
    except ImportError:
        raise UserError("figures need matplotlib: pip install matplotlib") from None
    metadata: dict[str, dict[str, Any]] = {".svg": {"Date": None, "Creator": None}, ".png": {"Software": None}}
    drawings = {}
    settings: Any = {**matplotlib.rcParamsDefault, **STYLE}  # not those of the person who runs it
    with matplotlib.rc_context(settings):
        canvas = Canvas(figsize=size, layout="constrained")
        FigureCanvasAgg(canvas)
        paint(canvas)
        for suffix, facts in metadata.items():
            content = io.BytesIO()
            canvas.savefig(content, format=suffix[1:], dpi=200, metadata=facts)
            drawings[suffix] = content.getvalue()
    return drawings


def draw_bounds(axes: Any, rows: Rows, dashes: Sequence[Sequence[float]]) -> None:
    """Draw bounds against the sample size: dashes for every bound, a colour for every number of kernels.

    The dashes of different colours begin at different places, so that curves that coincide can both be seen.
    """
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MultipleLocator

    terms = list(dict.fromkeys(row["term"] for row in rows))
    numbers = list(dict.fromkeys(row["number"] for row in rows))
    for term, pattern in zip(terms, dashes, strict=True):
        for i, number in enumerate(numbers):
            curve = [row for row in rows if (row["term"], row["number"]) == (term, number)]
            style = (i * sum(pattern) / 2, pattern) if pattern else "-"
            values = ([row["m"] / 1e6 for row in curve], [row["bound"] for row in curve])
            axes.plot(*values, linestyle=style, color=COLOURS[i])
    axes.set_yscale("log")
    axes.set_xlim(0, rows[-1]["m"] / 1e6)
    axes.xaxis.set_major_locator(MultipleLocator(5))
    axes.set_xlabel("sample size $m$ (millions)")
    axes.set_ylabel(r"bound on $R(h) - \widehat{R}_\rho(h)$")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    handles = [Line2D([], [], color="0.25", linestyle=(0, tuple(pattern)) if pattern else "-") for pattern in dashes]
    handles += [Line2D([], [], color=colour) for colour in COLOURS[::-1]]  # from above, as the curves
    labels = [TERMS[term] for term in terms] + [SYMBOLS[number] for number in numbers[::-1]]
    axes.legend(handles, labels, loc="center left", bbox_to_anchor=(1.0, 0.5))


def draw_fig2_1(axes: Any, rows: Rows) -> None:
    """Draw figure 2.1, with a line at 1, above which a bound says nothing."""
    draw_bounds(axes, rows, ((3.7, 1.6), ()))
    axes.axhline(1, color="0.25", linewidth=0.6)
    text = "a bound above 1 says nothing"
    axes.annotate(text, (0.3, 1), (0, -3), textcoords="offset points", va="top", color="0.25", fontsize=7.5)


def draw_fig2_2(axes: Any, rows: Rows) -> None:
    """Draw figure 2.2: test errors, and what the bounds add to the margin loss, against the number of kernels."""
    for norm, colour, marker in zip((1, 2), COLOURS, "ox", strict=False):
        curve = [row for row in rows if row["norm"] == norm]
        p = [row["p"] for row in curve]
        axes.plot(p, [row["test_error"] for row in curve], f"{marker}-", color=colour, label=f"test error, $L_{norm}$")
        label = f"Corollary 2.{norm} ($L_{norm}$)"
        axes.plot(p, [row["excess"] for row in curve], linestyle="--", color=colour, label=label)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("number of kernels $p$")
    axes.set_ylabel("test error; bound on $R(h) - \\widehat{R}_\\rho(h)$")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))


def draw_fig2_3(axes: Any, rows: Rows) -> None:
    """Draw figure 2.3."""
    draw_bounds(axes, rows, ((), (1.0, 1.4)))


def draw_fig2_4(axes: Any, rows: Rows) -> None:
    """Draw figure 2.4 in the colours of the thesis: A black, rho blue."""
    alpha = [row["alpha"] for row in rows]
    for key, colour, label, place in [
        ("A", "black", r"$A = \sqrt{(1 + (1 - 2\alpha)^2)/2}$, not centred", (0.5, 0.825)),
        ("rho", COLOURS[0], r"$\rho = 1$, centred", (0.5, 0.975)),
    ]:
        axes.plot(alpha, [row[key] for row in rows], color=colour)
        axes.annotate(label, place, color=colour, ha="center", va="center")
    axes.set_xlim(0, 1)
    axes.set_ylim(0.65, 1.02)
    axes.set_xlabel(r"share $\alpha$ of the points at $(-1, 0)$, label $-1$")
    axes.set_ylabel("alignment with the labels")
    axes.grid(axis="y", linewidth=0.4, color="0.88")


DRAWINGS: dict[str, Callable[[Any, Rows], None]] = {
    "mkl2010/fig2_1": draw_fig2_1,
    "mkl2010/fig2_2": draw_fig2_2,
    "mkl2010/fig2_3": draw_fig2_3,
    "mkl2010/fig2_4": draw_fig2_4,
}
