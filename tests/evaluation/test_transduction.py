"""Few labels among all that is seen: who chooses, who is tested, and that nothing looks where it should not."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS, select
from kernlearn.evaluation.splits.transduction import few_labels
from kernlearn.runner.cell.data import data_of
from tests.runner.experiments import plan_of


def test_labelled_and_unlabelled_are_all_that_is_seen_and_the_same_in_every_split():
    splits = few_labels(1500, 3, 50)
    seen = np.union1d(splits[0].train, splits[0].test)
    assert len(splits) == 120 and len(seen) == 1000
    for i, split in enumerate(splits):
        assert len(split.train) == 50 and not len(np.intersect1d(split.train, split.test))
        np.testing.assert_array_equal(np.union1d(split.train, split.test), seen)
        if i < 20:
            np.testing.assert_array_equal(split.validation, split.test)
        else:  # what is chosen by sees no label of the others
            assert len(split.folds) == (5 if i < 40 else 0)
            for fold in split.folds:
                np.testing.assert_array_equal(np.union1d(fold.train, fold.validation), split.train)
    assert len({split.train.tobytes() for split in splits}) == 120
    np.testing.assert_array_equal(few_labels(1500, 3, 50)[77].train, splits[77].train)
    assert len(few_labels(40, 0, 30)[0].test) == 10
    with pytest.raises(UserError, match="too few to label 30"):
        few_labels(30, 0, 30)


def test_the_first_twenty_choose_and_the_others_are_reported():
    grid = [{"C": 1.0}, {"C": 10.0}]
    rows = [
        {
            "split": split,
            "point": point,
            "n_support": 1,
            "test_error_pct": 10.0 * split + point,
            "n_test": 10,
            **(
                {"n_validation": 10, "validation_errors": 5 - point, "validation_error_pct": 50.0} if split < 20 else {}
            ),
        }
        for split in range(25)
        for point in (0, 1)
    ]
    chosen = select(rows, grid, "error_pct", "fresh20")
    assert chosen.values == {"C": 10.0} and [row["split"] for row in chosen.rows] == [20, 21, 22, 23, 24]
    assert PROTOCOLS["labelled30"].rule == "fresh20" and PROTOCOLS["labelled30"].n_choosing == 20


def test_all_cells_have_their_splits_from_one_draw(monkeypatch):
    """Each has one of 120, and all 120 would be drawn again for each of them."""
    cells = plan_of("dataset=sonar", "protocol=labelled30", "kernel=graph", "algo=sgt").cells
    first = data_of(cells[0])
    monkeypatch.setattr("kernlearn.evaluation.splits.protocols.Protocol.draw", None)
    for cell in cells[:9]:
        data, split = data_of(cell)
        assert data is first[0] and len(split.train) == 30
