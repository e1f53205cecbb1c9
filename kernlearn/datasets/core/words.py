"""Binary features of words: each says one thing of one word, and has a name that says what.

Features of neighbouring words are not included: ``kernel=chains`` joins the features of a window of words. The source
prints only examples of its features ("whether the first letter of a word is capitalized, whether the word ends with a
punctuation, whether the previous word has numbers in it and so on"). The features here are our choice.
Source: Shivaswamy (2010), section 4.5, after Altun, Tsochantaridis and Hofmann (2003).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

#: What is asked of a word, by the name of the feature.
QUESTIONS: dict[str, Callable[[str], bool]] = {
    "any": lambda word: True,  # of every word: whether there is a neighbour, and how frequent a label is
    "capital": lambda word: word[0].isupper(),  # the first letter
    "capitals": lambda word: len(word) > 1 and word.isupper(),  # all letters
    "initial": lambda word: len(word) == 2 and word[0].isupper() and word[1] == ".",
    "inner capital": lambda word: any(a.islower() and b.isupper() for a, b in zip(word, word[1:], strict=False)),
    "digit": lambda word: any(letter.isdigit() for letter in word),
    "number": lambda word: word[0].isdigit() and all(letter.isdigit() or letter in ".,:/-" for letter in word),
    "hyphen": lambda word: "-" in word[1:],
    "punctuation": lambda word: not any(letter.isalnum() for letter in word),
    "ends with punctuation": lambda word: not word[-1].isalnum(),
}
#: Lengths of the beginnings and ends of words, in small letters, that have a feature each.
BEGINNINGS, ENDS = (1, 2, 3), (1, 2, 3)


def features_of(word: str) -> list[str]:
    """Return the names of all features that a word has.

    These are the `QUESTIONS` with the answer yes, and ``word=`` with the word in small letters. Words that are long
    enough also have ``begins=`` and ``ends=`` with their first and last letters.
    """
    small = word.lower()
    features = [name for name, question in QUESTIONS.items() if question(word)]
    features.append(f"word={small}")
    features += [f"begins={small[:k]}" for k in BEGINNINGS if k < len(small)]
    features += [f"ends={small[-k:]}" for k in ENDS if k < len(small)]
    return features


def word_features(words: Sequence[str]) -> tuple[sparse.csr_array, list[str]]:
    """Return the features of words, 1 where a word has one, shape (n_words, n_features), and the names of the columns.

    Columns are in the order of their names: the same whatever the order of the words.
    """
    different = sorted(set(words))
    features = [features_of(word) for word in different]
    table, names = indicators(features)
    at = {word: i for i, word in enumerate(different)}
    return table[np.array([at[word] for word in words], dtype=np.intp)], names


def indicators(features: Sequence[Sequence[str]]) -> tuple[sparse.csr_array, list[str]]:
    """Return a matrix with a 1 for every name that a row has, and the names of the columns, sorted."""
    names = sorted({name for some in features for name in some})
    column = {name: i for i, name in enumerate(names)}
    indptr: NDArray[np.intp] = np.concatenate([[0], np.cumsum([len(some) for some in features], dtype=np.intp)])
    indices = np.array([column[name] for some in features for name in some], dtype=np.intp)
    matrix = sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=(len(features), len(names)))
    matrix.sort_indices()
    return matrix, names
