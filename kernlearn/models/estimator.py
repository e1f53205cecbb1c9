"""A method of configurations at one point of its grid, as an estimator: what ``kernlearn fit`` trains."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import accumulate, islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from kernlearn.algorithms import ALGORITHMS, REDUCTIONS, Classes, Method, Point, Problem, Reals, Sequences
from kernlearn.algorithms.common.reductions import signs
from kernlearn.algorithms.common.sigmoids import fit_sigmoids, probabilities
from kernlearn.algorithms.core.approximated import EXACT_GAP, ExactKernels
from kernlearn.algorithms.core.predictor import EveryOutput, Expansion, Pairs, Predictor, Values, predict
from kernlearn.algorithms.transduction.label_spreading import at_others
from kernlearn.datasets.core.cells import show, spelling
from kernlearn.datasets.core.chains import Chains, entries, with_entries
from kernlearn.errors import UserError
from kernlearn.estimators.common.decisions import shown
from kernlearn.estimators.common.expansion import keep_certificate
from kernlearn.estimators.common.fitting import Solved
from kernlearn.estimators.common.labels import example_weights, real_labels
from kernlearn.kernels import (
    FeatureStack,
    KernelFamily,
    NystromFamily,
    apply_scaling,
    fit_scaling,
    make_family,
    make_inputs,
)
from kernlearn.kernels.families.chains import Windows
from kernlearn.kernels.families.spectrum import Spectrum
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.kernels.families.vectors import FEATURES
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.types import Array, Index

#: Bytes of kernel values, or of features, that are there at a time while examples are predicted.
BLOCK_BYTES = 2**26


class MethodEstimator(BaseEstimator):
    """A method of ``kernlearn run`` at one grid point, with its scaling and its kernels.

    Parameters
    ----------
    method : str
        As in ``algo=NAME``.
    options : dict
        The parameters of the method, lists for its grid.
    kernel : dict
        The group ``kernel`` of a configuration: ``name`` and parameters.
    scaling : str
        As in ``scaling=NAME``.
    point : int
        The number of the grid point.
    multiclass : str
        How a method for two classes learns more.
    labels : tuple of str
        The names of the classes, by number; empty for a regression.
    max_matrix_bytes : float
        Bytes of one kernel matrix above which none is made.
    seed : int
        Of what is drawn at random.
    class_weight : "balanced", dict or None
        Factors of the losses of classes, by their names.

    Attributes
    ----------
    classes_ : array of str
        Of a classifier.
    values_ : dict
        The grid point, e.g. ``{"gamma": 0.1, "C": 1.0}``.
    support_, support_vectors_ : arrays
        The training examples that the kernels of the predictor are evaluated at, scaled; of kernels alone.
    n_support_ : int
        How many they are; 0 without kernels.
    weights_ : array of shape (n_outputs, p)
        Of the kernels, where these are learned; of one-vs-one they are of every pair of classes.
    objective_, dual_objective_, gap_ : float
        Sums over the problems that were solved, and the largest relative gap.
    exact_gap_ : float or None
        With an approximate kernel the largest relative gap to the problem with the exact one; None if it is not known.
    """

    def __init__(
        self,
        method: str,
        options: Mapping[str, Any],
        kernel: Mapping[str, Any],
        scaling: str = "none",
        point: int = 0,
        multiclass: str = "one_vs_rest",
        labels: tuple[str, ...] = (),
        max_matrix_bytes: float = float("inf"),
        seed: int = 0,
        class_weight: Any = None,
    ):
        self.method = method
        self.options = options
        self.kernel = kernel
        self.scaling = scaling
        self.point = point
        self.multiclass = multiclass
        self.labels = labels
        self.max_matrix_bytes = max_matrix_bytes
        self.seed = seed
        self.class_weight = class_weight

    @property
    def _method(self) -> Method:
        return ALGORITHMS[self.method]

    def fit(self, X: Any, y: Any) -> Self:
        """Solve the same grid point for other examples, without probabilities.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d), or Chains
            Features of `TableFeatures`.
        y : array of shape (n,), or list of sequences
            Names of classes, every one of `labels`, or targets of a regression.

        Raises
        ------
        UserError
            If a label is no class of the model, or a class has no example.
        """
        if not len(self.labels):
            return self.learn(X, real_labels(y))
        names = self._names_as_here(X, y)
        if absent := [name for name in self.labels if name not in names]:
            raise UserError(f"y: no example is of class {show(absent[0])}, which the model has; it cannot be fitted")
        place = {name: i for i, name in enumerate(self.labels)}
        if unknown := [name for name in names if name not in place]:
            known = ", ".join(map(show, self.labels[:10]))
            raise UserError(f"y: {show(unknown[0])} is no class of the model, which has {known}; run kernlearn fit")
        return self.learn(X, with_entries(X if isinstance(X, Chains) else y, np.array([place[one] for one in names])))

    def _names_as_here(self, X: Any, y: Any) -> list[str]:
        """Return the names of classes in the spelling of `labels`; of sequences those of all places."""
        labels = [name for some in y for name in some] if isinstance(X, Chains) else np.asarray(y).tolist()
        alike = ((text, spelling(text), text.removesuffix(".0")) for text in map(str, labels))
        return [next((one for one in three if one in self.labels), three[0]) for three in alike]

    def learn(self, X: Any, y: Any) -> Self:
        """Solve the grid point.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d), or Chains
            Features of `TableFeatures`.
        y : array of shape (n,), or Chains
            Numbers of classes, or targets of a regression.
        """
        method = self._method
        self.__dict__.pop("_sigmoids", None)  # of a fit before
        sample_weight = None
        if len(self.labels) and self.class_weight is not None:
            sample_weight = example_weights(self.class_weight, np.array(self.labels), entries(y))
        family: Any = make_family(**self.kernel)
        if isinstance(family, KernelFamily):  # an approximation, too, is made again from what it was made from
            recipe = {key: value for key, value in self.kernel.items() if key not in ("name", "unit")}
            family = replace(family, recipe=(self.kernel["name"], recipe))
        self.n_features_in_ = int(X.shape[1])
        self._scaled, self._factor = fit_scaling(self.scaling, X, self.kernel.get("unit"))
        self._landmarks: Any = None
        self._landmarks = family.fit_map(self.seed, self._features(X)) if isinstance(family, NystromFamily) else None
        examples = self._features(X)
        self._family = family if isinstance(family, KernelFamily) else None
        inputs = make_inputs(family, examples, self.seed, self.max_matrix_bytes, together=method.weighs)
        point, inputs = self._solve(family, inputs, X, y, sample_weight)
        self._keep(point, inputs, examples, sample_weight)
        return self

    def _solve(self, family: Any, inputs: Any, X: Any, y: Any, weights: Array | None) -> tuple[Point, Any]:
        """Follow the path to the grid point; of a method that takes one kernel at a time, that of its kernel alone."""
        method, task = self._method, "classification" if len(self.labels) else "regression"
        blocks = method.blocks(family, task, self.options)
        lengths = [len(method.points(family, task, self.options)) // len(blocks)] * len(blocks)
        ends = list(accumulate(lengths))
        block = next(i for i, end in enumerate(ends) if self.point < end)
        if blocks[block] is not None:
            inputs = inputs.select(blocks[block])
        target = Reals(y) if not len(self.labels) else self._classes(y)
        labelled = np.arange(len(y)) if method.unlabelled else None
        problem = Problem(inputs, target, labelled, self.seed, weights)
        path = partial(method.path, **self.options)
        reduced = isinstance(target, Classes) and not method.joint
        points = REDUCTIONS[self.multiclass](path, problem) if reduced else path(problem)
        number = self.point - ends[block] + lengths[block]
        point = replace(next(islice(points, number, None)), state=None)
        if isinstance(family, NystromFamily):
            examples = apply_scaling(self.scaling, self._scaled, self._factor, X)
            exact = ExactKernels(family, examples, *self._landmarks)
            point = exact.with_gap(problem, point, self.method, self.options)
        return point, inputs

    def _classes(self, y: Any) -> Any:
        self.classes_ = np.array(list(self.labels), dtype=np.str_)
        kind = Sequences if isinstance(y, Chains) else Classes
        return kind(entries(y), len(self.labels))

    def _keep(self, point: Point, inputs: Any, examples: Any, weights: Array | None) -> None:
        """Set the fitted attributes: the predictor, and of the inputs what new examples need."""
        self.values_ = dict(point.values)
        keep_certificate(self, point.solutions)
        self.exact_gap_ = float(max(point.facts[EXACT_GAP])) if EXACT_GAP in point.facts else None
        solutions = tuple(replace(solution, extras={}, seconds=0.0) for solution in point.solutions)
        self._proof = Solved(self.method, dict(self.options), self.values_, solutions, weights)
        self._predictor: Predictor = point.predictor
        self.__dict__.pop("weights_", None)  # of a fit before
        if self._method.weighs and (learned := point.facts.get("weights")) is not None:
            outputs = point.predictor.coef if isinstance(point.predictor, Expansion) else learned
            self.weights_ = np.broadcast_to(learned, (len(outputs), learned.shape[1])).copy()
        self._inputs: Any = None
        self.n_support_ = 0
        if isinstance(inputs, Spectrum):
            self._inputs, self._on_graph = inputs, point.predictor.outputs(inputs)
        elif isinstance(inputs, Stumps):
            self._inputs = inputs.take(np.zeros(0, dtype=np.intp))
        elif isinstance(inputs, Windows):
            self._inputs = inputs if inputs.degree > 1 else replace(inputs, chains=inputs.chains[np.arange(1)])
        elif not isinstance(inputs, FeatureStack):
            rows = _rows_of(point.predictor)
            self._family = inputs.family_as_trained()
            self.support_, self.support_vectors_, self.n_support_ = rows, examples[rows], len(rows)
            self._predictor = _on_rows(point.predictor, rows)
            if isinstance(self._predictor, Expansion):
                self._coef, self.intercept_ = self._predictor.coef, self._predictor.intercept

    def calibrate(self, outputs: Array, y: NDArray[np.integer]) -> Self:
        """Learn probabilities from outputs of examples that the predictors of these outputs were not trained on.

        Parameters
        ----------
        outputs : array of shape (n_outputs, n)
        y : array of shape (n,)
            Numbers of classes.
        """
        self._sigmoids = fit_sigmoids(outputs, signs(y, len(self.labels)))
        return self

    def outputs(self, X: Any) -> Array:
        """Return the outputs of the predictor, shape (n_outputs, n), of features such as those of `fit`."""
        check_is_fitted(self)
        if isinstance(X, Chains):
            return self._predictor.outputs(self._inputs.at(self._features(X)))
        return np.concatenate([self._outputs(part) for part in self._blocks(X)], axis=1)

    def _blocks(self, X: Any) -> Iterator[Any]:
        points = max([len(getattr(self, "support_", ())), self.n_features_in_, 1])
        step = max(1, BLOCK_BYTES // (8 * points * (1 if self._family is None else max(1, len(self._family)))))
        yield from (X[start : start + step] for start in range(0, max(1, X.shape[0]), step))

    def _outputs(self, X: Any) -> Array:
        examples = self._features(X)
        if isinstance(self._inputs, Spectrum) and _is_on_graph(self._predictor):
            return at_others(self._inputs.graph, self._on_graph, examples)
        if self._inputs is not None:
            return self._predictor.outputs(self._inputs.at(examples))
        if self._family is None or self._family.name == FEATURES:
            return self._predictor.outputs(FeatureStack(examples))
        if not len(self.support_) and isinstance(self._predictor, Expansion):
            return np.repeat(self._predictor.intercept[:, None], examples.shape[0], axis=1)
        # Without a matrix where the family can do so: values that stay near a core are several times as fast.
        return self._predictor.outputs(kernel_stack(self._family, examples, self.support_vectors_, 0.0))

    def decision_function(self, X: Any) -> Array:
        """Return the outputs, shape (n,) for two classes and for a regression, (n, n_classes) otherwise."""
        return shown(self.outputs(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the names of classes, or the values of a regression, shape (n,); of sequences of all places."""
        outputs = self.outputs(X)
        return self.classes_[predict(outputs)] if len(self.labels) else outputs[0]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy, of sequences that of all places, or R2 of a regression; y as for `fit`."""
        if not len(self.labels):
            return float(RegressorMixin.score(self, X, y, sample_weight))
        return float(ClassifierMixin.score(self, X, np.array(self._names_as_here(X, y)), sample_weight))

    def predict_proba(self, X: Any) -> Array:
        """Return the probability of every class, shape (n, n_classes).

        Raises
        ------
        UserError
            If the model was fitted without probabilities.
        """
        if not hasattr(self, "_sigmoids"):
            raise UserError("the model has no probabilities: fit it with probability=true")
        return probabilities(self._sigmoids, self.outputs(X))

    def proofs(self, X: Any, y: Any) -> list[Any]:
        """Return what is proved of every problem on the training data, as `kernlearn verify` does of a file.

        Parameters
        ----------
        X : array or sparse matrix of shape (n, d)
            Features of `TableFeatures`.
        y : array of shape (n,)
            Names of classes, or targets.
        """
        from kernlearn.models.codec import Encoder
        from kernlearn.models.decode import Decoder
        from kernlearn.models.file import Parts
        from kernlearn.models.stored import options_of, proofs_of

        encoder = Encoder()
        tree = encoder.encode(self, type(self).__name__)
        machine = Decoder(encoder.arrays.__getitem__, plain=True).decode(tree)
        options_of(machine)  # which says so if nothing can be proved of the method
        return proofs_of(Parts({"about": {}}, [], machine, {}, self), X, y)

    def _features(self, X: Any) -> Any:
        """Return examples as the kernels take them: scaled, in the unit of the kernel, mapped by landmarks."""
        examples = apply_scaling(self.scaling, self._scaled, self._factor, X)
        if self._landmarks is not None:
            family: Any = make_family(**self.kernel)
            examples = family.mapped(examples, *self._landmarks)
        return examples

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "objective_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier" if len(self.labels) else "regressor"
        tags.classifier_tags = ClassifierTags() if len(self.labels) else None
        tags.regressor_tags = None if len(self.labels) else RegressorTags()
        return tags


def _is_on_graph(predictor: Any) -> bool:
    """Return whether a predictor has values on the graph alone."""
    return isinstance(predictor, Values) or any(map(_is_on_graph, getattr(predictor, "parts", ())))


def _rows_of(predictor: Predictor | None) -> Index:
    """Return the training examples that a predictor evaluates kernels at."""
    if isinstance(predictor, Expansion):
        return np.flatnonzero(predictor.coef.any(axis=(0, 1)))
    parts = predictor.parts if isinstance(predictor, Pairs | EveryOutput) else ()
    found = [_rows_of(part) for part in parts if part is not None]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.intp)


def _on_rows(predictor: Any, rows: Index) -> Any:
    """Return the same predictor on some of the training examples, which are all that it needs."""
    if isinstance(predictor, Expansion):
        multipliers = None if predictor.multipliers is None else predictor.multipliers[:, rows]
        return Expansion(np.ascontiguousarray(predictor.coef[:, :, rows]), predictor.intercept, multipliers)
    if isinstance(predictor, Pairs | EveryOutput):
        parts: Any = [None if part is None else _on_rows(part, rows) for part in predictor.parts]
        return replace(predictor, parts=parts)
    return predictor
