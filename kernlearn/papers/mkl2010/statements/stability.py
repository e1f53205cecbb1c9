"""Checks of section 2.3 and appendix A.1 of Rostamizadeh (2010): what one example changes of LKRR (`l2_krr`).

The bounds (2.23) to (2.34) are false as printed: `changes.EXAMPLES` are a few points that refute them. What holds is

    |h'(x) - h(x)| <= 2 M (sup K_0(x, x) + 3 Lambda R_0) / (lambda_0 m) ,  R_0 = sup (sum_k K_k(x, x)^2)^(1/2)    (*)

with the K_0 of the weights mu_0, for any kernels: LKRR minimises ``|w_0|^2 + ||w||^2 / Lambda`` plus the mean loss over
lambda_0, with the norm of l_{4/3} over the norms of the w_k, whose square is strongly convex with the constant 2/3.
"""

from collections.abc import Callable
from math import log, sqrt
from typing import Any

import numpy as np

from kernlearn.algorithms.common.ridge import solve_krr
from kernlearn.algorithms.ridge.l2_krr import solve_l2_krr
from kernlearn.kernels import DenseStack
from kernlearn.papers.checks.figure import CORRECTION, ROUNDING, Check
from kernlearn.papers.mkl2010.statements.changes import Change, Problem, changes, drawn, kernel_ridge, learn
from kernlearn.types import Array


def largest(quotient: Callable[[Problem, Change], float]) -> float:
    """Return the largest of the quotients over all problems."""
    return float(np.max([quotient(problem, change) for problem, change in changes()]))


def parts_of_V(problem: Problem, change: Change) -> dict[str, float]:
    """Return the norms of V_1, V_2 and V (2.27): of kernels with features of their own, which are orthogonal."""
    v, between, after = change.v
    norm, norm_after = float(np.linalg.norm(v)), float(np.linalg.norm(after))

    def of(delta: Array) -> float:
        if min(norm, norm_after) == 0.0:  # (2.27) divides by them
            return 0.0
        brackets = delta / norm_after - v * float((v + after) @ delta) / (norm * norm_after * (norm + norm_after))
        return problem.Lambda * float(np.linalg.norm(brackets * np.sqrt(between)))

    return {"V1": of(after - between), "V2": of(between - v), "V": of(after - v)}


def form_of_the_solution() -> float:
    """Return how much less the value of (2.12) is at other weights than at (2.13), relatively: by SLSQP."""
    from scipy.optimize import minimize

    less = []
    for seed in range(20):
        problem = drawn(seed)
        some = problem.samples[0]
        K, y, mu = problem.K[:, some][:, :, some], problem.y[some], learn(problem, 0)
        alpha, _ = kernel_ridge(problem, mu, 0)
        v = K @ alpha @ alpha
        mu = problem.mu0 + problem.Lambda * v / np.linalg.norm(v)  # (2.13)

        def value(mu: Array, K: Array = K, y: Array = y, lambda_: float = problem.lambda_) -> float:
            return float(y @ np.linalg.solve(np.tensordot(mu, K, 1) + lambda_ * np.eye(len(y)), y))

        def room(mu: Array, middle: Array = problem.mu0, radius: float = problem.Lambda) -> float:
            return radius**2 - float((mu - middle) @ (mu - middle))

        start = problem.mu0 + problem.Lambda / sqrt(2.0 * len(mu))
        options: Any = {"bounds": [(0.0, None)] * len(mu), "constraints": {"type": "ineq", "fun": room}}
        step = minimize(value, start, options={"ftol": 1e-14, "maxiter": 500}, **options).x - problem.mu0
        at = problem.mu0 + step * min(1.0, problem.Lambda / float(np.linalg.norm(step)))
        less.append(1.0 - value(np.maximum(at, 0.0)) / value(mu))
    return max(less)


def forms_of_h() -> float:
    """Return how far ``y'(K + lambda I)^-1 Phi'Phi(x)`` and ``(Phi y)'(Phi Phi' + lambda I)^-1 Phi(x)`` are apart."""
    apart = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        F, y = rng.normal(size=(3, 12)), rng.normal(size=8)
        problem = Problem((F.T @ F)[None], np.append(y, 0.0), 0.1, 1.0, np.zeros(1))
        _, h = kernel_ridge(problem, np.ones(1), 0)
        S = F[:, :8]
        apart.append(float(np.abs(h - (S @ y) @ np.linalg.solve(S @ S.T + 0.1 * np.eye(3), F)).max()))
    return max(apart)


