"""Figure 6.1 and the shading of table 6.1 of the thesis on relative margins."""

import numpy as np
import pytest
from scipy.stats import ttest_rel

from kernlearn.datasets import load
from kernlearn.papers import load_table
from kernlearn.papers.core.claims import check_claims
from kernlearn.papers.rmm2010.boosting.fig6_1 import margins
from kernlearn.runner.cell.cell import Group, PathCell
from kernlearn.runner.cell.measure import measure


@pytest.mark.parametrize(
    ("algo", "point"),
    [
        ({"name": "adaboost", "rounds": 6, "every": 2}, 1),
        ({"name": "adaboost_reg", "Cs": [10.0], "rounds": 4, "every": 1}, 3),
        ({"name": "lpboost", "nus": [0.3], "over": "adaboost", "rounds": 5, "tol": 1e-9}, 0),
    ],
)
def test_the_margins_of_a_figure_are_those_of_the_rows(algo, point):
    cell = PathCell(
        dataset=Group({"name": "breastcancer"}),
        data=load("breastcancer").digest,
        scaling="none",
        kernel=Group({"name": "stumps", "number": 30, "draw": "examples"}),
        algo=Group(algo),
        protocol=Group({"name": "boosting20"}),
        versions=Group({}),
        seed=0,
        split=1,
    )
    found, row = margins(cell, point), measure(cell)[point]
    assert found.shape == (349,) and np.abs(found).max() <= 1.0 + 1e-12
    assert (found.mean(), found.std()) == pytest.approx((row["margin_mean"], row["margin_std"]), rel=1e-12)
    assert (found < 0.0).any() and (found > 0.0).any()


def test_shaded_is_what_no_other_method_beats_by_a_paired_t_test():
    table = load_table("rmm2010/table6_1")
    rng = np.random.default_rng(0)
    errors = {column.name: 10.0 + rng.normal(size=20) for column in table.columns}
    errors["lpboost"] = errors["ebboost"] + 1.0 + 0.1 * rng.normal(size=20)
    best = min(errors, key=lambda name: errors[name].mean())
    shaded = [name for name in errors if name == best or ttest_rel(errors[name], errors[best]).pvalue >= 0.05]
    partitions = [
        {"dataset": "wine", "algorithm": name, "metric": "error_pct", "seed": 0, "values": " ".join(map(repr, e))}
        for name, e in ((name, errors[name].tolist()) for name in errors)
    ]
    *_, (_, found, _) = check_claims(table, partitions)
    assert found == "of 1: " + ", ".join(f"{name} {int(name in shaded)}" for name in errors)
    assert best in shaded and "lpboost" not in shaded
