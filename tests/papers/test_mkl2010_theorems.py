"""The theorems of the thesis on kernel learning: what holds, what is false in print, and that each check can fail."""

from dataclasses import replace

import numpy as np
import pytest

from kernlearn.papers.mkl2010.statements import concentration, indefinite, rademacher, rational, stability, weights
from kernlearn.papers.mkl2010.statements.changes import EXCHANGED, LEFT_BEHIND, change_of, scaled
from kernlearn.papers.mkl2010.theorems import CHECKS
from tests.conftest import slow_where

#: Statements that are false as they are printed.
FALSE = {
    *("theorem 2.2", "proposition 2.1", "proposition 2.2", "proposition 2.3", "(2.34)", "theorem 2.3"),
    *("proposition 2.4", "theorem 2.4", "(2.44)", "theorem 2.11", "theorem 2.12", "lemma 2.3"),
    *("proposition 3.1 for any mu", "(3.9)", "lemma A.2", "lemma A.3 (A.13)"),
}
#: Identities of matrices and signs that have no part that could be wrong.
CERTAIN = {"(3.6)", "sqrt(log p) by dimension"}
SLOW = {
    *("(3.2)", "(3.2) of one trace", "theorem 2.1", "theorem 2.4", "theorem 2.4 with M^2", "theorem 2.5"),
    *("theorem 2.7", "theorem 2.8", "theorem 2.10", "proposition 2.5", "proposition 2.6", "proposition 3.1"),
    *("lemma A.5", "sqrt(log p)", "(3.6) is larger"),
}


@pytest.mark.parametrize("name", slow_where(SLOW.__contains__, CHECKS))
def test_a_statement_holds_unless_it_is_false_in_print(name):
    _, compute, allowed, *_ = CHECKS[name]
    assert (compute() <= allowed) == (name not in FALSE)


def times(factor):
    return lambda f: lambda *arguments, **options: factor * f(*arguments, **options)


def with_lambda(factor):
    """Return what takes lambda to be larger than it was where the changes were measured."""
    return lambda f: lambda: [(one._replace(lambda_=factor * one.lambda_), change) for one, change in f()]


def not_definite(f):
    """Return distributions with kernels whose diagonals are too small."""
    return lambda classes=True: (one._replace(K=one.K - 0.9 * np.diag(np.diagonal(one.K))) for one in f(classes))


def constant(value):
    return lambda f: lambda *arguments: value


#: Where a statement is about something, and the same made wrong.
WRONG = {
    "(1.21)": (rational, "counter", lambda f: lambda length: f(length + 1)),
    "theorem 2.1": (stability, "kernel_ridge", lambda f: lambda *a: (f(*a)[0][::-1], f(*a)[1])),
    "(2.22)": (stability, "kernel_ridge", lambda f: lambda *a: (f(*a)[0], 1.01 * f(*a)[1])),
    "theorem 2.2 without lambda_min": (stability, "changes", with_lambda(10.0)),
    "lemma A.1": (
        stability,
        "changes",
        lambda f: lambda: [(one, change._replace(mu=(change.mu[0], 1.1 * change.mu[1]))) for one, change in f()],
    ),
    "proposition 2.4 corrected": (stability, "changes", with_lambda(10.0)),
    "theorem 2.4 with M^2": (stability, "log", constant(0.0)),
    "proposition 2.5": (rademacher, "forms", times(1.01)),
    "lemma 2.1": (rademacher, "forms", times(1.1)),
    "theorem 2.5": (rademacher, "complexity", times(1.5)),
    "theorem 2.6": (rademacher, "complexity", times(1.5)),
    "sqrt(log p)": (rademacher, "log", times(2.0)),
    "corollary 2.1": (rademacher, "l1_complexity", constant(-0.38)),
    "corollary 2.1 in traces": (rademacher, "trace_complexity", constant(-0.38)),
    "theorem 2.7": (rademacher, "complexity", times(1.1)),
    "theorem 2.8": (rademacher, "complexity", times(1.1)),
    "corollary 2.2": (rademacher, "lq_complexity", constant(-0.38)),
    "corollary 2.2 in traces": (rademacher, "trace_complexity", constant(-0.38)),
    "p^(1/(2r))": (rademacher, "complexity", lambda f: lambda K, r: f(K, r) * len(K) ** 0.01),
    "theorem 2.9": (rademacher, "ETA_0", lambda eta: 0.9),
    "theorem 2.9 beside Kakade": (rademacher, "ETA_0", lambda eta: 1.6),
    "lemma A.2 with r^r": (rademacher, "multinomial", lambda f: lambda t: f(t) ** 2),
    "(2.38)": (concentration, "centre", lambda f: lambda K: K),
    "lemma 2.2": (concentration, "alignment", times(-1.0)),
    "proposition 2.6": (concentration, "size", times(0.1)),
    "theorem 2.10": (concentration, "size", times(0.1)),
    "(2.44) corrected": (concentration, "factor", times(1.01)),
    "theorem 2.11 corrected": (concentration, "factor", times(3.0)),
    "theorem 2.12 corrected": (concentration, "factor", constant(0.99)),
    "lemma 2.3 with M^2": (concentration, "distributions", not_definite),
    "theorem 2.13": (concentration, "distributions", lambda f: lambda: (one._replace(y=1.5 * one.y) for one in f())),
    "lemma A.3 (A.12)": (concentration, "centre", lambda f: lambda K: K),
    "lemma A.3 (A.13) corrected": (concentration, "centre", lambda f: lambda K: K - 1.0),
    "lemma A.4": (concentration, "size", times(0.4)),
    "lemma A.5": (concentration, "size", times(0.1)),
    "(3.2)": (indefinite, "trial", lambda f: lambda *a: (one := f(*a))._replace(value=1.01 * one.value)),
    "(3.2) of one trace": (indefinite, "trial", lambda f: lambda *a: f(*a)._replace(errors=(0.9, 0.1 * a[1]))),
    "(3.6) is larger": (weights, "ensembles", lambda f: lambda: ((K, alpha[[0, 0]]) for K, alpha in f())),
    "proposition 3.1": (weights, "NORMS", lambda norms: (0.9,)),
    "proposition 3.1 in align": (weights, "weigh", lambda f: lambda *a: f(*a) ** 2),
    "proposition 3.2": (weights, "solve_alignf_linear", lambda f: lambda stack, y: np.ones(len(stack))),
    "proposition 3.3": (weights, "solve_alignf", lambda f: lambda *a: replace(f(*a), x=f(*a).x ** 2)),
}