def of_the_sample(problem: Problem, change: Change, smallest: bool) -> float:
    """Return the quotient of ``|Delta_S h|`` and (2.23), with the smallest eigenvalue or without."""
    some, mu = problem.samples[1], change.mu[1]
    K = np.tensordot(mu, problem.K, 1)
    h = change.h[1, 0], change.h[1, 1]
    labels = 0.5 * (h[0] + h[1])
    labels[: problem.m + 1] = problem.y
    M = max(np.abs(one - labels).max() for one in h)
    least = max(0.0, float(np.linalg.eigvalsh(K[np.ix_(some, some)])[0])) if smallest else 0.0
    return float(np.abs(h[1] - h[0]).max() * (least + problem.lambda_) / (2.0 * M * np.diagonal(K).max()))


def in_v(problem: Problem, change: Change) -> float:
    """Return how far Delta mu is from its form in Delta v (A.1), in units of Lambda."""
    v, _, after = change.v
    norm, norm_after = float(np.linalg.norm(v)), float(np.linalg.norm(after))
    if min(norm, norm_after) == 0.0:
        return 0.0
    stated = (after - v) / norm_after - v * float((v + after) @ (after - v)) / (norm * norm_after * (norm + norm_after))
    return float(np.abs((change.mu[1] - change.mu[0]) / problem.Lambda - stated).max())


def first_part(problem: Problem, change: Change) -> float:
    """Return the quotient of the sides of (2.31); 0 where the kernel changes nothing."""
    V, p = parts_of_V(problem, change), len(problem.K)
    bound = 4.0 * problem.Lambda * change.R * sqrt(p * problem.m) * change.alpha
    return V["V1"] / bound if V["V1"] > 1e-12 * (V["V"] + V["V2"]) else 0.0


def second_part(problem: Problem, change: Change) -> float:
    """Return the quotient of the sides of (2.32)."""
    bound = 4.0 * problem.Lambda * change.M / (change.smallest + problem.lambda_)
    return parts_of_V(problem, change)["V2"] / bound


def of_alpha(problem: Problem, change: Change) -> float:
    """Return the quotient of the sides of (2.33); 0 where the kernel changes nothing."""
    V2 = parts_of_V(problem, change)["V2"]
    bound = change.R * sqrt(problem.m) * V2 / (change.smallest + problem.lambda_)
    return change.alpha / bound if change.alpha > 1e-9 * change.M / problem.lambda_ else 0.0


def whole_of_V(problem: Problem, change: Change) -> float:
    """Return the quotient of the sides of (2.34)."""
    lambda_0, L = problem.lambda_ / problem.m, problem.Lambda
    bound = 4.0 * L * change.M * (4.0 * L * change.R**2 * sqrt(len(problem.K)) / lambda_0 + 1.0)
    return parts_of_V(problem, change)["V"] * (change.smallest + problem.lambda_) / bound


def of_the_kernel(problem: Problem, change: Change) -> float:
    """Return the quotient of ``|Delta_K h|`` and theorem 2.3."""
    lambda_0, L, R, p = problem.lambda_ / problem.m, problem.Lambda, change.R, len(problem.K)
    bound = 4.0 * L * change.M * R * ((4.0 * L * R**2 * sqrt(p) + R**2) / lambda_0 + 1.0)
    moved = np.abs(change.h[1, 0] - change.h[0, 0]).max()
    return float(moved) * (change.smallest + problem.lambda_) / bound


def whole(problem: Problem, change: Change) -> float:
    """Return the quotient of ``|Delta h|`` and proposition 2.4, C_0 + C_1 sqrt(p)."""
    lambda_0, L, R, M = problem.lambda_ / problem.m, problem.Lambda, change.R, change.M
    bound = 2.0 * R**2 * M + 4.0 * L * R * M * (R**2 / lambda_0 + 1.0)
    bound += 16.0 * L**2 * M * R**3 / lambda_0 * sqrt(len(problem.K))
    return float(np.abs(change.h[1, 1] - change.h[0, 0]).max()) * (change.smallest + problem.lambda_) / bound


