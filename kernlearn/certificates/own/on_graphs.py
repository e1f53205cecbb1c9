"""Problems of functions on a graph, rebuilt from its edges and eigenvectors, with what is proved of each.

The problems are at the heads of `kernlearn.certificates.graphs` and of the modules of
`kernlearn.algorithms.transduction`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.certificates.alignment import alignment
from kernlearn.certificates.graphs import machine, propagation, spreading, transducer
from kernlearn.certificates.own.parts import BAND, Proved
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.problem import number, times
from kernlearn.kernels.families.graph import laplacian
from kernlearn.kernels.families.spectrum import Spectrum
from kernlearn.types import Array, Index

#: Numbers that follow from others are so up to this part of the largest.
SAME = 1e-9
#: Outputs on the graph, and beyond it, are compared up to this part of the largest.
OUTPUTS = 1e-6


@dataclass(frozen=True)
class OnGraph:
    """One output of a solution on a graph.

    Attributes
    ----------
    values, options : mapping
        The grid point, and what the path of the method was given.
    spectrum : Spectrum
        Of all n examples.
    labelled : integer array of shape (l,)
        The examples with labels.
    y : array of shape (l,)
        Labels +-1.
    predictor : record
        ``coef`` and ``intercept`` of eigenvectors, or the ``values`` on the graph.
    xs, duals : list of arrays
        Of the solutions of this output, in their order.
    shown : array of shape (q,), optional
        The weights of the eigenvectors that an estimator shows.
    """

    values: Mapping[str, Any]
    options: Mapping[str, Any]
    spectrum: Spectrum
    labelled: Index
    y: Array
    predictor: Any
    xs: list[Array]
    duals: list[Array]
    shown: Array | None = None

    @property
    def F(self) -> Array:
        """Eigenvectors 1 to q at the labelled examples."""
        return self.spectrum.vectors[self.labelled, : self.spectrum.q]


def require_close(one: Any, other: Array) -> None:
    """Raise `UserError` unless numbers of an estimator are those that are proved, up to `OUTPUTS` of the largest."""
    size = float(np.abs(other).max(initial=0.0))
    if np.shape(one) != other.shape or float(np.abs(one - other).max(initial=0.0)) > OUTPUTS * size:
        raise OtherData("the outputs of the estimator differ from those that are proved; give the training data")


def _machine(one: OnGraph, delta: Array, support: Callable[[Array], float], words: str, off: float = 0.0) -> Proved:
    """Return what is proved of a machine with weights delta of the eigenvectors."""
    F, C, dual = one.F, float(one.values["C"]), one.duals[-1]
    w, b = one.predictor.coef[0], float(one.predictor.intercept[0])
    if one.predictor.coef.shape != (1, F.shape[1]) or one.predictor.intercept.shape != (1,):
        raise OtherData(f"the model has weights of the shape {one.predictor.coef.shape}, and {F.shape[1]} eigenvectors")
    _require_count(one, int(np.count_nonzero(dual.any(axis=0))))
    if one.shown is not None:
        require_close(one.shown, delta)
    bounded = float(one.values.get("fraction", 1.0)) < 1.0 and bool(dual[1:].any())
    B = float(np.abs(F @ w + b).max()) * (1.0 + 1e-12) if bounded else inf
    multipliers = dual if bounded else np.stack([dual[0], 0.0 * dual[0], 0.0 * dual[0]])
    proof = machine(F, one.y, w, b, delta, multipliers, C, B, support)
    problem = f"1/2 sum_j w_j^2 / delta_j + {times(C)}sum_i max(0, 1 - y_i f(x_i))"
    problem += f" subject to |f(x_i)| <= {number(B)}" if bounded else ""
    proof = replace(proof, violation=max(proof.violation, off))
    problem += f", f of eigenvectors with weights w and an intercept, {words}"
    return Proved(proof, problem, 0.0, BAND if bounded else "")


def learned(one: OnGraph, order: bool) -> list[Proved]:
    """Return what is proved of weights of eigenvectors that are learned with the machine."""
    delta, q = one.xs[-1], one.F.shape[1]
    base = np.zeros(q)
    if order:
        base = float(one.options["epsilon"]) * np.where(np.arange(q) < 1, 1.0, q - np.arange(float(q)))
    rest = 1.0 - float(base.sum())
    sizes = np.maximum(np.arange(float(q)), 1.0)

    def support(v: Array) -> float:
        means = np.append(v[:1], np.cumsum(v[1:]) / sizes[1:]) if order else v
        return float(base @ v) + rest * float(means.max())

    free = delta - base
    falls = np.append(free[:1], free[1:] - np.append(free[2:], 0.0)) if order else free
    off = max(0.0, -float(falls.min()), abs(float(delta.sum()) - 1.0))
    words = "over delta of sum 1" + (", which falls from the second on" if order else "")
    return [_machine(one, delta, support, words, off)]


def given(one: OnGraph, weights: Callable[[Array, float], Array]) -> list[Proved]:
    """Return what is proved of a machine whose weights of eigenvectors follow from the eigenvalues."""
    sigma, q = float(one.values["sigma"]), one.F.shape[1]
    delta = weights(one.spectrum.theta[:q], sigma)
    return [_machine(one, delta, lambda v: float(delta @ v), f"delta of sigma = {number(sigma)}")]


def diffusion(theta: Array, sigma: float) -> Array:
    """Return the weights of a diffusion kernel."""
    weights: Array = np.exp(-(theta - theta.min()) / sigma**2)
    return weights / weights.sum()


def gaussian_field(theta: Array, sigma: float) -> Array:
    """Return the weights of a Gaussian field."""
    weights: Array = 1.0 / (sigma**2 + np.maximum(theta, 0.0))
    return weights / weights.sum()


def aligned(one: OnGraph) -> list[Proved]:
    """Return what is proved of the weights that are aligned with the labels, and of the machine with these."""
    F, y, delta = one.F, one.y, one.xs[0]
    q = F.shape[1]
    sizes = np.maximum(np.arange(float(q)), 1.0)
    T = np.triu(np.ones((q, q))) / sizes
    T[0, 1:] = 0.0
    kappa = sizes * np.append(delta[:1], delta[1:] - np.append(delta[2:], 0.0))
    M, a = T.T @ (F.T @ F) ** 2 @ T, T.T @ (F.T @ y) ** 2
    size = np.sqrt(np.where(np.diagonal(M) > 0, np.diagonal(M), 1.0))
    proof = alignment(M, a / float(y @ y), np.maximum(kappa, 0.0), one.duals[0] / size)
    off = max(0.0, -float(kappa.min()), abs(float(delta.sum()) - 1.0))
    first = Proved(replace(proof, violation=off), "minus the alignment of the weighted eigenvectors with the labels")
    return [first, _machine(one, delta, lambda v: float(delta @ v), "delta as aligned")]


def sgt(one: OnGraph) -> list[Proved]:
    """Return what is proved of the spectral graph transducer."""
    n, q = one.spectrum.vectors.shape[0], one.spectrum.q
    V, y, C = one.spectrum.vectors[one.labelled, 1 : q + 1], one.y, float(one.values["C"])
    counts = np.where(y > 0, float((y > 0).sum()), float((y < 0).sum()))
    tau = y * np.sqrt((len(y) - counts) / counts)
    coef, middle = one.predictor.coef, 0.5 * float(tau.max() + tau.min())
    wanted = -middle if one.options["threshold"] == "middle" else 0.0
    if coef.shape != (1, V.shape[1] + 1) or coef[0, 0] or abs(float(one.predictor.intercept[0]) - wanted) > SAME:
        raise OtherData("sgt: the model has other eigenvectors, or another threshold")
    _require_count(one, len(y))
    proof = transducer(V, 1.0 / counts, tau, float(n), C, coef[0, 1:], float(one.duals[0][0]))
    words = f"1/2 sum_j j^2 z_j^2 + {times(C)}sum_i (h(x_i) - tau_i)^2 / l_i subject to |h|^2 = {n}"
    return [Proved(proof, f"{words}, h of eigenvectors with weights z")]


def propagated(one: OnGraph) -> list[Proved]:
    """Return what is proved of label propagation."""
    F, Y = _shares(one)
    outside = max(0.0, -float(F.min()), float(F.max()) - 1.0)
    proof = propagation(one.spectrum.graph.weights, Y, F)
    proof = replace(proof, violation=max(proof.violation, outside))
    return [Proved(proof, "1/4 sum_ij W_ij |F_i - F_j|^2 subject to F = Y on labelled examples")]


def spread(one: OnGraph) -> list[Proved]:
    """Return what is proved of label spreading."""
    F, Y = _shares(one)
    graph, alpha = one.spectrum.graph, float(one.values["alpha"])
    unit = sparse.eye_array(len(F))
    S = unit - laplacian(graph.weights, normalised=True) - sparse.diags_array((graph.degrees == 0).astype(np.float64))
    proof = spreading(sparse.csc_array(unit - alpha * S), Y, F, alpha)
    words = f"1/2 tr F'(I - {number(alpha)} S)F - {number(1.0 - alpha)} tr Y'F with the normalised weights S"
    return [Proved(proof, words, 1.0 - alpha)]


def _shares(one: OnGraph) -> tuple[Array, Array]:
    """Return the shares of both classes that predict, and the indicators of labels."""
    F, n = one.xs[0], one.spectrum.vectors.shape[0]
    Y = np.zeros((n, 2))
    Y[one.labelled] = np.column_stack([one.y < 0, one.y > 0])
    size = float(np.abs(F).sum(axis=1).max()) if F.shape == (n, 2) else -1.0
    if size != one.predictor.size or not np.array_equal(one.predictor.values, (F[:, 1] - F[:, 0])[None]):
        raise OtherData("the values of the model are not those of its solution")
    return F, Y


def _require_count(one: OnGraph, n_support: int) -> None:
    if one.predictor.n_support != n_support:
        raise OtherData(
            f"the model says that it rests on {one.predictor.n_support} examples, and these are {n_support}"
        )


#: What proves a function on a graph, by the name of the method.
GRAPHS: dict[str, Callable[[OnGraph], list[Proved]]] = {
    "storm": lambda one: learned(one, True),
    "stoam": lambda one: learned(one, True),
    "mkl_r": lambda one: learned(one, False),
    "mkl_s": lambda one: learned(one, False),
    "kta_r": aligned,
    "kta_s": aligned,
    "diffusion": lambda one: given(one, diffusion),
    "gaussian_field": lambda one: given(one, gaussian_field),
    "sgt": sgt,
    "label_propagation": propagated,
    "label_spreading": spread,
}
