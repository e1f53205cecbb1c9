"""
Use a kernel of your own
========================

A kernel may be any function of two sets of examples. Voted Kernel Regularization and the norm-1 SVM even take kernels
that are not positive definite.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernlearn import L2SVMClassifier

rng = np.random.default_rng(0)
angle = rng.uniform(0.0, 2.0 * np.pi, 120)
y = (np.sin(3.0 * angle) > 0).astype(int)
X = np.column_stack([np.cos(angle), np.sin(angle)]) * rng.uniform(0.7, 1.3, 120)[:, None]


def by_angle(A, B):
    """Return cosines of three times the angle between examples, which do not change if one is turned by 120 degrees."""
    difference = np.arctan2(A[:, 1], A[:, 0])[:, None] - np.arctan2(B[:, 1], B[:, 0])[None]
    return np.cos(3.0 * difference)


own = L2SVMClassifier(kernel=by_angle, C=1.0).fit(X[:40], y[:40])
usual = L2SVMClassifier(kernel="rbf", C=1.0).fit(X[:40], y[:40])
print(f"own kernel {own.score(X[40:], y[40:]):.2f}, Gaussian kernel {usual.score(X[40:], y[40:]):.2f} test accuracy")

# %%
# The kernel knows the symmetry of the problem, so forty examples are enough for all six sectors.

x1, x2 = np.meshgrid(np.linspace(-1.4, 1.4, 100), np.linspace(-1.4, 1.4, 100))
figure, panels = plt.subplots(1, 2, figsize=(8, 4), sharey=True)
for axes, (name, estimator) in zip(panels, {"own kernel": own, "Gaussian kernel": usual}.items(), strict=True):
    values = estimator.decision_function(np.column_stack([x1.ravel(), x2.ravel()])).reshape(x1.shape)
    axes.contourf(x1, x2, np.sign(values), levels=[-2, 0, 2], colors=["#f4a582", "#92c5de"])
    axes.scatter(*X[:40].T, c=y[:40], cmap="RdBu", edgecolor="k", linewidth=0.5, s=30)
    axes.set(title=name, aspect="equal")
figure.tight_layout()
