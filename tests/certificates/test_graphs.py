"""Certificates of functions on a graph, against exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array

from kernlearn import GraphClassifier
from kernlearn.algorithms.transduction.sgt import solve_sgt, targets
from kernlearn.certificates.alignment import alignment
from kernlearn.certificates.graphs import machine, propagation, spreading, transducer
from tests.certificates.exact import balance, fractions


def graph(seed):
    """A graph with weights of whole numbers, labels of some nodes, and any values of the others."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 9))
    W = np.triu(rng.integers(0, 3, (n, n)), 1).astype(float)
    W += W.T
    Y = np.zeros((n, 2))
    Y[0, 0] = Y[1, 1] = 1.0
    F = rng.random((n, 2))
    F[:2] = Y[:2]
    return W, Y, F, rng


@pytest.mark.parametrize("seed", range(8))
def test_propagation_and_spreading_have_the_values_of_fractions(seed):
    W, Y, F, rng = graph(seed)
    w, labels, f = (fractions(v) for v in (W, Y, F))
    L = np.diag(w.sum(axis=1)) - w
    P = sum((f * (L @ f)).ravel()) / 2
    D = sum((labels * (L @ f))[:2].ravel()) + sum(min(0, v) for v in (L @ f)[2:].ravel()) - P
    proved = propagation(csr_array(W), Y, F)
    assert abs(Fraction(proved.objective) - P) <= P / 10**14 and proved.violation == 0.0
    assert Fraction(proved.dual_objective) <= D <= Fraction(proved.dual_objective) + (1 + P + abs(D)) / 10**12
    alpha = 0.75
    d = np.where(W.sum(axis=1) > 0, W.sum(axis=1), 1.0)
    A = np.eye(len(W)) - alpha * W / np.sqrt(np.outer(d, d))
    a, part = fractions(A), 1 - Fraction(alpha)
    P = sum((f * (a @ f)).ravel()) / 2 - part * sum((labels * f).ravel())
    D = P - sum(((a @ f - part * labels) ** 2).ravel()) / (2 * part)
    proved = spreading(csc_array(A), Y, F, alpha)
    assert abs(Fraction(proved.objective) - P) <= Fraction(1, 10**13)
    assert Fraction(proved.dual_objective) <= D <= Fraction(proved.dual_objective) + Fraction(1, 10**12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("C", [1e-2, 1.0, 1e4])
@pytest.mark.parametrize("seed", range(5))
def test_the_transducer_has_the_value_of_fractions_and_a_bound_for_every_point_of_the_sphere(seed, C):
    rng = np.random.default_rng(seed)
    m, q, n = 6, 4, 10.0
    V, y = rng.normal(size=(m, q)), np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0])
    P, tau = targets(y)
    solution = solve_sgt(V, y, int(n), C)
    assert solution.status == "optimal"

    def exact(z):
        v, p, t, z = (fractions(x) for x in (V, P, tau, z))
        r = v @ z - t
        return sum(Fraction((i + 1) ** 2) * x * x for i, x in enumerate(z)) / 2 + Fraction(C) * sum(p * r * r)

    assert solution.objective == pytest.approx(float(exact(solution.x)), rel=1e-12)
    for x in rng.normal(size=(50, q)):
        z = np.sqrt(n) * x / np.linalg.norm(x)
        assert solution.dual_objective <= float(exact(z)) * (1 + 1e-12)
        assert transducer(V, P, tau, n, C, z, float(solution.dual[0])).dual_objective <= solution.objective
    far = transducer(V, P, tau, n, C, solution.x, float(solution.dual[0]) + 1.0)  # not convex
    assert far.dual_objective < solution.objective


