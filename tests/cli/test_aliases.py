"""Words of scikit-learn's users are read as ours, or answered with the word that is meant."""

import re
import shlex

import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.configuration.aliases import ALIASES, LISTS, MEANT, translated
from kernlearn.cli.configuration.compose import Loader
from kernlearn.cli.main import main
from kernlearn.datasets import OWN_KINDS
from kernlearn.errors import UserError

LOADER = Loader()
CHOICES = LOADER.places.options


@pytest.mark.parametrize(
    ("word", "ours"),
    [
        ("algo=svm", ["algo=l2_svm"]),
        ("algo=SVC,rmm", ["algo=l2_svm,rmm"]),
        ("estimator=svc", ["algo=l2_svm"]),
        ("kernel=rbf,linear", ["kernel=gaussian,linear"]),
        ("kernel=poly", ["kernel=polynomial_libsvm"]),
        ("random_state=7", ["seed=7"]),
        ("n_jobs=-1", ["engine.jobs=0"]),
        ("n_jobs=2", ["engine.jobs=2"]),
        ("C=10", ["algo.Cs=[10]"]),
        ("C=1,10", ["algo.Cs=[1],[10]"]),
        ("C=[1,10]", ["algo.Cs=[1,10]"]),
        ("gamma=0.5", ["kernel.gammas=[0.5]", "kernel.unit=null"]),
        ("gamma=scale", ["kernel.gammas=[1.0]", "kernel.unit=scale"]),
        ("gamma=auto", ["kernel.gammas=[1.0]", "kernel.unit=auto"]),
        ("degree=3", ["kernel.degrees=[3]"]),
        ("scoring=roc_auc", ["select_by=auc"]),
        ("select_by=accuracy", ["select_by=accuracy_pct"]),
        ("text=onehot", ["dataset.text=onehot"]),
        ("types={zip: category, a: text}", ["dataset.types={zip: category, a: text}"]),
        ("drop=[a,b]", ["dataset.drop=[a,b]"]),
        ("decision_function_shape=ovo", ["multiclass=one_vs_one"]),
        ("dataset=data/my.csv", ["dataset=csv", "dataset.path=data/my.csv"]),
        ("dataset=train.conll", ["dataset=conll", "dataset.path=train.conll"]),
        ("dataset=a.csv,b/c.csv", ["dataset=csv", "dataset.path=a.csv,b/c.csv"]),
        ("class_weight={'very ill': 5}", ["class_weight=\"{'very ill': 5}\""]),
        ('class_weight={"ill": 5},{ok: 2}', ['class_weight="{\\"ill\\": 5}",{ok: 2}']),
    ],
)
def test_a_word_is_read_as_ours_and_said_to_be(word, ours):
    assert translated([word], CHOICES) == (ours, [f"{word} is read as {' '.join(ours)}"])


@pytest.mark.parametrize(
    "word",
    ["algo=vkr", "kernel=gaussian", "dataset=ionosphere,sonar", "seed=1", "algo.Cs=[1,10]", "kernel.gammas=[1]", "--x"],
)
def test_our_own_words_stay(word):
    assert translated([word], CHOICES) == ([word], [])


@pytest.mark.parametrize(
    "name",
    [
        "part-00000",
        "x.prn",
        "adult.test",
        "data (1).csv",
        "a=b.csv",
        "a, b.csv",
        "it's.csv",
        'a"b',
        "[x] {y}",
        r"a\"b\\",
    ],
)
def test_an_existing_file_is_a_file_whatever_its_name(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("x,y\n1,p\n2,q\n")
    ours, (line,) = translated([f"dataset={name}"], CHOICES)
    assert LOADER.compose(ours)["dataset"]["path"] == name
    assert shlex.split(line.partition(" is read as ")[2]) == ours
    with pytest.raises(UserError, match="must be one of"):
        LOADER.compose(translated(["dataset=part-00001"], CHOICES)[0])


def test_all_keys_of_files_are_found_without_their_group():
    assert {key: ALIASES.get(key) for key in OWN_KINDS} == {key: f"dataset.{key}" for key in OWN_KINDS}


def test_a_file_alone_is_answered_with_the_key_that_it_needs(tmp_path):
    (tmp_path / "my table").write_text("a,y\n")
    for word, key in {"my.csv": "dataset=my.csv", tmp_path / "my table": "dataset='"}.items():
        with pytest.raises(UserError, match=f"^{word}: a data file is given as {key}"):
            translated([str(word)], CHOICES)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["C=10", "algo.Cs=[1]"], r"C=10 and algo\.Cs=\[1\]: both set algo\.Cs; give one of them"),
        (["seed=2", "random_state=1"], "seed=2 and random_state=1: both set seed; give one of them"),
        (["C=1", "C=10"], r"C=1 and C=10: both set algo\.Cs; give one of them"),
        (
            ["gamma=0.5", "kernel.unit=scale"],
            r"gamma=0\.5 and kernel\.unit=scale: both set kernel\.unit; give one of them",
        ),
        (
            ["kernel=poly", "gamma=0.1"],
            r"gamma=0\.1: kernel=poly is \(x\.z/d \+ coef0\)\^degree here, .*; leave gamma out",
        ),
        (["algo=rmm,SVR"], "algo=SVR: kernlearn has no such method; algo=krr and algo=l2_krr .* task=regression"),
        (["dataset=/tmp"], "dataset=/tmp: is a directory; give a file"),
        (["dataset=sonar,b.csv"], r"dataset=b\.csv: all values must be files of one kind, as in dataset=a\.csv,b\.csv"),
        (["dataset=a.csv,b.conll"], r"dataset=a\.csv: all values must be files of one kind, .*"),
    ],
)
def test_words_that_do_not_go_together_are_told(words, message):
    with pytest.raises(UserError, match=f"^{message}$"):
        translated(words, CHOICES)


