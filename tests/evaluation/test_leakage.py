import numpy as np
import pytest

from kernlearn.evaluation import PROTOCOLS, RULES
from kernlearn.evaluation.splits.leakage import share_in_choice

Y = np.arange(200) % 2


@pytest.mark.parametrize(
    ("protocol", "rule", "share"),
    [
        ("rotation5", "overall", 1.0),
        ("rotation5", "first5", 1.0),
        ("rotation5", "per_split", 0.0),
        ("rotation5", "swap", 0.0),
        ("nested5x5", "per_split", 0.0),
        ("nested5x5", "overall", 1.0),
        ("holdout10_cv5", "per_split", 0.0),
    ],
)
def test_the_share_of_test_examples_that_choose(protocol, rule, share):
    assert share_in_choice(PROTOCOLS[protocol].draw(200, 0, y=Y), rule) == share


def test_a_published_test_part_takes_no_part_whatever_the_rule():
    splits = PROTOCOLS["published_two_thirds"].draw(200, 0, 150)
    assert all(share_in_choice(splits, rule) == 0 for rule in RULES)


def test_some_examples_of_a_published_pool_take_part_where_few_splits_choose():
    splits = PROTOCOLS["train100"].draw(1000, 0)[:6]
    validated = {i for split in splits[:5] for i in split.validation.tolist()}
    tested = {i for split in splits for i in split.test.tolist()}
    assert share_in_choice(splits, "median5") == len(tested & validated) / len(tested) < 1
