"""Defaults that depend on the number of training examples: shorter grids, matrix-free methods.

Nested cross-validation solves each grid point 30 times. To save time on large files, default lists keep only the values
nearest to 1, or in the middle if 1 is not inside, and kernel matrices are not stored.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isfinite, log
from typing import Any

from kernlearn.algorithms import Method
from kernlearn.algorithms.core.grams import NEED_MATRICES
from kernlearn.kernels import KernelFamily, make_family
from kernlearn.runner.cell.cell import BY_SIZE, FULL, Experiment, Group
from kernlearn.runner.plan.defaults import defaults

#: Maximum number of training examples, and the lengths of a method's lists and of gammas up to this number.
KEPT = ((1_000, 7, 5), (5_000, 5, 3), (inf, 3, 1))
#: Number of training examples above which methods store no matrix if they can: one takes 200 MB, and there are several.
MATRIX_FREE = 5_000


def decided(experiment: Experiment) -> Experiment:
    """Return an experiment without the settings that depend on the number of examples."""
    return replace(experiment, grid=FULL, streamed=bool(experiment.streamed))


def at_size(experiment: Experiment, algorithm: Method, n: int) -> Experiment:
    """Return an experiment with all settings resolved that depend on the number n of training examples."""
    smaller = decided(experiment)
    if experiment.grid == BY_SIZE:
        n_values, n_gammas = next((values, gammas) for most, values, gammas in KEPT if n <= most)
        parameters = {key: parameter for key, parameter in algorithm.parameters.items() if parameter.single}
        usual = {key: parameter.default for key, parameter in parameters.items() if isinstance(parameter.default, list)}
        smaller = replace(smaller, algo=_shortened(smaller.algo, usual, n_values))
        usual = {key: value for key, value in defaults("own/kernel", smaller.kernel["name"]).items() if key == "gammas"}
        # Weights of kernels are learned, so a single kernel would leave nothing to learn.
        n_gammas = max(n_gammas, 3) if algorithm.weighs else n_gammas
        if smaller.kernel.get("unit"):
            smaller = replace(smaller, kernel=_shortened(smaller.kernel, usual, n_gammas))
    if experiment.streamed is None:
        family = make_family(**smaller.kernel)
        able = isfinite(algorithm.max_matrix_bytes) and isinstance(family, KernelFamily) and family.streams
        if n > MATRIX_FREE and able and smaller.algo.get("solver") not in NEED_MATRICES:
            smaller = replace(smaller, streamed=True)
    return smaller


def words(before: Experiment, after: Experiment) -> str:
    """Return the resolved settings in the syntax of the command line; empty if they are the usual ones."""
    changed = [
        f"{group}.{key}={json.dumps(value, separators=(',', ':'))}"
        for group, was, now in (("algo", before.algo, after.algo), ("kernel", before.kernel, after.kernel))
        for key, value in now.items()
        if was[key] != value
    ]
    return " ".join([*changed, *(["streamed=true"] if after.streamed and not before.streamed else [])])


def _shortened(given: Group, usual: Mapping[str, Any], most: int) -> Group:
    return Group({**given, **{key: central(value, most) for key, value in usual.items() if given.get(key) == value}})


def central(values: Sequence[float], most: int) -> list[float]:
    """Return at most `most` values of a list, in its order: those with the smallest ratio to 1.

    If 1 is not inside the list, they are the values in its middle; of two middles, the first.
    """
    if not 0 < min(values) < 1 < max(values):
        start = max(0, len(values) - most) // 2
        return list(values[start : start + most])
    nearest = sorted(values, key=lambda value: abs(log(value)))[:most]
    return [value for value in values if value in nearest]
