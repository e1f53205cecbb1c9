"""The artificial problems of `scale`, by kind of kernels, and the words of a command line that runs them."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import CHAINS, KERNELS
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.kernels.matrices.streamed import HELD_BYTES
from kernlearn.parameters import Numbers
from kernlearn.runner.plan.cost import STREAMED


class Problem(NamedTuple):
    """Examples, kernels (or features that are kernels), features, and of how many values of the grid one is taken.

    Or sentences, different words, and words of a sentence; or examples of a Universum, and kernels. Others than usual
    may be the part of the labels that are turned round, the kernel, a Gaussian one, and the tolerance.
    """

    n: int
    p: int
    d: int
    step: int
    noise: float = 0.1
    gamma: float | None = None
    tol: float | None = None


PROBLEMS = {
    "matrices": [Problem(400, 3, 20, 1), Problem(400, 3, 20, 3), Problem(800, 8, 20, 2), Problem(1800, 6, 20, 3)],
    "features": [Problem(300, 100, 0, 1), Problem(300, 100, 0, 3), Problem(600, 1000, 0, 3), Problem(1800, 100, 0, 3)],
}
PROBLEMS["stumps"] = PROBLEMS["features"]
PROBLEMS["all stumps"] = [
    Problem(200, 20, 0, 2),
    Problem(400, 20, 0, 4),
    Problem(800, 10, 0, 4),
    Problem(400, 60, 0, 4),
]
#: Labels of words.
LABELS = 5
PROBLEMS[CHAINS] = [
    Problem(60, 100, 4, 1),
    Problem(60, 400, 8, 2),
    Problem(200, 400, 4, 2),
    Problem(200, 400, 4, 2, tol=1e-2),
    Problem(300, 800, 8, 1),
    Problem(300, 800, 8, 1, tol=1e-2),
    Problem(120, 1600, 20, 3),
    Problem(600, 1600, 10, 3),
    Problem(1200, 1600, 10, 4, tol=1e-2),
]
#: And for those without kernel, which are fast.
SENTENCES = Problem(600, 4000, 12, 2)
#: Those of methods that learn from a Universum, beside a thousand examples.
UNIVERSUM = [Problem(300, 1, 0, 1), Problem(300, 2, 0, 2), Problem(1000, 2, 0, 3), Problem(3000, 1, 0, 2)]
#: And for methods that weigh kernels, which hold other arrays while these are centred; of several this hides the rest.
SINGLE = Problem(1800, 1, 20, 3)
#: Sizes at which kernel values are not held: of methods that weigh kernels, of those with many columns, of a
#: band, whose tightest take long, and of others.
BEYOND = {
    "weighs": [Problem(18_000, 10, 20, 6), Problem(24_000, 12, 20, 6)],
    "columns": [
        Problem(14_500, 3, 20, 5),
        Problem(14_500, 3, 20, 7),
        Problem(14_500, 6, 20, 5),
        Problem(14_500, 3, 20, 9),
        Problem(28_000, 3, 20, 7),
        Problem(100_000, 3, 20, 7),
        Problem(14_500, 10, 20, 5),
        Problem(14_500, 10, 20, 5, tol=1e-6),
        Problem(28_000, 10, 20, 5),
    ],
    "bands": [Problem(28_000, 1, 20, 4), Problem(44_000, 1, 20, 4)],
    "rows": [Problem(28_000, 1, 20, 8), Problem(44_000, 1, 20, 8)],
}
LARGE = {"matrices": [Problem(4000, 6, 50, 3)], "features": [Problem(3000, 2500, 0, 3)]}
LARGE[CHAINS] = [Problem(300, 3000, 20, 4)]
LARGE["stumps"], LARGE["all stumps"] = LARGE["features"], [Problem(1500, 20, 0, 4)]
#: Easier and harder problems: fewer and more labels that are wrong, a Gaussian kernel, a tight band.
SPREAD = {
    kind: [Problem(*size, noise=0.0), Problem(*size, noise=0.4), Problem(*size, gamma=1.0)]
    for kind, size in {"matrices": (1300, 5, 20, 2), "columns": (14_500, 3, 20, 7)}.items()
}
SPREAD["bands"] = [
    Problem(28_000, 1, 20, 4, noise=0.0),
    Problem(28_000, 1, 20, 4, noise=0.4),
    Problem(28_000, 1, 20, 6),
]
SPREAD[CHAINS] = [Problem(200, 400, 8, 2, noise=noise) for noise in (0.0, 1.0)]


def problems_of(name: str, kernels: str, which: str = "fit") -> list[Problem]:
    """Return the problems that a method is measured on: to fit constants, "large" ones, or the "spread" of others."""
    algorithm, kind = ALGORITHMS[name], kernels
    if kernels == STREAMED:
        few = "columns" if algorithm.held < HELD_BYTES else "bands" if "fractions" in algorithm.parameters else "rows"
        kind = "weighs" if algorithm.weighs else few
    if which == "spread":
        other = [] if algorithm.universum else SPREAD.get(kind, [])
        return [one for one in other if not (algorithm.weighs and one.gamma)]
    if kernels == STREAMED:
        return BEYOND[kind]
    if algorithm.universum:
        return UNIVERSUM
    if which == "large":
        return LARGE[kernels]
    more = [SENTENCES] if algorithm.inputs == CHAINS else []
    more += [SINGLE] if algorithm.weighs and kernels == "matrices" else []
    return [*PROBLEMS[kernels], *more]


def words_of(name: str, task: str, kernels: str, problem: Problem, path: Path) -> list[str]:
    """Return the words of a command line."""
    words = [f"algo={name}", f"task={task}", "protocol=rotation5"]
    if kernels == CHAINS:
        words += ["dataset=conll", f"dataset.path={path}", "dataset.target=-1", "scaling=none", f"kernel={CHAINS}"]
        words += ["kernel.degree=2"] * (KERNELS in ALGORITHMS[name].choices)
    elif ALGORITHMS[name].universum:
        words[-1] = "protocol=swap3500"
        words += ["dataset=mnist_universum", f"dataset.n_universum={problem.n}"]
        words += ["kernel=gaussian", f"kernel.gammas={np.geomspace(1.0, 4.0, problem.p).tolist()}"]
    else:
        words += ["dataset=csv", f"dataset.path={path}", "dataset.target=label", "scaling=unit"]
        words += kernel_of(name, kernels, problem)
    grid = compose_config([f"algo={name}"])["algo"]
    for key, parameter in ALGORITHMS[name].parameters.items():
        if isinstance(parameter.kind, Numbers) and grid.get(key):
            first = problem.step // 2 if kernels == STREAMED else 0  # not the strongest penalty alone
            words.append(f"algo.{key}={grid[key][min(first, len(grid[key]) - 1) :: problem.step]}")
    if problem.tol:
        words.append(f"algo.tol={problem.tol}")
    if "every" in grid:
        words.append(f"algo.every={10 * problem.step}")
    return words


def kernel_of(name: str, kernels: str, problem: Problem) -> list[str]:
    """Return the words of the kernels of examples."""
    words = []
    if kernels.startswith("all "):
        words += [f"kernel={kernels.removeprefix('all ')}", "kernel.number=0", "algo.over=all"]
    elif kernels not in ("matrices", STREAMED):
        words += [f"kernel={kernels}"]
    elif problem.gamma:
        words += ["kernel=gaussian", f"kernel.gammas=[{problem.gamma}]"]
    elif ALGORITHMS[name].weighs or (kernels == STREAMED and ALGORITHMS[name].held == HELD_BYTES):
        first, last = (0.03, 3.0) if ALGORITHMS[name].weighs else (1.0, 0.3)
        gammas = np.geomspace(first, last, problem.p).tolist()
        words += ["kernel=gaussian", f"kernel.gammas={gammas}"]
    else:
        words += ["kernel=polynomial", f"kernel.degrees={list(range(1, problem.p + 1))}"]
    return words


def write_problem(path: Path, n: int, d: int, noise: float = 0.1) -> None:
    """Write examples whose labels depend on two products of directions, some of them turned round."""
    random = np.random.default_rng(0)
    X = random.standard_normal((n, d))
    Z = X @ random.standard_normal((d, 4)) / np.sqrt(d)
    label = Z[:, 0] + Z[:, 1] * Z[:, 2] > 0
    label ^= random.random(n) < noise
    head = ",".join([*(f"x{j}" for j in range(d)), "label"])
    lines = [",".join([*map("{:.6g}".format, row), str(y)]) for row, y in zip(X, label.astype(int), strict=True)]
    path.write_text("\n".join([head, *lines]) + "\n")


def write_sentences(path: Path, n: int, p: int, length: int, noise: float = 0.1) -> None:
    """Write sentences of `length` words on average, of p different ones; labels follow from them, less from others."""
    random = np.random.default_rng(0)
    favours, follows = random.standard_normal((p, LABELS)), 0.3 * random.standard_normal((LABELS, LABELS))
    lines = []
    for _ in range(n):
        label = None
        for _ in range(random.integers(1, 2 * length + 1)):
            word = min(int(random.exponential(p / 10)), p - 1)  # some are frequent, most are rare
            scores = favours[word] + noise * random.standard_normal(LABELS)
            label = int((scores if label is None else scores + follows[label]).argmax())
            lines.append(f"w{word:x} L{label}")
        lines.append("")
    path.write_text("\n".join(lines))
