"""Labels of sequences go through the same door: cells, rows, choices, baselines, what is said."""

import json

import numpy as np
import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.estimators import LinearChainCRF
from kernlearn.evaluation import tallies
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.baseline import baseline_rows
from tests.conftest import first_of
from tests.runner.experiments import plan_of

NAMES = ("Ana", "Juan", "Madrid", "Lima", "Rosa", "Quito", "Pedro")


@pytest.fixture
def words(tmp_path):
    """Return the words of an experiment on sentences about names, some of them of one word."""
    rng = np.random.default_rng(0)
    lines = []
    for _ in range(40):
        for _ in range(rng.integers(1, 6)):
            name = rng.random() < 0.4
            word = rng.choice(NAMES) if name else rng.choice(["dice", "que", "vive", "en"])
            lines.append(f"{word} {'NAME' if name else 'O'}")
        lines.append("")
    path = tmp_path / "names.txt"
    path.write_text("\n".join(lines))
    return ["algo=crf", "dataset=conll", f"dataset.path={path}", "dataset.target=-1", "algo.Cs=[0.01,1.0]"]


def test_rows_are_what_the_estimator_predicts(words):
    plan = plan_of(*words, "scaling=none", "kernel.window=1")
    cell = plan.cells[0]
    result = run_cell(cell)
    assert result["status"] == "ok", result.get("traceback")
    data, split = data_of(cell)
    names, every = np.array(data.columns), list(data.X.split(data.X.values))
    sentences = [[[str(names[j]) for j in one[[t]].indices] for t in range(one.shape[0])] for one in every]
    labels = [[data.classes[c] for c in one] for one in data.y.split(data.labels)]
    for row in result["rows"]:
        model = LinearChainCRF(C=row["C"]).fit(*([some[i] for i in split.train] for some in (sentences, labels)))
        test = [[some[i] for i in split.test] for some in (sentences, labels)]
        assert row["n_test"] == sum(map(len, test[0])) and row["status"] == "optimal" and 0 <= row["gap"] <= 1e-6
        assert row["test_error_pct"] == pytest.approx(100 * (1 - model.score(*test)))
        assert row["test_sequence_error_pct"] == pytest.approx(100 * (1 - model.sequence_score(*test)))
        report, kept = model.report(*test), tallies.read(row["test_tallies"])
        for c, label in enumerate(data.classes):
            np.testing.assert_allclose(kept.scores(c), [100 * report[label][k] for k in ("precision", "recall", "f1")])
        assert sum(kept.true) - sum(kept.right) == row["test_errors"]


def test_a_window_is_another_experiment_and_knows_neighbours(words):
    assert plan_of(*words).experiment.kernel == {"name": "chains", "window": 3, "degree": 1}  # brought by algo=crf
    assert plan_of(*words).keys != plan_of(*words, "kernel.window=1").keys


def test_folds_inside_the_training_part_add_up(words):
    plan = plan_of(*words, "protocol=halves10_cv5")
    result = run_cell(plan.cells[0])
    assert result["status"] == "ok", result.get("traceback")
    for row in result["rows"]:
        kept = tallies.read(row["validation_tallies"])
        assert sum(kept.true) == row["n_validation"] == row["n_train"]
        assert sum(kept.true) - sum(kept.right) == row["validation_errors"]


@pytest.mark.slow
def test_structured_machines_go_through_the_same_door(words):
    some = [word for word in words if not word.startswith("algo")]
    for algorithm in (["algo=struct_svm"], ["algo=struct_rmm", "algo.fractions=[0.5]"]):
        plan = plan_of(*some, *algorithm, "algo.Cs=[1.0]", "kernel=chains", "kernel.degree=2", "scaling=none")
        result = run_cell(plan.cells[0])
        assert result["status"] == "ok", result.get("traceback")
        (row,) = result["rows"]
        assert (
            row["status"] == "optimal" and 0 <= row["gap"] <= 1e-3 and row["theta"] <= row.get("B", np.inf) * (1 + 1e-9)
        )
        assert row["test_error_pct"] < 20 and row["n_support"] > 0


