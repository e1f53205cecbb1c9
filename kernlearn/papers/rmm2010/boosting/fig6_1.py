"""Figure 6.1 of Shivaswamy (2010): cumulative distributions of the margins of the models that table 6.1 selects."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from kernlearn.algorithms import Problem, Signs
from kernlearn.evaluation import Selection
from kernlearn.kernels import SCALINGS, make_family, make_inputs
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.measured import Claim, Measured, everywhere
from kernlearn.papers.core.measures import cell_of
from kernlearn.papers.core.tables import Comparisons, Measures, Points, Rows
from kernlearn.runner.cell.cell import PathCell
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.plan.plan import Plan

NEEDS = {"adaboost", "ebboost", "adaboost_reg"}
#: The margins at which a distribution is reported.
AT = np.round(np.linspace(-1.0, 1.0, 41), 2)
CURVES = {
    "adaboost": ("AdaBoost", GREY, "-"),
    "ebboost": ("EBBoost", COLOURS[0], "-"),
    "adaboost_reg": ("AdaBoost$_{REG}$", COLOURS[3], "-"),
    "lpboost": ("LPBoost", COLOURS[1], ":"),
    "qpboost": ("QPBoost", COLOURS[2], ":"),
}
SIZE = (10.0, 3.4)


def measure(plan: Plan, rows: Rows, selection: Selection) -> Measures:
    """Return what is shown of the margins of every split's model, which is found again for them."""
    of_rows = [margins(cell_of(plan, row), int(row["point"])) for row in selection.rows]
    return {
        "margin": [float(one.mean()) for one in of_rows],
        "margin_std": [float(one.std()) for one in of_rows],
        "negative_pct": [100.0 * float((one < 0.0).mean()) for one in of_rows],
    } | {_name(t): [float((one <= t).mean()) for one in of_rows] for t in AT}


def margins(cell: PathCell, point: int) -> NDArray[np.float64]:
    """Return ``y_i f(x_i) / sum_r |alpha_r|`` of the training examples at a point of the grid of a cell."""
    dataset, split = data_of(cell)
    (X,) = SCALINGS[cell.scaling](dataset.X[split.train])
    y = np.where(dataset.y[split.train] == 1, 1.0, -1.0)
    method, options = cell.method, cell.values
    with threadpool_limits(1):  # the same bytes on any number of cores
        inputs: Any = make_inputs(make_family(**cell.kernel), X, cell.seed)
        path = method.path(Problem(inputs, Signs(y), None, cell.seed), **options)
        vote: Any = next(islice(path, point, None)).predictor
        return y * vote.outputs(inputs)[0] / (np.abs(vote.rounds.alphas[: vote.number]).sum() or 1.0)


def claims(measured: Measured) -> list[Claim]:
    """Check the caption of figure 6.1."""
    rows = measured.rows("negative_pct", *NEEDS)
    values = {
        metric: {row: {name: measured.mean(row, name, metric) for name in NEEDS} for row in rows}
        for metric in ("negative_pct", "margin_std")
    }
    return [
        everywhere(
            "AdaBoost_REG has more examples with negative margins than AdaBoost and EBBoost: a tail",
            {row: _largest(methods) == "adaboost_reg" for row, methods in values["negative_pct"].items()},
        ),
        everywhere(
            "The margins of EBBoost vary less than those of AdaBoost and of AdaBoost_REG",
            {
                row: min(methods, key=lambda name: methods[name]) == "ebboost"
                for row, methods in values["margin_std"].items()
            },
        ),
    ]


def _largest(by_method: Mapping[str, float]) -> str:
    """Return the one name with the largest value, none if there are several."""
    most = [name for name, value in by_method.items() if value == max(by_method.values())]
    return most[0] if len(most) == 1 else ""


def draw(canvas: Any, rows: Comparisons, _: Points) -> None:
    """Draw the mean distribution of every method, a picture for a data set."""
    datasets = list(dict.fromkeys(row["dataset"] for row in rows))
    mean = {(row["dataset"], row["algorithm"], row["metric"]): row["mean"] for row in rows}
    for axes, dataset in zip(canvas.subplots(1, len(datasets), sharey=True, squeeze=False)[0], datasets, strict=True):
        for name, (label, colour, line) in CURVES.items():
            if (dataset, name, _name(AT[0])) in mean:
                axes.plot(AT, [mean[dataset, name, _name(t)] for t in AT], line, color=colour, label=label)
        axes.set_title(dataset, fontsize=9)
        axes.set_xlabel("margin")
        axes.set_xlim(-0.5, 1.0)
        axes.grid(linewidth=0.4, color="0.88")
    axes.legend(fontsize=8)
    canvas.axes[0].set_ylabel("share of training examples")


def _name(t: float) -> str:
    return f"below_{t:+.2f}"
