"""From sentences to features of their words, as those of the training sentences became them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin

from kernlearn.datasets.core.cells import show
from kernlearn.datasets.core.chains import Chains, chains_of
from kernlearn.datasets.core.words import features_of
from kernlearn.datasets.readers.tagged import read_sentences, words_of_numbered
from kernlearn.datasets.userfile import as_utf8, read_content
from kernlearn.errors import UserError

#: Words whose labels are predicted at a time.
WORDS = 50_000


class SentenceFeatures(TransformerMixin, BaseEstimator):
    """Sentences, lists of words with their columns, as features; those that no training word had are left out.

    Parameters
    ----------
    schema : dict
        The fields of `kernlearn.datasets.core.schema.TableSchema`, the columns as dictionaries.
    names : list of str
        The features of the training words.
    """

    def __init__(self, schema: Mapping[str, Any], names: Sequence[str]):
        self.schema = schema
        self.names = names

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Take note of the number of features."""
        self.n_features_in_ = len(self.names)
        return self

    def of_examples(self, X: Any) -> Any:
        """Return the features of examples as a `Dataset` has them."""
        return X

    def transform(self, X: Sequence[Sequence[Sequence[str]]]) -> Chains:
        """Return the features of sentences.

        Parameters
        ----------
        X : list of sentences
            Each a list of words, each a list of its columns, with the label or without.
        """
        place = {name: i for i, name in enumerate(self.names)}
        rows = [fields for sentence in X for fields in sentence]
        found = [sorted(place[name] for name in self._names_of(fields) if name in place) for fields in rows]
        indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(some) for some in found], dtype=np.int64)])
        indices = np.array([i for some in found for i in some], dtype=np.int64)
        values = sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=(len(rows), len(place)))
        return chains_of([len(sentence) for sentence in X], values)

    def _names_of(self, fields: Sequence[str]) -> Iterator[str]:
        for column in self.schema["columns"]:
            number = column["number"]
            value = self._field(fields, number)
            yield from features_of(value) if column["kind"] == "word" else [f"{number}={value}"]

    def _field(self, fields: Sequence[str], number: int) -> str:
        """Return a column of a line that has all columns, or all but the label."""
        is_short = len(fields) == self.schema["width"] - 1
        return fields[number - (is_short and number > self.schema["target_number"])]

    def word_of(self, fields: Sequence[str]) -> str:
        """Return the word of a line."""
        number = next((one["number"] for one in self.schema["columns"] if one["kind"] == "word"), 0)
        return self._field(fields, number)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")


def sentences_of(
    file: Path, features: SentenceFeatures, encoding: str | None = None
) -> Iterator[list[list[list[str]]]]:
    """Yield the sentences of a CoNLL file, some at a time, in an encoding that is found out as in training.

    Raises
    ------
    UserError
        If a line has another number of columns than the training sentences had, with the label or without.
    """
    content, _ = as_utf8(file, read_content(file), encoding)
    sentences, _ = words_of_numbered(file, read_sentences(content.decode()))
    width, some, count = features.schema["width"], list[list[list[str]]](), 0
    for sentence in sentences:
        for number, fields in sentence:
            if len(fields) not in (width, width - 1):
                what = f"has {len(fields)} columns, and the training sentences had {width} with the label"
                raise UserError(f"{file}, line {number}: {what}: {show(' '.join(fields))}")
        some.append([fields for _, fields in sentence])
        count += len(sentence)
        if count >= WORDS:
            yield some
            some, count = [], 0
    if some:
        yield some
