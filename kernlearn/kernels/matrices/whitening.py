"""Kernels of examples that are centred and, in part, whitened: directions in which they vary count for less."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kernlearn.errors import UserError
from kernlearn.kernels.matrices.centring import centre
from kernlearn.types import Array


class Whitening:
    """The kernel ``(phi(x) - mu)' ((1 - D) I + D Sigma)^-1 (phi(z) - mu)`` of Shivaswamy (2010), (2.5).

    mu and Sigma are the mean and the covariance, with 1/n, of the training examples. With their centred Gram matrix
    ``Kc`` the kernel of any z with them is ``kc(z) ((1 - D) I + D Kc / n)^-1``, kc(z) being the centred row of z: the
    features outside their span meet none of theirs. The matrix is far from singular as long as D is not next to 1.

    Parameters
    ----------
    K : array of shape (n, n)
        Gram matrix of the training examples, symmetric and positive semidefinite.
    D : float
        From 0, which only centres, to 1, exclusive, near which every direction has the same variance.

    Attributes
    ----------
    matrix : array of shape (n, n)
        Whitened Gram matrix of the training examples.
    """

    def __init__(self, K: Array, D: float):
        if not 0.0 <= D < 1.0:
            raise UserError(f"D={D:g}: the part of the covariance in the whitening has to be at least 0 and below 1")
        n, Kc = len(K), centre(K)
        self._means, self._factor = K.mean(axis=0), cho_factor((1.0 - D) * np.eye(n) + D / n * Kc)
        matrix = cho_solve(self._factor, Kc)
        self.matrix = 0.5 * (matrix + matrix.T)

    def rows(self, K: Array) -> Array:
        """Return the whitened kernel of other examples, from the rows ``k(z, x_j)``, shape (m, n), of the kernel."""
        centred = K - K.mean(axis=1, keepdims=True) - self._means + self._means.mean()
        result: Array = cho_solve(self._factor, centred.T).T
        return result

    def coefficients(self, x: Array) -> tuple[Array, float]:
        """Return the same f in terms of the kernel itself: ``sum_j x_j khat(z, x_j) = sum_j c_j k(z, x_j) + c_0``.

        Parameters
        ----------
        x : array of shape (n,)

        Returns
        -------
        c : array of shape (n,)
        c_0 : float
        """
        v = cho_solve(self._factor, x)
        return v - v.mean(), float((self._means.mean() - self._means) @ v)
