from collections import Counter

import numpy as np
import pytest
from scipy import sparse

from kernlearn.datasets.core.text import bigram_counts, most_frequent, newsgroups, reuters_acq, sentiment, words

REVIEW = "<review>\n<rating>\n{}\n</rating>\n<title>\n{}\n</title>\n<review_text>\n{}\n</review_text>\n</review>\n"
NEGATIVE = REVIEW.format("2.0", "Not good", "It isn't good, it isn't.") + REVIEW.format(
    "1.0", "Bad & worse", "not good"
)
POSITIVE = REVIEW.format("5.0", "Very good", "good \xe9 good <br>")

NEWS = '<REUTERS TOPICS="{}" LEWISSPLIT="{}" OLDID="1">\n<TOPICS>{}</TOPICS>\n<TEXT{}>{}</TEXT>\n</REUTERS>\n'


def counted(documents):
    X, bigrams = bigram_counts(documents)
    return [{bigrams[j]: X[i, j] for j in X[[i]].indices} for i in range(X.shape[0])]


def test_words_are_lower_case_runs_of_letters_digits_and_apostrophes():
    assert words("It isn't 1,000 Dollars -- ok?") == ["it", "isn't", "1", "000", "dollars", "ok"]


def test_counts_agree_with_a_counter_document_by_document():
    rng = np.random.default_rng(0)
    texts = [[" ".join(rng.choice(list("abcd"), rng.integers(0, 12))) for _ in range(2)] for _ in range(20)]
    expected = []
    for parts in texts:
        counter = Counter()
        for part in parts:
            letters = part.split()
            counter.update(f"{letters[i]} {letters[i + 1]}" for i in range(len(letters) - 1))
        expected.append(dict(counter))
    assert counted(texts) == expected
    X, bigrams = bigram_counts(texts)
    total = sum(map(Counter, expected), Counter())
    assert bigrams == sorted(total, key=lambda bigram: (-total[bigram], bigram))
    assert sparse.issparse(X) and X.sum() == total.total()


def test_most_frequent_of_some_rows():
    X = sparse.csr_array([[9, 0, 1, 2], [0, 3, 1, 0], [0, 3, 1, 1]])
    assert most_frequent(X, 2).tolist() == [0, 1]
    assert most_frequent(X[[1, 2]], 3).tolist() == [1, 2, 3]  # the training part has its own
    assert most_frequent(X, 99).tolist() == [0, 1, 2, 3]


def test_reviews_have_classes_stars_and_bigrams_of_title_and_text():
    examples = sentiment([NEGATIVE.encode("latin-1"), POSITIVE.encode("latin-1")], bigrams=100)
    assert examples.y.tolist() == [0, 0, 1] and examples.target.tolist() == [2, 1, 5]
    assert examples.X.sum(axis=1).tolist() == [1 + 4, 1 + 1, 1 + 2]  # none from title to text
    few = sentiment([NEGATIVE.encode("latin-1"), POSITIVE.encode("latin-1")], bigrams=2)
    np.testing.assert_array_equal(few.X.toarray(), examples.X[:, :2].toarray())


def test_news_are_split_as_modapte_says():
    body = "<TITLE>Buys a&lt;b></TITLE><BODY>A stake\nin C &#3;</BODY>"
    documents = [
        NEWS.format("YES", "TEST", "<D>acq</D><D>earn</D>", "", body),
        NEWS.format("NO", "TRAIN", "<D>acq</D>", "", body),  # not in ModApte
        NEWS.format("YES", "NOT-USED", "<D>acq</D>", "", body),
        NEWS.format("YES", "TRAIN", "<D>acquisition</D>", ' TYPE="UNPROC"', "one two three"),
        NEWS.format("YES", "TRAIN", "<D>acq</D>", "", body),
    ]
    examples = reuters_acq([document.encode("latin-1") for document in documents], bigrams=100)
    assert examples.y.tolist() == [0, 1, 1]  # training documents first
    assert examples.X.sum(axis=1).tolist() == [2, 5, 5]
    np.testing.assert_array_equal(examples.X[[1]].toarray(), examples.X[[2]].toarray())


@pytest.mark.parametrize("text", ["", "word", "!?"])
def test_texts_without_bigrams_are_rows_of_zeros(text):
    X, bigrams = bigram_counts([[text], ["a b"]])
    assert X.toarray().tolist() == [[0], [1]] and bigrams == ["a b"]


def test_posts_of_groups_are_counts_of_words():
    later = b"sci.med/9\0A cold, a COLD\n\0"
    examples = newsgroups([b"sci.med/1\0cold\0sci.space/2\0From: a\nmoon b\0", later])
    assert examples.y.tolist() == [0, 1, 0]
    assert examples.X.toarray().tolist() == [[0, 0, 1, 0, 0], [1, 1, 0, 1, 1], [2, 0, 2, 0, 0]]  # a b cold from moon


POST = b"sci.med/1\0From: a\nSubject: b3\nPath: c\n\nmoon's\n\nd\0"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ["a", "b3", "c", "d", "from", "moon's", "path", "subject"]),
        ({"headers": "from_subject"}, ["a", "b3", "d", "from", "moon's", "subject"]),
        ({"headers": "none"}, ["d", "moon's"]),
        ({"headers": "none", "tokens": "letters"}, ["d", "moon", "s"]),
    ],
)
def test_what_of_a_post_is_counted(options, expected):
    examples = newsgroups([POST], **options)
    one = newsgroups([b"x/1\0\n\n" + " ".join(expected).encode() + b"\0"])
    assert examples.X.toarray().tolist() == one.X.toarray().tolist() == [[1.0] * len(expected)]


def test_posts_with_the_line_ends_of_windows_have_headers():
    crlf = POST.replace(b"\n", b"\r\n")
    assert newsgroups([crlf], headers="none").X.shape == (1, 2)
