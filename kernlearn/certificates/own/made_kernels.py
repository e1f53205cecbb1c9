"""Problems whose kernel, or threshold, is made of the training examples first: rebuilt, with what is proved of each.

As in `kernlearn.certificates.own.problems`, the problem of a method is at the head of its module.
"""

from typing import NamedTuple

import numpy as np

from kernlearn.certificates.linear import fisher, means_coincide
from kernlearn.certificates.outputs import outputs
from kernlearn.certificates.own.parts import Proved, gram, require_coefficients, require_intercept, svm_in_words
from kernlearn.certificates.own.stored import Trained
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.problem import Problem, Weights, number
from kernlearn.certificates.proofs.proof import prove
from kernlearn.certificates.svm import svm
from kernlearn.kernels import Whitening
from kernlearn.kernels.matrices.centring import centre
from kernlearn.types import Array

#: The largest relative gap of what is solved before, or after, the problem itself.
BESIDE = 1e-6
#: A direction with a smaller part of the largest variance is left out, and one that rounding may have made.
RANK, EPS, ABOVE = 1e-8, float(np.finfo(np.float64).eps), 100.0
LEFT_OUT = "the directions of the kernel with the largest variances; others were left out"


def klda(one: Trained) -> Proved:
    """Return what is proved of a kernel Fisher discriminant.

    Its threshold is between the projected class means, or that of a support vector machine on the projections.
    """
    inputs, mu = gram(one), float(one.values["mu"])
    K = inputs.matrix(0)
    size = 2.0 ** (np.frexp(float(K.max()))[1] - 1)  # as in the path of the method
    unit = float(np.vdot(K / size, K / size)) / len(one.y)
    if one.options["threshold"] == "svm":
        words = _threshold_of_svm(one, outputs(inputs, one.primal[None]).high)
    else:
        require_coefficients(one, one.primal)
        z, words = outputs(inputs, one.coef).high, ""
        means = [float(z[one.y == sign].mean()) for sign in (1.0, -1.0)]
        require_intercept(one, -0.5 * sum(means), float(np.abs(K @ np.abs(one.primal)).max(initial=0.0)))
    proof = fisher(inputs, one.y, one.primal, (mu * unit) or 1.0, size, float(means_coincide(inputs, one.y)))
    problem = f"alpha'(N + {number(mu)} I) alpha - 2 alpha'd with the scatter N within classes and their distance d"
    return Proved(proof, problem + words)


def _threshold_of_svm(one: Trained, z: Array) -> str:
    """Return in words how good the threshold of an SVM on projections z is; raise `UserError` if it is another."""
    deviation = float(z.std()) or 1.0
    standard, direction = (z - float(z.mean())) / deviation, one.primal
    size = float(direction @ direction)
    factor = float(one.coef[0] @ direction) / size if size else 0.0
    require_coefficients(one, factor * direction)
    line = Problem(
        loss="hinge",
        target=one.y,
        costs=np.ones(len(z)),
        machine=Weights(standard[:, None], np.array([factor * deviation])),
        intercept=one.intercept + factor * float(z.mean()),
        bias=True,
    )
    gap = prove(line).relative_gap
    if not abs(gap) <= BESIDE:
        raise OtherData(f"klda: the threshold is not that of an SVM on the projections: its relative gap is {gap:.1e}")
    return f"; the threshold is that of an SVM on the projections, up to a relative gap of {max(0.0, gap):.1e}"


def sigma_svm(one: Trained) -> Proved:
    """Return what is proved of an SVM with a whitened kernel, which is made of the kernel and the examples."""
    C, D, inputs = float(one.values["C"]), float(one.values["D"]), gram(one)
    unit = float(inputs.diagonal(0).mean()) or 1.0
    K, _ = inputs.centred_matrix(0)
    whitening = Whitening(K / unit, D)
    require_coefficients(one, whitening.coefficients(one.primal)[0])
    learned = unit * whitening.matrix, one.primal
    proof = svm(inputs, one.y, one.coef[0], one.intercept, one.dual, C, weights=one.weights, learned=learned)
    words = svm_in_words(one)
    return Proved(proof, f"{words} with the whitened kernel of D = {number(D)}", 1.0)


class Ellipsoid(NamedTuple):
    """The points x with ``(x - centre)'M(x - centre) <= 1``, and the relative gap of its volume's d-th root."""

    centre: Array
    M: Array
    gap: float


def ellipsoid(X: Array, u: Array, E: float) -> Ellipsoid:
    """Return the ellipsoid that multipliers u of the points X, shape (n, d), describe, and what is proved of it.

    See `kernlearn.solvers.kernel_weights.ellipsoid` for the problem and its dual.
    """
    d = X.shape[1]
    E = min(E, 0.5 * d)
    u = np.clip(u, 0.0, E)
    if not u.any():
        raise OtherData("ekm: the multipliers of the ellipsoid are all 0")
    middle = u @ X / u.sum()
    moved = X - middle
    S = 2.0 * (u[:, None] * moved).T @ moved
    sign, log_det = np.linalg.slogdet(S)
    if sign <= 0.0:
        raise OtherData("ekm: the multipliers are of no ellipsoid around the examples")
    M = np.linalg.inv(S)
    q = np.einsum("ij,jk,ik->i", moved, M, moved)
    as_is, around = E * float(np.maximum(q - 1.0, 0.0).sum()), 0.5 * d * float(np.log(q.max()))
    gap = float(np.expm1((min(as_is, around) - 0.5 * d + float(u.sum())) / d))
    return Ellipsoid(middle, M / q.max() if around < as_is else M, gap)


def ekm(one: Trained) -> Proved:
    """Return what is proved of an SVM in the ellipsoid around its examples, and that this one is the smallest."""
    C, E, inputs = float(one.values["C"]), float(one.values["E"]), gram(one)
    if one.dual.shape != (2, len(one.y)):
        raise OtherData("ekm: the model does not have its ellipsoid; fit it again")
    K, _ = inputs.centred_matrix(0)
    values, vectors = np.linalg.eigh(centre(K))
    rounding = len(K) * EPS * float(np.abs(K).max())
    kept = values > max(RANK * max(float(values[-1]), 0.0), rounding)
    if not kept.any():
        raise OtherData("ekm: all examples are the same")
    basis = vectors[:, kept] - vectors[:, kept].mean(axis=0)
    scales = np.sqrt(len(K)) / values[kept]
    points = (K - K.mean(axis=0)) @ basis * scales
    ball = ellipsoid(points, one.dual[1], E)
    allowed = min(max(BESIDE, float(one.options["tol"])), 1e3 * BESIDE)
    if not abs(ball.gap) <= allowed:
        raise OtherData(f"ekm: the ellipsoid is not the smallest one: its relative gap is {ball.gap:.1e}")
    moved = points - ball.centre
    size = np.abs(basis) @ (scales * (np.abs(ball.M) @ (np.abs(moved.T) @ np.abs(one.primal))))
    require_coefficients(one, basis @ (scales * (ball.M @ (moved.T @ one.primal))), float(size.max()))
    learned = moved @ ball.M @ moved.T, one.primal
    proof = svm(inputs, one.y, one.coef[0], one.intercept, one.dual[0], C, weights=one.weights, learned=learned)
    words = svm_in_words(one)
    smallest = f"that of E = {number(E)}, up to a relative gap of {max(0.0, ball.gap):.1e}"
    only = LEFT_OUT if np.any(~kept & (values > ABOVE * rounding)) else ""
    return Proved(proof, f"{words} with the kernel that makes the ellipsoid the unit ball, {smallest}", 1.0, only)
