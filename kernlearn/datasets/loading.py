"""Loading by name: values that come with an installed package first, then files, then the network."""

import gzip
import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.datasets.core.cells import TYPES
from kernlearn.datasets.core.dataset import Dataset, Examples, make_dataset
from kernlearn.datasets.core.raw import MISSING_WAYS, TEXT_WAYS
from kernlearn.datasets.core.text import HEADERS, TOKENS
from kernlearn.datasets.readers.source import DECIMALS, DELIMITERS, THOUSANDS
from kernlearn.datasets.readers.understood import Column
from kernlearn.datasets.sets.catalogue import CATALOGUE
from kernlearn.datasets.sets.entry import Entry, File
from kernlearn.datasets.sets.fetch import fetch, remedy
from kernlearn.datasets.sets.files import read
from kernlearn.datasets.sets.locate import find, find_cached, mismatch, read_bytes
from kernlearn.datasets.userfile import ENCODINGS, FORMATS, read_user_file
from kernlearn.errors import UserError, closest
from kernlearn.parameters import Choice, Choices, Flag, Kind, Number, Texts

log = logging.getLogger(__name__)

LIMITS: Mapping[str, Kind] = {
    "n": Number(low=2, high=1_000_000, integer=True),
    "seed": Number(low=0, high=2**63 - 1, integer=True),
    "bigrams": Number(low=1, high=1_000_000, integer=True),
    "first": Number(low=0, high=19, integer=True),
    "second": Number(low=0, high=19, integer=True),
    "headers": Choice(HEADERS),
    "tokens": Choice(tuple(TOKENS)),
    "universum": Number(low=0, high=9, integer=True),
    "n_universum": Number(low=1, high=10_000, integer=True),
}


#: Stands for a file of one's own in the place of a name.
OWN = "csv"
#: All that do, and the format that each says the file has; None where that is found out.
STAND_INS = {OWN: None, "conll": "conll"}
#: How it is written and what its columns are, where that is not to be found out.
OWN_KINDS: dict[str, Kind] = {
    "drop": Texts(),
    "header": Flag(optional=True, numbers=(2,)),
    "index": Texts(),
    "types": Choices(TYPES),
    "na_values": Texts(),
    "missing": Choice(MISSING_WAYS, optional=True),
    "text": Choice(TEXT_WAYS, optional=True),
    "encoding": Choice(tuple(ENCODINGS), optional=True),
    "delimiter": Choice(DELIMITERS, optional=True),
    "decimal": Choice(DECIMALS, optional=True),
    "thousands": Choice(THOUSANDS, optional=True),
    "format": Choice(FORMATS, optional=True),
}
OWN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Place(NamedTuple):
    """Where an entry would come from: a word for it, and the files or addresses, if any."""

    kind: str
    detail: str = ""


def load(name: str, **options: Any) -> Dataset:
    """Load a data set.

    Parameters
    ----------
    name : str
        A name of the catalogue, or a name for a user's file. With "csv", or "conll" for sentences, the data set is
        named after its file. Names are looked up, never used as paths.
    **options
        ``n`` and ``seed`` for a generator, or for a set from which n examples are drawn. ``bigrams`` for a set of
        texts: the number of most frequent bigrams to count. ``first`` and ``second`` for a pair of digits. ``path``,
        ``target``, ``task`` and `OWN_KINDS` for a user's file (see `read_user_file`). It has real targets for the task
        "regression", and classes otherwise.

    Returns
    -------
    Dataset
        The arrays do not depend on their source. The sources are tried in this order: the bundled copy, scikit-learn
        or a generator; a file in a directory of ``KERNLEARN_DATA``; the download cache; a download into the cache.

    Raises
    ------
    UserError
        If name or options are unknown or wrong, or the data cannot be had or are not what they should be.
    """
    if "path" in options or (isinstance(name, str) and name in STAND_INS):
        return load_own(name, options)
    entry = entry_of(name)
    if entry.make:
        examples = Examples(*entry.make(**_chosen(name, entry, options)))
    elif entry.bundled:
        _check_options(name, options, set())
        examples = read(entry, [_bundled(name)], replace(entry.layout, drop=0))
    else:
        return load_original(name, **options)
    return make_dataset(name, examples, tuple(entry.classes.values()), entry.home)


def load_own(
    name: str, options: Mapping[str, Any], report: Callable[[list[Column], list[str]], None] | None = None
) -> Dataset:
    """Load a file of one's own, and report how its columns were understood; see `load` and `read_user_file`."""
    check_own_name(name)
    _check_options(name, options, {"path", "target", "task", *OWN_KINDS})
    if options.get("path") is None:
        raise UserError(f"{name}: needs path=FILE, the data file to read")
    real = options.get("task") == "regression"
    said = {"format": STAND_INS.get(name), **options}
    how: dict[str, Any] = {
        key: kind.check(key, said[key]) for key, kind in OWN_KINDS.items() if said.get(key) is not None
    }
    drop = options.get("drop", ())  # as it is given: in Python, numbers are no names
    examples, classes = read_user_file(
        options["path"], options.get("target"), **how | {"drop": drop}, real=real, report=report
    )
    called = _called_after(options["path"]) if name in STAND_INS else name
    if (taken := called.removeprefix("own_")) != called and taken in CATALOGUE:
        remark = f"the file is called {called} here, since {taken} is a data set of the catalogue"
        examples = examples._replace(remarks=(*examples.remarks, remark))
    return make_dataset(called, examples, classes, str(options["path"]))


