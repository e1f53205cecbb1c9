"""The support vector machine with a Universum: examples of neither class, on which the output should be near 0.

::

    (P)  min_{w,b}  1/2 |w|^2 + C sum_i max(0, 1 - y_i f(x_i)) + C_U sum_j max(0, |f(u_j)| - epsilon)

with ``f(x) = w.Phi(x) + b``, labelled examples x_i and those of the Universum u_j. Source: Weston, Collobert, Sinz,
Bottou, Vapnik (2006), Inference with the Universum, ICML; a contender of relative margin machines in Shivaswamy (2010),
table 2.2. Certificates are those of `kernlearn.solvers.BandSolver`.
"""

import numpy as np
from numpy.typing import NDArray

from kernlearn.parameters import Number, Parameter

Array = NDArray[np.float64]

PARAMETERS: dict[str, Parameter] = {
    "C": Parameter(1.0, Number(positive=True), "weight of the loss"),
    "C_universum": Parameter(1.0, Number(positive=True), "cost C_U of outputs on the Universum"),
    "epsilon": Parameter(0.1, Number(low=0.0), "outputs on the Universum that cost nothing"),
    "tol": Parameter(1e-6, Number(low=1e-12, high=1.0), "relative duality gap"),
}
