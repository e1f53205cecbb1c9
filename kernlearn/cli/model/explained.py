"""What a model rests on: columns, kernels, and the training rows that decide one row."""

from typing import Any, NamedTuple

import numpy as np

from kernlearn.algorithms.core.predictor import predict
from kernlearn.cli.facts.model import Explanation, Importance, Kernels, RowDecision
from kernlearn.cli.model.labelled import Labelled
from kernlearn.datasets.core.cells import show as quoted
from kernlearn.datasets.core.cells import show_name
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
#: The titles of the values of kernels.
SHARE, WEIGHT = "share %", "weight"


class Decision(NamedTuple):
    """The terms of one decision value ``f(x) = sum_j terms[j] + intercept``."""

    #: Shape (m,): the training rows that have a term, from 0.
    rows: Any
    #: Shape (m,).
    terms: Array
    #: Shape (m,): the kernel values between the row and these training rows, if a single kernel is used.
    kernel: Array | None
    intercept: float


def importance_of(rows: Labelled, repeats: int, seed: int) -> Importance:
    """Return by how much the error grows if the values of one column are shuffled, the most important column first."""
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
    order = np.argsort(-found.importances_mean, kind="stable").tolist()
    return {
        "score": "rmse" if rows.is_regression else "error_pct",
        "value": _error(rows, rows.codes[some], truth),
        "rows": len(some),
        "repeats": repeats,
        "columns": [
            {
                "column": rows.columns[i],
                "increase": float(found.importances_mean[i]),
                "std": float(found.importances_std[i]),
            }
            for i in order
        ],
    }


def _error(rows: Labelled, codes: Array, truth: Any) -> float:
    decision, _ = rows.decision(codes)
    return rmse(truth.real, decision[0]) if truth.real is not None else error_pct(truth.labels, predict(decision))


def kernels_of(rows: Labelled) -> Kernels | None:
    """Return the kernels of an expansion with their weights, or shares of the coefficients; None for other models."""
    machine = machine_of(rows.model)
    family, coef = getattr(machine, "_family", None), getattr(machine, "_coef", None)
    if family is None or coef is None or coef.ndim != 3:
        return None
    shares = np.abs(coef).sum(axis=(0, 2))
    used = np.flatnonzero(shares)
    if len(used) == 1:
        only = _in_words(machine, family.members[int(used[0])])
        return {"of": len(shares), "titles": [], "kernels": [{"kernel": only, "values": []}]}
    learned = getattr(machine, "weights_", None)
    titles, values = [SHARE], 100 * shares[None] / (shares.sum() or 1.0)
    if learned is not None and learned.shape[1:] == shares.shape:
        same = (learned == learned[0]).all()
        values = learned[:1] if same else learned
        titles = [WEIGHT] if same else [f"{WEIGHT} for {name}" for name in machine.classes_.tolist()]
    order = [int(k) for k in np.argsort(-values.max(axis=0)) if values[:, k].any()]
    kernels = [_in_words(machine, family.members[k]) for k in order]
    return {
        "of": len(shares),
        "titles": titles,
        "kernels": [{"kernel": name, "values": values[:, k].tolist()} for name, k in zip(kernels, order, strict=True)],
    }


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


def row_of(rows: Labelled, place: int, top: int) -> RowDecision:
    """Return which training rows decide a row, given by where it stands among those that are read.

    Raises `UserError` if the decision is no sum over training rows.
    """
    codes = rows.codes[place : place + 1]
    values, _ = rows.decision(codes)
    output = int(values[:, 0].argmax())
    decision = decision_of(rows, codes, output)
    size = np.abs(decision.terms)
    order = np.argsort(-size, kind="stable")[:top].tolist()
    real = rows.targets.real
    return {
        "row": place + 1 if rows.numbers is None else int(rows.numbers[place]) + 1,
        "predicted": float(values[0, 0]) if real is not None else rows.classes[int(predict(values)[0])],
        "true": float(real[place]) if real is not None else rows.classes[int(rows.targets.labels[place])],
        "decision": float(decision.terms.sum()) + decision.intercept,
        "of_class": None if len(values) == 1 else rows.classes[output],
        "intercept": decision.intercept,
        "training_rows": len(decision.rows),
        "terms": [
            {
                "training_row": int(decision.rows[j]) + 1,
                "contribution": float(decision.terms[j]),
                "share_pct": float(100 * size[j] / (size.sum() or 1.0)),
                "in_favour_of": _favoured(rows, decision.terms[j], output),
                "kernel_value": None if decision.kernel is None else float(decision.kernel[j]),
            }
            for j in order
        ],
    }


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


def show(found: Explanation, n: int) -> None:
    """Print what a model rests on; the file has n rows."""
    if found["importance"]:
        _show_importance(found["importance"], n)
    if found["kernels"]:
        say()
        _show_kernels(found["kernels"])
    if found["row"]:
        _show_row(found["row"])


def _show_importance(found: Importance, n: int) -> None:
    what, digits = ("RMSE", 4) if found["score"] == "rmse" else ("error %", 2)
    of = "" if n == found["rows"] else f" drawn from {n}"
    is_now = f"{what} is {found['value']:.{digits}f} on {found['rows']} rows{of}"
    say(f"importance {is_now}; its increase if one column is shuffled:")
    lines = [
        [show_name(one["column"]), f"{round(one['increase'], digits) + 0.0:+.{digits}f}", f"{one['std']:.{digits}f}"]
        for one in found["columns"]
    ]
    show_table(["column", what, f"std of {found['repeats']} shuffles"], lines)


def _show_kernels(found: Kernels) -> None:
    kernels, titles = found["kernels"], found["titles"]
    if not titles:
        say(f"kernel     {kernels[0]['kernel']}")
        return
    what, form = "weight: the factor of the kernel in the learned sum", ".4g"
    if titles == [SHARE]:
        what, form = "share: of the absolute coefficients, which are larger for a kernel with small values", ".1f"
    say(f"kernels    {len(kernels)} of {found['of']} are used; {what}")
    show_table(["kernel", *titles], [[one["kernel"], *(f"{v:{form}}" for v in one["values"])] for one in kernels])


def _show_row(found: RowDecision) -> None:
    said, true = (
        f"{one:.6g}" if isinstance(one, float) else quoted(one) for one in (found["predicted"], found["true"])
    )
    say(f"row        {found['row']}: predicted {said}, true {true}")
    of = "" if found["of_class"] is None else f" for {quoted(found['of_class'])}"
    by_rows = f"{found['decision'] - found['intercept']:.6g} by {found['training_rows']} training rows"
    say(f"decision   {found['decision']:.6g}{of} = {by_rows} and {found['intercept']:.6g} by the intercept")
    terms = found["terms"]
    has_kernel = any(one["kernel_value"] is not None for one in terms)
    lines = [
        [
            str(one["training_row"]),
            f"{one['contribution']:+.4g}",
            f"{one['share_pct']:.2f}",
            one["in_favour_of"],
            *([f"{one['kernel_value']:.4g}"] if has_kernel else []),
        ]
        for one in terms
    ]
    titles = ["training row", "contribution", "share %", "in favour of", *(["kernel value"] if has_kernel else [])]
    show_table(titles, lines, left=0)
    share = sum(one["share_pct"] for one in terms)
    say(f"           these {len(terms)} have {share:.1f} % of the sum of all absolute contributions")
