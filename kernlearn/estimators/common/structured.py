"""What estimators of structured machines have in common: one problem for all labels, of sequences or of examples."""

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.algorithms.common.relative_margin import FRACTION, bound
from kernlearn.algorithms.structured.machines import PARAMETERS, machine_of_classes, machine_of_sequences
from kernlearn.datasets.core.chains import Chains
from kernlearn.estimators.common.expansion import Output, SingleKernelClassifier
from kernlearn.estimators.common.sequences import SequenceTagger
from kernlearn.kernels import GramStack
from kernlearn.parameters import Number, Parameter, check_attributes
from kernlearn.solvers import Solution
from kernlearn.solvers.structured.solver import StructuredSolver
from kernlearn.types import Array


class Unbounded:
    """The support vector machine."""

    _declared: Mapping[str, Parameter] = PARAMETERS

    def _solve(self, solver: StructuredSolver, values: Mapping[str, Any]) -> tuple[Solution, float]:
        """Return the solution for checked parameters, and its bound."""
        return solver.solve(values["C"]), inf


class Bounded:
    """The relative margin machine: its bound is given, or a fraction of the way to that of the other machine."""

    _declared: Mapping[str, Parameter] = {
        **PARAMETERS,
        "fractions": Parameter(None, FRACTION, single="fraction"),
        "B": Parameter(None, Number(low=1.0)),
    }
    _may_be_none: tuple[str, ...] = ("B",)

    def _solve(self, solver: StructuredSolver, values: Mapping[str, Any]) -> tuple[Solution, float]:
        """Return the solution for checked parameters, and its bound."""
        if (B := values.get("B")) is None:
            solver.solve(values["C"])
            B = bound(solver.theta, values["fraction"])
        return solver.solve(values["C"], B), B


class StructuredTagger(SequenceTagger):
    """Base of machines that give a label to every place of a sequence."""

    _limit = "max_rounds"

    def _learn(self, sequences: Chains, labels: NDArray[np.intp], values: Mapping[str, Any]) -> Solution:
        options = (values["tol"], values["max_rounds"], values["solver"])
        inputs = replace(self._inputs)  # which keeps its matrix of products for as long as it is learned from
        machine = machine_of_sequences(inputs, labels, len(self.classes_), options)
        solution, B = self._solve(machine.solver, values)
        predictor, solution = machine.finish(solution, values["C"], B)
        self._keep(predictor)
        self.theta_ = machine.solver.theta
        if B < inf:
            self.B_ = B
        return solution


class StructuredClassifier(SingleKernelClassifier):
    """Base of machines that have one problem for all classes of single examples."""

    _advice = "; scale the features, or raise max_rounds"

    def _solve_classes(self, stack: GramStack, index: NDArray[np.intp], weights: Array | None) -> list[Output]:
        values = check_attributes(self, self._declared, self._may_be_none)
        options = (values["tol"], values["max_rounds"], values["solver"])
        machine = machine_of_classes(stack, 0, {}, index, len(self.classes_), options)
        solution, B = self._solve(machine.solver, values)
        self._facts |= {"theta_": machine.solver.theta} | ({"B_": B} if B < inf else {})
        found, solution = machine.finish(solution, values["C"], B)
        flat = replace(solution, dual=np.abs(found.coef).sum(axis=(0, 1)))  # one number an example
        return [(coef, 0.0, flat) for coef in found.coef]
