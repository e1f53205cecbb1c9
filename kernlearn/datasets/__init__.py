"""Data sets: a catalogue of known ones, with checksums, and readers for anyone's own files."""

from kernlearn.datasets.core.chains import Chains
from kernlearn.datasets.core.dataset import Dataset
from kernlearn.datasets.loading import OWN, OWN_KINDS, Place, entry_of, load, load_original, load_own, whereabouts
from kernlearn.datasets.readers.understood import MOST_LINES, TITLES, Column, kinds_of, summarised
from kernlearn.datasets.sets.catalogue import CATALOGUE
from kernlearn.datasets.sets.entry import Entry, File, Layout
from kernlearn.datasets.userfile import read_user_file

__all__ = [
    "OWN",
    "OWN_KINDS",
    "CATALOGUE",
    "MOST_LINES",
    "TITLES",
    "Chains",
    "Column",
    "Dataset",
    "Entry",
    "File",
    "Layout",
    "Place",
    "entry_of",
    "kinds_of",
    "load",
    "load_original",
    "load_own",
    "read_user_file",
    "summarised",
    "whereabouts",
]
