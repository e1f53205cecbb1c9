"""What must hold of a path beside its certificates: its answer in another order and other units, its first stage."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from attacks import known, single
from attacks.gram import Gram
from attacks.held import Found, centred
from attacks.paths import Task, Values
from kernlearn.algorithms import ALGORITHMS

#: What an entry of a kernel matrix may be wrong by, as a part of the diagonal.
KERNEL = 1e-9
#: What weights that are found first, to a gap of 1e-9, leave open of the objective.
FIRST_STAGE = {"alignf": 1e-4}
#: What an objective of ``dc`` may rise by in a step whose SVMs are solved to 1e-7.
RISE = 1e-6
#: What weights that are found first may miss their definition by.
DEFINED = 1e-7


def variants(task: Task, rng: Generator) -> Iterator[tuple[str, Task, float]]:
    """Yield tasks that have the same answer in another order or in other units: a name, the task, the factor of P."""
    n, p, name, values = len(task.y), len(task.K), task.name, task.values
    order = rng.permutation(n)
    if values.get("complexity") in ("lemma4", "lemma4_m", "dimension") or not unique(task):
        return  # these ask for the family; or rounding decides between answers that are all right
    own = single.ORACLES.get(name)
    if own is not None and not own.ordered:
        return
    yield "examples", task.with_matrices(task.K[:, order][:, :, order], y=task.y[order]), 1.0
    if p > 1 and own is None and name not in ("l2_svm", "l1_svm", "krr"):
        yield "kernels", task.with_matrices(task.K[rng.permutation(p)]), 1.0
    regression = values.get("task") == "regression" or ALGORITHMS[name].tasks == ("regression",)
    if regression:
        s = float(2.0 ** rng.choice([-40, -20, 20, 40]))
        yield "size of targets", task.with_matrices(task.K, y=task.y * s), s * s
    elif ALGORITHMS[name].joint:
        names = rng.permutation(int(task.y.max()) + 1)
        yield "classes", task.with_matrices(task.K, y=names[task.y]), 1.0
    else:
        yield "classes", task.with_matrices(task.K, y=-task.y), 1.0
    s = float(2.0 ** rng.choice([-40, -20, 20, 40]))
    if own is not None:
        if own.unit is not None and all(np.ptp(k) > 0 for k in task.K):  # a constant has no size that is seen
            changed, factor = own.unit(values, s)
            yield "size of kernels", task.with_matrices(task.K * s, values=changed), factor
        return
    if name in ("vkr", "l1_svm"):
        if values.get("complexity") in (None, "lemma3", "massart"):
            betas = [beta * s for beta in values["betas"]]
            yield "size of kernels", task.with_matrices(task.K * s, values=values | {"betas": betas}), 1.0
        return
    relative = values.get("normalise", "none") != "none" and name != "dc" or "thetas" in values
    if relative:
        yield "size of kernels", task.with_matrices(task.K * s), 1.0
    elif regression:
        lambdas = [lambda_ * s for lambda_ in values["lambdas"]]
        yield "size of kernels", task.with_matrices(task.K * s, values=values | {"lambdas": lambdas}), 1.0 / s
    else:
        Cs = [C / s for C in values["Cs"]]
        yield "size of kernels", task.with_matrices(task.K * s, values=values | {"Cs": Cs}), 1.0 / s


def rises(task: Task) -> Iterator[tuple[str, float, float]]:
    """Yield the steps in which ``dc`` makes its objective larger, which no majorant does: where, by which part, gap."""
    before: list[tuple[Values, Found]] = []
    for steps in (1, 2, 3, 5, 9):
        points = replace(task, values=task.values | {"max_iter": steps, "step": "solve"}).run()
        for (values, one), (_, two) in zip(before, points, strict=bool(before)):
            rise = (two.objective - one.objective) / (abs(one.objective) or 1.0)
            if rise > RISE:
                yield f"{values}: {one.objective!r} rises to {two.objective!r} within {steps} steps", rise, two.gap
        before = points


def unique(task: Task) -> bool:
    """Return whether the weights of the kernels are the only ones: alignf has a choice where kernels are dependent."""
    flat = centred(task.K).reshape(len(task.K), -1)
    units = np.sqrt((flat * flat).sum(axis=1, keepdims=True))
    flat = np.asarray(flat / np.where(units > 0, units, 1), dtype=float)
    return task.name != "alignf" or bool(np.linalg.eigvalsh(flat @ flat.T)[0] > 1e-8)


def exact(task: Task) -> bool:
    """Return whether the solver asked for goes on to the tolerance."""
    return task.values.get("solver") != "libsvm" and task.values.get("method") != "cd"


def first_stage(task: Task, said: Found) -> float:
    """Return by how much the weights of a two-stage method miss their definition, if by more than `DEFINED`, else 0."""
    if task.name not in ("unif", "align", "alignf"):
        return 0.0
    centre = task.values["centre"]
    prepared, G = Gram.of(task.K, centre, task.less), Gram.of(task.K, True, task.less if centre else None)
    t = known.sizes(prepared, task.values["normalise"])
    y = task.y if task.name != "unif" else np.zeros(len(task.y))
    missed = known.first_stage(task.name, G, t, y, said.weights[0])  # type: ignore[index]
    uncertain = known.looseness(prepared, t) + (np.trace(G.E, axis1=1, axis2=2) / known.sizes(G, "trace")).max()
    return float(missed) if missed > DEFINED + 100 * uncertain else 0.0
