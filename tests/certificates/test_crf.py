"""The certificate of the conditional random field, against 50 digits and all labellings."""

from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest

from kernlearn import LinearChainCRF


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_values_are_those_of_all_labellings(C, scale):
    rng = np.random.default_rng(0)
    X = [scale * rng.integers(-2, 3, (length, 2)).astype(float) for length in (3, 1, 4)]
    y = [rng.integers(0, 2, len(x)).tolist() for x in X]
    y[0][:2] = 0, 1
    model = LinearChainCRF(C=C).fit(X, y)
    with localcontext() as context:
        context.prec = 50
        weights = [[Decimal(v) for v in row] for row in model.coef_]
        pairs = [[Decimal(v) for v in row] for row in model.transitions_]
        value = sum(v * v for row in weights + pairs for v in row) / 2

        def score(x, labels):
            places = sum(
                weights[a][j] * Decimal(v) for row, a in zip(x, labels, strict=True) for j, v in enumerate(row)
            )
            return places + sum(pairs[a][b] for a, b in zip(labels, labels[1:], strict=False))

        for x, labels in zip(X, y, strict=True):
            Z = sum(score(x, other).exp() for other in product((0, 1), repeat=len(x)))
            value += Decimal(C) * (Z.ln() - score(x, labels))
    assert model.objective_ == pytest.approx(float(value), rel=1e-12)
    assert 0.0 <= model.gap_ <= 1e-6
