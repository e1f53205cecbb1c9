"""
Weigh a rare class
==================

If one class is rare, the plain error hardly depends on it. ``class_weight="balanced"`` gives both classes the same
total weight in the loss.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score, recall_score

from kernlearn import L2SVMClassifier

X, y = make_classification(600, 5, weights=[0.93], class_sep=0.8, random_state=3)
weights = [1, 2, 5, 10, 20]
recalls, balanced = [], []
for weight in weights:
    svm = L2SVMClassifier(kernel="rbf", C=1.0, class_weight={1: weight}).fit(X[:300], y[:300])
    labels = svm.predict(X[300:])
    recalls.append([recall_score(y[300:], labels, pos_label=label) for label in (0, 1)])
    balanced.append(balanced_accuracy_score(y[300:], labels))
usual = L2SVMClassifier(kernel="rbf", C=1.0, class_weight="balanced").fit(X[:300], y[:300])
print(f"class_weight='balanced': {balanced_accuracy_score(y[300:], usual.predict(X[300:])):.3f} balanced accuracy")

# %%
# A larger weight finds more of the rare class and loses some of the common one.

figure, axes = plt.subplots(figsize=(6, 4))
for label, column in zip(("common class", "rare class"), np.transpose(recalls), strict=True):
    axes.plot(weights, column, "o-", label=f"recall of the {label}")
axes.plot(weights, balanced, "k--", label="mean of the two")
axes.set(xlabel="weight of the rare class", ylabel="share found", title="one example in fourteen is rare")
axes.legend(frameon=False)
figure.tight_layout()
