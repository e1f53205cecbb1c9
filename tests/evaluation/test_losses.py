"""Losses at the points that define them, and in the order in which they bound each other."""

import numpy as np

from kernlearn.evaluation.losses import LOSSES, hinge, ramp, zero_one


def test_values():
    margin = np.array([-2.0, 0.0, 0.25, 1.0, 3.0])
    np.testing.assert_array_equal(zero_one(margin), [1, 1, 0, 0, 0])
    np.testing.assert_array_equal(hinge(margin), [3, 1, 0.75, 0, 0])
    np.testing.assert_array_equal(ramp(margin), [1, 1, 0.75, 0, 0])


def test_the_hinge_is_convex_and_above_the_ramp_that_is_above_the_error():
    margin = np.linspace(-3, 3, 601)
    values = {name: loss(margin) for name, loss in LOSSES.items()}
    assert (values["0-1"] <= values["ramp"]).all() and (values["ramp"] <= values["hinge"]).all()
    bends = {name: np.diff(v, 2) for name, v in values.items()}
    assert bends["hinge"].min() > -1e-12 and bends["ramp"].min() < -1e-3
