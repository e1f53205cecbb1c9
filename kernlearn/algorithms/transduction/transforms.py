"""Diffusion kernels and Gaussian fields: weights of graph eigenvectors that are a fixed function of the eigenvalues.

::

    delta_i ~ exp(-theta_i / sigma^2)           diffusion kernel (Kondor and Lafferty 2002)
    delta_i ~ 1 / (sigma^2 + theta_i)           Gaussian field (Zhu, Ghahramani and Lafferty 2003)

The weights are scaled to the sum 1. Then an SVM is trained with this kernel, or a relative margin machine, whose
outputs are bounded. Source: Shivaswamy (2010), section 5.2.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from kernlearn.algorithms.core.method import PROGRAMS, Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.algorithms.transduction import spectral
from kernlearn.algorithms.transduction.spectral import CS, FRACTIONS, INPUTS, TOL, as_point, labelled_block, machines
from kernlearn.parameters import Number, Numbers, Parameter
from kernlearn.types import Array

SIGMAS = Parameter([0.1, 0.3, 1.0, 3.0], Numbers(Number(positive=True)), "widths; larger ones are smoother", "sigma")


def diffusion(theta: Array, sigma: float) -> Array:
    """Return ``exp(-theta / sigma^2)`` of sum 1; the least theta counts as 0: not all may underflow."""
    weights = np.exp(-(theta - theta.min()) / sigma**2)
    return weights / weights.sum()


def gaussian_field(theta: Array, sigma: float) -> Array:
    """Return ``1 / (sigma^2 + theta)`` of sum 1."""
    weights = 1.0 / (sigma**2 + np.maximum(theta, 0.0))
    return weights / weights.sum()


def grid(
    family: Any, sigmas: Sequence[float], Cs: Sequence[float], fractions: Sequence[float], **_: Any
) -> list[dict[str, float]]:
    """Return all sigma, C and fractions."""
    return [
        {"sigma": float(sigma), **values} for sigma in sorted(sigmas) for values in spectral.grid(family, Cs, fractions)
    ]


def path(
    problem: Problem,
    *,
    transform: Callable[[Array, float], Array],
    sigmas: Sequence[float],
    Cs: Sequence[float],
    fractions: Sequence[float],
    tol: float = 1e-6,
) -> Iterator[Point]:
    """Solve the machines of every sigma."""
    F, y = labelled_block(problem)
    for sigma in map(float, sorted(sigmas)):
        delta = transform(problem.inputs.theta[: F.shape[1]], sigma)
        for machine in machines(F, y, delta, Cs, fractions, tol):
            yield as_point(problem, machine._replace(values={"sigma": sigma, **machine.values}), F, tol)


def _method(name: str, description: str, transform: Callable[[Array, float], Array]) -> Method:
    parameters = {"sigmas": SIGMAS, "Cs": CS, "fractions": replace(FRACTIONS, default=[1.0, 0.25]), "tol": TOL}
    return Method(
        name,
        description,
        PROGRAMS,
        parameters,
        grid,
        partial(path, transform=transform),
        sees_all=True,
        inputs=INPUTS,
        version=2,
    )


METHODS = (
    _method("diffusion", "SVM with the diffusion kernel of a graph", diffusion),
    _method("gaussian_field", "SVM with the Gaussian-field kernel of a graph", gaussian_field),
)
