"""What the runner costs: overhead of empty cells by engine, planning, status and collecting of many cells.

    python scripts/bench/runner.py overhead [--cells 2000] [--engines joblib local slurm dask]
    python scripts/bench/runner.py scale [--cells 100000] [--points 7]

`overhead` runs cells that do nothing, every engine in a directory of its own, and compares with joblib alone, which
writes no shards. `scale` plans a sweep, fills a store with made-up shards for it, and times what a person waits for.
For slurm, SLURM_CONF must lead to a cluster (scripts/tools/slurm_testbed.sh); dask starts two workers of its own.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from kernlearn.memory import MB, peak
from kernlearn.runner.cell.cell import FigureCell, Group

#: Rows of empty shards: the columns of a real one.
ROW = {"point": 0, "lambda": 0.01, "beta": 1e-05, "n_train": 210, "n_validation": 70, "n_test": 71}
ROW |= {"validation_errors": 25, "validation_error_pct": 35.714285714285715, "test_errors": 26}
ROW |= {"validation_balanced_error_pct": 50.0, "validation_auc": 71.55555555555556, "test_balanced_error_pct": 50.0}
ROW |= {"test_auc": 73.16017316017316, "test_error_pct": 36.61971830985915}
ROW |= {"n_support": 40, "n_nonzero": 44, "objective": 0.7030842921341474}
ROW |= {"dual_objective": 0.7030842921341471, "gap": 3.1581505576100334e-16, "iterations": 12, "rounds": 2}
ROW |= {"status": "optimal"}


def empty(cell: Any, partial: Any = None) -> dict[str, Any]:
    """Do nothing."""
    from kernlearn.runner.provenance.made import made

    return {"status": "ok", "cell": cell.to_json(), "rows": [ROW], "made": made(0.0)}


@contextmanager
def timed(what: str, cells: int = 0) -> Iterator[None]:
    """Print how long something took, on the wall and of this processor, and the memory this process has needed."""
    start, cpu = perf_counter(), process_time()
    yield
    seconds, cpu = perf_counter() - start, process_time() - cpu
    each = f"{1e3 * seconds / cells:8.2f} ms a cell" if cells else ""
    print(f"{what:<32} {seconds:8.2f} s (CPU {cpu:6.2f} s) {each}   peak {(peak() or 0) / MB:6.0f} MB", flush=True)


def overhead(count: int, engines: list[str], directory: Path) -> None:
    """Time empty cells; the first call of every engine, which starts its workers, is not counted, except for SLURM."""
    from joblib import Parallel, delayed

    from kernlearn.runner.engines.execute import execute
    from kernlearn.runner.store.store import Store

    empty_cell = FigureCell(figure="none", version=0, data=Group({}), options=Group({}), seed=0)
    cells = [replace(empty_cell, seed=number) for number in range(count)]
    options: dict[str, dict[str, Any]] = {
        "local": {"jobs": 2},
        "slurm": {"nodes": 2, "cpus": 1, "minutes": 30, "poll": 0.5},
    }
    if "joblib" in engines:
        for warm in (True, False):
            with timed("joblib alone" + " (start)" * warm, 0 if warm else count):
                parallel = Parallel(n_jobs=2, return_as="generator_unordered", batch_size=1)
                for _ in parallel(delayed(empty)(cell) for cell in (cells[:2] if warm else cells)):
                    pass
    for name in engines:
        if name in ("joblib", "dask"):
            continue
        engine = {"name": name, **options[name]}
        store = Store(directory / name / "shards")
        if name == "local":
            list(execute(cells[:2], store, engine=engine, work=empty))
        with timed(name, count):
            assert set(execute(cells, store, engine=engine, work=empty)) == {"ok"}
    if "dask" in engines:
        from distributed import LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
            engine = {"name": "dask", "address": cluster.scheduler_address}
            store = Store(directory / "dask" / "shards")
            list(execute(cells[:2], store, engine=engine, work=empty))
            with timed("dask", count):
                assert set(execute(cells, store, engine=engine, work=empty)) == {"ok"}


def scale(count: int, points: int, directory: Path) -> None:
    """Time planning, an empty and a full look at the store, status and collecting of a sweep of `count` cells."""
    os.chdir(directory)
    from kernlearn.cli.configuration.compose import Loader
    from kernlearn.cli.results.status import main as status
    from kernlearn.cli.sweep import main as sweep
    from kernlearn.cli.work.experiments import plan_sweep

    seeds = count // 20  # two algorithms, two data sets, five splits
    betas = f"algo.betas=[{','.join(str(10.0**-i) for i in range(points))}]"
    words = ["algo=l1_svm", "kernel.degrees=[1],[2]", "dataset=ionosphere,sonar", betas]
    words.append(f"seed=range(0,{seeds})")
    print(f"kernlearn sweep {' '.join(words)}")
    with timed("plan"):
        plans = [experiment.plan for experiment in plan_sweep(words, Loader())[0]]
        keys = [key for plan in plans for key in plan.keys]
    print(f"{len(keys)} cells")
    with timed("sweep --dry-run, nothing done"):
        sweep([*words, "--dry-run"])
    fill(plans, points)
    with timed("sweep --dry-run, all done"):
        sweep([*words, "--dry-run"])
    with timed("sweep: collect"):
        sweep([*words, "--collect"])
    with timed("status"):
        status([])
    size = sum(path.stat().st_size for path in Path("results/sweeps").rglob("*"))
    shards = sum(path.stat().st_size for path in Path("results/shards").rglob("*.json"))
    print(f"tables {size / 2**20:.0f} MB, shards {shards / 2**20:.0f} MB")


def fill(plans: Any, points: int) -> None:
    """Write a made-up shard for every cell."""
    from kernlearn.runner.provenance.made import made
    from kernlearn.runner.store.store import Store

    store, cells = Store("results/shards"), sum(len(plan.cells) for plan in plans)
    with timed("write shards", cells):
        for plan in plans:
            rows = [{**ROW, "point": i} for i in range(points)]
            for key, cell in zip(plan.keys, plan.cells, strict=True):
                store.write(key, {"status": "ok", "cell": cell.to_json(), "rows": rows, "made": made(0.1)})


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "scale"))
    parser.add_argument("--cells", type=int)
    parser.add_argument("--points", type=int, default=7, help="grid points of a cell")
    parser.add_argument("--engines", nargs="+", default=["joblib", "local"])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as directory:
        if arguments.what == "overhead":
            overhead(arguments.cells or 2000, arguments.engines, Path(directory))
        else:
            scale(arguments.cells or 100_000, arguments.points, Path(directory))


if __name__ == "__main__":
    # Workers import `empty` by the name of this module, not from a script called __main__.
    sys.path.insert(0, str(Path(__file__).parent))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    import runner

    runner.main()
