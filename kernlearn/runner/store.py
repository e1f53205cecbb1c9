"""The shard store: one file for every cell, written whole or not at all, found by what it is the result of."""

import json
import os
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any


def content_key(cell: Mapping[str, Any]) -> str:
    """Return the sha256 of a cell in canonical JSON: its name in the store."""
    return sha256(json.dumps(cell, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


class Store:
    """Shards under a directory, ``<first two digits>/<key>.json``.

    A shard has two lines: the sha256 of the second, and the payload. A shard whose lines do not agree, cut short or
    altered, counts as missing and is written again.

    Parameters
    ----------
    root : path
        Created when the first shard is written.
    """

    def __init__(self, root: str | Path):
        self.root = Path(root)

    def path(self, key: str) -> Path:
        """Return where the shard of a key is or would be."""
        return self.root / key[:2] / f"{key}.json"

    def read(self, key: str) -> dict[str, Any] | None:
        """Return the payload, or None if there is no sound shard."""
        try:
            digest, _, body = self.path(key).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        if sha256(body).hexdigest().encode() != digest:
            return None
        return json.loads(body)

    def write(self, key: str, payload: Mapping[str, Any]) -> None:
        """Write a shard; whoever reads meanwhile sees the old one or the new one whole."""
        body = json.dumps(payload, separators=(",", ":")).encode() + b"\n"
        write_atomically(self.path(key), sha256(body).hexdigest().encode() + b"\n" + body)


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under a temporary name beside its place and move it there.

    Raises
    ------
    OSError
        If the directory cannot be written to; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)  # mkstemp makes it private; a result is to be shared
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
