"""Write down which source every algorithm was computed by, as of its version; a test compares.

Results are kept under the version of the algorithm that made them. So where its source changes, that of the modules of
solvers and kernels that it imports included, somebody has to say whether its numbers change: by a higher version in its
`Method`, or by running this script without one.

    python scripts/record_sources.py
"""

import io
import json
import re
import tokenize
from functools import cache
from hashlib import sha256
from pathlib import Path

from kernlearn.algorithms import ALGORITHMS

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "tests" / "algorithms" / "sources.json"
#: The rooms whose modules make numbers.
ROOMS = ("kernlearn.algorithms", "kernlearn.solvers", "kernlearn.kernels")
IMPORT = re.compile(r"^ *(?:from ([\w.]+) import \(?([\w, \n]*)|import ([\w.]+))", re.MULTILINE)
#: Tokens that change no number: comments, and the ends of lines.
IDLE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def source_of(name: str) -> str:
    """Return a digest of the module that a method is from and of all that it imports, without words for people."""
    module = ALGORITHMS[name].path
    module = getattr(module, "func", module).__module__
    names: set[str] = set()
    todo = [module]
    while todo:
        if (one := todo.pop()) not in names:
            names.add(one)
            todo += _imports(one)
    return sha256("".join(_code(one) for one in sorted(names)).encode()).hexdigest()[:16]


def _path(module: str) -> Path:
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _imports(module: str) -> list[str]:
    """Return the modules of the `ROOMS` that one imports; of a package, those that the names are from."""
    found = []
    for package, names, plain in IMPORT.findall(_path(module).read_text()):
        base = package or plain
        if not base.startswith(ROOMS):
            continue
        found.append(base)
        for name in re.findall(r"\w+", names):
            if _path(f"{base}.{name}").exists():
                found.append(f"{base}.{name}")
    return found


@cache
def _code(module: str) -> str:
    """Return the tokens of a module but comments, docstrings and blanks."""
    tokens, fresh = [], True
    for token in tokenize.generate_tokens(io.StringIO(_path(module).read_text()).readline):
        if token.type == tokenize.STRING and fresh:
            continue  # a docstring: a string that is a statement of its own
        fresh = token.type in IDLE
        if not fresh:
            tokens.append(re.sub(r"\s", "", token.string))
    return "".join(tokens)


def main() -> None:
    """Write what is there now, and say what changed."""
    before = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    now = {name: {"version": method.version, "source": source_of(name)} for name, method in sorted(ALGORITHMS.items())}
    for name in sorted(now.keys() | before.keys()):
        if now.get(name) != before.get(name):
            print(f"{name}: {before.get(name)} -> {now.get(name)}")
    KEPT.write_text(json.dumps(now, indent=1) + "\n")


if __name__ == "__main__":
    main()
