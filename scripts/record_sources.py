"""Write down which source every algorithm, and every figure with cells, was computed by, as of its version.

Results are kept under the version of what made them. So where its source changes, that of the modules that it imports
included, somebody has to say whether its numbers change: by a higher version, in its `Method` or as `VERSION` in the
module of the figure, or by running this script without one. A test compares.

    python scripts/record_sources.py
"""

import ast
import io
import json
import re
import tokenize
from functools import cache
from hashlib import sha256
from pathlib import Path

from kernlearn.algorithms import ALGORITHMS
from kernlearn.papers.figures import figure_names, load_figure

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "tests" / "algorithms" / "sources.json"
#: The rooms whose modules make numbers.
ROOMS = ("kernlearn.algorithms", "kernlearn.solvers", "kernlearn.kernels", "kernlearn.compiled")
#: Those that a figure may draw and measure by as well; what its data sets hold is part of its cells.
MORE_ROOMS = (*ROOMS, "kernlearn.datasets.generators", "kernlearn.evaluation")
#: Tokens that change no number: comments, and the ends of lines.
IDLE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


def source_of(name: str) -> str:
    """Return a digest of the module that a method is from and of all that it imports, without words for people."""
    path = ALGORITHMS[name].path
    return _digest(getattr(path, "func", path).__module__, ROOMS)


def figures() -> list[str]:
    """Return the names of the figures that have cells."""
    return [name for name in figure_names() if load_figure(name).cell is not None]


def source_of_figure(name: str) -> str:
    """Return the same of the module of a figure, what it imports of its paper included."""
    module = f"kernlearn.papers.{name.replace('/', '.')}"
    return _digest(module, (*MORE_ROOMS, module.rpartition(".")[0]))


def _digest(module: str, rooms: tuple[str, ...]) -> str:
    names: set[str] = set()
    todo = [module]
    while todo:
        if (one := todo.pop()) not in names:
            names.add(one)
            todo += [name for name in _imports(one) if name.startswith(rooms)]
    return sha256("".join(_code(one) for one in sorted(names)).encode()).hexdigest()[:16]


def _path(module: str) -> Path:
    path = ROOT / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _imports(module: str) -> list[str]:
    """Return the modules of kernlearn that one imports; of a package, those that the names are from, too."""
    found = []
    for node in ast.walk(ast.parse(_path(module).read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [node.module, *(part for part in parts if part.startswith("kernlearn.") and _path(part).exists())]
    return [name for name in found if name.startswith("kernlearn.")]


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
    now |= {name: {"version": load_figure(name).version, "source": source_of_figure(name)} for name in figures()}
    for name in sorted(now.keys() | before.keys()):
        if now.get(name) != before.get(name):
            print(f"{name}: {before.get(name)} -> {now.get(name)}")
    KEPT.write_text(json.dumps(now, indent=1) + "\n")


if __name__ == "__main__":
    main()
