"""The page of a comparison, ``summary.md``."""

from collections.abc import Mapping, Sequence

from kernlearn.evaluation.comparison import Ranks
from kernlearn.report.comparison.scores import Comparison
from kernlearn.report.comparison.tables import (
    LEGEND,
    as_sentence,
    ends_in_words,
    protocol_words,
    rank_table,
    rank_words,
    selection_table,
    table_of,
    unproved_words,
    words_of,
)
from kernlearn.report.markdown import table_line
from kernlearn.report.terminal import capitalised

#: Headers and lines of a table.
Table = tuple[Sequence[str], Sequence[Sequence[str]]]


def page_of(
    command: str,
    comparisons: Sequence[Comparison],
    left_out: Mapping[str, str],
    ranked: tuple[Sequence[str], Ranks] | None,
    warning: str,
) -> str:
    """Return the page.

    Parameters
    ----------
    command : str
    comparisons : sequence of Comparison
    left_out : mapping
        The methods that were left out, and why.
    ranked : tuple, optional
        Methods, and their ranks over several data sets.
    warning : str
        For the head of the page; empty if there is none.
    """
    lines = ["# Comparison", "", f"`{command}`", "", *([f"**{warning}**", ""] if warning else [])]
    for comparison in comparisons:
        data = comparison.data
        size = f"{data['examples']} examples, {data['features']} columns"
        if comparison.task == "classification":
            size += f", {len(data['classes'])} classes"
        lines += [f"## {data['name']}", "", f"{size}; sha256 {data['sha256'][:12]}.", ""]
        lines += [protocol_words(comparison), ""]
        headers, rows = table_of(comparison)
        lines += [*_markdown((headers, rows)), ""]
        for line in unproved_words(comparison, rows):
            lines += [f"{capitalised(line)}.".replace("*", r"\*"), ""]
        lines += [f"Note: {note}." for note in comparison.notes] + [""] * bool(comparison.notes)
        lines += [as_sentence(words, comparison) for words in words_of(comparison)]
        lines += [""]
        if any(one.selected for one in comparison.measured):
            lines += [*_markdown(selection_table(comparison)), ""]
        if ends := ends_in_words(comparison):
            lines += ["Selected values at an end of their grid:", "", *(f"- {words}." for words in ends), ""]
    if ranked:
        words = rank_words(len(comparisons), ranked[1])
        lines += ["## Over all data sets", "", "![Mean ranks with bars over methods that are alike](ranks.svg)", ""]
        lines += [*_markdown(rank_table(*ranked)), "", *(f"- {line}" for line in words), ""]
    lines += ["## How to read it", "", *(f"- {words}" for words in LEGEND), ""]
    if left_out:
        lines += ["## Left out", "", *(f"- {names}: {why}" for names, why in left_out.items()), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _markdown(table: Table) -> list[str]:
    headers, rows = table
    return [table_line(headers), "|" + "---|" * len(headers), *map(table_line, rows)]
