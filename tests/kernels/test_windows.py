"""Windows of places: which features they have, and under which names."""

import numpy as np
import pytest
from scipy import sparse

from kernlearn.datasets.chains import chains_of
from kernlearn.errors import UserError
from kernlearn.kernels import make_family, scaled
from kernlearn.kernels.chains import chains


def sequences(seed=0):
    rng = np.random.default_rng(seed)
    return chains_of([3, 1, 4], sparse.csr_array((rng.random((8, 5)) < 0.4).astype(float)))


@pytest.mark.parametrize("window", [1, 3, 5])
def test_a_window_has_the_used_features_of_its_places(window):
    train, other = sequences(), sequences(1)
    inputs, names = make_family("chains", window=window).fit(train), list("abcde")
    found = inputs.names(names)
    assert inputs.at(train).chains.values.toarray().tolist() == inputs.chains.values.toarray().tolist()
    assert (inputs.chains.values.sum(axis=0) > 0).all() and len(found) == inputs.chains.shape[1] == len(set(found))
    for X, windows in ((train, inputs.chains), (other, inputs.at(other).chains)):
        dense, wide = X.values.toarray(), windows.values.toarray()
        for a, b in zip(X.starts, X.starts[1:], strict=False):
            for t in range(a, b):
                for column, name in enumerate(found):
                    offset, _, letter = name.partition(" ")
                    place = t + int(offset)
                    there = dense[place, names.index(letter)] if a <= place < b else 0.0
                    assert wide[t, column] == there
    some = inputs.take(np.array([2])).chains
    np.testing.assert_array_equal(some.values.toarray(), inputs.chains.values.toarray()[4:])


def test_what_is_no_window_or_no_sequence_is_refused():
    with pytest.raises(UserError, match="window=2: must be odd"):
        chains(2)
    with pytest.raises(UserError, match="is for sequences"):
        chains(1).fit(np.ones((3, 2)))
    with pytest.raises(UserError, match="no features"):
        chains(1).fit(chains_of([2], sparse.csr_array((2, 3))))


def test_places_are_scaled_as_examples_are():
    train = sequences()
    (unit,) = scaled("unit", train)
    norms = np.sqrt((unit.values.toarray() ** 2).sum(axis=1))
    assert set(np.round(norms, 12)) <= {0.0, 1.0} and unit.starts is train.starts
    with pytest.raises(UserError, match="scaling=standard"):
        scaled("standard", train)