def check_own_name(name: Any) -> str:
    """Return a name for a file of one's own, or raise `UserError` if it is taken or cannot be part of a file name."""
    if name in CATALOGUE:
        raise UserError(f"dataset.name={name}: is a data set of the catalogue; give your own file another name")
    if not isinstance(name, str) or not OWN_NAME.fullmatch(name):
        raise UserError(f"dataset.name={name}: must be 1 to 64 of a-z, A-Z, 0-9, '.', '_', '-', the first no sign")
    return name


def _called_after(path: Any) -> str:
    """Return the name of a data set after its file: without directory and ending, and unlike those of the catalogue."""
    stem = re.sub(r"[^A-Za-z0-9._-]+", "_", re.sub(r"\.[^.]*(\.gz)?$", "", Path(str(path)).name))[:40]
    return stem if OWN_NAME.fullmatch(stem) and stem not in CATALOGUE else f"own_{stem}"


def load_original(name: str, **options: Any) -> Dataset:
    """Load a data set from its original files, even where a copy comes with the package: so the two can be compared.

    Raises `UserError` if the set has no original files, or they cannot be had, or are not what they should be.
    """
    entry = entry_of(name)
    if not entry.files:
        raise UserError(f"{name}: has no original file ({entry.home})")
    chosen = _chosen(name, entry, options)
    obtained = [obtain(entry, file) for file in entry.files]
    source = " + ".join(str(path) for path, _ in obtained)
    contents = [content for _, content in obtained]
    try:
        examples = entry.reader(contents, **chosen) if entry.reader else read(entry, contents, entry.layout)
    except UserError as error:
        raise UserError(f"{name}: {source}: {error}") from None
    dataset = make_dataset(name, examples, tuple(entry.classes.values()), source)
    return replace(dataset, n_train=entry.n_train, n_drawn=entry.n_drawn)


def obtain(entry: Entry, file: File) -> tuple[Path, bytes]:
    """Return path and content of an original file, from the data directories, the cache, or the network.

    A wrong file in a data directory is an error, since a person put it there; a wrong one in the cache is replaced.

    Raises `UserError` if the only files of that name in the data directories are wrong, or there is none and it cannot
    be downloaded.
    """
    problems = []
    for path in find(file):
        try:
            return path, _content(entry, file, path)
        except UserError as error:
            problems.append(str(error))
    if problems:
        raise UserError(remedy(entry, file, problems[0]))
    if cached := find_cached(file):
        try:
            return cached, _content(entry, file, cached)
        except UserError as error:
            log.warning("%s; downloading it again", error)
    path = fetch(entry, file)
    return path, _content(entry, file, path)


def whereabouts(name: str) -> Place:
    """Say where an entry would come from now, going by the names of files alone (`load` checks their content).

    Returns
    -------
    Place
        The kind is "bundled", "scikit-learn", "generated", "found", "cached", "to download" or "nowhere". The detail
        has the files found, the addresses of downloads, or the names of missing files.
    """
    entry = entry_of(name)
    if entry.home != "file":
        return Place(entry.home)
    in_place = [next(iter(find(file)), None) for file in entry.files]
    paths = [path or find_cached(file) for path, file in zip(in_place, entry.files, strict=True)]
    if all(paths):
        return Place("found" if all(in_place) else "cached", " + ".join(map(str, paths)))
    missing = [file for path, file in zip(paths, entry.files, strict=True) if path is None]
    if all(file.url for file in missing):
        return Place("to download", " + ".join(file.url for file in missing))
    return Place("nowhere", " + ".join(file.name for file in missing))


def entry_of(name: str) -> Entry:
    """Return the entry of a name, or raise `UserError` with the names there are."""
    if isinstance(name, str) and name in CATALOGUE:
        return CATALOGUE[name]
    if isinstance(name, str) and name in STAND_INS:
        raise UserError(f"{name}: stands for a file of your own: kernlearn run dataset={name} dataset.path=FILE")
    known = sorted([*CATALOGUE, *STAND_INS])
    raise UserError(f"data set {name!r}: unknown, choose one of {', '.join(known)}{closest(name, known)}")


def _content(entry: Entry, file: File, path: Path) -> bytes:
    content = read_bytes(file, path)
    if wrong := mismatch(entry, file, content):
        raise UserError(f"{path} is not the file it is named after ({wrong})")
    return content


def _bundled(name: str) -> bytes:
    return gzip.decompress(resources.files("kernlearn.datasets.bundled").joinpath(f"{name}.csv.gz").read_bytes())


def _chosen(name: str, entry: Entry, options: Mapping[str, Any]) -> dict[str, Any]:
    _check_options(name, options, set(entry.options))
    chosen = {**entry.options, **options}
    return {key: LIMITS[key].check(f"{name}: {key}", value) for key, value in chosen.items()}


def _check_options(name: str, options: Mapping[str, Any], allowed: set[str]) -> None:
    for key in options:
        if key not in allowed:
            takes = f"takes {', '.join(sorted(allowed))}" if allowed else "takes no options"
            raise UserError(f"{name}: unknown option {key}={options[key]}; {name} {takes}")
