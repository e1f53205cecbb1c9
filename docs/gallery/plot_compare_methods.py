"""
Compare methods by cross-validation
===================================

Estimators of kernlearn work inside scikit-learn's pipelines and cross-validation. This example compares four of them on
one data set.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernlearn import L1SVMClassifier, L2SVMClassifier, RMMClassifier, TwoStageClassifier
from kernlearn.datasets import load

data = load("sonar")
methods = {
    "SVM": L2SVMClassifier(kernel="rbf", C=10.0),
    "norm-1 SVM": L1SVMClassifier(kernel="rbf", beta=1e-3),
    "relative margin": RMMClassifier(kernel="rbf", C=10.0, fraction=0.5),
    "three kernels, aligned": TwoStageClassifier(weighting="alignf", C=10.0),
}
folds = StratifiedKFold(5, shuffle=True, random_state=0)
scores = {
    name: cross_val_score(make_pipeline(StandardScaler(), method), data.X, data.y, cv=folds)
    for name, method in methods.items()
}
for name, values in scores.items():
    print(f"{name:24s} {values.mean():.3f} ({values.std():.3f})")

# %%
# Five folds of 208 examples tell little: the boxes overlap. ``kernlearn run -m`` adds a corrected test.

figure, axes = plt.subplots(figsize=(6, 4))
axes.boxplot(list(scores.values()), orientation="horizontal")
axes.set_yticks(range(1, len(scores) + 1), list(scores))
axes.set(xlabel="accuracy on five test folds", title="sonar, 208 examples")
figure.tight_layout()
