"""The solution that a fitted estimator of ours keeps, and the weights of one that labels sequences."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.own.predictor import outputs_of, require_method
from kernlearn.certificates.own.problems import require_provable
from kernlearn.certificates.own.sequences import TAGGERS, Tagged, require_predicted
from kernlearn.certificates.own.stored import Stored
from kernlearn.certificates.own.votes import ensembles_of
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.kernels import make_family
from kernlearn.types import Index


def of_estimator(estimator: Any, X: Any) -> Stored | None:
    """Return the solution that a fitted estimator of ours keeps, with its outputs on X; None if it keeps none.

    Raises
    ------
    UserError
        If nothing is proved of solutions of its method.
    """
    proof = getattr(estimator, "_proof", None)
    if proof is None:
        return None
    require_provable(proof.method, proof.values)
    require_method(type(estimator).__name__, proof.method)
    coef = estimator._coef if hasattr(estimator, "_coef") else getattr(estimator, "coef_", None)
    ensembles = ensembles_of(estimator.get_params(deep=False), vars(estimator))
    if coef is None and not ensembles:
        return None
    return Stored(
        method=proof.method,
        options=proof.options,
        values=proof.values,
        primals=[solution.x for solution in proof.solutions],
        duals=[solution.dual for solution in proof.solutions],
        coef=np.zeros(0) if coef is None or ensembles else coef,
        intercept=np.atleast_1d(getattr(estimator, "intercept_", 0.0)),
        family=getattr(estimator, "_family", None),
        support=getattr(estimator, "support_", None),
        points=getattr(estimator, "support_vectors_", None),
        rows=proof.rows,
        weights=proof.weights,
        kernel_weights=getattr(estimator, "weights_", None),
        classes=getattr(estimator, "classes_", None),
        ensembles=ensembles,
        n_rows=getattr(estimator, "_n_rows", None),
        universum=getattr(estimator, "_universum", None),
        shown=outputs_of(estimator, X),
    )


def is_tagger(estimator: Any) -> bool:
    """Return whether an estimator of ours labels sequences."""
    return hasattr(getattr(estimator, "_decoder", getattr(estimator, "_predictor", None)), "transitions")


def prove_tagger(tagger: Any, X: Any, y: Any) -> Proof:
    """Return what is proved of an estimator that labels sequences.

    Parameters
    ----------
    tagger : estimator
    X, y : list of sequences, or Chains with the names of the labels of all places
        The training data.

    Raises
    ------
    UserError
        If the data are not those of the fit, or what predicts is not what is proved.
    """
    proof, (solution,) = tagger._proof, tagger._proof.solutions
    require_method(type(tagger).__name__, proof.method)
    if proof.rows is not None or proof.weights is not None:
        raise OtherData(f"{proof.method}: sequences have no weights and are all learned from")
    if hasattr(tagger, "_decoder"):
        learned = type(tagger)(**tagger.get_params(deep=False))  # which takes note of the features and labels there are
        truth, kept, decoder = learned._learnable(X, y), tagger._inputs, tagger._decoder
        inputs, classes, features = learned._inputs, learned.classes_, _features(learned._vectorizer)
        if features != _features(tagger._vectorizer) or learned.n_features_in_ != tagger.n_features_in_:
            raise OtherData("the sequences have other features than the model; give the training data")
    else:
        kept, decoder, classes = tagger._inputs, tagger._predictor, tagger.classes_
        family: Any = make_family(**tagger.kernel)
        truth, inputs = _numbers(y, classes), family.fit(tagger._features(X))
    same = len(kept.used) == len(inputs.used) and all(map(np.array_equal, kept.used, inputs.used))
    if not (same and kept.degree == inputs.degree and np.array_equal(classes, tagger.classes_)):
        raise OtherData("the sequences have other features or labels than the model; give the training data")
    if inputs.degree > 1 and _differ((kept.learned or kept.chains).values, inputs.chains.values):
        raise OtherData("the sequences of the kernel are not those of the data; give the training data")
    predicted = _numbers(tagger.predict(X), classes)
    one = Tagged(
        method=proof.method,
        options=proof.options,
        values=proof.values,
        dual=solution.dual,
        weights=decoder.weights,
        transitions=decoder.transitions,
        inputs=inputs,
        truth=truth,
        predicted=predicted,
    )
    kernel = inputs.degree > 1
    shape = (inputs.chains.values.shape[0 if kernel else 1], len(classes))
    if decoder.weights.shape != shape or type(decoder).__name__ != ("KernelDecoder" if kernel else "Decoder"):
        raise OtherData(f"the model has weights of the shape {decoder.weights.shape}, and must have {shape}")
    require_predicted(one)
    return TAGGERS[proof.method](one).proof("", len(inputs.chains))


def _features(vectorizer: Any) -> tuple[Any, ...]:
    """Return all that features become columns by: their names are shown, and the vocabulary is used."""
    if vectorizer is None:
        return ()
    names, columns = list(vectorizer.feature_names_), dict(vectorizer.vocabulary_)
    return names, columns, vectorizer.separator, vectorizer.dtype


def _numbers(labels: Any, classes: NDArray[Any]) -> Index:
    """Return the numbers of labels of all places, given by sequences or one below the other; `UserError` for others."""
    place = {name: k for k, name in enumerate(classes.tolist())}
    names = [name for some in labels for name in some] if isinstance(labels, list) else labels.tolist()
    if unknown := [name for name in names if name not in place]:
        raise OtherData(f"y has the label {unknown[0]!r}, which is no class of the estimator")
    return np.array([place[name] for name in names], dtype=np.intp)


def _differ(one: Any, other: Any) -> bool:
    return one.shape != other.shape or bool((one != other).sum())
