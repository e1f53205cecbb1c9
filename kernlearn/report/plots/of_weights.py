"""Pictures of learned kernel weights, of a run and of a model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels import KernelFamily, make_family
from kernlearn.models.file import load
from kernlearn.models.proof import machine_of
from kernlearn.report.plots.picture import Axis, Bars, Grid, Picture
from kernlearn.report.plots.stored import Lacking, StoredRun, mean_and_std, read_run
from kernlearn.report.targets import Target


def weights_of_run(target: Target) -> list[Picture]:
    """Return the learned kernel weights of the selected models: means over splits."""
    run = read_run(target)
    rows = [row["weights"] for row in run.selection.rows if row.get("weights")]
    if not rows:
        raise Lacking("its method learns no kernel weights, or of too many kernels to store them")
    try:
        tables = [[[float(number) for number in line.split()] for line in row.split(";")] for row in rows]
        n_outputs, n_kernels = len(tables[0]), len(tables[0][0])
        if any([len(line) for line in table] != [n_kernels] * n_outputs for table in tables):
            raise ValueError("rows have different numbers of weights")
    except (ValueError, IndexError) as error:
        raise UserError(f"{run.path}: the column weights is damaged ({error})") from error
    names = kernel_names(run.provenance["experiment"]["kernel"], n_kernels)
    if n_outputs == 1:
        return [_weight_bars(run, names, tables)]
    means = [[mean_and_std([table[i][k] for table in tables])[0] for k in range(n_kernels)] for i in range(n_outputs)]
    classes = [str(name) for name in run.provenance["data"][0].get("classes", [])]
    outputs = classes if len(classes) == n_outputs else [f"problem {i + 1}" for i in range(n_outputs)]
    title = f"Kernel weights: {run.title}"
    words = f"Mean weights over {len(tables)} splits, a row for each two-class problem, a column for each kernel."
    shown = [[f"{value:.2g}" for value in row] for row in means]
    return [
        Grid(
            "weights",
            title,
            Axis("kernel", names=names),
            Axis("class against all others" if outputs == classes else "", names=outputs),
            means,
            shown,
            "weight",
            words=words,
        )
    ]


def _weight_bars(run: StoredRun, names: Sequence[str], tables: Sequence[Sequence[Sequence[float]]]) -> Picture:
    found = [mean_and_std([table[0][k] for table in tables]) for k in range(len(names))]
    means = [mean for mean, _ in found]
    used = sum(value != 0.0 for value in means)
    largest = max(range(len(means)), key=means.__getitem__)
    words = (
        f"Means over {len(tables)} splits, with plus and minus one standard deviation. {used} of {len(names)} kernels "
        f"have a weight other than 0; the largest, {means[largest]:.3g}, is that of {names[largest]}."
    )
    low, high = ([mean + sign * std for mean, std in found] for sign in (-1, 1))
    many = len(tables) > 1
    return Bars(
        "weights",
        f"Kernel weights: {run.title}",
        Axis("weight"),
        names,
        means,
        low if many else (),
        high if many else (),
        words=words,
    )


def kernel_names(kernel: Mapping[str, object], count: int) -> list[str]:
    """Return the names of the kernels of an experiment."""
    try:
        return kernels_in_words(make_family(**kernel), count)  # type: ignore[arg-type]
    except (UserError, TypeError):
        return kernels_in_words(None, count)


def kernels_in_words(family: object, count: int) -> list[str]:
    """Return the names of the kernels of a family, such as ``degree=2``; numbers if it has other kernels."""
    members = family.members if isinstance(family, KernelFamily) else ()
    if len(members) != count:
        return [f"kernel {k + 1}" for k in range(count)]
    return [", ".join(f"{key}={_short(value)}" for key, value in member.items()) or "kernel" for member in members]


def _short(value: object) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def weights_of_model(target: Target) -> list[Picture]:
    """Return the learned kernel weights."""
    machine = machine_of(load(target.path))
    learned = getattr(machine, "weights_", None)
    if not isinstance(learned, np.ndarray) or learned.ndim != 2:
        raise Lacking("its method learns no kernel weights")
    family = getattr(machine, "_family", None)
    names = kernels_in_words(family, learned.shape[1])
    title = f"Kernel weights: {target.name}"
    used = int(np.count_nonzero(learned.any(axis=0)))
    words = f"{used} of {len(names)} kernels have a weight other than 0."
    if len(learned) == 1 or (learned == learned[0]).all():
        return [Bars("weights", title, Axis("weight"), names, learned[0].tolist(), words=words)]
    shown = [[f"{value:.2g}" for value in row] for row in learned.tolist()]
    problems = _outputs_of(machine, len(learned))
    axes = Axis("kernel", names=names), Axis("class", names=problems)
    return [Grid("weights", title, *axes, learned.tolist(), shown, "weight", words=words)]


def _outputs_of(machine: Any, count: int) -> list[str]:
    classes = getattr(machine, "classes_", None)
    if classes is not None and len(classes) == count:
        return [str(name) for name in classes.tolist()]
    return [f"output {i + 1}" for i in range(count)]
