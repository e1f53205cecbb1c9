"""Cortes, Kloft and Mohri (2013), Learning Kernels Using Local Rademacher Complexity: what the paper says of its data.

The data here are stand-ins, so the claims in words are all that can be checked.
"""

from collections.abc import Sequence

from kernlearn.papers.measured import Claim, Measured, everywhere, judgement

BASELINES = ("unif", "l1_mkl", "l2_mkl")
CONV, DC = ("conv_l1", "conv_l2"), ("dc_l1", "dc_l2")
#: The single kernels of figure 2 in the order of their numbers.
SINGLE = ("only_signal", "only_first_half", "only_second_half", "only_angle", "only_energy")
#: A kernel with a smaller share of the trace counts as dropped.
DROPPED = 0.05


def claims_fig2(measured: Measured) -> list[Claim]:
    """Section 5.1, with the forms of conv and dc that validation chooses."""
    rows = measured.rows("auc", *BASELINES, *CONV, *DC)
    chosen = {
        (row, forms): max(forms, key=lambda c: measured.validation(row, c)) for row in rows for forms in (CONV, DC)
    }

    def mean(row: str, columns: Sequence[str]) -> float:
        return max(measured.mean(row, column, "auc") for column in columns)

    claims = []
    for name, forms in (("conv", CONV), ("dc", DC)):
        ours = {row: mean(row, [chosen[row, forms]]) for row in rows}
        noise = {row: measured.deviation(row, chosen[row, forms], "auc") / 10 for row in rows}
        best = {row: ours[row] > mean(row, BASELINES) for row in rows}
        level = {row: ours[row] >= mean(row, BASELINES) - noise[row] for row in rows}
        claims += [
            everywhere(f"{name} has the largest AUC, before unif, l1_mkl and l2_mkl", best),
            everywhere(f"{name} is at least as good, but for a tenth of a standard deviation", level),
        ]
    larger = [row for row in rows if row != "n100"]
    above = {
        row: min(measured.mean(row, c, "auc") for c in ("unif", "l2_mkl")) > mean(row, ["l1_mkl"]) for row in larger
    }
    if larger:
        claims.append(everywhere("unif and l2_mkl have a larger AUC than l1_mkl for n above 100", above))
    if "n100" in measured.rows("auc", *SINGLE) and "n100" in rows:
        claims += _claims_weights(measured, [chosen["n100", forms] for forms in (CONV, DC)])
    return claims


def _claims_weights(measured: Measured, chosen: Sequence[str]) -> list[Claim]:
    """Return what section 5.1 says of the kernel weights at n = 100."""
    auc = {column: measured.mean("n100", column, "auc") for column in SINGLE}
    weakest = sorted(auc, key=lambda column: auc[column])[:2]
    shares = {c: [measured.mean("n100", c, f"weight_{k}") for k in range(1, 6)] for c in (*chosen, "l1_mkl")}
    found = "; ".join(f"{column} {' '.join(f'{share:.2f}' for share in shares[column])}" for column in chosen)
    top = max(auc, key=lambda column: auc[column])
    focus = max(range(5), key=lambda k: shares["l1_mkl"][k])
    return [
        (
            "the linear kernels of angles and energies are the weakest alone",
            ", ".join(f"{column} {value:.1f}" for column, value in auc.items()),
            judgement(set(weakest) == {"only_angle", "only_energy"}),
        ),
        (
            "conv and dc drop them: shares below 5 %",
            found,
            judgement(all(max(shares[column][3:]) < DROPPED for column in chosen)),
        ),
        (
            "conv and dc distribute their weight over the three others: shares of 5 % and more",
            found,
            judgement(all(min(shares[column][:3]) >= DROPPED for column in chosen)),
        ),
        (
            "l1_mkl has its largest weight on a kernel that is not the best one alone",
            f"largest on {SINGLE[focus]}, the best alone is {top}",
            judgement(SINGLE[focus] != top),
        ),
    ]


def claims_table1(measured: Measured) -> list[Claim]:
    """Section 5.2, of each method the form (l1, l2) with the larger accuracy, as printed."""
    forms = {"unif": ("unif",), "mkl": ("mkl_l1", "mkl_l2"), "conv": CONV}
    best = {
        row: {name: max(measured.mean(row, c, "accuracy_pct") for c in columns) for name, columns in forms.items()}
        for row in measured.rows("accuracy_pct", *(column for columns in forms.values() for column in columns))
    }
    return [
        (
            f"conv has a larger accuracy than {other}",
            "; ".join(f"{row}: {found['conv']:.2f} against {found[other]:.2f}" for row, found in best.items()),
            judgement(all(found["conv"] > found[other] for found in best.values())),
        )
        for other in ("unif", "mkl")
    ]
