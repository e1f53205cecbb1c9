"""The solution that a fitted estimator of ours keeps."""

from typing import Any

import numpy as np

from kernlearn.certificates.own.predictor import outputs_of, require_method
from kernlearn.certificates.own.problems import require_provable
from kernlearn.certificates.own.stored import Stored
from kernlearn.certificates.own.votes import ensembles_of


def of_estimator(estimator: Any, X: Any) -> Stored | None:
    """Return the solution that a fitted estimator of ours keeps, with its outputs on X; None if it keeps none.

    Raises
    ------
    UserError
        If nothing is proved of solutions of its method.
    """
    proof = getattr(estimator, "_proof", None)
    if proof is None:
        return None
    require_provable(proof.method, proof.values)
    require_method(type(estimator).__name__, proof.method)
    coef = estimator._coef if hasattr(estimator, "_coef") else getattr(estimator, "coef_", None)
    ensembles = ensembles_of(estimator.get_params(deep=False), vars(estimator))
    if coef is None and not ensembles:
        return None
    return Stored(
        method=proof.method,
        options=proof.options,
        values=proof.values,
        primals=[solution.x for solution in proof.solutions],
        duals=[solution.dual for solution in proof.solutions],
        coef=np.zeros(0) if coef is None or ensembles else coef,
        intercept=np.atleast_1d(getattr(estimator, "intercept_", 0.0)),
        family=getattr(estimator, "_family", None),
        support=getattr(estimator, "support_", None),
        points=getattr(estimator, "support_vectors_", None),
        rows=proof.rows,
        weights=proof.weights,
        kernel_weights=getattr(estimator, "weights_", None),
        classes=getattr(estimator, "classes_", None),
        ensembles=ensembles,
        n_rows=getattr(estimator, "_n_rows", None),
        shown=outputs_of(estimator, X),
    )
