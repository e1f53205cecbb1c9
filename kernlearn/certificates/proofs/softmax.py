"""Logistic regression of several classes at once: the value of (P) at its weights, and of (D) at its probabilities.

::

    (P)  min_{W,b}  l1 |W|_1 + l2/2 |W|^2 + sum_i c_i (log sum_k exp(f_ik) - f_{i,y_i}) ,   f_i = W x_i + b
    (D)  max_p      sum_i c_i H(p_i) - sum_jk max(0, |V_jk| - l1)^2 / (2 l2) ,   V_k = sum_i c_i ([y_i = k] - p_ik) x_i
         subject to p_i >= 0,  sum_k p_ik = 1,   sum_i c_i (p_ik - [y_i = k]) = 0 if there are intercepts

with the entropy H. Where ``l2 = 0`` no ``|V_jk|`` may be above l1. Source: Lebanon and Lafferty (2001).
"""

from typing import Any

import numpy as np
from scipy.special import entr, logsumexp

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.outputs import EPS
from kernlearn.certificates.proofs.problem import VALUE, Weights, times
from kernlearn.certificates.proofs.proof import MADE, Proof
from kernlearn.twofold import total
from kernlearn.types import Array, Index


def softmax(X: Any, index: Index, costs: Array, W: Array, b: Array, l1: float, l2: float, *, bias: bool) -> Proof:
    """Return what is proved of weights and intercepts.

    Parameters
    ----------
    X : array or csr_array of shape (n, d)
    index : integer array of shape (n,)
        The classes.
    costs : array of shape (n,)
        Factors c_i >= 0 of the losses.
    W, b : arrays of shapes (n_classes, d) and (n_classes,)
    l1, l2 : float
    bias : bool
        Whether there are intercepts, which are not penalised.
    """
    rows = np.arange(len(index))
    machines = [Weights(X, w, l1, l2) for w in W]
    F = np.stack([m.outputs().plus(c).high for m, c in zip(machines, b.tolist(), strict=True)], axis=1)
    partition = logsumexp(F, axis=1)
    penalty = total(np.array([m.penalty()[0] for m in machines]))
    objective = penalty + total(costs * (partition - F[rows, index]))
    sizes = penalty + total(costs * (np.abs(partition) + np.abs(F[rows, index])))
    seen = np.zeros_like(F)
    seen[rows, index] = 1.0
    p = np.exp(F - partition[:, None])
    p /= p.sum(axis=1, keepdims=True)
    p = _balanced(p, seen, costs) if bias else p
    beta = costs[:, None] * (seen - p)
    parts = [m.conjugate(np.ascontiguousarray(column)) for m, column in zip(machines, beta.T, strict=True)]
    values, _, factors = (np.array(each) for each in zip(*parts, strict=True))
    factor = float(factors.min())  # of seen - p, which makes p a mean of both
    entropy = costs @ entr(seen + factor * (p - seen)).sum(axis=1)
    unsure = VALUE * (sizes + entropy) + EPS * float(np.abs(F).max(initial=0.0)) * total(costs)
    if bias:
        unsure += float(np.abs(beta.sum(axis=0)).sum() * np.abs(b).max())
    bound = max(0.0, entropy - total(values) - unsure)  # neither penalty nor losses are negative
    certificate = Certificate(objective, bound, total(costs) * np.log(len(W)))
    difference = max(0.0, objective - certificate.dual_objective)
    terms = [f"{times(part)}{norm}" for part, norm in ((l1, "|W|_1"), (0.5 * l2, "|W|^2")) if part]
    return Proof(
        problem=" + ".join([*terms, "sum_i c_i (log sum_k exp(f_k(x_i)) - f_(y_i)(x_i))"])
        + f" with c_i from {costs.min():.6g} to {costs.max():.6g}",
        objective=objective,
        lower_bound=certificate.dual_objective,
        relative_gap=certificate.gap,
        violation=0.0,
        multipliers=MADE,
        n_examples=int(np.count_nonzero(costs)),
        distance=(2.0 * difference / l2) ** 0.5 if l2 > 0.0 else np.inf,
        norm=float(np.linalg.norm(W)),
    )


def _balanced(p: Array, seen: Array, costs: Array) -> Array:
    """Return probabilities whose sums are those of the labels: a mean of p and of one distribution for all."""
    counts, off = costs @ seen, costs @ (p - seen)
    share = float((off / (off + counts)).clip(0.0).max())
    if share == 0.0:
        return p
    same = np.maximum(0.0, counts - (1.0 - share) / share * off)
    return (1.0 - share) * p + share * same / same.sum()
