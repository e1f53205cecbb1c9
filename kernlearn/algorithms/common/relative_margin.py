"""The bound of relative margin machines, as a part of the way to what the machine without one has for outputs."""

from collections.abc import Callable, Iterator, Sequence

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


def bands(
    largest: Callable[[], float], fractions: Sequence[float], B: float | None = None
) -> Iterator[tuple[dict[str, float], dict[str, float]]]:
    """Yield the bound of every fraction, the widest first, or the one `B` that is given in their place.

    Parameters
    ----------
    largest : callable
        Solves the machine without a bound, and returns its largest output theta. It is called if fractions are used.
    fractions : sequence of float

    Yields
    ------
    values : dict
        Of the grid point: the ``fraction``.
    facts : dict
        ``B``, and the ``theta`` that it follows from.
    """
    if B is not None:
        yield {}, {"B": B}
        return
    theta = largest()
    for r in sorted(fractions, reverse=True):
        yield {"fraction": float(r)}, {"B": bound(theta, r), "theta": theta}
