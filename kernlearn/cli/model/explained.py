"""What a model rests on: columns, kernels, and the training rows that decide one row."""

from typing import Any, NamedTuple

import numpy as np

from kernlearn.algorithms.core.predictor import predict
from kernlearn.cli.model.labelled import Labelled
from kernlearn.datasets.core.cells import show, show_name
from kernlearn.errors import UserError
from kernlearn.evaluation.metrics import error_pct, rmse
from kernlearn.kernels.core.family import describe
from kernlearn.kernels.matrices.streamed import kernel_stack
from kernlearn.models.predictions import examples_of
from kernlearn.models.proof import machine_of
from kernlearn.report.terminal import say, show_table
from kernlearn.types import Array

#: The largest number of rows on which columns are shuffled; of more, as many are drawn.
MOST_ROWS = 2000


class Decision(NamedTuple):
    """The terms of one decision value ``f(x) = sum_j terms[j] + intercept``."""

    #: Shape (m,): the training rows that have a term, from 0.
    rows: Any
    #: Shape (m,).
    terms: Array
    #: Shape (m,): the kernel values between the row and these training rows, if a single kernel is used.
    kernel: Array | None
    intercept: float


def show_columns(rows: Labelled, repeats: int, seed: int) -> None:
    """Print by how much the error grows when the values of one column are shuffled, the most important column first."""
    from sklearn.inspection import permutation_importance

    random = np.random.default_rng(seed)
    n, every = len(rows.codes), np.arange(len(rows.codes))
    some = every if n <= MOST_ROWS else np.sort(random.permutation(n)[:MOST_ROWS])
    truth = rows.targets.at(some)

    def score(_: Any, codes: Array, __: Any) -> float:
        return -_error(rows, codes, truth)

    found = permutation_importance(
        rows.model, rows.codes[some], truth.labels if truth.real is None else truth.real, scoring=score,
        n_repeats=repeats, random_state=seed,
    )  # fmt: skip
    what, digits = ("RMSE", 4) if rows.is_regression else ("error %", 2)
    of = "" if n <= MOST_ROWS else f" drawn from {n}"
    error = _error(rows, rows.codes[some], truth)
    say(f"importance {what} is {error:.{digits}f} on {len(some)} rows{of}; its increase if one column is shuffled:")
    order = np.argsort(-found.importances_mean, kind="stable")
    lines = [
        [
            show_name(rows.columns[i]),
            f"{round(found.importances_mean[i], digits) + 0.0:+.{digits}f}",
            f"{found.importances_std[i]:.{digits}f}",
        ]
        for i in order
    ]
    show_table(["column", what, f"std of {repeats} shuffles"], lines)


def _error(rows: Labelled, codes: Array, truth: Any) -> float:
    decision, _ = rows.decision(codes)
    return rmse(truth.real, decision[0]) if truth.real is not None else error_pct(truth.labels, predict(decision))


def show_kernels(rows: Labelled) -> None:
    """Print the kernels of an expansion with their weights, or shares of the coefficients; nothing of other models."""
    machine = machine_of(rows.model)
    family, coef = getattr(machine, "_family", None), getattr(machine, "_coef", None)
    if family is None or coef is None or coef.ndim != 3:
        return
    shares = np.abs(coef).sum(axis=(0, 2))
    used = np.flatnonzero(shares)
    say()
    if len(used) == 1:
        say(f"kernel     {_in_words(machine, family.members[int(used[0])])}")
        return
    learned = getattr(machine, "weights_", None)
    titles, values, form = ["share %"], 100 * shares[None] / (shares.sum() or 1.0), ".1f"
    what = "share: of the absolute coefficients, which are larger for a kernel with small values"
    if learned is not None and learned.shape[1:] == shares.shape:
        same = (learned == learned[0]).all()
        values, form = learned[:1] if same else learned, ".4g"
        titles = ["weight"] if same else [f"weight for {name}" for name in machine.classes_.tolist()]
        what = "weight: the factor of the kernel in the learned sum"
    say(f"kernels    {len(used)} of {len(shares)} are used; {what}")
    order = [k for k in np.argsort(-values.max(axis=0)) if values[:, k].any()]
    show_table(
        ["kernel", *titles],
        [[_in_words(machine, family.members[k]), *(f"{v:{form}}" for v in values[:, k])] for k in order],
    )


def _in_words(machine: Any, member: dict[str, Any]) -> str:
    """Return a kernel in words, with gamma as the features have it, and in the unit of the grid."""
    words, factor = describe(machine._family, member), getattr(machine, "_factor", None)
    if factor is None or "gamma" not in member:
        return words
    unit = {"scale": "1/(d var)", "auto": "1/d"}.get(machine.kernel["unit"], machine.kernel["unit"])
    gamma = member["gamma"]
    return words.replace(f"gamma={gamma}", f"gamma={gamma * factor**2:.4g}, {gamma:g} times {unit}")


