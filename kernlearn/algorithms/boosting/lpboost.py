"""LPBoost: the ensemble of stumps with the largest soft margin, with a certificate.

::

    (P)  min_{a, rho, xi}  1 - rho + C sum_i xi_i
         subject to  y_i sum_s a_s G_s(x_i) >= rho - xi_i,  xi_i >= 0,  a_s >= 0,  sum_s a_s = 1

with ``C = 1 / (nu n)``, where ``nu <= 1`` is an upper bound on the share of examples with margins below rho. The G are
the stumps that AdaBoost selects, with the signs that it gives them, or all stumps of the inputs and their negations.
Sources: Demiriz, Bennett and Shawe-Taylor (2002); Shivaswamy (2010), section 6.4, after Raetsch et al. (2001). We added
the 1, so that the objective is not almost 0 if the margin is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from kernlearn.algorithms.boosting.ebboost import ROUNDS
from kernlearn.algorithms.boosting.votes import Rounds, Vote, margin_facts, sorted_of
from kernlearn.algorithms.core.grid import grid_of
from kernlearn.algorithms.core.method import Method
from kernlearn.algorithms.core.path import Point
from kernlearn.algorithms.core.problem import Problem
from kernlearn.certificates import Certificate
from kernlearn.certificates.votes import edges_of, edges_of_stumps, soft_margin
from kernlearn.kernels.families.stumps import Stumps
from kernlearn.parameters import Choice, Number, Numbers, Parameter
from kernlearn.solvers import Solution
from kernlearn.solvers.core.solution import certified
from kernlearn.solvers.stumps_networks.stumps import boost, edges
from kernlearn.solvers.svm.soft_margin import largest_soft_margin
from kernlearn.types import Array, Index

#: Columns that are added at a time, of the best of every feature.
BATCH = 50
OVER = Parameter("adaboost", Choice(("adaboost", "all")), "adaboost: the stumps that AdaBoost selects; all: all stumps")
OVER_ROUNDS = Parameter(ROUNDS.default, ROUNDS.kind, "rounds of AdaBoost, with over=adaboost only")
TOL = Parameter(1e-9, Number(low=1e-12, high=1.0), "relative duality gap")
PARAMETERS = {
    "nus": Parameter(
        [0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01],
        Numbers(Number(positive=True, high=1.0)),
        "upper bounds on the share of examples below the margin",
        "nu",
    ),
    "over": OVER,
    "rounds": OVER_ROUNDS,
    "tol": TOL,
}


def solve_lpboost(
    stumps: Stumps,
    y: Array,
    nu: float,
    found: tuple[Index, Array] | None = None,
    tol: float = 1e-9,
    weights: Array | None = None,
) -> Solution:
    """Solve (P).

    Parameters
    ----------
    stumps : Stumps
        With n training examples.
    y : array of shape (n,)
        Labels +-1.
    nu : float in (0, 1]
    found : (array of int, array), optional
        Different stumps and their signs, to vote with no others; by default all stumps may, with either sign.
    tol : float
        Relative duality gap to reach.
    weights : array of shape (n,), optional
        How often every example counts, > 0; by default once.

    Returns
    -------
    Solution
        ``dual`` are the weights of the examples, shape (n,). ``extras`` are the stumps that have a weight, ``chosen``,
        and these weights with signs, ``alphas``, both of shape (k,); the absolute values add up to 1.
    """
    counts = np.ones(len(y)) if weights is None else weights
    if found is not None:
        pool, turned = found[0].tolist(), found[1].tolist()
        solution = weigh(_signed(stumps, y, pool, turned), nu, tol, counts)
        chosen, alphas = _voting(solution, pool, turned)
        return replace(solution, extras={"chosen": chosen, "alphas": alphas})
    form, upper = sorted_of(stumps), upper_of(counts, nu)
    e = edges(form, counts * y)
    s = int(np.abs(e).argmax())
    pool, turned = [s], [1.0 if e[s] >= 0.0 else -1.0]
    in_pool = set(zip(pool, turned, strict=True))

    def price_all(u: Array) -> tuple[float, Array]:
        e = edges(form, u * y)
        size = np.abs(e)
        best = [a + int(size[a:b].argmax()) for a, b in pairwise(stumps.starts.tolist()) if a < b]
        best.sort(key=lambda s: -size[s])
        new = [one for s in best if (one := (s, 1.0 if e[s] >= 0.0 else -1.0)) not in in_pool][:BATCH]
        in_pool.update(new)
        pool.extend(s for s, _ in new)
        turned.extend(sign for _, sign in new)
        return float(size.max()), _signed(stumps, y, [s for s, _ in new], [sign for _, sign in new])

    solution = largest_soft_margin(_signed(stumps, y, pool, turned), upper, price_all, tol)
    chosen, alphas = _voting(solution, pool, turned)
    v = np.clip(solution.dual, 0.0, upper)
    e, unsure = edges_of_stumps(stumps, v * y)
    margins = y * Rounds(chosen, alphas).scores(stumps, len(alphas))
    largest = float(np.abs(e).max()) + unsure
    solution = replace(solution, extras={"chosen": chosen, "alphas": alphas})
    return certified(solution, soft_margin(margins, alphas, upper, v, largest), tol)


def weigh(signed: Array, nu: float, tol: float, counts: Array) -> Solution:
    """Solve (P) over given votes ``signed_si = y_i G_s(x_i)`` alone, of examples that count so often."""
    upper = upper_of(counts, nu)
    solution = largest_soft_margin(signed, upper, lambda u: (float((signed @ u).max()), signed[:0]), tol)
    v = np.clip(solution.dual, 0.0, upper)
    e, unsure = edges_of(signed, v)
    return certified(solution, soft_margin(solution.x @ signed, solution.x, upper, v, float(e.max()) + unsure), tol)


def upper_of(counts: Array, nu: float) -> Array:
    """Return the bounds of the weights of examples that count so often: C times their counts."""
    upper: Array = counts / (nu * counts.sum())
    return upper


def _voting(solution: Solution, pool: Sequence[int], turned: Sequence[float]) -> tuple[Index, Array]:
    """Return the stumps that have a weight, and their weights with signs."""
    voting = np.flatnonzero(solution.x)
    return np.array(pool)[voting], (solution.x * np.array(turned)[: len(solution.x)])[voting]


def _signed(stumps: Stumps, y: Array, pool: Sequence[int], turned: Sequence[float]) -> Array:
    """Return ``sign_s y_i G_s(x_i)`` of some stumps, shape (k, n)."""
    return stumps.votes(np.array(pool, dtype=np.intp)) * np.array(turned)[:, None] * y


def found_by_adaboost(stumps: Stumps, y: Array, rounds: int, weights: Array | None = None) -> tuple[Index, Array]:
    """Return the different stumps that AdaBoost finds, with the sign that each has first, in their order.

    Where no stump is better than chance there are none, and the first stump and its negation are given for them.

    Parameters
    ----------
    y : array of shape (n,)
        Labels +-1.
    weights : array of shape (n,), optional
        How often each example counts; by default once.

    Returns
    -------
    array of shape (k,)
        Numbers of stumps.
    array of shape (k,)
        Signs +-1.
    """
    chosen, alphas = boost(sorted_of(stumps), y, np.ones(len(y)) if weights is None else weights, 0.0, rounds)
    pairs = np.column_stack([chosen, np.sign(alphas)]).astype(np.intp)
    if not len(pairs):
        return np.zeros(2, dtype=np.intp), np.array([1.0, -1.0])
    _, first = np.unique(pairs, axis=0, return_index=True)
    kept = pairs[np.sort(first)]
    return kept[:, 0], kept[:, 1].astype(np.float64)


def vote_point(problem: Problem, values: dict[str, float], solution: Solution) -> Point:
    """Return the point of the vote of stumps that a solution has in its extras, ``chosen`` with the ``alphas``."""
    chosen, alphas = solution.extras["chosen"], solution.extras["alphas"]
    voters = Rounds(chosen, alphas)
    margins = problem.y * voters.scores(problem.inputs, len(alphas))
    return Point(values, Vote(voters, len(alphas)), (solution,), margin_facts(margins, alphas))


def votes_of(problem: Problem, point: Point) -> tuple[Array, Array]:
    """Return the margins ``y_i f(x_i)`` of the vote of a point, and the weights of its rounds."""
    vote = point.predictor
    assert isinstance(vote, Vote)
    return problem.y * vote.rounds.scores(problem.inputs, vote.number), vote.rounds.alphas[: vote.number]


def allowed_edges(problem: Problem, v: Array, over: str, rounds: int) -> tuple[Array, float]:
    """Return the edges of all votes that are allowed, and what rounding may be worth in each."""
    stumps, y = problem.inputs, problem.y
    if over == "all":
        edges, unsure = edges_of_stumps(stumps, v * y)
        return np.abs(edges), unsure
    chosen, turned = found_by_adaboost(stumps, y, rounds, problem.weights)
    return edges_of(_signed(stumps, y, chosen.tolist(), turned.tolist()), v)


def certificate(problem: Problem, point: Point, *, over: str, rounds: int, **_: Any) -> Certificate:
    """Return what is proved of the vote of a point."""
    upper = upper_of(problem.counts, point.values["nu"])
    v = np.clip(point.solutions[0].dual, 0.0, upper)
    edges, unsure = allowed_edges(problem, v, over, rounds)
    return soft_margin(*votes_of(problem, point), upper, v, float(edges.max()) + unsure)


def path(problem: Problem, *, nus: Sequence[float], over: str, rounds: int, tol: float) -> Iterator[Point]:
    """Solve (P) for every nu."""
    stumps, y, weights = problem.inputs, problem.y, problem.weights
    candidates = found_by_adaboost(stumps, y, rounds, weights) if over == "adaboost" else None
    for nu in sorted(nus, reverse=True):
        yield vote_point(problem, {"nu": float(nu)}, solve_lpboost(stumps, y, float(nu), candidates, tol, weights))


METHOD = Method(
    "lpboost",
    "LPBoost: the ensemble of decision stumps with the largest soft margin",
    "linear programs",
    PARAMETERS,
    grid_of({"nu": "-nus"}, one_kernel=False, positive_definite=False),
    path,
    inputs="stumps",
    certificate=certificate,
)
