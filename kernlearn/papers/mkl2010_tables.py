"""Rostamizadeh (2010), Learning with Multiple Kernels: what the thesis says of its tables and of figure 3.1."""

from collections.abc import Sequence
from statistics import correlation

from kernlearn.papers.compare import table_values
from kernlearn.papers.measured import Claim, Measured, counted, everywhere, judgement

#: The metrics of regressions and of classifications.
ERRORS = ("rmse", "error_pct")
#: What table 3.1 compares; the one-stage method of a row is the one that it has.
ONE_STAGE = ("l2_krr", "l1_mkl")


def _rows(measured: Measured, *columns: str) -> list[tuple[str, str]]:
    """Return the rows that have these columns, with the metric of their error: RMSE for regressions."""
    regressions = measured.rows("rmse", *columns)
    return [(row, "rmse" if row in regressions else "error_pct") for row in measured.rows("alignment", *columns)]


def claims_table2_1(measured: Measured) -> list[Claim]:
    """Section 2.5.1: the centred alignment tells the error, the other one not always."""
    rho, A = (
        {
            row: measured.mean(row, column, metric)
            for column in measured.algorithms
            for row in measured.rows(metric, column)
        }
        for metric in ("centred", "not_centred")
    )
    return [
        everywhere(
            "the centred alignment has a correlation below -0.9", {row: value < -0.9 for row, value in rho.items()}
        ),
        everywhere("it is better correlated than the one without centring", {row: rho[row] < A[row] for row in rho}),
        *(
            [
                (
                    "without centring the correlation is positive on splice",
                    f"{A['splice']:+.2f}",
                    judgement(A["splice"] > 0),
                )
            ]
            if "splice" in A
            else []
        ),
    ]


def claims_table3_1(measured: Measured) -> list[Claim]:
    """Section 3.3.2, general kernel combinations."""
    rows = _rows(measured, "unif", "align", "alignf")
    columns = {row: [c for c in measured.algorithms if row in measured.rows("alignment", c)] for row, _ in rows}
    best = {row: max(columns[row], key=lambda c: measured.mean(row, c, "alignment")) == "alignf" for row, _ in rows}
    claims = [everywhere("alignf gives the best alignment", best)]
    for column in ("align", "alignf"):
        for others, name in ((("unif",), "the uniform combination"), (ONE_STAGE, "the one-stage method")):
            better = {}
            for row, metric in rows:
                rivals = [measured.mean(row, c, metric) for c in others if c in columns[row]]
                better[row] = measured.mean(row, column, metric) < min(rivals)
            claims.append(everywhere(f"{column} has a smaller error than {name}", better))
    related = {
        row: correlation(*([measured.mean(row, c, m) for c in columns[row]] for m in ("alignment", metric))) < 0
        for row, metric in rows
    }
    return [*claims, everywhere("performance and alignment go together over the methods", related)]


def claims_table3_2(measured: Measured) -> list[Claim]:
    """Section 3.3.2, rank-1 kernel combinations."""
    rows = _rows(measured, "unif", "align")
    smaller = {row: measured.mean(row, "align", metric) < measured.mean(row, "unif", metric) for row, metric in rows}
    clearly = [row for row, metric in rows if smaller[row] and measured.p_value(row, "align", "unif", metric) < 0.05]
    claims = [
        everywhere("align has a better alignment than unif", _larger(measured, rows, "align", "unif")),
        everywhere("align has a smaller error than unif", smaller),
        counted("significantly so (5 %, corrected resampled t-test) everywhere", clearly, len(clearly) == len(rows)),
    ]
    if krr := _rows(measured, "l2_krr", "align"):
        better = {row: measured.mean(row, "align", "rmse") < measured.mean(row, "l2_krr", "rmse") for row, _ in krr}
        claims.append(everywhere("align has a smaller error than l2_krr", better))
    if svm := _rows(measured, "l1_mkl", "unif"):
        worse = {row: measured.mean(row, "l1_mkl") >= measured.mean(row, "unif") for row, _ in svm}
        claims.append(everywhere("l1_mkl does not improve the error of unif", worse))
        some = [row for row, larger in _larger(measured, svm, "l1_mkl", "unif").items() if larger]
        claims.append(counted("l1_mkl improves the alignment of unif in certain cases", some, bool(some)))
    return claims


def _larger(measured: Measured, rows: Sequence[tuple[str, str]], first: str, second: str) -> dict[str, bool]:
    return {r: measured.mean(r, first, "alignment") > measured.mean(r, second, "alignment") for r, _ in rows}


def claims_sec3_2_2(measured: Measured) -> list[Claim]:
    """Section 3.2.2, UCI data: nothing to tell the methods apart."""
    columns = ("best_single", "unif", "l1_krr", "l2_krr")
    alike, not_worse, as_printed = {}, {}, {}
    for row in measured.rows("error_pct", *columns):
        errors = {column: measured.mean(row, column) for column in columns}
        deviation = measured.deviation(row, "best_single")
        alike[row] = max(errors.values()) - min(errors.values()) <= deviation
        learned = [errors[column] - errors["best_single"] for column in ("l1_krr", "l2_krr")]
        not_worse[row] = max(learned) <= deviation
        printed = table_values("mkl2010_sec3_2_2_uci", row, "all_methods")["error_pct"].mean
        as_printed[row] = all(abs(error - printed) <= deviation for error in errors.values())
    return [
        everywhere("all differences of the error are within one standard deviation", alike),
        everywhere("learned weights are not worse than the best kernel by more than that", not_worse),
        everywhere("the error is the printed one within one standard deviation", as_printed),
    ]


def claims_fig3_1(measured: Measured) -> list[Claim]:
    """Section 3.2.2, sequences: with many kernels l2 weights help, l1 weights do harm."""
    ratio: dict[str, dict[str, dict[int, float]]] = {"l2_krr": {}, "l1_krr": {}}
    for row in measured.rows("rmse", "unif", *ratio):
        domain, _, number = row.rpartition("_")
        for column, found in ratio.items():
            found.setdefault(domain, {})[int(number)] = measured.mean(row, column, "rmse") / measured.mean(
                row, "unif", "rmse"
            )
    claims = []
    for column, text, sign in (("l2_krr", "smaller", -1), ("l1_krr", "larger", 1)):
        gaps = {f"{d}_{n}": sign * (r - 1) > 0 for d, found in ratio[column].items() for n, r in found.items()}
        claims.append(everywhere(f"{column} has a {text} RMSE than uniform weights", gaps))
        ends = {d: (found[min(found)], found[max(found)]) for d, found in ratio[column].items() if len(found) > 1}
        grows = {d: sign * (last - first) > 0 for d, (first, last) in ends.items()}
        claims.append(
            everywhere(f"its distance to uniform weights grows from the fewest bigrams to the most ({column})", grows)
        )
    return claims
