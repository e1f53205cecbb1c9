"""How long it takes to compare two tables of 100,000 rows, and how much memory.

    python scripts/bench/diff_tables.py
    python scripts/bench/diff_tables.py --rows 1000000

Each row has the measurements of five splits, as in the files of reproduced tables. The rows of the second table are in
another order. Its numbers are the same, the same but for rounding, or others.
"""

import argparse
import random
import resource
import tempfile
from pathlib import Path
from time import perf_counter, process_time

from kernlearn.report.differences.compare import compare_sides
from kernlearn.report.differences.sides import side_of

HEAD = "dataset,algorithm,seed,metric,mean,std,n_splits,selected,largest_gap,n_not_optimal,values\n"
#: The relative differences of the numbers.
NOISE = {"the same": 0.0, "rounding": 1e-13, "others": 1e-3}


def main() -> None:
    """Write the tables, compare them, and print seconds and memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args()
    print("numbers     CPU s   wall s   peak MB  outcome")
    with tempfile.TemporaryDirectory() as directory:
        first, second = Path(directory, "a.csv"), Path(directory, "b.csv")
        write(first, given.rows, 0.0, shuffled=False)
        for name, noise in NOISE.items():
            write(second, given.rows, noise, shuffled=True)
            wall, cpu = perf_counter(), process_time()
            found = compare_sides(*(side_of(str(path), Path()) for path in (first, second)))
            wall, cpu = perf_counter() - wall, process_time() - cpu
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            changes = found.parts[0].n_changes
            print(f"{name:<10} {cpu:6.2f} {wall:8.2f} {peak:9.0f}  {found.status}, {changes} cells")


def write(path: Path, n: int, noise: float, *, shuffled: bool) -> None:
    """Write a table."""
    draw, moved = random.Random(0), random.Random(1)
    rows = []
    for i in range(n):
        values = [10.0 * draw.random() * (1.0 + noise * moved.random()) for _ in range(5)]
        mean, gap = sum(values) / 5, 1e-10 * (1.0 + noise * moved.random())
        names = f"set{i % 50},method{i // 50 % 20},{i // 1000},error_pct"
        rows.append(f"{names},{mean!r},{mean / 3!r},5,C={i % 7},{gap!r},0,{' '.join(map(repr, values))}\n")
    if shuffled:
        moved.shuffle(rows)
    path.write_text("".join([HEAD, *rows]))


if __name__ == "__main__":
    main()
