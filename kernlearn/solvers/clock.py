"""The rounds of one program: who is told of them, and a limit on their time, after which the best point is returned."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from math import inf
from time import perf_counter
from typing import Any

from kernlearn.parameters import Number

#: Is told of rounds: the relative gap, if it is known, and what gives all that the path owes to what was solved so far,
#: if the program can go on from there. May raise.
Watcher = Callable[[float | None, Callable[[], Any] | None], None]

_limit: ContextVar[float] = ContextVar("seconds that one program may take", default=inf)
_inside: ContextVar[bool] = ContextVar("whether rounds are those of parts of a program", default=False)
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
    """Return how long every program may take, infinity without a limit."""
    return _limit.get()


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Let a function be told of the rounds of all programs that are solved inside; what it raises ends them."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)


@contextmanager
def part() -> Iterator[None]:
    """Let rounds inside be those of parts of a program: that there are some is told, but not how far they are.

    A clock that was there before still tells of the state that its program can go on from.
    """
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


@dataclass
class GoingOn:
    """How a program goes on from its middle.

    Attributes
    ----------
    kept : list
        The last rounds of its parts, as JSON has them, if it was begun before.
    seconds : float
        What it had taken then.
    state_of : callable, optional
        Gives the state of its solver, as JSON can keep it, from the `kept` and the `seconds` of now.
    parts : list of callable
        Give the last rounds of the parts so far.
    """

    kept: list[Any] = field(default_factory=list)
    seconds: float = 0.0
    state_of: Callable[[Mapping[str, Any]], Any] | None = None
    parts: list[Callable[[], Any]] = field(default_factory=list)


class Clock:
    """It starts with a program; solvers look at it between their rounds."""

    def __init__(self, going_on: "GoingOn | None" = None) -> None:
        self.going_on = going_on or GoingOn()
        self._start, self._limit, self._cut = perf_counter() - self.going_on.seconds, _limit.get(), False
        self._watcher, self._is_part = _watcher.get(), _inside.get()
        self._gap: float | None = None

    def begin(self) -> Any:
        """Return the last round, as it was kept, of a part of the program that begins now; None if there was none."""
        kept, parts = self.going_on.kept, self.going_on.parts
        last_round = kept[len(parts)] if len(parts) < len(kept) else None
        parts.append(lambda: last_round)
        return last_round

    def tell_all(self, gap: float, last_round: Callable[[], Any]) -> None:
        """Tell of a round of the part that has begun last, with what gives all that the next one owes to it."""
        self.going_on.parts[-1] = last_round
        self.tell(gap, self._state if self.going_on.state_of else None)

    def _state(self) -> Any:
        assert self.going_on.state_of
        return self.going_on.state_of({"kept": [part() for part in self.going_on.parts], "seconds": self.seconds})

    def tell(self, gap: float | None = None, state: Callable[[], Any] | None = None) -> None:
        """Tell who watches that a round has ended, and the least gap of all so far; see `Watcher`."""
        if gap is not None and not _inside.get():
            self._gap = gap if self._gap is None else min(gap, self._gap)
        if self._watcher:
            self._watcher(self._gap, None if self._is_part else state)

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
        """The status of a gap above the tolerance: ``"capped"`` if a solver was told that its time is over."""
        return "capped" if self._cut else "inaccurate"
