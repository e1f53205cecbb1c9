"""CPU seconds of a cell of every method in nested cross-validation, to compute cheap methods first.

The data are 1,000 examples in 20 dimensions of `scripts/bench/scale.py`, read as a user's file with its defaults: five
folds and five inner ones, the default grid. The first grid point is solved once before, so that imports and compilation
do not count. A cell that takes longer than ``--seconds`` is stopped, and its time is extrapolated by its grid points.

    python scripts/bench/cells.py               # writes kernlearn/runner/plan/seconds.csv, some minutes
    python scripts/bench/cells.py --algos vkr   # these again; the others stay
"""

import argparse
import csv
import tempfile
from contextlib import suppress
from math import inf
from pathlib import Path
from time import process_time

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
from scale import plan_of, write_problem

from kernlearn.algorithms import ALGORITHMS
from kernlearn.runner.cell.cell import PathCell
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.engines.pilot import FirstPoint
from kernlearn.runner.store.partial import Partial
from kernlearn.runner.store.progress import Stopped
from kernlearn.runner.store.store import Store
from kernlearn.runner.store.tables import write_csv

TARGET = Path(__file__).parents[2] / "kernlearn" / "runner" / "plan" / "seconds.csv"
N, D = 1000, 20


def cpu_seconds(cell: PathCell, store: Store, limit: float) -> float:
    """Return the CPU seconds of a cell without imports and compilation."""
    with suppress(Stopped):
        run_cell(cell, FirstPoint(store, cell.key, inf))
    start = process_time()
    late = Partial(store, cell.key, inf, ends=lambda: "late" if process_time() - start > limit else "")
    try:
        shard = run_cell(cell, late)
    except Stopped as stopped:
        position = stopped.positions[cell.key]
        return (process_time() - start) * position["of"] / position["point"]
    if shard["status"] != "ok":
        raise RuntimeError(shard["error"])
    return process_time() - start


def measured() -> dict[tuple[str, str], float]:
    """Return what the table has."""
    with TARGET.open(encoding="utf-8") as file:
        return {(row["algorithm"], row["task"]): float(row["seconds"]) for row in csv.DictReader(file)}


def main() -> None:
    """Measure the methods of the command line, and write the table after each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algos", nargs="+", choices=ALGORITHMS, metavar="NAME", default=list(ALGORITHMS))
    parser.add_argument("--seconds", type=float, default=30.0, metavar="S")
    given = parser.parse_args()
    found = measured() if TARGET.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder) / "problem.csv", Store(Path(folder) / "shards")
        write_problem(file, N, D)
        for name in given.algos:
            method = ALGORITHMS[name]
            if not method.takes(sequential=False) or method.sees_all or method.universum:
                continue  # not compared on single examples
            for task in method.tasks:
                words = [f"algo={name}", "dataset=csv", f"dataset.path={file}", "dataset.target=label", f"task={task}"]
                found[name, task] = cpu_seconds(plan_of(words).cells[0], store, given.seconds)
                print(f"{name:<20} {task:<15} {found[name, task]:8.1f}", flush=True)
                rows = [
                    {"algorithm": algorithm, "task": of, "seconds": f"{seconds:.2g}"}
                    for (algorithm, of), seconds in sorted(found.items(), key=lambda item: (item[0][1], item[1]))
                ]
                write_csv(TARGET, rows)


if __name__ == "__main__":
    main()
