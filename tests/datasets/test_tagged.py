"""Sentences with a label for every word: columns, trees, features of words, and `Chains`."""

import io
import zipfile

import numpy as np
import pytest
from scipy import sparse

from kernlearn.datasets import load
from kernlearn.datasets.core.chains import chains_of, shifted
from kernlearn.datasets.core.words import QUESTIONS, features_of, word_features
from kernlearn.datasets.readers.tagged import conll2002, read_sentences, treebank
from kernlearn.errors import UserError
from tests.conftest import needs_originals

TEXT = "Rolls-Royce NP B-ORG\nwon V O\n1,5 Z O\n\n-DOCSTART- -X- O\n\n\nEFE NP B-ORG\n. Fp O\n"


def write(tmp_path, text, name="train.txt"):
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def test_columns_are_words_labels_and_more_features(tmp_path):
    data = load("conll", path=write(tmp_path, TEXT), target=-1)
    assert data.name == "train" and data.is_sequential and data.classes == ("B-ORG", "O")
    assert data.X.shape[0] == 2 and data.X.lengths.tolist() == data.y.lengths.tolist() == [3, 2]
    assert data.labels.tolist() == [0, 1, 1, 0, 1]
    names = np.array(data.columns)
    found = [set(names[data.X.values[[t]].indices]) for t in range(5)]
    assert {"word=rolls-royce", "capital", "hyphen", "1=NP"} <= found[0] and "number" not in found[0]
    assert {"number", "digit", "any"} <= found[2] and {"punctuation", "ends with punctuation"} <= found[4]
    assert "capitals" in found[3] and (data.X.values.data == 1).all()
    assert load("conll", path=write(tmp_path, TEXT.replace(" ", "\t"), "tabs.txt")).digest == data.digest
    without = load("conll", path=write(tmp_path, TEXT), drop=[1])
    assert not any(name.startswith("1=") for name in without.columns)
    tags = load("conll", path=write(tmp_path, TEXT), target=1, drop=[2])
    assert tags.classes == ("Fp", "NP", "V", "Z")
    assert any("column 2 of 3" in remark for remark in data.remarks)


def test_only_blanks_tabs_and_ends_of_lines_separate():
    for end in ("\n", "\r\n", "\r"):
        for empty in ("", " ", "\t", " \t\t "):
            text = end.join(["10\xa0000 Z O", "vertical\x0btab Z O", empty, "won  V O", ""])
            words = [[fields[0] for _, fields in sentence] for sentence in read_sentences(text)]
            assert words == [["10\xa0000", "vertical\x0btab"], ["won"]]


@pytest.mark.parametrize(
    "text", ["a X\nb Y\n{}\n\nc X\nd Y\n", "a X\nb Y\n{}\nc X\nd Y\n", "{}\na X\nb Y\n{}\nc X\nd Y\n{}"]
)
@pytest.mark.parametrize("mark", ["-DOCSTART- O", "-DOCSTART- -X- O O", "-DOCSTART-"])
def test_a_document_ends_a_sentence_wherever_it_ends(text, mark):
    assert [len(sentence) for sentence in read_sentences(text.replace("{}", mark))] == [2, 2]


CONLL_U = """# sent_id = 1
# text = Vámonos al mar
1-2\tVámonos\t_\t_
1\tVamos\tir\tVERB
2\tnos\tnosotros\tPRON
3-4\tal\t_\t_
3\ta\ta\tADP
3.1\tx\tx\tX
4\tel\tel\tDET
5\tmar\tmar\tNOUN

# only a comment

1\t#\t#\tSYM
2\tAl\tal\tADP
"""


