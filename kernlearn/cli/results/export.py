"""``kernlearn export``: a table, a run or a comparison for a paper, a program or a spreadsheet."""

import argparse
from typing import NotRequired

from kernlearn import documents
from kernlearn.cli.parser import Parser, add_results_dir, results_dir, results_dir_of
from kernlearn.errors import UserError
from kernlearn.report.exports.record import Exported
from kernlearn.streams import put

#: What --digits may be.
ALL, MOST_DIGITS = "all", 17
#: What --width may be: from the width of a narrow column to the largest length of TeX. Points.
WIDTHS = (50.0, 16383.0)
EXAMPLES = """\
formats:
{formats}

examples:
  kernlearn export vkr2015/table1 --to latex --printed
  kernlearn export vkr2015/table1 --to macros -o numbers.tex
  kernlearn export results/comparisons/sonar-ec23460f -o sonar.xlsx
"""


class Document(Exported):
    """A table, a run or a comparison. ``--to json`` writes the same document."""

    #: The file that was written.
    file: NotRequired[str]


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    from kernlearn.report.exports.formats import FORMATS

    parser = Parser(
        prog="kernlearn export",
        description="Write a table of a paper, a run or a comparison as other programs read it.",
        epilog=EXAMPLES.format(formats="\n".join(f"  {name:<10}{one.words}" for name, one in FORMATS.items())),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("result", metavar="RESULT", help="a table such as vkr2015/table1, or a run or comparison")
    parser.add_argument("--to", metavar="FORMAT", choices=FORMATS, help="by default that of the ending of FILE")
    parser.add_argument("-o", "--output", metavar="FILE", help="by default the standard output; may replace an export")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", default=(), help="only these rows of a table")
    parser.add_argument("--algos", nargs="+", metavar="NAME", default=(), help="only these columns or methods")
    parser.add_argument("--metrics", nargs="+", metavar="NAME", default=(), help="only these metrics")
    parser.add_argument("--printed", action="store_true", help="show the values printed in the paper below ours")
    parser.add_argument("--digits", metavar="N", help="after the decimal point, or all; by default those of the metric")
    parser.add_argument("--prefix", metavar="LETTERS", help="what the names of macros begin with")
    parser.add_argument("--width", metavar="PT", help="of the text of a LaTeX document in points; 345 by default")
    add_results_dir(parser)
    parser.add_argument("--force", action="store_true", help="replace a file that is no export")
    return parser


def names(before: list[str]) -> list[str]:
    """Return the results that can be exported, or the formats."""
    from kernlearn.papers import table_names
    from kernlearn.report.exports.formats import FORMATS
    from kernlearn.report.targets import own_targets

    if before and before[-1] == "--to":
        return list(FORMATS)
    return [*table_names(), *(target.name for target in own_targets(results_dir_of(before)))]


def main(argv: list[str]) -> int:
    """Export a result."""
    given = make_parser().parse_args(argv)
    from kernlearn.atomic import write_atomically
    from kernlearn.cli.model.output import output_file, require_no_input
    from kernlearn.report.exports.documents import Only, document_of
    from kernlearn.report.exports.fitting import TEXT_WIDTH
    from kernlearn.report.exports.formats import FORMATS, PART, format_of, is_export
    from kernlearn.report.exports.numbers import Options, with_digits
    from kernlearn.report.exports.tidy import facts_of
    from kernlearn.report.targets import files_of, find_target
    from kernlearn.report.terminal import say

    file = None if given.output is None else output_file(given.output, given.force, is_export, "export")
    name = "json" if documents.wanted() and given.to is None and file is None else format_of(given.to, file)
    digits = None if given.digits in (None, ALL) else _digits(given.digits)
    form = FORMATS[name]
    for option in (*PART, "printed", "digits", "prefix", "width"):
        if getattr(given, option) and option not in form.takes:
            what = f"--to={name}" if given.to or file else "the document of --json, which has all digits"
            raise UserError(f"--{option}: has no meaning for {what}; leave it out")
    if file is None and form.is_binary and not documents.wanted():
        raise UserError(f"--to={name}: is no text; give a file as -o FILE")
    width = TEXT_WIDTH if given.width is None else _width(given.width)
    options = Options(digits, given.digits == ALL, given.printed, given.prefix, width)
    target = find_target(given.result, results_dir(given))
    if file is not None:
        require_no_input(file, *map(str, files_of(target)))
    only = Only(tuple(given.datasets), tuple(given.algos), tuple(given.metrics))
    document = document_of(target, only, facts=form.has_facts, kinds=form.kinds)
    content = form.content(with_digits(document, options.digits), options)
    if documents.wanted():
        documents.deliver(facts_of(document))
    if file is not None:
        write_atomically(file, content if isinstance(content, bytes) else content.encode())
        documents.deliver({"file": str(file)})
        say(f"{f'{len(document.numbers)} numbers' if document.numbers else document.name}: {file}")
    elif documents.wanted():
        say(f"{len(document.numbers)} numbers of {document.name}")
    else:
        put(str(content))
    return 0


def _digits(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_DIGITS:
        raise UserError(f"--digits={text}: must be {ALL} or a whole number up to {MOST_DIGITS}")
    return int(text)


def _width(text: str) -> float:
    try:
        width = float(text)
    except ValueError:
        width = 0.0
    if not WIDTHS[0] <= width <= WIDTHS[1]:
        raise UserError(f"--width={text}: must be a width in points from {WIDTHS[0]:g} to {WIDTHS[1]:g}, such as 345")
    return width
