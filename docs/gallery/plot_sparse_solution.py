"""
Few coefficients: Voted Kernel Regularization
=============================================

Voted Kernel Regularization penalises each coefficient more if its kernel is more complex. A stronger penalty keeps
fewer coefficients, and a larger share of them belongs to simple kernels.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.preprocessing import normalize

from kernlearn import VKRClassifier
from kernlearn.datasets import load

data = load("ionosphere")
X = normalize(data.X)
train, test = np.arange(0, len(X), 2), np.arange(1, len(X), 2)
strengths = np.logspace(-1, -5, 5)
counts, errors = [], []
for strength in strengths:
    vkr = VKRClassifier(degrees=(1, 2, 3, 4, 5), lambda_=strength, beta=1e-4).fit(X[train], data.y[train])
    counts.append((vkr.dual_coef_ != 0.0).sum(axis=1))
    errors.append(100.0 * np.mean(vkr.predict(X[test]) != data.y[test]))
    print(f"lambda {strength:g}: {counts[-1].sum()} coefficients, test error {errors[-1]:.1f} %, gap {vkr.gap_:.0e}")

# %%
# The bars count coefficients by the degree of their polynomial kernel.

figure, axes = plt.subplots(figsize=(6, 4))
below = np.zeros(len(strengths))
for degree, row in zip((1, 2, 3, 4, 5), np.transpose(counts), strict=True):
    axes.bar(range(len(strengths)), row, bottom=below, label=f"degree {degree}")
    below = below + row
axes.set_xticks(range(len(strengths)), [f"{strength:g}" for strength in strengths])
axes.set(xlabel="lambda", ylabel="non-zero coefficients", title="ionosphere, 176 training examples")
axes.legend(frameon=False)
figure.tight_layout()
