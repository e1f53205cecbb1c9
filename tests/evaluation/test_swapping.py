"""Splits whose validation and test part change places."""

import numpy as np
import pytest

from kernlearn.errors import UserError
from kernlearn.evaluation import PROTOCOLS
from kernlearn.evaluation.splits.swapping import SWAP_PROTOCOLS

#: Training examples, those of either other part, and of how many in all.
SIZES = {"swap3500": (1000, 3500, 9000), "swap1000": (240, 1000, 3914), "published_swap": (1911, 956, 3823)}


@pytest.mark.parametrize("name", sorted(SWAP_PROTOCOLS))
def test_parts_have_the_sizes_of_the_thesis_and_no_example_in_common(name):
    protocol, (train, part, n) = PROTOCOLS[name], SIZES[name]
    splits = protocol.draw(n + 100 * protocol.published, 2, n * protocol.published)
    assert len(splits) == protocol.n_splits and protocol.rule == "swap"
    for split in splits:
        assert (len(split.train), len(split.validation), len(split.test)) == (train, part, part)
        together = np.concatenate([split.train, split.validation, split.test])
        assert len(np.unique(together)) == train + 2 * part and n - 100 < together.max() < n  # from everywhere
    assert len({tuple(split.train) for split in splits}) == protocol.n_splits


def test_a_draw_does_not_depend_on_the_others_but_on_the_seed():
    first, other = (PROTOCOLS["swap1000"].splits(3000, seed) for seed in (0, 1))
    assert len({tuple(split.test) for split in (*first, *other)}) == 20


@pytest.mark.parametrize(("name", "least"), [("swap3500", 8000), ("swap1000", 2240)])
def test_too_few_examples_are_refused(name, least):
    assert PROTOCOLS[name].splits(least, 0)
    with pytest.raises(UserError, match=f"{least - 1} examples are too few to train with"):
        PROTOCOLS[name].splits(least - 1, 0)


def test_data_without_a_published_part_have_no_halves_of_it():
    with pytest.raises(UserError, match="no published training and test part"):
        PROTOCOLS["published_swap"].draw(3823, 0, 0)
