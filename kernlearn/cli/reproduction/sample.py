"""What of the kept results is computed again: the parts of every table and figure, and a choice within a budget."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.datasets.loading import whereabouts
from kernlearn.datasets.sets.catalogue import CATALOGUE
from kernlearn.errors import UserError
from kernlearn.papers import figure_names, load_figure, load_table, table_names
from kernlearn.report.figures import read_points
from kernlearn.report.reproduction import read_partitions
from kernlearn.report.scorecard import cell_seconds

#: Seconds that a table or figure takes beside its cells.
LEAST = 1.0
#: Places of data that a replay does not use: a download is no part of it.
NOT_AT_HAND = ("nowhere", "to download")


class Item(NamedTuple):
    """A part of the kept results that is computed at once.

    It is a row, a column and a seed of a table, or a repetition of a figure; a figure without repetitions is one part.
    """

    name: str
    row: str = ""
    column: str = ""
    seed: int = 0
    #: The CPU time that it took when it was kept, estimated; infinite if that is not known.
    seconds: float = inf

    @property
    def title(self) -> str:
        """Its name within its table or figure, as the history has it."""
        return " ".join(word for word in (self.row, self.column, str(self.seed)) if word)


def kept_names(results: Path, asked: Sequence[str]) -> list[str]:
    """Return the tables and figures of a results directory, those that are asked for if any are.

    Raises `UserError` if one that is asked for is not there.
    """
    tables = [name for name in table_names() if (results / f"{name}_partitions.csv").exists()]
    known = tables + [name for name in figure_names() if (results / f"{name}.csv").exists()]
    for word in asked:
        if not any(f"{name}/".startswith(f"{word}/") for name in known):
            raise UserError(f"{word}: {results} has no results of such a table, figure or paper")
    return [name for name in known if not asked or any(f"{name}/".startswith(f"{word}/") for word in asked)]


def parts_of(name: str, results: Path, *, at_hand: bool = True) -> list[Item]:
    """Return the parts of a kept table or figure.

    Raises `UserError` if its files are damaged.

    Parameters
    ----------
    at_hand : bool
        Only those whose data can be loaded without a download.
    """
    seconds = cell_seconds(results / f"{name}.provenance.json") or {}
    if name in table_names():
        return _of_table(name, results, seconds, at_hand)
    figure, file = load_figure(name), results / f"{name}.csv"
    kept = read_points(file)
    if not kept:
        raise UserError(f"{file}: has no rows; restore it, or reproduce the figure")
    if at_hand and not all(_at_hand({"name": data}) for data in figure.data):
        return []
    repetitions = len({row["seed"] for row in kept}) if figure.cell else 1
    total = sum(seconds.values()) / repetitions if seconds else inf
    return [Item(name, seed=seed, seconds=total) for seed in range(repetitions)]


def _of_table(name: str, results: Path, seconds: Mapping[str, float], at_hand: bool) -> list[Item]:
    table = load_table(name)
    kept = read_partitions(results / f"{name}_partitions.csv", table)
    if not kept:
        raise UserError(f"{results / name}_partitions.csv: has no rows; restore it, or reproduce the table")
    data = {row.name: str(row.dataset["name"]) for row in table.rows if not at_hand or _at_hand(row.dataset)}
    methods = {column.name: column.method for column in table.columns}
    places = dict.fromkeys(place for row in kept if (place := place_of(row))[0] in data)
    keys = {place: f"{data[place[0]]} {methods.get(place[1], '')}" for place in places}
    sharing, of_data = Counter(keys.values()), Counter(data[place[0]] for place in places)

    def estimate(place: tuple[str, str, int]) -> float:
        if keys[place] in seconds:
            return seconds[keys[place]] / sharing[keys[place]]
        own = data[place[0]]  # the record has another name of the method, such as that of a variant
        return sum(took for key, took in seconds.items() if key.startswith(f"{own} ")) / of_data[own] or inf

    return [Item(name, *place, estimate(place)) for place in places]


def place_of(row: Mapping[str, Any]) -> tuple[str, str, int]:
    """Return the row, the column and the seed of a table that a measured row is of."""
    return row["dataset"], row["algorithm"], row["seed"]


def _at_hand(dataset: Mapping[str, Any]) -> bool:
    """Return whether a data set can be loaded without a download; of a file of one's own, that is seen later."""
    name = str(dataset["name"])
    return name not in CATALOGUE or whereabouts(name).kind not in NOT_AT_HAND


def chosen(parts: Mapping[str, Sequence[Item]], budget: float, last: Mapping[tuple[str, str], str]) -> list[Item]:
    """Return the parts that fit in a budget: of every table and figure some, first those not computed for longest.

    Parameters
    ----------
    parts : mapping
        The parts of every table and figure.
    budget : float
        In seconds of CPU time.
    last : mapping
        When a part was last computed again, by the name of its table and its title.
    """
    queues = {
        name: sorted(items, key=lambda item: (last.get((name, item.title), ""), item.seconds))
        for name, items in parts.items()
    }
    found, left = list[Item](), budget
    while any(queues.values()):
        for name in sorted(queues, key=lambda name: queues[name][0].seconds if queues[name] else inf):
            while queues[name]:
                item = queues[name].pop(0)
                if (cost := max(item.seconds, LEAST)) <= left:
                    found.append(item)
                    left -= cost
                    break
    newest = {
        name: max((last.get((name, item.title), "") for item in items), default="") for name, items in parts.items()
    }
    order = sorted(parts, key=newest.__getitem__)  # a replay that ends early does not leave out the same ones again
    return sorted(found, key=lambda item: order.index(item.name))
