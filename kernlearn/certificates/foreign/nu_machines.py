"""What is proved of NuSVC and NuSVR, whose margin or tube is free.

Of labels, for weights c_i of the examples with the sum m::

    (P)  min_{f,b,rho}  1/2 |f|^2 - nu m rho + sum_i c_i max(0, rho - y_i (f(x_i) + b))
    (D)  max_beta       - 1/2 |sum_i beta_i K(x_i, .)|^2
         subject to     0 <= y_i beta_i <= c_i,  sum_i beta_i = 0,  sum_i |beta_i| = nu m

LibSVM hands out the multiple of f whose margin rho is 1. The value of (P) is that of the best multiple. Of real
targets::

    (P)  min_{f,b,eps}  1/2 |f|^2 + C (nu m eps + sum_i c_i max(0, |y_i - f(x_i) - b| - eps))
    (D)  max_beta       sum_i y_i beta_i - 1/2 |sum_i beta_i K(x_i, .)|^2
         subject to     |beta_i| <= C c_i,  sum_i beta_i = 0,  sum_i |beta_i| <= C nu m

Source: Schoelkopf, Smola, Williamson and Bartlett (2000), New support vector algorithms.
"""

from typing import Any

import numpy as np

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.foreign.kernel_machines import Machine, machine_of, pairs, regression
from kernlearn.certificates.outputs import EPS
from kernlearn.certificates.proofs.examples import Examples
from kernlearn.certificates.proofs.problem import Problem, times
from kernlearn.certificates.proofs.proof import Proof, proof_of, shown_outputs
from kernlearn.certificates.svm import balanced, imbalance
from kernlearn.twofold import total
from kernlearn.types import Array


def nu_svc(estimator: Any, data: Examples) -> list[Proof]:
    """Return what is proved of a NuSVC: of every pair of classes."""
    return nu_machines(machine_of(estimator, data), data, float(estimator.nu))


def nu_svr(estimator: Any, data: Examples) -> list[Proof]:
    """Return what is proved of a NuSVR."""
    return nu_regression(machine_of(estimator, data), data, float(estimator.C), float(estimator.nu))


def nu_machines(machine: Machine, data: Examples, nu: float) -> list[Proof]:
    """Return what is proved of machines of all pairs of classes whose margins are free."""
    proofs = []
    for pair in pairs(machine, data):
        problem = Problem(loss="hinge", costs=data.weights[pair.rows], bias=True, **pair.solution)
        f, c, y = shown_outputs(problem), problem.costs, problem.target
        half = 0.5 * nu * total(c)
        penalty, unsure = problem.machine.penalty(f)
        margins = f.plus(problem.intercept)
        rho = _turning_point(margins.margins(y), c, 2.0 * half)
        losses, more = margins.losses(y, rho)
        slope = total(c * losses) - 2.0 * half * rho  # of (P) in the multiple of f, where it is 0
        multiple = max(0.0, -slope) / (2.0 * penalty) if penalty > 0.0 else 0.0
        objective = multiple * slope + multiple**2 * penalty
        a = np.maximum(0.0, y * pair.solution["beta"])
        for sign in (1.0, -1.0):
            a[y == sign] = _with_sum(a[y == sign], c[y == sign], half)
        signed = balanced(y * a)
        square, off, _ = problem.machine.conjugate(signed, f)
        missing = abs(total(np.abs(signed)) - 2.0 * half) * multiple * abs(rho)
        rounding = multiple**2 * unsure + multiple * total(c * more) + off
        bound = -square - missing - multiple * imbalance(signed, f) - counted(rounding, objective, 0.0)
        words = f"1/2 |f|^2 - {times(2.0 * half)}rho + sum_i {_weight(data)}max(0, rho - y_i (f(x_i) + b))"
        norm = multiple * problem.machine.norm(f)
        certificate = Certificate(objective, bound, 0.0)
        proofs.append(proof_of(problem, certificate, f"{words}, for the best multiple of f", norm))
    return proofs


def nu_regression(machine: Machine, data: Examples, C: float, nu: float) -> list[Proof]:
    """Return what is proved of a support vector regression whose tube is free."""
    problem = Problem(loss="epsilon_insensitive", costs=C * data.weights, **regression(machine, data))
    assert problem.beta is not None
    f, y, c = shown_outputs(problem), problem.target, problem.costs
    most = nu * total(c)
    fitted = f.plus(problem.intercept)
    residual = np.abs((fitted.high - y) + fitted.low)
    epsilon = max(0.0, -_turning_point(-residual, c, most))
    penalty, unsure = problem.machine.penalty(f)
    losses = np.maximum(0.0, residual - epsilon)
    objective = penalty + most * epsilon + total(c * losses)
    beta = problem.feasible(problem.beta)
    beta *= min(1.0, most / total(np.abs(beta))) if beta.any() else 1.0
    square, off, _ = problem.machine.conjugate(beta, f)
    largest = 1.0 + float(np.abs(y).max())
    rounding = unsure + off + total(c * f.rounding)
    bound = total(y * beta) - square - largest * imbalance(beta, f) - counted(rounding, objective, 0.0)
    loss = f"{times(C)}sum_i {_weight(data)}max(0, |y_i - f(x_i) - b| - eps)"
    words = f"1/2 |f|^2 + {times(most)}eps + {loss}"
    return [proof_of(problem, Certificate(objective, bound, 0.0), words, problem.machine.norm(f))]


def _turning_point(z: Array, c: Array, mass: float) -> float:
    """Return a t at which ``sum_i c_i max(0, t - z_i) - mass t`` is least."""
    order = np.argsort(z, kind="stable")
    place = int(np.searchsorted(np.cumsum(c[order]), mass * (1.0 - EPS)))
    return float(z[order[min(place, len(z) - 1)]])


def _with_sum(a: Array, c: Array, wanted: float) -> Array:
    """Return ``min(t a, c)`` for the t with which its sum is the wanted one, or c where it falls short of that."""
    used = a > 0.0
    breaks = np.argsort(c[used] / a[used], kind="stable")
    own, most = a[used][breaks], c[used][breaks]
    rest = np.cumsum(own[::-1])[::-1]
    factors = (wanted - np.append(0.0, np.cumsum(most)[:-1])) / rest
    reached = np.flatnonzero(factors * own <= most)
    values = np.minimum(factors[reached[0]] * a, c) if len(reached) else np.where(used, c, 0.0)
    if (short := wanted - total(values)) > 0.0 and (room := total(c - values)) > 0.0:
        values = values + min(1.0, short / room) * (c - values)
    return values


def _weight(data: Examples) -> str:
    return "" if data.unweighted else "c_i "
