"""What benchmarks of all methods have in common: which there are, and two artificial problems of any size."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.runner.plan import cost
from kernlearn.runner.plan.config import check_experiment
from kernlearn.runner.plan.plan import Plan, plan

#: Labels of words; the part of the labels of examples that are turned round, and how much of a score is noise.
LABELS, NOISE = 5, 0.1


def methods() -> Iterator[tuple[str, str, str]]:
    """Yield algorithm, task and kind of kernels of everything that can be run."""
    for name, algorithm in ALGORITHMS.items():
        for task in algorithm.tasks:
            for kernels in cost.kinds_of(algorithm):
                yield name, task, kernels


def plan_of(words: Sequence[str]) -> Plan:
    """Return the plan of an experiment."""
    return plan(check_experiment(compose_config(list(words))))


def write_problem(path: Path, n: int, d: int) -> None:
    """Write examples whose labels depend on two products of directions, some of them turned round."""
    random = np.random.default_rng(0)
    X = random.standard_normal((n, d))
    Z = X @ random.standard_normal((d, 4)) / np.sqrt(d)
    label = Z[:, 0] + Z[:, 1] * Z[:, 2] > 0
    label ^= random.random(n) < NOISE
    head = ",".join([*(f"x{j}" for j in range(d)), "label"])
    lines = [",".join([*map("{:.6g}".format, row), str(y)]) for row, y in zip(X, label.astype(int), strict=True)]
    path.write_text("\n".join([head, *lines]) + "\n")


def write_sentences(path: Path, n: int, p: int, length: int) -> None:
    """Write sentences of `length` words on average, of p different ones; labels follow from them, less from others."""
    random = np.random.default_rng(0)
    favours, follows = random.standard_normal((p, LABELS)), 0.3 * random.standard_normal((LABELS, LABELS))
    lines = []
    for _ in range(n):
        label = None
        for _ in range(random.integers(1, 2 * length + 1)):
            word = min(int(random.exponential(p / 10)), p - 1)  # some are frequent, most are rare
            scores = favours[word] + NOISE * random.standard_normal(LABELS)
            label = int((scores if label is None else scores + follows[label]).argmax())
            lines.append(f"w{word:x} L{label}")
        lines.append("")
    path.write_text("\n".join(lines))
