"""
Learn numbers with several kernels
==================================

Ridge regression can learn the weights of several kernels. The target here is the sum of a slow and a fast wave. The
gain over equal weights is small. This is common: equal weights are a baseline that is hard to beat.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernlearn import LKRRRegressor, TwoStageRegressor

rng = np.random.default_rng(0)
X = np.sort(rng.uniform(0.0, 4.0, 120))[:, None]
truth = np.sin(1.5 * X.ravel()) + 0.3 * np.sin(12.0 * X.ravel())
y = truth + rng.normal(0.0, 0.15, 120)
gammas = [0.1, 1.0, 10.0, 100.0]

figure, axes = plt.subplots(figsize=(7, 4))
axes.plot(X, y, ".", color="0.7", label="examples")
for name, estimator in {
    "equal weights": TwoStageRegressor(weighting="unif", gammas=gammas, lambda_=0.3),
    "learned weights": LKRRRegressor(norm=2, gammas=gammas, lambda_=0.3),
}.items():
    estimator.fit(X, y)
    error = np.sqrt(np.mean((estimator.predict(X) - truth) ** 2))
    print(f"{name}: distance from the truth {error:.3f}, weights {np.round(estimator.weights_.ravel(), 2)}")
    axes.plot(X, estimator.predict(X), label=f"{name}: {error:.3f} from the truth")
axes.set(xlabel="x", ylabel="y", title="four Gaussian kernels")
axes.legend(frameon=False)
figure.tight_layout()
