"""The shards of a plan, and their rows: the same from the same results, whoever computed them in whatever order."""

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

#: The columns of rows that hold words, not numbers.
WORDS = (
    "status",
    "weights",
    "pairs",
    *(f"{part}_{of}" for part in ("validation", "test") for of in ("votes", "pair_errors", "tallies")),
)


def shards_of(plan: Plan, store: Store) -> list[Shard | None]:
    """Return the shards of the cells of a plan, None for those that are missing.

    One whose checksum is right and whose content none of these cells can have counts as missing and is removed, so that
    the same command computes it again: the checksum keeps accidents out, not whoever may write to the directory.
    """
    shards = []
    for key, cell in zip(plan.keys, plan.cells, strict=True):
        shard = cast(Shard | None, store.read(key))
        if shard is not None and not _can_be_of(plan, cell, shard):
            log.warning("%s: its content is none of this experiment; removed, the same command computes it again", key)
            store.remove(key)
            shard = None
        shards.append(shard)
    return shards


def _can_be_of(plan: Plan, cell: PathCell, shard: Shard) -> bool:
    """Return whether a shard has all that is read from it, each of its type."""
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
    """Return one row for every split and grid point, and one with the error for every failed split.

    They begin with the name of the run, of which the choice of a grid point is a part; `shards` are of `shards_of`.
    Timings are left out: they belong to the provenance, and the table is to be the same after every run.
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
