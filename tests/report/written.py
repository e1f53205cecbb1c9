"""Runs as files, written by hand: every grid point of every split with its errors, and what follows from them."""

import json
from statistics import fmean, stdev

from kernlearn.report.targets import Target

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
