"""Stacks of kernels as matrices and as features, centring, alignment and tails."""

import numpy as np
import pytest
import scipy.sparse as sp

from kernlearn import memory
from kernlearn.errors import UserError
from kernlearn.kernels import (
    DenseStack,
    FeatureStack,
    GramStack,
    alignments,
    centre,
    linear_tails,
    make_family,
    sizes,
    tail_sums,
)
from kernlearn.kernels.matrices import tails
from kernlearn.kernels.matrices.centring import alignment

N, D = 30, 12
GROUPS = np.repeat([0, 1, 2, 3], [4, 1, 5, 2])
rng = np.random.default_rng(0)
V = np.where(rng.random((N, D)) < 0.5, rng.normal(size=(N, D)), 0.0) + np.arange(D) % 3
A, Y = rng.normal(size=N), rng.choice([-1.0, 1.0], N)
MU = np.array([0.5, 0.0, 2.0, 1.0])


def matrices(features, groups):
    return np.stack([features[:, groups == k] @ features[:, groups == k].T for k in range(groups.max() + 1)])


FEATURES = {
    "dense groups": FeatureStack(V, GROUPS),
    "sparse groups": FeatureStack(sp.csr_matrix(V), GROUPS),
    "rank one": FeatureStack(V),
    "sparse rank one": FeatureStack(sp.coo_array(V)),
}


def same_as_matrices(stack):
    groups = stack.groups
    return DenseStack(matrices(V, groups)), rng.uniform(0.0, 2.0, len(stack))


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("name", sorted(FEATURES))
def test_features_do_what_their_matrices_do(name, centred):
    features = FEATURES[name]
    explicit, mu = same_as_matrices(features)
    mu[0] = 0.0
    if centred:
        features, explicit = features.centred(), explicit.centred()
        np.testing.assert_allclose(explicit.K[1], matrices(V - V.mean(axis=0), features.groups)[1], atol=1e-10)
    assert features.shape == explicit.shape and len(features) == len(explicit)
    some, few = np.array([0, 2]), np.arange(0, N, 4)  # fewer than features
    for result, expected in [
        (features.combine(mu), explicit.combine(mu)),
        (features.quadratic(A), explicit.quadratic(A)),
        (features.images(A, some), explicit.images(A, some)),
        (features.traces(), explicit.traces()),
        (features.norms(), explicit.norms()),
        (features.products(), explicit.products()),
        (features.alignment(mu, Y), explicit.alignment(mu, Y)),
        (
            features.take(few).alignment(mu, Y[few]),
            alignments(DenseStack(features.take(few).combine(mu)[None]), Y[few]),
        ),
        (features.heads(2), explicit.heads(2)),
    ]:
        np.testing.assert_allclose(result, expected, atol=1e-9 * np.abs(expected).max())
    np.testing.assert_allclose(explicit.combine(mu), np.tensordot(mu, explicit.K, 1), atol=1e-12 * mu.max() * N * D)


@pytest.mark.parametrize("centred", [False, True])
def test_expansions_predict_with_the_kernels_of_the_stack(centred):
    new = rng.normal(size=(7, D))
    beta, groups, shift = rng.normal(size=N), GROUPS, V.mean(axis=0) if centred else 0.0
    f = sum(MU[k] * (new - shift)[:, groups == k] @ (V - shift)[:, groups == k].T @ beta for k in range(4))
    features, explicit = FeatureStack(V, groups), DenseStack(matrices(V, groups))
    if centred:
        features, explicit = features.centred(), explicit.centred()
    weights, constant = features.expansion(MU, beta)
    np.testing.assert_allclose(new @ weights + constant, f)
    coef, constant = explicit.expansion(MU, beta)
    cross = [new[:, groups == k] @ V[:, groups == k].T for k in range(4)]
    np.testing.assert_allclose(sum(K @ c for K, c in zip(cross, coef, strict=True)) + constant, f)


def test_centring_identities():
    K, L = matrices(V, GROUPS)[:2]
    H = np.eye(N) - 1.0 / N
    np.testing.assert_allclose(centre(K), H @ K @ H, atol=1e-12)  # (2.39)
    np.testing.assert_allclose(centre(centre(K)), centre(K), atol=1e-12)
    both = np.vdot(centre(K), centre(L))
    assert np.vdot(centre(K), L) == pytest.approx(both) == pytest.approx(np.vdot(K, centre(L)))  # (A.13)
    assert np.vdot(K, L) != pytest.approx(both, rel=1e-2)
    stack = DenseStack(np.stack([K, L]))
    np.testing.assert_array_equal(stack.centred().centred().K, stack.centred().K)


@pytest.mark.parametrize("share", [0.5, 0.2, 0.05])
def test_alignment_of_two_points_as_in_figure_2_4(share):
    n = 200
    y = np.where(np.arange(n) < share * n, -1.0, 1.0)
    K = np.outer(y, y) + 1.0  # the points (-1, 0) and (1, 0), x.z + 1
    assert alignment(K, np.outer(y, y)) == pytest.approx(1.0)
    plain = alignment(K, np.outer(y, y), centred=False)
    assert plain == pytest.approx(np.sqrt((1 + (1 - 2 * share) ** 2) / 2))  # (2.41)


