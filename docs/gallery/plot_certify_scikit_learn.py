"""
Certify a solution of scikit-learn
==================================

`SVC` stops when no pair of multipliers violates the conditions of an optimum by more than ``tol``. What this means for
the objective depends on C. ``certify`` computes it from the data, for scikit-learn's estimators, too.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernlearn import certify

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
print(certify(SVC(C=100.0).fit(X, y), X, y))

# %%
# The relative gap grows with C. With a large C, a large part of the objective may be avoidable at the default
# tolerance. The predicted labels of the training examples hardly change.

costs = np.logspace(-1, 5, 7)
figure, axes = plt.subplots(figsize=(6, 4))
for tol in (1e-3, 1e-5):
    gaps = [certify(SVC(C=C, tol=tol).fit(X, y), X, y).relative_gap for C in costs]
    axes.loglog(costs, gaps, "o-", label=f"tol={tol:g}" + (", the default" if tol == 1e-3 else ""))
axes.set(xlabel="C", ylabel="relative gap", title="Upper bounds on the distance of SVC from the optimum")
axes.legend(frameon=False)
figure.tight_layout()
