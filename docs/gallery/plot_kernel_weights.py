"""
Learn the weights of kernels
============================

When you do not know the width of a kernel, give several. Kernel learning finds weights for them. A bound on the 1-norm
makes the weights sparse. A bound on the 2-norm spreads them out.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.preprocessing import StandardScaler

from kernlearn import MKLClassifier, TwoStageClassifier
from kernlearn.datasets import load

data = load("sonar")
X = StandardScaler().fit_transform(data.X)
gammas = np.logspace(-4, 0, 5)
methods = {
    "1-norm": MKLClassifier(norm=1, gammas=gammas, C=10.0),
    "2-norm": MKLClassifier(norm=2, gammas=gammas, C=10.0),
    "alignment": TwoStageClassifier(weighting="alignf", gammas=gammas, C=10.0),
}

figure, axes = plt.subplots(figsize=(6, 4))
for shift, (name, method) in enumerate(methods.items()):
    weights = method.fit(X[::2], data.y[::2]).weights_.ravel()
    accuracy = method.score(X[1::2], data.y[1::2])
    print(f"{name:10s} test accuracy {accuracy:.3f}, weights {np.round(weights / weights.sum(), 3)}")
    axes.bar(np.arange(5) + 0.27 * (shift - 1), weights / weights.sum(), width=0.25, label=name)
axes.set_xticks(range(5), [f"{gamma:g}" for gamma in gammas])
axes.set(xlabel="gamma of the kernel", ylabel="share of the weights", title="sonar: weights of five Gaussian kernels")
axes.legend(frameon=False)
figure.tight_layout()
