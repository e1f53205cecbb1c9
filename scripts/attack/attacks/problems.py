"""One seeded problem after another: draw it, run the package on it, hold every claim against the oracle."""

import traceback
import warnings
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import kernlearn
from attacks import estimators, exact_problems, graphs, networks, paths, sequences, tables, units, variants, votes
from attacks.held import ALLOWED, FLOOR, Held
from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.algorithms.core.certified import LOST
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.errors import UserError
from kernlearn.estimators.common.search import PathSearch

#: Where methods without an oracle here have one.
TESTS = Path(__file__).parents[3] / "tests" / "algorithms"
#: What attacks methods by their inputs, where these are no kernels of examples.
OTHERS = {"stumps": votes, "graph": graphs, "features": networks}
#: Kinds of findings, and whether one of them is a failure of the attack.
KINDS = {
    "false": True,
    "infeasible": True,
    "traceback": True,
    "hang": True,
    "death": True,
    "broken": True,
    "order": True,
    "units": True,
    "kernel": True,
    "ascent": True,
    "indefinite": True,
    "outputs": True,
    "predict": True,
    "wrong": True,
    "names": True,
    "rounding": False,
    "inaccurate": False,
    "oracle": False,
    "refused": False,
}


@dataclass
class Report:
    """What came of one problem."""

    method: str
    number: int
    optima: int = 0
    sharp: int = 0
    worst: float = 0.0
    seconds: float = 0.0
    traits: list[str] = field(default_factory=list)
    findings: list[tuple[str, float, str]] = field(default_factory=list)

    def add(self, held: Held) -> None:
        """Take note of a claim that was held."""
        self.optima += 1
        self.sharp += bool(held.oracle_gap < 1e-6)
        wrong = held.findings()
        self.worst = max([self.worst, *(by for kind, by, _ in wrong if kind in ("false", "infeasible"))])
        self.findings += wrong


