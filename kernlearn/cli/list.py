"""``kernlearn list``: what there is to choose from, one line each."""

import json

from kernlearn.cli.parser import Parser
from kernlearn.errors import UserError, closest
from kernlearn.report.terminal import say, show_table

KINDS = ("algorithms", "kernels", "datasets", "protocols", "scalings")


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(prog="kernlearn list", description="List what experiments can be made of.")
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"one of {', '.join(KINDS)}, or of the algorithms")
    return parser


def names(before: list[str]) -> tuple[str, ...]:
    """Return what may come after some arguments."""
    from kernlearn.algorithms import ALGORITHMS

    return () if before else (*KINDS, *ALGORITHMS)


def main(argv: list[str]) -> int:
    """Print the names of one kind, or of all."""
    kind = make_parser().parse_args(argv).kind
    if kind and kind not in KINDS:
        return _show_method(kind)
    for name in [kind] if kind else KINDS:
        say(f"{name}:")
        show_table(["name", "what it is"], _lines(name), left=2)
        say()
    return 0


def _show_method(name: str) -> int:
    """Print what an algorithm is and all its parameters."""
    from kernlearn.algorithms import ALGORITHMS

    if name not in ALGORITHMS:
        known = (*KINDS, *ALGORITHMS)
        there = f"there are: {', '.join(known)} (kernlearn list --help)"
        raise UserError(f"{name!r}: no kind and no algorithm, {there}{closest(name, known)}")
    method = ALGORITHMS[name]
    say(f"{name}: {method.description}")
    say(f"for {' and '.join(method.tasks)}; solves {method.problem}")
    rows = [(key, json.dumps(p.default), p.kind.describe(), p.meaning) for key, p in method.parameters.items()]
    show_table(["algo.*", "default", "allowed", "meaning"], rows, left=4)
    return 0


def _lines(kind: str) -> list[tuple[str, str]]:
    from kernlearn.algorithms import ALGORITHMS
    from kernlearn.datasets import CATALOGUE
    from kernlearn.evaluation import PROTOCOLS
    from kernlearn.kernels import FAMILIES, SCALINGS

    if kind == "algorithms":
        return [(name, entry.description) for name, entry in ALGORITHMS.items()]
    if kind == "protocols":
        return [(name, protocol.description) for name, protocol in PROTOCOLS.items()]
    if kind == "datasets":
        own = ("csv", "a CSV, ARFF or libsvm file of your own: dataset.path=FILE dataset.target=COLUMN")
        return [*((name, entry.description) for name, entry in CATALOGUE.items()), own]
    functions = FAMILIES if kind == "kernels" else SCALINGS
    return [(name, (function.__doc__ or "").splitlines()[0].replace("``", "")) for name, function in functions.items()]
