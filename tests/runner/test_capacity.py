"""What cells are said to need, and what is done about it: tests set what the machine has, nothing of the model."""

from dataclasses import replace

import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.memory import GB, MB
from kernlearn.runner.plan import capacity
from kernlearn.runner.plan.capacity import admit, need_of, too_large
from tests.runner.experiments import plan_of

LOCAL = {"name": "local", "jobs": 4, "memory": 0, "time_limit": 0, "checkpoint": 60}


@pytest.fixture
def machine(monkeypatch):
    """Set the memory that is available."""
    return lambda free: monkeypatch.setattr(capacity, "available", lambda: free)


def need(*words):
    plan = plan_of(*words)
    return need_of([plan], plan.cells)


def test_processes_are_as_many_as_fit(machine):
    wants = need("algo=l2_mkl", "kernel=gaussian", "dataset=sonar")
    peak = wants.dearest.cost.peak
    for free, jobs in ((4.01 * peak, 4), (3.99 * peak, 3), (1.01 * peak, 1)):
        machine(free)
        engine, line = admit(wants, LOCAL)
        assert engine == {**LOCAL, "jobs": jobs}
        assert ("instead of 4" in line) == (jobs < 4)
    assert admit(wants, {**LOCAL, "jobs": 1}) == ({**LOCAL, "jobs": 1}, "")


def test_a_cell_that_does_not_fit_is_refused_with_what_would(machine):
    wants = need("algo=l2_mkl", "kernel=gaussian", "dataset=gaussians", "dataset.n=20000")
    cost = wants.dearest.cost
    assert cost.size.n == 12000 and cost.peak > 7 * 8 * 12000**2
    machine(2 * GB)
    with pytest.raises(UserError, match=r"algo=l2_mkl on gaussians: a cell of 12000 training examples and 7 kernels"):
        admit(wants, LOCAL)
    n = cost.largest(2 * GB)
    assert 500 < n < 6000
    assert at(cost, n).peak <= 2 * GB < at(cost, n + 1).peak
    assert cost.largest(10 * MB) == 0


def test_a_refusal_names_what_does_without_matrices_where_that_may_be(machine):
    gaussian = ["kernel=gaussian", "kernel.gammas=[1]", "dataset=gaussians", "dataset.n=20000"]
    machine(2 * GB)
    with pytest.raises(UserError, match="streamed=true stores at most one matrix and needs about"):
        admit(need("algo=l2_svm", *gaussian), LOCAL)
    for words in (["algo=l2_svm", "algo.solver=osqp"], ["algo=conv"]):
        with pytest.raises(UserError) as refused:
            admit(need(*words, *gaussian), LOCAL)
        assert "streamed=true" not in str(refused.value)
    machine(10 * MB)
    with pytest.raises(UserError, match="not enough for any training examples"):
        admit(need("algo=conv", *gaussian), LOCAL)


@pytest.mark.parametrize("free", [0.61, 0.85, 2.0])
def test_more_may_fit_where_no_matrix_is_held(free):
    """The peak falls there: whoever looks for the largest size among all would end below the fall."""
    cost = need("algo=l1_svm", "dataset=ringnorm", "dataset.n=25000", "kernel.degrees=[1]").dearest.cost
    assert cost.size.streamed and not cost.size.with_examples(4000).streamed
    n = cost.largest(free * GB)
    assert n > 6000 and at(cost, n).peak <= free * GB
    assert n == cost.size.n or at(cost, n + 1).peak > free * GB


def test_a_limit_of_the_address_space_counts_for_a_cell_and_not_for_all(machine, monkeypatch):
    wants = need("algo=l2_mkl", "kernel=gaussian", "dataset=sonar")
    peak = wants.dearest.cost.peak
    machine(100 * peak)
    monkeypatch.setattr(capacity, "left_of_limit", lambda: 1.01 * peak)
    assert admit(wants, LOCAL)[0]["jobs"] == 4
    monkeypatch.setattr(capacity, "left_of_limit", lambda: 0.99 * peak)
    with pytest.raises(UserError, match="algo=l2_mkl on sonar: a cell of"):
        admit(wants, LOCAL)


def at(cost, n):
    return replace(cost, size=cost.size.with_examples(n))


def test_a_limit_of_the_cells_is_what_they_can_take(machine):
    wants = need("algo=l2_mkl", "kernel=gaussian", "dataset=gaussians", "dataset.n=20000")
    base = wants.dearest.cost.base
    machine(base + 1.5 * GB)
    assert admit(wants, {**LOCAL, "memory": 1.0})[0]["jobs"] == 1
    with pytest.raises(UserError, match="engine.memory=GB"):
        admit(wants, {**LOCAL, "memory": 2.0})


def test_other_machines_are_not_looked_at(machine):
    machine(1)
    wants = need("algo=vkr", "dataset=sonar")
    slurm = {"name": "slurm", "nodes": 2, "cpus": 8, "memory": 0}
    assert admit(wants, slurm) == (slurm, "")


def test_where_the_system_does_not_tell_nothing_is_refused(machine):
    machine(None)
    assert admit(need("algo=vkr", "dataset=sonar"), LOCAL) == (LOCAL, "")


def test_a_dry_run_says_what_it_needs_and_refuses_before_anything_is_written(machine, capsys, tmp_path):
    words = ["algo=l2_mkl", "kernel=gaussian", "dataset=gaussians", "dataset.n=20000"]
    machine(64 * GB)
    assert main(["run", *words, "--dry-run"]) == 0
    assert "needs      about" in capsys.readouterr().out
    machine(GB)
    for verb in (["run"], ["run", "--dry-run"], ["sweep"], ["sweep", "--dry-run"]):
        assert main([*verb, *words]) == 2
        error = capsys.readouterr().err
        assert "a cell of 12000 training examples" in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_of_all_data_sets_those_that_do_not_fit_are_left_out(machine):
    small, large = (plan_of("algo=l2_svm", "dataset=gaussians", f"dataset.n={n}") for n in (100, 20000))
    machine(2 * GB)
    cells = [*small.cells, *large.cells]
    left, lines = too_large([small, large], cells, LOCAL)
    assert left == list(small.cells)
    assert len(lines) == 1 and "12000 training examples" in lines[0]


def test_fewer_processes_are_said_and_the_run_goes_on(machine, capsys):
    words = ["algo=l2_svm", "dataset=sonar", "algo.Cs=[1.0]", "kernel.degrees=[1]"]
    machine(int(1.5 * plan_of(*words).cost.peak))
    assert main(["run", *words, "engine.jobs=2"]) == 0
    assert "1 process instead of 2" in capsys.readouterr().out
