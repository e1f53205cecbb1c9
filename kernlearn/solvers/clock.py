"""The time of one program, and a limit on it: the solver then ends its round and returns the best certified point."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import perf_counter

from kernlearn.parameters import Number

_limit: ContextVar[float] = ContextVar("seconds that one program may take", default=inf)


@contextmanager
def program_limit(seconds: float) -> Iterator[None]:
    """Let every program that is solved inside take so many seconds of wall time, and the round that it is in.

    A program is one call of a solver for one grid point. What is found depends on how fast the machine is; its
    certificate is that of the point returned, and its status ``"capped"`` if the gap is above the tolerance. A program
    that solves others in every round (kernel learning) gives each of them as much, and ends after the one that it is
    in. Other threads and processes have limits of their own.

    Raises
    ------
    UserError
        If `seconds` is no number >= 0.
    """
    token = _limit.set(float(Number(low=0).check("seconds", seconds)))
    try:
        yield
    finally:
        _limit.reset(token)


class Clock:
    """It starts with a program; solvers look at it between their rounds."""

    def __init__(self) -> None:
        self._start, self._limit, self._cut = perf_counter(), _limit.get(), False

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return perf_counter() - self._start

    @property
    def over(self) -> bool:
        """Whether the time of the program is over; once it is found to be, it stays so."""
        self._cut = self._cut or (self._limit < inf and self.seconds >= self._limit)
        return self._cut

    @property
    def otherwise(self) -> str:
        """The status of a gap above the tolerance: ``"capped"`` if a solver was told that its time is over."""
        return "capped" if self._cut else "inaccurate"
