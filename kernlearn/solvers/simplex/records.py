"""What the pivots of `kernlearn.solvers.simplex.pivots` are given, in its notation: records that numba compiles."""

from typing import NamedTuple

from kernlearn.types import Array, Index


class Program(NamedTuple):
    """The linear program, and how exactly it is solved.

    Attributes
    ----------
    A : array of shape (R, n)
    t, u : arrays of shape (R,), (n,)
        Bounds.
    row_tol, pi_tol : array of shape (R,), float
        Infeasibilities of z and pi that are accepted.
    """

    A: Array
    t: Array
    u: Array
    row_tol: Array
    pi_tol: float


class State(NamedTuple):
    """A basis and its tableau; the arrays are updated in place."""

    #: Shape (R, >= min(R, n)): its first |S| columns are in use.
    W: Array
    #: Shape (R,): steepest edge weights ``|W_r|^2 + [x_r is a z]``.
    weight: Array
    #: Integers of shape (R,).
    basic: Index
    #: Integers of shape (>= min(R, n),).
    nonbasic: Index
    #: Shape (R,): values of the basic variables.
    x: Array
    #: `pi`, `z`, shape (n,), (R,): values of the nonbasic variables; entries of basic variables have no meaning.
    pi: Array
    z: Array
    #: `d`, `alpha`, shape (n,), (R,): reduced costs; 0 for basic variables.
    d: Array
    alpha: Array


class Breaks(NamedTuple):
    """The steps at which reduced costs become 0, with room for n + R of them."""

    #: Whose reduced cost it is: j of pi_j, ``~s`` of the z of column s of W.
    variable: Index
    #: The entry of the tableau row.
    w: Array
    #: The step at which it is 0.
    ratio: Array
    #: What the slope of F grows by there: |w| times the distance of the bounds.
    gain: Array
    #: The numbers of the steps; only the first so many as there are have a meaning.
    order: Index
