"""Better multipliers of a dual over cuts, one sequence after the other over all of its labellings.

The multipliers of a sequence are gathered to flows (`kernlearn.solvers.structured.flows`), which are improved with
those of all other sequences fixed. The result has two cuts for each sequence: the mean of the labellings in a unit of
the flow of a, and in one of b. Their multipliers are the amounts of flow. A mean of wrong labellings satisfies all
conditions that each of them satisfies, so it is a valid cut in (4.5), like a labelling.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlearn.solvers.structured.cuts import Cuts, Flow, Way, add_product
from kernlearn.solvers.structured.flows import improve
from kernlearn.types import Array, Index


class Mixtures(NamedTuple):
    """Means of labellings in the place of all cuts of some sequences."""

    #: Shape (n,): whether a sequence has such means.
    changed: NDArray[np.bool_]
    #: `sequences`, `kinds`, `sums`, shape (m,): the sequence of every mean, whether its multiplier is that of a, 0, or
    #: b, 1, and the multiplier.
    sequences: Index
    kinds: Index
    sums: Array
    #: Units of flow.
    flows: list[Flow]


def improved(cuts: Cuts, Z: Array, E: Array, T: Array, c: float, B: float, tol: float) -> Mixtures:
    """Return means of labellings that are better than the cuts with the multipliers Z, shape (3, M).

    E, shape (N, k), and T, shape (k, k), are those of w (`kernlearn.solvers.structured.labellings`); what gains less
    than `tol` a unit is left as it is.
    """
    k, starts, outputs, T = cuts.k, cuts.starts, np.ascontiguousarray(E.T), T.copy()
    changed = np.zeros(len(starts) - 1, dtype=bool)
    gains: list[tuple[int, int, float]] = []
    flows: list[Flow] = []
    used = np.flatnonzero(Z[:2].any(axis=0))
    used = used[np.argsort(cuts.sequences[used], kind="stable")]
    own = np.split(used, np.searchsorted(cuts.sequences[used], np.arange(1, len(changed))))
    for i, (a, b) in enumerate(zip(starts, starts[1:], strict=False)):
        truth = cuts.truth[a:b]
        P, F = _gather([cuts.ways[j] for j in own[i]], Z[:2, own[i]], truth, k)
        before, unchanged = P[0] - P[1], T.copy()
        mine = np.ascontiguousarray(outputs[:, a:b].T)
        K = np.ascontiguousarray(cuts.K[a:b, a:b])  # of one layout, so that it is compiled once
        if not improve(K, mine, T, truth, P, F, c, B, tol):
            T[:] = unchanged
            continue
        changed[i] = True
        more = P[0] - P[1] - before
        step = -more[:, :k]
        step[np.arange(b - a), truth] += more[0].sum() - more[:, k]
        add_product(step, cuts.K[a:b], outputs)
        for kind in (0, 1):
            sums, at = P[kind].sum(axis=1), np.flatnonzero(F[kind])
            t, amounts = at // (k + 1) ** 2, F[kind].ravel()[at]
            pairs = np.bincount(t, amounts, b - a - 1).astype(np.float64)  # not of floats if it is empty
            if min(sums.min(), pairs.min(initial=np.inf)) > 0.0:
                gains.append((i, kind, float(sums[0])))
                flows.append(Flow(P[kind] / sums[:, None], at, amounts / pairs[t]))
    sequences, kinds, totals = (np.array(part) for part in zip(*gains, strict=True)) if gains else (np.zeros(0),) * 3
    return Mixtures(changed, sequences.astype(np.intp), kinds.astype(np.intp), totals.astype(np.float64), flows)


def _gather(ways: list[Way], Z: Array, truth: Index, k: int) -> tuple[Array, Array]:
    """Return the flows of a and b of a sequence, shapes (2, L, k + 1) and (2, L - 1, k + 1, k + 1).

    Z, shape (2, M), are the multipliers of its cuts.
    """
    L = len(truth)
    t = np.arange(L)
    P, F = np.zeros((2, L, k + 1)), np.zeros((2, L - 1, k + 1, k + 1))
    for way, amounts in zip(ways, Z.T, strict=True):
        for kind in np.flatnonzero(amounts):
            if isinstance(way, Flow):
                P[kind] += amounts[kind] * way.P
                F[kind].ravel()[way.at] += amounts[kind] * way.amounts
            else:
                y = way.copy()
                y[: np.argmax(y != truth)] = k
                P[kind, t, y] += amounts[kind]
                F[kind, t[:-1], y[:-1], y[1:]] += amounts[kind]
    return P, F
