"""Write the draft of a table: its description, with guesses marked and comments on what to fill in, and its values."""

import io
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from kernlearn.datasets import CATALOGUE
from kernlearn.evaluation import METRICS
from kernlearn.papers.draft.guesses import guess_data, guess_method
from kernlearn.papers.draft.wide import Printed
from kernlearn.papers.own.files import NEEDED
from kernlearn.runner.store.tables import csv_writer

#: What a metric is called in the title of a table.
UNKNOWN = "FILL_IN"


class Draft(NamedTuple):
    """The draft of a table.

    Attributes
    ----------
    description, values : str
        The contents of the YAML and of the CSV file.
    guesses : list of str
        What was guessed, a line each.
    open : list of str
        The rows and columns for which nothing was guessed.
    """

    description: str
    values: str
    guesses: list[str]
    open: list[str]


def draft(printed: Printed, metric: str) -> Draft:
    """Return the draft of a printed table of one metric."""
    guesses, unknown = list[str](), list[str]()
    rows, columns = [], []
    for name, key in _keys(printed.rows).items():
        data = guess_data(name)
        said = [] if key == name else [f"printed: {_quoted(name)}"]
        if data:
            said += [] if data == key else [f"dataset: {{name: {data}}}"]
            rows.append(f"  {key}: {{{', '.join(said)}}}  # a guess: {CATALOGUE[data].description}")
            guesses.append(f"row {name}: data set {data}")
        else:
            said += [f"dataset: {{path: {key}.csv, target: label}}"]
            rows.append(f"  # {key}: {{{', '.join(said)}}}  # no data set of the catalogue has this name")
            unknown.append(f"row {name}")
    for name, key in _keys(printed.columns).items():
        overrides = guess_method(name, metric)
        mark, note = ("", "a guess by the name") if overrides else ("# ", "no method has this name")
        words = ", ".join(map(_quoted, overrides)) or _quoted(f"algo={UNKNOWN}")
        columns.append(f"  {mark}{key}: {{printed: {_quoted(name)}, overrides: [{words}]}}  # {note}")
        if overrides:
            guesses.append(f"column {name}: {' '.join(overrides)}")
        else:
            unknown.append(f"column {name}")
    known = [key for name, key in _keys(printed.columns).items() if guess_method(name, metric)]
    return Draft(_description(printed, metric, rows, columns, known), _values(printed, metric), guesses, unknown)


def _description(
    printed: Printed, metric: str, rows: Sequence[str], columns: Sequence[str], known: Sequence[str]
) -> str:
    digits = max((len(cell.mean.partition(".")[2]) for cell in printed.cells.values()), default=0)
    shown = METRICS[metric]
    words = ", ".join(filter(None, (f"{'test ' if shown.target else ''}{shown.title}", shown.unit)))
    first, second = [*known[:2], "method_a", "method_b"][:2]
    mark = "" if len(known) > 1 else "# "
    task = ["task=regression"] if METRICS[metric].target == "reals" else []
    better = ">" if METRICS[metric].larger_is_better else "<"
    return f"""\
title: "FILL IN: what the table compares"
source: {{authors: "FILL IN", title: "FILL IN", year: "FILL IN", page: "FILL IN: which table, on which page"}}

# What the authors drew once; a verdict needs five repetitions of it.
#   partition: the folds of one partition of the data, with parameters that are chosen once for all of them
#   split:     each split is drawn, and chooses its parameters, by itself; printed_splits: says how many are averaged
#   sample, draw: see docs/reproduce.md, section Verdicts
unit: partition
# unit: split
# printed_splits: 20

# Of all experiments: how the data are split and scaled (kernlearn list shows the choices). What the paper leaves open
# goes to the readings below, with the reason for the choice.
# protocol=holdout has any share of training examples: [protocol=holdout, protocol.train=0.8, protocol.splits=10].
overrides: [{", ".join(task + ["protocol=rotation5", "scaling=standard"])}]

# What differs from the experiment of the paper, as its splits. It stands beside the result.
# differs: "FILL IN: such as 80:20 splits here, 2:1 in the paper"

# A data set for each row. `printed` is its name in the CSV file where this is another. A file of your own lies beside
# this file: {{path: FILE, target: COLUMN}}. `stand_in: true` says that the data are not those of the paper, and
# `stand_in: false` that they are.
rows:
{chr(10).join(rows)}

# A method for each column, with the kernel and the parameters that the paper states, as in "algo.Cs=[0.1,1,10]".
columns:
{chr(10).join(columns)}

metrics:
  {metric}: {{title: {_quoted(words[0].upper() + words[1:])}, digits: {digits}}}

# What the text claims, as conditions on the columns; see docs/own_paper.md.
claims:
{mark}  - {{claim: "FILL IN: the sentence of the paper", holds: {_quoted(f"{first} {better} {second}")}}}

# Decisions that the paper leaves open, for kernlearn reproduce DIR --readings; see docs/own_paper.md. The first
# alternative is what the table does, and has no overrides. `status` is stated, unstated or altered.
# axes:
#   scaling:
#     why: "the paper does not state it"
#     alternatives:
#       standard: {{status: unstated}}
#       minmax: {{status: unstated, overrides: [scaling=minmax]}}

# What the paper does not state, how it is read here, and why.
readings:
  protocol: "FILL IN: what the paper says about the splits and the choice of parameters"
  scaling: "FILL IN"
""".replace("claims:\n# ", "# claims:\n# ")


def _values(printed: Printed, metric: str) -> str:
    text = io.StringIO()
    writer = csv_writer(text)
    writer.writerow([*NEEDED, "std", "marker"])
    for (row, column), cell in printed.cells.items():
        if cell.mean:
            writer.writerow([row, column, metric, cell.mean, cell.std, cell.marker])
    return text.getvalue()


def _keys(names: Sequence[str]) -> dict[str, str]:
    """Return a short key for each name that claims can use without quotes, no two the same."""
    keys: dict[str, str] = {}
    for name in names:
        key = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()[:40] or "unnamed"
        key = f"_{key}" if key[0].isdigit() else key
        while key in keys.values():
            key += "_"
        keys[name] = key
    return keys


def _quoted(text: str) -> str:
    """Return a text as YAML has it, in quotes where it needs some."""
    return text if re.fullmatch(r"[A-Za-z][A-Za-z0-9_=]*", text) else json.dumps(text, ensure_ascii=False)
