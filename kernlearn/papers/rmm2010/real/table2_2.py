"""Table 2.2 of Shivaswamy (2010): how much a Universum helps beside the relative margin."""

from statistics import fmean

from kernlearn.evaluation.significance import corrected_resampled_t, holm
from kernlearn.papers.core.measured import NOT_MEASURED, Claim, Measured, everywhere, judgement

NEEDS = {"svm", "rmm", "u_svm"}
LEVEL = 0.05
#: Both roles of the two large parts.
ROLES = 2
#: Test examples divided by training examples.
RATIO = 3.5
ALONE = "universum_none"


def claims(measured: Measured) -> list[Claim]:
    """Section 2.4.4.1: both are better than the SVM; from the RMM only the largest Universum differs."""
    rivals = [("rmm", ALONE, "rmm")] + [(row, row, "u_svm") for row in measured.rows("error_pct", "u_svm")]
    svm = {name: _differences(measured, (ALONE, "svm"), (row, column)) for name, row, column in rivals}
    rmm = {name: _differences(measured, (ALONE, "rmm"), (name, "u_svm")) for name, *_ in rivals[1:]}
    result = []
    for words, ratio in (("paired t-test", 0.0), ("with the correction for shared examples", RATIO)):
        p = {name: corrected_resampled_t(gains, ratio) for name, gains in svm.items() if len(gains) > 1}
        corrected = dict(zip(p, holm(list(p.values())), strict=True))
        for more, values in (("", p), (", and Holm's", corrected)):
            result.append(
                everywhere(
                    f"the SVM errs significantly more than all others, {words}{more}",
                    {
                        f"{name} (p={values[name]:.2g})": values[name] < LEVEL and fmean(svm[name]) > 0
                        for name in values
                    },
                )
            )
    for row in ("universum_1000", "universum_3000", "universum_all"):
        result.append(_against_rmm(row, rmm.get(row, []), differs=row == "universum_all"))
    return result


def _against_rmm(row: str, gains: list[float], *, differs: bool) -> Claim:
    """Return whether the Universum is significantly better than the RMM, or, as claimed of the smaller ones, is not."""
    text = f"{row}: {'' if differs else 'not '}significantly fewer errors than the RMM, paired t-test"
    if len(gains) < 2:
        return (text, f"{len(gains)} draws", NOT_MEASURED)
    p, corrected = (corrected_resampled_t(gains, ratio) for ratio in (0.0, RATIO))
    better = p < LEVEL and fmean(gains) > 0
    words = f"{fmean(gains):+.3f} of a percent in {len(gains)} draws, p={p:.3f} ({corrected:.3f} for shared examples)"
    return (text, words, judgement(better == differs))


def _differences(measured: Measured, first: tuple[str, str], second: tuple[str, str]) -> list[float]:
    """Return by how much the first errs more in every draw that both have, the mean of both roles."""
    pairs = zip(*(measured.values(*one) for one in (first, second)), strict=False)
    gains = [x - z for x, z in pairs]
    return [fmean(gains[i : i + ROLES]) for i in range(0, len(gains) - ROLES + 1, ROLES)]
