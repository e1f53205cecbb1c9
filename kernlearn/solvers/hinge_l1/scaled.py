"""Columns of the problem of `kernlearn.solvers.hinge_l1.problem` in units of their size, with equal examples as one."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.hinge_l1 import Columns, HingeCertificate, hinge_l1
from kernlearn.solvers.core.duplicates import equal_columns, equal_rows
from kernlearn.solvers.hinge_l1.parts import PrimalDual, Program
from kernlearn.solvers.hinge_l1.problem import binary
from kernlearn.types import Array, Index

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Scaled:
    """Columns divided by powers of two, so that their largest entries are between 1/2 and 1, of examples that differ.

    Equal rows of A are merged into one pi with the upper bound ``u_i``, the sum of their weights: of 1, their number.
    """

    #: As they are given, of m examples.
    columns: Columns
    #: Shape (p, n).
    scale: Array
    #: Shape (n,): for every j the first whose columns are equal to its own.
    original: Index
    #: Shape (r,): the first of every group of equal examples.
    first: Index
    #: Shape (m,): the place in `first` of every example's group.
    group: Index
    #: Shape (r,): the sum of the weights of a group's examples.
    u: Array

    @classmethod
    def of(cls, columns: Columns) -> "Scaled":
        """Find their scales, and what is equal."""
        scale = binary(columns.scales())
        first, group = np.unique(equal_rows(columns, scale), return_inverse=True)
        sums = np.bincount(group, columns.weights).astype(np.float64)
        return cls(columns, scale, equal_columns(columns, scale), first, group, sums)

    @property
    def originals(self) -> Index:
        """The j whose columns are no copies of earlier ones."""
        return np.flatnonzero(self.original == np.arange(len(self.original)))

    def narrow(self, columns: Columns, j: Index) -> "Scaled":
        """Return the same for some originals j; `columns` are theirs."""
        return replace(self, columns=columns, scale=self.scale[:, j], original=np.arange(len(j)))

    def limits(self, cost: Array) -> Array:
        """Return the bounds of (D) for a cost vector, shape (p, n)."""
        return len(self.group) * cost / self.scale

    def superfluous(self, cost: Array) -> Mask:
        """Return which columns are copies of others that are as cheap, shape (p, n)."""
        superfluous = cost >= cost[:, self.original]
        superfluous[:, self.originals] = False
        return superfluous

    def program(self, cost: Array) -> Program:
        """Return (D) for a cost vector, without bounds on superfluous columns."""
        limits = np.where(self.superfluous(cost), np.inf, self.limits(cost))
        return Program(self.u, limits, self.take, self.products, self.margins)

    def take(self, k: Index, j: Index) -> Array:
        """Return columns of A as rows, shape (len(k), r)."""
        return self.columns.take(k, j).take(self.first, axis=1) / self.scale[k, j][:, None]

    def products(self, pi: Array) -> Array:
        """Return ``A'pi``, shape (p, n), of pi of shape (r,)."""
        expanded = np.zeros(len(self.group))
        expanded[self.first] = pi
        return self.columns.price(expanded) / self.scale

    def margins(self, k: Index, j: Index, a: Array) -> Array:
        """Return ``A a``, shape (r,)."""
        return self.columns.apply(self.coefficients(k, j, a))[self.first]

    def coefficients(self, k: Index, j: Index, a: Array) -> Array:
        """Return coefficients of the columns as they are given, shape (p, n)."""
        coef = np.zeros(self.scale.shape)
        coef[k, j] = a / self.scale[k, j]
        return coef

    def certified(self, cost: Array, near: PrimalDual, pi: Array) -> tuple[Array, HingeCertificate]:
        """Return the coefficients of a point, shape (p, n), and their certificate with a pi of all examples."""
        coef = self.coefficients(near.k, near.j, near.a)
        return coef, hinge_l1(self.columns, cost, coef, pi)

    def whole(self, pi: Array) -> Array:
        """Return the pi of all examples, those of equal ones the same part of their weights, shape (m,)."""
        parts: Array = (pi / self.u)[self.group]
        return parts if self.columns.weights is None else parts * self.columns.weights
