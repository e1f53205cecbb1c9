"""The source that computes numbers: a digest of a module and its imports, and the recorded digest of each version.

Numbers are stored under the version of their method, which developers have to raise by hand. `RECORD` is part of the
package and has the source of each version (``scripts/tools/record_sources.py`` writes it, and a test compares it).
Recording a source states that it computes the same numbers as earlier sources of the same version. Sources that are not
recorded, changed ones or plug-ins, are compared by their digests.
"""

import ast
import io
import json
import re
import tokenize
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn.algorithms import ALGORITHMS
from kernlearn.atomic import write_atomically
from kernlearn.kernels import FAMILIES
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.places import cache_directory
from kernlearn.plugins import plugins
from kernlearn.runner.store.files import read_regular
from kernlearn.runner.store.records import Source

RECORD = Path(__file__).parents[2] / "sources.json"
#: The module that computes the rows of all methods. Its digest covers the shared parts, such as kernels.
ROWS = "kernlearn.runner.cell.measure"
#: The module that computes the rows of baselines.
BASELINE = "kernlearn.runner.cell.baseline"
#: The package, and the module from which it re-exports names on demand.
PACKAGE, PUBLIC = "kernlearn", "kernlearn.estimators"
#: The rooms whose modules compute the numbers of methods, of rows, and of figures, whose data belong to the cell.
ROOMS = (
    "kernlearn.algorithms",
    "kernlearn.certificates",
    "kernlearn.solvers",
    "kernlearn.kernels",
    "kernlearn.compiled",
    "kernlearn.twofold",
    PUBLIC,
)
ROWS_ROOMS = (*ROOMS, "kernlearn.runner.cell", "kernlearn.evaluation", "kernlearn.datasets.core.raw")
FIGURE_ROOMS = (*ROOMS, "kernlearn.datasets.sets.generators", "kernlearn.evaluation")
#: Tokens that change no number: comments, and line ends that end no statement.
IDLE = (tokenize.COMMENT, tokenize.NL)
#: Tokens that separate statements and blocks, independent of the width of the indentation.
ENDS = {tokenize.NEWLINE: "\n", tokenize.INDENT: "\t", tokenize.DEDENT: "\r"}
#: A string with expressions: one token to Python 3.11 and several to later ones, which drop the blanks between them.
F_STRING = re.compile("(?i)f|rf")


class Facts(NamedTuple):
    """A digest of the code of a module, and its imports."""

    code: str
    #: For each import, the local name, the module, and the name there, which is empty for the module itself.
    imports: list[list[str]]


@cache
def source_of_cells(method: str, kernel: str) -> Source:
    """Return the source that computes the cells of a method with a kernel family, given by their names."""
    module, features = FAMILIES[kernel].__module__, kernel == FEATURES
    own = "" if _within(module, ["kernlearn"]) else module
    parts = {method: source_of_method(method), "feature rows" if features else "rows": source_of_rows()}
    known = all(is_recorded(name, source) for name, source in parts.items()) and not own
    digests = [*parts.values(), digest(own, (*ROOMS, _top(own))) if own else ""]
    return {"digest": sha256("".join(digests).encode()).hexdigest()[:16], "recorded": known}


@cache
def source_of_method(name: str) -> str:
    """Return the digest of the file of a method with its imports; for a plug-in, also those of its package."""
    path = ALGORITHMS[name].path
    module = getattr(path, "func", path).__module__
    for plugin in plugins():
        if name in getattr(plugin.module, "ALGORITHMS", {}) and not _within(module, [_top(plugin.module.__name__)]):
            module = plugin.module.__name__  # its path function may come from another package
    return digest(module, (*ROOMS, *([] if _within(module, ["kernlearn"]) else [_top(module)])))


@cache
def source_of_rows() -> str:
    """Return the digest of the code that all methods share: kernels, scores, and the conversion of points to rows."""
    return digest(ROWS, ROWS_ROOMS)


@cache
def source_of_figure(name: str, module: str) -> Source:
    """Return the source that computes the cells of a figure, with its imports from the paper's package."""
    package = ".".join(module.split(".")[:3]) if _within(module, ["kernlearn"]) else _top(module)
    source = digest(module, (*FIGURE_ROOMS, package))
    return {"digest": source, "recorded": is_recorded(name, source)}


@cache
def source_of_baselines() -> Source:
    """Return the source that computes the cells of baselines, beside scikit-learn itself."""
    found = digest(BASELINE, ROWS_ROOMS)
    return {"digest": found, "recorded": is_recorded("baselines", found)}


def differs(then: Source | None, now: Source) -> bool:
    """Return whether numbers may differ now. For results without a recorded source this is not known."""
    return then is not None and then["digest"] != now["digest"] and not (then["recorded"] and now["recorded"])


def is_recorded(name: str, source: str) -> bool:
    """Return whether the record has the source of a version. A test checks that it is the present one."""
    return recorded().get(name, {}).get("source") == source


