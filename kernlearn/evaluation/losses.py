"""Losses of a margin ``y f(x)``: those that machines bound, and those that they minimise.

``zero_one <= ramp <= hinge``: the hinge is the least convex function above the 0-1 loss with slope -1 at 0, the ramp is
the hinge cut at 1, and not convex. Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, section
15.2.3.
"""

from collections.abc import Callable

import numpy as np

from kernlearn.types import Array


def zero_one(margin: Array) -> Array:
    """Return 1 where the margin is not positive, 0 elsewhere."""
    return np.where(np.asarray(margin) <= 0.0, 1.0, 0.0)


def hinge(margin: Array) -> Array:
    """Return ``max(0, 1 - margin)``."""
    return np.maximum(0.0, 1.0 - np.asarray(margin))


def ramp(margin: Array) -> Array:
    """Return ``min(1, max(0, 1 - margin))``."""
    return np.minimum(1.0, hinge(margin))


#: Losses by name.
LOSSES: dict[str, Callable[[Array], Array]] = {"0-1": zero_one, "hinge": hinge, "ramp": ramp}
