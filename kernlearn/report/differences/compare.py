"""Compare two sides: match their files, and find what became of each."""

import hashlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import PurePosixPath
from typing import TypeVar

from kernlearn.errors import UserError, one_line
from kernlearn.report.comparison.stored import OF_RANKING, comparisons_of
from kernlearn.report.differences.cells import NOT_COMPARED, OBJECTIVES, RELATIVE
from kernlearn.report.differences.changes import ALARMS, FLIPS, Part, Status, worst
from kernlearn.report.differences.claims import compare_claims, is_claimed
from kernlearn.report.differences.models import compare_models, model_of
from kernlearn.report.differences.records import notes_of, other_rows, packages_in_words, record_of
from kernlearn.report.differences.sides import DERIVED, File, Side
from kernlearn.report.differences.tables import compare_tables, table_of
from kernlearn.runner.store.tables import parse_csv

T = TypeVar("T")
#: Bytes of the largest table or model whose content is compared.
LARGEST = 2**28
#: Changes that are kept of a part.
MOST = 20
#: Kinds of sides in words.
WORDS = {"results": "results directory", "file": "table"}
#: The end of the name of a run or a comparison, which depends on the versions.
DIGEST = re.compile(r"-[0-9a-f]{8,12}$")
#: The end of the name of a record of a computation, and reasons that are named in a note.
RECORD, NAMED = "provenance.json", 3
#: The tables of a comparison.
RANKING, SPLITS = "ranking.csv", "splits.csv"
#: The directories with runs and comparisons.
NAMED_BY_DIGEST = ("runs", "comparisons")


@dataclass
class Difference:
    """How one side differs from another.

    Attributes
    ----------
    before, after : str
        Their names.
    parts : list of Part
        The worst first.
    derived : list of str
        The pages and pictures whose bytes differ.
    notes : list of str
    """

    before: str
    after: str
    parts: list[Part]
    derived: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def status(self) -> Status:
        """The worst status of a part."""
        return worst(part.status for part in self.parts)

    @property
    def alarms(self) -> bool:
        """Whether a verdict flipped or a certificate got worse."""
        return any(part.status in ALARMS for part in self.parts)


@dataclass(frozen=True)
class Settings:
    """How sides are compared.

    Attributes
    ----------
    most : int
        Changes that are kept of a part.
    tolerance : float
        Relative to the larger of two numbers.
    common : bool
        Compare only what both sides have.
    single : bool
        Whether each side is a single run, comparison or table; see
        `kernlearn.report.differences.tables.compare_tables`.
    other_rows : collection of str
        See there, too.
    why : str
        Why training rows differ.
    """

    most: int = MOST
    tolerance: float = RELATIVE
    common: bool = False
    single: bool = False
    other_rows: Collection[str] = ()
    why: str = ""


DEFAULTS = Settings()


def compare_sides(before: Side, after: Side, settings: Settings = DEFAULTS) -> Difference:
    """Return how two sides differ.

    Raises `UserError` if they are of different kinds, such as a run and a model.
    """
    if before.kind != after.kind and not {before.kind, after.kind} <= {"file", "table"}:
        words = [f"{side.name} is a {WORDS.get(side.kind, side.kind)}" for side in (before, after)]
        raise UserError(f"{' and '.join(words)}; give two of the same kind")
    first, second = _matched(before, after)
    unlike = _unlike(first, second)
    found = Difference(before.name, after.name, [])
    for name in sorted(first.keys() | second.keys()):
        if name.endswith(DERIVED):
            if name in first and name in second and not _same(first[name], second[name]):
                found.derived.append(name)
        elif name in first and name in second:
            single = before.kind != "results" or name.startswith("runs/")
            data, why = next((unlike[stem] for stem in unlike if name.startswith(stem)), (frozenset[str](), ""))
            mine = replace(settings, single=single, other_rows=data, why=why)
            damage = [_damage(name, files, side) for files, side in ((first, "A"), (second, "B"))]
            if words := list(filter(None, damage)):
                found.parts.append(Part(name, Status.UNREADABLE, words))
                continue
            found.parts += _compare(name, first[name], second[name], mine, found.notes)
        elif not settings.common and not name.endswith(RECORD):
            here = before.name if name in first else after.name
            found.parts.append(Part(name, Status.ONLY, [f"only in {here}"]))
    found.notes[:] = _in_short(found.notes)
    order = list(Status)
    found.parts.sort(key=lambda part: -order.index(part.status))
    return found


def _damage(name: str, files: Mapping[str, File], side: str) -> str:
    """Return what is wrong with the ranking of a comparison; empty of other files, and if it can be read.

    Files that cannot be read are parts of their own.
    """
    stem = name.removesuffix(RANKING)
    splits, record = (files.get(f"{stem}{ending}") for ending in (SPLITS, RECORD))
    if PurePosixPath(name).name != RANKING or splits is None or record is None:
        return ""
    with suppress(OSError, RecursionError):
        try:
            ranking, rows = (
                [dict(zip(head, row, strict=True)) for row in lines]
                for head, lines in (parse_csv(name, files[name].read(), OF_RANKING), parse_csv(SPLITS, splits.read()))
            )
            comparisons_of(ranking, rows, record_of(RECORD, record.read()))
        except UserError:
            pass
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            return f"{side}: {name}: damaged ({one_line(error)})"
    return ""


