"""
Bound the outputs: relative margin
==================================

The SVM maximises the margin and ignores how far the outputs spread. The relative margin machine also bounds all
outputs. On two elongated clouds this changes the direction of the boundary. The fraction says how narrow the bound is:
1 is the SVM.
"""

import matplotlib.pyplot as plt
import numpy as np

from kernlearn import L2SVMClassifier, RMMClassifier
from kernlearn.datasets import load

data = load("gaussians", n=80)
estimators = {"SVM": L2SVMClassifier(kernel="linear", C=100.0)}
for fraction in (0.5, 0.1):
    estimators[f"relative margin, fraction {fraction}"] = RMMClassifier(kernel="linear", C=100.0, fraction=fraction)

test = load("gaussians", n=2000, seed=1)
figure, panels = plt.subplots(1, 3, figsize=(10, 3.4), sharey=True)
for axes, (name, estimator) in zip(panels, estimators.items(), strict=True):
    estimator.fit(data.X, data.y)
    error = 100.0 * np.mean(estimator.predict(test.X) != test.y)
    outputs = estimator.decision_function(data.X)
    print(f"{name:32s} test error {error:.2f} %, largest output {np.abs(outputs).max():.2f}")
    axes.hist([outputs[data.y == label] for label in (0, 1)], bins=20, stacked=True)
    axes.set(title=f"{name}\n{error:.2f} % test error", xlabel="output on the training examples")
panels[0].set_ylabel("examples")
figure.tight_layout()
