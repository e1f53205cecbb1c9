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
    """A basis and its tableau; the arrays are updated in place.

    Attributes
    ----------
    W : array of shape (R, >= min(R, n))
        Its first |S| columns are in use.
    weight : array of shape (R,)
        Steepest edge weights ``|W_r|^2 + [x_r is a z]``.
    basic : integer array of shape (R,)
    nonbasic : integer array of shape (>= min(R, n),)
    x : array of shape (R,)
        Values of the basic variables.
    pi, z : arrays of shape (n,), (R,)
        Values of the nonbasic variables; entries of basic variables have no meaning.
    d, alpha : arrays of shape (n,), (R,)
        Reduced costs; 0 for basic variables.
    """

    W: Array
    weight: Array
    basic: Index
    nonbasic: Index
    x: Array
    pi: Array
    z: Array
    d: Array
    alpha: Array


class Breaks(NamedTuple):
    """The steps at which reduced costs become 0, with room for n + R of them.

    Attributes
    ----------
    variable : integer array
        Whose reduced cost it is: j of pi_j, ``~s`` of the z of column s of W.
    w : array
        The entry of the tableau row.
    ratio : array
        The step at which it is 0.
    gain : array
        What the slope of F grows by there: |w| times the distance of the bounds.
    order : integer array
        The numbers of the steps; only the first so many as there are have a meaning.
    """

    variable: Index
    w: Array
    ratio: Array
    gain: Array
    order: Index