def test_alignments_of_a_stack_are_those_of_its_matrices():
    K = matrices(V, GROUPS)
    for stack in (DenseStack(K), FeatureStack(V, GROUPS)):
        for centred in (True, False):
            expected = [alignment(matrix, np.outer(Y, Y), centred=centred) for matrix in K]
            np.testing.assert_allclose(alignments(stack, Y, centred=centred), expected)
    rank_one = alignments(FeatureStack(V), Y)
    np.testing.assert_allclose(rank_one, [np.corrcoef(v, Y)[0, 1] ** 2 for v in V.T])


def test_normalised_kernels_have_the_size_they_are_named_after():
    stack = DenseStack(matrices(V, GROUPS)).centred()
    scaled = {name: stack.K / sizes(stack, name)[:, None, None] for name in ("trace", "mean_diagonal", "frobenius")}
    np.testing.assert_allclose(np.trace(scaled["trace"], axis1=1, axis2=2), 1.0)
    np.testing.assert_allclose(np.trace(scaled["mean_diagonal"], axis1=1, axis2=2), N)
    np.testing.assert_allclose(np.linalg.norm(scaled["frobenius"], axis=(1, 2)), 1.0)
    assert sizes(DenseStack(np.zeros((1, 3, 3))), "trace") == 1.0


@pytest.mark.parametrize("theta", [0, 1, 3, 29, 30, 50])
def test_tails_are_sums_of_eigenvalues(theta):
    stack = DenseStack(matrices(V, GROUPS)).centred()
    eigenvalues = np.linalg.eigvalsh(stack.K)[:, ::-1]
    expected = np.where(theta < np.array([4, 1, 5, 2]), eigenvalues[:, theta:].sum(axis=1), 0.0)
    np.testing.assert_allclose(tail_sums(stack, theta), expected, atol=1e-9)
    np.testing.assert_allclose(tail_sums(FeatureStack(V, GROUPS).centred(), theta), expected, atol=1e-9)


def test_lanczos_finds_what_the_dense_method_finds(monkeypatch):
    stack = GramStack.train(make_family("gaussian", gammas=[0.1, 3.0]), rng.normal(size=(200, 3)))
    matrix = DenseStack.of(stack).centred()
    by_lanczos = tail_sums(matrix, 5)
    monkeypatch.setattr(tails, "LANCZOS_PART", 0.0)
    np.testing.assert_allclose(tail_sums(matrix, 5), by_lanczos, rtol=1e-10)


@pytest.mark.parametrize("n", [4, 5, 8, 30, 51])
def test_equal_eigenvalues_all_count(n):
    """LAPACK's routine for some eigenvalues alone returns none, or fails, where there are many equal ones."""
    stack = DenseStack(np.stack([np.eye(n), np.ones((n, n))])).centred()
    theta = n // 2
    np.testing.assert_allclose(stack.heads(theta), [theta, 0.0], rtol=1e-12)
    np.testing.assert_allclose(tail_sums(stack, theta), [n - 1 - theta, 0.0], rtol=1e-12)


@pytest.mark.parametrize("theta", [0, 1, 4])
def test_the_linear_tail_bounds_the_tail_and_meets_it(theta):
    stack = DenseStack(matrices(V, GROUPS)).centred()

    def tail(mu):
        return float(tail_sums(DenseStack(stack.combine(mu)[None]), theta)[0])

    v = linear_tails(stack, MU, theta)
    assert v @ MU == pytest.approx(tail(MU))
    for _ in range(20):
        nu = rng.exponential(size=4)
        assert tail(nu) <= v @ nu * (1 + 1e-12)
        assert tail_sums(stack, theta) @ nu <= tail(nu) * (1 + 1e-12)  # (5): H1 is inside H2
    if theta == 0:
        np.testing.assert_allclose(v, tail_sums(stack, 0))


@pytest.mark.parametrize(
    ("K", "message"),
    [
        ([np.eye(3), np.eye(4)], r"differ in size: \(3, 3\), \(4, 4\)"),
        (np.ones((2, 3, 4)), r"shape \(p, n, n\)"),
        (np.eye(3), r"shape \(p, n, n\)"),
        (np.stack([np.eye(3), np.triu(np.ones((3, 3)))]), "matrix 1 is not symmetric"),
        (np.full((1, 2, 2), np.nan), "matrix 0 has values that are NaN"),
        (-np.eye(3)[None], "not positive semidefinite"),
    ],
)
def test_bad_matrices_are_told_in_one_line(K, message):
    with pytest.raises(UserError, match=message):
        DenseStack.check(K)


def test_bad_features_are_told_in_one_line():
    with pytest.raises(UserError, match="NaN"):
        FeatureStack(np.array([[np.inf]]))
    with pytest.raises(UserError, match="numbered 0, 1"):
        FeatureStack(V, GROUPS + 1)
    with pytest.raises(UserError, match="numbered 0, 1"):
        FeatureStack(V, [0, 1])
    with pytest.raises(UserError, match="column"):
        FeatureStack(np.ones(3))


def test_memory_is_looked_at_before_it_is_taken(monkeypatch):
    stack = GramStack.train(make_family("gaussian", gammas=[1.0, 2.0]), V)
    assert DenseStack.of(stack).K.nbytes == 8 * 2 * N * N
    monkeypatch.setattr(memory, "SMALL", 0)
    monkeypatch.setattr(memory, "available", lambda: 8 * 2 * N * N - 1)
    with pytest.raises(UserError, match="2 kernel matrices of 30 examples"):
        DenseStack.of(stack)


def test_kernels_that_are_not_positive_definite_are_refused():
    with pytest.raises(UserError, match="^kernel=sigmoid: is not positive definite"):
        DenseStack.of(GramStack.train(make_family("sigmoid", slopes=[1.0]), V))
