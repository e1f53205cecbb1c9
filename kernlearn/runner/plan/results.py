"""The shards of a plan, and their rows. The rows do not depend on who computed the cells, or in which order."""

import logging
from collections.abc import Sequence
from typing import cast

from kernlearn.evaluation import PROTOCOLS, Row
from kernlearn.runner.cell.cell import PathCell
from kernlearn.runner.plan.identity import run_id
from kernlearn.runner.plan.plan import Plan
from kernlearn.runner.store.records import Shard, is_made
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)

#: The columns of rows with texts, not numbers.
WORDS = (
    "status",
    "weights",
    "pairs",
    *(f"{part}_{of}" for part in ("validation", "test") for of in ("votes", "pair_errors", "tallies")),
)


def shards_of(plan: Plan, store: Store) -> list[Shard | None]:
    """Return the shards of the cells of a plan, None for missing ones.

    A shard with a correct checksum may still have content that no cell of the plan can have. It counts as missing and
    is removed, so that the same command computes it again. The checksum detects accidents, but not changes on purpose
    by others who can write to the directory.
    """
    shards = []
    for key, cell in zip(plan.keys, plan.cells, strict=True):
        shard = cast(Shard | None, store.read(key))
        if shard is not None and not _can_be_of(plan, cell, shard):
            log.warning("%s: does not belong to this experiment; removed, the same command computes it again", key)
            store.remove(key)
            shard = None
        shards.append(shard)
    return shards


def _can_be_of(plan: Plan, cell: PathCell, shard: Shard) -> bool:
    """Return whether a shard has all values that are read from it, with the right types."""
    score = "rmse" if plan.experiment.is_regression else "error_pct"
    columns = {"point", "n_support", "gap", "status", "n_test", f"test_{score}"}
    choosing = PROTOCOLS[plan.experiment.protocol["name"]].n_choosing
    if not choosing or cell.split < choosing:
        columns |= {"n_validation", f"validation_{score}"}
    rows = shard["rows"]
    try:
        return (
            (shard["status"] == "ok" or isinstance(shard["error"], str))
            and is_made(shard["made"])
            and all(columns <= row.keys() == rows[0].keys() for row in rows)
            and all(
                type(value) in ((str,) if name in WORDS else (int, float))
                for row in rows
                for name, value in row.items()
            )
            and {row["point"] for row in rows} <= set(range(len(plan.grid)))
        )
    except (KeyError, TypeError):
        return False


def rows_of(plan: Plan, shards: Sequence[Shard | None]) -> list[Row]:
    """Return one row for each split and grid point, and one with the error for each failed split.

    Rows begin with the name of the run, which includes the choice of a grid point. `shards` come from `shards_of`.
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