def whole_corrected(problem: Problem, change: Change) -> float:
    """Return the quotient of ``|Delta h|`` and (*)."""
    size = float((problem.mu0 @ np.einsum("kii->ki", problem.K)).max()) + 3.0 * problem.Lambda * change.R_0
    moved = float(np.abs(change.h[1, 1] - change.h[0, 0]).max())
    return moved * problem.lambda_ / (2.0 * change.M * size)


def failures(power: int) -> float:
    """Return the share of draws in which theorem 2.4 fails, in units of delta, with M to a power.

    Labels are 0 or 10, each with probability one half, and kernels of size 1 with a large lambda: h is next to 0 and
    M is 10. The beta is that of (*), which is not less than the printed one here.
    """
    delta, m, lambda_0, M = 0.05, 50, 1e4, 10.0
    rng, failed, draws = np.random.default_rng(0), 0, 400
    for _ in range(draws):
        labels = M * rng.integers(0, 2, m).astype(np.float64)
        X = rng.choice((-1.0, 1.0), (m, 3))
        K = X.T[:, :, None] * X.T[:, None, :]
        mu = solve_l2_krr(DenseStack(K), labels, lambda_0 * m).x
        coef = X.T @ solve_krr(np.tensordot(mu, K, 1), labels, lambda_0 * m).x
        beta = 2.0 * M * 2.0 * M * 3.0 * sqrt(3.0) / (lambda_0 * m)
        h = X @ (mu * coef)
        every = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T @ (mu * coef)
        risk = 0.5 * float((every**2).mean() + ((every - M) ** 2).mean())
        bound = float(((h - labels) ** 2).mean()) + 2.0 * beta
        bound += (4.0 * m * beta + M**power) * sqrt(log(1.0 / delta) / (2.0 * m))
        failed += risk > bound
    return failed / draws / delta


CHECKS = {
    "theorem 2.1": Check(
        "no weights of the ball have a smaller value of (2.12) than (2.13)", form_of_the_solution, 1e-8
    ),
    "(2.22)": Check("h in Gram matrices is h in features (2.24)", forms_of_h, ROUNDING),
    "theorem 2.2": Check(
        "KRR: |Delta_S h| <= 2 M R^2 / (lambda_min + lambda_0 m)",
        lambda: largest(lambda a, b: of_the_sample(a, b, True)),
        1.0,
    ),
    "theorem 2.2 without lambda_min": Check(
        "KRR: |Delta_S h| <= 2 M R^2 / (lambda_0 m)",
        lambda: largest(lambda a, b: of_the_sample(a, b, False)),
        1.0,
        CORRECTION,
    ),
    "lemma A.1": Check(
        "Delta mu follows from Delta v, as exactly as the problem is solved", lambda: largest(in_v), 1e-4
    ),
    "proposition 2.1": Check(
        "the part V_1 is at most its bound by ||Delta_K alpha||", lambda: largest(first_part), 1.0
    ),
    "proposition 2.2": Check(
        "the part V_2 is at most its bound for orthogonal kernels", lambda: largest(second_part), 1.0
    ),
    "proposition 2.3": Check("||Delta_K alpha|| is at most its bound by V_2", lambda: largest(of_alpha), 1.0),
    "(2.34)": Check("V is at most its bound for orthogonal kernels", lambda: largest(whole_of_V), 1.0),
    "theorem 2.3": Check(
        "|Delta_K h| is at most its bound for orthogonal kernels", lambda: largest(of_the_kernel), 1.0
    ),
    "proposition 2.4": Check(
        "|Delta h| <= (C_0 + C_1 sqrt(p)) / (lambda_min + lambda_0 m)", lambda: largest(whole), 1.0
    ),
    "proposition 2.4 corrected": Check(
        "|Delta h| <= 2 M (sup K_0 + 3 Lambda R_0) / (lambda_0 m)", lambda: largest(whole_corrected), 1.0, CORRECTION
    ),
    "theorem 2.4": Check(
        "R exceeds its bound in at most a share delta of the draws",
        lambda: failures(1),
        1.0,
        number="share of draws {} times delta",
    ),
    "theorem 2.4 with M^2": Check(
        "with M^2 for M, which bounds the loss, R exceeds its bound in at most a share delta of the draws",
        lambda: failures(2),
        1.0,
        CORRECTION,
        number="share of draws {} times delta",
    ),
}
