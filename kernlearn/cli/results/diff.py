"""``kernlearn diff``: what differs between results, commits, tables or models."""

import argparse
from typing import TypedDict

from kernlearn import documents
from kernlearn.cli.parser import Parser, add_results_dir, results_dir, results_dir_of
from kernlearn.errors import UserError
from kernlearn.report.differences.facts import DifferenceFacts

#: Exit code if a verdict flips or a certificate gets worse.
ALARM = 1
#: The most changes of a part that are shown, and the largest tolerance.
MOST, MOST_TOLERANCE = 100_000, 0.1
EXAMPLES = """\
a side is
  a results directory, a run, a comparison, a table (.csv), a model (.kl), or a name such as vkr2015/table1
  a commit of git, HEAD~5, with the directory results in it, or a path in a commit, HEAD~5:results/vkr2015

examples:
  kernlearn diff HEAD~5 results
  kernlearn diff results other/results --to markdown
  kernlearn diff old.kl new.kl
"""


class Document(TypedDict):
    """What differs between results."""

    #: Of each side but the first, against the first.
    differences: list[DifferenceFacts]


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn diff",
        description="Show what differs between results. The exit code is 1 if a verdict flips or a certificate gets "
        "worse, and otherwise 0.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("sides", nargs="+", metavar="SIDE", help="two sides or more; all are compared with the first")
    parser.add_argument("--to", choices=("markdown",), help="print Markdown, for a pull request")
    parser.add_argument("--top", type=int, metavar="N", help="show the N largest changes of a part, by default 20")
    parser.add_argument("--tol", type=float, metavar="T", help="relative tolerance of numbers, by default 1e-9")
    parser.add_argument("--common", action="store_true", help="compare only what both sides have")
    add_results_dir(parser, "directory of the results with names")
    return parser


def names(before: list[str]) -> list[str]:
    """Return the results that have a name."""
    from kernlearn.report.targets import target_names

    return ["markdown"] if before and before[-1] == "--to" else target_names(results_dir_of(before))


def main(argv: list[str]) -> int:
    """Show what differs; see `kernlearn.cli.main.main` for the exit code."""
    given = make_parser().parse_args(argv)
    from kernlearn.report.differences.cells import RELATIVE
    from kernlearn.report.differences.changes import Status
    from kernlearn.report.differences.compare import MOST as TOP
    from kernlearn.report.differences.compare import Settings, compare_sides
    from kernlearn.report.differences.page import facts_of, markdown_page, show
    from kernlearn.report.differences.sides import side_of
    from kernlearn.streams import put

    if len(given.sides) < 2:
        raise UserError(f"{given.sides[0]}: give a second side, as in kernlearn diff HEAD~5 results")
    top, tolerance = TOP if given.top is None else given.top, RELATIVE if given.tol is None else given.tol
    if not 0 <= top <= MOST or not 0.0 <= tolerance <= MOST_TOLERANCE:
        raise UserError(f"--top {top} --tol {tolerance:g}: must be 0 to {MOST}, and 0 to {MOST_TOLERANCE}")
    results = results_dir(given)
    first, *others = (side_of(word, results) for word in given.sides)
    differences = [compare_sides(first, other, Settings(top, tolerance, given.common)) for other in others]
    documents.deliver({"differences": [facts_of(one) for one in differences]})
    if given.to == "markdown":
        put(markdown_page(differences))
    else:
        for one in differences:
            show(one)
    unread = [part for one in differences for part in one.parts if part.status is Status.UNREADABLE]
    if unread:
        raise UserError(
            f"{len(unread)} of the files cannot be compared, such as {unread[0].name}: {unread[0].notes[0]}"
        )
    return ALARM if any(one.alarms for one in differences) else 0
