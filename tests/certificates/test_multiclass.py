"""Certificates of machines of several classes, against exact fractions."""

from fractions import Fraction
from math import inf

import numpy as np
import pytest

from kernlearn.certificates import weighted_multiclass
from kernlearn.certificates.structured import structured_classes
from kernlearn.kernels import FeatureStack
from tests.certificates.exact import CLOSE, assert_values, conjugate, fractions, in_stack, kernels, norm

SEEDS = range(2)
HALF = Fraction(1, 2)


def of_classes(coef):
    """Coefficients (outputs, n) in fractions, one row a class: of two classes ``f_1 = -f_0`` is half of the output."""
    coef = fractions(coef)
    return np.array([-coef[0] / 2, coef[0] / 2]) if len(coef) == 1 else coef


def losses(f, y):
    """The losses of outputs (classes, n)."""
    ones = (np.arange(len(f))[:, None] != y).astype(int)
    return sum(max(column) for column in (f - f[y, np.arange(len(y))] + ones).T)


def squared(coef, K):
    return sum(c @ K @ c for c in coef)


def problem(seed, k, p):
    """Eight examples of k classes, the first two of which are the same in all but their labels."""
    rng = np.random.default_rng(seed)
    K, V = kernels(rng, p, 8)
    y = np.concatenate([np.arange(k), rng.integers(0, k, 8 - k)])
    return K, V, y, rng


def dual_of_sums(A, y, c):
    """Entries of other classes at most 0, their sum at least -c, and that of the own class what balances these."""
    A = np.where(np.arange(A.shape[1]) == y[:, None], Fraction(0), np.minimum(fractions(A), Fraction(0)))
    A = A * np.array([[min(Fraction(1), c / -s) if s else Fraction(1)] for s in A.sum(axis=1)])
    A[np.arange(len(y)), y] = -A.sum(axis=1)
    return A


@pytest.mark.sampled(3)
@pytest.mark.parametrize("C", [1e-6, 1e6])
@pytest.mark.parametrize("centred", [True, False])
@pytest.mark.parametrize("k, p", [(2, 1.0), (2, 1.5), (3, 1.0), (4, 2.0), (3, inf)])
@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_kernels_have_the_values_of_fractions_and_a_bound_of_all(seed, k, p, centred, C):
    K, V, y, rng = problem(seed, k, 2)
    n_outputs, sizes = 1 if k == 2 else k, np.array([1.0, 3.0])
    mu, beta = np.array([0.25, rng.choice([0.0, 0.5, 2.0])]), rng.integers(-9, 10, (n_outputs, 8)) / 8.0
    A = C * rng.normal(size=(8, k))
    intercept = np.zeros(n_outputs)
    if centred:  # outputs of the mean 0, without a rounding error
        beta -= beta.mean(axis=1, keepdims=True)
        intercept = -np.einsum("k,kij,cj->ci", mu, K, beta).mean(axis=1)
    H = fractions(np.eye(8) - 0.125 * centred)
    kernel = [H @ one @ H for one in fractions(K)]
    coef = mu[None, :, None] * beta[:, None, :]

    def value(beta, mu):
        combined, beta = sum(Fraction(m) * one for m, one in zip(mu, kernel, strict=True)), of_classes(beta)
        return HALF * squared(beta, combined) + Fraction(C) * losses(beta @ combined, y)

    dual = dual_of_sums(A, y, Fraction(C))
    squares = [squared(dual.T, one) / Fraction(t) for one, t in zip(kernel, sizes, strict=True)]
    D = sum(dual[np.arange(8), y]) - HALF * norm(squares, conjugate(p))
    violation = max(0, norm([Fraction(t * m) for t, m in zip(sizes, mu, strict=True)], p) - 1)
    options = (mu, A, C, sizes, p)
    proved = weighted_multiclass(in_stack(K), y, coef, intercept, *options, centred=centred)
    assert_values(proved, value(beta, mu), D, violation)
    features = FeatureStack(V.transpose(1, 0, 2).reshape(8, -1), np.repeat(np.arange(2), 2))
    w = np.stack([features.expansion(mu, one)[0] for one in beta])
    if not centred:
        assert_values(
            weighted_multiclass(features, y, w, intercept, *options, centred=False), value(beta, mu), D, violation
        )
    for step in (0.0, 1.0):
        weighed = rng.random(2)
        weighed = 0.999 * weighed / np.linalg.norm(sizes * weighed, p)
        other = dual.T.astype(float)[-n_outputs:] + step * C * rng.normal(size=(n_outputs, 8))
        P = value(other, weighed)
        assert Fraction(proved.dual_objective) <= P + CLOSE * (P + abs(D))
    unit = 2.0**-300
    options = (mu, A / unit, C / unit, sizes, p)
    scaled = weighted_multiclass(in_stack(unit * K), y, coef / unit, intercept, *options, centred=centred)
    assert scaled == proved.times(1.0 / unit)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("C", [1e-6, 1e6])
@pytest.mark.parametrize("B", [0.0, 1.5, 1e9, inf])
@pytest.mark.parametrize("k", [2, 3, 4])
@pytest.mark.parametrize("seed", SEEDS)
def test_structured_machines_have_the_values_of_fractions_and_a_bound_of_all(seed, k, B, C):
    K, _, y, rng = problem(seed, k, 1)
    n_outputs, c, kernel = 1 if k == 2 else k, Fraction(C) / 8, fractions(K[0])
    coef, V = rng.normal(size=(n_outputs, 8)), C * rng.normal(size=(8, k))

    def value(coef):
        coef = of_classes(coef)
        f = coef @ kernel
        widest = max(abs(f - f[y, np.arange(8)]).flat)
        s = min(Fraction(1), Fraction(B) / widest) if B < inf and widest else Fraction(1)
        return HALF * s**2 * squared(coef, kernel) + c * losses(s * f, y), s

    if B == inf:
        dual = dual_of_sums(V, y, c)
        D = sum(dual[np.arange(8), y])
    else:
        dual = np.where(np.arange(k) == y[:, None], Fraction(0), fractions(V))
        dual[np.arange(8), y] = -dual.sum(axis=1)
        u = -np.where(np.arange(k) == y[:, None], Fraction(0), dual)
        inner = np.maximum(u, Fraction(0)).sum(axis=1)
        outside = sum(max(Fraction(0), i - c) for i in inner) + sum(max(Fraction(0), -v) for v in u.flat)
        D = sum(min(i, c) for i in inner) - Fraction(B) * outside
    D -= HALF * squared(dual.T, kernel)
    proved = structured_classes(in_stack(K), y, coef, V, C, B)
    P, s = value(coef)
    assert_values(proved, P, D)
    assert abs(Fraction(proved.stretch) - s) <= CLOSE
    assert proved.zero == C
    for step in (0.0, 1.0):
        P, _ = value(dual.T.astype(float)[-n_outputs:] + step * C * rng.normal(size=(n_outputs, 8)))
        assert Fraction(proved.dual_objective) <= P + CLOSE * (P + abs(D))
    unit = 2.0**300
    assert structured_classes(in_stack(unit * K), y, coef / unit, V / unit, C / unit, B) == proved.times(1.0 / unit)
