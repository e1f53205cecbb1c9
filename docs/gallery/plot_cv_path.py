"""
Scores along a path
===================

An estimator whose name ends with CV chooses its parameters by cross-validation. On every fold it follows one path over
the whole grid, so that a fine grid costs little more than a coarse one. The scores are those of scikit-learn's grid
search.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernlearn import L2SVMClassifierCV
from kernlearn.datasets import load

data = load("ionosphere")
svm = L2SVMClassifierCV(kernel="rbf", gammas=[0.003, 0.03, 0.3], Cs=np.logspace(-1, 4, 26), cv=5)
make_pipeline(StandardScaler(), svm).fit(data.X, data.y)
print(
    "gamma={gamma:g}, C={C:.3g}:".format(**svm.best_params_),
    f"validation accuracy {svm.best_score_:.3f}, largest gap of {5 * 78} fits {svm.cv_results_['max_gap'].max():.0e}",
)

# %%
# Every line is a path. The shaded area is one standard deviation of the five folds. The point is the choice: if several
# points have the best score, it is the one with the smallest C.

results = svm.cv_results_
figure, axes = plt.subplots(figsize=(6, 4))
for gamma in svm.gammas:
    line = np.flatnonzero(results["param_gamma"] == gamma)
    C = results["param_C"][line].astype(float)
    mean, deviation = (results[f"{name}_test_score"][line] for name in ("mean", "std"))
    axes.plot(C, mean, label=f"gamma = {gamma:g}")
    axes.fill_between(C, mean - deviation, mean + deviation, alpha=0.15)
axes.plot(svm.best_params_["C"], svm.best_score_, "ko", label="chosen")
axes.set(xscale="log", xlabel="C", ylabel="accuracy on held-out rows", title="ionosphere: one path for each gamma")
axes.legend()
figure.tight_layout()
