"""The mean of the factors of the losses of single examples."""

from kernlearn.types import Array


def mean_and_parts(weights: Array | None) -> tuple[float, Array | None]:
    """Return the mean of weights and the weights divided by it; 1 and None for weights that are all 1."""
    if weights is None:
        return 1.0, None
    mean = float(weights.mean())
    return mean, weights / mean
