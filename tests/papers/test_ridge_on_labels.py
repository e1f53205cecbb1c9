"""The documented way to a least squares SVM: kernel ridge regression on labels is the same machine."""

import numpy as np

from kernlearn import KRRRegressor


def test_ridge_regression_on_labels_is_the_least_squares_svm():
    """Suykens and Vandewalle (1999): [0, 1'; 1, K + I / gamma] [b; alpha] = [0; y], and lambda is 1 / gamma."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=40) > 0.6, 1.0, -1.0)
    gamma, K = 1.4, X @ X.T
    system = np.block([[np.zeros((1, 1)), np.ones((1, 40))], [np.ones((40, 1)), K + np.eye(40) / gamma]])
    b, *alpha = np.linalg.solve(system, np.concatenate([[0.0], y]))
    ours = KRRRegressor(kernel="linear", lambda_=1 / gamma, normalise="none").fit(X, y)
    assert abs(y.mean()) > 0.3  # the intercept matters
    np.testing.assert_allclose(ours.predict(X), K @ np.array(alpha) + b, rtol=1e-9, atol=1e-12)
