"""The attack of `scripts/attack.py`: it knows every method, it catches lies, and some hundred problems find nothing."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cvxpy")
pytest.importorskip("clarabel")

SCRIPTS = Path(__file__).parent.parent / "scripts"


@pytest.fixture(autouse=True)
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))


def test_every_method_has_an_oracle():
    from attacks import problems

    problems.check_registries()


def test_a_registered_method_without_an_oracle_is_an_error(monkeypatch):
    from attacks import problems

    from kernlearn.algorithms import ALGORITHMS

    monkeypatch.setitem(ALGORITHMS, "another", ALGORITHMS["l1_mkl"])
    with pytest.raises(KeyError, match="another"):
        problems.check_registries()


@pytest.fixture
def optimum():
    """A point of l1_mkl on ordinary data, with its task."""
    from attacks.data import given
    from attacks.paths import Task

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2, 20, 3)), np.repeat([-1.0, 1.0], 10)
    K = np.stack([x @ x.T for x in X + 0.3 * y[None, :, None]])
    task = Task("l1_mkl", given(K), K, y, {"centre": True, "normalise": "none", "Cs": [0.7]})
    return task, *task.run()[0]


def kinds(task, values, said):
    from attacks import paths

    return [kind for kind, *_ in paths.hold(task, values, said).findings()]


def test_an_optimum_is_held_to_be_one(optimum):
    from attacks import paths

    task, values, said = optimum
    held = paths.hold(task, values, said)
    assert held.oracle_gap < 1e-9 and held.findings() == []


@pytest.mark.parametrize("lie", ["bound", "objective", "gap", "worse point", "outside", "nan"])
def test_lies_are_found(optimum, lie):
    task, values, said = optimum
    P = said.objective
    lies = {
        "bound": replace(said, dual_objective=P * (1 + 1e-7)),
        "objective": replace(said, objective=P * (1 - 1e-7)),
        "gap": replace(said, coef=said.coef * 0.9, objective=P * 1.1, gap=1e-9),
        "worse point": replace(said, coef=said.coef * 0.9),
        "outside": replace(said, weights=said.weights * 1.001),
        "nan": replace(said, gap=float("nan")),
    }
    assert {"outside": "infeasible"}.get(lie, "false") in kinds(task, values, lies[lie])


@pytest.mark.parametrize("name", ["vkr", "l1_svm", "l2_svm", "unif", "align", "krr", "VKRClassifier"])
def test_a_few_problems(name):
    from attacks import problems

    for number in range(2):
        report = problems.attack(name, 0, number)
        assert not [found for found in report.findings if problems.KINDS[found[0]]]


@pytest.mark.parametrize("kind", range(5))
def test_a_few_inputs(kind):
    from attacks import inputs

    for number in range(kind, kind + 25, 5):
        what, found = inputs.attack(0, number)
        assert not found, what


def test_a_hang_and_a_death_are_told_and_the_others_go_on(monkeypatch):
    from attacks import workers

    monkeypatch.setattr(workers, "WAITING", 3.0)
    asleep, busy = (
        "__import__('time').sleep(60)",
        "__import__('attacks.workers').workers._allow(0.2) or sum(range(10**11))",
    )
    pieces = [(code,) for code in ("1 + 1", asleep, busy, "__import__('os')._exit(3)", "2 + 2")]
    found = dict(workers.run_all(pieces, 1, dict, eval))
    assert [found[piece] for piece in pieces] == [2, "hang", "hang", "death", 4]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_some_hundred_problems_and_inputs(capsys):
    import attack

    options = ["attack.py", "--problems", "360", "--inputs", "1500", "--jobs", "2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", options)
        code = attack.main()
    assert code == 0, capsys.readouterr().out
