"""A directory of configurations of one's own, on the command line."""

import json
import time

import numpy as np
import pytest

from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.parameters import Number


@pytest.fixture
def mine(tmp_path):
    """Data set, algorithm, kernel and experiment of one's own."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) + np.arange(40)[:, None] % 2
    lines = ["a,b,label"] + [f"{x:.4f},{z:.4f},{i % 2}" for i, (x, z) in enumerate(X)]
    (tmp_path / "my.csv").write_text("\n".join(lines))
    files = {
        "dataset/mine": "name: csv\npath: my.csv\ntarget: label\n",
        "algo/my_vkr": "defaults: [vkr]\nlambdas: [0.1, 0.01]\nbetas: [0.1]\n",
        "kernel/linear": "name: polynomial\ndegrees: [1, 2]\ncoef0: 1.0\n",
        "experiment/ours": "# @package _global_\ndefaults:\n  - override /algo: l1_svm\n"
        "  - override /kernel: gaussian\nseed: 7\nkernel: {gammas: [0.5]}\n",
        "whole": "defaults: [config, override dataset: mine, override algo: my_vkr, _self_]\nseed: 5\n",
        "follows": "defaults: [config, override dataset: twonorm, _self_]\ndataset: {n: 50, seed: '${seed}'}\n",
    }
    for name, text in files.items():
        (tmp_path / f"mine/{name}.yaml").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"mine/{name}.yaml").write_text(text)
    return tmp_path / "mine"


def test_compositions_of_one_process_share_files_and_nothing_that_changes(mine):
    words, file = ["dataset=mine"], mine / "dataset/mine.yaml"
    first = compose_config(words, str(mine))
    first["dataset"]["path"] = "another"
    first["kernel"]["gammas"].append(99)
    again = compose_config(words, str(mine))
    assert again["dataset"]["path"].endswith("my.csv") and 99 not in again["kernel"]["gammas"]
    file.write_text(file.read_text().replace("my.csv", "no.csv"))
    assert compose_config(words, str(mine))["dataset"]["path"].endswith("no.csv")
    file.write_text("name: &name csv\npath: *name\n")
    for _ in range(2):
        with pytest.raises(UserError, match="an alias"):
            compose_config(words, str(mine))


def experiments(results):
    return [json.loads(path.read_text())["experiment"] for path in results.glob("runs/*/provenance.json")]


def error_of(arguments, capsys):
    start = time.process_time()
    assert main(arguments) == 2
    assert time.process_time() - start < 20
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("kernlearn: error: ") and len(lines[0]) < 1000
    return lines[0]


def test_a_run(mine, tmp_path):
    assert main(["run", "--config-dir", "mine", "dataset=mine", "algo=my_vkr", "kernel=linear", "engine.jobs=1"]) == 0
    (experiment,) = experiments(tmp_path / "results")
    assert experiment["dataset"] == {"name": "csv", "path": str(tmp_path / "my.csv"), "target": "label"}
    assert experiment["algo"]["lambdas"] == [0.1, 0.01] and experiment["algo"]["complexity"] == "lemma3"
    assert experiment["kernel"]["name"] == "polynomial"  # a name of ours is theirs where they have it


def test_an_experiment_and_a_whole_configuration(mine, tmp_path, capsys):
    assert main(["run", "-cd", "mine", "+experiment=ours", "dataset=mine", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "l1_svm" in out and "seed 7" in out and "gammas=[0.5]" in out
    assert main(["run", f"--config-dir={mine}", "--config-name", "whole", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "seed 5" in out and "2 x 5 x 6 (grid points, splits" in out and "40 x 2" in out


@pytest.mark.slow
def test_many_runs(mine, tmp_path):
    words = ["dataset=mine", "algo=my_vkr,l1_svm", "kernel.gammas=[1]", "engine.jobs=1"]
    assert main(["run", "-m", "--config-dir", "mine", *words]) == 0
    assert {e["algo"]["name"] for e in experiments(tmp_path / "results")} == {"vkr", "l1_svm"}


def test_a_sweep(mine, tmp_path, capsys):
    words = ["--config-dir", "mine", "dataset=mine", "algo=my_vkr", "kernel.gammas=[1]", "seed=range(0,2)"]
    assert main(["sweep", *words, "engine.jobs=1"]) == 0
    out = capsys.readouterr().out
    assert "2 experiments" in out and "cells      10, 0 already done" in out
    (state,) = (tmp_path / "results/sweeps").glob("*/sweep.json")
    assert "--config-dir mine" in state.read_text()


def test_what_follows_the_seed_follows_it_in_a_sweep(mine, capsys):
    """Seeds are put into a configuration without making it anew, but not where another value refers to the seed."""
    from kernlearn.cli.configuration.compose import Loader
    from kernlearn.cli.configuration.expand import expand

    configs = list(expand(["dataset=twonorm", "dataset.seed=${seed}", "seed=range(0,3)"], (), Loader()))
    assert [config["dataset"]["seed"] for config in configs] == [0, 1, 2]
    assert main(["run", "-cd", "mine", "-cn", "follows", "seed=3", "--cfg", "job", "--resolve", "-p", "dataset"]) == 0
    assert "seed: 3" in capsys.readouterr().out


@pytest.mark.slow
def test_a_launcher_gets_them_too(mine, tmp_path):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher")
    words = ["dataset=mine", "algo=my_vkr", "kernel.gammas=[1]", "engine.jobs=1", "seed=1,2"]
    launcher = ["hydra/launcher=joblib", "hydra.launcher.n_jobs=1"]
    assert main(["run", "-m", "--config-dir", "mine", *words, *launcher]) == 0
    assert {e["seed"] for e in experiments(tmp_path / "results")} == {1, 2}


def test_a_launcher_writes_nothing_beside_files_of_somebody_else(mine, tmp_path, capsys):
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher")
    (tmp_path / "results/multirun").mkdir(parents=True)
    (tmp_path / "results/multirun/notes.txt").write_text("of somebody else")
    words = ["dataset=mine", "algo=my_vkr", "seed=1,2", "hydra/launcher=joblib", "hydra.launcher.n_jobs=1"]
    error = error_of(["run", "-m", "--config-dir", "mine", *words], capsys)
    assert "multirun: was not written by kernlearn, which would write there" in error
    assert [path.name for path in (tmp_path / "results").rglob("*")] == ["multirun", "notes.txt"]


def test_a_name_that_is_not_there_lists_theirs(mine, capsys):
    assert "my_vkr" in error_of(["run", "--config-dir", "mine", "algo=none"], capsys)
    assert "is not a directory" in error_of(["run", "--config-dir", "nowhere"], capsys)
    assert "is not a directory" in error_of(["sweep", "--config-dir", "nowhere"], capsys)


ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefghijk", "bcdefghijkl", strict=True)
)
REFERENCES = "a: xxxxxxxxxx\n" + "".join(
    f"{new}: '{f'${{experiment.{old}}}' * 9}'\n" for old, new in zip("abcdefghijk", "bcdefghijkl", strict=True)
)
BOMBS = {
    "aliases": (ALIASES, "an alias"),
    "merged keys": ("a: &a {x: 1}\nb: {<<: *a}\n", "an alias"),
    "references to references": (REFERENCES, "refers to a reference"),
    "a reference to itself": ("a: {b: '${experiment.a}'}\n", "refers to a reference"),
    "very many references": ("a: x\n" + "".join(f"b{i}: '${{seed}}'\n" for i in range(101)), "101 references"),
    "deep lists": ("a: " + "[" * 30_000, "levels deep"),
    "deep mappings": ("a: " + "{a: " * 10_000, "levels deep"),
    "deep blocks": ("".join(f"{' ' * i}a:\n" for i in range(300)), "levels deep"),
    "a long file": ("a: " + "x" * 2**16, "longer than"),
    "many keys on one line": ("{" + "? " * 20_000, "evil.yaml"),
    "a long number": ("seed: " + "9" * 5000, "evil.yaml"),
    "a large number": ("# @package _global_\nseed: " + "9" * 400, "seed="),
    "NUL": ("a: '\0'", "evil.yaml"),
    "a list": ("- a\n", "KEY: VALUE"),
    "two documents": ("a: 1\n---\nb: 1\n", "evil.yaml"),
    "a bad header": ("# @package a b c\na: 1\n", "evil.yaml"),
}


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_is_refused_in_one_line(what, mine, capsys):
    text, expected = BOMBS[what]
    (mine / "experiment/evil.yaml").write_text(text)
    assert expected in error_of(["run", "--config-dir", "mine", "+experiment=evil", "--dry-run"], capsys)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1"])
def test_other_encodings_are_named(encoding, mine, capsys):
    (mine / "experiment/evil.yaml").write_bytes("# ünïcödé\nseed: 3\n".encode(encoding))
    assert "is not UTF-8 text" in error_of(["run", "--config-dir", "mine", "+experiment=evil"], capsys)
    (mine / "experiment/evil.yaml").write_bytes("# @package _global_\nseed: 3\n".encode("utf-8-sig"))
    assert main(["run", "--config-dir", "mine", "+experiment=evil", "dataset=mine", "--dry-run"]) == 0


def test_lists_of_defaults_that_double_or_go_round(mine, capsys):
    for i in range(31):
        (mine / f"experiment/d{i}.yaml").write_text(f"defaults: [d{i + 1}@a, d{i + 1}@b]\n")
    (mine / "experiment/d31.yaml").write_text("x: 1\n")
    assert "more than 1000 files" in error_of(["run", "--config-dir", "mine", "+experiment=d0", "--dry-run"], capsys)
    (mine / "experiment/round.yaml").write_text("defaults: [round]\n")
    assert "leads back to itself" in error_of(["run", "--config-dir", "mine", "+experiment=round"], capsys)


def test_all_choices_of_a_pattern(mine, capsys):
    assert main(["run", "-m", "--config-dir", "mine", "algo=glob(l1_svm*)", "dataset=mine", "--dry-run"]) == 0
    assert capsys.readouterr().out.count("l1_svm") == 1


def test_pipes_and_loops_among_the_files(mine, capsys):
    import os

    os.mkfifo(mine / "algo/pipe.yaml")
    (mine / "algo/loop.yaml").symlink_to("loop.yaml")
    (mine / "algo/zero.yaml").symlink_to("/dev/zero")
    for name in ("pipe", "loop", "zero"):
        assert f"algo={name}: must be one of" in error_of(["run", "--config-dir", "mine", f"algo={name}"], capsys)


WORDS = {
    "seed=range(0,1e9)": "more than",
    "seed=range(0,1000000000)": "more than",
    "seed=shuffle(range(0,1000000000))": "more than",
    "seed=range(0,inf)": "seed",
    "seed=range(0,1,1e-300)": "more than",
    "seed=range(0,5,0)": "seed",
    f"seed=range(0,{'9' * 400})": "more than",
    f"seed={'9' * 400}": "seed=",
    f"seed={'9' * 5000}": "",
    f"seed={'[' * 5000}": "levels deep",
    f"seed={'{a:' * 1000}": "levels deep",
    f"seed={'choice(' * 100}": "levels deep",
    f"seed={'${' * 1000}": "levels deep",
    "seed=${${task}}": "plain reference",
    f"seed={',' * 20_000}": "",
    f"seed={'x' * 200_000}": "characters",
}


@pytest.mark.parametrize("verb", ["run -m", "sweep"])
@pytest.mark.parametrize("word", WORDS, ids=lambda word: word[:30])
def test_a_word_that_would_take_ages_is_refused_at_once(verb, word, capsys):
    assert WORDS[word] in error_of([*verb.split(), "dataset=sonar", word, "--dry-run"], capsys)


def test_too_many_runs(capsys):
    assert "kernlearn sweep" in error_of(["run", "-m", "seed=range(0,9000)"], capsys)
    many = "algo.tol=" + ",".join(f"1e-{i}" for i in range(3, 11))
    words = [many, "scaling=unit,none,minmax,standard", "algo=vkr,l1_svm", *(f"algo.{x}=1,2,3,4,5" for x in "abcde")]
    assert "combinations" in error_of(["run", "-m", *words], capsys)


def test_numbers_beyond_all_bounds():
    for value in (10**400, -(10**400), float("inf"), float("nan")):
        with pytest.raises(ValueError, match="must be"):
            Number().check("x", value)


@pytest.mark.parametrize("verb", ["run", "run -m", "sweep"])
def test_a_group_that_needs_a_plus_is_told_at_once(verb, capsys):
    """The hint at a name that is near once asked for itself, for ever."""
    assert "experiment" in error_of([*verb.split(), "experiment=ours", "--dry-run"], capsys)
