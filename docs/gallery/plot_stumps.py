"""
Boost decision stumps
=====================

Boosting adds one stump after another. ``staged_score`` gives the score after every round. EBBoost also penalises the
variance of the loss.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernlearn import AdaBoostClassifier, EBBoostClassifier
from kernlearn.datasets import load

data = load("sonar")
train, test = np.arange(0, 208, 2), np.arange(1, 208, 2)
figure, axes = plt.subplots(figsize=(6, 4))
for estimator in (AdaBoostClassifier(rounds=150), EBBoostClassifier(rounds=150, lambda_=0.1)):
    estimator.fit(data.X[train], data.y[train])
    errors = [100.0 * (1.0 - score) for score in estimator.staged_score(data.X[test], data.y[test])]
    name = type(estimator).__name__.removesuffix("Classifier")
    print(f"{name}: {errors[-1]:.1f} % test error after {len(errors)} rounds")
    axes.plot(range(1, len(errors) + 1), errors, label=name)
axes.set(xlabel="rounds", ylabel="test error in %", title="sonar: ensembles of stumps")
axes.legend(frameon=False)
figure.tight_layout()

# %%
# The stumps say which features matter.

best = np.argsort(estimator.feature_importances_)[::-1][:5]
print("most important frequency bands:", ", ".join(str(band) for band in best))
