"""Documents of kept tables, and names that other programs would take for instructions."""

from functools import cache
from pathlib import Path

import kernlearn
from kernlearn.papers import table_names
from kernlearn.report.exports.documents import document_of
from kernlearn.report.exports.numbers import Document, Number
from kernlearn.report.targets import Target, find_target

RESULTS = Path(kernlearn.__file__).parents[1] / "results"
KEPT = [name for name in table_names() if (RESULTS / f"{name}_partitions.csv").exists()]
HOSTILE = (
    r"\input{/etc/passwd}",
    r"50% of_all & #1 {x} $y$ ~a^b",
    r"\end{tabular}\csname",
    '=cmd|" /C calc"!A0',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\tx",
    "\r=1",
    "a,b;c'd",
    "two\nlines\r\nof | text",
    "back`tick` *bold* [link](x) <script>alert(1)</script>",
    "-- --- ?` !` ``quoted'' \"quoted\"",
    "Zürich Łódź",
    "".join(map(chr, range(0x20, 0x180))),
    "中文 😀 α",
    "right\u202eleft\x00\x1b[31m",
    "x" * 300,
    "1e3",
    "",
    " ",
)


@cache
def kept(name):
    """Return the document of a kept table."""
    return document_of(find_target(name, RESULTS), facts=True)


def hostile():
    """Return a document in which every name is hostile; its numbers are of all sizes."""
    values = [
        0.0,
        -0.0,
        1.005,
        -3.5,
        1e-12,
        123456.789,
        1e300,
        -1e300,
        float("inf"),
        float("-inf"),
        float("nan"),
        100.0,
    ]
    numbers = [
        Number(
            dataset, algorithm, "error_pct", values[(i + j) % len(values)], 1.0 if j else None, 2, 10, verdict=dataset
        )
        for i, dataset in enumerate(HOSTILE)
        for j, algorithm in enumerate(HOSTILE[:3])
    ]
    target = Target("table", HOSTILE[1], Path(HOSTILE[1]))
    return Document(target, HOSTILE[0], numbers, {"error_pct": HOSTILE[11]}, "metrics", HOSTILE[:4])
