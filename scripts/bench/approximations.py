"""Approximate kernel machines against the exact problem: gap, time and test score by the number of landmarks.

The kernel is Gaussian with gamma = 1/6 in 6 dimensions, and the examples are normal. There is a regression, ``y =
sin(x_1) + x_2 x_3`` and noise of deviation 0.3, and two classes by the sign of ``x_1 + x_2 x_3``, with 10 % of the
labels turned round. Nystroem and RBFSampler
are those of scikit-learn, with a linear model after them; "subset" is the exact solution for m of the examples.
The objective is that of the exact problem on all n examples. The certified gap is that to the bound of the solution's
own multipliers, and takes no other solution. The gap is that to the best bound that any solver found. The function of
random features is that of the exact kernel with the same multipliers, since they have no function in its space; their
test score is that of the features. Times are CPU seconds on one thread, imports and compilation apart. The score is the
RMSE, or the error in per cent, on 4,000 other examples; the best possible is 0.3, or 10 %.

    python scripts/bench/approximations.py --n 1000            # some lines, to the terminal
    python scripts/bench/approximations.py --n 1000 --record   # and to the table, with the picture
    python scripts/bench/approximations.py --draw              # picture and report of the table as it is
"""

import argparse
import csv
import io
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from common import cpu
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC

from kernlearn import certify
from kernlearn.algorithms import ALGORITHMS, Reals
from kernlearn.algorithms import Problem as Given
from kernlearn.atomic import write_atomically
from kernlearn.certificates.foreign import Proof
from kernlearn.certificates.proofs.centres import Centres, best_multipliers, prove_centres
from kernlearn.certificates.proofs.problem import Problem
from kernlearn.kernels import make_family
from kernlearn.kernels.matrices.inputs import make_inputs
from kernlearn.kernels.matrices.rows import kernel_rows
from kernlearn.kernels.matrices.streamed import StreamedStack
from kernlearn.report.markdown import table_line
from kernlearn.report.pictures import render
from kernlearn.runner.provenance.made import made
from kernlearn.runner.provenance.record import Computation, provenance, write_provenance
from kernlearn.runner.store.files import read_json
from kernlearn.solvers import KernelGram, SMOSolver
from kernlearn.types import Array

TARGET = Path(__file__).parents[2] / "results" / "exact_gaps"
COLUMNS = (
    *("problem", "n", "solver", "m", "objective", "lower_bound", "certified_gap", "n_parts"),
    *("fit_cpu_seconds", "certificate_cpu_seconds", "score"),
)
D, OTHERS, C, NOISE = 6, 4000, 1.0, 0.1
GAMMA = 1.0 / D
FAMILY = make_family("gaussian", gammas=[GAMMA])
#: The problems: lambda / n of ridge regressions, None for the support vector machine.
PROBLEMS = {"ridge, lambda/n = 1e-3": 1e-3, "ridge, lambda/n = 1e-5": 1e-5, "SVM, C = 1": None}
CENTRES = (30, 100, 300, 1000, 3000)
#: With more examples there are only regressions of the larger lambda; with more than the second number no matrix of
#: all features, so that only our own sums over blocks are left.
MOST_OF_ALL, MOST_OF_FEATURES = 10_000, 100_000
#: Kernel values of a bound with more than `MOST_OF_FEATURES` examples.
VALUES_OF_MILLION = 5e10
BLOCK = 20_000
#: The picture shows gaps below this, which are rounding, as this.
FLOOR = 1e-10


def target(n: int, seed: int = 0) -> tuple[Array, Array]:
    """Return n examples and their real targets."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, D))
    return X, np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * random.standard_normal(n)


def noisy(n: int, seed: int = 0) -> tuple[Array, Array]:
    """Return n examples and their labels +-1."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n, D))
    return X, np.where((X[:, 0] + X[:, 1] * X[:, 2] > 0.0) ^ (random.random(n) < NOISE), 1.0, -1.0)


