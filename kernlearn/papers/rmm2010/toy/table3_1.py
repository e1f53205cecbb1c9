"""Table 3.1 of Shivaswamy (2010), and the examples of figure 3.1: bounds that tell two labellings apart, or do not."""

from typing import Any

import numpy as np

from kernlearn.evaluation.risk_bounds.relative_margin import rmm_bound, sigma_svm_bound, svm_bound
from kernlearn.papers.core.colours import COLOURS
from kernlearn.papers.core.compare import printed_rows
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import OURS, Claim, everywhere, judgement
from kernlearn.types import Array

SIZE = (7.5, 5.2)
#: Of a quarter of an ellipse: its half axes, and the lines of the lattice along each.
LENGTHS, LINES = np.array([6.0, 0.6]), (16, 13)
SHARES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999)
LAST = SHARES[-1]
EXAMPLES = {"toy_example_1": 0, "toy_example_2": 1}
METHODS = {"svm": COLOURS[1], "sigma_svm": COLOURS[0], "rmm": COLOURS[2]}
#: For what is equal but for rounding.
SAME = 1e-6


def examples() -> Array:
    """Return the examples, shape (n, 2); their labels are the signs of the first, or of the second, coordinate."""
    lattice = np.stack(np.meshgrid(*(np.linspace(0.0, 1.0, lines) for lines in LINES)), axis=-1).reshape(-1, 2)
    quarter = 1.0 + LENGTHS * lattice[(lattice**2).sum(axis=1) <= 1.0 + 1e-12]
    return np.concatenate([quarter * [s, t] for s in (1.0, -1.0) for t in (1.0, -1.0)])


def points() -> Rows:
    """Return the three bounds, with the gap of what was solved for each, for every labelling and D."""
    X, rows = examples(), []
    for example, axis in EXAMPLES.items():
        y = np.sign(X[:, axis])
        for D in SHARES:
            bounds = {"svm": svm_bound(X, y), "sigma_svm": sigma_svm_bound(X, y, D), "rmm": rmm_bound(X, y, D)}
            rows += [
                {"example": example, "D": D, "method": name, "bound": bound.value, "gap": bound.gap}
                for name, bound in bounds.items()
            ]
    return rows


def claims(rows: Rows) -> list[Claim]:
    """Return what section 3.5 says of the two examples."""
    bound = {(row["example"], row["D"], row["method"]): row["bound"] for row in rows}
    first, second = ({name: bound[example, LAST, name] for name in METHODS} for example in EXAMPLES)
    best = {
        (example, name): min((bound[example, D, name], D) for D in SHARES)[1]
        for example in EXAMPLES
        for name in ("sigma_svm", "rmm")
    }
    gap = max(row["gap"] for row in rows)
    return [
        everywhere(
            "with D = 0 the bounds for Sigma-SVM and RMM are that for the SVM",
            {
                f"{example} {name}": abs(bound[example, 0.0, name] / bound[example, 0.0, "svm"] - 1.0) <= SAME
                for example in EXAMPLES
                for name in METHODS
            },
        ),
        (
            "the bound for the SVM does not distinguish between the two examples",
            ", ".join(f"{bounds['svm']:.3f}" for bounds in (first, second)),
            judgement(abs(first["svm"] / second["svm"] - 1.0) <= SAME),
        ),
        (
            f"example 1, D = {LAST}: the bound for the SVM is below that for the Sigma-SVM, and this below the RMM's",
            _words(first),
            judgement(first["svm"] < first["sigma_svm"] < first["rmm"]),
        ),
        (
            f"example 2, D = {LAST}: the bound for the Sigma-SVM is below that for the RMM, and this below the SVM's",
            _words(second),
            judgement(second["sigma_svm"] < second["rmm"] < second["svm"]),
        ),
        (
            "the best D is 0 in example 1 and close to one in example 2",
            ", ".join(f"{example} {name} {D:g}" for (example, name), D in best.items()),
            judgement(all(D >= 0.99 if example == "toy_example_2" else D == 0.0 for (example, _), D in best.items())),
        ),
        ("programs are solved to their optimal value", f"within {gap:.0e}", judgement(gap <= SAME, OURS)),
    ]


def printed() -> dict[tuple[str, float, str], float]:
    """Return the printed bounds by example, D and method."""
    return {
        (row["dataset"], float(row["setting"].removeprefix("D=") or 0.0), row["algorithm"]): float(row["mean"])
        for row in printed_rows("rmm2010/table3_1")
    }


def draw(canvas: Any, rows: Rows) -> None:
    """Draw the two labellings on the left and the bounds on the right, with the printed ones as crosses."""
    X, paper = examples(), printed()
    for line, (example, axis) in zip(canvas.subplots(2, 2, width_ratios=(1.5, 1)), EXAMPLES.items(), strict=True):
        left, right = line
        for sign, marker in ((1.0, "o"), (-1.0, "s")):
            some = X[np.sign(X[:, axis]) == sign]
            left.plot(some[:, 0], some[:, 1], marker, color=COLOURS[0 if sign > 0 else 1], markersize=2)
        left.set_title(example.replace("_", " "))
        left.set_aspect("equal")
        for name, colour in METHODS.items():
            mine = [row for row in rows if row["example"] == example and row["method"] == name]
            places = np.arange(len(mine))
            right.plot(places, [row["bound"] for row in mine], ".-", color=colour, label=name)
            crosses = [(place, paper.get((example, row["D"], name))) for place, row in zip(places, mine, strict=True)]
            right.plot(*zip(*[c for c in crosses if c[1] is not None], strict=True), "x", color=colour)
        right.set_xticks(np.arange(len(SHARES)), [f"{D:g}" for D in SHARES], fontsize=7)
        right.set_ylabel("bound")
    right.set_xlabel("D")
    line[0].set_xlabel("crosses: printed values, of coordinates that are not given")
    right.legend()


def _words(values: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in values.items())
