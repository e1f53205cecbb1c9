import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel, sigmoid_kernel
from sklearn.svm import SVC

from kernlearn.errors import UserError
from kernlearn.kernels import GRAM_FAMILIES, DenseStack, GramStack, make_family
from kernlearn.kernels.families.dna import STACKING, TWIST
from kernlearn.kernels.families.registry import KERNEL_PARAMETERS
from kernlearn.kernels.matrices import gram as gram_module
from tests.conftest import edit_distance_by_table, random_sequences

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(12, 5)), RNG.normal(size=(9, 5))
SEQUENCES, OTHERS = random_sequences(12, seed=1), random_sequences(9, seed=2)
COSTS = {"insertion": 1.0, "deletion": 2.5, "substitution": 1.5}


def defaults(name):
    return {key: parameter.default for key, parameter in KERNEL_PARAMETERS[name].items()}


OF_TESTS = {
    "polynomial": make_family("polynomial", degrees=range(1, 8), coef0=1.0),
    "polynomial_libsvm": make_family("polynomial_libsvm", degrees=range(1, 8), coef0=1.0),
    "polynomial_unit": make_family("polynomial_unit", degrees=range(1, 8), coef0=1.0),
    "gaussian": make_family("gaussian", gammas=[1e-3, 0.5, 2.0]),
    "linear": make_family("linear"),
    "sigmoid": make_family("sigmoid", slopes=[0.1, 2.0], offset=-0.5),
    "edit_distance": make_family("edit_distance", gammas=[0.05, 0.5], **COSTS),
    "spectrum": make_family("spectrum", lengths=[3, 1, 2]),
    "weighted_degree": make_family("weighted_degree", degrees=[3, 1, 20]),
    "views": make_family("views", n_views=5),
    "mixed": make_family("mixed", gammas=[0.5], degrees=[2, 3], coef0=1.0),
    "min": make_family("min"),
    "basket": make_family("basket"),
    "substring": make_family("substring", lengths=[2, 1, 20]),
    "dna_signals": make_family("dna_signals", degree=3, length=2, letters="ACGT"),
}
#: Every family, with the defaults of its parameters if nothing else is said above.
FAMILY = {name: OF_TESTS.get(name) or make_family(name, **defaults(name)) for name in GRAM_FAMILIES}
DNA = RNG.integers(0, 4, (21, 8)).astype(float)
ON_SEQUENCES = ("dna_signals", "edit_distance", "spectrum", "substring", "weighted_degree")
COUNTS = np.maximum(RNG.integers(-3, 5, (21, 6)), 0).astype(float)
DEFINITE = sorted(name for name, family in FAMILY.items() if family.positive_definite)


def examples(name):
    if name == "dna_signals":
        return DNA[:12], DNA[12:]
    if name in ("min", "basket"):
        return COUNTS[:12], COUNTS[12:]
    return (SEQUENCES, OTHERS) if name in ON_SEQUENCES else (X, Z)


def test_every_registered_family_has_its_name():
    assert set(OF_TESTS) <= set(GRAM_FAMILIES)
    assert {name: family.name for name, family in FAMILY.items()} == {name: name for name in GRAM_FAMILIES}


def oracle(name, member, A, B):
    if name == "polynomial":
        return polynomial_kernel(A, B, degree=member["degree"], gamma=1.0, coef0=1.0)
    if name == "polynomial_unit":
        return ((A @ B.T + 1) / 2) ** member["degree"]
    if name == "polynomial_libsvm":
        return polynomial_kernel(A, B, degree=member["degree"], coef0=1.0)
    if name == "gaussian":
        return rbf_kernel(A, B, gamma=member["gamma"])
    if name == "sigmoid":
        return sigmoid_kernel(A, B, gamma=member["slope"], coef0=-0.5)
    if name == "edit_distance":
        return np.exp([[-member["gamma"] * edit_distance_by_table(a, b, **COSTS) for b in B] for a in A])
    if name == "spectrum":
        return np.array([[common_blocks(a, b, member["length"]) for b in B] for a in A], dtype=float)
    if name == "weighted_degree":
        return np.array([[normalised_common_places(a, b, member["degree"]) for b in B] for a in A])
    if name == "substring":
        return np.array([[len(blocks_of(a, member["length"]) & blocks_of(b, member["length"])) for b in B] for a in A])
    if name == "min":
        return steps_up_to(A) @ steps_up_to(B).T
    if name == "basket":
        return np.array([[len(set(np.flatnonzero(a)) & set(np.flatnonzero(b))) for b in B] for a in A])
    if name == "views":
        return np.outer(A[:, member["view"] - 1], B[:, member["view"] - 1])
    if name == "mixed":
        parts = [
            ("gaussian", {"gamma": 0.5}),
            ("linear", {}),
            ("polynomial", {"degree": 2}),
            ("polynomial", {"degree": 3}),
        ]
        return oracle(*parts[member["kernel"] - 1], A, B)
    if name == "dna_signals":
        return np.array([[dna_signal(member["kernel"], a, b) for b in B] for a in A])
    if name == "linear":
        return A @ B.T
    raise AssertionError(f"no independent oracle of the kernel {name}: add a branch to oracle in {__file__}")


