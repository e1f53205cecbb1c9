"""``kernlearn info MODEL``: show what a model file says of itself."""

import os
from typing import Any, TypedDict

from kernlearn.cli.parser import Parser
from kernlearn.documents import deliver
from kernlearn.errors import UserError
from kernlearn.models.file import SCHEMA, load_header
from kernlearn.plugins import choices
from kernlearn.report.model import facts_of
from kernlearn.report.terminal import say

#: The groups of names that ``kernlearn list`` describes.
DESCRIBED = ("algo", "kernel", "dataset", "protocol")


class Document(TypedDict):
    """What a model file says of itself."""

    #: The model file, as it was given.
    path: str
    bytes: int
    #: The version of the format of model files.
    schema: int
    #: The versions of the packages that wrote it.
    versions: dict[str, str]
    #: All that the file says of the model: docs/models.md explains the keys.
    about: dict[str, Any]


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn info",
        description="Show what a model file says of itself: how it was made, of which data, and what is proved of it. "
        "Only its header is read, and nothing in it is run.",
    )
    parser.add_argument("model", metavar="MODEL", help="a file of kernlearn fit, or of kernlearn.save")
    return parser


def main(argv: list[str]) -> int:
    """Print the header of a model."""
    given = make_parser().parse_args(argv)
    _refuse_names(given.model)
    header, size = load_header(given.model), os.stat(given.model).st_size
    document: Document = {
        "path": given.model,
        "bytes": size,
        "schema": SCHEMA,
        "versions": header["versions"],
        "about": header["about"],
    }
    deliver(document)
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
