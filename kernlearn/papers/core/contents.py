"""All tables and figures of the works that are to be reproduced, those not begun too."""

from dataclasses import dataclass
from pathlib import Path

from kernlearn.papers.core.compare import printed_rows, read_rows
from kernlearn.papers.core.index import places

#: The works, in the order of the scorecard.
WORKS = {
    "vkr2015": "Cortes, Goyal, Kuznetsov, Mohri: Voted Kernel Regularization (2015)",
    "localrad2013": "Cortes, Kloft, Mohri: Learning Kernels Using Local Rademacher Complexity (2013)",
    "mkl2010": "Rostamizadeh: Theoretical Foundations and Algorithms for Learning with Multiple Kernels (2010)",
    "rmm2010": "Shivaswamy: Large Relative Margin and Applications (2010)",
    "uml2014": "Shalev-Shwartz, Ben-David: Understanding Machine Learning, chapters 15 and 16 (2014)",
}


@dataclass(frozen=True)
class Entry:
    """A table, a figure or an experiment described in words.

    Attributes
    ----------
    name : str
        ``<paper>/<table>``; of a work without tables a name of ours.
    title : str
    cells : int
        How many numbers it prints that can be read.
    note : str
        Why there is nothing to show of it, empty if there is.
    """

    name: str
    title: str
    cells: int
    note: str


def contents() -> dict[str, list[Entry]]:
    """Return the entries of every work, in the order of its pages, then those that only we have, such as plug-ins'."""
    known = places()
    entries: dict[str, list[Entry]] = {work: [] for work in WORKS}
    for row in read_rows(Path(__file__).with_name("contents.csv")):
        name = f"{row['paper']}/{row['name']}"
        note = "" if known.pop(name, None) else row["note"]
        entries[row["paper"]].append(Entry(name, row["title"], int(row["cells"]), note))
    for name, place in known.items():
        cells = sum(bool(row["mean"]) for row in printed_rows(name)) if place.printed else 0
        entries.setdefault(name.partition("/")[0], []).append(Entry(name, place.description()["title"], cells, ""))
    return entries
