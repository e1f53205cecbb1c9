"""``kernlearn plot RESULT``: pictures of a run, a comparison, a table or figure, or a model."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

from kernlearn.cli.parser import Parser, add_csv_options, add_results_dir, csv_options, results_dir, results_dir_of
from kernlearn.documents import deliver
from kernlearn.errors import UserError

#: The formats of files, by their suffix.
SUFFIXES = (".svg", ".pdf", ".png")
#: Characters that the name of a file gets no more than once in a row, as a hyphen.
NO_NAME = r"[^\w.+-]+"


class PictureKind(TypedDict):
    """A kind of picture, and whether a result has it."""

    kind: str
    #: The number of pictures; null if the outputs on test rows have to be computed first; 0 if there is none.
    pictures: int | None
    #: What it shows, or why there is none, in words.
    description: str


class DrawnPicture(TypedDict):
    """A picture in the file that was written."""

    kind: str
    title: str
    #: What it shows, in words.
    words: str


class Document(TypedDict):
    """The pictures of a result: the kinds that it has, or the file that was written."""

    #: The name of the result, and what it is: "run", "comparison", "paper", "table", "figure" or "model".
    result: str
    result_kind: str
    #: Without --kind and -o.
    kinds: list[PictureKind]
    #: The file that was written, and its size; null if none was.
    picture: str | None
    bytes: int | None
    #: The pictures in the file; empty for the drawing of a table or figure in the layout of the paper.
    drawn: list[DrawnPicture]


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn plot",
        description="Draw pictures of a result. Without --kind and -o, list the kinds of pictures that it has. With "
        "--kind, draw these; with -o alone, draw all that need no computation, on one sheet.",
        epilog="Pictures of predictions on test rows (confusion, roc, ...) of a run need outputs that are not stored. "
        "They are computed once, when --kind names such a picture, and kept in the directory of the run.",
    )
    parser.add_argument(
        "result",
        metavar="RESULT",
        help="a run or comparison by its path or a part of its name, a paper, a table or figure such as "
        "vkr2015/table1, or a model",
    )
    parser.add_argument(
        "--kind",
        metavar="K",
        help="the kind of picture, or several: roc,confusion; those that are possible are drawn",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the file to write: .svg, .pdf or .png; by default RESULT-KIND.svg in this directory",
    )
    parser.add_argument("--data", metavar="DATA", help="of a model: a file with known targets to predict")
    parser.add_argument("--target", metavar="COLUMN", help="the column of DATA with the targets, if renamed")
    add_results_dir(parser)
    parser.add_argument("--force", action="store_true", help="replace a file that is no picture of kernlearn")
    add_csv_options(parser)
    return parser


def names(before: list[str]) -> list[str]:
    """Return the kinds of pictures after ``--kind``, otherwise the results that have a name."""
    from kernlearn.report.plots.kinds import DRAWING, KINDS
    from kernlearn.report.targets import target_names

    if before and before[-1] == "--kind":
        return [*KINDS, DRAWING]
    return target_names(results_dir_of(before))


def main(argv: list[str]) -> int:
    """List or draw the pictures of a result.

    Raises `UserError` at the end if some of the kinds that were asked for cannot be drawn; the file has the others.
    """
    given = make_parser().parse_intermixed_args(argv)
    from kernlearn.report.plots.kinds import DRAWING
    from kernlearn.report.targets import find_target

    said = csv_options(given, "target")
    target = find_target(given.result, results_dir(given))
    if given.data is None and (said or given.target):
        raise UserError("--target and how a file is read belong to --data FILE")
    if given.data is not None and target.kind != "model":
        raise UserError(f"--data: is for models, and {target.name} is a {target.kind}")
    kinds = None if given.kind is None else _kinds(given.kind)
    document: Document = {
        "result": target.name,
        "result_kind": target.kind,
        "kinds": [],
        "picture": None,
        "bytes": None,
        "drawn": [],
    }
    if kinds is None and given.output is None:
        document["kinds"] = _list(target, given, said)
        deliver(document)
        return 0
    output, pictures, reasons = _output(given, target, kinds), list[Any](), dict[str, str]()
    if target.kind in ("table", "figure") and (kinds == [DRAWING] or (kinds is None and target.kind == "figure")):
        from kernlearn.report.plots.drawing import drawing_of

        content = drawing_of(target, output.suffix)
    else:
        from kernlearn.report.plots.files import pictures_file

        pictures, reasons = _pictures(target, kinds, given, said)
        content = pictures_file(pictures, output.suffix)
    from kernlearn.atomic import write_atomically
    from kernlearn.report.terminal import say

    write_atomically(output, content)
    document["picture"], document["bytes"] = str(output), len(content)
    document["drawn"] = [{"kind": one.kind, "title": one.title, "words": one.words} for one in pictures]
    deliver(document)
    for one in pictures:
        say(f"{one.kind:<10} {one.title}. {one.words}".rstrip())
    say(f"picture: {output} ({len(content)} bytes)")
    if reasons:
        raise UserError(_without(target, reasons))
    return 0


def _kinds(text: str) -> list[str]:
    """Return the kinds of pictures that ``--kind`` names."""
    kinds = list(dict.fromkeys(filter(None, map(str.strip, text.split(",")))))
    if not kinds:
        raise UserError("--kind: give a kind of picture, or several as in --kind roc,confusion")
    return kinds


def _output(given: Any, target: Any, kinds: Sequence[str] | None) -> Path:
    """Return the file to write."""
    from kernlearn.cli.model.output import output_file, require_no_input
    from kernlearn.report.plots.files import is_picture
    from kernlearn.report.targets import files_of

    stem = target.name.removesuffix(".kl")
    name = given.output or f"{re.sub(NO_NAME, '-', '-'.join([stem, *(kinds or ())]))}.svg"
    if Path(name).suffix not in SUFFIXES:
        raise UserError(f"{name}: the name must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
    output = output_file(name, given.force, is_picture, "picture of kernlearn")
    require_no_input(output, *([given.data] if given.data else []), *map(str, files_of(target)))
    return output


def _pictures(target: Any, kinds: Sequence[str] | None, given: Any, said: Any) -> tuple[list[Any], dict[str, str]]:
    """Return the pictures, and why kinds that were asked for are not among them.

    Outputs on test rows are computed if such a kind needs them. Raises `UserError` if there is no picture.
    """
    from kernlearn.report.plots.kinds import available, available_on, joined
    from kernlearn.report.plots.outputs import NotComputed

    of_data = None if given.data is None else partial(available_on, _of_model(target, given, said))
    drawn = of_data or partial(available, target)
    if kinds is None:
        pictures = joined(drawn())
        if not pictures:
            words = f"has no picture that is stored; kernlearn plot {given.result} lists the kinds"
            raise UserError(f"{target.name}: {words}")
        return pictures, {}
    found = {kind: _tried(drawn, kind) for kind in kinds}
    missing = [kind for kind, pictures in found.items() if isinstance(pictures, NotComputed)]
    if missing:
        why_not = _why_not_computed(target)
        found |= {kind: why_not or _tried(drawn, kind) for kind in missing}
    reasons = {kind: str(reason) for kind, reason in found.items() if isinstance(reason, UserError)}
    if len(reasons) == len(kinds):
        raise UserError(_without(target, reasons))
    return [one for pictures in found.values() if not isinstance(pictures, UserError) for one in pictures], reasons


def _tried(drawn: Callable[..., Any], kind: str) -> Any:
    """Return the pictures of a kind, or the error that says why there are none."""
    try:
        return drawn([kind])[kind]
    except UserError as error:
        return error


def _without(target: Any, reasons: Mapping[str, str]) -> str:
    """Return which kinds of pictures a result lacks, and why; kinds with one reason share it."""
    by_reason: dict[str, list[str]] = {}
    for kind, reason in reasons.items():
        by_reason.setdefault(reason.removeprefix(f"{kind}: "), []).append(kind)
    words = "; ".join(f"{', '.join(kinds)}: {reason}" for reason, kinds in by_reason.items())
    return f"{target.name}: has no picture {words}"


def _why_not_computed(target: Any) -> UserError | None:
    """Compute the outputs of a run on its test rows; return the error if they cannot be."""
    from kernlearn.cli.results.predictions import require_predictions

    try:
        require_predictions(target)
    except UserError as error:
        return error
    return None


def _of_model(target: Any, given: Any, said: Any) -> Any:
    from kernlearn.cli.results.on_file import outputs_on_file

    return outputs_on_file(str(target.path), given.data, given.target, said)


def _list(target: Any, given: Any, said: Any) -> list[PictureKind]:
    """Print the kinds of pictures that a result has, and why it lacks others; return them."""
    from kernlearn.report.plots.drawing import has_drawing
    from kernlearn.report.plots.kinds import DRAWING, KINDS, available, available_on
    from kernlearn.report.plots.of_outputs import OF_OUTPUTS
    from kernlearn.report.plots.outputs import NotComputed
    from kernlearn.report.plots.stored import Lacking
    from kernlearn.report.terminal import say, say_note, show_table

    found = available_on(_of_model(target, given, said)) if given.data is not None else available(target)
    kinds = list[PictureKind]()
    for name, pictures in found.items():
        if isinstance(pictures, NotComputed):
            kinds.append({"kind": name, "pictures": None, "description": KINDS[name].line})
        elif isinstance(pictures, Lacking):
            kinds.append({"kind": name, "pictures": 0, "description": str(pictures)})
        else:
            kinds.append({"kind": name, "pictures": len(pictures), "description": KINDS[name].line})
    if has_drawing(target):
        line = f"the drawing of the {target.kind} in the layout of the paper"
        kinds.append({"kind": DRAWING, "pictures": 1, "description": line})
    say(f"{target.kind:<10} {target.name}")
    lines = [(one["kind"], {None: "*", 0: "-"}.get(n := one["pictures"], str(n)), one["description"]) for one in kinds]
    show_table(("kind", "pictures", "what it shows, or why there is none"), lines, left=3)
    if any(isinstance(pictures, NotComputed) for pictures in found.values()):
        say_note("* needs the outputs on test rows, which are not stored; --kind computes and keeps them once")
    if target.kind == "model" and given.data is None:
        say_note(f"--data FILE draws {', '.join(OF_OUTPUTS)} on rows with known targets")
    first = next((name for name, pictures in found.items() if not isinstance(pictures, Lacking)), DRAWING)
    data = f" --data {shlex.quote(given.data)}" if given.data else ""
    say(f"next: kernlearn plot {shlex.quote(given.result)}{data} --kind {first} -o {first}.svg")
    return kinds
