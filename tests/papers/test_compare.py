import pytest

from kernlearn.papers import PrintedValue, printed_values, verdict
from kernlearn.papers.vkr2015 import TABLE1_DATASETS, TABLE1_KERNEL

EXPERIMENT = {
    "dataset": {"name": "ionosphere"},
    "kernel": TABLE1_KERNEL,
    "protocol": {"name": "rotation5"},
}


def test_printed_values_of_table_1():
    cell = printed_values(EXPERIMENT, "vkr_lemma3")
    assert (cell["error_pct"].mean, cell["error_pct"].std) == (3.99, 2.12)
    assert set(cell) == {"error_pct", "n_support_vectors"}


@pytest.mark.parametrize("dataset", sorted(TABLE1_DATASETS))
@pytest.mark.parametrize("label", ["l2_svm", "l1_svm", "vkr_lemma3", "vkr_lemma4"])
def test_every_cell_of_table_1_is_found(dataset, label):
    cell = printed_values({**EXPERIMENT, "dataset": {"name": dataset}}, label)
    assert {value.paper for value in cell.values()} == {"vkr2015"} and len(cell) == 2
    assert all(value.std is not None for value in cell.values())


@pytest.mark.parametrize(
    "change",
    [
        {"dataset": {"name": "sonar"}},
        {"kernel": {"name": "linear"}},
        {"kernel": {**TABLE1_KERNEL, "coef0": 0.0}},
        {"protocol": {"name": "holdout"}},
    ],
)
def test_other_experiments_have_no_printed_value(change):
    assert printed_values({**EXPERIMENT, **change}, "vkr_lemma3") == {}


def test_other_variants_have_no_printed_value():
    assert printed_values(EXPERIMENT, "vkr_dimension") == {}


@pytest.mark.parametrize(
    ("ours", "expected"),
    [(5.0, "match"), (6.0, "match"), (4.0, "match"), (6.5, "close"), (3.0, "close"), (7.5, "differs"), (1.0, "better")],
)
def test_verdicts(ours, expected):
    assert verdict(ours, PrintedValue("p", "1", "s", 5.0, 1.0)) == expected
    assert verdict(ours, PrintedValue("p", "1", "s", 5.0, None)) == ""
    turned = {"better": "differs", "differs": "better"}
    assert verdict(ours, PrintedValue("p", "1", "s", 5.0, 1.0), larger_is_better=True) == turned.get(expected, expected)
