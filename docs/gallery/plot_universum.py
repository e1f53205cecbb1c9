"""
Use examples of neither class: a Universum
==========================================

Examples of neither class show which features do not matter. The SVM with a Universum keeps its outputs near 0 on them.
Here the classes are the digits 3 and 8, and the digit 5 is the Universum.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from kernlearn import USVMClassifier

X, y = load_digits(return_X_y=True)
X = X / 16.0
pair = np.isin(y, (3, 8))
universum = X[y == 5][:40]
X, y = X[pair], y[pair]

# %%
# We increase ``C_universum`` from 1e-4 to 10. It weighs the outputs on the Universum as C weighs the losses; here C is
# 10.

costs = np.logspace(-4, 1, 6)
spread, errors = [], []
for cost in costs:
    estimator = USVMClassifier(kernel="rbf", C=10.0, C_universum=cost).fit(X[:30], y[:30], universum)
    spread.append(np.abs(estimator.decision_function(universum)).mean())
    errors.append(100.0 * np.mean(estimator.predict(X[30:]) != y[30:]))
    print(f"C_universum {cost:7.4f}: mean output on the Universum {spread[-1]:.3f}, test error {errors[-1]:.1f} %")

figure, axes = plt.subplots(figsize=(6, 4))
axes.semilogx(costs, errors, "o-", label="test error in %")
axes.semilogx(costs, 10.0 * np.array(spread), "s--", label="10 x mean output on the Universum")
axes.set(xlabel="C_universum", title="digits 3 and 8, 30 training examples")
axes.legend(frameon=False)
figure.tight_layout()