@cache
def recorded() -> Mapping[str, Mapping[str, Any]]:
    """Return version and source by the name of a method, of the rows or of a figure."""
    record: Mapping[str, Mapping[str, Any]] = json.loads(RECORD.read_bytes()) if RECORD.exists() else {}
    return record


def digest(module: str, rooms: Collection[str]) -> str:
    """Return a digest of a module and of all its imports from some packages, without comments and docstrings.

    A name that a package re-exports counts as the module that defines it.
    """
    seen: set[tuple[str, str]] = set()
    codes: dict[str, str] = {}
    todo = [(module, "")]
    facts_of = cache(_facts)  # what many modules import is looked at once, and anew for the next digest
    while todo:
        one = todo.pop()
        if one[0] == PACKAGE:  # its own names are estimators, as in its `__getattr__`, or modules
            one = (PUBLIC, one[1]) if not one[1] or one[1][0].isupper() else (f"{PACKAGE}.{one[1]}", "")
        if one in seen or not _within(one[0], rooms):
            continue
        seen.add(one)
        name, wanted = one
        is_package = _is_package(name)
        if wanted and is_package and _spec(f"{name}.{wanted}"):  # of a module, `find_spec` would import it
            todo.append((f"{name}.{wanted}", ""))
        elif facts := facts_of(name):
            handed_on = [(module_name, what) for here, module_name, what in facts.imports if here == wanted]
            if wanted and handed_on and is_package:
                todo += handed_on
            else:
                codes[name] = facts.code
                todo += [(module_name, what) for _, module_name, what in facts.imports]
    _kept.save()
    return sha256("".join(f"{name} {codes[name]}\n" for name in sorted(codes)).encode()).hexdigest()[:16]


def _within(module: str, packages: Collection[str]) -> bool:
    return f"{module}.".startswith(tuple(f"{package}." for package in packages))


def _top(module: str) -> str:
    return module.partition(".")[0]


def _spec(module: str) -> Any:
    try:
        return find_spec(module)
    except (ImportError, ValueError):  # the part before the last dot is not a package
        return None


def _is_package(module: str) -> bool:
    return _spec(module).submodule_search_locations is not None


def _facts(module: str) -> Facts | None:
    """Return the facts of a module; None if it has no source, such as an extension."""
    loader: Any = getattr(_spec(module), "loader", None)
    text = loader.get_source(module) if hasattr(loader, "get_source") else None
    if text is None:
        return None
    package = module if _is_package(module) else module.rpartition(".")[0]
    return _kept.facts(sha256(f"{package}\n{text}".encode()).hexdigest(), module, text, package)


class _Kept:
    """A cache of facts by the content of modules, also in the directory of downloads: parsing all takes half a second.

    The first line of the file is the sha256 of its second line. If it is damaged, the sources are parsed again.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, Facts]] | None = None
        self._changed = False

    def facts(self, content: str, module: str, text: str, package: str) -> Facts:
        """Return the facts of a module with some content."""
        known = self._load()
        if known.get(module, ("",))[0] != content:
            try:
                known[module] = content, Facts(_code(text), sorted(_imports(text, package)))
            except (SyntaxError, tokenize.TokenError):  # it is being edited after it was imported
                return Facts(content, [])
            self._changed = True
        return known[module][1]

    def save(self) -> None:
        """Write new facts, if the file can be written."""
        if self._changed:
            self._changed = False
            body = json.dumps(self._load()).encode()
            with suppress(OSError):
                write_atomically(_file(), sha256(body).hexdigest().encode() + b"\n" + body)

    def _load(self) -> dict[str, tuple[str, Facts]]:
        if self._known is None:
            self._known = {}
            with suppress(OSError, ValueError, TypeError, AttributeError):  # no file, or a damaged one
                checksum, _, body = read_regular(_file()).partition(b"\n")
                if sha256(body).hexdigest().encode() == checksum:
                    self._known = {
                        name: (content, Facts(*facts)) for name, (content, facts) in json.loads(body).items()
                    }
        return self._known


_kept = _Kept()


def _file() -> Path:
    return cache_directory() / "sources-2.json"


def _imports(text: str, package: str) -> Iterator[list[str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ([alias.asname or alias.name, alias.name, ""] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module_name = resolve_name("." * node.level + (node.module or ""), package)
            yield from ([alias.asname or alias.name, module_name, alias.name.strip("*")] for alias in node.names)


def _code(text: str) -> str:
    """Return a digest of the tokens of a module, without comments and docstrings. All Python versions agree on it."""
    tokens, fresh = [], True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in ENDS:
            tokens.append(ENDS[token.type])
            fresh = True
        elif token.type not in IDLE and not (token.type == tokenize.STRING and fresh):  # that is a docstring
            is_text = token.type == tokenize.STRING and not F_STRING.match(token.string)
            tokens.append(token.string if is_text else re.sub(r"\s", "", token.string))
            fresh = False
    return sha256(re.sub(r"\{+|\}+", lambda found: found[0][0], "".join(tokens)).encode()).hexdigest()[:16]
