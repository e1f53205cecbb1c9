"""What the catalogue knows of a data set."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from kernlearn.datasets.core.dataset import Examples

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"


@dataclass(frozen=True)
class File:
    """An original file: what it is called, what it must contain, where it is published."""

    #: Base name; the file may be stored gzipped as ``name.gz``.
    name: str
    #: Of the content, uncompressed; of a tar archive, of its `members` one after the other.
    sha256: str
    #: Official address, or "" where there is none that can be read as it is.
    url: str = ""
    #: If the address is a zip archive, the exact name of the file in it.
    member: str = ""
    #: A second base name that the file goes by.
    alias: str = ""
    #: If the file is a tar archive, compressed or not: the ends of the paths of the files that are read. An entry with
    #: a slash at its end is a folder. For each file in it, sorted by name, the path inside and the content are read,
    #: with a zero byte after each.
    members: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """How an original file is written: one example a line, the label or the target last."""

    #: Between fields; None for blanks.
    delimiter: str | None = ","
    #: Beginnings of lines that are no examples: by default those of an ARFF header.
    skip: tuple[str, ...] = ("%", "@")
    #: So many leading columns are identifiers, no features.
    drop: int = 0
    #: What to read for "?"; empty where there is none, and "?" is an error.
    missing: str = ""
    #: Labels of examples to leave out.
    omit: tuple[str, ...] = ()
    #: The fields are nucleotides, to be coded as indicators.
    bases: bool = False
    #: The fields are these letters, to be read as 0, 1, ...; empty where they are numbers.
    codes: str = ""


@dataclass(frozen=True)
class Entry:
    """A data set: what it is, where it lives, how to read it and what to know about it.

    Attributes
    ----------
    description : str
        One line.
    n, d : int
        Examples, or sequences, and features, with the default options.
    classes : mapping of str to str
        Label in the file -> name of the class, in the order of the class indices; empty for regression alone.
    counts : tuple of int
        Examples, or places of sequences, per class; empty for a generator.
    digest : str
        Of the data set as loaded with the default options, see `Dataset`; of a generator, empty.
    citation, licence : str
        Whom to cite; under which terms the data may be used.
    traps : tuple of str
        What would be read wrongly by someone who does not know.
    verified : str
        What the values were compared with, and how it came out.
    bundled : bool
        The values come with the package.
    files : tuple of File
        The original, in the order the parts are concatenated.
    layout : Layout
        Of the files, and of the bundled copy once the leading columns are dropped.
    reader : callable or None
        Reads files that are no tables: called with the list of their contents and the `options`, returns `Examples`.
    make : callable or None
        Returns (X, y) where no file is needed: a generator called with `options`, or a set of scikit-learn.
    options : mapping
        Options of a generator or reader with their defaults.
    advice : str
        How to come by the file where it cannot be downloaded.
    n_train : int
        So many of the first examples are the training part as published; 0 if there is none.
    n_drawn : int
        So many examples train in each of the published random partitions; 0 if there are none.
    places : int
        Of n sequences all places, each with a label; 0 if the examples are no sequences.
    """

    description: str
    n: int
    d: int
    classes: Mapping[str, str]
    citation: str
    licence: str
    counts: tuple[int, ...] = ()
    digest: str = ""
    traps: tuple[str, ...] = ()
    verified: str = ""
    bundled: bool = False
    files: tuple[File, ...] = ()
    layout: Layout = Layout()
    reader: Callable[..., Examples] | None = None
    make: Callable[..., Any] | None = None
    options: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    advice: str = ""
    n_train: int = 0
    n_drawn: int = 0
    places: int = 0

    @property
    def home(self) -> str:
        """Where it lives: "bundled", "generated", "scikit-learn" or "file"."""
        if self.make:
            return "generated" if self.options else "scikit-learn"
        return "bundled" if self.bundled else "file"
