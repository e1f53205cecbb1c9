"""Texts as counts of bigrams, in sparse matrices, and the readers of two collections of texts."""

import re
from collections.abc import Iterable, Sequence
from html import unescape
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.core.dataset import Examples
from kernlearn.errors import UserError

#: What is a word, in lower case.
TOKENS = {"words": re.compile(r"[a-z0-9']+"), "letters": re.compile(r"[a-z]+")}
#: What of the header of a post is counted: all of it, what 20news-18828 has of it, or nothing.
HEADERS = ("all", "from_subject", "none")


def words(text: str, tokens: str = "words") -> list[str]:
    """Return the words of a text in lower case: runs of letters, digits and apostrophes, or of letters alone."""
    return TOKENS[tokens].findall(text.lower())


def bigram_counts(documents: Iterable[Sequence[str]]) -> tuple[sparse.csr_array, list[str]]:
    """Count the bigrams, two words in a row, of documents.

    Parameters
    ----------
    documents : iterable of sequences of str
        The parts of every document, such as title and body; no bigram reaches from one part into the next.

    Returns
    -------
    X : csr_array of shape (n_documents, n_bigrams)
        How often each bigram that occurs at all is in each document, the most frequent one of all documents first,
        equally frequent ones in alphabetical order.
    bigrams : list of str
        Of the columns, the two words with a blank between them.
    """
    column: dict[str, int] = {}
    rows, columns = [], []
    n = 0
    for parts in documents:
        for part in parts:
            text = words(part)
            found = [column.setdefault(f"{a} {b}", len(column)) for a, b in zip(text, text[1:], strict=False)]
            columns += found
            rows += [n] * len(found)
        n += 1
    X = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, len(column)))  # adds up what is repeated
    bigrams = sorted(column)
    order = np.array([column[bigram] for bigram in bigrams], dtype=np.intp)
    rank = most_frequent(X[:, order], len(order))
    return X[:, order[rank]], [bigrams[i] for i in rank]


def most_frequent(X: sparse.csr_array, k: int) -> NDArray[np.intp]:
    """Return the columns with the k largest sums, the largest first and of equal ones the first.

    Applied to the training rows alone, it selects features without a look at the others.
    """
    return np.argsort(-X.sum(axis=0), kind="stable")[:k]


def sentiment(contents: Sequence[bytes], bigrams: int) -> Examples:
    """Read product reviews: counts of bigrams of title and text, class 1 for more than three stars, target the stars.

    The files look like XML but are not well-formed; a review is found by its tags alone.
    """
    texts, stars = [], []
    for content in contents:
        for review in content.decode("latin-1").split("<review>")[1:]:
            texts.append([_between(review, tag) for tag in ("title", "review_text")])
            stars.append(float(_between(review, "rating")))
    target = np.array(stars)
    X, _ = bigram_counts(texts)
    return Examples(X[:, :bigrams], (target > 3).astype(np.int64), target)


def reuters_acq(contents: Sequence[bytes], bigrams: int) -> Examples:
    """Read Reuters-21578 in its ModApte split: counts of bigrams of title and body, class 1 for the topic "acq".

    The 9603 training documents come first, then the 3299 test documents, each in the order of the collection.
    """
    parts: dict[str, list[tuple[list[str], bool]]] = {"TRAIN": [], "TEST": []}
    for content in contents:
        for document in content.decode("latin-1").split("<REUTERS ")[1:]:
            head, _, body = document.partition(">")
            split = re.search(r'LEWISSPLIT="(.*?)"', head)
            if 'TOPICS="YES"' in head and split and split[1] in parts:
                topics = re.findall("<D>(.*?)</D>", _between(body, "TOPICS"))
                parts[split[1]].append((_news(body), "acq" in topics))
    documents = parts["TRAIN"] + parts["TEST"]
    X, _ = bigram_counts(text for text, _ in documents)
    return Examples(X[:, :bigrams], np.array([acq for _, acq in documents], dtype=np.int64))


def newsgroups(contents: Sequence[bytes], headers: str = "all", tokens: str = "words") -> Examples:
    """Read posts in folders of their groups: how often each word that occurs at all is in each, in alphabetical order.

    Groups are numbered in alphabetical order.

    Parameters
    ----------
    contents : sequence of bytes
    headers : str
        One of `HEADERS`.
    tokens : str
        One of `TOKENS`.
    """
    group_of: list[str] = []
    column: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    for content in contents:
        names_and_posts = content.decode("latin-1").split("\0")[:-1]
        for name, post in zip(names_and_posts[::2], names_and_posts[1::2], strict=True):
            some = words(_without_header(post, headers), tokens)
            columns += [column.setdefault(word, len(column)) for word in some]
            rows += [len(group_of)] * len(some)
            group_of.append(name.partition("/")[0])
    groups = sorted(set(group_of))
    X = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(group_of), len(column)))  # adds up
    order = np.array([column[word] for word in sorted(column)], dtype=np.intp)
    return Examples(X[:, order], np.array([groups.index(group) for group in group_of], dtype=np.int64))


def _without_header(post: str, headers: str) -> str:
    """Return a post with what is counted of its header, which ends at the first empty line."""
    if headers == "all":
        return post
    header, _, body = post.replace("\r\n", "\n").partition("\n\n")
    if headers == "none":
        return body
    kept = [line for line in header.split("\n") if line.lower().startswith(("from:", "subject:"))]
    return "\n".join([*kept, "", body])


def newsgroups_pair(
    contents: Sequence[bytes], first: int, second: int, headers: str = "all", tokens: str = "words"
) -> Examples:
    """Read the posts of two groups, by their numbers in alphabetical order; the second is class 1.

    See `newsgroups`.

    Raises `UserError` if they are one, or there are not so many.
    """
    every = newsgroups(contents, headers, tokens)
    if first == second or max(first, second) > every.y.max():
        raise UserError(f"first={first}, second={second}: must be two groups, from 0 to {every.y.max()}")
    rows = np.flatnonzero(np.isin(every.y, (first, second)))
    X = every.X[rows]
    return Examples(X[:, np.flatnonzero(X.sum(axis=0))], (every.y[rows] == second).astype(np.int64))


def _news(document: str) -> list[str]:
    """Return title and body, or what there is of a document that is not divided into them."""
    if "<BODY>" in document:
        return [unescape(_between(document, tag)) for tag in ("TITLE", "BODY")]
    return [unescape(re.sub("<.*?>", " ", document.partition("<TEXT")[2].partition(">")[2]))]


def _between(text: str, tag: str) -> Any:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
