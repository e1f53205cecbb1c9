"""What estimators of structured machines have in common: one problem for all labels, of sequences or of examples."""

from collections.abc import Mapping
from typing import Any

from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.structured import struct_rmm, struct_svm
from kernlearn.estimators.common.fitting import MethodMixin
from kernlearn.parameters import Number, Parameter


class Unbounded(MethodMixin):
    """The support vector machine."""

    _advice = "; scale the features, or raise max_rounds"
    _method = struct_svm.METHOD
    _declared: Mapping[str, Parameter] = struct_svm.METHOD.parameters
    theta_: float

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {"B": values["B"]} if "B" in values else {}

    def _learn(self, problem: Problem, values: Mapping[str, Any]) -> Point:
        """Return the point for checked parameters, and keep what it says of the outputs."""
        point = super()._learn(problem, values)
        (self.theta_,) = point.facts["theta"].tolist()
        return point


class Bounded(Unbounded):
    """The relative margin machine: its bound is given, or a fraction of the way to that of the other machine."""

    _method = struct_rmm.METHOD
    _declared: Mapping[str, Parameter] = {**struct_rmm.METHOD.parameters, "B": Parameter(None, Number(low=1.0))}
    _may_be_none: tuple[str, ...] = ("B",)
    B_: float

    def _learn(self, problem: Problem, values: Mapping[str, Any]) -> Point:
        """Return the point for checked parameters, and keep what it says of the outputs and their bound."""
        point = super()._learn(problem, values)
        (self.B_,) = point.facts["B"].tolist()
        return point