def _unlike(before: Mapping[str, File], after: Mapping[str, File]) -> dict[str, tuple[frozenset[str], str]]:
    """Return the data sets of which both sides have other training rows, and why, by how the names of files begin."""
    found = {}
    for name in (one for one in before.keys() & after.keys() if one.endswith(RECORD)):
        if _same(before[name], after[name]) or max(before[name].size, after[name].size) > LARGEST:
            continue
        with suppress(UserError, OSError, RecursionError):  # a damaged record is a part that cannot be read
            rows, words = other_rows(*_pair(record_of, name, before[name].read(), after[name].read()))
            if rows:
                found[name.removesuffix(RECORD)] = rows, words
    return found


def _in_short(notes: Sequence[str]) -> list[str]:
    """Return notes without repetitions, and one of all objectives that are not compared."""
    reasons = list(dict.fromkeys(note.removeprefix(NOT_COMPARED) for note in notes if note.startswith(NOT_COMPARED)))
    more = f"; and {len(reasons) - NAMED} more" if len(reasons) > NAMED else ""
    joined = [f"{NOT_COMPARED}: {'; '.join(reasons[:NAMED])}{more}"] if reasons else []
    return [*dict.fromkeys(note for note in notes if not note.startswith(NOT_COMPARED)), *joined]


def _matched(before: Side, after: Side) -> tuple[Mapping[str, File], Mapping[str, File]]:
    """Return the files of two sides by names under which they are compared."""
    first, second = before.files, after.files
    if before.kind != after.kind:  # a table, and a single file of one
        return _main(before), _main(after)
    if before.title != after.title:  # two tables
        return _untitled(before), _untitled(after)
    renamed = _renamed(first, second)
    return first, {renamed.get(name, name): file for name, file in second.items()}


def _untitled(side: Side) -> dict[str, File]:
    return {f"table{name.removeprefix(side.title)}": file for name, file in side.files.items()}


def _main(side: Side) -> dict[str, File]:
    """Return the table of a side with a single one."""
    return {"table.csv": next(file for name, file in side.files.items() if name in ("table.csv", f"{side.title}.csv"))}


def _renamed(before: Mapping[str, File], after: Mapping[str, File]) -> dict[str, str]:
    """Return the files of runs and comparisons that have another digest in their names, by their names before."""
    one, other = (_directories(files) for files in (before, after))
    renamed = dict[str, str]()
    for stem, names in other.items():
        if len(names) == 1 == len(one.get(stem, ())) and names != one[stem]:
            (new,), (old,) = names, one[stem]
            renamed |= {name: old + name.removeprefix(new) for name in after if name.startswith(f"{new}/")}
    return renamed


def _directories(files: Mapping[str, File]) -> dict[str, set[str]]:
    """Return the directories of runs and comparisons by their names without a digest."""
    found: dict[str, set[str]] = {}
    for name in files:
        parts = PurePosixPath(name).parts
        if len(parts) > 2 and parts[0] in NAMED_BY_DIGEST:
            directory = f"{parts[0]}/{parts[1]}"
            found.setdefault(DIGEST.sub("", directory), set()).add(directory)
    return found


def _compare(name: str, before: File, after: File, settings: Settings, notes: list[str]) -> list[Part]:
    """Return the parts of a file that both sides have, and add to the notes on the whole."""
    try:
        if _same(before, after):
            return [] if name.endswith(RECORD) else [Part(name)]
        if max(before.size, after.size) > LARGEST:
            note = f"has more than {LARGEST // 2**20} MB, so only its bytes are compared"
            return [Part(name, Status.CHANGED, [note])]
        if name.endswith(RECORD):
            return _records(name, before.read(), after.read(), notes)
        return _contents(name, before.read(), after.read(), settings, notes)
    except (UserError, OSError, MemoryError, RecursionError) as error:
        return [Part(name, Status.UNREADABLE, [one_line(error)])]


def _records(name: str, before: bytes, after: bytes, notes: list[str]) -> list[Part]:
    records = _pair(record_of, name, before, after)
    if words := packages_in_words(*records):
        notes.append(f"computed with other packages: {words}")
    parts = notes_of(*records)
    return [Part(name, Status.CHANGED, parts)] if parts else []


def _contents(name: str, before: bytes, after: bytes, settings: Settings, notes: list[str]) -> list[Part]:
    if name.endswith(".kl"):
        return [compare_models(name, *_pair(model_of, name, before, after), settings.most, settings.tolerance)]
    tables = _pair(table_of, name, before, after)
    if settings.other_rows and all(OBJECTIVES & table.columns.keys() for table in tables):
        notes.append(f"{NOT_COMPARED}{settings.why}")
    options = {key: value for key, value in asdict(settings).items() if key != "why"}
    parts = [compare_tables(name, *tables, **options)]
    if is_claimed(name) and not settings.common and parts[0].status is not Status.WITHIN:
        claims = compare_claims(name, before, after)
        parts += [claims] if claims else []
    return parts


def _pair(make: Callable[[str, bytes], T], name: str, before: bytes, after: bytes) -> tuple[T, T]:
    return make(f"A: {name}", before), make(f"B: {name}", after)


def _same(before: File, after: File) -> bool:
    """Return whether two files have the same bytes."""
    if before.size != after.size:
        return False
    if before.blob and after.blob:
        return before.blob == after.blob
    return hashlib.sha256(before.read()).digest() == hashlib.sha256(after.read()).digest()


def counts_of(parts: Sequence[Part]) -> dict[Status, int]:
    """Return the numbers of parts by status, those that there are, the worst first."""
    return {status: n for status in reversed(Status) if (n := sum(part.status is status for part in parts))}


def flips_of(parts: Sequence[Part]) -> dict[str, int]:
    """Return the numbers of flipped verdicts by their direction."""
    return {word: sum(part.counts[kind] for part in parts) for kind, word in FLIPS.items()}
