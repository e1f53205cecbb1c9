import io

import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

from kernlearn.datasets.core.arrays import idx, mnist, protein_fold
from kernlearn.datasets.core.dataset import Examples, make_dataset
from kernlearn.datasets.sets.entry import Entry
from kernlearn.datasets.sets.files import read
from kernlearn.errors import UserError

X = np.array([[0.0, 1.5, 0.0], [2.0, 0.0, -3.0]])
CLASSES = ("a", "b")


def digest_of(*examples, classes=CLASSES, **more):
    return make_dataset("toy", Examples(*examples, **more), classes, "here").digest


def test_sparse_values_have_one_form():
    X_repeated = sparse.coo_array(([1.0, 0.5, 2.0, -3.0, 0.0], ([0, 0, 1, 1, 1], [1, 1, 0, 2, 1])), shape=(2, 3))
    data = make_dataset("toy", Examples(X_repeated, [0, 1]), CLASSES, "here")
    np.testing.assert_array_equal(data.X.toarray(), X)
    assert data.X.nnz == 3 and data.X.has_canonical_format
    assert data.digest == digest_of(sparse.csc_array(X), [0, 1])
    with pytest.raises(ValueError, match="read-only"):
        data.X.data[0] = 1


def test_everything_that_can_differ_is_in_the_digest():
    y, target = [0, 1], [0.5, 1.0]
    others = [
        (X + 1, y, {}),
        (sparse.csr_array(X), y, {}),
        (X, [1, 0], {}),
        (X, y, {"target": target}),
        (X, y, {"target": [0.5, 2.0]}),
        (X, y, {"n_views": 3}),
        (X, y, {"universum": X}),
        (X, y, {"universum": X[:1]}),
        (X[:, ::-1], y, {}),
        (sparse.csr_array(X[:, ::-1]), y, {}),
    ]
    digests = [digest_of(X, y), *(digest_of(values, classes, **more) for values, classes, more in others)]
    digests.append(digest_of(X, y, classes=("a", "c")))
    assert len(set(digests)) == len(digests)
    assert digest_of(X * -0.0, y) == digest_of(X * 0.0, y)
    assert digest_of(X, y, target=[-0.0, 1.0]) == digest_of(X, y, target=[0.0, 1.0])


def test_real_targets():
    assert make_dataset("t", Examples(X, [0, 1]), CLASSES, "").real_target().tolist() == [-1, 1]
    assert make_dataset("t", Examples(X, [0, 1], [3, 4]), CLASSES, "").real_target().tolist() == [3, 4]
    assert make_dataset("t", Examples(X, [], [3, 4]), (), "").real_target().tolist() == [3, 4]
    three = make_dataset("t", Examples(np.eye(3), [0, 1, 2]), ("a", "b", "c"), "")
    with pytest.raises(UserError, match="t: has 3 classes and no real target"):
        three.real_target()


def test_a_table_without_classes_has_targets():
    entry = Entry("toy", 2, 2, {}, "nobody", "none")
    examples = read(entry, [b"@data\n1, 2, 0.5\n3, 4, -1e-3\n"], entry.layout)
    assert examples.X.tolist() == [[1, 2], [3, 4]] and examples.target.tolist() == [0.5, -0.001]
    assert examples.y.shape == (0,)
    for content, words in [(b"1,2,x\n3,4,5\n", "cannot be read"), (b"1,2,inf\n3,4,5\n", "not finite")]:
        with pytest.raises(UserError, match=words):
            read(entry, [content], entry.layout)


def as_idx(array):
    head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">i4").tobytes()
    return head + array.astype(np.uint8).tobytes()


def test_idx_files_read_back():
    rng = np.random.default_rng(0)
    parts = [(rng.integers(0, 256, (n, 3, 2)), rng.integers(0, 10, n)) for n in (4, 2)]
    contents = [as_idx(array) for part in parts for array in part]
    examples = mnist(contents)
    np.testing.assert_array_equal(examples.X.toarray(), np.concatenate([images.reshape(-1, 6) for images, _ in parts]))
    np.testing.assert_array_equal(examples.y, np.concatenate([labels for _, labels in parts]))
    with pytest.raises(UserError, match="IDX"):
        idx(b"P5 28 28")


def test_views_are_put_side_by_side():
    views = [np.full((2, 3), value, dtype=float) for value in (1, 2)]
    cells = np.empty((1, 2), dtype=object)
    cells[0] = views
    buffer = io.BytesIO()
    savemat(buffer, {"X": cells, "Y": np.array([[2], [1]], dtype=np.uint8)})
    examples = protein_fold([buffer.getvalue()])
    assert examples.n_views == 2 and examples.y.tolist() == [1, 0]
    np.testing.assert_array_equal(examples.X, np.hstack(views))
