"""``kernlearn data``: list, describe, fetch and verify the data sets of the catalogue."""

from collections.abc import Callable, Iterable

import numpy as np

from kernlearn.cli.parser import Parser
from kernlearn.datasets import CATALOGUE, Dataset, Entry, Place, entry_of, load, load_original, whereabouts
from kernlearn.datasets.sets.locate import find
from kernlearn.errors import UserError
from kernlearn.report.terminal import say, show_table

COLUMNS = ("name", "size", "classes", "now", "description")


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(prog="kernlearn data", description="List, describe, fetch and verify data sets.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[list[str]], int], text: str, count: str | None) -> None:
        sub = commands.add_parser(name, help=text, description=text)
        if count:
            sub.add_argument("names", nargs=count, metavar="NAME", help="a data set of `kernlearn data list`")
        sub.set_defaults(run=run, names=[])

    command("list", list_sets, "list the data sets and where each one would be loaded from", None)
    command("info", show_info, "show the catalogue's entries of data sets", "+")
    command("fetch", fetch_sets, "download data sets (or all) that are not on this machine", "+")
    command("verify", verify_sets, "compare data sets (or all) on this machine with the catalogue", "*")
    return parser


def names(before: list[str]) -> list[str]:
    """Return the names that can follow a subcommand: data sets, and ``all`` where it is allowed."""
    sets = {"info": [], "fetch": ["all"], "verify": ["all"]}
    return [*CATALOGUE, *sets[before[0]]] if before[0] in sets else []


def main(argv: list[str]) -> int:
    """Run ``kernlearn data`` with the arguments after it and return the exit code.

    Raises `UserError` if a name is unknown.
    """
    arguments = make_parser().parse_args(argv)
    return arguments.run(arguments.names)


def list_sets(_: list[str]) -> int:
    """Print one line for each data set: a table on a terminal, aligned plain text elsewhere."""
    rows = []
    for name, entry in sorted(CATALOGUE.items()):
        size = f"{entry.n} x {entry.d}"
        rows.append((name, size, str(len(entry.classes)), whereabouts(name).kind, entry.description))
    rows.append(("csv", "", "", "your file", "any CSV, ARFF, libsvm or Parquet file: dataset=csv dataset.path=FILE"))
    rows.append(
        ("conll", "", "", "your file", "sentences, a word and its labels a line: dataset=conll dataset.path=FILE")
    )
    show_table(COLUMNS, rows, left=len(COLUMNS))
    return 0


def show_info(names: list[str]) -> int:
    """Print the whole catalogue entry of each data set named."""
    blocks = [_info(name, entry_of(name)) for name in names]
    for i, block in enumerate(blocks):
        if i:
            say()
        for key, value in block:
            say(f"{key + ':':<13}{value}")
    return 0


def _info(name: str, entry: Entry) -> Iterable[tuple[str, str]]:
    place = whereabouts(name)
    yield "name", name
    yield "description", entry.description
    of_places = f"sequences of {entry.places} places in all" if entry.places else "examples"
    yield "size", f"{entry.n} {of_places}, {entry.d} features"
    counts = entry.counts or ("drawn with equal probability",) * len(entry.classes)
    for i, (meaning, count) in enumerate(zip(entry.classes.values(), counts, strict=True)):
        positive = ", positive" if len(entry.classes) == 2 and i == 1 else ""
        yield f"class {i}", f"{meaning} ({count}{positive})"
    yield "now", f"{place.kind} ({place.detail})" if place.detail else place.kind
    for option, default in entry.options.items():
        yield "option", f"{option}, {default} by default"
    for file in entry.files:
        yield "file", f"{file.name}" + (f" (or {file.alias})" if file.alias else "")
        yield "sha256", file.sha256
        if file.url:
            yield "url", file.url + (f" (member {file.member})" if file.member else "")
    if entry.advice:
        yield "advice", entry.advice
    if entry.digest:
        yield "digest", f"{entry.digest} (of the values as loaded)"
    for trap in entry.traps:
        yield "note", trap
    if entry.verified:
        yield "verified", entry.verified
    yield "citation", entry.citation
    yield "licence", entry.licence


def fetch_sets(names: list[str]) -> int:
    """Fetch all data sets named, even if some fail, and return 1 if any could not be fetched."""
    names = _all_of(names)
    failed = 0
    for name in names:
        try:
            say(f"{name}: from {load(name).source}")
        except UserError as error:
            failed += 1
            say(f"{name}: NOT obtained: {error}")
    return int(failed > 0)


def _all_of(names: list[str]) -> list[str]:
    """Return the names after checking that they are known; "all", or no name, stands for all data sets."""
    if names in ([], ["all"]):
        return sorted(CATALOGUE)
    for name in names:
        entry_of(name)
    return names


def verify_sets(names: list[str]) -> int:
    """Compare the data sets named (by default, all) with the catalogue and return 1 if any differs."""
    names = _all_of(names)
    wrong = 0
    for name in names:
        place = whereabouts(name)
        if place.kind in ("to download", "nowhere"):
            say(f"{name}: not here")
            continue
        try:
            problems = _problems(name, place)
        except UserError as error:
            problems = [str(error)]
        wrong += bool(problems)
        say(f"{name}: WRONG: {'; '.join(problems)}" if problems else f"{name}: right ({place.detail or place.kind})")
    return int(wrong > 0)


def _problems(name: str, place: Place) -> list[str]:
    entry = CATALOGUE[name]
    data = load(name)
    problems = _departures(entry, data)
    if place.kind == "bundled" and entry.files and all(find(file) for file in entry.files):
        original = load_original(name)
        if original.digest != data.digest:
            problems.append(f"not equal to {original.source}")
    return problems


def _departures(entry: Entry, data: Dataset) -> list[str]:
    counts = tuple(np.bincount(data.labels).tolist())
    checks = {
        f"{data.X.shape[0]} x {data.X.shape[1]} values instead of {entry.n} x {entry.d}": (
            data.X.shape == (entry.n, entry.d)
        ),
        f"{counts} examples per class instead of {entry.counts}": not entry.counts or counts == entry.counts,
        f"digest {data.digest[:12]}... instead of {entry.digest[:12]}...": entry.digest in ("", data.digest),
    }
    return [problem for problem, right in checks.items() if not right]
