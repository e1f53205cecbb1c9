"""Run tables and figures again and compare them with those that are kept in ``results/``.

Numbers must agree to 1e-9, counts and choices exactly. Of a table the partitions are compared, those of the seeds that
are run; of a figure its numbers. What is run goes to a directory of its own; with --keep it is found there again.

    python scripts/tools/compare_results.py              # those of `QUICK`, with original data files
    python scripts/tools/compare_results.py --one        # one row and column of every table: the quickest
    python scripts/tools/compare_results.py mkl2010/table3_1 --seeds 10
    python scripts/tools/compare_results.py vkr2015/table1 --jobs 2 --keep DIR
"""

import argparse
import csv
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from math import inf, isclose
from pathlib import Path

from kernlearn.cli.main import main as kernlearn
from kernlearn.papers import load_table, table_names
from kernlearn.papers.core.figures import figure_names

RESULTS = Path(__file__).parents[2] / "results"
QUICK = (
    "vkr2015/table1",
    "mkl2010/sec3_2_2",
    "mkl2010/table2_1",
    "mkl2010/table3_1",
    "mkl2010/fig2_1",
    "mkl2010/fig2_2",
    "mkl2010/fig2_3",
    "mkl2010/fig2_4",
)
#: What a difference is relative to the larger of two numbers, and what it is where both are next to 0.
RELATIVE, ABSOLUTE = 1e-9, 1e-12
#: What tells the rows of partitions apart.
KEYS = ("dataset", "algorithm", "seed", "metric")
#: What may differ: the name of a run has the versions in it, the largest gap is rounding.
IDLE = ("run", "largest_gap")


def main() -> int:
    """Run, compare, print the differences, and return the exit code: 1 if there is any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PAPER/TABLE")
    parser.add_argument("--one", action="store_true", help="of each table one row and column only, the quickest")
    parser.add_argument("--seeds", type=int, default=1, help="partitions, from seed 0")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="directory for what is run; by default one that is removed")
    options = parser.parse_args()
    names = options.names or ([name for name in table_names() if partitions_of(name)] if options.one else QUICK)
    with tempfile.TemporaryDirectory() as scratch:
        place = options.keep or Path(scratch)
        same = [
            show(name, list(compare(name, place, options.seeds, options.jobs, quickest(name) if options.one else None)))
            for name in names
        ]
    return int(not all(same))


def partitions_of(table: str) -> dict[tuple[str, ...], Mapping[str, str]]:
    """Return what is kept of a table by `KEYS`."""
    return read(RESULTS / f"{table}_partitions.csv", figure=False)


def quickest(table: str) -> tuple[str, str]:
    """Return the row and the column of a table that took the least time when they were computed."""
    seconds = json.loads((RESULTS / f"{table}.provenance.json").read_text())["cell_seconds"]
    described, kept = load_table(table), {key[:2] for key in partitions_of(table)}
    rows = {row.name: row.dataset["name"] for row in described.rows}
    chosen = {column.name: dict(one.split("=", 1) for one in column.overrides) for column in described.columns}
    algorithms = {name: overrides["algo"] for name, overrides in chosen.items()}
    sharing = Counter((rows[row], algorithms[column]) for row, column in kept)

    def cost(pair: tuple[str, str]) -> float:
        of = rows[pair[0]], algorithms[pair[1]]
        return seconds.get(" ".join(of), inf) / sharing[of]

    return min(sorted(kept), key=cost)


def show(name: str, differences: list[str]) -> bool:
    """Print what differs of a table or figure, as soon as it is known; return whether nothing does."""
    print(f"{name}: {len(differences)} differences" if differences else f"{name}: the same", flush=True)
    for line in differences[:20]:
        print(f"  {line}", flush=True)
    return not differences


def compare(name: str, place: Path, seeds: int, jobs: int, only: tuple[str, str] | None) -> Iterator[str]:
    """Run a table or figure, or one row and column, and yield a line for everything that differs from what is kept."""
    figure = name in figure_names()
    more = [] if figure else ["--seeds", str(seeds), "--jobs", str(jobs)]
    more += ["--datasets", only[0], "--algos", only[1]] if only else []
    if code := kernlearn(["reproduce", name, "--results-dir", str(place), *more]):
        yield f"kernlearn reproduce {name} ended with exit code {code}"
    suffix = ".csv" if figure else "_partitions.csv"
    kept = read(RESULTS / f"{name}{suffix}", figure)
    new = read(next(place.glob(f"{name}-partial-*{suffix}"), place / f"{name}{suffix}"), figure)
    if not figure:
        kept = {key: row for key, row in kept.items() if int(key[KEYS.index("seed")]) < seeds}
        kept = {key: row for key, row in kept.items() if only is None or key[:2] == only}
    for key in kept.keys() | new.keys():
        if key not in kept or key not in new:
            yield f"{' '.join(key)}: {'is new' if key in new else 'is missing'}"
            continue
        for column in sorted((kept[key].keys() | new[key].keys()) - set(IDLE)):
            one, other = kept[key].get(column, ""), new[key].get(column, "")
            counted = key[-1].startswith("n_") and not column.startswith("validation_")
            if not same(one, other, exact=counted):
                yield f"{' '.join(key)}: {column}: {one} is kept, {other} came out"


def read(path: Path, figure: bool) -> dict[tuple[str, ...], Mapping[str, str]]:
    """Return the rows of a table by what tells them apart: of a figure their number."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {(str(i),) if figure else tuple(row[key] for key in KEYS): row for i, row in enumerate(rows)}


def same(one: str, other: str, exact: bool) -> bool:
    """Return whether two cells agree: words exactly, numbers and lists of numbers as said."""
    if one == other:
        return True
    try:
        pairs = [(float(a), float(b)) for a, b in zip(one.split(), other.split(), strict=True)]
    except ValueError:
        return False
    return not exact and all(isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE) for a, b in pairs)


if __name__ == "__main__":
    sys.exit(main())
