"""Kernel matrices that others computed, in the type in which they did."""

import re

import numpy as np
import pytest

import kernlearn as kl
from kernlearn.errors import UserError
from kernlearn.kernels import DenseStack

SINGLE = (kl.L2SVMClassifier, kl.RMMClassifier, kl.SoftSVMClassifier, kl.StructSVMClassifier, kl.SigmaSVMClassifier)
SEVERAL = (kl.MKLClassifier, kl.MulticlassMKLClassifier, kl.TwoStageClassifier, kl.LocalRademacherClassifier)


def examples(n=40, shift=0.0):
    Z = np.random.RandomState(0).randn(n, 3).astype(np.float32) + np.float32(shift)
    return Z, (Z[:, 0] > shift).astype(int)


def gaussian(Z):
    squares = (Z * Z).sum(axis=1)
    return np.exp(-(squares[:, None] + squares - 2 * Z @ Z.T) / 100)


@pytest.mark.parametrize("make", [lambda Z: Z @ Z.T, gaussian, lambda Z: (Z + 10) @ (Z + 10).T])
def test_what_float32_leaves_below_zero_is_rounding(make):
    Z, y = examples()
    K = make(Z)
    assert K.dtype == np.float32 and np.linalg.eigvalsh(K.astype(float))[0] < -1e-12 * np.trace(K)
    for estimator in SINGLE:
        exact = make(Z.astype(float))
        outputs = [estimator(kernel="precomputed").fit(given, y).decision_function(exact) for given in (K, exact)]
        assert np.abs(np.subtract(*outputs)).max() < 0.02 * np.abs(outputs[1]).max()
    with pytest.raises(UserError, match="if it was computed in float32, leave it in float32"):
        kl.L2SVMClassifier(kernel="precomputed").fit(K.astype(float), y)


@pytest.mark.parametrize("estimator", SEVERAL)
@pytest.mark.parametrize("arranged", [np.stack, list, lambda kernels: np.stack(kernels, axis=-1)])
def test_stacks_of_float32(estimator, arranged):
    Z, y = examples()
    kernels = arranged([Z @ Z.T, gaussian(Z)])
    assert np.shape(estimator(kernel="precomputed").fit(kernels, y).weights_)[-1] == 2


def test_every_matrix_of_a_list_has_its_own_type():
    Z, _ = examples()
    DenseStack.check([Z @ Z.T, np.eye(40)])
    with pytest.raises(UserError, match="kernel matrix 1 is not positive semidefinite"):
        DenseStack.check([Z @ Z.T, (Z @ Z.T).astype(float)])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("indefinite", [[[0, 1], [1, 0]], [[1, 3], [3, 2]], [[-1, 0], [0, -1]]])
def test_the_advice_is_accepted(dtype, indefinite):
    """Whatever the type of the matrix, and of what is added to it."""
    K, y = np.kron(np.eye(3, dtype=dtype), np.array(indefinite, dtype=dtype)), [0, 1] * 3
    with pytest.raises(UserError, match="not positive semidefinite") as caught:
        kl.L2SVMClassifier(kernel="precomputed").fit(K, y)
    advice = float(re.search(r"add (\S+) to", str(caught.value))[1])
    assert "float32" not in str(caught.value)
    for other in (np.float32, np.float64):
        kl.L2SVMClassifier(kernel="precomputed").fit(K.astype(other) + other(advice) * np.eye(6, dtype=other), y)


def test_the_advice_of_a_small_eigenvalue_is_accepted():
    Z, y = examples()
    K = (Z @ Z.T).astype(float)
    with pytest.raises(UserError) as caught:
        kl.RMMClassifier(kernel="precomputed").fit(K, y)
    advice = float(re.search(r"add (\S+) to", str(caught.value))[1])
    assert 0 < advice < 1e-4
    kl.RMMClassifier(kernel="precomputed").fit(K + advice * np.eye(len(K)), y)


@pytest.mark.parametrize(("dtype", "part"), [(np.float32, 1e-5), (np.float64, 1e-9), (np.float64, 1e-6)])
def test_symmetry_up_to_rounding(dtype, part):
    """The symmetric part is learned from; more than rounding is refused."""
    Z, y = examples()
    K = (Z @ Z.T + np.eye(40)).astype(dtype)
    K[0, 1] += part * np.abs(K).max()
    stack = DenseStack.check([K])
    assert (stack.K[0] == stack.K[0].T).all() and np.allclose(stack.K[0], K, atol=part * np.abs(K).max())
    kl.L2SVMClassifier(kernel="precomputed").fit(K, y)
    K[0, 1] += 2e-3 * np.abs(K).max()
    with pytest.raises(UserError, match="not symmetric"):
        kl.L2SVMClassifier(kernel="precomputed").fit(K, y)


def test_half_precision_has_too_few_digits():
    """What is a kernel as it stands is one; the rounding of half precision is not allowed for."""
    Z, y = examples()
    kl.L2SVMClassifier(kernel="precomputed").fit(
        np.round(Z @ Z.T).astype(np.float16) + 4 * np.eye(40, dtype=np.float16), y
    )
    with pytest.raises(UserError, match="not positive semidefinite"):
        kl.L2SVMClassifier(kernel="precomputed").fit((Z @ Z.T).astype(np.float16), y)


@pytest.mark.parametrize("made", [lambda K: K.astype(float), lambda K: np.round(K.astype(float), 6)])
def test_a_gram_matrix_of_single_precision_in_double_precision_is_a_kernel(made):
    Z, y = examples()
    K = (Z @ Z.T).astype(np.float32)
    K += np.finfo(np.float32).eps * np.abs(K).max() * np.triu(np.ones_like(K), 1) * 4
    for estimator in (kl.L2SVMClassifier, kl.RMMClassifier):
        estimator(kernel="precomputed").fit(made(K), y)
    assert (DenseStack.check([made(K)]).K[0] == DenseStack.check([made(K)]).K[0].T).all()
