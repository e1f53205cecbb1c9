"""Read JSON that others may have written, with bounds on numbers and nesting, and check the types of records."""

import json
from collections.abc import Callable
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
    return _check_of(kind)(value)


@cache
def _check_of(kind: Any) -> Callable[[Any], bool]:
    """Return the check of a type: looking into types takes longer than into the values of a shard."""
    origin, parts = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        hints, required = get_type_hints(kind, include_extras=True), kind.__required_keys__
        fields = {key: _check_of(get_args(h)[0] if get_origin(h) is NotRequired else h) for key, h in hints.items()}
        return lambda value: (
            isinstance(value, dict)
            and required <= value.keys()
            and all(check(value[key]) for key, check in fields.items() if key in value)
        )
    checks = [_check_of(one) for one in parts]
    if origin in (Union, UnionType):
        return lambda value: any(check(value) for check in checks)
    if origin is dict:
        return lambda value: isinstance(value, dict) and all(map(checks[1], value.values()))
    if origin is list:
        return lambda value: isinstance(value, list) and all(map(checks[0], value))
    if origin is tuple:
        return lambda value: (
            isinstance(value, list)
            and len(value) == len(checks)
            and all(check(one) for check, one in zip(checks, value, strict=True))
        )
    if kind is float:
        return lambda value: type(value) in (int, float) and isfinite(value)
    return lambda value: kind is Any or type(value) is (NoneType if kind is None else kind)
