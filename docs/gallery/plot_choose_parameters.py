"""
Choose parameters with a grid search
====================================

scikit-learn's grid search takes the estimators as they are. The picture shows the mean validation score of every pair.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kernlearn import L2SVMClassifier
from kernlearn.datasets import load

data = load("ionosphere")
pipeline = make_pipeline(StandardScaler(), L2SVMClassifier(kernel="rbf"))
grid = {"l2svmclassifier__C": np.logspace(0, 4, 5), "l2svmclassifier__gamma": np.logspace(-3, -1, 5)}
search = GridSearchCV(pipeline, grid, cv=StratifiedKFold(3, shuffle=True, random_state=0)).fit(data.X, data.y)
print(
    "C={l2svmclassifier__C:g}, gamma={l2svmclassifier__gamma:g}:".format(**search.best_params_),
    f"validation accuracy {search.best_score_:.3f}",
)

# %%
# The best pair lies inside the grid. If it lay at an edge, you would extend the grid.

scores = search.cv_results_["mean_test_score"].reshape(5, 5)
figure, axes = plt.subplots(figsize=(6, 4))
image = axes.imshow(scores, cmap="viridis", origin="lower", aspect="auto")
axes.set_xticks(range(5), [f"{gamma:.3g}" for gamma in grid["l2svmclassifier__gamma"]])
axes.set_yticks(range(5), [f"{C:g}" for C in grid["l2svmclassifier__C"]])
axes.set(xlabel="gamma", ylabel="C", title="ionosphere: validation accuracy")
figure.colorbar(image)
figure.tight_layout()