def attack_path(name: str, seed: int, number: int) -> Report:
    """Attack an algorithm of the registry."""
    rng = np.random.default_rng([seed, number, *name.encode()])
    report = Report(name, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            sample_task = paths.draw_task(rng, name)
        except UserError as error:
            report.findings.append(("refused", 0.0, str(error)))
            return report
        task = sample_task
        report.traits = [*task.traits, f"{task.stack.family.name} p={len(task.K)}", str(task.values)]
        if task.kernel_error > variants.KERNEL:
            report.findings.append(("kernel", task.kernel_error, f"an entry is wrong by {task.kernel_error:.1e}"))
        points = _run(task, report)
        if points is None:
            return report
        if name == "dc":
            report.findings += [("ascent", rise, words) for words, rise, gap in variants.rises(task) if rise > gap]
        for values, said in points:
            if missed := variants.first_stage(task, said):
                report.findings.append(("false", missed, f"{values}: weights miss their definition by {missed:.1e}"))
            if held := _hold(task, values, said, report):
                report.add(held)
        if task.less is not None:  # the others have matrices, which are rounded before anything is done with them
            task = task.with_matrices(task.K)
            points = _run(task, report, "as matrices") or []
        helds = [_hold(task, *point, report) for point in points]
        units = [(held.rounding, FLOOR * held.zero) if held else (0.0, 1e-300) for held in helds]
        for what, other, factor in variants.variants(task, rng):
            if name == "dc" and not what.startswith("size"):
                continue  # of several critical points rounding may decide
            _compare(report, what, points, _run(other, report, what), factor, variants.exact(task), units)
    return report


def _hold(task: paths.Task, values: Any, said: Any, report: Report) -> Held | None:
    try:
        return paths.hold(task, values, said)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
        report.findings.append(("oracle", 0.0, f"{values}: the oracle failed: {error}"))
        return None


def _run(task: paths.Task | votes.Task | networks.Task | graphs.Task, report: Report, variant: str = "") -> Any:
    try:
        return task.run()
    except Exception as error:
        _failed(report, error, variant)
    return None


def _failed(report: Report, error: Exception, variant: str) -> None:
    """Take note of a refusal in one line, or of an error that is none."""
    if isinstance(error, UserError):
        report.findings.append(("refused", 0.0, f"{variant} {error}".strip()))
        return
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{place.filename.rpartition('/')[2]}:{place.lineno}"
    words = str(error).partition("\n")[0]
    report.findings.append(("traceback", 0.0, f"{variant} {type(error).__name__}: {words} ({where})".strip()))


def _compare(report: Report, what: str, points: Any, others: Any, factor: float, exact: bool, units: Any) -> None:
    """Compare objectives of the same problem in another order or other units."""
    if not points or others is None:
        return
    kind = "units" if what.startswith("size") else "order"
    for (values, one), (_, two), (rounding, least) in zip(points, others, units, strict=True):
        there = two.objective / factor
        scale = max(abs(one.objective), abs(there), least) or 1.0
        certain = abs(one.gap) + abs(two.gap) + variants.FIRST_STAGE.get(report.method, 0.0)
        apart = (abs(one.objective - there) - 2 * rounding) / scale - certain
        words = f"{what}: {values}: {one.objective!r} (gap {one.gap:.1e}) and {there!r} (gap {two.gap:.1e})"
        if not apart <= ALLOWED:
            report.findings.append((kind, apart, words))
        elif exact and kind == "units" and (one.status, two.status).count("optimal") == 1:
            if LOST in (one.status, two.status) or rounding > ALLOWED * scale:  # of the matrices, in these units
                continue
            report.findings.append((kind, 0.0, f"{words}, status {one.status} and {two.status}"))


def attack_inputs(name: str, seed: int, number: int) -> Report:
    """Attack an algorithm of the registry that learns from stumps, a graph, features of networks, or sequences."""
    rng = np.random.default_rng([seed, number, *name.encode()])
    report = Report(name, number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kind: Any = sequences if ALGORITHMS[name].sequential else OTHERS[ALGORITHMS[name].inputs]
        task = kind.draw_task(rng, name)
        report.traits = [*task.traits, str(task.values)]
        for point in _run(task, report) or []:
            report.optima += 1
            report.findings += kind.hold(task, point)
    report.worst = max([0.0, *(by for kind, by, _ in report.findings if KINDS[kind])])
    return report


def attack_estimator(name: str, seed: int, number: int) -> Report:
    """Attack a public estimator."""
    rng = np.random.default_rng([seed, number, *name.encode()])
    report = Report(name, number)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            told, X, y, K = estimators.draw_problem(rng, name)
            report.traits = [f"X {X.shape}", str(told)]
            if bad := estimators.indefinite(rng, name, told, K):
                told, X = bad
                report.traits = [f"indefinite X {X.shape}", str(told)]
                said.clear()
                estimators.fit(name, told, X, y)
                if not said:
                    words = "an indefinite matrix is neither refused nor spoken of"
                    report.findings.append(("indefinite", 0.0, f"{told}: {words}"))
                return report
            estimator = estimators.fit(name, told, X, y)
        except Exception as error:
            _failed(report, error, "")
            return report
        try:
            held = estimators.hold(name, told, X, y, K, estimators.found(estimator, K))
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            report.findings.append(("oracle", 0.0, f"the oracle failed: {error}"))
            held = None
        if held:
            report.add(held)
    return report


#: Attacks of an estimator, or of a form of files, whose name follows a slash.
GENERATORS = {"exact": exact_problems.attack, "units": units.attack, "files": tables.attack}


def attack_generated(name: str, seed: int, number: int) -> Report:
    """Attack an estimator by a problem with an exact oracle or in other units, or the readers by a file."""
    rng, report = np.random.default_rng([seed, number, *name.encode()]), Report(name, number)
    kind, _, method = name.partition("/")
    try:
        report.traits, report.findings = GENERATORS[kind](rng, method)
    except Exception as error:
        _failed(report, error, "")
        return report
    report.optima = report.sharp = int(kind == "exact")
    report.worst = max([0.0, *(by for kind, by, _ in report.findings if KINDS[kind])])
    return report


def attack(name: str, seed: int, number: int) -> Report:
    """Attack a method by the problem of a number."""
    if name.partition("/")[0] in GENERATORS:
        return attack_generated(name, seed, number)
    if name not in ALGORITHMS:
        return attack_estimator(name, seed, number)
    by_path = ALGORITHMS[name].inputs == KERNELS and not ALGORITHMS[name].sequential
    return (attack_path if by_path else attack_inputs)(name, seed, number)


def public_estimators() -> list[str]:
    """Return the names of the estimators that the package offers, without those that choose parameters of others."""
    names = [name for name in kernlearn.__all__ if hasattr(getattr(kernlearn, name), "fit")]
    return [name for name in names if not issubclass(getattr(kernlearn, name), PathSearch)]  # these refit another


def file_of(method: Method) -> str:
    """Return the name of the file of a method, as its test is called."""
    path = method.path.func if isinstance(method.path, partial) else method.path
    return path.__module__.rpartition(".")[2]


def attacked() -> list[str]:
    """Return the methods that have an oracle here."""
    return [
        name
        for name, method in ALGORITHMS.items()
        if method.sequential or method.inputs in OTHERS or paths.has_oracle(name)
    ]


def check_registries() -> None:
    """Fail loudly where a method of the package has no oracle, here or as a test of its own."""
    here = attacked()
    for name in ALGORITHMS:
        own = f"test_{file_of(ALGORITHMS[name])}.py"
        if name not in here and not (TESTS / own).exists():
            raise KeyError(f"no oracle for {name}: add it to scripts/attack/attacks/, or {TESTS.name}/{own}")
    for name in set(public_estimators()) - set(estimators.VALUES):
        method = getattr(kernlearn, name).__module__.rpartition(".")[2]
        if not (TESTS / f"test_{method}.py").exists():
            raise KeyError(f"no oracle for {name}: add it to attacks/estimators.py, or a test_{method}.py")
    exact_problems.check(public_estimators())
    units.check(public_estimators())


#: Everything that is attacked.
METHODS = [
    *attacked(),
    *estimators.VALUES,
    *(f"exact/{name}" for name in [*exact_problems.EXPANSIONS, *exact_problems.OTHERS]),
    *(f"units/{name}" for name in units.LAWS),
    *(f"files/{name}" for name in tables.FORMS),
]
