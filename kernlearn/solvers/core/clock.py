"""The iterations of one program: a watcher observes them, and at a time limit the best point is returned."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any

from kernlearn.parameters import Number

#: Is called after each round with the smallest relative gap so far, None if no gap is known, and, if the program can be
#: resumed from there, with a function that returns the state to resume from. May raise.
Watcher = Callable[[float | None, Callable[[], Any] | None], None]

_limit: ContextVar[float] = ContextVar("seconds that one program may take", default=inf)
_in_subprogram: ContextVar[bool] = ContextVar("whether rounds are those of parts of a program", default=False)
_watcher: ContextVar[Watcher | None] = ContextVar("who is told of rounds", default=None)


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


def allowed_seconds() -> float:
    """Return the time limit of each program in seconds, infinity without a limit."""
    return _limit.get()


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Report the iterations of all programs that are solved inside to a function. An exception of it ends them."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def subprogram() -> Iterator[None]:
    """Treat programs that are solved inside as steps of another program.

    The ends of their iterations are reported, but not their gaps, which are not those of the whole program. A clock
    that was started outside still reports the state from which the whole program can resume.
    """
    token = _in_subprogram.set(True)
    try:
        yield
    finally:
        _in_subprogram.reset(token)


@dataclass
class Resumption:
    """The state of a program that was interrupted, or can be."""

    #: The last round of each part that was begun before the interruption, as JSON has it; empty for a fresh start.
    kept: list[Any] = field(default_factory=list)
    #: What the program had taken by then.
    seconds: float = 0.0
    #: Returns the state of the solver, as JSON can keep it, from ``{"kept": ..., "seconds": ...}`` of now.
    state_of: Callable[[Mapping[str, Any]], Any] | None = None
    #: Each returns the last round of a part that was begun since.
    parts: list[Callable[[], Any]] = field(default_factory=list)


class Clock:
    """It starts with a program; solvers look at it between their rounds."""

    def __init__(self, resumption: Resumption | None = None) -> None:
        self.resumption = resumption or Resumption()
        self._start, self._limit, self._cut = perf_counter() - self.resumption.seconds, _limit.get(), False
        # Of now: a clock of the whole tells of states also while its steps are solved, and those of steps never do.
        self._watcher, self._is_step = _watcher.get(), _in_subprogram.get()
        self._gap: float | None = None

    def begin_part(self) -> Any:
        """Return the last round, as it was kept, of a part of the program that begins now; None if there was none."""
        kept, parts = self.resumption.kept, self.resumption.parts
        last_round = kept[len(parts)] if len(parts) < len(kept) else None
        parts.append(lambda: last_round)
        return last_round

    def tell_all(self, gap: float, last_round: Callable[[], Any]) -> None:
        """Tell of a round of the part that has begun last, with what gives all that the next one owes to it."""
        self.resumption.parts[-1] = last_round
        self.tell(gap, self._state if self.resumption.state_of else None)

    def _state(self) -> Any:
        assert self.resumption.state_of
        kept = [last_round() for last_round in self.resumption.parts]
        return self.resumption.state_of({"kept": kept, "seconds": self.seconds})

    def tell(self, gap: float | None = None, state: Callable[[], Any] | None = None) -> None:
        """Tell who watches that a round has ended, and the least gap of all so far; see `Watcher`."""
        if gap is not None and not _in_subprogram.get():
            self._gap = gap if self._gap is None else min(gap, self._gap)
        if self._watcher:
            self._watcher(self._gap, None if self._is_step else state)

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return perf_counter() - self._start

    @property
    def left(self) -> float:
        """Wall time that is left, infinite without a limit."""
        return max(0.0, self._limit - self.seconds)

    @property
    def over(self) -> bool:
        """Whether the time of the program is over; once it is found to be, it stays so."""
        self._cut = self._cut or (self._limit < inf and self.seconds >= self._limit)
        return self._cut

    @property
    def otherwise(self) -> str:
        """The status of a gap above the tolerance: ``"capped"`` if a solver has stopped at its time limit."""
        return "capped" if self._cut else "inaccurate"
