"""What a picture shows, before anything is drawn: the same record is drawn as SVG and by matplotlib."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

#: How a series is drawn. Neighbours of "steps" are joined by a horizontal and a vertical line.
Style = Literal["line", "points", "line and points", "steps"]


@dataclass(frozen=True)
class Series:
    """Points of one curve, or one group of points.

    Attributes
    ----------
    name : str
        For the legend; empty for a series without an entry.
    x, y : sequence of float
        Shape (n,). A NaN interrupts a line.
    low, high : sequence of float
        Shape (n,), the ends of the intervals of y; empty if there are none.
    style : str
    reference : bool
        Whether it is something to compare with, such as the diagonal of a ROC curve; it is drawn thin and dashed.
    look : int or None
        The number of its colour and symbol, so that a meaning has the same ones in all pictures; by default its place
        among the series.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    style: Style = "line"
    reference: bool = False
    look: int | None = None


@dataclass(frozen=True)
class Mark:
    """A point that stands out, such as the selected grid point, with its words."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Axis:
    """A quantity with its unit, on a linear or logarithmic scale, or with a name at each of 0, 1, ..., k-1.

    The names of a vertical axis are read from top to bottom. `limits` are the ends of a scale, such as (0, 1) for a
    rate; without them the scale covers the values.
    """

    label: str
    log: bool = False
    names: Sequence[str] = ()
    limits: tuple[float, float] | None = None


@dataclass(frozen=True)
class Curves:
    """Series over two axes."""

    kind: str
    title: str
    x: Axis
    y: Axis
    series: Sequence[Series]
    marks: Sequence[Mark] = ()
    #: What the picture says, in words, for those who cannot see it.
    words: str = ""


@dataclass(frozen=True)
class Bars:
    """A horizontal bar from 0 for each name, with the interval of its value if there is one.

    With `dots`, points are drawn instead of bars, on a scale that need not contain 0. A line is drawn at `reference`.
    `groups` has the name and the look (see `Series`) of groups of points for a legend, and `members` the number of the
    group of each point.
    """

    kind: str
    title: str
    x: Axis
    names: Sequence[str]
    values: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    dots: bool = False
    reference: float | None = None
    groups: Sequence[tuple[str, int]] = ()
    members: Sequence[int] = ()
    words: str = ""


@dataclass(frozen=True)
class Grid:
    """A number for each pair of a row and a column, such as a confusion matrix or a validation surface.

    `shown` has the text of each field; without it, only the shade shows the value. NaN is left empty. `limits` are the
    values with the lightest and the darkest shade, such as (0, 100) for percentages; without them the shade covers the
    values.
    """

    kind: str
    title: str
    x: Axis
    y: Axis
    values: Sequence[Sequence[float]]
    shown: Sequence[Sequence[str]] = ()
    #: What the shade means, with its unit.
    shade: str = ""
    #: (row, column) of the fields with a frame, such as the selected grid point.
    framed: Sequence[tuple[int, int]] = field(default=())
    limits: tuple[float, float] | None = None
    words: str = ""


#: One of the shapes above.
Picture = Curves | Bars | Grid
