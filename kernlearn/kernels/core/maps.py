"""Feature maps of the textbook as transformers of scikit-learn, for what is linear in features.

Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, chapter 16.
"""

from abc import abstractmethod
from itertools import product
from typing import Any, Self

import numpy as np
from scipy.special import gammaln
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlearn.errors import UserError
from kernlearn.memory import require
from kernlearn.parameters import Number
from kernlearn.types import Array


class _Map(TransformerMixin, BaseEstimator):
    """Base of the maps: what is fitted is the number of features."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Check the parameters, and take note of the number of features.

        Raises `ValueError` if a parameter is out of range, or the map is not for so many features.
        """
        X = validate_data(self, X, dtype=np.float64)
        self._check(X.shape[1])
        return self

    def transform(self, X: Any) -> Array:
        """Return ``psi(x)`` for every row."""
        check_is_fitted(self, "n_features_in_")
        return self._map(validate_data(self, X, dtype=np.float64, reset=False))

    def _check(self, n_features: int) -> None:
        """Raise `UserError` if the map is not for so many features."""

    @abstractmethod
    def _map(self, X: Array) -> Array:
        """Return ``psi(x)`` for every row of checked examples."""


class PowersMap(_Map):
    """The map ``psi(x) = (x, x^2, ..., x^k)`` of every feature.

    With k = 2 the integers from -10 to 10, labelled by ``|x| > 2``, are separated by ``w = (0, 1)``, ``b = -5``, which
    no halfspace on the line does (section 16.1).

    Parameters
    ----------
    degree : int >= 1
        The number k.
    """

    def __init__(self, degree: int = 2):
        self.degree = degree

    def _check(self, n_features: int) -> None:
        Number(low=1, high=100, integer=True).check("degree", self.degree)

    def _map(self, X: Array) -> Array:
        return np.hstack([X**power for power in range(1, self.degree + 1)])


class PolynomialMap(_Map):
    """The map of the polynomial kernel ``(1 + <x, z>)^k``, of dimension ``(n + 1)^k``.

    Its entries are ``prod_i x_{J_i}`` for all J in {0, ..., n}^k, with ``x_0 = 1``: every monomial as often as the
    kernel has it (section 16.2).

    Parameters
    ----------
    degree : int >= 1
        The number k.
    """

    def __init__(self, degree: int = 2):
        self.degree = degree

    def _check(self, n_features: int) -> None:
        Number(low=1, high=100, integer=True).check("degree", self.degree)

    def _map(self, X: Array) -> Array:
        n, dimension = len(X), float(X.shape[1] + 1) ** self.degree
        require(8.0 * n * dimension, f"{dimension:.3g} features of {n} examples", "use the kernel itself")
        one = np.hstack([np.ones((n, 1)), X])
        psi = np.ones((n, 1))
        for _ in range(self.degree):
            psi = (psi[:, :, None] * one[:, None, :]).reshape(n, -1)
        return psi

    def indices(self) -> list[tuple[int, ...]]:
        """Return J of every entry, in their order."""
        check_is_fitted(self, "n_features_in_")
        return list(product(range(self.n_features_in_ + 1), repeat=self.degree))


class GaussianMap(_Map):
    """The map of the Gaussian kernel ``exp(-(x - z)^2 / 2)`` on numbers, cut after some of its infinitely many entries.

    ``psi(x)_n = exp(-x^2 / 2) x^n / sqrt(n!)``, n = 0, 1, ... (section 16.2). What is cut off,
    ``exp(-(x^2 + z^2) / 2) sum_{n >= N} (x z)^n / n!``, is next to nothing once N is some times ``|x z|``.

    Parameters
    ----------
    n_components : int >= 1
        The number N.
    """

    def __init__(self, n_components: int = 20):
        self.n_components = n_components

    def _check(self, n_features: int) -> None:
        Number(low=1, high=10**6, integer=True).check("n_components", self.n_components)
        if n_features != 1:
            raise UserError(f"GaussianMap: is for one feature, there are {n_features}")

    def _map(self, X: Array) -> Array:
        n = np.arange(self.n_components)
        with np.errstate(divide="ignore", invalid="ignore"):  # by logarithms: x^n and n! overflow
            powers = np.where(n == 0, 0.0, n * np.log(np.abs(X)))
        signs: Array = np.sign(X) ** n
        return signs * np.exp(-0.5 * X**2 + powers - 0.5 * gammaln(n + 1.0))
