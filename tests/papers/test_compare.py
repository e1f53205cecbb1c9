import numpy as np
import pytest
from scipy import stats

from kernlearn.cli.configuration.compose import compose_config
from kernlearn.papers import PrintedValue, judge, load_table, printed_values
from kernlearn.papers.core.compare import TOO_FEW
from kernlearn.papers.vkr2015.table1 import ALGORITHMS, DATASETS, KERNEL
from kernlearn.runner.cell.cell import Experiment
from kernlearn.runner.plan.config import check_experiment

EXPERIMENT = {
    "dataset": {"name": "ionosphere"},
    "scaling": "unit",
    "kernel": KERNEL,
    "algo": {"name": "vkr", "complexity": "lemma3", "local_radii": None, **ALGORITHMS["vkr"]},
    "protocol": {"name": "rotation5"},
    "seed": 0,
}


def printed_for(label, selected_by="error_pct", **change):
    """Return what is printed for an experiment of table 1 with some changes."""
    return printed_values(Experiment.from_json({**EXPERIMENT, **change}), label, selected_by)


def test_printed_values_of_table_1():
    cell = printed_for("vkr_lemma3")
    assert (cell["error_pct"].mean, cell["error_pct"].std) == (3.99, 2.12)
    assert set(cell) == {"error_pct", "n_support_vectors"}


@pytest.mark.parametrize("dataset", sorted(DATASETS))
@pytest.mark.parametrize("label", ["l2_svm", "l1_svm", "vkr_lemma3", "vkr_lemma4"])
def test_every_cell_of_table_1_is_found(dataset, label):
    cell = printed_for(label, dataset={"name": dataset})
    assert {value.paper for value in cell.values()} == {"vkr2015"} and len(cell) == 2
    assert all(value.std is not None for value in cell.values())


@pytest.mark.parametrize(
    "change",
    [
        {"dataset": {"name": "sonar"}},
        {"kernel": {"name": "linear"}},
        {"kernel": {**KERNEL, "coef0": 0.0}},
        {"protocol": {"name": "holdout"}},
        {"scaling": "none"},
        {"algo": {**EXPERIMENT["algo"], "lambdas": [0.01]}},
        {"algo": {**EXPERIMENT["algo"], "method": "cd"}},
        {"algo": {**EXPERIMENT["algo"], "class_weight": "balanced"}},
    ],
)
def test_other_experiments_have_no_printed_value(change):
    assert printed_for("vkr_lemma3", **change) == {}


def test_other_variants_have_no_printed_value():
    assert printed_for("vkr_dimension") == {}
    assert printed_for("vkr_lemma3", "auc") == {}


@pytest.mark.parametrize("column", [c for c in load_table("vkr2015/table1").columns if not c.reading])
def test_the_columns_of_table_1_are_what_the_paper_states(column):
    experiment = check_experiment(compose_config([*column.overrides, "dataset=musk"]))
    assert printed_values(experiment, column.printed)["error_pct"].std is not None


def printed(mean, std=1.0, digits=2):
    return PrintedValue("p", "1", "s", mean, std, digits)


#: Ten means with mean 5 and deviation 1.
TEN = (stats.norm.ppf((np.arange(10) + 0.5) / 10)).tolist()
TEN = [5 + value / np.std(TEN, ddof=1) for value in TEN]


@pytest.mark.parametrize("level", [0.95, 0.999])
@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("n_printed", [1, 30])
def test_the_ends_of_the_intervals(level, sign, n_printed):
    half = stats.t.ppf((1 + level) / 2, 9) * np.sqrt(1 / n_printed + 1 / 10)
    words = {0.95: ("inside", "near"), 0.999: ("near", "outside, lower" if sign > 0 else "outside, higher")}[level]
    for shift, word in zip((-1e-6, 1e-6), words, strict=True):
        assert judge(TEN, printed(5 + sign * (half + shift), digits=12), n_printed).word == word
    if level == 0.95:
        word, low, high = judge(TEN, printed(4.0, digits=12), n_printed)
        assert (low, high) == pytest.approx((5 - half, 5 + half))


def test_the_printed_deviation_plays_no_part():
    for mean in (5.0, 8.0, 20.0):
        assert len({judge(TEN, printed(mean, std)) for std in (None, 0.0, 1e-9, 1.0, 100.0)}) == 1


def test_fewer_than_five_give_no_verdict():
    assert judge([5.0], printed(5.0)).word == judge([4.0, 6.0, 5.0, 5.0], printed(5.0)).word == TOO_FEW
    assert judge([4.0, 5.0, 6.0, 5.0, 5.0], printed(5.0)).word == "inside"


def test_where_all_agree_one_example_and_the_rounding_are_left():
    same = [7.25] * 10
    assert judge(same, printed(7.3, digits=1)).word == "inside"  # 7.25 rounded
    assert judge(same, printed(7.31, digits=2)).word == "outside, lower"
    step = 100 / 80  # an error in percent of 80 examples
    assert judge(same, printed(7.25 + step, digits=2), step=step).word == "inside"
    assert judge(same, printed(7.25 - 2 * step, digits=2), step=step).word == "outside, higher"


def test_what_is_no_number_has_no_verdict():
    assert judge([4.0, 5.0, float("nan")], printed(5.0)).word == ""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("n_ours", [5, 10])
@pytest.mark.parametrize("n_printed", [1, 30])
def test_of_values_that_reproduce_19_of_20_are_inside(n_ours, n_printed):
    """Rates of errors on 351 examples, rounded as printed, drawn as ours are: 95 % inside, 0.1 % outside."""
    rng = np.random.default_rng(0)
    n = 4000
    draws = 100 * rng.binomial(351, 0.2, (n, n_ours)) / 351
    papers = (100 * rng.binomial(351, 0.2, (n, n_printed)) / 351).mean(axis=1).round(2)
    words = [judge(ours, printed(mean), n_printed).word for ours, mean in zip(draws.tolist(), papers, strict=True)]
    assert words.count("inside") / n == pytest.approx(0.95, abs=0.012)  # 3.5 standard errors
    assert sum(word.startswith("outside") for word in words) / n <= 0.003


def test_of_values_from_elsewhere_most_are_outside():
    rng = np.random.default_rng(1)
    ours = rng.normal(10, 1, (500, 10))
    words = [judge(row.tolist(), printed(mean)).word for row, mean in zip(ours, rng.normal(20, 1, 500), strict=True)]
    assert words.count("outside, lower") > 490
