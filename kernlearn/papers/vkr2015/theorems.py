"""The numbered statements of the paper, and those of sections 3 and 5 on how (1) is solved, as checks."""

from functools import partial

from kernlearn.papers.checks.figure import CORRECTION, OURS, ROUNDING, Check, figure_of
from kernlearn.papers.vkr2015 import guarantees, programs

#: What a power of m, or of its logarithm, may be off where a rate is measured between finite sizes.
SLOPE, LOG_SLOPE = 0.05, 0.5

CHECKS = {
    "problem (1)": Check(
        "the problem is solved to a certificate for a kernel that is not positive definite",
        programs.not_definite,
        1e-9,
        number="largest gap {}",
    ),
    "section 3 a": Check("K(., x') is on the sample a sum of K(., x_j)", programs.values_at_the_sample, 1e-8),
    "section 3 b": Check(
        "as printed, other centres than those of the sample do not lower (1)",
        programs.centres_of_the_sample,
        1e-6,
        number="share by which they lower it {}",
    ),
    "theorem 1 a": Check(
        "the error is below the bound with probability 0.95 for m = 20,000", guarantees.theorem_1, 1.0
    ),
    "theorem 1 b": Check(
        "the terms of the bound fall like log(m) / sqrt(m)",
        partial(guarantees.rate, "theorem 1"),
        SLOPE,
        number="difference of the powers of m {}",
    ),
    "theorem 2 a": Check(
        "the error is below the bound with probability 0.95 for m = 100,000", guarantees.theorem_2, 1.0
    ),
    "theorem 2 b": Check(
        "the terms of the bound fall like log(m) / m",
        partial(guarantees.rate, "theorem 2"),
        SLOPE,
        number="difference of the powers of m {}",
    ),
    "theorem 2 c": Check(
        "as printed, the terms of the bound are at least what (4) in its proof gives",
        guarantees.as_printed,
        1.0,
        number="what (4) gives is {} of the terms",
    ),
    "theorem 2 d": Check(
        "with 10 K in the place of 5 K before ceil, the terms are at least what (4) gives",
        guarantees.with_twice_n,
        1.0,
        CORRECTION,
        number="what (4) gives is {} of the terms",
    ),
    "section 5.1 a": Check(
        "as printed, the linear program has the value of (1)",
        programs.unbounded,
        0.0,
        number="share of samples where it has not {}",
    ),
    "section 5.1 b": Check(
        "with xi >= 0, the linear program has the value of (1)", programs.same_value, 1e-8, CORRECTION
    ),
    "section 5.2 a": Check(
        "coordinate descent ends at the optimum, as it is meant to",
        programs.stops_above,
        1e-6,
        number="share by which it ends above {}",
    ),
    "section 5.2 b": Check(
        "coordinate descent is never below the optimum",
        programs.never_below,
        1.0,
        OURS,
        number="optimum {} of where it ends",
    ),
    "lemma 3": Check("the empirical complexity of H_k is below the bound", guarantees.lemma_3, 1.0),
    "section 5.3 a": Check("the local complexity is below its bound", guarantees.local_upper, 1.0),
    "section 5.3 b": Check(
        "as printed without a root, the lower bound holds for kernels with k(x, x) = 100",
        guarantees.lower_as_printed,
        1.0,
    ),
    "section 5.3 c": Check(
        "with the root, the lower bound holds for kernels with k(x, x) = 1", guarantees.lower_with_root, 1.0, CORRECTION
    ),
    "section 5.3 d": Check(
        "with r infinite, the local complexity is sqrt(2) times that of lemma 3", guarantees.no_radius, ROUNDING, OURS
    ),
    "section 5.3 e": Check(
        "the fixed point for a Gaussian kernel in 1 dimension is O(log m / m)",
        guarantees.on_the_line,
        LOG_SLOPE,
        number="power of log m beyond the first {}",
    ),
    "section 5.3 f": Check(
        "as printed, the fixed point in 2 dimensions is O(log m / m), too",
        guarantees.in_the_plane,
        LOG_SLOPE,
        number="power of log m beyond the first {}",
    ),
    "bound (3) a": Check("d_k is below the two other bounds", guarantees.dimensions, 1.0),
    "bound (3) b": Check("the rank of a polynomial kernel is d_k", guarantees.ranks, 0.0),
    "lemma 4 a": Check("the empirical complexity of H_k is below the bound", guarantees.lemma_4, 1.0),
    "lemma 4 b": Check(
        "the bound is never smaller than that of lemma 3",
        guarantees.lemmas,
        1.0,
        OURS,
        number="bound of lemma 3 {} of this one",
    ),
    "problem (6)": Check(
        "as printed, with the hinge 2 - y f, the problem has twice the value of (1), at twice the coefficients",
        programs.other_hinge,
        1e-8,
    ),
}

points, claims, draw, SIZE = figure_of(CHECKS)
