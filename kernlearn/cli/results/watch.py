"""``kernlearn watch``: the progress of sweeps and runs, until nothing is left."""

from kernlearn.cli.facts.sweeps import ProgressFacts
from kernlearn.cli.parser import Parser, add_results_dir, results_dir, results_dir_of

#: What ``--json`` prints, a line each time.
Document = ProgressFacts


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn watch",
        description="Watch sweeps and runs until nothing is left: bars, the running cells, failures and the time left. "
        "The key q or Ctrl-C ends it, and the cells go on. In a pipe it prints a line for each sweep from time to "
        "time, and with --json a JSON document in one line. The exit code is 1 if cells failed or are missing at the "
        "end.",
    )
    parser.add_argument("name", nargs="?", help="the name of a sweep; by default all that are at work")
    add_results_dir(parser)
    return parser


def names(before: list[str]) -> list[str]:
    """Return the sweeps of the results directory."""
    from kernlearn.cli.results.progress import sweep_names

    return sweep_names(results_dir_of(before))


def main(argv: list[str]) -> int:
    """Show the progress until nothing is left; return the exit code."""
    arguments = make_parser().parse_args(argv)
    from kernlearn.cli.results.live import show_live
    from kernlearn.cli.results.watched import Watch

    results = results_dir(arguments)
    return show_live(Watch(results, arguments.name))
