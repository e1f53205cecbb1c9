"""Which cells are together in a job, and how many processes beside each other, by the memory that they need."""

import pytest

from kernlearn.errors import UserError
from kernlearn.memory import GB
from kernlearn.runner.engines.placement import beside_each_other, by_memory
from kernlearn.runner.plan.capacity import placed
from tests.runner.experiments import plan_of
from tests.runner.works import cells


def test_cells_of_alike_memory_are_together_and_the_dearest_come_first():
    todo = cells(40)
    needs = {cell.key: GB * (1.0 + cell.options["number"]) for cell in todo[:-1]}
    groups = by_memory(todo, needs)
    assert sorted(cell.options["number"] for _, group in groups for cell in group) == list(range(40))
    for need, group in groups:
        of_group = [needs.get(cell.key, 0.0) for cell in group]
        assert need == max(of_group) <= 2.0 * min(of_group) or need == 0.0
    assert [need for need, _ in groups] == sorted((need for need, _ in groups), reverse=True)
    assert groups[-1] == (0.0, [todo[-1]])


@pytest.mark.parametrize(("need", "processes"), [(0.0, 8), (1.0, 8), (3.0, 3), (5.5, 1), (10.0, 1)])
def test_there_are_no_more_processes_than_fit(need, processes):
    assert beside_each_other(need * GB, 10.0 * GB, 8, "n1") == processes


def test_what_fits_nowhere_is_refused_in_one_line():
    with pytest.raises(UserError, match=r"a cell needs 11.0 GB of memory, but n1 has 10.0 GB; engine.headroom=1"):
        beside_each_other(11.0 * GB, 10.0 * GB, 8, "n1")


def test_needs_are_the_estimate_times_the_headroom_and_within_a_limit():
    plan = plan_of("algo=l2_mkl", "kernel=gaussian", "dataset=sonar")
    engine = {"name": "slurm", "nodes": 2, "cpus": 1, "minutes": 5, "memory": 0, "headroom": 1.5}
    given = placed([plan], plan.cells[1:], engine)
    assert given == {**{k: v for k, v in engine.items() if k != "headroom"}, "needs": given["needs"]}
    assert given["needs"] == dict.fromkeys(plan.keys[1:], 1.5 * plan.cost.peak)
    limited = placed([plan], plan.cells, {**engine, "memory": 1e-3})["needs"]
    assert set(limited.values()) == {1.5 * (plan.cost.base + 1e-3 * GB)}
    local = {"name": "local", "jobs": 2, "memory": 0}
    assert placed([plan], plan.cells, local) == local
