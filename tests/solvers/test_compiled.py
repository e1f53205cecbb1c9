"""Compiled code gives the same bits however it came about."""

import ast
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core import event
from numba.core.errors import TypingError

from kernlearn import compiled as module
from kernlearn.compiled import ROOMS, compiled, sources
from kernlearn.solvers.core import products
from kernlearn.solvers.core.largest import largest
from kernlearn.solvers.core.products import LANES, add_rows, dot, put

EXPERIMENTS = """
import hashlib, json, sys
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.plan import plan
from kernlearn.runner.plan.config import check_experiment
for algo in ("vkr", "l1_svm", "l2_svm"):
    cell = plan(check_experiment(compose_config([f"algo={algo}", "dataset=sonar"]))).cells[0]
    for _ in range(2):
        print(algo, hashlib.sha256(json.dumps(run_cell(cell)["rows"]).encode()).hexdigest())
"""


@pytest.mark.parametrize("size", [0, 1, LANES - 1, LANES, 5 * LANES + 3])
def test_dot_adds_lane_by_lane(size):
    """The order of the sum is part of what `dot` is: numpy's elementwise operations give the same bits."""
    a, b = np.random.default_rng(size).standard_normal((2, size))
    whole = size - size % LANES
    sums = np.zeros(LANES)
    for start in range(0, whole, LANES):
        sums = sums + a[start : start + LANES] * b[start : start + LANES]
    while len(sums) > 1:
        sums = sums[: len(sums) // 2] + sums[len(sums) // 2 :]
    total = sums[0]
    for j in range(whole, size):
        total += a[j] * b[j]
    assert dot(a, b) == total


def test_dot_refuses_what_is_not_contiguous():
    """A stride would be read as if it were not there."""

    @compiled
    def strided(a):
        return dot(a[::2], a[::2])

    with pytest.raises(TypingError, match="contiguous"):
        strided(np.ones(8))


@pytest.mark.parametrize("size", [1, 15, 16, 17, 3 * 16 + 5])
def test_the_largest_is_found_and_of_equal_ones_the_first(size):
    rng = np.random.default_rng(size)
    for spread in (1, 3, 1000):
        for a in rng.integers(-spread, spread + 1, (50, size)).astype(np.float64):
            assert largest(a) == np.argmax(a)
    assert largest(np.full(size, -np.inf)) == 0


@pytest.mark.parametrize("count", [0, 1, 4, 7])
def test_rows_are_added(count):
    rng = np.random.default_rng(count)
    A, rows, factors = rng.standard_normal((9, 20)), rng.permutation(9)[:count], rng.standard_normal(count)
    out = np.ones(20)
    add_rows(A, rows, -2.0, factors, out)
    np.testing.assert_allclose(out, 1.0 - 2.0 * factors @ A[rows], rtol=1e-13, atol=1e-13)


def test_entries_are_copied():
    out = np.zeros((3, 4))
    put(np.array([1.0, 2.0]), out[1])
    put(out[1, :3], out[:, 3])  # a column, the longest that is there
    assert out.tolist() == [[0, 0, 0, 1], [1, 2, 0, 2], [0, 0, 0, 0]]


def test_later_entries_are_copied_to_the_front():
    values = np.arange(40.0)
    put(values[1:], values[:-1])
    assert values.tolist() == [*range(1, 40), 39]


def test_compiled_code_assigns_no_array_to_a_slice():
    """It would take six seconds to compile, see `put`; numbers may be."""
    found = []
    for path in Path(products.__file__).parents[1].rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and "compiled" in map(ast.unparse, function.decorator_list):
                found += [
                    f"{path.name}: {ast.unparse(node)}"
                    for node in ast.walk(function)
                    if isinstance(node, ast.Assign)
                    and any(isinstance(part, ast.Slice) for target in node.targets for part in ast.walk(target))
                    and not isinstance(node.value, ast.Constant | ast.UnaryOp | ast.Attribute | ast.Tuple)
                ]
    assert not found


def test_machine_code_is_of_all_sources():
    """An edit of a function that is compiled into others must not leave the others as they were."""
    dot(np.ones(3), np.ones(3))
    stamps = []
    for path in Path(products.dot.made.stats.cache_path).glob("products.dot-*.nbi"):
        with path.open("rb") as file:
            pickle.load(file)
            stamps.append(pickle.loads(file.read())[0])
    assert sources(Path(products.__file__).parent) in stamps


def test_all_that_is_compiled_is_in_rooms_whose_source_is_in_the_digest():
    paths = [path for path in module.PACKAGE.rglob("*.py") if "@compiled" in path.read_text()]
    in_rooms = [path.relative_to(module.PACKAGE) for path in paths if path.parent != module.PACKAGE]
    assert {path.parts[0] for path in in_rooms} == set(ROOMS)


@pytest.mark.parametrize("edited", ["solvers/cores/a.py", "kernels/b.py", "types.py", "plugin/c.py"])
def test_the_digest_is_of_the_sources_of_all_rooms(tmp_path, monkeypatch, edited):
    """Code from one directory has functions and constants of the others compiled into it."""
    monkeypatch.setattr(module, "PACKAGE", tmp_path)
    path = tmp_path / edited
    path.parent.mkdir(parents=True, exist_ok=True)
    digests = set()
    for text in ("A = 1", "A = 2"):
        path.write_text(text)
        sources.cache_clear()
        digests.add(sources(tmp_path / "plugin"))
    sources.cache_clear()
    assert len(digests) == 2


@pytest.fixture
def increment(tmp_path, monkeypatch):
    """Return a function that makes a compiled function, each time as if in a new process, and its cache directory."""
    monkeypatch.setattr(module, "code_directory", lambda: tmp_path)

    def made():
        @compiled
        def increment(number):
            return number + 1

        return increment

    return made


def test_without_a_directory_it_is_compiled_all_the_same(increment, monkeypatch):
    monkeypatch.setattr(module, "code_directory", lambda: None)
    function = increment()
    assert function(1) == 2 and function.made.stats.cache_path is None


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("content", [b"", b"\x80\x04 no pickle", b"cut short"])
def test_a_damaged_cache_is_written_anew(increment, tmp_path, suffix, content):
    assert increment()(1) == 2
    (path,) = tmp_path.rglob(f"*.{suffix}")
    path.write_bytes(path.read_bytes()[:100] if content == b"cut short" else content)
    assert increment()(1) == 2
    again = increment()
    assert again(1) == 2 and sum(again.made.stats.cache_hits.values()) == 1


def test_a_full_disk_stops_no_computation(increment, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    assert increment()(1) == 2


@pytest.mark.slow
def test_a_cold_cache_changes_no_bit(tmp_path, monkeypatch):
    """What was compiled a moment ago, and what was loaded, print the same tables."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    command = [sys.executable, "-c", EXPERIMENTS]
    cold, warm = (subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert list(tmp_path.rglob("*.nbi"))
    assert cold == warm
    lines = cold.splitlines()
    assert len(lines) == 6
    assert lines[::2] == lines[1::2]


@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
def test_ctrl_c_waits_until_the_code_is_compiled(increment):
    """In a callback of LLVM the exception would be lost, or end the process."""
    compiling = []

    class Press(event.Listener):
        def on_start(self, event):
            signal.raise_signal(signal.SIGINT)
            compiling.append(True)

        def on_end(self, event):
            compiling.pop()

    with event.install_listener("numba:compile", Press()), pytest.raises(KeyboardInterrupt):
        increment()(1)
    assert not compiling and increment()(1) == 2
