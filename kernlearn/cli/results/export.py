"""``kernlearn export``: a table, a run or a comparison for a paper, a program or a spreadsheet."""

from pathlib import Path

from kernlearn.cli.parser import Parser
from kernlearn.errors import UserError
from kernlearn.streams import put


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn export",
        description="Write a table, a run or a comparison as LaTeX, Markdown, CSV, Parquet, JSON or a spreadsheet.",
    )
    parser.add_argument("result", metavar="RESULT", help="such as vkr2015/table1, or the directory of a run")
    parser.add_argument("--to")
    parser.add_argument("--printed", action="store_true")
    parser.add_argument("--results-dir", default="results", metavar="DIR", help="directory of the results")
    return parser


def main(argv: list[str]) -> int:
    """Export a result."""
    given = make_parser().parse_args(argv)
    from kernlearn.report.exports.documents import document_of
    from kernlearn.report.exports.latex import latex_tables
    from kernlearn.report.exports.tidy import csv_text, records_of
    from kernlearn.report.targets import find_target

    document = document_of(find_target(given.result, Path(given.results_dir)))
    if given.to == "latex":
        put(latex_tables(document, printed=given.printed))
    elif given.to == "csv":
        put(csv_text(records_of(document)))
    else:
        raise UserError(f"--to={given.to}: latex or csv")
    return 0
