"""A fitted estimator that learns from a graph: what is proved of it on the graph of the examples of whoever asks.

The graph is made again from these examples. Its eigenvectors are those of the model, after it was checked that they are
eigenvectors of this graph with its smallest eigenvalues.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernlearn.certificates.own.on_graphs import GRAPHS, SAME, OnGraph, require_close
from kernlearn.certificates.own.predictor import outputs_of, require_method
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.errors import UserError
from kernlearn.kernels import make_family
from kernlearn.kernels.families.graph import laplacian
from kernlearn.kernels.families.spectrum import RESIDUAL, Spectrum
from kernlearn.types import Index

EIGENVECTORS = "the eigenvectors of the file, which were checked on the graph of the data"
#: Parameters of the graph that an estimator has itself.
OWN = ("neighbours", "mutual", "weights", "width", "metric", "standardise", "normalised", "q")


def spectrum_kept(estimator: Any) -> Spectrum | None:
    """Return the graph of an estimator of ours with its eigenvectors; None if it has none."""
    found = getattr(estimator, "_spectrum", getattr(estimator, "_inputs", None))
    return found if isinstance(found, Spectrum) else None


def prove_on_graph(estimator: Any, X: Any, y: Any) -> list[Proof]:
    """Return what is proved of an estimator that learns from a graph.

    Parameters
    ----------
    estimator : estimator
    X : array or sparse matrix of shape (n, d)
        The training examples, with and without a label.
    y : array of shape (n,)
        Labels, -1 where there is none.

    Raises
    ------
    UserError
        If the data are not those of the fit, or what predicts is not what is proved.
    """
    proof, kept = estimator._proof, spectrum_kept(estimator)
    require_method(type(estimator).__name__, proof.method)
    assert kept is not None
    n, own = X.shape[0], hasattr(estimator, "_spectrum")
    rows = np.arange(n) if proof.rows is None else proof.rows
    order = estimator._order if own else np.arange(n)
    hidden = np.array([own and str(label) in ("-1", "-1.0") for label in y.tolist()])
    if proof.weights is not None or not np.array_equal(np.sort(order), np.arange(n)):
        raise OtherData(f"the solution is of other data: X has {n} rows; give the training data")
    if not np.array_equal(np.sort(rows), np.flatnonzero(~hidden)):
        raise OtherData("other examples have labels than in the fit; give the training data")
    family: Any = make_family("graph", **{key: getattr(estimator, key) for key in OWN}) if own else None
    family = replace(family, search=estimator.search) if own else make_family(**estimator.kernel)
    examples = X[order] if own else estimator._features(X)
    spectrum, only = _checked(kept, family.fit(examples, 0 if own else estimator.seed))
    labelled, place = np.argsort(order)[rows], {name: k for k, name in enumerate(estimator.classes_.tolist())}
    names = [label if label in place else str(label) for label in y[rows].tolist()]
    if {*names} != {*place}:
        raise OtherData("y has other classes than the estimator; give the training data")
    index = np.array([place[name] for name in names])
    signs = [np.where(index == k, 1.0, -1.0) for k in ([1] if len(place) == 2 else range(len(place)))]
    parts = getattr(estimator._predictor, "parts", [estimator._predictor])
    if len(parts) != len(signs) or hasattr(estimator._predictor, "pairs"):
        raise UserError(f"{proof.method}: nothing can be proved of pairs of classes on a graph")
    _require_outputs(estimator, X, examples, spectrum, order, parts)
    each, found = len(proof.solutions) // len(signs), list[Proof]()
    for o, target in enumerate(signs):
        solutions = proof.solutions[o * each : (o + 1) * each]
        xs, duals = [one.x for one in solutions], [one.dual for one in solutions]
        shown = estimator.weights_[o] if hasattr(estimator, "weights_") else None
        one = OnGraph(proof.values, proof.options, spectrum, labelled, target, parts[o], xs, duals, shown)
        name = "" if len(signs) == 1 else f"class {estimator.classes_[o].item()!r} against the rest"
        found += [proved.proof(name, len(rows)) for proved in GRAPHS[proof.method](one)]
    return [replace(one, only="; ".join(filter(None, [one.only, only]))) for one in found]


def _checked(kept: Spectrum, made: Spectrum) -> tuple[Spectrum, str]:
    """Return the graph of the data with the eigenvectors of the model, and what a proof is restricted to by these.

    Raises `UserError` if they are no eigenvectors of this graph, or not those of its smallest eigenvalues.
    """
    here, there = made.graph.weights, kept.graph.weights
    n, largest = here.shape[0], float(made.graph.degrees.max(initial=0.0))
    scale = 2.0 * max(1.0, 1.0 if made.normalised else largest)
    same = all(getattr(kept, name) == getattr(made, name) for name in ("q", "normalised", "components"))
    same &= kept.vectors.shape == made.vectors.shape and kept.residual <= RESIDUAL * scale
    same &= kept.graph.kind == made.graph.kind and abs(kept.graph.width - made.graph.width) <= SAME * made.graph.width
    same &= _alike(kept.graph.search, made.graph.search) and _are_close(kept.graph.standard, made.graph.standard)
    if not (same and there.shape == here.shape and np.array_equal(kept.rows, np.arange(n))):
        raise OtherData("the graph of the model is another; give the training data")
    if abs(here - there).max() > SAME * largest or np.abs(kept.theta - made.theta).max(initial=0.0) > SAME * scale:
        raise OtherData("the graph of the model has other edges or eigenvalues; give the training data")
    found, V = replace(made, vectors=kept.vectors, theta=kept.theta), kept.vectors
    if np.allclose(V, made.vectors, rtol=0.0, atol=SAME):
        return found, ""
    residual = laplacian(here, made.normalised) @ V - V * made.theta
    orthonormal = float(np.abs(V.T @ V - np.eye(V.shape[1])).max())
    if not (float(np.sqrt((residual**2).sum(axis=0)).max()) <= RESIDUAL * scale and orthonormal <= RESIDUAL):
        raise OtherData("the eigenvectors of the model are none of the graph; give the training data")
    return found, EIGENVECTORS


def _alike(one: Any, other: Any) -> bool:
    """Return whether two searches find the same neighbours of any example."""
    how = type(one) is type(other) and (one._metric, one._k) == (other._metric, other._k)
    return how and _are_close([one._X], [other._X])


def _are_close(some: Sequence[Any] | None, others: Sequence[Any] | None) -> bool:
    """Return whether arrays are the same up to rounding, or there are none of both."""
    if some is None or others is None:
        return some is others
    pairs = list(zip(some, others, strict=True))
    return all(a.shape == b.shape and abs(a - b).max() <= SAME * abs(b).max() for a, b in pairs)


def _require_outputs(
    estimator: Any, X: Any, examples: Any, spectrum: Spectrum, order: Index, parts: Sequence[Any]
) -> None:
    """Raise `UserError` unless an estimator itself has the outputs that are proved, on the graph and beyond it.

    Beyond it, outputs are those of the eigenvectors as they are continued, or means of those of neighbours.
    """
    beyond = spectrum.at(examples).vectors
    W = spectrum.graph.to(examples)
    means = W / np.maximum(np.asarray(W.sum(axis=1)).reshape(-1, 1), 1e-300)
    on_graph, shown = [], []
    for part in parts:
        if hasattr(part, "values"):
            on_graph.append(part.values[0])
            shown.append(means @ part.values[0])
            continue
        m = part.coef.shape[1]
        on_graph.append(spectrum.vectors[:, :m] @ part.coef[0] + part.intercept[0])
        shown.append(beyond[:, :m] @ part.coef[0] + part.intercept[0])
    require_close(estimator._on_graph, np.array(on_graph))
    require_close(outputs_of(estimator, X)[:, order], np.array(shown))
    if not hasattr(estimator, "transduction_"):
        return
    f = estimator._on_graph
    labels = estimator.classes_[(f[0] > 0.0).astype(np.intp) if len(f) == 1 else f.argmax(axis=0)]
    if not (np.array_equal(estimator.transduction_[order], labels)):
        raise OtherData("the labels that the model shows are not those of its outputs")
    require_close(estimator.eigenvalues_, spectrum.theta)
    if hasattr(estimator, "label_distributions_"):
        F = [one.x for one in estimator._proof.solutions]
        shares = F[0] if len(F) == 1 else np.column_stack([one[:, 1] for one in F])
        totals = shares.sum(axis=1, keepdims=True)
        require_close(estimator.label_distributions_[order], shares / np.where(totals > 0, totals, 1.0))
