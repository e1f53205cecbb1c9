"""The bounds of a path are those of the predictor that it hands out, for every method that names its certificate."""

from dataclasses import replace

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS, Problem
from kernlearn.algorithms.boosting.votes import Rounds, Vote
from kernlearn.algorithms.core.checked import EXACT
from kernlearn.algorithms.core.path import with_proof
from kernlearn.certificates.own.on_graphs import GRAPHS
from kernlearn.certificates.own.problems import PROBLEMS, UNPROVED
from kernlearn.certificates.own.sequences import TAGGERS
from kernlearn.certificates.own.votes import VOTES
from kernlearn.kernels import GramStack, make_family
from tests.algorithms.test_programs import VALUES, target_of
from tests.conftest import moons

PROVED = [(name, task) for name, method in ALGORITHMS.items() if method.certificate for task in method.tasks]
ROUNDS = {"rounds": 30, "over": "adaboost", "tol": 1e-9}
OTHER_VALUES = {
    "lpboost": {"nus": [0.4, 0.1], **ROUNDS},
    "qpboost": {"Cs": [0.1, 1.0], **ROUNDS},
    "rmm_c_eq_d": {"Cs": [1.0, 100.0], "nus": [0.2, 0.5], "tol": 1e-6, "solver": "homotopy"},
    "ufo_mkl": VALUES["ufo_mkl"] | {"Cs": [0.1, 1.0], "finish": "exact", "tol": 1e-4},
    "u_svm": {"Cs": [0.1, 1.0], "C_universums": [0.01, 0.1], "epsilon": 0.1, "tol": 1e-6},
}


@pytest.fixture(scope="module")
def points():
    """Return a function that gives a problem, the values of a method, and three points of its path."""
    X, y = moons(60)
    family = make_family("gaussian", gammas=[1.0, 5.0, 30.0])
    known = {}

    def of(name, task):
        if (name, task) not in known:
            method, labels = ALGORITHMS[name], y[:40] if ALGORITHMS[name].universum else y
            values = method.resolve_auto(len(labels), OTHER_VALUES.get(name) or VALUES[name])
            votes = method.inputs == "stumps"
            inputs = make_family("stumps", number=40).fit(X, 0) if votes else GramStack.train(family, X)
            problem = Problem(inputs, target_of(method, task, labels))
            path = [point for point in method.path(problem, **values) if point.status == "optimal"]
            known[name, task] = problem, values, [path[0], path[len(path) // 2], path[-1]]
        return known[name, task]

    return of


def test_every_method_is_proved_or_says_why_not():
    """By its own certificate, or by what is rebuilt from the data of a reader; a few have a reason why neither is."""
    proved = {*PROBLEMS, *VOTES, *TAGGERS, *GRAPHS}
    own = {name for name, method in ALGORITHMS.items() if method.certificate}
    assert proved | own | UNPROVED.keys() >= ALGORITHMS.keys() and not (proved | own) & UNPROVED.keys()
    assert UNPROVED.keys() <= ALGORITHMS.keys()
    assert proved - ALGORITHMS.keys() == {"linear_svm"}  # an estimator alone


def with_coefficients(point, factors):
    predictor = point.predictor
    if isinstance(predictor, Vote):
        rounds = Rounds(predictor.rounds.stumps, factors * predictor.rounds.alphas)
        return replace(point, predictor=replace(predictor, rounds=rounds))
    return replace(point, predictor=replace(predictor, coef=factors * predictor.coef))


def with_multipliers(point, factors):
    (solution,) = point.solutions
    return replace(point, solutions=(replace(solution, dual=factors * solution.dual),))


@pytest.mark.parametrize(("name", "task"), PROVED)
def test_what_a_path_claims_is_what_its_certificate_says(name, task, points):
    problem, values, some = points(name, task)
    tol = values.get("tol", EXACT)
    for point in some:
        proof = ALGORITHMS[name].certificate(problem, point, **values)
        (claimed,), (proved,) = point.solutions, with_proof(point, proof, tol).solutions
        unit = max(abs(proved.objective), 1e-9 * proved.zero)
        assert claimed.objective == pytest.approx(proved.objective, abs=1e-7 * unit)
        assert claimed.dual_objective <= proved.dual_objective + tol * unit
        assert proved.status == "optimal"


def require_honest(certificate, problem, values, point):
    """Assert that no predictor is better than any bound, of whatever multipliers, and that changes of both are seen."""
    (solution,), rng = point.solutions, np.random.default_rng(0)
    at, slack = certificate(problem, point, **values), 1e-9 * max(abs(solution.objective), solution.zero)
    predictor, dual = point.predictor, solution.dual
    coef = predictor.rounds.alphas if isinstance(predictor, Vote) else predictor.coef
    moved = [0.0, 0.5, 0.9, 1.1, 2.0, rng.uniform(0.5, 1.5, coef.shape)]
    others = [certificate(problem, with_coefficients(point, factors), **values) for factors in moved]
    scaled = [0.5, 0.9, 1.1, rng.uniform(0.5, 1.5, dual.shape)]
    bounds = [certificate(problem, with_multipliers(point, factors), **values) for factors in scaled]
    highest = max(bound.dual_objective for bound in [at, *others, *bounds])
    assert highest <= min(other.objective for other in [at, *others] if other.violation <= 1e-6) + slack
    assert any(other.objective > at.objective + 1e-6 * abs(at.objective) for other in others)
    assert any(bound.dual_objective < at.dual_objective - 1e-6 * abs(at.objective) for bound in bounds)


@pytest.mark.parametrize(("name", "task"), PROVED)
def test_a_certificate_sees_other_predictors_and_other_multipliers(name, task, points):
    problem, values, some = points(name, task)
    for point in some:
        require_honest(ALGORITHMS[name].certificate, problem, values, point)


@pytest.mark.parametrize(
    "lie",
    [
        lambda at, told: replace(at, dual_objective=at.objective),
        lambda at, told: replace(at, objective=at.dual_objective),
        lambda at, told: replace(at, objective=told.objective, dual_objective=told.objective),
        lambda at, told: replace(at, dual_objective=told.dual_objective),
    ],
)
def test_certificates_that_take_what_the_path_says_are_found(lie, points):
    problem, values, (point, *_) = points("l2_svm", "classification")

    def lying(problem, point, **values):
        return lie(ALGORITHMS["l2_svm"].certificate(problem, point, **values), point.solutions[0])

    with pytest.raises(AssertionError):
        require_honest(lying, problem, values, point)
