"""Structured machines of single examples, all classes at once: the value of (P) at a predictor, and of (D).

::

    (P)  min_w  1/2 sum_c |w_c|^2 + C/n sum_i max(0, 1 - min_{c != y_i} (f_{y_i}(x_i) - f_c(x_i)))
                subject to  |f_{y_i}(x_i) - f_c(x_i)| <= B  for all i and c
    (D)  max_{a,b,b* >= 0}  sum a_ic - B sum (b_ic + b*_ic) - 1/2 sum_c |w_c|^2   subject to  sum_c a_ic <= C/n ,
                w_c = sum_i V_ic K(x_i, .) ,   V_ic = -u_ic for c != y_i ,   V_{i,y_i} = sum_c u_ic ,   u = a - b + b*

Source: Shivaswamy (2010), Large Relative Margin and Applications, (4.3) to (4.5).
"""

from math import inf

import numpy as np
from numpy.typing import NDArray

from kernlearn.certificates.certificate import Certificate, counted
from kernlearn.certificates.multiclass import margins_of_classes
from kernlearn.certificates.outputs import Inputs, outputs
from kernlearn.twofold import total
from kernlearn.types import Array


def structured_classes(
    inputs: Inputs, y: NDArray[np.integer], coef: Array, V: Array, C: float, B: float = inf
) -> Certificate:
    """Return what is proved of ``f_c(x) = sum_j coef_cj K(x, x_j)``.

    It holds of the largest multiple of f, at most f itself, that keeps to the bound B: see `Certificate.stretch`.

    Parameters
    ----------
    inputs : GramStack of shape (1, n, n)
    y : integer array of shape (n,)
        Classes 0, 1, ...
    coef : array of shape (n_outputs, n)
        Of every class, or of two classes that of ``f_1 - f_0``, with ``f_0 = -f_1``.
    V : array of shape (n, k)
        Dual coefficients. Only entries with ``c != y_i`` are read; each is split into a, b and b* so that the bound is
        largest.
    C, B : float
    """
    n, c = len(y), C / len(y)
    F = [outputs(inputs, one[None]) for one in coef]
    norms = [f.inner(one) for f, one in zip(F, coef, strict=True)]
    square, unsure = ((0.5 if len(coef) == 1 else 1.0) * sum(each) for each in zip(*norms, strict=True))
    widest = float(margins_of_classes(F, y)[2].max(initial=0.0))
    shrink = min(1.0, B / widest) if widest > 0.0 else 1.0
    losses, more, _ = margins_of_classes([f.times(shrink) for f in F], y)
    objective = 0.5 * shrink**2 * max(square, 0.0) + c * total(losses)  # (P)
    u = np.where(np.arange(V.shape[1]) == y[:, None], 0.0, -V)
    if B == inf:
        u = np.maximum(u, 0.0)
        u *= (c / np.maximum(u.sum(axis=1), c))[:, None]
    dual = -u
    dual[np.arange(n), y] = u.sum(axis=1)
    each = [outputs(inputs, column[None]).inner(column) for column in np.ascontiguousarray(dual.T)]
    dual_square, off = (sum(parts) for parts in zip(*each, strict=True))
    inner = np.maximum(u, 0.0).sum(axis=1)
    outside = total(np.maximum(inner - c, 0.0)) + total(np.maximum(-u, 0.0).ravel())
    linear = total(np.minimum(inner, c)) - (B * outside if B < inf else 0.0)
    rounding = counted(0.5 * (shrink**2 * unsure + off) + c * total(more), objective, C)
    lower = linear - 0.5 * max(dual_square, 0.0) - rounding  # (D)
    return Certificate(objective, lower, C, stretch=shrink)