def test_the_same_said_twice_is_said_once_and_of_our_own_words_the_last_holds():
    assert translated(["random_state=1", "seed=1"], CHOICES)[0] == ["seed=1", "seed=1"]
    assert translated(["seed=1", "seed=2"], CHOICES) == (["seed=1", "seed=2"], [])


def test_a_choice_of_that_name_is_never_taken_for_another():
    assert translated(["algo=svm"], lambda group: ["svm"]) == (["algo=svm"], [])


@pytest.mark.parametrize("key", MEANT)
def test_a_key_that_is_none_is_answered_with_what_is_meant(key):
    with pytest.raises(UserError, match=f"^{key}: kernlearn has no such key; ") as error:
        translated([f"{key}=1"], CHOICES)
    assert MEANT[key] in str(error.value)


ADVISED = sorted({word for meant in MEANT.values() for word in re.findall(r"[\w.]+=[\w.\[\]]*", meant)})


@pytest.mark.parametrize("word", ADVISED)
def test_the_words_that_are_advised_are_accepted(word):
    key, _, value = word.partition("=")
    group, _, name = key.partition(".")
    if name:
        choices = {"l2_svm", "gaussian", "holdout"} & set(CHOICES(group))
        configs = [LOADER.compose([f"{group}={choice}"]) for choice in choices]
        assert configs and all(name in config[group] for config in configs)
    elif CHOICES(key):
        assert value in CHOICES(key)
    else:
        assert key in LOADER.compose([])


def test_all_that_words_are_read_as_is_there():
    keys = {*LISTS}
    for ours in ALIASES.values():
        group, _, name = ours.partition("=")
        assert name in CHOICES(group) or not CHOICES(group) or not name
        keys.add(group)
    every = {f"algo.{key}" for method in ALGORITHMS.values() for key in method.parameters}
    assert {key for key in keys if key.startswith("algo.")} <= every


def test_a_run_says_as_what_a_word_is_read_and_a_shown_configuration_stays_one(capsys):
    words = ["algo=svc", "kernel=rbf", "dataset=sonar", "random_state=3"]
    assert main(["run", *words, "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "note       algo=svc is read as algo=l2_svm\n" in out and "rotation5, seed 3" in out
    assert main(["run", *words, "--cfg", "job", "--package", "seed"]) == 0
    out, err = capsys.readouterr()
    assert out.strip() == "3" and "random_state=3 is read as seed=3" in err
    assert main(["sweep", *words, "--dry-run"]) == 0
    assert "kernel=rbf is read as kernel=gaussian" in capsys.readouterr().out
    assert main(["run", "cv=5"]) == 2
    assert capsys.readouterr().err.startswith("kernlearn: error: cv: kernlearn has no such key; protocol=nested5x5 ")


def test_a_kernel_of_one_degree_keeps_its_key():
    words, lines = translated(["kernel.degree=2", "kernel=chains"], CHOICES)
    assert words == ["kernel.degree=2", "kernel=chains"] and lines == []
    assert translated(["kernel=chains", "degree=2"], CHOICES)[0] == ["kernel=chains", "kernel.degree=2"]
    assert LOADER.compose(["algo=struct_svm", "dataset=conll", *words])["kernel"]["degree"] == 2
