"""Problems of a hinge loss and a norm-1 penalty that several tests solve, and what is independent of the solvers."""

import numpy as np
from scipy.optimize import linprog

from kernlearn.kernels import COMPLEXITIES, GramStack, make_family
from kernlearn.kernels.matrices.columns import KernelColumns


class DenseColumns:
    """`Columns` of an array of shape (p, m, n)."""

    def __init__(self, A):
        self.A = np.asarray(A, dtype=float)
        self.shape, self.weights = self.A.shape, None

    def narrow(self, j):
        return DenseColumns(self.A[:, :, j])

    def scales(self):
        return np.abs(self.A).max(axis=1)

    def price(self, v):
        return np.stack([v @ A for A in self.A])

    def take(self, k, j):
        return self.A[k, :, j].reshape(len(k), self.shape[1])

    def apply(self, coef):
        return np.einsum("kij,kj->i", self.A, coef)


def linprog_objective(A, cost):
    """The optimal value of (P) as a plain linear program in (a+, a-, xi)."""
    p, m, n = A.shape
    G = A.transpose(1, 0, 2).reshape(m, p * n)
    c = np.concatenate([cost.ravel(), cost.ravel(), np.full(m, 1.0 / m)])
    unit = c[c > 0].min()  # of reduced costs below 1e-7 linprog takes no notice
    result = linprog(c / unit, A_ub=-np.hstack([G, -G, np.eye(m)]), b_ub=-np.ones(m), method="highs")
    assert result.status == 0
    return unit * result.fun


def random_problem(seed):
    """Margins of 25 examples by 40 columns, and the costs of these."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(1, 25, 40)), rng.uniform(0.02, 0.3, (1, 40))


def polynomial_problem(X, y, degrees=range(1, 6)):
    """Columns and a function from (lambda, beta) to costs."""
    stack = GramStack.train(make_family("polynomial", degrees=degrees), X)
    r = COMPLEXITIES["lemma3"](stack)
    return KernelColumns(stack, y), lambda lambda_, beta: np.repeat((lambda_ * r + beta)[:, None], len(y), axis=1)


def on_sphere(X):
    """The examples, each divided by its norm."""
    return X / np.linalg.norm(X, axis=1, keepdims=True)


def quadratic_form(X, random):
    """Labels: the signs of a quadratic form drawn at random."""
    return np.sign(np.einsum("ij,jk,ik->i", X, random.standard_normal((X.shape[1], X.shape[1])), X))


def flipped(y, random, share):
    """The labels with so many of them wrong."""
    return np.where(random.random(len(y)) < share, -y, y)


def noisy(m, seed=0, d=4, degrees=range(1, 5), share=0.15):
    """A problem that no machine gets quite right: a product of features decides, some labels are wrong."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((m, d))
    y = np.where(X[:, 0] * X[:, 1] + 0.3 * X[:, 2] > 0, 1.0, -1.0)
    return polynomial_problem(on_sphere(X), flipped(y, random, share), degrees=degrees)


def categorical(m, d, seed):
    """Unit-norm examples with features in {-1, 0, 1}: many copies and ties, also contradictory labels."""
    random = np.random.default_rng(seed)
    X = random.integers(-1, 2, size=(m, d)).astype(float)
    X[np.abs(X).sum(axis=1) == 0, 0] = 1.0
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + 0.7 * random.standard_normal(m) > 0, 1.0, -1.0)
    return on_sphere(X), y


def copies(random):
    """The same kernel twice, a column of zeros, equal columns and equal examples."""
    A = random.standard_normal((2, 24, 12))
    A[1] = A[0]
    A[:, :, 3] = 0.0
    A[:, :, 5] = A[:, :, 4]
    A[:, 10:20] = A[:, :10]
    return A


def partly_free(random):
    """Columns of which two cost nothing, and their costs."""
    cost = np.full((2, 6), 0.05)
    cost[0, :2] = 0.0
    return random.standard_normal((2, 30, 6)), cost


def scales_far_apart(random):
    """Kernels of very different size, and their costs."""
    A = random.standard_normal((3, 40, 30)) * np.array([1e-6, 1.0, 1e8])[:, None, None]
    return A, np.repeat(np.array([1e-8, 1e-2, 1e5])[:, None], 30, axis=1)


def instances():
    """Columns and costs: random ones, copies, ties, free columns, scales far apart, three examples, equal examples."""
    random = np.random.default_rng(3)
    for shape, cost in (((1, 3, 2), 0.1), ((1, 3, 40), 0.1), ((2, 60, 30), 0.05), ((1, 40, 90), 0.02)):
        yield f"random {shape}", DenseColumns(random.standard_normal(shape)), np.full((shape[0], shape[2]), cost)
    yield "copies", DenseColumns(copies(random)), np.full((2, 12), 0.02)
    columns, costs = polynomial_problem(*categorical(120, 4, 1))
    yield "ties", columns, costs(1e-3, 1e-2)
    for name, made in (("free", partly_free), ("scales", scales_far_apart)):
        A, cost = made(random)
        yield name, DenseColumns(A), cost
    ones, cost = np.ones((1, 20, 20)), np.full((1, 20), 0.01)
    yield "equal", DenseColumns(ones), cost
    yield "contradictory", DenseColumns(ones * np.resize([1.0, -1.0], 20)[:, None]), cost
    yield "nothing pays", DenseColumns(random.standard_normal((1, 20, 20))), np.full((1, 20), 1e3)
