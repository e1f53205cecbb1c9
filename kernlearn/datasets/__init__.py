"""Data sets: a catalogue of known ones, with checksums, and readers for anyone's own files."""

from kernlearn.datasets.core.chains import Chains
from kernlearn.datasets.core.dataset import Dataset
from kernlearn.datasets.loading import OWN, OWN_KINDS, load, load_original, load_own, whereabouts
from kernlearn.datasets.readers.understood import TITLES, Column, summarised
from kernlearn.datasets.sets.catalogue import CATALOGUE
from kernlearn.datasets.sets.entry import Entry
from kernlearn.datasets.userfile import read_user_file

__all__ = [
    "OWN",
    "OWN_KINDS",
    "CATALOGUE",
    "TITLES",
    "Chains",
    "Column",
    "Dataset",
    "Entry",
    "load",
    "load_original",
    "load_own",
    "read_user_file",
    "summarised",
    "whereabouts",
]
