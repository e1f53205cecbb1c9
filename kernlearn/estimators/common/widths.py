"""Widths of the kernels of estimators: numbers, or scikit-learn's words for what they are on training examples."""

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np

from kernlearn.errors import UserError
from kernlearn.estimators.common.kernels import takes_widths
from kernlearn.kernels.core.units import UNITS
from kernlearn.parameters import MAX, MIN, Number, plain, shown

#: Of several kernels: the gammas that a word stands for are these multiples of the one that it is of one kernel.
MULTIPLES = (0.1, 1.0, 10.0)
#: Kernels of distances and not of their squares, so that a change of units is one of 1 / gamma and not of its root.
OF_DISTANCES = ("laplacian", "chi2")


def check_gamma(key: str, value: Any) -> Any:
    """Return a gamma, a word or a number > 0, or raise `UserError`."""
    if not isinstance(value, str):
        return Number(positive=True).check(key, value)
    if value not in UNITS:
        words = ", ".join(f'"{name}"' for name in UNITS)
        raise UserError(f"{key}={shown(value)}: must be {words} or a number > 0")
    return value


def with_widths(estimator: Any, given: Mapping[str, Any], X: Any) -> dict[str, Any]:
    """Return the parameters of kernels, of which gammas are numbers, where the kernel has any.

    The estimator keeps them as ``gammas_``, or as ``gamma_`` if it has one kernel.

    Parameters
    ----------
    given : mapping
        Its ``gammas`` are a word or a sequence of words and numbers.
    X : array of shape (n, d)
        The training examples.

    Raises
    ------
    UserError
        If a gamma is no word and no number > 0, or a word stands for one that is too large or too small.
    """
    for name in ("gamma_", "gammas_"):
        vars(estimator).pop(name, None)  # of a fit before, which may have been of another kernel
    if not takes_widths(estimator.kernel):
        return dict(given)
    gammas = plain(given["gammas"])
    if isinstance(gammas, str):
        unit = in_number("gammas", gammas, estimator.kernel, X)
        gammas = [multiple * unit for multiple in MULTIPLES]
    elif isinstance(gammas, list):  # what else it may be is refused where kernels are made
        key = "gamma" if hasattr(estimator, "gamma") else "gammas"
        gammas = [in_number(key, gamma, estimator.kernel, X) for gamma in gammas]
    if hasattr(estimator, "gamma"):
        (estimator.gamma_,) = gammas
    else:
        estimator.gammas_ = np.array(gammas)
    return {**given, "gammas": gammas}


def in_number(key: str, gamma: Any, kernel: str, X: Any) -> Any:
    """Return what a word stands for, and a number as it is."""
    if not isinstance(gamma, str):
        return gamma
    value = UNITS[check_gamma(key, gamma)](X)
    if gamma == "scale" and kernel in OF_DISTANCES:
        value = sqrt(value / X.shape[1])  # 1 / (d s) of 1 / (d s^2)
    if not MIN <= value <= MAX:
        raise UserError(f"{key}={gamma}: is {value:.3g} for features of this size; scale them, or give a number")
    return value
