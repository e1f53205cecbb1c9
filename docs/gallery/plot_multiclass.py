"""
Several classes at once
=======================

Most methods learn several classes one against the rest. ``MulticlassMKLClassifier`` and ``StructSVMClassifier`` learn
all classes in one problem, with one certificate for all.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from kernlearn import L2SVMClassifier, MulticlassMKLClassifier, StructSVMClassifier

X, y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)[:, [0, 2]]
estimators = {
    "one against the rest": L2SVMClassifier(kernel="rbf", C=1.0),
    "all at once": StructSVMClassifier(kernel="rbf", C=10.0),
    "all at once, three kernels": MulticlassMKLClassifier(norm=1),
}
x1, x2 = np.meshgrid(np.linspace(-2.2, 2.8, 80), np.linspace(-1.8, 2.0, 80))
figure, panels = plt.subplots(1, 3, figsize=(11, 3.6), sharey=True)
for axes, (name, estimator) in zip(panels, estimators.items(), strict=True):
    estimator.fit(X[::2], y[::2])
    print(f"{name:28s} test accuracy {estimator.score(X[1::2], y[1::2]):.3f}, gap {estimator.gap_:.1e}")
    classes = estimator.predict(np.column_stack([x1.ravel(), x2.ravel()])).reshape(x1.shape)
    axes.contourf(x1, x2, classes, levels=[-0.5, 0.5, 1.5, 2.5], cmap="Pastel1")
    axes.scatter(*X[::2].T, c=y[::2], cmap="Set1", s=15)
    axes.set(title=name, xlabel="sepal length")
panels[0].set_ylabel("petal length")
figure.tight_layout()
