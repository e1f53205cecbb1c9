"""Write the JSON Schema of the document of every verb: ``kernlearn/schemas/VERB.json``.

``python scripts/tools/write_schemas.py`` writes them from the class ``Document`` in the module of each verb, a
`TypedDict`. The docstrings of such classes and the comments ``#:`` before their fields are the descriptions. With
``--check`` it only compares, and the exit code tells whether the files agree.
"""

import argparse
import inspect
import json
import re
import sys
from importlib import import_module
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

from kernlearn.cli.main import VERBS
from kernlearn.documents import SCHEMA_VERSION, Failure, Head

ROOT = Path(__file__).parents[2]
DIRECTORY = ROOT / "kernlearn" / "schemas"
TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def schema_of(verb: str) -> dict[str, Any]:
    """Return the schema of the documents of a verb: those of a success, and those of a failure."""
    document = import_module(VERBS[verb][0]).Document
    parts: dict[str, Any] = {}
    own, error = record(document, parts), record(Failure, parts)
    error["properties"]["schema_version"] |= {"const": SCHEMA_VERSION}
    error["properties"]["verb"] |= {"const": verb}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"kernlearn {verb} --json, version {SCHEMA_VERSION}",
        "description": own["description"],
        "type": "object",
        "properties": error["properties"] | own["properties"],
        "required": record(Head, parts)["required"],
        "if": {"required": ["error"]},
        "then": {"required": error["required"]},
        "else": {"required": own["required"]},
        "$defs": dict(sorted(parts.items())),
    }


def record(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a `TypedDict`; those inside of it go to `parts`."""
    comments, properties = comments_of(kind), {}
    for key, hint in get_type_hints(kind, include_extras=True).items():
        inner = get_args(hint)[0] if get_origin(hint) in (Required, NotRequired) else hint
        properties[key] = {"description": comments[key]} if key in comments else {}
        properties[key] |= schema(inner, parts)
    required = [key for key in properties if key in kind.__required_keys__]
    description = {"description": " ".join(kind.__doc__.split())} if kind.__doc__ else {}
    return {**description, "type": "object", "properties": properties, "required": required}


def comments_of(kind: Any) -> dict[str, str]:
    """Return the comments ``#:`` before the fields of a class and of those that it extends."""
    comments, lines, source = dict[str, str](), list[str](), _source_of(kind)
    for name in re.findall(r"\w+", source.partition("(")[2].partition(")")[0]):
        if is_typeddict(base := getattr(sys.modules[kind.__module__], name, None)):
            comments |= comments_of(base)
    for line in source.splitlines():
        if comment := re.match(r"\s+#: ?(.*)", line):
            lines.append(comment[1])
            continue
        if lines and (field := re.match(r"\s+(\w+):", line)):
            comments[field[1]] = " ".join(lines)
        lines = []
    return comments


def _source_of(kind: Any) -> str:
    try:
        return inspect.getsource(kind)
    except OSError:  # it is made by a call of `TypedDict`, because a field is a word of Python
        return ""


def schema(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type.

    Raises
    ------
    TypeError
        If JSON has no such type, or two classes have the same name.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if is_typeddict(kind):
        name, before = kind.__name__, parts.get(kind.__name__)
        if before is None:
            parts[name] = {}  # a class may have itself inside
            parts[name] |= record(kind, parts)
        return {"$ref": f"#/$defs/{name}"}
    if origin in (Union, UnionType):
        kinds = [schema(one, parts) for one in inner]
        if all(one.keys() == {"type"} for one in kinds):
            return {"type": [one["type"] for one in kinds]}
        return {"anyOf": kinds}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is list:
        return {"type": "array", "items": schema(inner[0], parts)}
    if origin is dict and inner[0] is str:
        return {"type": "object", "additionalProperties": schema(inner[1], parts)}
    if kind in TYPES or kind is None:
        return {"type": TYPES[kind or NoneType]}
    raise TypeError(f"{kind}: is no type of a document")


def main() -> int:
    """Write the schemas, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if something is stale")
    check = parser.parse_args().check
    texts = {DIRECTORY / f"{verb}.json": json.dumps(schema_of(verb), indent=1) + "\n" for verb in VERBS}
    stale = [path for path, text in texts.items() if not path.exists() or path.read_text() != text]
    stale += [path for path in DIRECTORY.glob("*.json") if path not in texts]
    for path in stale:
        print(f"{path.relative_to(ROOT)}: {'stale' if check else 'written'}")
        if not check and path in texts:
            path.write_text(texts[path])
        elif not check:
            path.unlink()
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
