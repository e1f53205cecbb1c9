from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris

from kernlearn.algorithms.core.approximated import parts_of_bound
from kernlearn.errors import UserError
from kernlearn.papers.core.compare import printed_values
from kernlearn.report.run import describe
from kernlearn.runner.cell.data import data_of, exact_kernels, examples_of, seen_of
from kernlearn.runner.cell.measure import rows_of_fit
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.identity import directory_name, identity
from tests.runner.experiments import plan_of, rows_of

DATA = ["dataset=ionosphere", "kernel=gaussian", "kernel.gammas=[0.3]"]
SVM = ["algo=l2_svm", "algo.Cs=[0.1,10.0]", *DATA]
NYSTROM = ["kernel.approximate=nystrom", "kernel.rank=40"]
METHODS = {
    "l2_svm": ["algo.Cs=[1.0]"],
    "rmm": ["algo.Cs=[1.0]"],
    "krr": ["task=regression"],
    "vkr": ["algo.lambdas=[0.01]", "algo.betas=[0.001]", "algo.complexity=lemma3"],
    "l1_mkl": ["kernel.gammas=[0.1,1.0]"],
    "alignf": ["kernel.gammas=[0.1,1.0]"],
    "klda": [],
    "dc": [],
}


def test_nothing_is_said_of_an_approximation_that_there_is_not():
    plan = plan_of(*SVM)
    assert plan.experiment.kernel == plan.cells[0].kernel == {"name": "gaussian", "gammas": [0.3]}
    assert plan.keys == plan_of(*SVM, "kernel.approximate=null", "kernel.rank=null").keys
    assert identity(plan)["kernel"] == "gaussian"


def test_an_approximation_is_another_experiment_everywhere_it_is_told(capsys):
    plans = [plan_of(*SVM, *words) for words in ([], NYSTROM, [NYSTROM[0], "kernel.rank=41"])]
    assert len({plan.keys[0] for plan in plans}) == len({directory_name(plan) for plan in plans}) == 3
    row = identity(plans[1])
    assert row["kernel"] == "nystrom gaussian"
    assert "kernel.approximate=nystrom kernel.rank=40" in row["parameters"]
    describe(plans[1])
    out = capsys.readouterr().out
    assert "approximate: kernels phi(x).phi(z) of Nystroem's method with 40 training examples" in out
    assert "exact gap  the gap to the problem with the exact kernels is computed, too" in out


def test_printed_values_are_not_those_of_an_approximation():
    vkr = ["algo=vkr", "dataset=ionosphere"]
    exact, other = plan_of(*vkr), plan_of(*vkr, *NYSTROM)
    assert printed_values(exact.experiment, exact.label)
    assert not printed_values(other.experiment, exact.label)


def test_with_all_training_examples_as_landmarks_the_cell_is_the_exact_one():
    exact, same = rows_of(*SVM), rows_of(*SVM, NYSTROM[0], "kernel.rank=5000")
    for one, other in zip(exact, same, strict=True):
        assert other["objective"] == pytest.approx(one["objective"], rel=1e-5)
        assert other["test_errors"] == one["test_errors"]


def test_every_point_is_certified_and_warm_is_cold():
    both = rows_of(*SVM, *NYSTROM)
    assert all(row["status"] == "optimal" and 0 <= row["gap"] <= 1e-6 for row in both)
    (alone,) = rows_of(*SVM, *NYSTROM, "algo.Cs=[10.0]")
    assert alone["objective"] == pytest.approx(both[1]["objective"], rel=1e-6)
    assert alone["test_error_pct"] == both[1]["test_error_pct"]


@pytest.mark.parametrize(
    ("algo", "words"),
    [
        ("l2_svm", ["algo.Cs=[0.1,10.0]"]),
        ("l2_svm", ["algo.Cs=[1.0]", "class_weight=balanced"]),
        ("soft_svm", ["algo.lambdas=[0.001,0.1]", "algo.homogenous=true"]),
        ("soft_svm", ["algo.lambdas=[0.001]", "algo.tol=1e-9"]),
        ("krr", ["task=regression", "algo.lambdas=[0.1,10.0]", "algo.normalise=none"]),
        ("krr_mean", ["task=regression", "algo.lambdas=[0.0001,0.01]"]),
    ],
)
def test_the_gap_to_the_exact_problem_is_never_below_the_true_one(algo, words):
    """The problem with the exact kernel is solved for itself: its optimum is the independent value."""
    require_true_gaps(25, *DATA, f"algo={algo}", "kernel.gammas=[0.1]", *words)


def test_a_base_that_is_not_streamed_is_kept_and_has_the_same_values():
    words = ["algo=l2_svm", "algo.Cs=[1.0]", "dataset=promoters", "kernel=weighted_degree", "scaling=none"]
    cell = plan_of(*words, NYSTROM[0], "kernel.rank=20").cells[0]
    dataset, split = data_of(cell)
    exact = exact_kernels(cell, dataset.X[split.train])
    (kept, numbers, few), plain = exact.kernels, replace(exact, rows=None)
    assert numbers.shape == (len(split.train), 1) and len(few) == 20
    family, X, landmarks = plain.kernels
    assert X is plain.X and family is plain.family.exact
    for member in family.members:
        expected = family.transform(family.base(X, landmarks), **member)
        np.testing.assert_array_equal(kept.transform(kept.base(numbers, few), **member), expected)


