"""Windows of places: which features they have, and under which names."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from kernlearn.datasets.core.chains import chains_of
from kernlearn.datasets.core.words import QUESTIONS, features_of, word_features
from kernlearn.errors import UserError
from kernlearn.kernels import make_family, scaled
from kernlearn.kernels.families.chains import chains


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


PAGE = (Path(__file__).parents[2] / "docs" / "own_data.md").read_text()


def test_the_page_names_every_feature():
    assert all(f"`{name}`" in PAGE for name in QUESTIONS)
    kinds = {name.partition("=")[0] for name in features_of("Word") if "=" in name}
    assert all(f"`{kind}=`" in PAGE for kind in kinds)


def test_the_function_of_the_page_makes_the_windows_of_the_family():
    (code,) = [text.partition("```")[0] for text in PAGE.split("```python\n") if "def windows" in text]
    there = {}
    exec(compile(code, "PAGE", "exec"), there)
    assert there["tagger"].predict([there["windows"](["Anna", "lives"])])[0][0] == "PER"
    sentences = [["J.", "Smith", "lives", "in", "1999", "."], ["Yes"], ["McDonald", "'s", "rock-and-roll", "USA"]]
    X, names = word_features([word for one in sentences for word in one])
    windows = chains(window=3).fit(chains_of([len(one) for one in sentences], X))
    columns = windows.names(names)
    for one, places in zip(sentences, windows.chains.split(windows.chains.values), strict=True):
        for found, t in zip(there["windows"](one), range(len(one)), strict=True):
            assert sorted(columns[j] for j in places[[t]].indices) == sorted(found)