class Case(NamedTuple):
    """A problem with n examples."""

    name: str
    n: int
    X: Array
    y: Array

    @property
    def part(self) -> float | None:
        """Lambda / n."""
        return PROBLEMS[self.name]

    @property
    def lambda_(self) -> float:
        """The penalty of a ridge regression."""
        assert self.part is not None
        return self.part * self.n

    @property
    def most(self) -> float:
        """Kernel values of a bound."""
        return np.inf if self.n <= MOST_OF_FEATURES else VALUES_OF_MILLION

    def exact(self, Z: Array, coef: Array, b: float, beta: Array | None = None, rows: Array | None = None) -> Proof:
        """Return what is proved of a function with the centres Z, of our own solvers and of others."""
        machine = Centres(FAMILY, self.X, Z, coef, most=self.most, rows=rows)
        given: dict[str, Any] = {"target": self.y, "machine": machine, "intercept": b, "bias": True}
        kind: dict[str, Any] = {"loss": "hinge", "costs": np.full(self.n, C)}
        if self.part is not None:
            kind = {"loss": "squared", "costs": np.full(self.n, 1.0 / self.lambda_), "unit": 2.0 * self.lambda_}
        problem = Problem(**kind, **given, beta=beta)
        return prove_centres(problem if beta is not None else replace(problem, beta=best_multipliers(problem)))


#: What a fit gives: what proves it, and its outputs on other examples.
Fit = tuple[Callable[[], Proof], Callable[[Array], Array]]


def expansion(case: Case, Z: Array, coef: Array, b: float, **more: Any) -> Fit:
    """Return the fit of a function with centres."""
    return (
        lambda: case.exact(Z, coef, b, **more),
        lambda others: StreamedStack(FAMILY, others, Z).expand(coef[None]) + b,
    )


def features(kind: Callable[..., Any]) -> Callable[[Case, int], Fit]:
    """Return what fits a linear model of scikit-learn to approximate features."""

    def fit(case: Case, m: int) -> Fit:
        linear: Any = LinearSVC(loss="hinge", C=C, max_iter=20_000, random_state=0)
        if case.part is not None:
            linear = Ridge(alpha=case.lambda_)
        model = make_pipeline(kind(gamma=GAMMA, n_components=m, random_state=0), linear).fit(case.X, case.y)
        outputs = model.predict if case.part is not None else model.decision_function
        return lambda: certify(model, case.X, case.y, exact=True, most_kernel_values=1e12), outputs

    return fit


def subset(case: Case, m: int) -> Fit:
    """Solve the problem of m of the examples exactly; a loss of theirs stands for n/m losses."""
    some = np.sort(np.random.default_rng(0).choice(case.n, m, replace=False))
    X, y = case.X[some], case.y[some]
    if case.part is None:
        model = SVC(C=C * case.n / m, gamma=GAMMA, tol=1e-5).fit(X, y)
        return expansion(case, X[model.support_], model.dual_coef_[0], float(model.intercept_[0]))
    coef, b = regression(StreamedStack(FAMILY, X, X).matrix(0), y, case.part * m)
    return expansion(case, X, coef, b)


def blocks(case: Case, m: int) -> Fit:
    """Solve the problem of m landmarks by normal equations, which are sums over blocks of examples."""
    rows = np.sort(np.random.default_rng(0).choice(case.n, m, replace=False))
    Z = case.X[rows]
    A, v = np.zeros((m + 1, m + 1)), np.zeros(m + 1)
    for start in range(0, case.n, BLOCK):
        X = case.X[start : start + BLOCK]
        F = np.hstack([StreamedStack(FAMILY, X, Z).matrix(0), np.ones((len(X), 1))])
        A += F.T @ F
        v += F.T @ case.y[start : start + BLOCK]
    A[:m, :m] += case.lambda_ * StreamedStack(FAMILY, Z, Z).matrix(0)
    *coef, b = np.linalg.lstsq(A, v, rcond=1e-14)[0]
    return expansion(case, Z, np.array(coef), float(b))


def regression(K: Array, y: Array, lambda_: float) -> tuple[Array, float]:
    """Return coefficients and intercept of a ridge regression, in the precision of its matrix."""
    n, kind = len(y), K.dtype
    ones = np.ones(n, dtype=kind)
    A = K + kind.type(lambda_) * np.eye(n, dtype=kind)
    one, own = np.linalg.solve(A, np.stack([ones, y.astype(kind)], axis=1)).T
    b = own.sum() / one.sum()
    return (own - b * one).astype(np.float64), float(b)


def single(case: Case, _: int) -> Fit:
    """Solve the exact problem in single precision; LibSVM keeps kernel values in it, and everything else in double."""
    if case.part is None:
        model = SVC(C=C, gamma=GAMMA).fit(case.X, case.y)
        beta = np.zeros(case.n)
        beta[model.support_] = model.dual_coef_[0]
        given = case.X[model.support_], model.dual_coef_[0], float(model.intercept_[0])
        return expansion(case, *given, beta=beta, rows=model.support_)
    coef, b = regression(StreamedStack(FAMILY, case.X, case.X).matrix(0).astype(np.float32), case.y, case.lambda_)
    return expansion(case, case.X, coef, b, rows=np.arange(case.n))


