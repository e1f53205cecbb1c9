"""``kernlearn list``: the choices for an experiment, one line each."""

import json
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from kernlearn.cli.parser import Parser
from kernlearn.documents import deliver
from kernlearn.errors import UserError, closest
from kernlearn.parameters import Parameter
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


class Option(TypedDict):
    """A parameter of an algorithm or a kernel family."""

    #: As in ``algo.NAME=...`` or ``kernel.NAME=...``.
    name: str
    default: Any
    #: The allowed values, in words.
    allowed: str
    meaning: str


class Choice(TypedDict):
    """A choice for an experiment."""

    name: str
    description: str
    #: The tasks of an algorithm, if it is shown alone.
    tasks: NotRequired[list[str]]
    #: What an algorithm solves, if it is shown alone.
    problem: NotRequired[str]
    #: The parameters of an algorithm or a kernel family, if it is shown alone.
    parameters: NotRequired[list[Option]]


class Document(TypedDict):
    """The choices for an experiment."""

    #: The choices of each kind: algorithms, kernels, datasets, protocols and scalings, or the one that is asked for.
    choices: dict[str, list[Choice]]


def main(argv: list[str]) -> int:
    """Print the names of one kind, or of all."""
    kind = make_parser().parse_args(argv).kind
    if kind and kind not in KINDS:
        found, choice = _choice(kind)
        _show_choice(found, choice)
        choices_of = {found: [choice]}
    else:
        choices_of = {name: _choices(name) for name in ([kind] if kind else KINDS)}
        for name, some in choices_of.items():
            say(f"{name}:")
            show_table(["name", "what it is"], [(one["name"], one["description"]) for one in some], left=2)
            say()
    document: Document = {"choices": choices_of}
    deliver(document)
    return 0


def _choice(name: str) -> tuple[str, Choice]:
    """Return the kind of a choice, and all that is known of it.

    Raises `UserError` if there is no such name.
    """
    from kernlearn.algorithms import ALGORITHMS
    from kernlearn.kernels import FAMILIES
    from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
    from kernlearn.parameters import headline

    if name in ALGORITHMS:
        method = ALGORITHMS[name]
        own: Choice = {"name": name, "description": method.description, "tasks": list(method.tasks)}
        return "algorithms", {**own, "problem": method.problem, "parameters": _options(method.parameters)}
    if name in FAMILIES:
        parameters = _options(KERNEL_PARAMETERS.get(name, {}))
        return "kernels", {"name": name, "description": headline(FAMILIES[name]), "parameters": parameters}
    choices_of = {kind: _choices(kind) for kind in KINDS}
    for kind, some in choices_of.items():
        for one in some:
            if one["name"] == name:
                return kind, one
    known = (*KINDS, *(one["name"] for some in choices_of.values() for one in some))
    kinds = f"list takes {', '.join(KINDS)}, or a name among them (kernlearn list shows all)"
    raise UserError(f"{name!r}: no such name; {kinds}{closest(name, known)}")


def _options(parameters: Mapping[str, Parameter]) -> list[Option]:
    return [
        {"name": key, "default": one.default, "allowed": one.kind.describe(), "meaning": one.meaning}
        for key, one in parameters.items()
    ]


def _show_choice(kind: str, choice: Choice) -> None:
    """Print the description of a choice, and its parameters or the command that shows more."""
    from kernlearn.datasets import CATALOGUE

    name = choice["name"]
    say(f"{name}: {choice['description']}")
    if "tasks" in choice:
        say(f"for {' and '.join(choice['tasks'])}; solves {choice['problem']}")
    rows = [(p["name"], json.dumps(p["default"]), p["allowed"], p["meaning"]) for p in choice.get("parameters", ())]
    if rows:
        show_table([f"{GROUPS[kind]}.*", "default", "allowed", "meaning"], rows, left=4)
    if name in CATALOGUE:
        say(f"kernlearn data info {name} shows its catalogue entry")
    elif kind == "datasets":
        say(f"kernlearn run dataset={name} dataset.path=FILE --cfg job shows its options")


def _choices(kind: str) -> list[Choice]:
    if kind in GROUPS:
        lines = [(name, line or _line_of(kind, name)) for name, line in described(GROUPS[kind])]
    else:
        lines = list(DESCRIPTIONS.items())
    return [{"name": name, "description": line} for name, line in lines]


def _line_of(kind: str, name: str) -> str:
    """Return what a plug-in's module says of a choice whose configuration file begins with no comment."""
    from kernlearn.algorithms import ALGORITHMS
    from kernlearn.kernels import FAMILIES
    from kernlearn.parameters import headline

    if kind == "algorithms" and name in ALGORITHMS:
        return ALGORITHMS[name].description
    return headline(FAMILIES[name]) if kind == "kernels" and name in FAMILIES else ""
