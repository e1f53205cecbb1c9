import numpy as np
import pytest
from scipy import sparse

from kernlearn.datasets import load
from kernlearn.datasets.core.arrays import mnist_pair, mnist_universum
from kernlearn.datasets.core.coded import abalone, mushrooms, sparse_signs, wine
from kernlearn.errors import UserError
from tests.conftest import needs_originals
from tests.datasets.test_dataset import as_idx

SPARSE = b"-1 1:1 3:0.5 \n+1 2:1\n-1 \n+1 3:2\n"


def test_abalones_have_three_sexes_and_two_ages():
    examples = abalone([b"M,0.4,0.3,0.1,0.5,0.2,0.1,0.15,15\nI,0.3,0.2,0.1,0.2,0.1,0.05,0.07,9\n"])
    assert examples.X[:, :3].tolist() == [[1, 0, 0], [0, 0, 1]] and examples.X[1, 3:5].tolist() == [0.3, 0.2]
    assert examples.y.tolist() == [1, 0] and examples.target.tolist() == [15, 9]


def test_mushrooms_are_indicators_without_the_root_of_the_stalk():
    first, second = ["e", *"x" * 22], ["p", *"x" * 21, "a"]
    first[11] = "?"
    examples = mushrooms([f"{','.join(first)}\n{','.join(second)}\n".encode()])
    assert examples.X.shape == (2, 20 + 2) and examples.y.tolist() == [0, 1]
    assert examples.X[:, -2:].tolist() == [[0, 1], [1, 0]] and (examples.X[:, :-2] == 1).all()


def test_wines_of_two_files_have_one_grade():
    head = b'"a","b","quality"\n'
    examples = wine([head + b"1,2,5\n", head + b"3,4,6\n"])
    assert examples.X.tolist() == [[1, 2], [3, 4]] and examples.y.tolist() == [0, 1] and examples.target[1] == 6


def test_sparse_rows_are_all_or_a_draw_in_their_order():
    every = sparse_signs([SPARSE], d=4, n=4, seed=7)
    assert isinstance(every.X, sparse.csr_array)
    assert every.X.toarray().tolist() == [[1, 0, 0.5, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 2, 0]]
    assert every.y.tolist() == [0, 1, 0, 1]
    drawn = {tuple(sparse_signs([SPARSE], d=4, n=3, seed=seed).y.tolist()) for seed in range(20)}
    assert drawn == {(1, 0, 1), (0, 0, 1), (0, 1, 1), (0, 1, 0)}  # without one of the four
    with pytest.raises(UserError, match="n=5: there are 4 examples"):
        sparse_signs([SPARSE], d=4, n=5, seed=0)


def test_a_pair_of_digits_has_its_images_only():
    images, labels = np.arange(24).reshape(4, 3, 2), np.array([3, 5, 9, 3])
    contents = [as_idx(images), as_idx(labels)] * 2
    examples = mnist_pair(contents, first=5, second=3)
    assert examples.y.tolist() == [1, 0, 1] * 2
    np.testing.assert_array_equal(examples.X.toarray()[:3], images.reshape(4, 6)[[0, 1, 3]])
    with pytest.raises(UserError, match="must be two digits"):
        mnist_pair(contents, first=5, second=5)


def test_a_universum_is_of_a_third_digit_and_no_example():
    images, labels = np.arange(30).reshape(5, 3, 2), np.array([3, 5, 9, 3, 8])
    contents = [as_idx(images), as_idx(labels)]
    examples = mnist_universum(contents, first=5, second=8, universum=3, n_universum=9)
    assert examples.y.tolist() == [0, 1]
    np.testing.assert_array_equal(examples.X.toarray(), images.reshape(5, 6)[[1, 4]])
    np.testing.assert_array_equal(examples.universum.toarray(), images.reshape(5, 6)[[0, 3]])
    few = mnist_universum(contents, first=5, second=8, universum=3, n_universum=1)
    np.testing.assert_array_equal(few.universum.toarray(), images.reshape(5, 6)[[0]])
    with pytest.raises(UserError, match="must be three digits"):
        mnist_universum(contents, first=5, second=8, universum=8, n_universum=1)


@pytest.mark.data
@needs_originals
def test_the_sets_of_adults_are_nested():
    fourth, eighth = (load(name) for name in ("a4a", "a8a"))
    rows = {data.name: [bytes(row.astype(np.uint8)) for row in data.X.toarray()] for data in (fourth, eighth)}
    assert sum(row in set(rows["a8a"]) for row in rows["a4a"]) >= 4780
    some = load("a8a", n=6414, seed=1)
    assert some.X.shape == (6414, 123) and abs(some.y.mean() - eighth.y.mean()) < 0.02