def dna_signal(kernel, a, b):
    if kernel == 1:
        return normalised_common_places(a, b, 3)
    if kernel in (2, 3):
        half = slice(4) if kernel == 2 else slice(4, None)
        return common_blocks(a[half], b[half], 2)
    steps, complement = {4: TWIST, 5: STACKING}[kernel], dict(zip("ACGT", "TGCA", strict=True))

    def properties(codes):
        letters = ["ACGT"[int(code)] for code in codes]
        both = [(u + v, complement[v] + complement[u]) for u, v in zip(letters, letters[1:], strict=False)]
        return np.array([steps.get(one, steps.get(other)) for one, other in both])

    return properties(a) @ properties(b)


def normalised_common_places(a, b, degree):
    return common_places(a, b, degree) / (common_places(a, a, degree) * common_places(b, b, degree)) ** 0.5


def common_places(a, b, degree):
    """Sum the weights of the blocks of every length that two sequences have at the same place."""
    total = 0.0
    for k in range(1, degree + 1):
        beta = 2 * (degree - k + 1) / (degree * (degree + 1))
        for i in range(len(a) - k + 1):
            u, v = list(a[i : i + k]), list(b[i : i + k])
            total += beta * (u == v and min(u) >= 0)
    return total


def blocks_of(a, longest):
    """List the different blocks of length 1 to the longest of a sequence."""
    codes = a[a >= 0]
    lengths = range(1, min(longest, len(codes)) + 1)
    return {tuple(codes[i : i + k]) for k in lengths for i in range(len(codes) - k + 1)}


def steps_up_to(A):
    """Map every whole number x of a row to the indicator of {1, ..., x}."""
    return (A[:, :, None] >= np.arange(1, 9)).reshape(len(A), -1).astype(float)


def common_blocks(a, b, length):
    """Count the pairs of places at which two sequences have the same block."""
    blocks = [[tuple(row[i : i + length]) for i in range(len(row) - length + 1)] for row in (a[a >= 0], b[b >= 0])]
    return sum(u == v for u in blocks[0] for v in blocks[1])


@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_values_agree_with_an_oracle(name):
    A, B = examples(name)
    stack = GramStack(FAMILY[name], A, B)
    assert stack.shape == (len(FAMILY[name]), len(A), len(B))
    for k, member in enumerate(FAMILY[name].members):
        np.testing.assert_allclose(stack.matrix(k), oracle(name, member, A, B), rtol=1e-12)


@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_products_agree_with_dense_matrices(name):
    stack = GramStack(FAMILY[name], *examples(name))
    p, n, m = stack.shape
    dense = np.stack([stack.matrix(k) for k in range(p)])
    v, coef = RNG.normal(size=n), RNG.normal(size=(p, m)) * (RNG.random((p, m)) < 0.4)
    np.testing.assert_allclose(stack.price(v), np.einsum("i,kij->kj", v, dense), atol=1e-12)
    np.testing.assert_allclose(stack.expand(coef), np.einsum("kij,kj->i", dense, coef), atol=1e-9)
    np.testing.assert_allclose(stack.price(v.astype(np.longdouble)), stack.price(v), rtol=1e-11, atol=1e-300)
    np.testing.assert_allclose(stack.select(p - 1).price(v)[0], stack.price(v)[-1])
    fresh, points = GramStack(FAMILY[name], *examples(name)), np.array([4, 0, 7])
    np.testing.assert_array_equal(fresh.columns(p - 1, points), dense[-1][:, points])


