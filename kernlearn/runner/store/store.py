"""The shard store: one file for each cell, written atomically and named by the content of the cell."""

import json
import logging
import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from kernlearn.atomic import write_atomically
from kernlearn.runner.store.files import NotOurs, read_regular, refuse_links
from kernlearn.runner.store.reading import parse_json
from kernlearn.runner.store.records import is_made

log = logging.getLogger(__name__)

PREFIXES = {f"{number:02x}" for number in range(256)}
#: Bytes at the end of a shard that contain its provenance, the last entry.
END = 2**14
MADE = b'"made":'
#: Bytes at its beginning that contain its cell, with the text around it.
START = 2**14
CELL, ROWS = b',"cell":', b'},"rows":'


def content_key(cell: Mapping[str, object]) -> str:
    """Return the sha256 of a cell in canonical JSON: its name in the store."""
    return sha256(json.dumps(cell, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class Store:
    """Shards under a directory, ``<first two digits>/<key>.json``, or ``<key>.failed.json`` for a failure.

    A shard has two lines: the sha256 of the second, and the payload, which begins with the key. If the lines do not
    agree, or the file name is not the key, the shard counts as missing and is written again. The name of a file also
    marks a failure, so that a listing of 256 directories shows the state of a sweep without opening a file. If two
    machines disagree, success counts.

    Parameters
    ----------
    root : path
        Created when the first shard is written.
    """

    def __init__(self, root: str | Path):
        self.root = Path(root)

    def path(self, key: str, failed: bool = False) -> Path:
        """Return the path of the shard of a key, whether it exists or not."""
        return self.root / key[:2] / f"{key}{'.failed' if failed else ''}.json"

    def read(self, key: str) -> dict[str, Any] | None:
        """Return the payload, or None if there is no sound shard."""
        body = self._body(key)
        if body is None:
            return None
        try:
            payload = parse_json(body)
            del payload["key"]
            return _checked(unpack(payload))
        except (ValueError, LookupError, TypeError, AttributeError):
            log.warning(
                "%s: does not have the content of a cell; removed, the same command computes it again", self.path(key)
            )
            self.remove(key)
            return None

    def sound(self, key: str) -> str | None:
        """Return "ok" or "failed" for a sound shard, else None. Its checksum is verified, but it is not parsed."""
        body = self._body(key)
        if body is None:
            return None
        return "failed" if body.startswith(_head(key, "failed")) else "ok"

    def made(self, key: str) -> dict[str, Any]:
        """Return the provenance of a sound shard, read only from its end; empty if it cannot be read."""
        for failed in (False, True):
            path = self.path(key, failed)
            try:
                self._refuse_links(path.parent)
                end = read_regular(path, end=END)
                record = parse_json(end[end.rindex(MADE) + len(MADE) :].rstrip().removesuffix(b"}"))
            except (OSError, ValueError):
                continue
            return record if is_made(record) else {}
        return {}

    def cell(self, key: str) -> dict[str, Any]:
        """Return the cell of a shard, read only from its beginning; empty if it cannot be read."""
        try:
            self._refuse_links(self.path(key).parent)
            head = read_regular(self.path(key), start=START).partition(CELL)[2].partition(ROWS)[0]
            head_of_shard = parse_json(head + ROWS[:1])
        except (OSError, ValueError):
            return {}
        return head_of_shard if isinstance(head_of_shard, dict) else {}

    def _body(self, key: str) -> bytes | None:
        for failed in (False, True):
            path = self.path(key, failed)
            try:
                self._refuse_links(path.parent)
                digest, _, body = read_regular(path).partition(b"\n")
            except (FileNotFoundError, NotADirectoryError):
                continue
            except NotOurs as error:
                log.warning("%s: %s; counts as missing", path, error.strerror)
                continue
            if sha256(body).hexdigest().encode() != digest:
                log.warning("%s: damaged (its checksum does not agree); counts as missing", path)
            elif not body.startswith(_head(key)) or body.startswith(_head(key, "failed")) != failed:
                log.warning("%s: the shard of another cell, or another state of it; counts as missing", path)
            else:
                return body
        return None

    def write(self, key: str, payload: Mapping[str, Any]) -> None:
        """Write a shard atomically: concurrent readers see the complete old one or the complete new one.

        Raises `OSError` with the file name, if it cannot be written or its directory is a symbolic link. No file is
        left behind.
        """
        failed = payload.get("status") == "failed"
        self._refuse_links(self.path(key).parent)
        first = {"status": payload["status"]} if "status" in payload else {}  # in the place that `_head` expects
        body = json.dumps({"key": key, **first, **pack(payload)}, separators=(",", ":")).encode() + b"\n"
        write_atomically(self.path(key, failed), sha256(body).hexdigest().encode() + b"\n" + body)
        if not failed:
            self.path(key, failed=True).unlink(missing_ok=True)

    def remove(self, key: str) -> None:
        """Remove the shard of a key, if there is one."""
        self._refuse_links(self.path(key).parent)
        for failed in (False, True):
            self.path(key, failed).unlink(missing_ok=True)

    def listing(self) -> dict[str, str]:
        """Return "ok" or "failed" for each key that has a shard, only from the names of files."""
        states: dict[str, str] = {}
        for entry in self._entries():
            name = entry.name
            if name.startswith("."):  # still being written
                continue
            if name.endswith(".failed.json"):
                states.setdefault(name[:-12], "failed")
            elif name.endswith(".json"):
                states[name[:-5]] = "ok"
        return states

    def times(self, keys: Collection[str] | None = None) -> dict[str, float]:
        """Return when the shards of some keys, or of all, were written, in seconds since the epoch."""
        times = dict[str, float]()
        for entry in self._entries():
            key, _, ending = entry.name.partition(".")
            if ending and key and (keys is None or key in keys):
                with suppress(FileNotFoundError):  # another process has just replaced a failure
                    times[key] = max(entry.stat(follow_symlinks=False).st_mtime, times.get(key, 0.0))
        return times

    def _entries(self) -> "Iterator[os.DirEntry[str]]":
        try:
            self._refuse_links(self.root)
            names = PREFIXES.intersection(os.listdir(self.root))
        except (FileNotFoundError, NotADirectoryError, NotOurs):
            return
        for name in sorted(names):
            directory = self.root / name
            try:
                self._refuse_links(directory)
                with os.scandir(directory) as entries:
                    yield from entries
            except (FileNotFoundError, NotADirectoryError, NotOurs):
                continue

    def _refuse_links(self, directory: Path) -> None:
        """Raise `NotOurs` if a directory of the store, or the store itself, is a symbolic link."""
        refuse_links(directory, self.root.parent)


def _checked(payload: dict[str, Any]) -> dict[str, Any]:
    """Return the payload of a shard or a checkpoint; raise if no cell can have written it."""
    rows = payload["rows"]
    if not isinstance(rows, list) or (payload.get("status") == "ok" and not rows):
        raise ValueError("no rows")
    if payload.get("status", "ok") not in ("ok", "failed"):
        raise ValueError("no status")
    if any(not isinstance(row.get("gap", 0.0), float | int) for row in rows):
        raise ValueError("rows without numbers")
    return payload


def _head(key: str, status: str | None = None) -> bytes:
    """Return the beginning of the payload of a key."""
    rest = "" if status is None else f',"status":"{status}"'
    return f'{{"key":"{key}"{rest}'.encode()


def pack(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return a payload with its rows as columns, which halves the bytes and takes a third of the time to parse."""
    rows = payload.get("rows")
    if not rows or not all(isinstance(row, dict) and row.keys() == rows[0].keys() for row in rows):
        return dict(payload)
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return {**payload, "rows": {"columns": columns}}


def unpack(payload: dict[str, Any]) -> dict[str, Any]:
    """Undo `pack`."""
    rows = payload.get("rows")
    if isinstance(rows, dict):
        columns = rows["columns"]
        payload["rows"] = [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    return payload
