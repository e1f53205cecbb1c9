"""The problems of our methods, rebuilt from the training data, and what is proved of a stored solution of each.

The problem of a method is at the head of its module in ``kernlearn/algorithms``. Here is which certificate it has, and
how its penalties and bounds follow from the grid point and the data.
"""

from collections.abc import Callable, Mapping
from typing import Any

from kernlearn.certificates.own import kernel_learning, made_kernels, one_kernel
from kernlearn.certificates.own.on_graphs import GRAPHS
from kernlearn.certificates.own.parts import Proved
from kernlearn.certificates.own.predictor import outputs_of_solution, require_convex, require_predictor
from kernlearn.certificates.own.sequences import TAGGERS
from kernlearn.certificates.own.stored import Stored, Trained, rows_of, targets_of, trained
from kernlearn.certificates.own.votes import VOTES, outputs_of_votes, votings
from kernlearn.certificates.proofs.examples import Examples
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.errors import UserError

#: What proves a solution, by the name of the method.
PROBLEMS: dict[str, Callable[[Trained], Proved]] = {
    "struct_svm": one_kernel.struct_classes,
    "struct_rmm": one_kernel.struct_classes,
    "l2_svm": one_kernel.l2_svm,
    "soft_svm": one_kernel.soft_svm,
    "hard_svm": one_kernel.hard_margin,
    "sgd_svm": one_kernel.sgd_svm,
    "rmm": one_kernel.rmm,
    "rmm_d": one_kernel.rmm_d,
    "l1_svm": one_kernel.l1_svm,
    "vkr": one_kernel.vkr,
    "rmm_c_eq_d": one_kernel.rmm_d,
    "sigma_svm": made_kernels.sigma_svm,
    "u_svm": one_kernel.u_svm,
    "klda": made_kernels.klda,
    "ekm": made_kernels.ekm,
    "linear_svm": one_kernel.linear,
    "l1_mkl": kernel_learning.lp_mkl(1.0),
    "l2_mkl": kernel_learning.lp_mkl(2.0),
    "conv": kernel_learning.conv,
    "dc": kernel_learning.dc,
    "multiclass_mkl": kernel_learning.all_classes,
    "multiclass_conv": kernel_learning.all_classes,
    "ufo_mkl": kernel_learning.ufo,
    "unif": kernel_learning.two_stage,
    "align": kernel_learning.two_stage,
    "alignf": kernel_learning.two_stage,
    "krr": kernel_learning.krr,
    "krr_mean": kernel_learning.krr_mean,
    "l1_krr": kernel_learning.l1_krr,
    "l2_krr": kernel_learning.l2_krr,
}
#: Methods that solve the problem of all classes at once.
JOINT = ("multiclass_mkl", "multiclass_conv", "ufo_mkl", "struct_svm", "struct_rmm")
#: Methods whose problem needs kernel values at most twice.
STREAMED = ("l2_svm", "soft_svm", "hard_svm", "rmm", "rmm_d", "rmm_c_eq_d", "u_svm", "linear_svm")
ROUNDS = "the rounds of boosting end before any optimum"
#: Why nothing is proved, by the name of the method.
UNPROVED = {
    **dict.fromkeys(("adaboost", "adaboost_reg", "ebboost", "rbf_adaboost", "rbf_adaboost_reg"), ROUNDS),
    "perceptron": "the perceptron stops at the first hyperplane that separates the classes, and optimises nothing",
    "nearest_mean": "the rule is a closed form of the class means, and optimises nothing",
}


def prove_stored(stored: Stored, data: Examples) -> list[Proof]:
    """Return what is proved of every output of a stored solution on the training data.

    Raises
    ------
    UserError
        If there is no certificate for the method, or the data are not those of the solution.
    """
    require_provable(stored.method, stored.values)
    if stored.method in VOTES:
        rows = rows_of(stored, data.X.shape[0])
        targets, names = targets_of(stored, data, rows)
        several = votings(stored, data.X[rows], targets)
        require_predictor(stored, [outputs_of_votes(one) for one in several], rows)
        return [VOTES[stored.method](one).proof(name, len(rows)) for one, name in zip(several, names, strict=True)]
    prove, joint = PROBLEMS[stored.method], stored.method in JOINT
    some = trained(stored, data, hold=stored.method not in STREAMED, joint=joint)
    require_convex(stored.method, some[0].inputs)
    require_predictor(stored, outputs_of_solution(some), rows_of(stored, data.X.shape[0]))
    return [prove(one).proof(one.name, len(one.y)) for one in some]


def require_provable(method: str, values: Mapping[str, Any]) -> None:
    """Raise `UserError` with the reason if there is no certificate for the solutions of a method."""
    if "nu" in values and method not in VOTES:
        raise UserError(f"{method} with nu: no check of stored solutions")
    known = {**PROBLEMS, **VOTES, **TAGGERS, **GRAPHS}
    if method not in known:
        if method in UNPROVED:
            raise UserError(f"nothing is proved of {method}: {UNPROVED[method]}")
        raise UserError(f"{method}: stored solutions have no check yet; there is one for {', '.join(known)}")
