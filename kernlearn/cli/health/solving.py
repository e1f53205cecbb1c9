"""Solve a tiny problem by every method and every solver, and look at the certificates."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.health.findings import Finding, Solved, note, ok, problem
from kernlearn.datasets import load
from kernlearn.errors import one_line
from kernlearn.parameters import Choice, Numbers
from kernlearn.runner.cell.measure import rows_of_fit
from kernlearn.runner.engines.timing import counted, duration
from kernlearn.runner.plan.config import check_experiment
from kernlearn.runner.plan.plan import plan
from kernlearn.streams import emit, has_events, tell

#: The parameter that chooses a solver, and the value that leaves the choice to the method.
SOLVER, AUTO = "solver", "auto"
#: Rows of the table, and sentences with so many words.
ROWS, SENTENCES, WORDS = 36, 12, 4
#: The largest relative gap of a solver that is not the default of its method, such as that of LibSVM.
LOOSE = 1e-2
#: Seconds between two lines that say which problem is being solved.
PAUSE = 2.0


def check_solvers(seconds: float, solved: list[Solved]) -> Iterator[Finding]:
    """Yield what is found of the solvers, in at most so many seconds and one problem more.

    The list `solved` receives every problem.
    """
    todo, start = [(name, solver) for name, method in ALGORITHMS.items() for solver in _solvers(method)], perf_counter()
    todo.sort(key=lambda one: one[1] is None)  # solvers of other packages first
    said = start
    with TemporaryDirectory(prefix="kernlearn-check-") as folder, threadpool_limits(1):
        _write(Path(folder))
        for name, solver in todo:
            if solved and perf_counter() - start > seconds:
                break
            if not solved or perf_counter() - said > PAUSE:
                _say(name, solver, len(solved), len(todo))
                said = perf_counter()
            solved.append(_solve(name, solver, Path(folder)))
    hint = "install kernlearn in an empty environment, where all packages fit each other"
    alike: dict[str, list[str]] = {}
    for one in solved:
        if not is_sound(one):
            gap = "" if one["gap"] is None else f", relative gap {one['gap']:.1e}"
            alike.setdefault(f"{one['error'] or one['status']}{gap}", []).append(_named(one))
    for words, names in alike.items():
        yield problem("solvers", f"{', '.join(names)}: {words}", hint)
    sound = [one for one in solved if is_sound(one)]
    optimal = [one for one in sound if one["status"] == "optimal"]
    n, methods = counted(len(solved), "problem"), counted(len({one["method"] for one in solved}), "method")
    largest = max((abs(one["gap"] or 0.0) for one in optimal), default=0.0)
    took = duration(sum(one["seconds"] for one in solved))
    others = [f"{_named(one)}: {one['status']}" for one in sound if one not in optimal]
    rest = f"; as expected, {', '.join(others)}" if others else ""
    proved = f"{len(optimal)} of {n} of {methods} are proved optimal in {took}"
    yield ok("solvers", f"{proved}, largest relative gap {largest:.1e}{rest}")
    if left := len(todo) - len(solved):
        words = f"{counted(left, 'problem')} not tried in {seconds:.0f} s, since functions are compiled at first"
        yield note("solvers", words, "kernlearn check --all tries all of them")


def _say(name: str, solver: str | None, done: int, total: int) -> None:
    """Say on the standard error stream which problem is being solved."""
    words = _words_of(name, solver)
    if has_events():
        emit("progress", what="problems", done=done, total=total, failed=0, seconds_left=None, at_work=[words])
    else:
        tell(f"solving    {words} ({done + 1} of {total} problems)")


def _named(one: Solved) -> str:
    return _words_of(one["method"], one["solver"])


def _words_of(name: str, solver: str | None) -> str:
    return name + (f" with {SOLVER}={solver}" if solver else "")


def is_sound(one: Solved) -> bool:
    """Return whether a problem ended as it has to: proved optimal, unless the method or the solver may stop before."""
    if one["error"] is not None or one["gap"] is None:
        return False
    method = ALGORITHMS[one["method"]]
    is_default = one["solver"] in (None, method.parameters[SOLVER].default if SOLVER in method.parameters else None)
    return one["status"] == "optimal" or not method.always_optimal or (not is_default and abs(one["gap"]) <= LOOSE)


def _solvers(method: Method) -> Sequence[str | None]:
    """Return the solvers of a method, or only None."""
    kind = method.parameters[SOLVER].kind if SOLVER in method.parameters else None
    return [name for name in kind.options if name != AUTO] if isinstance(kind, Choice) else [None]


def _write(folder: Path) -> None:
    """Write a table with two overlapping classes and a real target, and sentences."""
    random = np.random.default_rng(0)
    labels = np.arange(ROWS) % 2
    X = random.normal(size=(ROWS, 3)) + labels[:, None]
    X[1] = X[0]  # of the other class: nothing separates them
    rows = [f"{','.join(f'{x:.4f}' for x in row)},{row.sum():.4f},{'np'[y]}" for row, y in zip(X, labels, strict=True)]
    (folder / "table.csv").write_text("\n".join(["a,b,c,real,label", *rows]) + "\n")
    pairs = random.integers((5, 2), size=(SENTENCES, WORDS, 2))
    sentences = ["".join(f"w{word} {'AB'[label]}\n" for word, label in sentence) for sentence in pairs]
    (folder / "sentences.txt").write_text("\n".join(sentences))


def _solve(name: str, solver: str | None, folder: Path) -> Solved:
    method, start = ALGORITHMS[name], perf_counter()
    found: Solved = {"method": name, "solver": solver, "status": None, "gap": None, "seconds": 0.0, "error": None}
    try:
        experiment = check_experiment(compose_config(_words(method, solver, folder)))
        data = load(**experiment.dataset)
        if method.universum:
            data = replace(data, universum=np.ascontiguousarray(data.X[:6] + 0.1))
        n, every = data.X.shape[0], np.arange(data.X.shape[0])
        cell, fit = plan(experiment, data).cells[0], (every[: 2 * n // 3], {"validation": every[2 * n // 3 :]})
        rows = rows_of_fit(cell, data, fit, every)
        statuses = [row["status"] for row in rows]
        found["status"] = next((one for one in statuses if one != "optimal"), "optimal")
        found["gap"] = max((row["gap"] for row in rows), key=abs)
    except Exception as error:  # a broken package may raise anything
        found["error"] = one_line(error)
    found["seconds"] = perf_counter() - start
    return found


def _words(method: Method, solver: str | None, folder: Path) -> list[str]:
    """Return the words of a configuration with a single grid point."""
    words = [f"algo={method.name}", "protocol=halves10_cv5"]
    if not method.takes(sequential=False):
        words += ["dataset=conll", f"dataset.path={folder / 'sentences.txt'}"]
    else:
        words += ["dataset=csv", f"dataset.path={folder / 'table.csv'}"]
        regression = ["dataset.target=real", "dataset.drop=[label]", "task=regression"]
        words += ["dataset.target=label", "dataset.drop=[real]"] if "classification" in method.tasks else regression
        if method.inputs == KERNELS:
            words += ["kernel=gaussian", f"kernel.gammas={'[0.3,3.0]' if method.weighs else '[1.0]'}"]
    for key, parameter in method.parameters.items():
        if isinstance(parameter.kind, Numbers) and parameter.default:
            words.append(f"algo.{key}=[{_middle(parameter.default)}]")
    return words if solver is None else [*words, f"algo.{SOLVER}={solver}"]


def _middle(values: Sequence[Any]) -> Any:
    return values[len(values) // 2]
