"""What is proved of somebody's solution, as a record and in words."""

from dataclasses import dataclass, replace
from math import inf, isfinite

import numpy as np

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import Outputs
from kernlearn.certificates.proofs.examples import require_shown
from kernlearn.certificates.proofs.multipliers import points
from kernlearn.certificates.proofs.problem import Problem, certificate_of

#: Where the dual point of a bound is from.
OWN, MADE, STORED = "the multipliers of the solution", "the predictor", "the stored multipliers"
#: A relative gap below this is rounding.
EXACT = 1e-12
#: A relative gap from which on the data are doubted, too.
DOUBTFUL = 0.5


@dataclass(frozen=True, kw_only=True)
class Proof:
    """Bounds of a convex problem, computed from the data and a solution, without solving anything.

    Attributes
    ----------
    problem : str
        The problem that is minimised, in words.
    name : str
        Which one it is, of an estimator that solves several.
    objective : float
        The value of the problem at the predictor that is handed out, in the estimator's own units.
    lower_bound : float
        No predictor has a smaller value. What rounding may be worth is subtracted.
    relative_gap : float
        Their difference as a part of the objective. Below 0 it is rounding.
    violation : float
        By how much the multipliers that came with the solution miss the dual constraints, as a part of the largest of
        them. The bound is that of multipliers after they were made feasible.
    multipliers : str
        What the dual point was made from.
    distance : float
        The function, without its intercept, is at most this far from the optimal one in its norm: the norm of the
        kernel, or that of the weights. Infinite if the penalty is not strongly convex.
    norm : float
        The norm of the function itself.
    n_examples : int
        Examples of a weight above 0.
    only : str
        What the proof is restricted to; empty where it is of the whole problem.
    n_parts : int
        The number of parts in which the multipliers were taken, since all pairs of them are too many kernel values.
    parts : tuple of Proof
        All problems of an estimator that solves several. The other attributes are those of the part with the largest
        relative gap.
    """

    problem: str
    objective: float
    lower_bound: float
    relative_gap: float
    violation: float
    multipliers: str
    n_examples: int
    distance: float = inf
    norm: float = 0.0
    name: str = ""
    only: str = ""
    n_parts: int = 1
    parts: tuple["Proof", ...] = ()

    @property
    def gap(self) -> float:
        """The objective is at most this far above the optimum, in the estimator's own units."""
        return self.objective - self.lower_bound

    def __str__(self) -> str:
        return "\n".join(self._sentences())

    def _sentences(self) -> list[str]:
        where = f" ({self.name})" if self.name else ""
        lines = [f"The problem{where}: minimise {self.problem}, on {self.n_examples} examples."]
        if self.parts:
            lines.insert(0, f"Of {len(self.parts)} problems, this one has the largest gap.")
        if self.objective == inf:
            lines.append("The predictor violates constraints: it does not separate the examples.")
        else:
            lines.append(f"The objective of the predictor is {self.objective:.10g}.")
        lines.append(f"No predictor has an objective below {self.lower_bound:.10g}.")
        if self.objective == inf:
            lines.append("Nothing is proved of how near to the optimum it is.")
        elif not isfinite(self.relative_gap):
            lines.append(f"It is at most {self.gap:.3g} above the optimum, and its objective is 0.")
        elif abs(self.relative_gap) <= EXACT:
            lines.append("The predictor is optimal up to rounding.")
        elif self.relative_gap < 0.0:
            over = f"{-self.relative_gap:.1e} of the objective"
            lines.append(f"The bound is above the objective by {over}: by rounding or a defect.")
        else:
            share = as_share(self.relative_gap)
            lines.append(f"It is at most {self.gap:.3g} above the optimum: {share} of the objective of the predictor.")
        if self.only:
            lines.append(f"This is proved for {self.only}.")
        if self.distance < inf and self.norm > 0.0:
            lines.append(
                f"The norm of the function is {self.norm:.3g}, and the function is at most {self.distance:.3g} "
                "away from the optimal function in this norm."
            )
        if self.multipliers == MADE:
            lines.append("The multipliers of the bound were made from the predictor, so the true gap may be smaller.")
        elif self.violation > EXACT:
            missed = f"{self.violation:.1e} of the largest"
            lines.append(f"The multipliers violated constraints by {missed}; they were corrected for the bound.")
        if self.n_parts > 1:
            lines.append(f"The multipliers were taken in {self.n_parts} parts, so the true gap may be smaller.")
        if DOUBTFUL <= self.relative_gap < inf:
            lines.append("A gap this large may also mean that X, y or the weights differ from the training data.")
        return lines


def prove(problem: Problem) -> Proof:
    """Return what is proved of the solution of one problem.

    Raises
    ------
    UserError
        As for `shown_outputs`.
    """
    f = shown_outputs(problem)
    certificate = certificate_of(problem, f, points(problem, f))
    return proof_of(problem, certificate, problem.words, problem.machine.norm(f))


def shown_outputs(problem: Problem) -> Outputs:
    """Return the outputs of a machine on the examples, without the intercept.

    Raises
    ------
    UserError
        If the estimator shows other outputs than its coefficients have on the data.
    """
    f = problem.machine.outputs()
    if problem.shown is not None:
        some, shown = problem.shown
        computed = f.plus(problem.intercept)
        require_shown(shown, computed.high[some], computed.rounding[some])
    return f


def proof_of(problem: Problem, certificate: Certificate, words: str, norm: float) -> Proof:
    """Return a certificate of the solution of a problem, and the norm of its function, as a proof."""
    difference = max(0.0, certificate.objective - certificate.dual_objective) / problem.unit
    convexity = problem.machine.convexity
    return Proof(
        problem=words,
        name=problem.name,
        objective=certificate.objective,
        lower_bound=certificate.dual_objective,
        relative_gap=certificate.gap,
        violation=certificate.violation,
        multipliers=MADE if problem.beta is None else OWN,
        n_examples=int(np.count_nonzero(problem.costs)),
        distance=(2.0 * difference / convexity) ** 0.5 if convexity > 0.0 else inf,
        norm=norm,
    )


def worst_of(proofs: list[Proof]) -> Proof:
    """Return one proof of all problems of an estimator: that of the largest relative gap, with all as its parts."""
    worst = max(proofs, key=lambda proof: proof.relative_gap)
    return worst if len(proofs) == 1 else replace(worst, parts=tuple(proofs))


def as_share(value: float) -> str:
    """Return a part of something in percent, or as a power of 10 if it is small."""
    return f"{100.0 * value:.3g} %" if value >= 1e-4 else f"{value:.1e}"
