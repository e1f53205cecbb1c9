"""Scales of axes: from values to places, and the ticks with their numbers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from kernlearn.report.plots.layout.scene import SMALL, width_of
from kernlearn.report.plots.picture import Axis

#: Steps between ticks, times powers of ten.
_STEPS = (1, 2, 5, 10)
#: The share of the range that a scale goes beyond the values at each end.
_PAD = 0.04
#: Values whose range is a smaller share of their size are drawn as equal.
_EQUAL = 1e-9
#: Values of another size are not drawn: their differences or quotients could overflow.
_TINIEST, _HUGEST = 1e-280, 1e150
#: Powers of ten that are written as numbers, not with an exponent.
_PLAIN = range(-3, 5)
#: More digits than these before or after the point are written as a power of ten beside the axis.
_LARGE, _SMALL_NUMBER = 1e5, 1e-3
MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Tick:
    """A value with its label. The label of a power of ten has an exponent; a tick without a label is minor."""

    value: float
    label: str = ""
    exponent: str = ""


@dataclass(frozen=True)
class Scale:
    """A scale from `low` to `high`, which are the values, or their logarithms if it is logarithmic.

    `power` is the power of ten that the labels of the ticks are multiples of.
    """

    low: float
    high: float
    log: bool
    ticks: Sequence[Tick]
    power: int = 0

    @property
    def middle(self) -> float:
        """The value in the middle."""
        middle = (self.low + self.high) / 2
        return 10.0**middle if self.log else middle

    def place(self, value: float) -> float | None:
        """Return the place of a value between 0 and 1, or None if the scale does not have it."""
        if not isfinite(value) or (self.log and value <= 0.0):
            return None
        part = ((log10(value) if self.log else value) - self.low) / (self.high - self.low)
        return part if -1e-9 <= part <= 1 + 1e-9 else None


def _is_drawn(value: float, log: bool) -> bool:
    return isfinite(value) and abs(value) <= _HUGEST and (not log or value >= _TINIEST)


def scale_of(axis: Axis, values: Iterable[float], length: float, *, upright: bool = False, zero: bool = False) -> Scale:
    """Return the scale of an axis.

    Parameters
    ----------
    axis : Axis
        Without names.
    values : iterable of float
        All values that have to be on it; those that are not finite are left out, and on a logarithmic scale those that
        are not positive.
    length : float
        Units.
    upright : bool
        Whether it is the vertical axis, where the labels are above each other.
    zero : bool
        Whether 0 belongs to the scale, as for bars.
    """
    shown = [float(value) for value in values if _is_drawn(value, axis.log)]
    if axis.log:
        return _logarithmic(axis, shown, length, upright)
    whole = bool(shown) and all(value == round(value) and abs(value) < 1e9 for value in shown)
    shown += [0.0] * zero
    low, high = axis.limits or (min(shown, default=0.0), max(shown, default=1.0))
    if high - low <= max(_EQUAL * max(abs(low), abs(high)), _TINIEST):  # one value
        margin = (1.0 if whole else 0.1 * abs(low)) or 1.0
        low, high = low - margin, high + margin
        pad = 0.0
    else:
        pad = 0.0 if axis.limits else _PAD * (high - low)
    low, high = (low if zero and low == 0.0 else low - pad), (high if zero and high == 0.0 else high + pad)
    ticks, power = _linear_ticks(low, high, length, upright, 1.0 if whole and not axis.limits else 0.0)
    return Scale(low, high, False, ticks, power)


def _linear_ticks(low: float, high: float, length: float, upright: bool, least: float) -> tuple[list[Tick], int]:
    """Return as many ticks as have room for their labels, and the power of ten of the labels."""
    for step in _steps(high - low, least):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        largest = max(abs(first), abs(last)) * step
        power = floor(log10(largest)) if largest >= _LARGE or 0.0 < largest < _SMALL_NUMBER else 0
        digits = max(0, -floor(log10(step / 10.0**power) + 1e-9))
        ticks = [Tick(i * step, number(i * step / 10.0**power, digits)) for i in range(first, last + 1)]
        widest = max((width_of(tick.label, SMALL) for tick in ticks), default=0.0)
        room = step / (high - low) * length
        if room >= (2.2 * SMALL if upright else widest + 1.6 * SMALL):
            return ticks, power
    return [], 0


def _steps(span: float, least: float) -> Iterable[float]:
    start = floor(log10(span)) - 2
    for power in range(start, start + 5):
        for factor in _STEPS[:-1]:
            if (step := factor * 10.0**power) >= least:
                yield step


def _logarithmic(axis: Axis, shown: Sequence[float], length: float, upright: bool) -> Scale:
    low, high = axis.limits or (min(shown, default=1.0), max(shown, default=10.0))
    low, high = log10(low), log10(high)
    if high - low < 1e-3:  # one value, or a range too small for logarithms
        low, high = low - 0.5, high + 0.5
    elif not axis.limits:
        pad = _PAD * (high - low)
        low, high = low - pad, high + pad
    powers = range(ceil(low - 1e-9), floor(high + 1e-9) + 1)
    if len(powers) < 2:  # less than two powers of ten: label 1, 2 and 5 as well
        ticks = _between(low, high, length, upright)
        if sum(bool(tick.label) for tick in ticks) >= 2:
            return Scale(low, high, True, ticks)
        return Scale(low, high, True, _few(low, high))
    plain = all(power in _PLAIN for power in powers)
    widest = max(width_of(_power(p, True).label if plain else f"10{p}", SMALL) for p in powers)
    least = 2.2 * SMALL if upright else widest + 0.8 * SMALL
    every = next(n for n in (1, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000) if n * length / (high - low) >= least)
    ticks = [_power(power, plain) for power in powers if power % every == 0]
    minor = [Tick(factor * 10.0**power) for power in range(powers[0] - 1, powers[-1] + 1) for factor in range(2, 10)]
    if every > 1:
        minor = [Tick(10.0**power) for power in powers if power % every]
    inside = [tick for tick in minor if low <= log10(tick.value) <= high]
    return Scale(low, high, True, [*ticks, *inside])


def _between(low: float, high: float, length: float, upright: bool) -> list[Tick]:
    """Return ticks at 1, 2 and 5 times powers of ten, with minor ones between."""
    ticks = []
    for power in range(floor(low), ceil(high) + 1):
        for factor in range(1, 10):
            value = factor * 10.0**power
            if low <= log10(value) <= high:
                ticks.append(Tick(value, _plain(value) if factor in (1, 2, 5) else ""))
    return ticks


def _few(low: float, high: float) -> list[Tick]:
    """Return the ticks of a short logarithmic scale, at the places of a linear one."""
    ticks, power = _linear_ticks(10.0**low, 10.0**high, 300.0, False, 0.0)
    return [Tick(tick.value, _plain(tick.value)) for tick in ticks if tick.value > 0.0]


def _power(power: int, plain: bool) -> Tick:
    value = 10.0**power
    return Tick(value, _plain(value)) if plain else Tick(value, "10", f"{power}".replace("-", MINUS))


def _plain(value: float) -> str:
    return f"{value:.6g}".replace("-", MINUS)


def number(value: float, digits: int) -> str:
    """Return a number with so many digits after the point, and without the sign of a zero."""
    text = f"{value:.{digits}f}"
    return (text.lstrip("-") if not text.strip("-0.") else text).replace("-", MINUS)
