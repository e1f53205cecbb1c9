"""What is said of a failed cell: its error, the line of a plug-in that raised it, and where the traceback is."""

import logging
import re
from collections.abc import Sequence
from pathlib import Path

from kernlearn.plugins import plugins
from kernlearn.report.terminal import shown_path
from kernlearn.runner.store.records import Shard
from kernlearn.runner.store.store import Store

log = logging.getLogger(__name__)

FRAME = re.compile(r'^  File "(.+)", line (\d+), in (.+)$', re.MULTILINE)


def failed(what: str, key: str, shard: Shard, store: Store) -> str:
    """Return a line about the shard of a failed cell; its traceback goes to the log, which ``--debug`` shows."""
    trace = shard.get("traceback", "")
    log.debug("%s: %s", what, trace)
    where = place_in_plugin(trace)
    kept = f"; traceback in {shown_path(store.path(key, failed=True))}" if trace else ""
    return f"{what} failed: {shard['error']}{f', in {where}' if where else ''}{kept}"


def failed_again(keys: Sequence[str], store: Store) -> str:
    """Return a warning about cells that have just failed and had succeeded before, or nothing.

    A success counts more than a failure, since two machines may compute the same cell. So their old numbers stay.
    """
    paths = [store.path(key, failed=True) for key in keys if store.path(key).exists()]
    paths = [path for path in paths if path.exists()]
    if not paths:
        return ""
    return f"{len(paths)} cells failed this time; their numbers are earlier ones; traceback in {shown_path(paths[0])}"


def place_in_plugin(trace: str) -> str:
    """Return file, line and function of the innermost frame of a traceback that is code of a plug-in, or nothing."""
    roots = [Path(plugin.module.__file__) for plugin in plugins()]
    roots = [root.parent if root.name == "__init__.py" else root for root in roots]
    for file, line, function in reversed(FRAME.findall(trace)):
        if any(Path(file).is_relative_to(root) for root in roots):
            return f"{function} ({file}:{line})"
    return ""
