"""Kernels and labels on which the tests combine them, and an oracle."""

import numpy as np
from sklearn.svm import SVC

from kernlearn.algorithms.kernel_learning.multiclass_mkl import MulticlassInner
from kernlearn.kernels import DenseStack, GramStack, make_family, sizes
from kernlearn.solvers import newton
from tests.conftest import moons

X, Y = moons(70)
N = len(Y)
GRAM = GramStack.train(make_family("gaussian", gammas=[0.1, 0.5, 2.0, 8.0, 30.0]), X)
STACK = DenseStack.of(GRAM).centred()
T = sizes(STACK, "mean_diagonal")
P = len(STACK)
REAL = np.sin(2 * X[:, 0]) + 0.1 * np.random.default_rng(0).normal(size=N)
REAL -= REAL.mean()


def svm_value(K, y, C):
    """The optimal value of the SVM by LibSVM, primal and dual: the truth lies between."""
    svc = SVC(kernel="precomputed", C=C, tol=1e-6).fit(K, y)
    beta = np.zeros(len(y))
    beta[svc.support_] = svc.dual_coef_[0]
    f = K @ beta
    dual = np.abs(beta).sum() - 0.5 * beta @ f
    return 0.5 * beta @ f + C * np.maximum(0, 1 - y * (f + svc.intercept_)).sum(), dual


def solve_multiclass_mkl(stack, y, C, *, norm=1.0, sizes=None, tol=1e-4):
    """Solve the problem of `multiclass_mkl` for one C, on kernels divided by their sizes."""
    inner = MulticlassInner(stack, y, C, np.ones(len(stack)) if sizes is None else sizes, tol)
    return newton(inner, np.ones(len(stack)), norm=norm, tol=tol)
