"""The theorems, lemmas and examples of chapter 16 as statements with numbers, on our kernels and solvers."""

from math import factorial

import numpy as np

from kernlearn.algorithms.margin.hard_svm import NOT_SEPARABLE, solve_hard_svm
from kernlearn.algorithms.margin.soft_svm import solve_soft_svm
from kernlearn.kernels import is_semidefinite
from kernlearn.papers.uml2014.exercises import kernel, monomials
from kernlearn.papers.uml2014.samples import in_the_disc
from kernlearn.solvers.svm.linear_svm import solve_linear_svm
from kernlearn.types import Array

SAMPLES = range(5)


def on_the_line() -> float:
    """Return 1 if the example of section 16.1 is separable without a map, and 0 if not."""
    x, y = integers()
    return float(solve_hard_svm(np.outer(x, x), y).status != NOT_SEPARABLE)


def integers() -> tuple[Array, Array]:
    """Return the integers from -10 to 10, and whether they are beyond 2."""
    x = np.arange(-10.0, 11.0)
    return x, np.where(np.abs(x) > 2.0, 1.0, -1.0)


def with_squares() -> float:
    """Return how many of them the halfspace with w = (0, 1) and b = 5 has wrong, after ``psi(x) = (x, x^2)``."""
    x, y = integers()
    return float(np.sum(np.sign(np.column_stack([x, x**2]) @ [0.0, 1.0] - 5.0) != y))


def onto_span(psi: Array) -> Array:
    """Return the projection to the span of the rows."""
    return np.asarray(np.linalg.pinv(psi) @ psi)


def projected() -> float:
    """Return by how much a projection to the span of the examples raises an objective (16.2), or moves an output.

    The objective is ``sum_i cos(3 <w, psi(x_i)>) + |w|``, which is not convex; w is drawn in 27 dimensions.
    """
    rng, off = np.random.default_rng(0), [0.0]
    X, _ = in_the_disc(5, 0.0, 0)
    psi = monomials(X, 3)
    onto = onto_span(psi)
    for w in rng.normal(size=(1000, psi.shape[1])):
        f, g = psi @ w, psi @ (onto @ w)
        rise = np.cos(3.0 * g).sum() + np.linalg.norm(onto @ w) - np.cos(3.0 * f).sum() - np.linalg.norm(w)
        off += [float(rise), float(np.abs(f - g).max())]
    return max(off)


def in_features() -> float:
    """Return how far the value of (16.4) is from that of soft-SVM in explicit features, relatively."""
    off = []
    for seed in SAMPLES:
        X, _ = in_the_disc(60, 0.0, seed)
        y = np.where((X**2).sum(axis=1) > 0.4, 1.0, -1.0)
        by_kernel = solve_soft_svm(kernel("polynomial", X, degrees=[2]), y, 0.01, homogenous=True)
        in_psi = solve_linear_svm(monomials(X, 2), y, 0.02, tol=1e-7)
        off.append(abs(by_kernel.objective / in_psi.objective - 1.0))
    return max(off)


def kernels() -> list[Array]:
    """Return Gram matrices of kernels that are inner products by what they are, of 40 points each."""
    X, _ = in_the_disc(40, 0.0, 0)
    bags = (np.random.default_rng(0).random((40, 12)) < 0.3).astype(float)
    return [
        kernel("linear", X),
        kernel("polynomial", X, degrees=[3]),
        kernel("gaussian", X, gammas=[2.0]),
        kernel("min", np.arange(1.0, 41.0)[:, None]),
        kernel("basket", bags),
        kernel("substring", letters(), lengths=[3]),
    ]


def inner_products_are_definite() -> float:
    """Return how many of the kernels have a Gram matrix that is not positive semidefinite."""
    return float(sum(not is_semidefinite(G) for G in kernels()))


def definite_is_inner_product() -> float:
    """Return how far a Gram matrix is from the inner products of the vectors that its eigenvectors give, relatively."""
    off = []
    for G in kernels():
        values, vectors = np.linalg.eigh(G)
        psi = vectors * np.sqrt(np.maximum(values, 0.0))
        off.append(float(np.abs(psi @ psi.T - G).max() / np.abs(G).max()))
    return max(off)


def polynomial_features() -> float:
    """Return how far the polynomial kernel is from the product of its monomials, relatively, of degree 4."""
    X, _ = in_the_disc(40, 0.0, 0)
    G, psi = kernel("polynomial", X, degrees=[4]), monomials(X, 4)
    return float(np.abs(psi @ psi.T - G).max() / np.abs(G).max())


def gaussian_features(x: Array, sigma: float, printed: bool) -> Array:
    """Return the first 60 features of the Gaussian kernel on the line.

    In print they are ``exp(-x^2 / 2) x^n / sqrt(n!)`` for every sigma; right are ``exp(-x^2 / (2 sigma)) x^n / sqrt(n!
    sigma^n)``.
    """
    n, s = np.arange(60), 1.0 if printed else sigma
    scale = np.array([float(factorial(k)) * s**k for k in n]) ** -0.5
    return np.asarray(np.exp(-(x[:, None] ** 2) / (2.0 * s)) * x[:, None] ** n * scale)


def gaussian(sigma: float, printed: bool) -> float:
    """Return how far the Gaussian kernel is from the product of its features."""
    x = np.linspace(-2.0, 2.0, 41)
    psi = gaussian_features(x, sigma, printed)
    return float(np.abs(psi @ psi.T - kernel("gaussian", x[:, None], gammas=[0.5 / sigma])).max())


def gaussian_of_one() -> float:
    """Return `gaussian` for sigma = 1."""
    return gaussian(1.0, True)


def gaussian_as_printed() -> float:
    """Return `gaussian` for sigma = 2 and the printed features."""
    return gaussian(2.0, True)


def gaussian_with_sigma() -> float:
    """Return `gaussian` for sigma = 2 and features that have it."""
    return gaussian(2.0, False)


def letters() -> Array:
    """Return 40 random strings of 8 letters out of 3."""
    return np.random.default_rng(0).integers(0, 3, (40, 8)).astype(float)


def words(x: Array) -> set[tuple[float, ...]]:
    """Return all substrings of a string."""
    return {tuple(x[i:j]) for i in range(len(x)) for j in range(i + 1, len(x) + 1)}


def common_substrings() -> float:
    """Return the largest difference of the substring kernel and the number of common substrings."""
    X = letters()
    counted = np.array([[float(len(words(x) & words(z))) for z in X] for x in X])
    return float(np.abs(kernel("substring", X, lengths=[8]) - counted).max())


def norm_of_strings() -> float:
    """Return the largest quotient of ``|psi(x)|`` and the length of a string."""
    G = kernel("substring", letters(), lengths=[8])
    return float(np.sqrt(np.diagonal(G)).max() / 8.0)


def margin_of_a_signature() -> float:
    """Return 1 divided by the margin of the best halfspace of norm 1 for v = "a" on the strings "a" and "b"."""
    G = kernel("substring", np.array([[0.0], [1.0]]), lengths=[1])
    return float(solve_hard_svm(G, np.array([1.0, -1.0])).objective ** 0.5)