@pytest.mark.parametrize("name", slow_where(SLOW.__contains__, WRONG))
def test_a_statement_fails_where_what_it_is_about_is_wrong(monkeypatch, name):
    module, part, spoil = WRONG[name]
    monkeypatch.setattr(module, part, spoil(getattr(module, part)))
    monkeypatch.setattr(indefinite, "SETS", ("sonar",))
    monkeypatch.setattr(indefinite, "SPLITS", 2)
    indefinite.trials.cache_clear()
    _, compute, allowed, *_ = CHECKS[name]
    try:
        assert compute() > allowed
    finally:
        indefinite.trials.cache_clear()


def test_all_statements_that_hold_can_fail_but_those_without_parts():
    assert CHECKS.keys() - FALSE - WRONG.keys() == CERTAIN


def test_the_example_that_refutes_theorem_2_2_is_as_it_is_described():
    change = change_of(LEFT_BEHIND)
    np.testing.assert_allclose(change.h[0, 0], [0.5, 0.0, 2.0], atol=1e-9)
    np.testing.assert_allclose(change.h[1, 1], [0.0, 0.01 / (1 + 1 / 16), 0.0], atol=1e-9)
    assert pytest.approx(1.0) == change.M and pytest.approx(1.0) == change.R


def test_the_bounds_depend_on_the_unit_of_the_kernel_and_no_prediction_does():
    small, large = change_of(EXCHANGED), change_of(scaled(EXCHANGED, 1e6))
    for which, h in small.h.items():
        np.testing.assert_allclose(large.h[which], h, atol=1e-8)
    quotients = [stability.of_the_kernel(one, change_of(one)) for one in (EXCHANGED, scaled(EXCHANGED, 1e6))]
    assert quotients[1] == pytest.approx(1e3 * quotients[0], rel=1e-6)
    quotients = [stability.whole_corrected(one, change_of(one)) for one in (EXCHANGED, scaled(EXCHANGED, 1e6))]
    assert quotients[1] == pytest.approx(quotients[0], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("of_trace", [False, True])
def test_the_linear_programs_solve_the_semidefinite_one(of_trace):
    """The program of Lanckriet et al. (2004), theorem 19, by Clarabel."""
    import cvxpy as cp

    rng = np.random.default_rng(3)
    n, C = 14, indefinite.C
    X, y = rng.normal(size=(n, 2)), np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    K = np.stack([np.exp(-gamma * squares) for gamma in (0.1, 0.3, 1.0)])
    ours = indefinite.semidefinite(K, y, of_trace)
    mu, t, b = cp.Variable(3), cp.Variable(), cp.Variable()
    nu, delta = cp.Variable(n, nonneg=True), cp.Variable(n, nonneg=True)
    G = sum(cp.multiply(mu[k], np.outer(y, y) * K[k]) for k in range(3))
    side = cp.reshape(1.0 + nu - delta + cp.multiply(b, y), (n, 1), order="C")
    corner = cp.reshape(t - 2.0 * C * cp.sum(delta), (1, 1), order="C")
    size = cp.sum(mu) == 1.0 if of_trace else cp.norm1(mu) <= 1.0
    program = cp.Problem(cp.Minimize(t / 2.0), [cp.bmat([[G, side], [side.T, corner]]) >> 0, size])
    value = program.solve(solver="CLARABEL")
    assert ours.lower <= value * (1.0 + 1e-6) and value <= ours.value * (1.0 + 1e-6)
    assert ours.value - ours.lower <= 1e-4 * ours.value
    assert (mu.value.min() < -0.1) == (ours.mu.min() < -0.1) == of_trace
