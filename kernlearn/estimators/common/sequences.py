"""What estimators of labels of sequences have in common: the forms in which sequences come, predictions and scores."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Number
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_extraction import DictVectorizer
from sklearn.metrics import precision_recall_fscore_support
from sklearn.utils.validation import check_is_fitted

from kernlearn.algorithms.core.decoder import Decoder, KernelDecoder
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem, Sequences
from kernlearn.datasets.core.chains import Chains, chains_of
from kernlearn.errors import UserError
from kernlearn.estimators.common.expansion import keep_certificate
from kernlearn.estimators.common.fitting import MethodMixin
from kernlearn.kernels.families.chains import Windows, chains


class SequenceTagger(MethodMixin, BaseEstimator):
    """Base of estimators that give a label to every place of a sequence; subclasses name the method that learns it."""

    #: What a person may do about a solution that is not optimal, as the end of the warning.
    _advice = ""
    _decoder: Decoder
    _inputs: Windows
    _vectorizer: DictVectorizer | None

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from sequences.

        Parameters
        ----------
        X : list of sequences
            None of them is empty.
        y : list of sequences
            Of as many labels each as the sequence has places.

        Raises
        ------
        ValueError
            If the input is not as described or a parameter is out of range.
        """
        values = self._check_parameters()
        labels = self._learnable(X, y)
        inputs = replace(self._inputs)  # which keeps its matrix of products for as long as it is learned from
        point = self._learn_with_proof(Problem(inputs, Sequences(labels, len(self.classes_))), values)
        self._keep(point)
        (solution,) = point.solutions
        keep_certificate(self, [solution], advice=self._advice)
        self.n_iter_ = max(1, solution.iterations)
        return self

    def _learnable(self, X: Any, y: Any) -> NDArray[np.intp]:
        """Return the numbers of the labels of training sequences.

        Sets what is learned of them: ``classes_``, the names of the features, and the inputs, with the features that
        are not 0 in all sequences.
        """
        texts, self._vectorizer = _texts(X), None
        if texts is not None:
            _places(texts)
            self._vectorizer = DictVectorizer().fit([place for one in texts for place in one])
            self.feature_names_ = self._vectorizer.get_feature_names_out()
        given = self._chains(X)
        labels = _labels(y, given.lengths)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise UserError(f"y has one class only, {self.classes_.tolist()[0]!r}: two labels are needed")
        self.n_features_in_ = given.shape[1]
        self._inputs = chains(window=1, degree=getattr(self, "degree", 1)).fit(given)
        return numbers

    def _keep(self, point: Point) -> None:
        """Set what a decoder has learned: weights of all features as they are given, or coefficients of all places."""
        decoder = point.predictor
        assert isinstance(decoder, Decoder)
        self._decoder = decoder
        for other in {"coef_", "dual_coef_"} & vars(self).keys():  # of a fit before, with another kernel
            delattr(self, other)
        if isinstance(decoder, KernelDecoder):
            self.dual_coef_ = decoder.weights.T
        else:
            self.coef_ = np.zeros((len(self.classes_), self.n_features_in_))
            self.coef_[:, self._inputs.used[0]] = decoder.weights.T
        self.transitions_ = decoder.transitions

    def predict(self, X: Any) -> list[list[Any]]:
        """Return the labels of every sequence.

        Parameters
        ----------
        X : list of sequences
            As for `fit`.
        """
        windows = self._windows(X)
        labels = self.classes_[self._decoder.labels(windows)]
        return [one.tolist() for one in windows.chains.split(labels)]

    def score(self, X: Any, y: Any) -> float:
        """Return the share of labels that are right, of all places of all sequences."""
        true, predicted = self._pairs(X, y)
        return float(np.mean([a == b for a, b in zip(true, predicted, strict=True)]))

    def sequence_score(self, X: Any, y: Any) -> float:
        """Return the share of sequences all labels of which are right."""
        return float(np.mean([list(a) == b for a, b in zip(y, self._checked(X, y), strict=True)]))

    def report(self, X: Any, y: Any) -> dict[Any, dict[str, float]]:
        """Return ``precision``, ``recall`` and ``f1`` of every label, from 0 to 1, and at how many ``places`` it is.

        Labels are those of the training sequences and of `y`. What has no value, as the precision of a label that is
        never predicted, is NaN.
        """
        true, predicted = self._pairs(X, y)
        labels = sorted({*self.classes_.tolist(), *true})
        columns = precision_recall_fscore_support(true, predicted, labels=labels, zero_division=np.nan)
        names = ("precision", "recall", "f1", "places")
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return {label: dict(zip(names, row, strict=True)) for label, row in zip(labels, rows, strict=True)}

    def _pairs(self, X: Any, y: Any) -> tuple[list[Any], list[Any]]:
        found = self._checked(X, y)
        return [label for one in y for label in one], [label for one in found for label in one]

    def _checked(self, X: Any, y: Any) -> list[list[Any]]:
        """Return predictions of as many labels as there are, and of their kind."""
        found = self.predict(X)
        labels = _labels(y, np.array([len(one) for one in found]))
        if (labels.dtype.kind == "U") != (self.classes_.dtype.kind == "U"):
            raise UserError(f"y: has labels such as {labels[0]!r}, the training sequences such as {self.classes_[0]!r}")
        return found

    def _chains(self, X: Any) -> Chains:
        """Return sequences with the features of the training sequences."""
        texts = _texts(X)
        if texts is None and self._vectorizer is not None:
            _places(X)  # refuses what is empty; anything else is of another form
        if (texts is None) != (self._vectorizer is None):
            raise UserError("X: give features in the form in which the training sequences had them")
        if texts is None or self._vectorizer is None:
            return _of_arrays(X)
        return _of_texts(texts, self._vectorizer)

    def _windows(self, X: Any) -> Windows:
        """Return sequences with the features that are used."""
        check_is_fitted(self, "classes_")
        found = self._chains(X)
        if found.shape[1] != self.n_features_in_:
            raise UserError(f"X has {found.shape[1]} features, the training sequences have {self.n_features_in_}")
        return self._inputs.at(found)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.sparse = True
        return tags


