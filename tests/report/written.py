"""Runs and comparisons as files, written by hand, and what follows from their numbers."""

import json
from statistics import fmean, stdev

from kernlearn.evaluation import METRICS
from kernlearn.report.comparison.scores import BASELINE, METHOD, Comparison, Measured
from kernlearn.report.targets import Target
from kernlearn.runner.store.tables import write_csv

#: Examples of each validation and test part.
SIZE = 100
COLUMNS = (
    *("n_train", "n_validation", "validation_errors", "validation_error_pct", "n_support", "n_nonzero", "gap"),
    *("status", "test_error_pct"),
)


def write_run(directory, grid, errors, sizes=None, rule="per_split", algorithm="l2_svm", kernel="gaussian"):
    """Write the tables of a run, and return it.

    Parameters
    ----------
    directory : Path
    grid : list of dict
        The hyper-parameters of every point.
    errors : list of list of int
        The errors of every point on the validation part of every split, of `SIZE` examples; test parts have one more.
    sizes : list of int, optional
        The number of coefficients of every point.
    """
    directory.mkdir(parents=True)
    names = list(dict.fromkeys(name for point in grid for name in point))
    lines = [",".join(("run,dataset,algorithm,seed,split,point", *names, *COLUMNS))]
    chosen = []
    for split in range(len(errors[0])):
        for i, point in enumerate(grid):
            size = sizes[i] if sizes else 10 + i
            numbers = (
                SIZE,
                SIZE,
                errors[i][split],
                errors[i][split],
                size,
                size,
                1e-9,
                "optimal",
                errors[i][split] + 1,
            )
            values = (point.get(name, "") for name in names)
            lines.append(",".join(map(str, ("r", "sonar", algorithm, 0, split, i, *values, *numbers))))
        order = [(errors[i][split], sizes[i] if sizes else 10 + i, i) for i in range(len(grid))]
        chosen.append(min(order)[0] + 1)
    if rule != "per_split":
        best = min((sum(row), sizes[i] if sizes else 10 + i, i) for i, row in enumerate(errors))[2]
        chosen = [one + 1 for one in errors[best]]
    std = stdev(chosen) if len(chosen) > 1 else ""
    head = "run,dataset,algorithm,metric,mean,std,n_splits,n_selected_not_optimal,test_rows_in_choice_pct"
    row = f"r,sonar,{algorithm},error_pct,{fmean(chosen)},{std},{len(chosen)},0,0"
    (directory / "paths.csv").write_text("\n".join([*lines, ""]))
    (directory / "summary.csv").write_text("\n".join([head, row, ""]))
    record = {
        "experiment": {"algo": {"name": algorithm}, "kernel": {"name": kernel}},
        "data": [{}],
        "computed": [],
        "chosen_by": {"select_by": "error_pct", "rule": rule},
    }
    (directory / "provenance.json").write_text(json.dumps(record))
    return Target("run", directory.name, directory)


def write_comparison(directory, scores, metric="error_pct", inexact=()):
    """Write the tables of a comparison of classifiers, and return it.

    Parameters
    ----------
    directory : Path
    scores : dict
        The scores of every split by data set, method and metric, None where one is undefined. Methods whose name begins
        with ``base`` are baselines.
    metric : str
        The one that ranks.
    inexact : sequence of str
        The methods of which two solutions are not proved optimal.
    """
    directory.mkdir(parents=True)
    comparisons, experiments = [], {}
    for data, methods in scores.items():
        measured = []
        for name, by_metric in methods.items():
            kind, n = BASELINE if name.startswith("base") else METHOD, len(next(iter(by_metric.values())))
            rows = [{"seed": 0, "split": i, "n_train": 80, "n_test": 20} for i in range(n)]
            for key, values in by_metric.items():
                for row, value in zip(rows, values, strict=True):
                    row |= {} if value is None else {METRICS[key].column_of("test"): METRICS[key].to_column(value)}
            runs, chosen = [], []
            if kind == METHOD:
                status = ["inexact" if name in inexact and i < 2 else "optimal" for i in range(n)]
                rows = [row | {"gap": 1e-9, "status": word} for row, word in zip(rows, status, strict=True)]
                runs, chosen = [f"run{len(experiments)}"], ["C=1"] * n
                experiments["".join(runs)] = {"algo": {"name": name}, "kernel": {"name": "linear"}}
            measured.append(Measured(name, kind, rows, runs, chosen))
        described = {"name": data, "source": "own", "sha256": "a" * 64, "examples": 100, "features": 2, "classes": []}
        comparisons.append(Comparison(described, "classification", "nested5x5", "standard", metric, measured))
    write_csv(directory / "ranking.csv", [row for one in comparisons for row in one.ranking()])
    write_csv(directory / "splits.csv", [row for one in comparisons for row in one.rows_of_splits()])
    record = {"data": [one.data for one in comparisons], "experiments": experiments}
    record |= {"collected": {"command": "kernlearn compare", "code": {}, "packages": {}, "when": "", "engine": {}}}
    (directory / "provenance.json").write_text(json.dumps(record))
    return Target("comparison", directory.name, directory)