@pytest.mark.parametrize("name", first_of(["crf", "struct_svm", "struct_rmm"]))
def test_labels_that_the_training_part_lacks_are_errors(name, tmp_path):
    """A label of one word in all, which is in some test part."""
    lines = [f"w{i % 3} L{i % 3}" + "\n" * (i % 3 == 2) for i in range(90)]
    lines[30] = "w0 RARE"
    (tmp_path / "rare.txt").write_text("\n".join(lines))
    data = ["dataset=conll", f"dataset.path={tmp_path / 'rare.txt'}", "dataset.target=-1", "kernel=chains"]
    plan = plan_of(f"algo={name}", *data, "algo.Cs=[10.0]", "scaling=none")
    dataset = data_of(plan.cells[0])[0]
    rare = dataset.classes.index("RARE")
    lacking = next(cell for cell in plan.cells if rare in dataset.y[data_of(cell)[1].test].values)
    result = run_cell(lacking)
    assert result["status"] == "ok", result.get("traceback")
    for row in result["rows"]:
        kept = tallies.read(row["test_tallies"])
        assert kept.true[rare] == 1 and kept.right[rare] == 0 and row["test_errors"] >= 1


def test_the_baseline_is_the_most_frequent_label(words):
    plan = plan_of(*words)
    data, split = data_of(plan.cells[0])
    (first, *_) = baseline_rows(plan)
    most = np.bincount(data.y[split.train].values).argmax()
    assert first["test_error_pct"] == pytest.approx(100 * np.mean(data.y[split.test].values != most))
    assert first["test_f1_pct"] < 60


def test_a_run_shows_every_label_and_repeats_nothing(words, capsys, tmp_path):
    command = ["run", *words, "engine.jobs=1", "select_by=f1_pct", f"results_dir={tmp_path / 'r'}"]
    assert main(command) == 0
    out = capsys.readouterr().out
    assert "40 sequences of" in out and "precision %" in out and "sequences with an error" in out
    assert [line.split()[0] for line in out.partition("precision %")[2].splitlines()[1:3]] == ["NAME", "O"]
    assert main(command) == 0
    assert "5 already done" in capsys.readouterr().out
    (provenance,) = (tmp_path / "r").rglob("provenance.json")
    (data,) = json.loads(provenance.read_text())["data"]
    assert data["name"] == "names" and data["examples"] == 40 and data["classes"] == ["NAME", "O"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (
            ["algo=l2_svm"],
            "algo=l2_svm: learns from single examples, but names has sequences; sequences are for crf, str",
        ),
        (["kernel=linear"], "algo=crf: learns from chains, not from linear; use kernel=chains"),
        (["select_by=auc"], "select_by=auc: is a score of two classes, these are labels of sequences"),
        (["multiclass=one_vs_one"], "takes all classes at once"),
        (["kernel.window=4"], "must be odd"),
        (["kernel.degree=2"], "kernel.degree=2: algo=crf has a weight for every feature"),
        (["algo=struct_svm"], "kernel=gaussian: is for single examples, but names has sequences; use kernel=chains"),
        (["scaling=minmax"], "would fill in the zeros"),
    ],
)
def test_what_does_not_go_together_is_refused_in_one_line(words, more, told):
    if more[0].startswith("algo"):
        words = [word for word in words if not word.startswith("algo")]
    with pytest.raises(UserError, match=told):
        plan_of(*words, *more)


def test_single_examples_are_no_sequences():
    with pytest.raises(
        UserError, match="learns from sequences, but sonar has single examples; sentences are read with dataset=conll"
    ):
        plan_of("algo=crf", "dataset=sonar")
    with pytest.raises(UserError, match="kernel=chains: is for sequences, but sonar has single examples; use another"):
        plan_of("algo=struct_svm", "kernel=chains", "dataset=sonar")
    with pytest.raises(UserError, match="select_by=f1_pct: is a score of sequences"):
        plan_of("algo=l2_svm", "dataset=sonar", "select_by=f1_pct")


def test_of_many_labels_the_most_frequent_are_named(tmp_path, capsys):
    lines = [f"w{i} L{i % 30:02}" + "\n" * (i % 5 == 4) for i in range(155)]
    (tmp_path / "many.txt").write_text("\n".join(lines))
    assert main(["run", "algo=crf", "dataset=conll", f"dataset.path={tmp_path / 'many.txt'}", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "classes L00 (6), L01 (6)" in out and " and 10 others; " in out and "L29" not in out
