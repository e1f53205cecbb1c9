"""``kernlearn check``: what is sound, what is missing, and what is wrong, with what to do about it."""

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli import check
from kernlearn.cli.health import packages, solving
from kernlearn.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(check, "SECONDS", 0.0)


def found(capsys, *words, code=0):
    """Return what is found, by what it is about."""
    assert main(["check", *words, "--json"]) == code
    content = json.loads(capsys.readouterr().out)
    assert content["sound"] == (code == 0)
    about = {}
    for one in content["findings"]:
        about.setdefault(one["about"], []).append(one)
    return about


def problems(about):
    return {name for name, some in about.items() for one in some if one["state"] == "problem"}


def test_a_sound_installation(capsys):
    about = found(capsys)
    assert not problems(about)
    assert {"python", "packages", "optional", "blas", "data", "results", "caches", "slurm", "solvers"} <= about.keys()
    (line,) = (one["words"] for one in about["packages"])
    listed = [word.split()[0].lower() for word in line.split(", ")]
    assert len(set(listed)) == len(listed)
    assert all(f"{name} " in line for name in ("numpy", "scipy", "highspy", "osqp", "numba", "scikit-learn"))
    assert main(["check"]) == 0
    captured = capsys.readouterr()
    assert captured.out.endswith("sound: everything that kernlearn needs is here and works\n")
    assert re.search(r"^solving    \w+ with solver=\w+ \(1 of \d+ problems\)$", captured.err, re.MULTILINE)
    assert "squeue:" not in captured.out  # what it logs if it cannot be reached
    assert main(["check", "--progress=json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (first,) = [one for one in events if one["event"] == "progress"]
    assert (first["what"], first["done"]) == ("problems", 0) and first["total"] > len(ALGORITHMS) / 2


@pytest.mark.slow
def test_every_method_and_solver_is_tried_and_proved(capsys):
    assert main(["check", "--all", "--json"]) == 0
    solved = json.loads(capsys.readouterr().out)["solvers"]
    assert {one["method"] for one in solved} == ALGORITHMS.keys()
    assert {"highs", "osqp", "libsvm"} <= {one["solver"] for one in solved}
    unproved = {one["method"] for one in solved if one["status"] != "optimal" and one["solver"] != "libsvm"}
    assert unproved <= {name for name, method in ALGORITHMS.items() if not method.always_optimal}


def test_what_is_wrong_has_a_hint(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("KERNLEARN_DATA", str(tmp_path / "nowhere"))
    about = found(capsys, "--results-dir", str(tmp_path / "file" / "results"), code=1)
    assert problems(about) == {"data", "results"}
    assert all(one["hint"] for some in about.values() for one in some if one["state"] == "problem")
    assert main(["check", "--results-dir", "file"]) == 1
    out = capsys.readouterr().out
    assert "PROBLEM    data: KERNLEARN_DATA: " in out and out.endswith("not sound: 2 problems\n")


def test_a_method_that_fails_or_proves_nothing_is_a_problem(capsys, monkeypatch):
    def broken(problem, **values):
        raise RuntimeError("the library does not load")

    first = next(name for name, method in ALGORITHMS.items() if method.always_optimal and "solver" in method.parameters)
    monkeypatch.setitem(ALGORITHMS, first, replace(ALGORITHMS[first], path=broken))
    about = found(capsys, code=1)
    assert problems(about) == {"solvers"} and "the library does not load" in about["solvers"][0]["words"]


@pytest.mark.parametrize(
    ("method", "solver", "status", "gap", "sound"),
    [
        ("l2_svm", "homotopy", "optimal", 1e-9, True),
        ("l2_svm", "homotopy", "inaccurate", 1e-3, False),
        ("l2_svm", "libsvm", "inaccurate", 1e-3, True),
        ("l2_svm", "libsvm", "inaccurate", 0.5, False),
        ("perceptron", None, "capped", 1.0, True),
        ("krr", None, "inaccurate", 1e-3, False),
        ("krr", None, None, None, False),
    ],
)
def test_what_is_expected_of_a_method(method, solver, status, gap, sound):
    error = None if status else "RuntimeError: x"
    one = {"method": method, "solver": solver, "status": status, "gap": gap, "seconds": 0.0, "error": error}
    assert solving.is_sound(one) == sound


def test_versions_and_missing_packages():
    assert packages._unsuited(Requirement("numpy>=2.0")) is None
    words, hint = packages._unsuited(Requirement("numpy>=99"))
    assert "kernlearn needs >=99" in words and hint == "pip install 'numpy>=99'"
    assert packages._unsuited(Requirement("no-such-package"))[0] == "no-such-package is not installed"
    (missing,) = packages._optional("figures", [Requirement("no-such-package>=1")])
    assert missing["state"] == "note" and missing["hint"] == "pip install 'kernlearn[figures]'"


def test_every_extra_for_users_has_a_purpose():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"].keys()
    assert extras - packages.OF_DEVELOPERS == packages.PURPOSES.keys()


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_a_problem(capsys):
    about = found(capsys, "--dask", "tcp://127.0.0.1:9", code=1)
    assert problems(about) == {"dask"}
