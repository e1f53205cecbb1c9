"""By how much the optimality conditions of the relative margin machine are broken."""

from kernlearn.solvers import broken_conditions


def kkt_violation(K, y, C, B, multipliers, intercept):
    """Return it in units of f, for the f of the multipliers alpha, l and l* of (2.9), of shape (3, n)."""
    alpha, above, below = multipliers
    f = K @ (alpha * y - above + below) + intercept
    return broken_conditions(f, y, C, B, multipliers)
