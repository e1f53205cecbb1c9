"""The attack of `scripts/attack`: it knows every method, it catches lies, and some hundred problems find nothing."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import first_of

pytest.importorskip("cvxpy")
pytest.importorskip("clarabel")

SCRIPTS = Path(__file__).parent.parent / "scripts" / "attack"


@pytest.fixture(autouse=True)
def scripts(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))


def test_every_method_has_an_oracle():
    from attacks import problems

    problems.check_registries()


def test_a_registered_method_without_an_oracle_is_an_error(monkeypatch):
    from attacks import problems

    from kernlearn.algorithms import ALGORITHMS

    monkeypatch.setitem(ALGORITHMS, "another", ALGORITHMS["l1_mkl"])
    with pytest.raises(KeyError, match="another"):
        problems.check_registries()


@pytest.fixture
def optimum():
    """A point of l1_mkl on ordinary data, with its task."""
    from attacks.data import given
    from attacks.paths import Task

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2, 20, 3)), np.repeat([-1.0, 1.0], 10)
    K = np.stack([x @ x.T for x in X + 0.3 * y[None, :, None]])
    task = Task("l1_mkl", given(K), K, y, {"centre": True, "normalise": "none", "Cs": [0.7]})
    return task, *task.run()[0]


def kinds(task, values, said):
    from attacks import paths

    return [kind for kind, *_ in paths.hold(task, values, said).findings()]


def test_an_optimum_is_held_to_be_one(optimum):
    from attacks import paths

    task, values, said = optimum
    held = paths.hold(task, values, said)
    assert held.oracle_gap < 1e-9 and held.findings() == []


@pytest.mark.parametrize("lie", ["bound", "objective", "gap", "worse point", "outside", "nan"])
def test_lies_are_found(optimum, lie):
    task, values, said = optimum
    P = said.objective
    lies = {
        "bound": replace(said, dual_objective=P * (1 + 1e-7)),
        "objective": replace(said, objective=P * (1 - 1e-7)),
        "gap": replace(said, coef=said.coef * 0.9, objective=P * 1.1, gap=1e-9),
        "worse point": replace(said, coef=said.coef * 0.9),
        "outside": replace(said, weights=said.weights * 1.001),
        "nan": replace(said, gap=float("nan")),
    }
    assert {"outside": "infeasible"}.get(lie, "false") in kinds(task, values, lies[lie])


LIGHT = ["vkr", "l1_svm", "l2_svm", "unif", "align", "krr", "VKRClassifier"]
SINGLE = ["soft_svm", "hard_svm", "klda", "nearest_mean", "krr_mean", "sigma_svm", "rmm", "rmm_d", "sgd_svm"]
VOTES = ["adaboost", "ebboost", "adaboost_reg", "lpboost", "qpboost"]
NETWORKS = ["rbf_network", "rbf_adaboost", "rbf_adaboost_reg", "rbf_lpboost", "rbf_qpboost"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", first_of(range(2)))
@pytest.mark.parametrize("name", [*LIGHT, *SINGLE, *VOTES, *NETWORKS, "rmm_c_eq_d", "perceptron", "crf"])
def test_a_few_problems(name, number):
    from attacks import problems

    report = problems.attack(name, 0, number)
    assert not [found for found in report.findings if problems.KINDS[found[0]]]


@pytest.mark.parametrize("name", SINGLE)
def test_a_predictor_that_is_not_the_one_that_is_claimed_is_found(name):
    from attacks import paths

    held, seed = None, 0
    while held is None:  # a problem that has an answer
        seed += 1
        task = paths.draw_task(np.random.default_rng([2, seed]), name)
        values, said = task.run()[0]
        held = paths.hold(task, values, said)
    lie = paths.hold(task, values, replace(said, coef=1.3 * said.coef, intercept=said.intercept + 0.1))
    assert {kind for kind, *_ in held.findings()} <= {"inaccurate", "rounding"}
    assert {kind for kind, *_ in lie.findings()} & {"false", "infeasible"}


@pytest.mark.parametrize("name", VOTES)
def test_a_vote_that_is_not_the_one_that_is_claimed_is_found(name):
    from attacks import votes

    task = votes.draw_task(np.random.default_rng(4), name)
    point = task.run()[-1]
    assert votes.hold(task, point) == []
    rounds = point.predictor.rounds
    lie = replace(point, predictor=replace(point.predictor, rounds=replace(rounds, alphas=1.2 * rounds.alphas)))
    assert {kind for kind, *_ in votes.hold(task, lie)} & {"false", "infeasible"}


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_that_is_not_the_one_that_is_claimed_is_found(name):
    from attacks import networks

    task = networks.draw_task(np.random.default_rng(3), name)
    point = task.run()[-1]
    assert networks.hold(task, point) == []
    if name == "rbf_network":
        lie = replace(point.predictor, weights=1.2 * point.predictor.weights)
    else:
        rounds = point.predictor.rounds
        lie = replace(point.predictor, rounds=replace(rounds, alphas=1.2 * rounds.alphas))
    assert {kind for kind, *_ in networks.hold(task, replace(point, predictor=lie))} & {"false", "infeasible"}


@pytest.mark.parametrize("kind", range(5))
def test_a_few_inputs(kind):
    from attacks import inputs

    for number in range(kind, kind + 25, 5):
        what, found = inputs.attack(0, number)
        assert not found, what


@pytest.mark.slow
def test_a_hang_and_a_death_are_told_and_the_others_go_on(monkeypatch):
    from attacks import workers

    monkeypatch.setattr(workers, "WAITING", 3.0)
    asleep, busy = (
        "__import__('time').sleep(60)",
        "__import__('attacks.workers').workers._allow(0.2) or sum(range(10**11))",
    )
    pieces = [(code,) for code in ("1 + 1", asleep, busy, "__import__('os')._exit(3)", "2 + 2")]
    found = dict(workers.run_all(pieces, 1, dict, eval))
    assert [found[piece] for piece in pieces] == [2, "hang", "hang", "death", 4]


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_some_hundred_problems_and_inputs(capsys):
    import attack

    options = ["attack.py", "--problems", "360", "--inputs", "1500", "--jobs", "2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", options)
        code = attack.main()
    assert code == 0, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize(("what", "seed"), [("struct_svm:3", 0), ("struct_rmm:5", 0), ("rmm_d:17", 21)])
def test_large_numbers_neither_hang_nor_bring_a_lie_or_a_traceback(what, seed, capsys):
    """Features of sequences, and a price of a bound that is 1e-36 of the penalty."""
    import attack

    assert attack.repeat(what, seed) == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", ["storm", "kta_r", "sgt", "label_propagation"])
def test_lies_about_graphs_are_caught(name):
    from attacks import graphs

    task = graphs.draw_task(np.random.default_rng(1), name)
    point = task.run()[-1]
    assert graphs.hold(task, point) == []
    solution = point.solutions[-1]
    lies = [replace(solution, objective=solution.objective * (1 + 1e-6) + 1e-9)]
    if name in ("storm", "kta_r"):
        lies += [replace(solution, dual_objective=solution.dual_objective + 1e-6 * abs(solution.objective))]
        lies += [replace(solution, dual=-solution.dual - 1e-3)]
    if name == "sgt":
        lies += [replace(solution, x=-solution.x)]
    for lie in lies:
        wrong = replace(point, solutions=(*point.solutions[:-1], lie))
        assert {kind for kind, *_ in graphs.hold(task, wrong)} & {"false", "infeasible"}


@pytest.mark.parametrize("lie", ["bound", "objective", "weights"])
def test_lies_about_sequences_are_caught(lie):
    from attacks import sequences

    task = sequences.draw_task(np.random.default_rng(0), "crf")
    point = task.run()[-1]
    assert sequences.hold(task, point) == []
    (solution,), decoder = point.solutions, point.predictor
    lies = {
        "bound": {"solutions": (replace(solution, dual_objective=solution.objective * (1 + 1e-6)),)},
        "objective": {"solutions": (replace(solution, objective=solution.objective * (1 - 1e-6)),)},
        "weights": {"predictor": replace(decoder, weights=decoder.weights + 1e-3)},
    }
    assert "false" in {kind for kind, *_ in sequences.hold(task, replace(point, **lies[lie]))}


def test_labels_that_are_not_the_best_are_caught(monkeypatch):
    from attacks import sequences

    from kernlearn.algorithms.core.decoder import Decoder

    task = sequences.draw_task(np.random.default_rng(0), "crf")
    point, outputs = task.run()[-1], Decoder.outputs
    monkeypatch.setattr(Decoder, "outputs", lambda self, inputs: outputs(self, inputs)[::-1])
    assert "labels of a score" in str(sequences.hold(task, point))


def test_an_estimator_without_an_exact_problem_or_a_law_of_units_is_an_error():
    from attacks import exact_problems, units

    for module in (exact_problems, units):
        with pytest.raises(KeyError, match="AnotherClassifier"):
            module.check(["L2SVMClassifier", "AnotherClassifier"])


@pytest.fixture
def machine():
    """A fitted SVM of small integers, its values by fractions of Python alone, and how it is held."""
    from fractions import Fraction

    from attacks import exact, exact_problems
    from attacks.exact_claims import claims

    from kernlearn import L2SVMClassifier

    X, y = np.array([[0, 1], [2, 1], [3, -1], [1, 1], [0, 3]], dtype=float), np.array([0, 1, 1, 0, 1])
    fitted = L2SVMClassifier(kernel="linear", C=0.3).fit(X, y)
    case = exact.Case(
        fitted.get_params(), exact.rational(X @ X.T)[None], y, 2, exact.rational(np.ones(5)), None, None, {}
    )
    coef, b = exact_problems.predictor(fitted, case, X)
    a = dict(zip(fitted.support_.tolist(), map(Fraction, fitted.dual_coef_[0].tolist()), strict=True))
    product = [
        [sum(Fraction(p) * Fraction(q) for p, q in zip(u, v, strict=True)) for v in X.tolist()] for u in X.tolist()
    ]
    f = [sum(c * product[i][j] for j, c in a.items()) + Fraction(fitted.intercept_[0]) for i in range(5)]
    norm = sum(a[i] * a[j] * product[i][j] for i in a for j in a)
    loss = sum(max(Fraction(0), 1 - (2 * int(y[i]) - 1) * f[i]) for i in range(5))
    by_hand = norm / 2 + Fraction(0.3) * loss
    value, zero = (exact.svm(case, factor * coef, factor * b) for factor in (1, 0))
    assert value == by_hand
    return fitted, lambda warned=False: claims(fitted, value, zero, [value, zero], warned)


def test_the_exact_objective_of_a_machine_is_the_one_that_is_claimed(machine):
    assert machine[1]() == []


@pytest.mark.parametrize(
    ("key", "lie"),
    [
        ("objective_", lambda v: v * (1 - 1e-7)),
        ("dual_objective_", lambda v: v * (1 + 1e-7)),
        ("gap_", lambda v: -1e-6),
        ("gap_", lambda v: 1e-3),  # above tol, and no warning
        ("objective_", lambda v: np.nan),
    ],
)
def test_a_lie_of_a_fitted_machine_is_found(machine, key, lie):
    fitted, found = machine
    setattr(fitted, key, lie(getattr(fitted, key)))
    assert "false" in {kind for kind, *_ in found()}


def test_predictions_that_are_not_the_rule_and_outputs_that_are_not_exact_are_found(machine):
    from attacks.exact import rational
    from attacks.exact_claims import predictions

    fitted = machine[0]
    X = fitted.support_vectors_
    outputs, reach = rational(fitted.decision_function(X))[None], rational(np.ones((1, len(X))))
    assert predictions(fitted, X, outputs, reach, True) == []
    assert [kind for kind, *_ in predictions(fitted, X, outputs + rational([1e-6]), reach, True)] == ["outputs"]
    fitted.predict = lambda X: fitted.classes_[np.zeros(len(X), dtype=int)]
    assert [kind for kind, *_ in predictions(fitted, X, outputs, reach, True)] == ["predict"]


EXACT = ["L2SVM", "SoftSVM", "HardSVM", "SigmaSVM", "RMM", "USVM", "L1SVM", "VKR", "StructSVM", "KernelPerceptron"]
DESIGNS = ["AdaBoost", "EBBoost", "AdaBoostReg", "LPBoost", "QPBoost", "LinearSVM", "RBFNetwork"]
GENERATED = [f"exact/{name}Classifier" for name in EXACT + DESIGNS] + ["exact/LinearChainCRF", "exact/LKRRRegressor"]
UNITS = [f"units/{name}" for name in ("L2SVMClassifier", "MKLClassifier", "LKRRRegressor", "LinearSVMClassifier")]


@pytest.mark.parametrize("name", [*GENERATED, *UNITS])
def test_a_generated_problem_has_no_finding(name):
    from attacks import problems

    report = problems.attack(name, 1, 0)
    assert not [found for found in report.findings if problems.KINDS[found[0]]]


def test_a_wrong_law_of_units_is_found(monkeypatch):
    from attacks import units

    monkeypatch.setattr(units, "_unit", lambda rng: 1000.0)
    rng = lambda: np.random.default_rng(0)  # noqa: E731
    assert units.attack(rng(), "L2SVMClassifier")[1] == []
    monkeypatch.setitem(units.LAWS, "L2SVMClassifier", units.Law({"C": 1.0}, -1.0))
    assert {kind for kind, *_ in units.attack(rng(), "L2SVMClassifier")[1]} == {"units"}


@pytest.mark.parametrize("form", ["csv", "pandas", "parquet", "arff", "libsvm"])
def test_a_file_is_read_as_the_table_that_was_written(form):
    from attacks import problems

    report = problems.attack(f"files/{form}", 1, 0)
    assert not [found for found in report.findings if problems.KINDS[found[0]]]


def test_a_table_that_is_read_as_another_is_found():
    from attacks import tables

    from kernlearn.datasets.core.dataset import Examples

    table = tables.Table(["a", "b"], [[1, 2, 3], [4, 5, 6]], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ["u", "v", "u"])
    X, y = np.array(table.values).T, np.array([0, 1, 0])
    assert tables.differences(table, Examples(X, y), ("u", "v")) == []
    for examples, classes, kind in (
        (Examples(X[:2], y[:2]), ("u", "v"), "wrong"),
        (Examples(X + 1e-6, y), ("u", "v"), "wrong"),
        (Examples(X, 0 * y), ("u",), "wrong"),
        (Examples(X, y), ("w", "v"), "names"),
    ):
        assert [found[0] for found in tables.differences(table, examples, classes)] == [kind]
