"""Work for cells that are no experiments: quick, long, or fatal. Engines get it by its name, so it is importable."""

import ctypes
import os
import time


def square(cell, partial=None):
    time.sleep(cell.get("seconds", 0.0))
    return {"status": "ok", "rows": [{"square": cell["split"] ** 2}]}


def eventful(cell, partial=None):
    """Do what the cell says: raise, segfault, eat memory, sleep, or be killed."""
    match cell.get("event"):
        case "raise":
            return {"status": "failed", "error": "ValueError: no", "traceback": "...", "rows": []}
        case "segfault":
            ctypes.string_at(0)
        case "kill":
            os.kill(os.getpid(), 9)
        case "exit":
            os._exit(3)
    return square(cell)


def cells(n, **more):
    return [{"dataset": {"name": "none"}, "split": split, **more} for split in range(n)]
