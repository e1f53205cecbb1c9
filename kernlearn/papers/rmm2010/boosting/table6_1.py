"""Table 6.1 of Shivaswamy (2010): five boosting methods over random stumps."""

from kernlearn.papers.core.measured import Claim, Measured, counted, everywhere, judgement

NEEDS = {"adaboost", "ebboost"}
#: The thesis tests by paired t-tests at this level, as if splits were independent: no correction for their overlap.
LEVEL, UNCORRECTED = 0.05, 0.0


def claims(measured: Measured) -> list[Claim]:
    """Section 6.4: empirical Bernstein boosting is better than AdaBoost on every set, on most significantly."""
    rows = measured.rows("error_pct", *NEEDS)
    below = {row: measured.mean(row, "ebboost") < measured.mean(row, "adaboost") for row in rows}
    p = {row: measured.p_value(row, "ebboost", "adaboost", ratio=UNCORRECTED) for row in rows}
    clearly = [row for row in rows if below[row] and p[row] < LEVEL]
    worse = [row for row in rows if not below[row] and p[row] < LEVEL]
    shaded = _shaded(measured)
    text = f"of {len(rows)}: " + ", ".join(f"{name} {len(sets)}" for name, sets in shaded.items())
    smaller = "EBBoost has a smaller error than AdaBoost"
    return [
        everywhere(f"{smaller} on every set", below),
        counted(f"{smaller} on most sets, significantly (5 %)", clearly, 2 * len(clearly) > len(rows)),
        counted("It has a significantly larger one on none", worse, not worse),
        (
            "EBBoost is shaded, best or not significantly worse than the best (5 %), on most sets",
            text,
            judgement(2 * len(shaded["ebboost"]) > len(rows)),
        ),
    ]


def _shaded(measured: Measured) -> dict[str, list[str]]:
    """Return for every method the rows in which no other is significantly better: what the thesis shades in grey."""
    names = measured.algorithms
    rows = measured.rows("error_pct", *names)
    best = {row: measured.best(row, names) for row in rows}
    return {
        name: [
            row
            for row in rows
            if name == best[row] or measured.p_value(row, name, best[row], ratio=UNCORRECTED) >= LEVEL
        ]
        for name in names
    }
