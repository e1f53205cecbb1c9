"""A path that goes on from its middle does so for every kind of target."""

from dataclasses import replace

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Method, Point
from kernlearn.algorithms.core.predictor import Expansion
from kernlearn.runner.cell.cell import Group
from kernlearn.runner.cell.measure import measure
from kernlearn.runner.plan.plan import plan
from kernlearn.runner.store.partial import Kept
from kernlearn.solvers import Solution
from tests.runner.experiments import plan_of

POINTS = 3


def path(problem, resume=None):
    """Yield three points; the state of each is its number."""
    for i in range(resume[0] if resume else 0, POINTS):
        coef = np.zeros((1, len(problem.inputs), len(problem.y)))
        solution = Solution(coef[0, 0], 0.0, coef[0, 0], 0.0, 0.0, "optimal", 1, 1, 0.0)
        yield Point({"i": float(i)}, Expansion(coef, np.zeros(1)), (solution,), {}, lambda i=i: i)


class Always:
    """A keeper that saves after every point."""

    def __init__(self, kept):
        self.kept, self.saved = kept, []

    def load(self):
        return self.kept

    def look(self, position, kept=None):
        if kept:
            self.saved.append(kept())


@pytest.mark.parametrize(("target", "words"), [("signs", ["algo=l2_svm"]), ("reals", ["algo=krr", "task=regression"])])
def test_no_point_is_there_twice(target, words, monkeypatch):
    method = Method(
        "toy", "toy", "problems", {}, lambda family, **_: [{"i": float(i)} for i in range(POINTS)], path,
        targets=(target,),
    )  # fmt: skip
    experiment = plan_of("dataset=sonar", *words).experiment
    monkeypatch.setitem(ALGORITHMS, "toy", method)
    cell = plan(replace(experiment, algo=Group({"name": "toy"}))).cells[0]
    first = Always(Kept(0, 0, None, []))
    whole = measure(cell, first)
    again = measure(cell, Always(first.saved[1]))
    assert [row["i"] for row in again] == [row["i"] for row in whole] == [0.0, 1.0, 2.0]
