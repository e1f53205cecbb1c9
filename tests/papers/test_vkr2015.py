"""The theorems of vkr2015 hold as checks, but for those that are false as printed, and fail on what is not so."""

import numpy as np
import pytest

from kernlearn.kernels import GramStack, make_family
from kernlearn.papers.vkr2015 import guarantees, programs
from kernlearn.papers.vkr2015.theorems import CHECKS
from tests.conftest import slow_where
from tests.papers.wrong import found, scaled

FALSE_AS_PRINTED = {
    *("section 3 b", "theorem 2 c", "section 5.1 a", "section 5.2 a", "section 5.3 b", "section 5.3 f"),
}
#: Checks over a second.
LONG = {"theorem 1 a", "theorem 2 a", "section 5.2 a", "section 5.2 b", "section 3 b", "section 5.3 a", "problem (6)"}


@pytest.mark.parametrize("name", slow_where(LONG.__contains__, CHECKS))
def test_a_statement_holds_unless_it_is_false_as_printed(name):
    _, compute, allowed, *_ = CHECKS[name]
    assert (compute() <= allowed) == (name not in FALSE_AS_PRINTED)


def with_another_kernel(sample):
    other = GramStack.train(make_family("linear"), np.eye(60)[:, :1])
    return lambda seed, name: (other, *sample(seed, name)[1:])


def measures(name, factor):
    return lambda known: {**known, name: scaled(known[name], factor)}


def smooth(of):
    """Return a bound whose terms fall more slowly with m."""
    return lambda loss, R, rho, p, m, delta, *K: of(loss, R, rho, p, m, delta, *K) * m**0.2


#: What a statement is about, and the same made wrong.
WRONG = {
    "problem (1)": (programs, "solve_vkr", lambda f: scaled(f, 1.01)),
    "section 3 a": (programs, "sample", with_another_kernel),
    "theorem 1 a": (guarantees, "theorem1", lambda f: scaled(f, 0.5)),
    "theorem 1 b": (guarantees, "theorem1", smooth),
    "theorem 2 a": (guarantees, "theorem2", lambda f: scaled(f, 0.2)),
    "theorem 2 b": (guarantees, "theorem2", smooth),
    "theorem 2 d": (guarantees, "theorem2", lambda f: scaled(f, 0.5)),
    "section 5.1 b": (programs, "linear_program", lambda f: scaled(f, 1.01)),
    "section 5.2 b": (programs, "optimum", lambda f: scaled(f, 2.0)),
    "lemma 3": (guarantees, "COMPLEXITIES", measures("lemma3", 0.5)),
    "section 5.3 a": (guarantees, "COMPLEXITIES", measures("local", 0.5)),
    "section 5.3 c": (guarantees, "complexity", lambda f: scaled(f, 0.4)),
    "section 5.3 d": (guarantees, "COMPLEXITIES", measures("lemma3", 1.1)),
    "section 5.3 e": (guarantees, "gaussian_eigenvalues", lambda f: lambda d: np.arange(1.0, 1e5) ** -2.0),
    "bound (3) a": (guarantees, "comb", lambda f: scaled(f, 2)),
    "bound (3) b": (guarantees, "feature_dimensions", lambda f: scaled(f, 2.0)),
    "lemma 4 a": (guarantees, "COMPLEXITIES", measures("lemma4_m", 0.01)),
    "lemma 4 b": (guarantees, "COMPLEXITIES", measures("lemma4_m", 0.01)),
    "problem (6)": (programs, "linear_program", lambda f: scaled(f, 1.01)),
}


@pytest.mark.parametrize("name", slow_where(LONG.__contains__, WRONG))
def test_a_statement_fails_where_what_it_is_about_is_wrong(name):
    assert found(CHECKS[name], *WRONG[name]) > CHECKS[name].allowed


def test_all_statements_can_fail():
    assert CHECKS.keys() - WRONG.keys() == FALSE_AS_PRINTED
