"""Work for cells that are no experiments: quick, long, or fatal. Engines get it by its name, so it is importable."""

import ctypes
import os
import time
from dataclasses import replace

from kernlearn.runner.cell.cell import FigureCell, Group
from kernlearn.runner.provenance.made import made
from kernlearn.runner.store.partial import Kept


def cells(n, **more):
    return [
        FigureCell(figure="none", version=0, data=Group({}), options=Group({"number": number, **more}), seed=0)
        for number in range(n)
    ]


def told(cell, **more):
    """Return a cell with more options."""
    return replace(cell, options=Group({**cell.options, **more}))


def square(cell, partial=None):
    time.sleep(cell.options.get("seconds", 0.0))
    return {"status": "ok", "rows": [{"square": cell.options["number"] ** 2}]}


def whereabouts(cell, partial=None):
    """Say which process of which node computes the cell, and what the job of SLURM has got."""
    time.sleep(cell.options.get("seconds", 0.0))
    names = {"array": "SLURM_ARRAY_JOB_ID", "node": "SLURMD_NODENAME", "memory": "SLURM_MEM_PER_NODE"}
    job = {key: os.environ.get(name) for key, name in names.items()}
    return {"status": "ok", "rows": [{"pid": os.getpid(), **job}]}


def eventful(cell, partial=None):
    """Do what the cell says."""
    match cell.options.get("event"):
        case "fail":
            return {"status": "failed", "error": "ValueError: no", "traceback": "Traceback: no", "rows": []}
        case "greedy":
            bytearray(2**40)
        case "segfault":
            ctypes.string_at(0)
        case "abort":
            os.abort()
        case "kill":
            os.kill(os.getpid(), 9)
        case "hang":
            ctypes.PyDLL(None).sleep(1000)  # holds the interpreter's lock, as compiled code may
        case "once":  # kills its worker the first time only
            if not os.path.exists(cell.options["mark"]):
                open(cell.options["mark"], "w").close()
                os.kill(os.getpid(), 9)
    return square(cell)


def pointwise(cell, partial):
    """Solve a hundred grid points; the cell says how long each takes, and where to write which process does it."""
    with open(cell.options["mark"], "a") as file:
        file.write(f"{os.getpid()}\n")
    for point in range(1, 101):
        partial.look({"point": point, "of": 100, "gap": 0.5}, lambda point=point: Kept(0, point - 1, None, []))
        time.sleep(cell.options["seconds"])
    return {"status": "ok", "rows": [{"square": cell.options["number"] ** 2}], "made": made(seconds=1.0)}


def stepwise(cell, partial):
    """Take several steps, each of which is kept; the rows say in how many attempts."""
    done, _, _, rows = partial.load()
    attempt = max([row["attempt"] for row in rows], default=0) + 1
    for step in range(done, cell.options["steps"]):
        time.sleep(cell.options["seconds"])
        rows.append({"step": step, "attempt": attempt})
        partial.save(Kept(step + 1, 0, None, rows))
    return {"status": "ok", "rows": rows}
