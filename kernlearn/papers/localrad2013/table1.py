"""Table 1 of Cortes, Kloft and Mohri (2013): accuracy, all classes at once."""

from kernlearn.papers.core.measured import Claim, Measured, judgement
from kernlearn.papers.localrad2013.forms import CONV

NEEDS = {"unif", "mkl_l1", "mkl_l2", *CONV}


def claims(measured: Measured) -> list[Claim]:
    """Section 5.2, of each method the form (l1, l2) with the larger accuracy, as printed."""
    forms = {"unif": ("unif",), "mkl": ("mkl_l1", "mkl_l2"), "conv": CONV}
    best = {
        row: {name: max(measured.mean(row, c, "accuracy_pct") for c in columns) for name, columns in forms.items()}
        for row in measured.rows("accuracy_pct", *(column for columns in forms.values() for column in columns))
    }
    return [
        (
            f"conv has a larger accuracy than {other}",
            "; ".join(f"{row}: {best_of['conv']:.2f} against {best_of[other]:.2f}" for row, best_of in best.items()),
            judgement(all(best_of["conv"] > best_of[other] for best_of in best.values())),
        )
        for other in ("unif", "mkl")
    ]
