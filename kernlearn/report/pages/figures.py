"""The part of a page that shows a reproduced figure: its drawing, what the paper claims of it, and what made it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernlearn.errors import UserError
from kernlearn.papers import Figure, load_figure
from kernlearn.papers.checks.figure import is_of_checks
from kernlearn.papers.checks.theorems import standing_of_figure
from kernlearn.papers.core.claims import claims_of_figure
from kernlearn.papers.core.measured import Claim
from kernlearn.report.figures import IN_FIGURE, command_of, read_points
from kernlearn.report.pages.drawings import inline
from kernlearn.report.pages.marks import Reason, claim_reasons, claims_in_words, judged, of_record, statement_reasons
from kernlearn.report.pages.page import Head, Part, Sheet, Step
from kernlearn.report.pages.provenance import environments, in_words
from kernlearn.report.scorecard import count_claims
from kernlearn.report.terminal import capitalised
from kernlearn.runner.store.files import read_regular

#: Most points that a page lists.
MOST_POINTS = 1_000


def figure_part(
    name: str, results: Path, record: Mapping[str, Any], *, details: bool = True, address: str = ""
) -> Part:
    """Return the part of a page that shows a reproduced figure.

    Raises `OSError` if it has no points. Raises `UserError` if these are damaged.

    Parameters
    ----------
    name : str
    results : Path
    record : mapping
        Its provenance, see `kernlearn.report.pages.provenance.read_record`.
    details : bool
        Whether its points are listed.
    address : str
        Of the page that does, if this one does not and there is one.
    """
    figure = load_figure(name)
    points = read_points(results / f"{name}.csv")
    claims = claims_of_figure(figure, points)
    anchor = name.replace("/", "-")
    repetitions = len({row["seed"] for row in points}) if figure.cell else 0
    command = command_of(figure, repetitions)
    reasons = [Reason(False, f"The claims are not testable: {figure.reduced}.")] if figure.reduced else []
    data = record.get("data")
    return Part(
        f"{name}: {figure.title}",
        anchor,
        "figure.html",
        _result(figure, claims, repetitions),
        [*reasons, *_of_claims(name, claims), *of_record(record)],
        [Step("Compute it again:", command)],
        {
            "address": address,
            "command": command,
            "drawing": inline_drawing(results / f"{name}.svg", anchor, figure.title),
            "of_checks": is_of_checks(figure),
            "references": _references(figure),
            "claims": judged(claims),
            "readings": list(figure.readings.items()),
            "data": [in_words(one) for one in data if isinstance(one, dict)] if isinstance(data, list) else [],
            "points": _points(points) if details else None,
            "file": f"{name}.csv",
            "environments": environments(record),
        },
    )


def inline_drawing(path: Path, prefix: str, title: str) -> Any:
    """Return the drawing in a file as HTML, or an empty text if there is none.

    Raises `UserError` if it is damaged.
    """
    from markupsafe import Markup

    try:
        content = read_regular(path)
    except FileNotFoundError:
        return ""
    try:
        return Markup(inline(content, f"{prefix}-", title))
    except UserError as error:
        raise UserError(f"{path}: {error}; kernlearn reproduce --judge draws it again") from None


def _of_claims(name: str, claims: Sequence[Claim]) -> list[Reason]:
    """Return how much of what the paper states does not hold: numbered statements if it has some, or else claims."""
    return statement_reasons(standing_of_figure(name, claims)) or claim_reasons(count_claims(claims))


def _result(figure: Figure, claims: Sequence[Claim], repetitions: int) -> str:
    """Return in one sentence what was found."""
    words = [standing_of_figure(figure.name, claims).in_words(IN_FIGURE) or claims_in_words(count_claims(claims))]
    words = list(filter(None, words))
    if figure.references:
        agree = sum(bool(row["agree"]) for row in figure.references)
        words.append(f"{agree} of {len(figure.references)} reference values agree")
    if repetitions:
        words.append(f"drawn from {repetitions} repetition{'s' if repetitions > 1 else ''}")
    text = "; ".join(words) or "The figure was drawn; the paper claims nothing of it that can be checked"
    return f"{capitalised(text)}."


def _references(figure: Figure) -> Sheet | None:
    if not figure.references:
        return None
    rows = [
        [
            row["setting"].replace(";", ", "),
            f"{row['reference']:g}",
            f"{row['ours']:.6f}",
            "✓ match" if row["agree"] else "✗ differs",
        ]
        for row in figure.references
    ]
    heads = (Head("value", number=False), Head("reference"), Head("ours"), Head("agreement", number=False))
    return Sheet("Values of the printed formulas, which the paper does not print", heads, rows)


def _points(points: Sequence[Mapping[str, Any]]) -> Sheet | None:
    if not points:
        return None
    keys = list(points[0])
    numbers = {key for key in keys if all(isinstance(row[key], int | float) for row in points)}
    rows = [[f"{row[key]:.6g}" if key in numbers else str(row[key]) for key in keys] for row in points[:MOST_POINTS]]
    left = len(points) - len(rows)
    note = f"{left:,} more points are in the file." if left else ""
    return Sheet("The points of the curves", [Head(key, key in numbers) for key in keys], rows, note=note)
