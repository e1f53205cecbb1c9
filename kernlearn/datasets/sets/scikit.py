"""Data sets that scikit-learn carries with it."""

import numpy as np


def wdbc() -> tuple[np.ndarray, np.ndarray]:
    """Return X (569, 30) and y, 1 where malignant: scikit-learn's own target has it the other way round."""
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    return X, 1 - y


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Return X (1797, 64), grey levels 0..16 of 8 x 8 pixels, and y, the digit."""
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    return X, y