def exact(case: Case, _: int) -> Fit:
    """Solve the exact problem in double precision by our own solvers, of many examples without a matrix."""
    if case.part is None:
        solution = SMOSolver(KernelGram(kernel_rows(FAMILY, case.X)), case.y, 1e-6).solve(C)
        rows = np.flatnonzero(solution.x)
        more = {"beta": solution.x, "rows": rows}
        return expansion(case, case.X[rows], solution.x[rows], float(solution.intercept), **more)
    method = ALGORITHMS["krr"]
    inputs = make_inputs(FAMILY, case.X, max_matrix_bytes=method.max_matrix_bytes)
    (point,) = method.path(Given(inputs, Reals(case.y)), lambdas=[case.lambda_])
    predictor: Any = point.predictor
    coef, b = predictor.coef[0, 0], float(predictor.intercept[0])
    return expansion(case, case.X, coef, b, beta=coef, rows=np.arange(case.n))


EXACT, SINGLE, BLOCKS = "exact, gap 1e-6", "exact, in single precision", "Nystroem by blocks"
SOLVERS: dict[str, Callable[[Case, int], Fit]] = {
    "Nystroem": features(Nystroem),
    "random features": features(RBFSampler),
    "subset": subset,
    BLOCKS: blocks,
    SINGLE: single,
    EXACT: exact,
}


def asked(name: str, n: int) -> Iterator[tuple[str, int]]:
    """Yield the solvers of a problem and their numbers of centres, n for those that take all examples."""
    if n > MOST_OF_ALL and PROBLEMS[name] != max(filter(None, PROBLEMS.values())):
        return
    if n > MOST_OF_FEATURES:
        yield BLOCKS, 1000
        return
    most = CENTRES if n <= MOST_OF_ALL else (100, 300, 1000)
    for solver in ("Nystroem", "random features", "subset"):
        yield from ((solver, m) for m in most if m <= 0.3 * n)
    if n <= MOST_OF_ALL:
        yield SINGLE, n
    yield EXACT, n


