"""Time the estimators that choose parameters by cross-validation against scikit-learn's `GridSearchCV`.

Both search the same grid on the same five folds for the same estimator, and refit on all rows, in one process on one
thread. Data are two overlapping classes in 20 dimensions. Reported are CPU seconds, compilation apart, their ratio,
the largest difference of a score of a fold, whether the choice is the same, and from size to size the exponent that
the CPU seconds of the estimator grow with.

    python scripts/bench/cv_estimators.py
    python scripts/bench/cv_estimators.py --only L2SVMClassifierCV --n 500 1000 2000
"""

import argparse
import warnings
from math import log

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import cpu
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV

import kernlearn

Array = np.ndarray
GAUSSIAN = {"kernel": "gaussian"}
#: A grid of as many points as voted kernels have by default.
FINE = np.logspace(-2, 4, 49)
#: What is searched for, with the default grids where none is given.
SEARCHES = [
    kernlearn.L2SVMClassifierCV(**GAUSSIAN),
    kernlearn.L2SVMClassifierCV(**GAUSSIAN, Cs=FINE),
    kernlearn.L2SVMClassifierCV(**GAUSSIAN, gammas=[0.01, 0.05, 0.25]),
    kernlearn.SoftSVMClassifierCV(**GAUSSIAN, lambdas=1.0 / (1000.0 * FINE)),
    kernlearn.RMMClassifierCV(**GAUSSIAN, solver="auto"),
    kernlearn.VKRClassifierCV(**GAUSSIAN),
    kernlearn.MKLClassifierCV(**GAUSSIAN),
    kernlearn.MKLClassifierCV(**GAUSSIAN, Cs=FINE[:33:4]),
    kernlearn.TwoStageClassifierCV(**GAUSSIAN, Cs=FINE),
    kernlearn.KRRRegressorCV(**GAUSSIAN),
    kernlearn.KRRRegressorCV(**GAUSSIAN, lambdas=FINE),
    kernlearn.KLDAClassifierCV(**GAUSSIAN, mus=FINE / 1e5),
    kernlearn.LPBoostClassifierCV(rounds=100),
]


def sample(n: int) -> tuple[Array, Array]:
    """Return two classes of unit variance whose means are 2 apart."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    X = rng.normal(size=(n, 20))
    X[:, 0] += y
    return X, y


def measure(search: object, n: int) -> tuple[int, float, float, float, bool]:
    """Return points, the CPU seconds of both, the largest difference of a score, and whether the choice is the same."""
    X, y = sample(n)
    y = np.sign(y) if is_classifier(search) else y + X[:, 1]
    ours, fitted = cpu(clone(search).fit, X, y)
    points = [{name: [value] for name, value in point.items()} for point in fitted.cv_results_["params"]]
    other = GridSearchCV(fitted.best_estimator_, points, cv=5)
    theirs, other = cpu(other.fit, X, y)
    keys = [f"split{fold}_test_score" for fold in range(5)]
    difference = max(float(np.abs(fitted.cv_results_[key] - other.cv_results_[key]).max()) for key in keys)
    return len(points), ours, theirs, difference, fitted.best_params_ == other.best_params_


def main() -> None:
    """Measure the searches and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", nargs="+", type=int, default=[250, 500, 1000])
    parser.add_argument("--only", nargs="*", default=[], help="names of classes")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| search | points | n | CPU s | GridSearchCV | ratio | growth | largest difference | same choice |")
    print("|---|---|---|---|---|---|---|---|---|")
    for search in SEARCHES:
        name = type(search).__name__
        if arguments.only and name not in arguments.only:
            continue
        clone(search).set_params(cv=2).fit(*sample(500))  # imported and compiled on the first call
        last: tuple[int, float] | None = None
        for n in arguments.n:
            points, ours, theirs, difference, same = measure(search, n)
            growth = f"n^{log(ours / last[1]) / log(n / last[0]):.1f}" if last else ""
            row = [name, points, n, f"{ours:.2f}", f"{theirs:.2f}", f"{theirs / ours:.1f}", growth]
            print("|", " | ".join(map(str, [*row, f"{difference:.1g}", "yes" if same else "no"])), "|", flush=True)
            last = n, ours


if __name__ == "__main__":
    main()
