"""The numbered statements of chapters 15 and 16 that no other figure computes, as checks."""

from kernlearn.papers.checks.figure import CORRECTION, ROUNDING, Check, figure_of
from kernlearn.papers.uml2014 import embeddings, halfspaces

#: Of a solver's optimum, relatively.
SOLVED = 1e-5

CHECKS = {
    "claim 15.1 a": Check(
        "no point of the hyperplane is nearer than the distance says",
        halfspaces.nearest,
        1.0,
        number="distance {} of the nearest found",
    ),
    "claim 15.1 b": Check("the foot of the perpendicular is as near as the distance says", halfspaces.foot, ROUNDING),
    "lemma 15.2": Check("no margin is larger than that of the solution of (15.2)", halfspaces.largest_margin, SOLVED),
    "claim 15.5": Check("(15.4) with slack variables has the value of (15.5)", halfspaces.slacks, SOLVED),
    "claim 15.6": Check(
        "the hinge loss is |x|-Lipschitz", halfspaces.lipschitz, 1.0 + ROUNDING, number="largest slope {} of |x|"
    ),
    "theorem 15.8": Check("w0 is in the span of the examples at the margin", halfspaces.of_support_vectors, SOLVED),
    "lemma 15.9 a": Check("(15.3) has multipliers, none of them negative", halfspaces.multipliers, SOLVED),
    "lemma 15.9 b": Check(
        "as printed, min w subject to w^2 <= 0 has a multiplier", halfspaces.fritz_john_as_printed, ROUNDING
    ),
    "lemma 15.9 c": Check(
        "with a factor of the gradient of f, which may be 0, this problem has multipliers",
        halfspaces.fritz_john,
        ROUNDING,
        CORRECTION,
    ),
    "equation (15.11)": Check(
        "the dual has the value |w0|^2 / 2, which is strong duality", halfspaces.strong_duality, SOLVED
    ),
    "section 16.1 a": Check(
        "the integers beyond 2 are not separable on the line",
        embeddings.on_the_line,
        0.0,
        number="samples that are separable {}",
    ),
    "section 16.1 b": Check(
        "after the map to (x, x^2), w = (0, 1) and b = 5 separate the integers",
        embeddings.with_squares,
        0.0,
        number="integers on the wrong side {}",
    ),
    "theorem 16.1": Check(
        "a projection to the span of the examples does not raise (16.2)", embeddings.projected, ROUNDING
    ),
    "problem (16.4)": Check("the problem has the value of soft-SVM in features", embeddings.in_features, SOLVED),
    "example 16.1": Check(
        "the polynomial kernel is the product of the monomials", embeddings.polynomial_features, ROUNDING
    ),
    "example 16.2 a": Check("the Gaussian kernel is the product of its features", embeddings.gaussian_of_one, ROUNDING),
    "example 16.2 b": Check(
        "as printed, the Gaussian kernel is the product of the same features for sigma = 2, too",
        embeddings.gaussian_as_printed,
        ROUNDING,
    ),
    "example 16.2 c": Check(
        "with sigma in the features, the Gaussian kernel is their product for sigma = 2",
        embeddings.gaussian_with_sigma,
        ROUNDING,
        CORRECTION,
    ),
    "section 16.2.1 a": Check("K(x, x') is the number of common substrings", embeddings.common_substrings, 0.0),
    "section 16.2.1 b": Check(
        "|psi(x)| is at most the length of x", embeddings.norm_of_strings, 1.0, number="{} of the length"
    ),
    "section 16.2.1 c": Check(
        "as printed, a signature has a halfspace of norm 1 and margin 1",
        embeddings.margin_of_a_signature,
        1.0 + ROUNDING,
        number="1 divided by its margin is {}",
    ),
    "lemma 16.2 a": Check(
        "inner products have semidefinite Gram matrices", embeddings.inner_products_are_definite, 0.0
    ),
    "lemma 16.2 b": Check(
        "a semidefinite matrix has vectors with its products", embeddings.definite_is_inner_product, ROUNDING
    ),
}

points, claims, draw, SIZE = figure_of(CHECKS)
