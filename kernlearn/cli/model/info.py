"""``kernlearn info MODEL``: show what a model file says of itself."""

import json
import os

from kernlearn.cli.parser import Parser
from kernlearn.errors import UserError
from kernlearn.models.file import SCHEMA, load_header
from kernlearn.plugins import choices
from kernlearn.report.model import facts_of
from kernlearn.report.terminal import say
from kernlearn.streams import put

#: The groups of names that ``kernlearn list`` describes.
DESCRIBED = ("algo", "kernel", "dataset", "protocol")


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn info",
        description="Show what a model file says of itself: how it was made, of which data, and what is proved of it. "
        "Only its header is read, and nothing in it is run.",
    )
    parser.add_argument("model", metavar="MODEL", help="a file of kernlearn fit, or of kernlearn.save")
    parser.add_argument("--json", action="store_true", help="print it as JSON")
    return parser


def main(argv: list[str]) -> int:
    """Print the header of a model."""
    given = make_parser().parse_args(argv)
    _refuse_names(given.model)
    header, size = load_header(given.model), os.stat(given.model).st_size
    if given.json:
        found = {"path": given.model, "bytes": size, "schema": SCHEMA, "versions": header["versions"]}
        put(json.dumps(found | {"about": header["about"]}, indent=1) + "\n")
        return 0
    try:
        lines = list(facts_of(header["about"]))
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise UserError(f"{given.model}: its header is damaged ({error})") from error
    for title, words in lines:
        say(f"{title:<11}{' '.join(words.split())}")
    made = ", ".join(f"{name} {number}" for name, number in header["versions"].items())
    say(f"{'file':<11}{given.model}: {size} bytes, schema {SCHEMA}; written by {made}")
    return 0


def _refuse_names(model: str) -> None:
    """Raise `UserError` for the name of something that ``kernlearn list`` describes, unless a file has this name."""
    if not os.path.exists(model) and any(model in choices(group) for group in DESCRIBED):
        raise UserError(f"{model}: is no model file; kernlearn list {model} describes what has this name")
