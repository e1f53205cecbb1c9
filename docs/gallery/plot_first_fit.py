"""
Fit a classifier
================

A classifier of kernlearn is a scikit-learn estimator. It fits, predicts and scores like any other one, and it also
reports how close its solution is to the optimum.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from kernlearn import L2SVMClassifier

X, y = make_moons(200, noise=0.2, random_state=0)
svm = L2SVMClassifier(kernel="rbf", gamma=1.0, C=1.0).fit(X[:100], y[:100])
print(f"test accuracy {svm.score(X[100:], y[100:]):.2f}, relative gap {svm.gap_:.1e}")

# %%
# The decision function is zero on the black line. The circles mark the support vectors.

x1, x2 = np.meshgrid(np.linspace(-1.7, 2.7, 120), np.linspace(-1.3, 1.8, 120))
values = svm.decision_function(np.column_stack([x1.ravel(), x2.ravel()])).reshape(x1.shape)

figure, axes = plt.subplots(figsize=(6, 4))
axes.contourf(x1, x2, values, levels=20, cmap="RdBu", alpha=0.6)
axes.contour(x1, x2, values, levels=[0.0], colors="k")
axes.scatter(*X[:100].T, c=y[:100], cmap="RdBu", edgecolor="k", linewidth=0.5, s=30)
axes.scatter(*X[svm.support_].T, s=80, facecolors="none", edgecolors="k")
axes.set(title=f"{svm.n_support_} support vectors of 100 examples", xlabel="first feature", ylabel="second feature")
figure.tight_layout()