def test_conll_u_has_numbers_comments_and_lines_that_are_no_words(tmp_path):
    data = load("conll", path=write(tmp_path, CONLL_U))
    assert data.X.lengths.tolist() == [5, 2] and set(data.classes) == {"VERB", "PRON", "ADP", "DET", "NOUN", "SYM"}
    assert "word=vamos" in data.columns and "2=ir" in data.columns and "word=1" not in data.columns
    assert not any(column.startswith("0=") for column in data.columns)
    told = "column 0 numbers the words of a sentence, as in CoNLL-U, and the words are column 1; 3 lines such as 1-2"
    assert any(remark.startswith(told) for remark in data.remarks)
    cut = CONLL_U + "\n2\tla\tel\tDET\n3\tmar\tmar\tNOUN\n"  # a sentence without its beginning
    assert load("conll", path=write(tmp_path, cut)).X.lengths.tolist() == [5, 2, 2]
    ten = "".join(f"{i}\tword{i}\t" + "_\t" * 7 + "AB"[i % 2] + "\n" for i in range(3, 7))
    assert "word=word3" in load("conll", path=write(tmp_path, ten)).columns
    with pytest.raises(UserError, match="line 17: begins with 'la', where in most sentences a number"):
        load("conll", path=write(tmp_path, CONLL_U + "\nla\tel\tDET\tx\n"))
    lemmas = load("conll", path=write(tmp_path, CONLL_U), target=2, drop=[0, 3])
    assert "ir" in lemmas.classes and "word=vamos" in lemmas.columns


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("a X\nb\n", {}, "line 2: has 1 column instead of the 2 of line 1, the first"),
        ("a\tX\n\n\n\tY\n", {}, "line 4: has 1 column instead of the 2"),
        ("a\nb\n", {}, "has one column"),
        ("a N\tX\nb V Y\n", {}, "line 2: has 3 columns instead of the 2 .*only some lines of words have a tab"),
        ("a X\nb\x00 Y\n", {}, "line 2 has a character 0"),
        ("a X\nb X\n", {}, "all 2 labels are 'X'"),
        ("-DOCSTART- O\n\n", {}, "has no sentence"),
        ("a X\nb Y\n", {"target": 2}, "columns are numbered 0 to 1"),
        ("a X\nb Y\n", {"drop": [0]}, "leaves no feature"),
        ("a X\nb Y\n", {"delimiter": "comma"}, "dataset.delimiter does not apply to CoNLL files"),
        ("a X\nb Y\n", {"index": ["none"]}, "dataset.index does not apply to CoNLL files"),
        ("a X\nb Y\n", {"missing": "median"}, "dataset.missing does not apply to CoNLL files"),
        ("a X\nb Y\n", {"text": "onehot"}, "dataset.text does not apply to CoNLL files"),
        ("a X\nb Y\n", {"task": "regression"}, "has labels and no real target"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, text, options, told):
    with pytest.raises(UserError, match=told) as caught:
        load("conll", path=write(tmp_path, text), **options)
    assert "\n" not in str(caught.value)


def test_a_stand_in_without_a_path_says_what_it_is():
    with pytest.raises(UserError, match="conll: needs path=FILE"):
        load("conll")


def test_a_hash_is_a_word():
    assert [[fields for _, fields in one] for one in read_sentences("# # B\n1 CD I\n")] == [
        [["#", "#", "B"], ["1", "CD", "I"]]
    ]


def test_words_have_the_same_columns_in_any_order():
    words = ["El", "Abogado", "el", "A.", "25", "EFE", "McGraw", "--", "U.S."]
    X, names = word_features(words)
    Z, again = word_features(words[::-1])
    assert names == again == sorted(set(names)) and (X[::-1] != Z).nnz == 0
    for i, word in enumerate(words):
        assert sorted(np.array(names)[X[[i]].indices]) == sorted(features_of(word))
    assert set(QUESTIONS) <= set(names) | {"hyphen"}
    assert "initial" in features_of("A.") and "begins=a" in features_of("A.") and "begins=el" not in features_of("El")


def test_some_sequences_and_their_neighbours():
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.integers(0, 3, (9, 4)).astype(float))
    chains = chains_of([2, 1, 4, 2], X)
    some = chains[np.array([2, 0])]
    np.testing.assert_array_equal(some.values.toarray(), X.toarray()[[3, 4, 5, 6, 0, 1]])
    assert some.starts.tolist() == [0, 4, 6] and chains.shape == (4, 4) and len(chains[np.array([], dtype=int)]) == 0
    for offset in (-2, -1, 0, 1, 5):
        expected = np.zeros((9, 4))
        for a, b in zip(chains.starts, chains.starts[1:], strict=False):
            for t in range(a, b):
                if a <= t + offset < b:
                    expected[t] = X.toarray()[t + offset]
        np.testing.assert_array_equal(shifted(chains, offset).toarray(), expected)
    with pytest.raises(UserError, match="sequence 1 .* is empty"):
        chains_of([2, 0, 7], X)


def test_archives_without_what_is_needed_are_refused():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("treebank/combined/wsj_0001.mrg", "( (S (NP (NN dog)) (-NONE- *T*-1) (VBZ barks)))\n")
    data = treebank([packed.getvalue()], labels=("NN", "VBZ"))
    assert data.y.values == [0, 1]
    with pytest.raises(UserError, match="label 'VBZ' is not one of NN"):
        treebank([packed.getvalue()], labels=("NN",))
    with pytest.raises(UserError, match="no conll2002/esp.train"):
        conll2002([packed.getvalue()], labels=("O",))


@pytest.mark.data
@needs_originals
def test_parts_of_the_spanish_news_are_in_order():
    data = load("conll2002")
    assert data.n_train == 8323 and data.X.lengths[:8323].sum() == 264715 and data.X.lengths[8323:10238].sum() == 52923
    first = [data.columns[j] for j in data.X.values[[0]].indices]
    assert "word=melbourne" in first and data.classes[data.labels[0]] == "B-LOC"
