"""The house: rooms import only from those before them, and scikit-learn is the estimators'."""

import ast
import inspect
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import kernlearn
from kernlearn import estimators
from kernlearn.cli.main import VERBS

ROOT = Path(kernlearn.__file__).parent
#: The rooms, each of which may use those before it; files beside them may be used by all.
ROOMS = [
    *("datasets", "kernels", "certificates", "solvers", "algorithms", "estimators"),
    *("evaluation", "models", "runner", "papers", "report", "cli"),
]
#: The rooms within a room, each of which may use those before it; files beside them use them all.
WITHIN = {
    "datasets": ["bundled", "core", "readers", "sets"],
    "kernels": ["fused", "core", "families", "matrices"],
    "certificates": ["proofs", "own", "foreign"],
    "solvers": ["core", "hinge_l1", "simplex", "svm", "bands", "kernel_weights", "structured", "stumps_networks"],
    "evaluation": ["splits", "risk_bounds"],
    "runner": ["store", "provenance", "cell", "engines", "plan"],
    "cli": ["facts", "configuration", "work", "health", "model", "reproduction", "results"],
}
#: Rooms with one more room for every family of methods, or for every paper. They use what is common, and no other.
COMMON = {
    "algorithms": ["core", "common"],
    "estimators": ["common"],
    "papers": ["language", "own", "core", "checks", "draft"],
}
#: A room has at most so many files.
MOST_FILES = 15
#: Libraries that take long to import, so that modules import them in the functions that need them.
HEAVY = {
    "sklearn",
    "pandas",
    "matplotlib",
    "osqp",
    "numba",
    "llvmlite",
    "joblib",
    "distributed",
    "jinja2",
    "markdown_it",
}
#: But for these: what they are is made of scikit-learn.
OF_SCIKIT_LEARN = {"models.estimator", "models.features", "models.sentences"}


@cache
def parsed(path):
    return ast.parse(path.read_text())


@cache
def imported_by(path):
    """Return the names of the modules that a file imports, in functions too."""
    return set(imports(parsed(path)))


def imports(tree):
    """Yield the names of the modules that some code imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_from_those_before_them(room):
    later = set(ROOMS[ROOMS.index(room) + 1 :])
    for path in (ROOT / room).rglob("*.py"):
        used = {name.split(".")[1] for name in imported_by(path) if name.startswith("kernlearn.")}
        assert not used & later, f"{path} imports {used & later}"


def test_files_beside_the_rooms_import_none_of_them_when_they_are_imported():
    for path in ROOT.glob("*.py"):
        nodes = [node for node in parsed(path).body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
        used = {name for node in nodes for name in imports(node) if name.startswith("kernlearn.")}
        rooms = {name.split(".")[1] for name in used} & set(ROOMS)
        assert not rooms or path.name == "__init__.py", f"{path} imports {rooms}"


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_no_estimator_from_the_package(room):
    public = {f"kernlearn.{name}" for name in estimators.__all__}
    for path in (ROOT / room).rglob("*.py"):
        used = public & imported_by(path)
        assert not used, f"{path} imports {used}"


def test_estimators_solve_by_the_path_of_a_method_alone():
    for path in (ROOT / "estimators").rglob("*.py"):
        names = {name.split(".")[-1] for name in imported_by(path)}
        used = {name for name in names if name.startswith("solve_") or name.endswith("Solver")}
        assert not used or path.name == "linear_svm.py", f"{path} imports {used}"  # the one without a method


def used_within(path, room):
    """Return the rooms within a room that a module imports from, but for its own."""
    start = ("kernlearn", *room.split("/"))
    names = [tuple(name.split(".")) for name in imported_by(path)]
    inner = {name[len(start)] for name in names if name[: len(start)] == start and len(name) > len(start)}
    return {name for name in inner if (ROOT / room / name).is_dir()} - {path.parent.name}


@pytest.mark.parametrize("room", WITHIN)
def test_rooms_within_a_room_import_only_from_those_before_them(room):
    order = WITHIN[room]
    assert {path.parent.name for path in (ROOT / room).glob("*/__init__.py")} == set(order)
    for path in (ROOT / room).glob("*/*.py"):
        later = set(order[order.index(path.parent.name) + 1 :])
        assert not used_within(path, room) & later, f"{path} imports {used_within(path, room) & later}"


@pytest.mark.parametrize("room", COMMON)
def test_families_of_methods_and_papers_share_what_is_common_and_nothing_else(room):
    """What is common imports no family, and no family another: what two of them need is common."""
    common = COMMON[room]
    for path in (ROOT / room).glob("*/*.py"):
        allowed = common[: common.index(path.parent.name)] if path.parent.name in common else common
        used = used_within(path, room)
        assert used <= set(allowed), f"{path} imports {used - set(allowed)}"


def test_no_module_imports_a_verb():
    """What two verbs share is below both."""
    verbs = {module for module, _ in VERBS.values()}
    for path in ROOT.rglob("*.py"):
        used = verbs & imported_by(path)
        assert not used, f"{path} imports {used}"


def test_a_room_is_small():
    for path in {path.parent for path in ROOT.rglob("*.py")}:
        assert len(list(path.glob("*.py"))) <= MOST_FILES, f"{path} has more than {MOST_FILES} files"


@pytest.mark.parametrize("room", ROOMS)
def test_no_file_imports_itself_through_others_of_its_room(room):
    """A circle of files can only be read whole; imports in functions and for types are part of it."""
    of = {
        ".".join((room, *path.relative_to(ROOT / room).with_suffix("").parts)): path
        for path in (ROOT / room).rglob("*.py")
        if path.name != "__init__.py"
    }
    uses = {
        name: {one.removeprefix("kernlearn.") for one in imported_by(path)} & of.keys() for name, path in of.items()
    }
    while ground := {name for name, below in uses.items() if not below & uses.keys()}:
        uses = {name: below for name, below in uses.items() if name not in ground}
    assert not uses, f"these import each other: {', '.join(sorted(uses))}"


def test_every_directory_is_a_room():
    assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == set(ROOMS)


def test_heavy_libraries_are_imported_where_they_are_used():
    for path in ROOT.rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if name.startswith("estimators") or name in OF_SCIKIT_LEARN:
            continue
        nodes = parsed(path).body  # of the module, not of its functions
        found = {
            one.split(".")[0]
            for node in nodes
            if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.If)
            for one in imports(node)
        }
        assert not found & HEAVY, f"{path} imports {found & HEAVY} for everybody who imports it"


def test_every_estimator_is_public():
    found = set()
    for module in walk_packages(estimators.__path__, "kernlearn.estimators."):
        if ".common" not in module.name:
            classes = inspect.getmembers(import_module(module.name), inspect.isclass)
            found |= {name for name, value in classes if value.__module__ == module.name}
    assert found == set(estimators.__all__) == set(kernlearn.__all__) - {"__version__", *kernlearn._FUNCTIONS}


def test_an_estimator_has_the_name_of_its_method_or_solver():
    known = {path.stem for pattern in ("algorithms/*/*.py", "solvers/*/*.py") for path in ROOT.glob(pattern)}
    found = {path.stem for path in (ROOT / "estimators").glob("*/*.py") if path.parent.name != "common"}
    assert found <= known
