"""``kernlearn data``: list, describe, fetch and verify the data sets of the catalogue."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, TypedDict

import numpy as np

from kernlearn.cli.parser import Parser
from kernlearn.datasets import CATALOGUE, Dataset, Entry, load, load_original, whereabouts
from kernlearn.datasets.loading import Place, entry_of
from kernlearn.datasets.sets.locate import find
from kernlearn.documents import deliver
from kernlearn.errors import UserError
from kernlearn.report.terminal import say, show_table

COLUMNS = ("name", "size", "classes", "now", "description")


class EntryClass(TypedDict):
    """A class of a data set."""

    name: str
    #: Null if examples are drawn with equal probability.
    examples: int | None


class OriginalFile(TypedDict):
    """A file that a data set is published in."""

    name: str
    #: A second name that it goes by, or null.
    alias: str | None
    #: Of the content, uncompressed.
    sha256: str
    #: Where it can be downloaded, or null.
    url: str | None
    #: If the address is an archive: the file in it; else null.
    member: str | None


class CatalogueEntry(TypedDict):
    """A data set of the catalogue."""

    name: str
    description: str
    #: Rows or sequences.
    examples: int
    #: Of all sequences together; null for single examples.
    places: int | None
    features: int
    classes: list[EntryClass]
    #: Where it would be loaded from: "bundled", "generated", "scikit-learn", "nowhere", "to download" or a file.
    now: str
    #: The files or addresses that this means, in words; null if there are none.
    detail: str | None
    #: The options of ``dataset.*`` and their defaults.
    options: dict[str, Any]
    files: list[OriginalFile]
    #: How to get files that cannot be downloaded; or null.
    advice: str | None
    #: Of the values as loaded, or null.
    sha256: str | None
    #: What to know about it, in words.
    remarks: list[str]
    #: How the catalogue's entry was checked, in words; or null.
    verified: str | None
    citation: str
    licence: str


class Check(TypedDict):
    """What was found when a data set was fetched or verified."""

    name: str
    #: "right" if it is here as the catalogue describes it, "wrong", or "absent".
    state: Literal["right", "wrong", "absent"]
    #: Where it was loaded from; null if it is not here.
    source: str | None
    #: What is wrong, in words.
    problems: list[str]


class Document(TypedDict):
    """Data sets of the catalogue."""

    #: "list", "info", "fetch" or "verify".
    command: str
    #: The entries, for list and info.
    datasets: list[CatalogueEntry]
    #: What was found, for fetch and verify.
    checks: list[Check]


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
    _deliver("list", datasets=[_entry(name, entry) for name, entry in sorted(CATALOGUE.items())])
    return 0


def show_info(names: list[str]) -> int:
    """Print the whole catalogue entry of each data set named."""
    blocks = [_info(name, entry_of(name)) for name in names]
    for i, block in enumerate(blocks):
        if i:
            say()
        for key, value in block:
            say(f"{key + ':':<13}{value}")
    _deliver("info", datasets=[_entry(name, entry_of(name)) for name in names])
    return 0


def _deliver(command: str, datasets: Sequence[CatalogueEntry] = (), checks: Sequence[Check] = ()) -> None:
    document: Document = {"command": command, "datasets": list(datasets), "checks": list(checks)}
    deliver(document)


def _entry(name: str, entry: Entry) -> CatalogueEntry:
    place, counts = whereabouts(name), entry.counts or (None,) * len(entry.classes)
    return {
        "name": name,
        "description": entry.description,
        "examples": entry.n,
        "places": entry.places or None,
        "features": entry.d,
        "classes": [
            {"name": meaning, "examples": count} for meaning, count in zip(entry.classes.values(), counts, strict=True)
        ],
        "now": place.kind,
        "detail": place.detail or None,
        "options": dict(entry.options),
        "files": [
            {
                "name": file.name,
                "alias": file.alias or None,
                "sha256": file.sha256,
                "url": file.url or None,
                "member": file.member or None,
            }
            for file in entry.files
        ],
        "advice": entry.advice or None,
        "sha256": entry.digest or None,
        "remarks": list(entry.traps),
        "verified": entry.verified or None,
        "citation": entry.citation,
        "licence": entry.licence,
    }


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
    checks = list[Check]()
    for name in _all_of(names):
        try:
            source = load(name).source
            say(f"{name}: from {source}")
            checks.append({"name": name, "state": "right", "source": source, "problems": []})
        except UserError as error:
            say(f"{name}: NOT obtained: {error}")
            checks.append({"name": name, "state": "absent", "source": None, "problems": [str(error)]})
    _deliver("fetch", checks=checks)
    return int(any(check["state"] != "right" for check in checks))


def _all_of(names: list[str]) -> list[str]:
    """Return the names after checking that they are known; "all", or no name, stands for all data sets."""
    if names in ([], ["all"]):
        return sorted(CATALOGUE)
    for name in names:
        entry_of(name)
    return names


def verify_sets(names: list[str]) -> int:
    """Compare the data sets named (by default, all) with the catalogue and return 1 if any differs."""
    checks = list[Check]()
    for name in _all_of(names):
        place = whereabouts(name)
        if place.kind in ("to download", "nowhere"):
            say(f"{name}: not here")
            checks.append({"name": name, "state": "absent", "source": None, "problems": []})
            continue
        try:
            problems = _problems(name, place)
        except UserError as error:
            problems = [str(error)]
        where = place.detail or place.kind
        checks.append({"name": name, "state": "wrong" if problems else "right", "source": where, "problems": problems})
        say(f"{name}: WRONG: {'; '.join(problems)}" if problems else f"{name}: right ({where})")
    _deliver("verify", checks=checks)
    return int(any(check["state"] == "wrong" for check in checks))


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
