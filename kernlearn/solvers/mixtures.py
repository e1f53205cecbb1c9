"""Better multipliers of a dual over cuts, one sequence after the other over all of its labellings.

The multipliers of a sequence are gathered to flows (`kernlearn.solvers.flows`), which are improved with those of all
other sequences as they are. What comes of it are two cuts of each, the means of labellings that a unit of the flow of a
stands for, and of that of b; their multipliers are the flow there is. A mean of wrong labellings keeps all conditions
that each of them keeps, so that it is as good a cut in (4.5) as a labelling.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.cuts import Cuts
from kernlearn.solvers.flows import improve

Array = NDArray[np.float64]
Index = NDArray[np.intp]


class Mixtures(NamedTuple):
    """Means of labellings in the place of all cuts of some sequences.

    Attributes
    ----------
    changed : array of shape (n,)
        Of which sequences.
    sequences, kinds, sums : arrays of shape (m,)
        The sequence of every mean, whether its multiplier is that of a, 0, or b, 1, and the multiplier.
    flows : list of m pairs of arrays of shapes (L, k + 1) and (L - 1, k + 1, k + 1)
        P and F of a unit of flow.
    """

    changed: NDArray[np.bool_]
    sequences: Index
    kinds: Index
    sums: Array
    flows: list[tuple[Array, Array]]


def improved(cuts: Cuts, Z: Array, E: Array, T: Array, c: float, B: float, tol: float) -> Mixtures:
    """Return means of labellings that are better than the cuts with the multipliers Z, shape (3, M).

    E, shape (N, k), and T, shape (k, k), are those of w (`kernlearn.solvers.labellings`); what gains less than `tol` a
    unit is left as it is.
    """
    P, F = _gather(cuts, Z)
    k, starts, outputs, T = cuts.k, cuts.starts, np.ascontiguousarray(E.T), T.copy()
    changed = np.zeros(len(starts) - 1, dtype=bool)
    found: list[tuple[int, int, float]] = []
    flows: list[tuple[Array, Array]] = []
    for i, (a, b) in enumerate(zip(starts, starts[1:], strict=False)):
        p, f, truth = P[:, a:b], F[:, a : b - 1], cuts.truth[a:b]
        before = p[0] - p[1]
        own = np.ascontiguousarray(outputs[:, a:b].T)
        if not improve(cuts.K[a:b, a:b], own, T, truth, p, f, c, B, tol):
            continue
        changed[i] = True
        more = p[0] - p[1] - before
        step = -more[:, :k]
        step[np.arange(b - a), truth] += more[0].sum() - more[:, k]
        outputs += step.T @ cuts.K[a:b]
        for kind in (0, 1):
            sums, pairs = p[kind].sum(axis=1), f[kind].sum(axis=(1, 2))
            if min(sums.min(), pairs.min(initial=np.inf)) > 0.0:
                found.append((i, kind, float(sums[0])))
                flows.append((p[kind] / sums[:, None], f[kind] / pairs[:, None, None]))
    sequences, kinds, totals = (np.array(part) for part in zip(*found, strict=True)) if found else (np.zeros(0),) * 3
    return Mixtures(changed, sequences.astype(np.intp), kinds.astype(np.intp), totals.astype(np.float64), flows)


def _gather(cuts: Cuts, Z: Array) -> tuple[Array, Array]:
    """Return the flows of a and b, shapes (2, N, k + 1) and (2, N, k + 1, k + 1)."""
    k, N = cuts.k, len(cuts.truth)
    P, F = np.zeros((2, N, k + 1)), np.zeros((2, N, k + 1, k + 1))
    for kind in (0, 1):
        for j in np.flatnonzero(Z[kind]):
            i, amount, way = cuts.sequences[j], Z[kind, j], cuts.ways[j]
            a, b = cuts.starts[i], cuts.starts[i + 1]
            if isinstance(way, tuple):
                P[kind, a:b] += amount * way[0]
                F[kind, a : b - 1] += amount * way[1]
            else:
                y = way.copy()
                y[: np.argmax(y != cuts.truth[a:b])] = k
                t = np.arange(a, b)
                P[kind, t, y] += amount
                F[kind, t[:-1], y[:-1], y[1:]] += amount
    return P, F