def _texts(X: Any) -> list[list[Mapping[str, Any]]] | None:
    """Return sequences of feature dictionaries, or of lists of names, as dictionaries; None if they are arrays."""
    if isinstance(X, Iterator):  # of which the first sequences would be lost
        raise UserError("X: can be read only once; give a list of sequences")
    try:
        first = next(place for one in X if not sparse.issparse(one) for place in one)
    except (TypeError, StopIteration):
        return None
    if isinstance(first, Mapping):
        texts = [list(one) for one in X]
        _require_features(texts)
        return texts
    if isinstance(first, list | tuple | set | frozenset) and all(isinstance(name, str) for name in first):
        return [[dict.fromkeys(place, True) for place in one] for one in X]
    return None


def _places(X: Any) -> Chains:
    """Return sequences without features, or refuse those that have no place, by number."""
    try:
        lengths = [one.shape[0] if hasattr(one, "shape") else len(one) for one in X]
    except TypeError as error:
        raise UserError(f"X: must be a list of sequences ({error})") from None
    if not lengths:
        raise UserError("X: has no sequence")
    return chains_of(lengths, None)


def _require_features(texts: list[list[Mapping[str, Any]]]) -> None:
    """Refuse what is no feature, with its place."""
    for number, one in enumerate(texts):
        for t, place in enumerate(one):
            where = f"X: sequence {number}, place {t} (both from 0)"
            if not isinstance(place, Mapping):
                raise UserError(f"{where}: must be a dictionary of features, as that of the first place is")
            for name, value in place.items():
                if not isinstance(value, str | Number) and not _are_texts(value):
                    raise UserError(f"{where}: {name!r} is {value!r}; it must be a number, a text, or several texts")


def _are_texts(value: Any) -> bool:
    several = isinstance(value, list | tuple | set | frozenset)
    return several and all(isinstance(one, str) for one in value)


def _of_texts(texts: list[list[Mapping[str, Any]]], vectorizer: DictVectorizer) -> Chains:
    """Return sequences of feature dictionaries, with the features that the training sequences had."""
    empty = _places(texts)
    values = sparse.csr_array(vectorizer.transform([place for one in texts for place in one]))
    if not np.isfinite(values.data).all():
        place = int(np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))[~np.isfinite(values.data)][0])
        number = int(np.searchsorted(empty.starts, place, side="right")) - 1
        raise UserError(f"X: sequence {number} (from 0) has a value that is not finite")
    return empty.with_values(values)


def _of_arrays(X: Any) -> Chains:
    """Return sequences of arrays, or of sparse matrices, of shape (T, d) each."""
    if sparse.issparse(X) or (isinstance(X, np.ndarray) and X.ndim == 2):
        raise UserError("X: must be a list of sequences, each an array of shape (T, d); this is one matrix")
    try:
        parts = [_rows(one) for one in X]
    except (TypeError, ValueError) as error:
        forms = "whose places are numbers, dictionaries of features or lists of their names"
        raise UserError(f"X: must be a list of sequences {forms} ({error})") from None
    if not parts:
        raise UserError("X: has no sequence")
    widths = {part.shape[1] for part in parts if part.ndim == 2}
    for number, part in enumerate(parts):
        if part.ndim != 2 and part.size:
            raise UserError(f"X: sequence {number} (from 0) has shape {part.shape} instead of (T, d)")
        if not np.isfinite(part.data if isinstance(part, sparse.csr_array) else part).all():
            raise UserError(f"X: sequence {number} (from 0) has a value that is not finite")
    lengths = [part.shape[0] for part in parts]
    empty = chains_of(lengths, None)
    if len(widths) != 1:
        raise UserError(f"X: sequences have different numbers of features: {', '.join(map(str, sorted(widths)))}")
    return empty.with_values(sparse.csr_array(sparse.vstack([sparse.csr_array(part) for part in parts], format="csr")))


def _rows(places: Any) -> Any:
    """Return the places of a sequence as the rows of a sparse matrix, or an array as it is."""
    is_sparse: bool = sparse.issparse(places)
    if np.iscomplexobj(places):
        raise ValueError("they are complex")
    return sparse.csr_array(places) if is_sparse else np.asarray(places, dtype=np.float64)


def _labels(y: Sequence[Any], lengths: NDArray[np.intp]) -> NDArray[Any]:
    """Return the labels of all places one below the other, one for each."""
    try:
        given = np.array([len(one) for one in y] if len(y) else [], dtype=np.intp)  # len: no generator
    except TypeError as error:
        raise UserError(f"y: must be a list of sequences of labels ({error})") from None
    if len(given) != len(lengths):
        raise UserError(f"y: has labels of {len(given)} sequences, X has {len(lengths)}")
    if wrong := np.flatnonzero(given != lengths).tolist():
        number = wrong[0]
        raise UserError(f"y: sequence {number} (from 0) has {given[number]} labels for {lengths[number]} places")
    labels = [label for one in y for label in one]
    if 0 < sum(isinstance(label, str) for label in labels) < len(labels):
        raise UserError("y: some labels are texts, and some are not: give all as texts, or none")
    found = np.array(labels)
    if none := [one for one in labels if one is None or one != one]:
        raise UserError(f"y: {none[0]!r} is no label")
    return found
