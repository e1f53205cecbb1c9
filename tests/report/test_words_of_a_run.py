"""What a run says of itself is true of it."""

import pytest

from kernlearn.cli.main import main


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["kernel=linear"], "kernels    linear; scaling"),
        (["kernel=features", "algo=align"], "kernels    features (34 of rank 1); scaling"),
        (["kernel=gaussian", "kernel.gammas=[1]", "algo=unif"], "kernels    gaussian gammas=[1.0]; scaling"),
        (["algo=align", "algo.Cs=[1,2]"], "2 x 5 (grid points, splits) = 10 quadratic programs\n"),
        (["algo=align", "algo.lambdas=[1]", "task=regression"], "1 x 5 (grid points, splits) = 5 ridge regressions\n"),
        (["algo=krr", "algo.lambdas=[1]", "kernel=linear", "task=regression"], "= 5 ridge regressions\n"),
        (
            ["algo=unif", "algo.Cs=[1]", "protocol=halves10_cv5"],
            "1 x 10 x 6 (grid points, splits, folds and the whole training part) = 60 quadratic programs\n",
        ),
    ],
)
def test_what_is_going_to_be_solved(words, expected, capsys):
    assert main(["run", "dataset=ionosphere", *words, "--dry-run"]) == 0
    assert expected in capsys.readouterr().out


@pytest.mark.parametrize("verb", ["run", "sweep"])
def test_features_are_no_support_vectors(verb, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["dataset=ionosphere", "kernel=features", "algo=unif", "algo.Cs=[1]", "engine.jobs=1"]
    assert main([verb, *words]) == 0
    (summary,) = tmp_path.glob("results/*/*/summary.csv")
    assert "n_kernels" in summary.read_text() and "n_support_vectors" not in summary.read_text()
    assert verb == "sweep" or "support vectors" not in capsys.readouterr().out
