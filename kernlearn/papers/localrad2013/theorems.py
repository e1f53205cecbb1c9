"""The numbered statements of the paper as checks: bounds by drawn samples, algorithms by what the solvers find."""

from kernlearn.papers.checks.figure import CORRECTION, OURS, ROUNDING, Check, figure_of
from kernlearn.papers.localrad2013 import guarantees, hypotheses

CHECKS = {
    "bound (1) a": Check(
        "the excess risk is at most twice the largest deviation of a mean", guarantees.excess_and_deviation, 1.0
    ),
    "bound (1) b": Check(
        "twice the largest deviation of a mean is below (1) with probability 0.95", guarantees.bound_1, 1.0
    ),
    "bound (2)": Check("the excess risk is below (2) with probability 0.95", guarantees.bound_2, 1.0),
    "theorem 3 a": Check("the local complexity is below (3)", guarantees.upper, 1.0),
    "theorem 3 b": Check("the best cut-off in (3) gives the sum of min(r, lambda_j)", guarantees.best_cut, ROUNDING),
    "theorem 3 c": Check(
        "as printed, the lower bound holds for all kernels with one constant, here 1/2",
        guarantees.lower_of_unbounded,
        1.0,
    ),
    "theorem 3 d": Check(
        "the lower bound holds with one constant for kernels with k(x, x) <= 1", guarantees.lower, 1.0, CORRECTION
    ),
    "theorem 3 e": Check(
        "with eigenvalues exp(-j) the fixed point is at most 2 log(n) / n", guarantees.rate_of_fixed_point, 1.0
    ),
    "inequality (5)": Check("the weighted sum of tails is at most the tail", hypotheses.concave_tail, 1.0),
    "proposition 4 a": Check(
        "weights that H1 allows are allowed in H2",
        hypotheses.inclusion,
        1.0,
        number="{} of the largest sum that H2 allows",
    ),
    "proposition 4 b": Check("for theta = 0 both sets allow the same weights", hypotheses.without_cut, ROUNDING),
    "proposition 4 c": Check(
        "a function has a smaller norm in H2 than in H1",
        hypotheses.strict,
        1.0 - 1e-3,
        number="norm in H2 {} of that in H1",
    ),
    "proposition 5 a": Check(
        "as printed, a function of H2 is not in the convex hull of H1",
        hypotheses.hull_within,
        1.0 - ROUNDING,
        number="1 divided by its largest sum of weights: {}",
    ),
    "proposition 5 b": Check(
        "all functions of H2 are convex combinations of functions of H1",
        hypotheses.hull_is_all,
        1.0 + ROUNDING,
        CORRECTION,
        number="largest sum of weights {}",
    ),
    "problem (6)": Check("conv is l1-MKL on kernels divided by their tails", hypotheses.normalised, 1e-7),
    "problem (8) a": Check("the linearised tail is at least the tail", hypotheses.majorised, 1.0, CORRECTION),
    "problem (8) b": Check("the linearised tail agrees with the tail at mu0", hypotheses.touched, ROUNDING, CORRECTION),
    "problem (8) c": Check(
        "as printed, with K_(mu - mu0), the linearised tail agrees with the tail at mu0",
        hypotheses.touched_as_printed,
        ROUNDING,
    ),
    "equation (9) a": Check(
        "no other weights are better than (9)",
        hypotheses.optimal_weights,
        1.0,
        number="value at (9) {} of that at others",
    ),
    "equation (9) b": Check(
        "the weights that dc finds are a fixed point of (9)",
        hypotheses.fixed_weights,
        1e-3,
        OURS,
        number="change by a step {}",
    ),
    "problem (10)": Check("the dual has the value of the SVM with the weights of dc", hypotheses.dual, 1e-7),
    "equation (11)": Check(
        "the expression is the squared norm of a part, in features", hypotheses.norms_of_parts, 1e-6
    ),
    "algorithm 1": Check(
        "no printed step makes the objective larger",
        hypotheses.descent,
        1.0,
        number="objective after a step {} of that before",
    ),
    "theorem 6 a": Check(
        "as printed, the local complexity is below the bound for 8, 32 and 200 kernels",
        guarantees.theorem_6_as_printed,
        1.0,
    ),
    "theorem 6 b": Check(
        "with r M / e in the place of r, the local complexity is below the bound",
        guarantees.theorem_6_with_all_kernels,
        1.0,
        CORRECTION,
    ),
    "theorem 7 a": Check(
        "as printed, the bound is a positive number for every decay",
        guarantees.constant_as_printed,
        0.0,
        number="share of decays where it is not {}",
    ),
    "theorem 7 b": Check(
        "with (a + 1) / (a - 1) under the root, the excess risk is below the bound for 50 examples and 8 kernels",
        guarantees.theorem_7_on_samples,
        1.0,
        CORRECTION,
    ),
    "theorem 7 c": Check("the rate is between log M / sqrt(n) and M / n, as the decay grows", guarantees.limits, 1e-6),
    "theorem 8": Check(
        "the excess risk in the ball of a kernel is below the bound with probability 0.95", guarantees.theorem_8, 1.0
    ),
}

points, claims, draw, SIZE = figure_of(CHECKS)
