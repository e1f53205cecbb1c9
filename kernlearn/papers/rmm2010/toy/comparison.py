"""SVM against RMM on draws of two Gaussians: what figures 2.2 and 2.3 of Shivaswamy (2010) have in common."""

from collections import defaultdict
from collections.abc import Mapping
from statistics import fmean, stdev
from typing import Any

from kernlearn.evaluation.significance import corrected_resampled_t, holm
from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.figures import Rows
from kernlearn.papers.core.measured import Claim, everywhere
from kernlearn.papers.rmm2010.toy.gaussians import Draw

#: How the machines are called in rows and in the picture.
MACHINES = {"svm": "SVM", "rmm": "RMM"}


def compare(seed: int, n: int, stretch: float = 1.0) -> dict[str, Any]:
    """Return the test errors of the SVM and of the RMM that err least on the validation part, and that of Bayes.

    Beside the errors on the test part there are the exact ones, ``_risk_pct``.
    """
    draw = Draw(seed, n, stretch)
    row: dict[str, Any] = {"n": n, "bayes_pct": draw.test.error_pct(draw.bayes[:, None])[0]}
    best = draw.best()
    for name, machine in best.items():
        row[f"{name}_pct"] = draw.test.error_pct(machine.line[:, None])[0]
        row[f"{name}_risk_pct"] = draw.risk_pct(machine.line[:, None])[0]
        row[f"{name}_C"] = machine.C
        row[f"{name}_gap"] = machine.gap
    return {**row, "rmm_fraction": best["rmm"].fraction, "rmm_B": best["rmm"].B}


def mean_by(rows: Rows, key: str, column: str) -> dict[float, float]:
    """Return the means over the repetitions."""
    return {value: fmean(column) for value, column in _by(rows, key, column).items()}


def better(rows: Rows, key: str, level: float) -> list[Claim]:
    """Return whether the RMM errs significantly less than the SVM everywhere, before and after correction.

    The test is the paired t-test, the correction Holm's for the number of tests. As the repetitions share no examples,
    none is needed for resampling.
    """
    svm, rmm = _by(rows, key, "svm_pct"), _by(rows, key, "rmm_pct")
    differences = {value: [x - z for x, z in zip(svm[value], rmm[value], strict=True)] for value in svm}
    p = {value: corrected_resampled_t(one, 0.0) for value, one in differences.items()}
    percent = f"{100 * level:g} %"
    return [
        _significant(f"the RMM errs less than the SVM, paired t-test at {percent}", differences, p, key, level),
        _significant(
            f"the same with Holm's correction for {len(p)} tests",
            *(differences, dict(zip(p, holm(list(p.values())), strict=True)), key, level),
        ),
    ]


def curves(canvas: Any, rows: Rows, key: str, words_of_key: str) -> None:
    """Draw mean test errors, with their standard errors, and the Bayes error."""
    axes = canvas.subplots()
    for (name, words), colour, marker in zip(MACHINES.items(), COLOURS, "ox", strict=False):
        values = _by(rows, key, f"{name}_pct")
        means = [fmean(column) for column in values.values()]
        errors = [stdev(column) / len(column) ** 0.5 if len(column) > 1 else 0.0 for column in values.values()]
        axes.errorbar(list(values), means, errors, fmt=f"{marker}-", color=colour, capsize=2, markersize=4, label=words)
    bayes = mean_by(rows, key, "bayes_pct")
    axes.plot(list(bayes), list(bayes.values()), "--", color=GREY, label="Bayes")
    axes.set_xscale("log")
    axes.set_xticks(list(bayes), [f"{value:g}" for value in bayes])
    axes.minorticks_off()
    axes.set_xlabel(words_of_key)
    axes.set_ylabel("mean test error and its standard error, %")
    axes.grid(axis="y", linewidth=0.4, color="0.88")
    canvas.legend(loc="outside upper center", ncols=3)


def _by(rows: Rows, key: str, column: str) -> dict[float, list[float]]:
    values = defaultdict(list)
    for row in rows:
        values[row[key]].append(row[column])
    return dict(sorted(values.items()))


def _significant(
    text: str, differences: Mapping[float, list[float]], p: Mapping[float, float], key: str, level: float
) -> Claim:
    true = {f"{key}={value:g} (p={p[value]:.2g})": p[value] < level and fmean(differences[value]) > 0 for value in p}
    claim, text_of_all, verdict = everywhere(text, true)
    largest = max(p.values(), default=1.0)
    return (claim, text_of_all if verdict != "holds" else f"{text_of_all}, p at most {largest:.1g}", verdict)
