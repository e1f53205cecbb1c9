"""The search for the best stump looks at blocks of examples: it finds what a look at all stumps finds."""

import numpy as np
import pytest

from kernlearn.kernels.families.stumps import every_stump, random_stumps
from kernlearn.solvers.stumps_networks.stumps import BLOCK, Sorted, edges, largest_edge


@pytest.mark.sampled(2)
@pytest.mark.parametrize("d", [1, 3, 4, 6])
@pytest.mark.parametrize("n", [1, 2, BLOCK - 1, BLOCK, 2 * BLOCK + 3])
def test_the_first_stump_of_the_largest_edge_is_found(d, n):
    for trial in range(6):
        rng = np.random.default_rng([d, n, trial])
        X = rng.integers(0, 4, size=(n, d)).astype(float) if trial % 2 else rng.normal(size=(n, d))
        stumps = random_stumps(X, 20, "examples", trial) if trial % 3 == 2 else every_stump(X)
        v = rng.integers(-2, 3, n) / 4.0 if trial < 4 else rng.normal(size=n)  # quarters add up exactly: there are ties
        form = Sorted(stumps.order, stumps.starts, stumps.cuts)
        sizes = np.abs(stumps.votes(np.arange(len(stumps))) @ v)
        s = largest_edge(form, v)
        assert sizes[s] == pytest.approx(sizes.max(), abs=1e-12)
        assert s == int(np.abs(edges(form, v)).argmax())


def test_weight_on_one_example_and_on_none():
    X = np.arange(3.0 * BLOCK)[:, None] * [[1.0, -1.0]]
    stumps, v = every_stump(X), np.zeros(3 * BLOCK)
    form = Sorted(stumps.order, stumps.starts, stumps.cuts)
    assert largest_edge(form, v) == 0
    v[BLOCK] = -1.0
    assert largest_edge(form, v) == 0  # the constant one, and many others, are equally good
