"""Units of kernel parameters that are fitted on the training examples.

``gamma |x - z|^2`` with gamma in units of s is ``gamma |sqrt(s) x - sqrt(s) z|^2``: examples are multiplied by sqrt(s),
and everything after that is as without a unit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse


def scale(train: Any) -> float:
    """Return ``s = 1 / (d var)``, scikit-learn's ``gamma="scale"``: var is that of all entries.

    Examples that are all the same, without a variance, give 1 as there.

    Parameters
    ----------
    train : array or sparse matrix of shape (n, d)
    """
    if isinstance(train, sparse.csr_array):
        variance = (train * train).mean() - train.mean() ** 2
    else:
        with np.errstate(over="ignore"):  # an infinite variance gives examples of zeros, which kernels refuse or bear
            variance = train.var()
    return float(1.0 / (train.shape[1] * variance)) if variance > 0 else 1.0


def auto(train: Any) -> float:
    """Return ``1 / d``, scikit-learn's ``gamma="auto"``."""
    return 1.0 / float(train.shape[1])


#: Units by name.
UNITS: dict[str, Callable[[Any], float]] = {"scale": scale, "auto": auto}
