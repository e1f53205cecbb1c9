"""States of solvers as JSON can keep them, to the last bit: arrays, and tuples and dataclasses of them."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

#: The kinds of arrays that a state may have.
KINDS = {"f8": np.float64, "i8": np.int64}


def to_json(value: Any) -> Any:
    """Return a number, a string, an array, or a list, dict, named tuple or dataclass of such, as JSON can keep it."""
    if isinstance(value, np.ndarray):
        kind = {np.dtype(dtype): kind for kind, dtype in KINDS.items()}[value.dtype]
        content = np.ascontiguousarray(value, dtype=f"<{kind}").tobytes()
        return {"kind": kind, "shape": list(value.shape), "bytes": b64encode(content).decode()}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {name: to_json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def as_array(kept: Mapping[str, Any]) -> Any:
    """Return the array that `to_json` has written.

    Raises `LookupError`, `ValueError` or `TypeError` if it has not.
    """
    kind = KINDS[kept["kind"]]
    content = np.frombuffer(b64decode(kept["bytes"], validate=True), dtype=np.dtype(kind).newbyteorder("<"))
    return content.reshape(kept["shape"]).astype(kind)
