"""
Learn from few labels on a graph
================================

With few labels and many examples, the examples without labels help too. ``GraphClassifier`` joins each example to its
neighbours and spreads the labels along the graph. The label -1 means that the label is unknown.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from kernlearn import GraphClassifier, L2SVMClassifier

X, truth = make_moons(200, noise=0.08, random_state=1)
y = np.full(200, -1)
known = np.concatenate([np.flatnonzero(truth == label)[:3] for label in (0, 1)])
y[known] = truth[known]

graph = GraphClassifier(method="sgt", q=30).fit(X, y)
svm = L2SVMClassifier(kernel="rbf", C=10.0).fit(X[known], truth[known])
hidden = y == -1
labels = {"six labels alone (SVM)": svm.predict(X), "six labels and the graph": graph.transduction_}

figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True)
for axes, (name, found) in zip(panels, labels.items(), strict=True):
    error = 100.0 * np.mean(found[hidden] != truth[hidden])
    print(f"{name}: {error:.1f} % of the hidden labels are wrong")
    axes.scatter(*X.T, c=found, cmap="coolwarm", s=18)
    axes.scatter(*X[known].T, marker="*", s=160, c=truth[known], cmap="coolwarm", edgecolor="k")
    axes.set_title(f"{name}: {error:.1f} % wrong")
figure.tight_layout()
