"""libsvm text, with the care that other formats get."""

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from kernlearn.datasets.userfile import read_user_file
from kernlearn.errors import UserError

TEXT = "1 1:0.5 2:1\n-1 1:0.3\n1 2:4\n"
X = [[0.5, 1], [0.3, 0], [0, 4]]


def read(tmp_path, content, name="my.txt", **options):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_user_file(tmp_path / name, **options)


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (TEXT.encode(), {}),
        (TEXT.encode("utf-8-sig"), {}),
        (TEXT.encode("utf-16"), {}),
        (TEXT.encode("utf-16-le"), {"encoding": "utf-16"}),
        (TEXT.replace("\n", " # größer\n").encode("latin-1"), {}),
        (TEXT.replace(" ", "\t").replace("\n", "\r\n").encode(), {}),
        (TEXT.replace("\n", "\r").encode(), {}),
        (("# all\n\n" + TEXT).encode(), {}),
    ],
)
@pytest.mark.parametrize("name", ["my.txt", "my.SVM"])
def test_encodings_and_suffixes(tmp_path, content, options, name):
    examples, classes = read(tmp_path, content, name, **options)
    assert examples.X.tolist() == X and classes == ("-1", "1") and examples.y.tolist() == [1, 0, 1]


@pytest.mark.parametrize("name", ["my.txt", "my.svm", "my.Libsvm"])
def test_the_first_examples_may_have_no_features(tmp_path, name):
    examples, _ = read(tmp_path, "1\n1 # none\n-1 1:0.3\n1 2:4\n", name)
    assert examples.X.tolist() == [[0, 0], [0, 0], [0.3, 0], [0, 4]]


def test_lines_of_one_word_are_no_libsvm(tmp_path):
    with pytest.raises(UserError, match="one column"):
        read(tmp_path, "1\n2\n1\n")


def test_labels_are_words_as_they_are_written(tmp_path):
    examples, classes = read(tmp_path, "red 1:2\nblue 1:3\nred 2:1\n")
    assert classes == ("blue", "red") and examples.y.tolist() == [1, 0, 1]


def test_what_is_said(tmp_path):
    assert "features are numbered from 1, as none has number 0" in read(tmp_path, TEXT)[0].remarks
    examples, _ = read(tmp_path, "1 qid:1 0:0.5 1:1\n-1 qid:2 0:0.3\n")
    assert examples.X.tolist() == [[0.5, 1], [0.3, 0]]
    assert "features are numbered from 0, as one has number 0" in examples.remarks
    assert any("qid: the numbers of queries are not used" in remark for remark in examples.remarks)


def test_kernel_matrices_of_svm_train_are_told_from_features(tmp_path):
    rows = np.random.RandomState(0).randn(5, 2)
    K, y = rows @ rows.T, np.array([1, 1, -1, 1, -1])
    for some in (range(5), [3, 0, 4]):  # all, and a part of them beside all columns
        numbered = np.column_stack([np.add(list(some), 1), K[list(some)]])
        dump_svmlight_file(numbered, y[list(some)], str(tmp_path / "k.txt"), zero_based=True)
        with pytest.raises(UserError, match="kernel matrix .*svm-train -t 4.* kernel='precomputed'"):
            read_user_file(tmp_path / "k.txt")
    K = K * (1 - np.eye(5)[::-1]) + 2e-6 * np.abs(K).max() * np.triu(np.ones((5, 5)), 1)  # zeros of six digits
    numbered = np.column_stack([np.arange(1, 6), K])
    dump_svmlight_file(numbered, y, str(tmp_path / "k.txt"), zero_based=True)
    with pytest.raises(UserError, match="kernel matrix .*svm-train -t 4"):
        read_user_file(tmp_path / "k.txt")
    numbered = np.column_stack([[4, 1, 5], (rows @ rows.T)[[3, 0, 4]]])
    numbered[0, 1] += 0.1  # not symmetric: features, of which the first has different whole numbers
    dump_svmlight_file(numbered, y[[3, 0, 4]], str(tmp_path / "k.txt"), zero_based=True)
    assert read_user_file(tmp_path / "k.txt")[0].X.shape == (3, 6)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("1 1:0.5\n-1 2:x\n", {}, "line 2: is not in libsvm format: '2:x' is no NUMBER:VALUE"),
        ("1 1:0.5\n-1 2\n", {}, "line 2: is not in libsvm format"),
        ("1 1:0.5\n\n-1 3:1 2:1\n", {}, "line 3: numbers of features must increase, and 2 is after 3"),
        ("1 1:0.5\n-1 99999999999:1\n", {}, "line 2: the number of feature .* is too large"),
        ("1 1:0.5\n-1 1:inf\n", {}, "line 2: inf is not finite"),
        ("1 1:0.5\n1,3 1:1\n", {}, "line 2: has several labels"),
        ("1,2 1:0.5\n1,3 1:1\n", {}, "line 1: has several labels"),
        ("1 1:0.5\n2:0.5 3:1\n", {}, "line 2: has no label before '2:0.5'"),
        ("1 1:0.5\nnan 1:1\n", {}, "line 2: the label 'nan' is not finite"),
        ("1 1:0.5\nx 1:1\n", {"real": True}, "the target 'x' is no number"),
        (TEXT, {"target": 0}, "dataset.target does not apply to libsvm files"),
        (TEXT, {"drop": [3]}, "drop=3: features are numbered 1 to 2"),
        (TEXT, {"drop": ["1", 2]}, "dataset.drop leaves no feature"),
        (TEXT, {"delimiter": "comma"}, "dataset.delimiter does not apply to libsvm files"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(tmp_path, text, options, words):
    with pytest.raises(UserError, match=words) as caught:
        read(tmp_path, text, **options)
    assert "\n" not in str(caught.value) and "my.txt" in str(caught.value)
