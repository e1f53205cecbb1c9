"""Functions of a kernel with few centres: what the solution of an approximate problem is worth in the exact one.

A function ``f = sum_j a_j K(z_j, .)`` of m centres is a point of the problem with the kernel K, whatever solver found
it, and its value there takes ``n m`` kernel values. The features ``phi(x) = M'k(L, x)`` of Nystroem's method have such
functions: ``w.phi`` has the coefficients ``a = M w``. A bound of the exact optimum is the dual value at any multipliers
beta that are feasible there, such as those of the approximate problem. With s of them it takes ``s^2`` kernel values.

That is too much for the largest data. The examples are then divided into parts b, and of the functions
``g_b = sum_(i in b) beta_i K(x_i, .)`` the triangle inequality gives a smaller bound, with ``s`` times the size of a
part as the number of kernel values::

    |sum_b g_b| <= sum_b |g_b|                                                                                   (1)

Source: Williams and Seeger (2001) for the features; the bounds are those of `kernlearn.certificates.proofs.problem`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernlearn.certificates.outputs import EPS, Inputs, Outputs, outputs
from kernlearn.certificates.proofs.multipliers import points
from kernlearn.certificates.proofs.problem import Problem, certificate_of, lower_bound
from kernlearn.certificates.proofs.proof import MADE, OWN, Proof, proof_of, shown_outputs
from kernlearn.kernels import KernelFamily
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.twofold import total
from kernlearn.types import Array, Index

#: Kernel values that a bound takes at most: some seconds on one core.
MOST_VALUES = 1e9
#: Bytes of kernel values of a family that does not stream, at a time.
AT_ONCE = 2.0**26


@dataclass(frozen=True)
class Centres:
    """A function ``f = sum_j coef_j K(z_j, .) + offset`` of examples X, with the penalty ``l2/2 (|f|^2 + offset^2/c)``.

    Attributes
    ----------
    family : KernelFamily
        Of one kernel, which is positive semidefinite.
    X, Z : arrays or sparse matrices of shape (n, d), (m, d)
        The examples and the centres.
    coef : array of shape (m,)
    l2 : float > 0
        The penalty is ``l2/2 |f|^2``.
    constant : float >= 0
        The constant c that is added to the kernel. The offset is the part of the function that is due to it.
    offset : float
    most : float
        Kernel values that a bound may take. If all pairs of multipliers are more, it is that of (1).
    rows : integer array of shape (m,), optional
        Which examples the centres are; then their kernel values are computed once.
    """

    family: KernelFamily
    X: Any
    Z: Any
    coef: Array
    l2: float = 1.0
    constant: float = 0.0
    offset: float = 0.0
    most: float = MOST_VALUES
    rows: Index | None = None

    @property
    def inputs(self) -> Inputs:
        """The kernel on the examples."""
        return kernel_stack(self.family, self.X, self.X, 0.0)

    @property
    def symbol(self) -> str:
        """The function in words."""
        return "(f(x_i) + b)" if self.constant else "f(x_i)"

    def outputs(self) -> Outputs:
        """Return f on the examples."""
        return _expanded(self.family, self.X, self.Z, self.coef).plus(self.offset)

    def penalty(self, f: Outputs) -> tuple[float, float]:
        """Return the penalty of the function with the outputs f, and what rounding may add to it."""
        square, unsure = self._square(f)
        square += self.offset**2 / self.constant if self.constant else 0.0
        return 0.5 * self.l2 * square, 0.5 * self.l2 * (unsure + 4.0 * EPS * square)

    def _square(self, f: Outputs) -> tuple[float, float]:
        """Return the squared norm of the function without its offset, and what rounding may add to it."""
        if self.rows is None:
            own = _expanded(self.family, self.Z, self.Z, self.coef)
        else:
            own = Outputs(*(part[self.rows] for part in f.plus(-self.offset)))
        square, unsure = own.inner(self.coef)
        return max(square, 0.0), unsure

    def penalties(self) -> list[tuple[float, str]]:
        """Return the terms of the penalty: factors, and norms in words."""
        own = [(0.5 * self.l2 / self.constant, "b^2")] if self.constant else []
        return [(0.5 * self.l2, "|f|^2"), *own]

    def conjugate(self, beta: Array, f: Outputs) -> tuple[float, float, float]:
        """Return the conjugate of the penalty at ``sum_i beta_i K(x_i, .)``, what rounding may add, and a factor.

        It is an upper bound of the conjugate if the examples are taken in parts. All multipliers are feasible.
        """
        norm, rounding, parts = 0.0, 0.0, self.parts(beta)
        for part in parts:
            own = beta[part]
            if len(parts) == 1 and self.rows is not None and _are_multiples(own, self.coef, part, self.rows, self.l2):
                square, unsure = (self.l2**2 * value for value in self._square(f))
            else:
                square, unsure = _expanded(self.family, self.X[part], self.X[part], own).inner(own)
            square = max(square, 0.0)
            norm += square**0.5
            rounding += (square + unsure) ** 0.5 - square**0.5
        square = norm**2 + self.constant * total(beta) ** 2
        unsure = 2.0 * norm * rounding + rounding**2 + 4.0 * EPS * square
        return 0.5 * square / self.l2, 0.5 * unsure / self.l2, 1.0

    def parts(self, beta: Array) -> list[Index]:
        """Return the examples with a multiplier, in as few parts as `most` allows; each has some of all classes."""
        used = np.flatnonzero(beta)
        n_parts = max(1, int(np.ceil(float(len(used)) ** 2 / self.most)))
        return [used[k::n_parts] for k in range(min(n_parts, max(1, len(used))))]

    def norm(self, f: Outputs) -> float:
        """Return the norm whose square is penalised."""
        return (2.0 * self.penalty(f)[0] / self.l2) ** 0.5

    @property
    def convexity(self) -> float:
        """The modulus of strong convexity of the penalty in this norm."""
        return self.l2


def prove_centres(problem: Problem, *, made: bool = False) -> Proof:
    """Return what is proved of a function with few centres, by multipliers that need not be its own.

    Parameters
    ----------
    problem : Problem
        Its machine is one of `Centres`, and it has multipliers.
    made : bool
        Whether the multipliers were made from the predictor, see `best_multipliers`.

    Raises
    ------
    UserError
        If the outputs that an estimator shows are not those of the machine.
    """
    machine, beta = problem.machine, problem.beta
    assert isinstance(machine, Centres) and beta is not None
    f = shown_outputs(problem)
    proof = proof_of(problem, certificate_of(problem, f, [beta]), problem.words, machine.norm(f))
    n_parts = len(machine.parts(problem.feasible(beta)))
    return replace(proof, multipliers=MADE if made else OWN, n_parts=n_parts)


def best_multipliers(problem: Problem) -> Array:
    """Return feasible multipliers made from the predictor of a problem, those with the best bound."""
    f = problem.machine.outputs()
    found = [*points(problem, f)]
    if len(found) == 1:
        return problem.feasible(found[0])
    bounds = [bound - off for bound, off in (lower_bound(problem, one, f) for one in found)]
    return problem.feasible(found[int(np.argmax(bounds))])


def _expanded(family: KernelFamily, X: Any, Z: Any, coef: Array) -> Outputs:
    """Return the outputs of an expansion on examples, without more kernel values than fit at a time."""
    parts = [outputs(kernel_stack(family, rows, Z, 0.0), coef[None]) for rows in _blocks(family, X, len(coef))]
    return Outputs(*(np.concatenate(some) for some in zip(*parts, strict=True)))


def _are_multiples(beta: Array, coef: Array, part: Index, rows: Index, factor: float) -> bool:
    """Return whether multipliers are the coefficients of the same examples times a factor."""
    return np.array_equal(part, rows) and np.array_equal(beta, factor * coef)


def _blocks(family: KernelFamily, X: Any, m: int) -> Iterator[Any]:
    step = X.shape[0] if family.streams else max(1, int(AT_ONCE / (8.0 * max(1, m))))
    for start in range(0, X.shape[0], max(1, step)):
        yield X[start : start + step]
