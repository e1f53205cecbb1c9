"""What the problems of our methods share: the record of what is proved, kernels, their sizes and their weights."""

from typing import NamedTuple

import numpy as np

from kernlearn.certificates.certificate import Certificate
from kernlearn.certificates.own.stored import Trained
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.problem import times
from kernlearn.certificates.proofs.proof import STORED, Proof
from kernlearn.errors import UserError
from kernlearn.kernels import DenseStack, FeatureStack, GramStack, KernelStack, sizes
from kernlearn.types import Array

#: Relative rounding error of an intercept that is a sum.
ROUNDED = 1e-12
#: Coefficients that follow from others are so up to this part of the largest.
SAME = 1e-9
BAND = "the band of the model; that it is the fraction of an SVM's is not checked"
#: Methods whose solution has the weights of kernels that are divided by their sizes.
OF_SIZES = ("l1_mkl", "l2_mkl", "conv", "multiclass_mkl", "multiclass_conv", "ufo_mkl", "l1_krr", "l2_krr")
#: Methods whose kernel weights are learned before the predictor.
TWO_STAGE = ("unif", "align", "alignf")


class Proved(NamedTuple):
    """A certificate, the problem in words, and the modulus of its convexity in the norm of f.

    `only` says what the proof is restricted to, where the problem in words is not all that the method is after.
    """

    certificate: Certificate
    words: str
    convexity: float = 0.0
    only: str = ""

    def proof(self, name: str, n: int) -> Proof:
        """Return it as the proof of a problem with a name and n examples."""
        P, D = self.certificate.objective, self.certificate.dual_objective
        return Proof(
            problem=self.words,
            name=name,
            objective=P,
            lower_bound=D,
            relative_gap=self.certificate.gap,
            violation=max(self.certificate.violation, abs(self.certificate.stretch - 1.0)),
            multipliers=STORED,
            n_examples=n,
            distance=(2.0 * max(0.0, P - D) / self.convexity) ** 0.5 if self.convexity else np.inf,
            only=self.only,
        )


def require_intercept(one: Trained, intercept: float, size: float = 0.0) -> None:
    """Raise `UserError` unless the intercept is that of the problem, up to the rounding of terms of a size."""
    if abs(one.intercept - intercept) > ROUNDED * size:
        raise UserError(f"{one.stored.method}: the intercept is {one.intercept:.6g}, and must be {intercept:.6g}")


def require_coefficients(one: Trained, coef: Array, size: float = 0.0) -> None:
    """Raise `OtherData` unless the coefficients of one kernel are those that follow from the stored point.

    They may differ by the rounding of terms of a size.
    """
    if np.abs(coef - one.coef[0]).max(initial=0.0) > SAME * np.abs(coef).max(initial=0.0) + ROUNDED * size:
        raise OtherData(f"{one.stored.method}: the coefficients are not those of the stored point")


def gram(one: Trained) -> GramStack:
    """Return the kernels, or raise `UserError` if there are features instead."""
    if not isinstance(one.inputs, GramStack):
        raise UserError(f"{one.stored.method}: is of kernels, and the solution is of features")
    return one.inputs


def prepared(one: Trained) -> KernelStack:
    """Return the kernels as they are before they are divided by their sizes: centred if the method centres them."""
    centre = bool(one.options["centre"])
    kernels = one.inputs if isinstance(one.inputs, FeatureStack) else DenseStack.of(gram(one), less_constant=centre)
    return kernels.centred() if centre else kernels


def sizes_of(one: Trained) -> Array:
    """Return the sizes that the kernels are divided by."""
    return sizes(prepared(one), one.options["normalise"])


def weights_of(one: Trained, divided_by: Array) -> Array:
    """Return the weights of the kernels, those of a model of ``kernlearn fit`` from its solution."""
    if one.mu is not None:
        return one.mu
    x, p = one.primal, len(one.inputs)
    if one.stored.method in OF_SIZES and x.shape == (p,):
        return x / divided_by
    if one.stored.method == "dc" and x.shape == (p,):
        return x
    if one.stored.method in TWO_STAGE and one.coef.ndim == 1:  # the weight of a feature is mu_k times that of its image
        kernels = prepared(one)
        assert isinstance(kernels, FeatureStack)
        image = kernels.project(x)
        return np.divide(one.coef, image, out=np.zeros(p), where=image != 0.0)
    if one.stored.method in TWO_STAGE and x.shape == one.coef.shape[1:] and x.any():
        return np.asarray(one.coef @ x / (x @ x))
    raise UserError(f"{one.stored.method}: the solution has no weights of kernels")


def hinges(one: Trained, factor: str, f: str = "(f(x_i) + b)") -> str:
    """Return the sum of the hinge losses of outputs f in words, after its factor."""
    return f"{factor}sum_i {with_weights(one)}max(0, 1 - y_i {f})"


def svm_in_words(one: Trained) -> str:
    """Return the objective of a support vector machine in words."""
    return f"1/2 |f|^2 + {hinges(one, times(float(one.values['C'])))}"


def with_weights(one: Trained) -> str:
    """Return the factor of the losses in words."""
    return "" if one.weights is None else "w_i "
