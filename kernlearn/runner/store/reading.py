"""Read JSON that others may have written, with bounds on numbers and nesting, and check the types of records."""

import json
from collections.abc import Mapping
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

#: Maximum digits of an integer: enough for the 128-bit state of a random generator, and not more than a float takes.
DIGITS = 40
#: Maximum nesting: more than any of our files has, and less than the JSON writer can handle.
DEEPEST = 60


def parse_json(content: bytes) -> Any:
    """Return the value of a JSON text.

    Raises `ValueError` if it is not JSON, or has a number or a nesting that none of our files has.
    """
    try:
        value = json.loads(content, parse_int=_integer)
    except RecursionError:
        raise ValueError(f"nested more than {DEEPEST} levels deep") from None
    if content.count(b"[") + content.count(b"{") > DEEPEST and _is_deep(value):
        raise ValueError(f"nested more than {DEEPEST} levels deep")
    return value


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError(f"an integer of {len(digits)} digits")
    return int(digits)


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            part
            for container in level
            for part in (container.values() if isinstance(container, dict) else container)
            if isinstance(part, dict | list)
        ]
        if not level:
            return False
    return True


def conforms(value: Any, kind: Any) -> bool:
    """Return whether a value from JSON and all its parts have a type; a record may have further keys.

    Parameters
    ----------
    kind : type
        A `TypedDict`, `dict`, `list`, `tuple`, a union, ``str``, ``bool``, ``int``, ``float`` (finite) or None.
    """
    if is_typeddict(kind):
        return isinstance(value, dict) and _has_fields(value, kind)
    origin, parts = _origin_and_parts(kind)
    if origin in (Union, UnionType):
        return any(conforms(value, one) for one in parts)
    if origin is dict:
        return isinstance(value, dict) and all(conforms(one, parts[1]) for one in value.values())
    if origin is list:
        return isinstance(value, list) and all(conforms(one, parts[0]) for one in value)
    if origin is tuple:
        return isinstance(value, list) and len(value) == len(parts) and all(map(conforms, value, parts))
    if kind is float:
        return type(value) in (int, float) and isfinite(value)
    return kind is Any or type(value) is (NoneType if kind is None else kind)


@cache
def _origin_and_parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(kind), get_args(kind)


def _has_fields(value: Mapping[str, Any], kind: Any) -> bool:
    required, fields = _fields(kind)
    return required <= value.keys() and all(
        conforms(value[key], field) for key, field in fields.items() if key in value
    )


@cache
def _fields(kind: Any) -> tuple[frozenset[str], dict[str, Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return kind.__required_keys__, {
        key: get_args(hint)[0] if get_origin(hint) is NotRequired else hint for key, hint in hints.items()
    }
