"""Predicted peaks against measured ones, each in a process of its own."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import KERNELS
from kernlearn.errors import UserError
from kernlearn.kernels.matrices.gram import KEEP_BYTES
from kernlearn.kernels.matrices.streamed import MAX_MATRIX_BYTES
from kernlearn.runner.plan import cost
from kernlearn.runner.plan.capacity import admit, need_of
from kernlearn.runner.plan.cost import STREAMED, arrays, constants, kinds_of, read_constants
from tests.conftest import needs_originals
from tests.runner.experiments import plan_of

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

RUN = """
import json, sys
from kernlearn.runner.cell.run import run_cell
from tests.runner.experiments import plan_of
run_cell(plan_of("algo=l1_svm", "dataset=sonar", "kernel.degrees=[1]").cells[0])  # imports and compiles
for words in json.loads(sys.argv[1]):
    plan = plan_of(*words)
    result = run_cell(plan.cells[0])
    assert result["status"] == "ok", result["traceback"]
    print(json.dumps([plan.cost.peak / 2**20, result["made"]["peak_mb"]]))
"""


def measured(*experiments):
    """Return the predicted and the measured peak, in MB, for every experiment."""
    root = __file__.rpartition("/tests/")[0]
    command = [sys.executable, "-c", RUN, json.dumps(experiments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, timeout=1500)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def ringnorm(n, *words):
    return ["dataset=ringnorm", f"dataset.n={n}", *words]


@pytest.mark.slow
@on_linux
def test_peaks_are_right_within_a_factor_of_two_where_matrices_are_most_of_them():
    gaussian = ["kernel=gaussian", "kernel.gammas=[0.01,0.1,1.0,3.0]"]
    experiments = [
        ringnorm(2500, "algo=unif", "algo.Cs=[1.0]", "scaling=standard", *gaussian),
        ringnorm(2000, "algo=vkr", "algo.lambdas=[1.0]", "algo.betas=[1.0]", *gaussian),
        ["dataset=waveform", "dataset.n=1500", "algo=align", "algo.Cs=[0.1]", *gaussian],  # a path for every class
    ]
    for words, (predicted, peak) in zip(experiments, measured(*experiments), strict=True):
        assert 0.5 < predicted / peak < 2.0, (words, predicted, peak)


def test_every_method_that_was_measured_has_a_row_for_every_kind_of_kernels_and_no_others():
    kinds = {
        (name, task, kernels)
        for name in {name for name, *_ in read_constants()}
        for task in ALGORITHMS[name].tasks
        for kernels in kinds_of(ALGORITHMS[name])
    }
    assert read_constants().keys() == kinds


def test_programs_over_all_stumps_are_told_from_those_over_the_stumps_that_boosting_finds():
    """They have other rows: tens of thousands of columns are held where hundreds are."""
    words = ["dataset=ringnorm", "dataset.n=2700", "kernel=stumps", "kernel.number=0"]
    for name in ("lpboost", "qpboost"):
        some, every = (plan_of(f"algo={name}", f"algo.over={over}", *words).cost for over in ("adaboost", "all"))
        assert not some.assumed and not every.assumed
        assert every.peak > some.peak
        assert some.methods[name] == read_constants()[name, "classification", "stumps"]
        assert every.methods[name] == read_constants()[name, "classification", "all stumps"]


def test_a_memory_that_is_too_small_is_said_beforehand():
    plan = plan_of("algo=ekm", "dataset=twonorm", "dataset.n=60000")
    small, none = ({"name": "local", "jobs": 1, "memory": memory} for memory in (1.0, 0.0))
    said = "a cell that takes more than engine.memory=1 GB fails"
    need = need_of([plan], plan.cells)
    assert said in need.words(small) and said.rpartition(" ")[2] not in need.words(none)


def test_a_method_that_was_not_measured_costs_as_much_as_the_dearest_and_that_is_said(monkeypatch):
    alike = constants("my_plugin", "classification", "matrices")
    assert set(constants("vkr", "classification", "matrices")) < set(alike)
    plan = plan_of("algo=l2_svm", "dataset=ringnorm", "dataset.n=500")
    engine = {"name": "local", "jobs": 1, "memory": 0}
    assert "measured" not in need_of([plan], plan.cells).words(engine) and not plan.cost.assumed
    others = {key: value for key, value in read_constants().items() if key[0] != "l2_svm"}
    monkeypatch.setattr(cost, "read_constants", lambda: others)
    assumed = plan_of("algo=l2_svm", "dataset=ringnorm", "dataset.n=500")
    heaviest = assumed.cost.heaviest
    said = f"a process (algo=l2_svm was not measured: memory as of {heaviest}, the largest)"
    one = replace(assumed.cost, methods={heaviest: assumed.cost.methods[heaviest]})
    assert one.peak == assumed.cost.peak  # the words name the method whose number is said
    assert said in need_of([assumed], assumed.cells).words(engine) and assumed.cost.peak >= plan.cost.peak


def sentences(folder, number, length):
    """Return the words of an experiment on sentences of a length."""
    path = folder / f"{number}-{length}.txt"
    places = [(i, j) for i in range(number) for j in range(length)]
    lines = [f"w{(7 * i + j) % 50} L{(i + j) % 3}" + "\n" * (j == length - 1) for i, j in places]
    path.write_text("\n".join(lines))
    words = ["dataset=conll", f"dataset.path={path}", "dataset.target=-1", "kernel=chains", "scaling=none"]
    return [*words, "protocol=rotation5"]  # three fifths train, two are measured


@pytest.mark.parametrize("name", ["crf", "struct_svm", "struct_rmm"])
def test_of_sequences_it_is_their_places_that_count(name, tmp_path):
    def cost(number, length, degree=1 if name == "crf" else 2):
        return plan_of(f"algo={name}", *sentences(tmp_path, number, length), f"kernel.degree={degree}").cost

    few, long, many = cost(50, 4), cost(50, 40), cost(500, 4)
    assert (few.size.n, few.size.measured) == (120, 80) and long.size.n == many.size.n == 1200
    assert long.peak > few.peak
    assert long.size.labels == 3 and long.size.width == (0 if name == "crf" else 1)
    assert arrays(long.size)["square"] == 8 * 1200**2  # the kernel of all pairs of places


def test_what_does_not_fit_is_told_in_places(tmp_path, monkeypatch):
    monkeypatch.setattr("kernlearn.runner.plan.capacity.available", lambda: 2**28)
    todo = plan_of("algo=struct_svm", *sentences(tmp_path, 1000, 20), "kernel.degree=2")
    told = "a cell of 12000 places to train on and [0-9]+ features needs about .* enough for about [0-9]+ places to"
    with pytest.raises(UserError, match=told):
        admit(need_of([todo], todo.cells), {"name": "local", "jobs": 1, "memory": 0})


def test_pairs_of_classes_are_problems_on_their_own_examples():
    """Each pair has a matrix of its own, of a ninth of all here; classes against the rest have whole ones."""
    words = ["algo=l2_svm", "dataset=digits", "kernel.degrees=[1]"]
    rest, pairs = (plan_of(*words, f"multiclass={how}").cost for how in ("one_vs_rest", "one_vs_one"))
    assert rest.size.problems == (1.0,) * 10 and len(pairs.size.problems) == 45
    assert sum(pairs.size.problems) == pytest.approx(9.0)  # every class is in nine pairs
    squares = arrays(pairs.size)["square"] / arrays(rest.size)["square"]
    assert squares == pytest.approx(45 * 0.2**2 / 10, rel=0.01)
    assert pairs.peak < rest.peak


def test_what_is_counted():
    size = plan_of("algo=l2_mkl", "kernel=gaussian", "dataset=ringnorm", "dataset.n=1000").cost.size
    assert (size.n, size.measured, size.p, size.problems) == (600, 400, 7, (1.0,))
    kinds = arrays(size)
    assert kinds["stack"] == 8 * 7 * 600**2 and kinds["square"] == 8 * 600**2
    assert arrays(size.with_examples(11_000))["kept"] == KEEP_BYTES
    large = arrays(size.with_examples(30_000))  # one matrix is held, and parts of it
    assert 8 * 30_000**2 < large["data"] < 1.1 * 8 * 30_000**2 and large["square"] < 2**29
    assert arrays(size.with_examples(60_000))["data"] < 0.1 * 8 * 60_000**2  # and here none
    three = plan_of("algo=l2_mkl", "kernel=gaussian", "dataset=waveform", "dataset.n=1000").cost.size
    assert arrays(three)["stack"] == 3 * kinds["stack"]  # a path for every class, all at once
    nested = plan_of("algo=unif", "kernel=gaussian", "dataset=ringnorm", "dataset.n=1000", "protocol=halves10_cv5")
    assert nested.cost.size.n == 500  # the folds have 400
    views = plan_of("algo=unif", "kernel=mixed", "dataset=ringnorm", "dataset.n=1000").cost.size
    assert (views.width, views.p) == (3, 3)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("method", [method for method in read_constants() if method[2] == STREAMED], ids=" ".join)
def test_beyond_what_is_held_other_constants_count(method):
    words = beyond(*method)
    cost = plan_of(*words).cost
    assert cost.size.streamed and not cost.assumed
    alone = replace(cost, methods=cost.streamed, streamed=None)
    assert (cost.peak, cost.heaviest) == (alone.peak, method[0])
    small = replace(cost, size=cost.size.with_examples(1000))
    assert small.peak == replace(small, streamed=None).peak  # where matrices are held they count


def test_a_peak_grows_with_examples_and_kernels():
    def cost(*words):
        return plan_of("algo=l2_mkl", "dataset=ringnorm", *words).cost

    one = cost("kernel=gaussian", "dataset.n=1000", "algo.Cs=[1.0]")
    for words in (
        ("kernel=gaussian", "dataset.n=2000", "algo.Cs=[1.0]"),
        ("kernel=polynomial", "dataset.n=1000", "algo.Cs=[1.0]"),  # ten kernels, not seven
    ):
        assert cost(*words).peak > one.peak


def test_penalties_count_over_the_values_of_their_kernel():
    """More columns come into a linear program as its penalties fall; (x.z + 1)^3 is 8 for an example of norm 1."""

    def cost(name, *words):
        return plan_of(f"algo={name}", "dataset=ringnorm", "dataset.n=5000", "scaling=unit", *words).cost

    two = cost("l1_svm", "algo.betas=[0.1,0.001]", "kernel.degrees=[1,3]")
    assert two.size.penalty == pytest.approx(np.sqrt(0.1 * 0.001 / (2 * 8)), rel=1e-9)
    both = [cost("vkr", "algo.lambdas=[0.1]", f"algo.betas=[{beta}]", "kernel.degrees=[1,3]") for beta in (0.8, 0)]
    assert [one.size.penalty for one in both] == pytest.approx([0.1 + 0.1 / 3000**0.5, 0.1 / 3000**0.5], rel=1e-9)
    none = cost("vkr", "algo.lambdas=[0]", "algo.betas=[0]")
    assert 0 < none.size.penalty < 1e-5 and np.isfinite(none.peak)
    assert cost("l2_svm").size.penalty == 1.0


@pytest.mark.parametrize("name", ["vkr", "l1_svm"])
def test_weak_penalties_let_columns_in_where_none_are_held(name):
    words = ["dataset=ringnorm", "dataset.n=30000", "kernel.degrees=[1,2,3]", "scaling=unit"]
    words += ["algo.lambdas=[0]"] * (name == "vkr")
    strong, weak = (plan_of(f"algo={name}", f"algo.betas=[{beta}]", *words).cost for beta in (1e-2, 1e-4))
    assert strong.size.streamed and strong.base < strong.peak < 0.7 * weak.peak


def beyond(name, task, kernels):
    """Return the words of an experiment that the constants of a method were not fitted at."""
    words = [f"algo={name}", f"task={task}", "scaling=standard"]
    if kernels.startswith("all "):
        words += ["dataset=ringnorm", "dataset.n=1500", "kernel=stumps", "kernel.number=0", "algo.over=all"]
    elif ALGORITHMS[name].inputs != KERNELS:
        n = 900 if kernels == "features" else 2700  # boosted networks take minutes of more examples
        words += ["dataset=ringnorm", f"dataset.n={n}", f"kernel={kernels}"]
    elif kernels == "features":
        words += ["dataset=musk", "kernel=features"]
    elif kernels == STREAMED:
        few, one = ALGORITHMS[name].max_matrix_bytes < MAX_MATRIX_BYTES, "kernel.gammas=[0.05]"
        many = f"kernel.gammas={np.geomspace(0.003, 0.3, 10).round(6).tolist()}"
        words += ["dataset=ringnorm", f"dataset.n={17_800 if ALGORITHMS[name].weighs else 14_000 if few else 27_500}"]
        words += ["kernel=gaussian", many if ALGORITHMS[name].weighs else one]
    elif ALGORITHMS[name].universum:
        words += ["dataset=mnist_universum", "dataset.n_universum=800", "protocol=swap3500", "scaling=unit"]
    else:
        words += ["dataset=ringnorm", "dataset.n=2700"]
        words.append("kernel.degrees=[1,2]" if not ALGORITHMS[name].weighs else "kernel=gaussian")
    for key, value in (("Cs", "1.0"), ("lambdas", "1.0,0.1"), ("betas", "0.1,0.01"), ("thetas", "2")):
        if key in ALGORITHMS[name].parameters:
            words.append(f"algo.{key}=[{value}]")
    if kernels == "matrices" and ALGORITHMS[name].weighs:
        words.append("kernel.gammas=[0.003,0.01,0.03,0.1,0.3]")
    return words


@pytest.mark.slow
@pytest.mark.timeout(1500)
@on_linux
@pytest.mark.parametrize(
    "method",
    [
        pytest.param(method, marks=[pytest.mark.data, needs_originals] if ALGORITHMS[method[0]].universum else [])
        for method in read_constants()
        if not ALGORITHMS[method[0]].sequential
    ],
    ids=" ".join,
)
def test_the_peak_of_every_method_is_right_within_a_factor_of_two(method):
    ((predicted, peak),) = measured(beyond(*method))
    assert 0.5 < predicted / peak < 2.0