def measure(case: Case, solver: str, m: int) -> dict[str, Any]:
    """Return a line of the table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what did not converge is what is measured
        seconds, (prove, outputs) = cpu(SOLVERS[solver], case, m)
        more, proof = cpu(prove)
    Z, z = (target if case.part is not None else noisy)(OTHERS, seed=1)
    f = outputs(Z)
    score = (
        float(np.sqrt(np.mean((f - z) ** 2))) if case.part is not None else 100.0 * float(np.mean((f > 0) != (z > 0)))
    )
    gap = max(0.0, proof.relative_gap)
    return {
        **{"problem": case.name, "n": case.n, "solver": solver, "m": m, "objective": f"{proof.objective:.10g}"},
        **{"lower_bound": f"{proof.lower_bound:.10g}", "certified_gap": f"{gap:.1e}", "n_parts": proof.n_parts},
        **{"fit_cpu_seconds": f"{seconds:.2f}", "certificate_cpu_seconds": f"{more:.2f}", "score": f"{score:.4g}"},
    }


def key(row: dict[str, Any]) -> tuple[str, int, str, int]:
    """Return what tells a line of the table from the others."""
    return row["problem"], int(row["n"]), row["solver"], int(row["m"])


def gaps(rows: list[dict[str, Any]]) -> dict[tuple[str, int, str, int], float]:
    """Return the gap of every line to the best bound of its problem."""
    best: dict[tuple[str, str], float] = {}
    for row in rows:
        of = row["problem"], str(row["n"])
        best[of] = max(best.get(of, 0.0), float(row["lower_bound"]))
    return {key(row): max(0.0, 1.0 - best[row["problem"], str(row["n"])] / float(row["objective"])) for row in rows}


def read() -> list[dict[str, Any]]:
    """Return the lines of the table, none if there is none."""
    path = TARGET / "approximations.csv"
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []


def write(rows: list[dict[str, Any]], computation: Computation, seconds: float) -> None:
    """Write the table in its order, and where it comes from."""
    order = {name: i for i, name in enumerate([*PROBLEMS, *SOLVERS])}
    rows.sort(key=lambda row: (order[row["problem"]], int(row["n"]), order[row["solver"]], int(row["m"])))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    TARGET.mkdir(parents=True, exist_ok=True)
    write_atomically(TARGET / "approximations.csv", stream.getvalue().encode())
    write_provenance(TARGET / "approximations.provenance.json", provenance([], computation, seconds))


def draw(rows: list[dict[str, Any]]) -> None:
    """Write the picture: a column of panels a problem, gaps against centres above gaps against seconds."""
    found = gaps(rows)
    kinds = [name for name in SOLVERS if name not in (BLOCKS, EXACT)]
    styles = {
        n: style for n, style in zip(sorted({int(row["n"]) for row in rows}), ("-", "--", ":", "-."), strict=False)
    }

    def paint(canvas: Any) -> None:
        panels = canvas.subplots(2, len(PROBLEMS), sharey=True, squeeze=False)
        for j, name in enumerate(PROBLEMS):
            for n, style in styles.items():
                for i, solver in enumerate(kinds):
                    same = (solver, BLOCKS) if solver == "Nystroem" else (solver,)
                    mine = [
                        row for row in rows if (row["problem"], int(row["n"])) == (name, n) and row["solver"] in same
                    ]
                    values = [max(found[key(row)], FLOOR) for row in mine]
                    look = {"color": f"C{i}", "linestyle": style, "marker": ".", "linewidth": 1.0}
                    label = f"{solver}, n = {n:,}" if mine else None
                    panels[0, j].loglog([int(row["m"]) for row in mine], values, label=label, **look)
                    times = [max(float(row["fit_cpu_seconds"]), 0.01) for row in mine]
                    panels[1, j].loglog(times, values, **look)
            panels[0, j].set_title(name, fontsize=9)
            panels[0, j].set_xlabel("centres or features m")
            panels[1, j].set_xlabel("CPU seconds of the fit")
            panels[1, j].legend(
                *panels[0, j].get_legend_handles_labels(), fontsize=6, loc="upper left", bbox_to_anchor=(0.0, -0.25)
            )
        for row in panels:
            row[0].set_ylabel("gap to the exact problem")

    for ending, content in render((3.4 * len(PROBLEMS), 7.4), paint).items():
        write_atomically(TARGET / f"approximations{ending}", content)


def report(rows: list[dict[str, Any]]) -> str:
    """Return the report in Markdown."""
    found = gaps(rows)
    lines = [
        *("# Approximate kernel machines against the exact problem", ""),
        *("`python scripts/bench/approximations.py --n 1000 10000 100000 1000000 --record`", ""),
        *(" ".join((__doc__ or "").split("\n\n")[1].split()), ""),
        *("![gaps by centres and by seconds](approximations.svg)", ""),
        table_line(("problem", "n", "solver", "m", "gap", "certified", "parts", "fit, s", "certificate, s", "score")),
        "|---|---|---|" + "---|" * 7,
    ]
    for row in rows:
        numbers = row["certified_gap"], row["n_parts"], row["fit_cpu_seconds"], row["certificate_cpu_seconds"]
        cells = row["problem"], f"{int(row['n']):,}", row["solver"], row["m"], f"{found[key(row)]:.1e}", *numbers
        lines.append(table_line([*map(str, cells), str(row["score"])]))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure what the table does not have, and print it; with ``--record`` write table, picture and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, nargs="+", default=[1000], help="numbers of examples")
    parser.add_argument("--problems", nargs="+", choices=list(PROBLEMS), default=list(PROBLEMS), metavar="NAME")
    parser.add_argument(
        "--record", action="store_true", help="write results/exact_gaps; without, lines are printed only"
    )
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    arguments = parser.parse_args()
    path, record = TARGET / "approximations.provenance.json", arguments.record or arguments.draw
    rows, start = read() if record else [], perf_counter()
    computation = Computation(read_json(path) if record and path.exists() else None)
    done = {key(row) for row in rows}
    for n in [] if arguments.draw else arguments.n:
        for name in arguments.problems:
            todo = [one for one in asked(name, n) if (name, n, *one) not in done]
            data = (target if PROBLEMS[name] is not None else noisy)(n)
            warm = Case(name, 200, *(part[:200] for part in data))
            for solver, m in todo:
                measure(warm, solver, min(m, 60 if m < n else 200))  # all that is to be compiled
                began = perf_counter()
                row = measure(Case(name, n, *data), solver, m)
                print(*(row[column] for column in COLUMNS), sep="  ", flush=True)
                computation.add(f"{name}, n = {n}", made(seconds=perf_counter() - began))
                rows.append(row)
                if record:
                    write(rows, computation, perf_counter() - start)
    if record:
        rows = read()
        draw(rows)
        write_atomically(TARGET / "approximations.md", report(rows).encode())


if __name__ == "__main__":
    main()
