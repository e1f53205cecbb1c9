"""Facts about a model: how good it is, and what it rests on."""

from typing import NotRequired, TypedDict

#: ``class``: the method of a model of kernlearn fit, or the class of a model from Python.
ModelFile = TypedDict("ModelFile", {"file": str, "sha256": str, "class": str})


class Rows(TypedDict):
    """The rows that the model is evaluated on."""

    file: str
    sha256: str
    #: Rows with a target and all values, or sentences.
    rows: int
    #: Of all sentences.
    words: NotRequired[int]


class Score(TypedDict):
    """A score with its 95 % interval; null where it is undefined."""

    value: float | None
    low: float | None
    high: float | None
    #: How the interval was computed, or why there is none.
    interval: str


class OfClass(TypedDict):
    """The scores of a class, in percent; null where they are undefined."""

    name: str
    #: Rows of this class, or words with this label.
    rows: int
    precision_pct: float | None
    recall_pct: float | None
    f1_pct: float | None


class Evaluation(TypedDict):
    """The evaluation of a model on rows with known targets."""

    model: ModelFile
    data: Rows
    #: The scores by name.
    scores: dict[str, Score]
    #: Empty for a regression.
    classes: list[OfClass]
    #: Numbers of rows or words, by the true class, in the order of ``classes``, and the predicted class.
    confusion: list[list[int]]


class ColumnImportance(TypedDict):
    """By how much the error grows if the values of one column are shuffled."""

    column: str
    #: The mean over all shuffles.
    increase: float
    std: float


class Importance(TypedDict):
    """The importance of columns."""

    #: "error_pct" or "rmse".
    score: str
    #: The score without shuffling.
    value: float
    #: The number of rows, which are drawn if the file has more.
    rows: int
    #: The number of times that each column is shuffled.
    repeats: int
    #: The most important column first.
    columns: list[ColumnImportance]


class KernelShare(TypedDict):
    """The share of a kernel in an expansion."""

    #: The kernel, in words.
    kernel: str
    #: Its weights or its share, in the order of ``titles``.
    values: list[float]


class Kernels(TypedDict):
    """The kernels of an expansion, the one with the largest value first."""

    #: The number of kernels that the model chose from.
    of: int
    #: What the values are: "weight", "weight for CLASS", or "share %" of the absolute coefficients. Empty for a single
    #: kernel.
    titles: list[str]
    kernels: list[KernelShare]


class Term(TypedDict):
    """The contribution of a training row to a decision."""

    #: From 1.
    training_row: int
    contribution: float
    #: Of the sum of all absolute contributions.
    share_pct: float
    #: A class, "not CLASS", "larger" or "smaller".
    in_favour_of: str
    #: Null if several kernels are used.
    kernel_value: float | None


class RowDecision(TypedDict):
    """Why the model decides about a row as it does."""

    #: The number of the row, from 1.
    row: int
    predicted: str | float
    true: str | float
    #: The decision value that is explained, and the class that it is for; null for a regression or two classes.
    decision: float
    of_class: str | None
    intercept: float
    #: The number of training rows that contribute.
    training_rows: int
    #: Those with the largest contributions.
    terms: list[Term]


class Explanation(TypedDict):
    """What a model rests on: its columns and kernels, or the training rows that decide one row."""

    #: The model and the data, as they were given.
    model: str
    file: str
    #: Null with --row.
    importance: Importance | None
    #: Null with --row, and for a model without kernels.
    kernels: Kernels | None
    #: Null without --row.
    row: RowDecision | None
