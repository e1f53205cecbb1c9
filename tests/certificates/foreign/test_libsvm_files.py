"""Certificates of model files that LibSVM 3.37 wrote, by `svm-train -g 0.5 -c 3 -e 1e-8` and `-s 3 -t 1 -d 2 -r 1`."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.svm import SVC, SVR

from kernlearn import certify
from kernlearn.errors import UserError

FILES = Path(__file__).parent
X, Y = (values[::5] for values in load_iris(return_X_y=True))


def test_all_pairs_of_a_file_are_those_of_an_svc():
    proof = certify(FILES / "iris_c_svc.model", X, Y, C=3.0)
    theirs = certify(SVC(C=3.0, gamma=0.5, tol=1e-8).fit(X, Y), X, Y)
    assert [part.name for part in proof.parts] == [
        "class 2.0 against 1.0",
        "class 2.0 against 0.0",
        "class 1.0 against 0.0",
    ]
    ours = sorted(part.objective for part in proof.parts)
    assert ours == pytest.approx(sorted(part.objective for part in theirs.parts), rel=1e-6)
    assert 0.0 <= proof.relative_gap <= 1e-6


def test_a_regression():
    proof = certify(str(FILES / "iris_epsilon_svr.model"), X[:, 1:], X[:, 0], C=2.0, epsilon=0.1)
    model = SVR(kernel="poly", degree=2, coef0=1.0, gamma=0.5, C=2.0, tol=1e-8).fit(X[:, 1:], X[:, 0])
    assert proof.objective == pytest.approx(certify(model, X[:, 1:], X[:, 0]).objective, rel=1e-5)
    assert 0.0 <= proof.relative_gap <= 1e-4


def test_another_C_is_another_problem():
    gaps = [certify(FILES / "iris_c_svc.model", X, Y, C=C).relative_gap for C in (3.0, 2.0, 30.0)]
    assert gaps[0] < 1e-6 < min(gaps[1:])


@pytest.mark.parametrize(
    ("words", "change", "options"),
    [
        ("does not say C; give C", None, {}),
        ("no row of X", ("1:6.3", "1:6.4"), {"C": 3.0}),
        ("known are c_svc, nu_svc", ("c_svc", "one_class"), {"C": 3.0}),
        ("known are c_svc, nu_svc", ("rbf", "precomputed"), {"C": 3.0}),
        ("no line 'SV'", ("SV\n", "SW\n"), {"C": 3.0}),
        ("no model file of LibSVM, or a damaged one", ("total_sv 12", "total_sv 13"), {"C": 3.0}),
        ("no model file of LibSVM, or a damaged one", ("1:6.3", "900:6.3"), {"C": 3.0}),
        ("no model file of LibSVM, or a damaged one", ("1:6.3", "1:x"), {"C": 3.0}),
        ("no model file of LibSVM, or a damaged one", ("rho ", "rho 1 "), {"C": 3.0}),
        ("NaN or infinite", ("1:6.3", "1:nan"), {"C": 3.0}),
        ("no model file of LibSVM, or a damaged one", ("nr_sv 5 4 3", "nr_sv 5 4"), {"C": 3.0}),
        ("NaN or infinite", ("rho 0.3644077969284335", "rho nan"), {"C": 3.0}),
        ("no class of the estimator", ("label 2 1 0", "label 2 1 7"), {"C": 3.0}),
    ],
)
def test_other_files_are_refused_in_one_line(words, change, options, tmp_path):
    text = (FILES / "iris_c_svc.model").read_text()
    file = tmp_path / "changed.model"
    file.write_text(text.replace(*change) if change else text)
    with pytest.raises(UserError, match=words) as caught:
        certify(file, X, Y, **options)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_or_binary(tmp_path):
    with pytest.raises(UserError, match=r"no\.model: No such file"):
        certify(tmp_path / "no.model", X, Y, C=1.0)
    (tmp_path / "binary.model").write_bytes(np.random.default_rng(0).bytes(1000))
    with pytest.raises(UserError, match="no line 'SV'"):
        certify(tmp_path / "binary.model", X, Y, C=1.0)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"C": -1.0}, "C=-1.0: must be"),
        ({"C": 0.0}, "C=0.0: must be"),
        ({"C": float("nan")}, "C=nan: must be"),
        ({"C": 1.0, "nu": 0.5}, "has no nu; leave it out"),
    ],
)
def test_parameters_that_are_none_of_the_file(parameters, words):
    with pytest.raises(UserError, match=words):
        certify(FILES / "iris_c_svc.model", X, Y, **parameters)
