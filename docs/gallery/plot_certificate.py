"""
Check a certificate yourself
============================

A fitted estimator reports its objective and a lower bound on the optimum. You can recompute both with numpy. Here we do
so for the soft-margin SVM, and use the gap to compare two solvers.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import StandardScaler

from kernlearn import L2SVMClassifier

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X[:200])
sign = np.where(y[:200] == 1, 1.0, -1.0)
C, K = 1.0, rbf_kernel(X, gamma=0.03)

# %%
# The objective is half the squared norm plus the hinge losses. The signed multipliers are ``dual_coef_``.

svm = L2SVMClassifier(kernel="precomputed", C=C).fit(K, sign)
signed = np.zeros(len(K))
signed[svm.support_] = svm.dual_coef_.ravel()
norm = signed @ K @ signed
losses = np.maximum(0.0, 1.0 - sign * svm.decision_function(K))
primal = 0.5 * norm + C * losses.sum()
dual = np.abs(signed).sum() - 0.5 * norm
print(f"objective   {primal:.10f}, reported {svm.objective_:.10f}")
print(f"lower bound {dual:.10f}, reported {svm.dual_objective_:.10f}")

# %%
# LibSVM stops at its own criterion. The default solver of kernlearn, a homotopy method, follows the solution path to
# the optimum. The gap compares the two on one scale. A fit warns if its gap is above ``tol``; here we look at the gaps
# and turn the warnings off.

costs = np.logspace(0, 5, 6)
figure, axes = plt.subplots(figsize=(6, 4))
for solver in ("libsvm", "homotopy"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        estimators = [L2SVMClassifier(kernel="precomputed", C=cost, solver=solver).fit(K, sign) for cost in costs]
    gaps = [max(estimator.gap_, 1e-16) for estimator in estimators]
    print(f"{solver:8s} largest gap {max(gaps):.0e}")
    axes.loglog(costs, gaps, "o-", label=solver)
axes.axhline(1e-6, color="k", linestyle=":", label="tol")
axes.set(xlabel="C", ylabel="relative gap", title="Certified gaps of two solvers")
axes.legend(frameon=False)
figure.tight_layout()
