"""The rows of a plan, which do not depend on who computed the cells, or in which order."""

from collections.abc import Sequence
from typing import cast

from kernlearn.evaluation import Row
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.store.records import Shard


def rows_of(plan: Plan, shards: Sequence[Shard | None]) -> list[Row]:
    """Return one row for each split and grid point, and one with the error for each failed split.

    Rows begin with the name of the run, which includes the choice of a grid point. `shards` are those of the plan.
    Timings are left out, so that the table is the same after every run. They belong to the provenance.
    """
    rows: list[Row] = []
    run = run_id(plan)
    for cell, shard in zip(plan.cells, shards, strict=True):
        if shard is None:
            continue
        head: Row = {"run": run, "dataset": plan.dataset.name, "algorithm": plan.label}
        head |= {"seed": cell.seed, "split": cell.split}
        if shard["status"] != "ok":
            rows.append({**head, "status": f"failed: {shard['error']}"})
        rows += [cast(Row, {**head, **row}) for row in shard["rows"]]
    return rows