@pytest.mark.parametrize("method", ["label_propagation", "label_spreading", "sgt"])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_graph_estimators_prove_their_values(method, scale):
    rng = np.random.default_rng(0)
    X = scale * np.vstack([rng.integers(0, 5, (30, 2)), [[0, 0], [4, 4]]]).astype(float)
    y = np.full(32, -1)
    y[-2:], y[0] = (0, 1), 1
    model = GraphClassifier(method).fit(X, y)
    assert model.dual_objective_ <= model.objective_ and 0.0 <= model.gap_ <= 1e-6


@pytest.mark.parametrize("B", [np.inf, 1.5])
@pytest.mark.parametrize("seed", range(6))
def test_machines_have_the_values_of_fractions(seed, B):
    rng = np.random.default_rng(seed)
    m, q, C = 7, 3, 2.0
    F, y = rng.integers(-3, 4, (m, q)).astype(float), np.array([1.0, -1.0] * 3 + [1.0])
    delta, gam = rng.random(q), rng.integers(-4, 5, m) / 8.0
    w = delta * (F.T @ gam)
    alpha, outer = rng.integers(0, 9, m) / 4.0, rng.integers(0, 3, (2, m)) / 4.0 * np.isfinite(B)
    proved = machine(F, y, w, 0.25, delta, np.vstack([alpha, outer]), C, B, lambda v: float(v.max()))
    f, v, u, d, a, o = (fractions(x) for x in (F, y, w, delta, alpha, outer))
    out = f @ u + Fraction(0.25)
    shrink = min(Fraction(1), Fraction(B) / max(abs(out))) if np.isfinite(B) else Fraction(1)
    losses = sum(max(0, 1 - s * shrink * t) for s, t in zip(v, out, strict=True))
    P = shrink**2 * sum(u**2 / d) / 2 + Fraction(C) * losses
    assert abs(Fraction(proved.objective) / P - 1) < Fraction(1, 10**13)
    assert abs(Fraction(proved.stretch) - shrink) < Fraction(1, 10**13)
    with_another = np.append(delta[:-1], 0.0)  # a weight of 0 beside a coefficient
    assert machine(F, y, w, 0.25, with_another, np.vstack([alpha, outer]), C, B, lambda v: 0.0).objective == np.inf
    terms = balance(np.array([a * v, -o[0], o[1]]))
    D = sum(abs(terms[0])) - (Fraction(B) * sum(abs(terms[1:].ravel())) if np.isfinite(B) else 0)
    D -= max((f.T @ terms.sum(axis=0)) ** 2) / 2
    assert Fraction(proved.dual_objective) <= D <= Fraction(proved.dual_objective) + (P + abs(D)) / 10**12


def test_a_multiple_that_proves_nothing_of_an_alignment_is_no_bound():
    """The second kernel is opposed to the labels, and less so than the multiple of z is."""
    M, a, z = np.array([[1.0, -0.9], [-0.9, 1.0]]), np.array([0.5, -0.2]), np.array([0.5, 0.0])
    assert alignment(M, a, np.array([1.0, 0.8]), z).gap >= 0.0
    assert alignment(M, a, a, z).dual_objective <= -1.0


@pytest.mark.parametrize("seed", range(6))
def test_an_alignment_is_that_of_fractions_and_no_weights_have_more_than_the_bound(seed):
    rng = np.random.default_rng(seed)
    V = rng.integers(-3, 4, (6, 4)).astype(float)
    y = rng.choice([-1.0, 1.0], 6)
    M, a = (V.T @ V) ** 2, (V.T @ y) ** 2 / 6.0
    z, mu = rng.random(4), rng.random(4)
    proved = alignment(M, a, mu, z)
    m, b, u = (fractions(v) for v in (M, a, mu))
    assert Fraction(proved.objective) ** 2 == pytest.approx(float((b @ u) ** 2 / (u @ m @ u)), rel=1e-13)
    for other in rng.random((50, 4)):
        assert proved.dual_objective <= -(a @ other) / np.sqrt(other @ M @ other)
    assert alignment(M, np.zeros(4), mu, z).gap == 0.0
