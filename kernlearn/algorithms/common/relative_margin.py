"""The bound of relative margin machines, as a part of the way to what the machine without one has for outputs."""

from kernlearn.parameters import Number

FRACTION = Number(low=1e-6, high=1.0)
#: The bound on outputs that are all within [-1, 1] without one.
FAR = 2.0


def bound(theta: float, fraction: float) -> float:
    """Return B for a fraction of the way from 1 to theta; where no output is beyond 1, one that none comes near.

    A theta that is above 1 by rounding may leave a B of 1, which no output is beyond either.
    """
    B = 1.0 + fraction * (theta - 1.0)
    return B if B > 1.0 else FAR
