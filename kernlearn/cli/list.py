"""``kernlearn list``: the choices for an experiment, one line each."""

import json

from kernlearn.cli.parser import Parser
from kernlearn.errors import UserError, closest
from kernlearn.plugins import choices, described
from kernlearn.report.terminal import say, show_table
from kernlearn.scalings import DESCRIPTIONS

#: The group of configuration files for each kind.
GROUPS = {"algorithms": "algo", "kernels": "kernel", "datasets": "dataset", "protocols": "protocol"}
KINDS = (*GROUPS, "scalings")


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(prog="kernlearn list", description="List the choices for an experiment.")
    parser.add_argument("kind", nargs="?", metavar="KIND", help=f"one of {', '.join(KINDS)}, or a name among them")
    return parser


def names(before: list[str]) -> tuple[str, ...]:
    """Return the completions after some arguments."""
    return () if before else (*KINDS, *(name for group in GROUPS.values() for name in choices(group)))


def main(argv: list[str]) -> int:
    """Print the names of one kind, or of all."""
    kind = make_parser().parse_args(argv).kind
    if kind and kind not in KINDS:
        return _show_choice(kind)
    for name in [kind] if kind else KINDS:
        say(f"{name}:")
        show_table(["name", "what it is"], _lines(name), left=2)
        say()
    return 0


def _show_choice(name: str) -> int:
    """Print the description of an algorithm or a kernel family, and all its parameters."""
    from kernlearn.algorithms import ALGORITHMS
    from kernlearn.kernels import FAMILIES
    from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
    from kernlearn.parameters import headline

    if name in ALGORITHMS:
        method = ALGORITHMS[name]
        group, description, parameters = "algo", method.description, method.parameters
    elif name in FAMILIES:
        group, description, parameters = "kernel", headline(FAMILIES[name]), KERNEL_PARAMETERS.get(name, {})
    else:
        return _show_line(name)
    say(f"{name}: {description}")
    if group == "algo":
        say(f"for {' and '.join(method.tasks)}; solves {method.problem}")
    rows = [(key, json.dumps(p.default), p.kind.describe(), p.meaning) for key, p in parameters.items()]
    if rows:
        show_table([f"{group}.*", "default", "allowed", "meaning"], rows, left=4)
    return 0


def _show_line(name: str) -> int:
    """Print the line of a data set, a protocol or a scaling; for a data set, also the command that shows more."""
    from kernlearn.datasets import CATALOGUE

    lines = {key: line for kind in KINDS for key, line in _lines(kind)}
    if name not in lines:
        kinds = f"list takes {', '.join(KINDS)}, or a name among them (kernlearn list shows all)"
        raise UserError(f"{name!r}: no such name; {kinds}{closest(name, (*KINDS, *lines))}")
    say(f"{name}: {lines[name]}")
    if name in CATALOGUE:
        say(f"kernlearn data info {name} shows its catalogue entry")
    elif name in choices("dataset"):
        say(f"kernlearn run dataset={name} dataset.path=FILE --cfg job shows its options")
    return 0


def _line_of(kind: str, name: str) -> str:
    """Return what a plug-in's module says of a choice whose configuration file begins with no comment."""
    from kernlearn.algorithms import ALGORITHMS
    from kernlearn.kernels import FAMILIES
    from kernlearn.parameters import headline

    if kind == "algorithms" and name in ALGORITHMS:
        return ALGORITHMS[name].description
    return headline(FAMILIES[name]) if kind == "kernels" and name in FAMILIES else ""


def _lines(kind: str) -> list[tuple[str, str]]:
    if kind in GROUPS:
        return [(name, line or _line_of(kind, name)) for name, line in described(GROUPS[kind])]
    return list(DESCRIPTIONS.items())