def place_of(rows: Labelled, number: int) -> int:
    """Return where a row of the file stands among those that are read.

    Raises `UserError` if there is no such row, or it has no target or value.
    """
    known = np.arange(len(rows.codes)) if rows.numbers is None else rows.numbers
    place = int(np.searchsorted(known, number - 1))
    if not 1 <= number <= known[-1] + 1:
        raise UserError(f"--row {number}: the file has the rows 1 to {known[-1] + 1}")
    if known[place] != number - 1:
        raise UserError(f"--row {number}: the row has no target, or no value in a column; choose another one")
    return place


def show_row(rows: Labelled, place: int, top: int) -> None:
    """Print which training rows decide a row, given by where it stands among those that are read.

    Raises `UserError` if the decision is no sum over training rows.
    """
    number = place + 1 if rows.numbers is None else int(rows.numbers[place]) + 1
    codes = rows.codes[place : place + 1]
    values, _ = rows.decision(codes)
    output = int(values[:, 0].argmax())
    decision = decision_of(rows, codes, output)
    value = float(decision.terms.sum()) + decision.intercept
    if rows.is_regression:
        said, true = (
            f"{values[0, 0]:.6g}",
            f"{rows.targets.real[place]:.6g}" if rows.targets.real is not None else "",
        )
    else:
        said = show(rows.classes[int(predict(values)[0])])
        true = show(rows.classes[int(rows.targets.labels[place])])
    say(f"row        {number}: predicted {said}, true {true}")
    of = "" if len(values) == 1 else f" for {show(rows.classes[output])}"
    by_rows = f"{value - decision.intercept:.6g} by {len(decision.rows)} training rows"
    say(f"decision   {value:.6g}{of} = {by_rows} and {decision.intercept:.6g} by the intercept")
    size = np.abs(decision.terms)
    order = np.argsort(-size, kind="stable")[:top]
    lines = [
        [
            str(int(decision.rows[j]) + 1),
            f"{decision.terms[j]:+.4g}",
            f"{100 * size[j] / (size.sum() or 1.0):.2f}",
            _favoured(rows, decision.terms[j], output),
            *([] if decision.kernel is None else [f"{decision.kernel[j]:.4g}"]),
        ]
        for j in order
    ]
    titles = [
        "training row",
        "contribution",
        "share %",
        "in favour of",
        *([] if decision.kernel is None else ["kernel value"]),
    ]
    show_table(titles, lines, left=0)
    share = 100 * size[order].sum() / (size.sum() or 1.0)
    say(f"           these {len(order)} have {share:.1f} % of the sum of all absolute contributions")


def _favoured(rows: Labelled, term: float, output: int) -> str:
    """Return what a contribution to a decision is in favour of."""
    if rows.is_regression:
        return "larger" if term > 0 else "smaller"
    if len(rows.classes) == 2:
        return rows.classes[int(term > 0)]
    return rows.classes[output] if term > 0 else f"not {rows.classes[output]}"


def decision_of(rows: Labelled, codes: Array, output: int) -> Decision:
    """Return the terms of one output for one row.

    Raises `UserError` if the model is no kernel expansion over training rows.
    """
    machine = machine_of(rows.model)
    coef, family = getattr(machine, "_coef", None), getattr(machine, "_family", None)
    if coef is None or family is None or coef.ndim != 3 or not hasattr(machine, "support_"):
        name = getattr(machine, "method", type(machine).__name__)
        if hasattr(getattr(machine, "_predictor", None), "pairs"):
            raise UserError("--row: with one-vs-one, each pair of classes has a machine of its own; leave --row out")
        raise UserError(f"--row: a decision of {name} is no sum over training rows; leave --row out")
    examples = examples_of(rows.model, codes)
    of_output = coef[output if len(coef) > 1 else 0]
    stack = kernel_stack(family, examples, machine.support_vectors_)
    used = np.flatnonzero(of_output.any(axis=1))
    values = {int(k): stack.matrix(int(k))[0] for k in used}
    terms = np.sum([of_output[k] * values[k] for k in values], axis=0) if values else np.zeros(of_output.shape[1])
    there = of_output.any(axis=0)
    kernel = values[int(used[0])][there] if len(used) == 1 else None
    intercept = float(np.atleast_1d(machine.intercept_)[output if len(coef) > 1 else 0])
    return Decision(np.asarray(machine.support_)[there], np.asarray(terms)[there], kernel, intercept)
