"""What cells measure, as all rooms above hand it on: one row for every grid point of every split."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

#: The hyper-parameters of every point of a grid.
Grid = Sequence[Mapping[str, float]]


class Row(TypedDict, total=False):
    """What was measured of one grid point on one split; of sequences examples are counted by their places.

    These columns are known by name. Beside them a row has the hyper-parameters of its point and, on every part, all
    scores that its targets have, ``validation_<score>`` and ``test_<score>``: `kernlearn.evaluation.METRICS` reads
    them. A cell that failed has one row without a point; ``swapped`` is in those of the rule of that name.
    """

    run: str
    dataset: str
    algorithm: str
    seed: int
    split: int
    swapped: int
    point: int
    n_train: int
    n_validation: int
    n_test: int
    validation_errors: int
    test_errors: int
    n_support: int
    n_nonzero: int
    n_kernels: int
    objective: float
    dual_objective: float
    gap: float
    iterations: int
    rounds: int
    status: str
    weights: str
    pairs: str
    validation_pair_errors: str
    test_pair_errors: str
    validation_votes: str
    test_votes: str
    validation_tallies: str
    test_tallies: str


def number(row: Row, column: str) -> float:
    """Return a number that only the rows of some methods or targets have, such as a score or a fact of a method."""
    columns: Mapping[str, Any] = row
    return float(columns[column])