@pytest.mark.parametrize("multiclass", ["one_vs_rest", "one_vs_one"])
def test_the_largest_gap_of_several_problems_counts(multiclass, tmp_path):
    X, y = load_iris(return_X_y=True)
    file = tmp_path / "iris.csv"
    np.savetxt(file, np.column_stack([X, y]), delimiter=",", header="a,b,c,d,kind", comments="")
    data = ["dataset=csv", f"dataset.path={file}", "kernel=gaussian", "kernel.gammas=[0.5]", "scaling=none"]
    require_true_gaps(6, *data, "algo=l2_svm", "algo.Cs=[10.0]", f"multiclass={multiclass}")


def require_true_gaps(rank, *given):
    """Assert that gaps to the exact problem are at least the true ones, and not far above; 0 with all landmarks."""
    exact, approximate, full = (
        rows_of(*given, *more) for more in ([], [NYSTROM[0], f"kernel.rank={rank}"], [NYSTROM[0], "kernel.rank=999"])
    )
    for one, other, same in zip(exact, approximate, full, strict=True):
        true = (other["objective"] - one["objective"]) / other["objective"]
        assert 1e-6 < true < 1.0 and true <= other["exact_gap"] * (1.0 + 1e-6) and "exact_gap" not in one
        assert other["gap"] < 1e-5 and abs(same["exact_gap"]) < 1e-4 and other["exact_gap"] < 20.0 * true


def test_of_several_folds_the_largest_gap_counts():
    plan = plan_of("algo=l2_svm", "algo.Cs=[1.0]", *DATA, *NYSTROM, "protocol=halves10_cv5")
    cell, (dataset, split) = plan.cells[0], data_of(plan.cells[0])
    each = [rows_of_fit(cell, dataset, fit, seen_of(split))[0]["exact_gap"] for fit in split.fits]
    assert len(each) == 6 and run_cell(cell)["rows"][0]["exact_gap"] == max(each) > each[-1]


def test_a_kernel_over_its_size_keeps_the_size_of_the_approximation():
    given = ["algo=krr", "task=regression", *DATA, *NYSTROM, "algo.lambdas=[1.0]"]
    (sized,) = rows_of(*given, "algo.normalise=mean_diagonal")
    (plain,) = rows_of(*given, "algo.normalise=none")
    assert 0.0 < sized["exact_gap"] < 1.0 and sized["exact_gap"] != plain["exact_gap"]
    (full,) = rows_of(*given, "algo.normalise=mean_diagonal", "kernel.rank=999")
    assert abs(full["exact_gap"]) < 1e-9


def test_where_there_is_no_gap_to_the_exact_problem_it_is_said(capsys):
    without = plan_of(*SVM, *NYSTROM, "kernel.exact_gap=false")
    other = plan_of("algo=l1_svm", "algo.betas=[0.01]", *DATA, *NYSTROM)
    for plan, why in ((without, "kernel.exact_gap=false"), (other, "l1_svm is none of l2_svm, soft_svm")):
        describe(plan)
        assert f"there is no gap to the problem with the exact kernels ({why}" in capsys.readouterr().out
        assert "exact_gap" not in run_cell(plan.cells[0])["rows"][0]
    assert "kernel.exact_gap=false" in identity(without)["parameters"]


def test_more_pairs_than_the_limit_are_taken_in_parts():
    assert [parts_of_bound(n, None) for n in (1000, 31_622, 31_623, 100_000)] == [1, 1, 2, 10]
    assert parts_of_bound(10**6, True) == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("algo", METHODS)
def test_methods_that_learn_from_kernels_take_them(algo):
    try:
        plan = plan_of(f"algo={algo}", *DATA, *NYSTROM, *METHODS[algo])
    except UserError as error:
        pytest.fail(str(error))
    result = run_cell(plan.cells[0])
    assert result["status"] == "ok", result.get("traceback")
    assert all(abs(row["gap"]) < 1e-4 for row in result["rows"])


def test_no_other_example_changes_what_is_learned():
    cell = plan_of(*SVM, *NYSTROM).cells[0]
    dataset, split = data_of(cell)
    train, test = dataset.X[split.train], dataset.X[split.test]
    _, (alone,) = examples_of(cell, train)
    _, (beside, mapped) = examples_of(cell, train, 100.0 * test[::-1] + 1.0)
    np.testing.assert_array_equal(alone, beside)
    assert mapped.shape == (len(test), 40)
    again, (_, one) = examples_of(cell, train, test[:1])
    several = examples_of(cell, train, test)[1][1][:1]
    np.testing.assert_allclose(one, several, rtol=1e-10, atol=1e-12 * np.abs(several).max())  # sums round otherwise
    assert again.rank == 40


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["kernel=gaussian", "kernel.approximate=nystrom"], "kernel.rank=R"),
        (["kernel=gaussian", "kernel.exact_gap=true"], "kernel.exact_gap: is that of an approximation"),
        (["kernel=sigmoid", "+kernel.exact_gap=true"], "exact_gap"),
        (["kernel=gaussian", "kernel.rank=4"], "kernel.rank=4: is that of an approximation"),
        (["kernel=sigmoid", *NYSTROM], "positive definite"),
        (["algo=storm", *NYSTROM], "positive definite"),
        (["algo=l2_mkl", "kernel=features", *NYSTROM], "positive definite"),
        (["algo=vkr", "algo.complexity=lemma4", *NYSTROM], "lemma4"),
    ],
)
def test_where_it_has_no_meaning_one_line_says_so(words, said):
    with pytest.raises(UserError, match="kernel|complexity") as error:
        plan_of("dataset=ionosphere", *words)
    assert said in str(error.value) and "\n" not in str(error.value) and "did you mean" not in str(error.value)