@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_columns_of_matrices_that_are_kept_and_of_others_give_the_same_bits(name):
    """A path that goes on from its middle has kept other matrices than one that was never stopped."""
    A = np.concatenate([examples(name)[0]] * 30)
    fresh, kept = GramStack.train(FAMILY[name], A), GramStack.train(FAMILY[name], A)
    p, n, m = fresh.shape
    for k in range(p):
        kept.matrix(k)
    coef = RNG.normal(size=(p, m)) * (RNG.random((p, m)) < 0.1)
    np.testing.assert_array_equal(fresh.expand(coef), kept.expand(coef))


@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_many_expansions_are_those_one_by_one_in_blocks_of_any_size(name, monkeypatch):
    stack = GramStack(FAMILY[name], *examples(name))
    p, n, m = stack.shape
    coef = RNG.normal(size=(4, p, m)) * (RNG.random((4, p, m)) < 0.4)
    coef[1, :, 1] -= coef[1].sum(axis=1)  # adds up to zero, as that of a machine with bias
    coef[2] = 0.0
    alone = np.stack([stack.expand(one) for one in coef])
    for size in (gram_module.BLOCK_BYTES, 8 * 2 * m, 1):
        monkeypatch.setattr(gram_module, "BLOCK_BYTES", size)
        np.testing.assert_allclose(stack.expansions(coef), alone, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_diagonals_are_those_of_the_matrices(name):
    stack = GramStack.train(FAMILY[name], examples(name)[0])
    for k in range(len(stack)):
        np.testing.assert_allclose(stack.diagonal(k), np.diagonal(stack.matrix(k)), rtol=1e-12)


@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_scales_are_the_largest_entries_of_the_columns(name):
    stack = GramStack(FAMILY[name], *examples(name))
    largest = [np.abs(stack.matrix(k)).max(axis=0) for k in range(len(stack))]
    np.testing.assert_allclose(stack.scales(), largest, rtol=1e-15)


@pytest.mark.parametrize("name", DEFINITE)
def test_families_said_to_be_positive_definite_are(name):
    stack = GramStack.train(FAMILY[name], examples(name)[0])
    for k in range(len(stack)):
        K = stack.matrix(k)
        np.testing.assert_array_equal(K, K.T)
        assert np.linalg.eigvalsh(K).min() > -1e-10 * np.abs(K).max()


@pytest.mark.parametrize("name", sorted(GRAM_FAMILIES))
def test_families_pickle(name):
    copy, points = pickle.loads(pickle.dumps(FAMILY[name])), examples(name)
    np.testing.assert_array_equal(GramStack(copy, *points).matrix(0), GramStack(FAMILY[name], *points).matrix(0))


def test_matrices_are_kept_within_the_memory_bound(monkeypatch):
    stack = GramStack(FAMILY["polynomial"], X, Z)
    assert stack.matrix(2) is stack.matrix(2)
    monkeypatch.setattr(gram_module, "KEEP_BYTES", 0)
    other = GramStack(FAMILY["polynomial"], X, Z)
    assert other.matrix(2) is not other.matrix(2)
    np.testing.assert_array_equal(other.matrix(2), stack.matrix(2))


def test_distances_of_far_data_do_not_cancel():
    far = X + 1e6
    K = GramStack.train(make_family("gaussian", gammas=[1.0]), far).matrix(0)
    np.testing.assert_allclose(K, rbf_kernel(X, gamma=1.0), atol=1e-8)


def test_overflow_is_an_error_with_advice():
    with pytest.raises(UserError, match=r"polynomial kernel \(degree=3\) overflows.*scaling=unit"):
        GramStack.train(make_family("polynomial", degrees=[1, 3], coef0=1.0), X * 1e60)


def test_a_kernel_whose_norm_would_overflow_is_refused():
    with pytest.raises(UserError, match=r"degree=3\) overflows"):
        GramStack.train(make_family("polynomial", degrees=[1, 3], coef0=1.0), X * 1e28)
    with pytest.raises(UserError, match="kernel matrix 0 has values above 1e\\+153"):
        DenseStack.check(1e155 * np.eye(10)[None])


def test_polynomial_libsvm_is_what_libsvm_takes_by_default():
    y = np.sign(X[:, 0])
    K = GramStack.train(FAMILY["polynomial_libsvm"], X).matrix(2)
    given = SVC(kernel="precomputed", tol=1e-8).fit(K, y)
    own = SVC(kernel="poly", gamma="auto", degree=3, coef0=1.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(given.decision_function(K), own.decision_function(X), atol=1e-6)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("cosine", {}, "unknown kernel family, choose one of basket, chains, dna_signals, edit_distance, features"),
        ("polynomial", {"degrees": []}, r"^degrees=\[\]: must be a list"),
        ("polynomial", {"degrees": [0]}, r"degrees\[0\]=0: must be an integer >= 1"),
        ("polynomial", {"degrees": [2, 2]}, "same value twice"),
        ("polynomial", {"degrees": [2], "coef0": -1.0}, "coef0=-1.0: must be a number >= 0"),
        ("polynomial_libsvm", {"degrees": [1.5]}, r"degrees\[0\]=1.5: must be an integer >= 1"),
        ("gaussian", {"gammas": [0.0]}, r"gammas\[0\]=0.0: must be a number > 0"),
        ("sigmoid", {"slopes": [np.inf]}, r"slopes\[0\]=inf: must be a number > 0"),
        ("sigmoid", {"slopes": [1.0], "offset": np.nan}, "offset=nan: must be a finite number$"),
        ("edit_distance", {"gammas": []}, r"gammas=\[\]: must be a list"),
        ("edit_distance", {"gammas": [1.0], "deletion": -1.0}, "deletion=-1.0: must be a number >= 0"),
        ("spectrum", {"lengths": [0]}, r"lengths\[0\]=0: must be an integer >= 1"),
        ("substring", {"lengths": [0]}, r"lengths\[0\]=0: must be an integer >= 1"),
        ("weighted_degree", {"degrees": [2.5]}, r"degrees\[0\]=2.5: must be an integer >= 1"),
        ("views", {"n_views": 0}, "n_views=0: must be an integer >= 1"),
    ],
)
def test_wrong_parameters(name, parameters, message):
    with pytest.raises(UserError, match=message):
        make_family(name, **parameters)


