"""Figure 3.1 of Rostamizadeh (2010): RMSE against the number of bigrams."""

from collections.abc import Mapping
from typing import Any

from kernlearn.papers.core.colours import COLOURS, GREY
from kernlearn.papers.core.measured import Claim, Measured, everywhere
from kernlearn.papers.core.tables import Comparisons, Points

#: How the methods are drawn.
LEARNERS = {"unif": (GREY, "uniform"), "l1_krr": (COLOURS[3], "$L_1$"), "l2_krr": (COLOURS[0], "$L_2$")}
NEEDS = set(LEARNERS)
SIZE = (9.5, 4.6)


def claims(measured: Measured) -> list[Claim]:
    """Section 3.2.2, sequences: with many kernels l2 weights help, l1 weights do harm."""
    ratio: dict[str, dict[str, dict[int, float]]] = {"l2_krr": {}, "l1_krr": {}}
    for row in measured.rows("rmse", "unif", *ratio):
        domain, _, number = row.rpartition("_")
        for column, ratios in ratio.items():
            ratios.setdefault(domain, {})[int(number)] = measured.mean(row, column, "rmse") / measured.mean(
                row, "unif", "rmse"
            )
    claims = []
    for column, text, sign in (("l2_krr", "smaller", -1), ("l1_krr", "larger", 1)):
        gaps = {f"{d}_{n}": sign * (r - 1) > 0 for d, ratios in ratio[column].items() for n, r in ratios.items()}
        claims.append(everywhere(f"{column} has a {text} RMSE than uniform weights", gaps))
        ends = {d: (ratios[min(ratios)], ratios[max(ratios)]) for d, ratios in ratio[column].items() if len(ratios) > 1}
        grows = {d: sign * (last - first) > 0 for d, (first, last) in ends.items()}
        claims.append(
            everywhere(f"its distance to uniform weights grows from the fewest bigrams to the most ({column})", grows)
        )
    return claims


def draw(canvas: Any, rows: Comparisons, _: Points) -> None:
    """Draw RMSE, and RMSE over that of uniform weights, against the number of bigrams."""
    domains = list(dict.fromkeys(row["dataset"].rpartition("_")[0] for row in rows))
    axes = canvas.subplots(2, len(domains), sharex=True, squeeze=False)
    for domain, above, below in zip(domains, *axes, strict=True):
        for learner, (colour, label) in LEARNERS.items():
            curves = {
                metric: [row for row in rows if _is(row, domain, learner, metric)] for metric in ("rmse", "rmse_ratio")
            }
            for place, curve in zip((above, below), curves.values(), strict=True):
                n = [int(row["dataset"].rpartition("_")[2]) for row in curve]
                values, noise = ([row[key] for row in curve] for key in ("mean", "std"))
                place.errorbar(n, values, noise, color=colour, label=label, elinewidth=0.8, capsize=2)
        above.set_title(domain, fontsize=9)
        below.set_xlabel("bigrams $N$")
    axes[0, 0].set_ylabel("test RMSE, mean and std")
    axes[1, 0].set_ylabel("RMSE / uniform, mean and std")
    axes[0, 0].legend(fontsize=8)


def _is(row: Mapping[str, Any], domain: str, learner: str, metric: str) -> bool:
    return (row["dataset"].rpartition("_")[0], row["algorithm"], row["metric"]) == (domain, learner, metric)