@pytest.mark.parametrize("name", ["linear", "polynomial", "polynomial_libsvm", "gaussian", "sigmoid", "min", "basket"])
def test_sparse_examples_have_the_kernels_of_dense_ones(name):
    A, B = np.round(X) * (RNG.random(X.shape) < 0.4), np.round(Z)
    A, B = (abs(A), abs(B)) if name in ("min", "basket") else (A, B)
    dense, thin = GramStack(FAMILY[name], A, B), GramStack(FAMILY[name], sparse.csr_array(A), sparse.csr_array(B))
    for k in range(len(dense)):
        np.testing.assert_allclose(thin.matrix(k), dense.matrix(k), rtol=1e-12, atol=1e-12)


def test_views_of_several_columns():
    A, B = RNG.normal(size=(4, 6)), RNG.normal(size=(3, 6))
    stack = GramStack(make_family("views", n_views=3), A, B)
    for k in range(3):
        np.testing.assert_allclose(stack.matrix(k), A[:, 2 * k : 2 * k + 2] @ B[:, 2 * k : 2 * k + 2].T)
    with pytest.raises(UserError, match="n_views=4: the 6 features cannot be views of equal width"):
        GramStack(make_family("views", n_views=4), A, B)


def test_dna_that_is_none_is_one_line():
    for options, message in [
        ({"letters": "ACGU"}, "must have each of A, C, G and T once, not so T"),
        ({"letters": "ACGT", "signals": [1, 1]}, "different numbers from 1 to 5"),
    ]:
        with pytest.raises(UserError, match=message):
            make_family("dna_signals", degree=3, length=2, **options)
    family = make_family("dna_signals", degree=3, length=2, letters="-ACGT")
    with pytest.raises(UserError, match="stands for none of A, C, G and T"):
        GramStack(family, DNA, DNA)
    with pytest.raises(UserError, match="a code is not one of 0 to 4"):
        GramStack(family, DNA + 2, DNA)
