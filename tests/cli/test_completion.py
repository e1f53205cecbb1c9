"""Words are completed with the tab key."""

import subprocess

import pytest

from kernlearn.cli.main import VERBS, main
from tests.cli.test_main import KERNLEARN


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("kernlearn r", ["replay", "report", "reproduce", "run"]),
        ("kernlearn --v", ["--version"]),
        ("kernlearn run kernel=gaussian kernel.ga", ["kernel.gammas="]),
        ("kernlearn run --dr", ["--dry-run", "--dry-run=pilot"]),
        ("kernlearn run -m algo=vkr,l1_s", ["algo=vkr,l1_svm"]),
        ("kernlearn sweep --ret", ["--retry-failed"]),
        ("kernlearn sweep algo=l1_svm algo.be", ["algo.betas="]),
        ("kernlearn reproduce vkr2015/ta", ["vkr2015/table1"]),
        ("kernlearn reproduce mkl2010/fig2_1", ["mkl2010/fig2_1"]),
        ("kernlearn reproduce vkr2015/table1 --se", ["--seeds"]),
        ("kernlearn reproduce vkr2015/table1 --datasets ionosphere pi", ["pima"]),
        ("kernlearn reproduce vkr2015/table1 --algos l1", ["l1_svm"]),
        ("kernlearn reproduce vkr2015/table1 engine=s", ["engine=slurm"]),
        ("kernlearn plot two --kind pre", ["precision-recall"]),
        ("kernlearn plot two --re", ["--results-dir"]),
        ("kernlearn diff --t", ["--to", "--tol", "--top"]),
        ("kernlearn export vkr2015/t", ["vkr2015/table1"]),
        ("kernlearn export vkr2015/table1 --to m", ["macros", "markdown"]),
        ("kernlearn list al", ["algorithms", "align", "alignf"]),
        ("kernlearn data in", ["info"]),
        ("kernlearn data info son", ["sonar"]),
        ("kernlearn status --re", ["--results-dir"]),
        ("kernlearn status x", []),
        ("kernlearn nothing x", []),
        ("kernlearn run algo=nothing algo.x", []),
        ("kernlearn run algo.lambdas=[1] algo=l1_svm seed=x algo.b", ["algo.betas="]),
        ("kernlearn run sca", ["scaling="]),
        ("kernlearn run scaling=un", ["scaling=unit"]),
        ("kernlearn sweep algo=vkr algo.complexity=lemma4,lemma4_", ["algo.complexity=lemma4,lemma4_m"]),
        ("kernlearn run algo=l1_s", ["algo=l1_svm"]),
        ("kernlearn run multiclass=", ["multiclass=one_vs_one", "multiclass=one_vs_rest"]),
        ("kernlearn run dataset=son", ["dataset=sonar"]),
    ],
)
def test_tab_completion(line, expected, monkeypatch, capsys):
    monkeypatch.setenv("COMP_LINE", line)
    assert main(["-sc", "query=bash"]) == 0
    assert capsys.readouterr().out.split() == expected


@pytest.mark.parametrize("begun", ["", "a", "ab", "b"])
def test_tab_completion_offers_what_begins_so_and_all_of_it(begun, monkeypatch, capsys):
    from kernlearn.datasets import CATALOGUE
    from kernlearn.datasets.loading import STAND_INS

    monkeypatch.setenv("COMP_LINE", f"kernlearn sweep dataset={begun}")
    assert main(["-sc", "query=bash"]) == 0
    known = [f"dataset={name}" for name in {*CATALOGUE, *STAND_INS, "all"} if name.startswith(begun)]
    assert sorted(capsys.readouterr().out.split()) == sorted(known) != []


def test_every_verb_is_completed(monkeypatch, capsys):
    for verb in VERBS:
        monkeypatch.setenv("COMP_LINE", f"kernlearn {verb} -")
        assert main(["-sc", "query=bash"]) == 0
        assert "--debug" in capsys.readouterr().out.split()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected"),
    [("kernlearn run algo=l1_s", ["l1_svm"]), ("kernlearn run sca", ["scaling="]), ("kernlearn lis", ["list"])],
)
def test_bash_has_the_completion(line, expected):
    """As bash calls the function: it ends words at "="."""
    call = f"""
        kernlearn() {{ {" ".join(KERNLEARN)!s} "$@"; }}
        compopt() {{ true; }}
        eval "$(kernlearn -sc install=bash)"
        COMP_WORDBREAKS=$' =:' COMP_LINE={line!r} COMP_POINT={len(line)}
        _kernlearn kernlearn
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """.replace(KERNLEARN[-1], f"'{KERNLEARN[-1]}'")
    done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=True)
    assert done.stdout.split() == expected


def test_a_shell_that_is_not_known_is_told(capsys):
    assert main(["-sc", "install=tcsh"]) == 2
    assert "install=SHELL, one of bash, fish, zsh" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["report", "plot", "export", "diff"])
def test_results_are_those_of_the_directory_that_the_line_names(verb, tmp_path, monkeypatch, capsys):
    run = tmp_path / "elsewhere" / "runs" / "a-run-of-mine"
    run.mkdir(parents=True)
    (run / "paths.csv").touch()
    monkeypatch.chdir(tmp_path)
    for words, expected in (("--results-dir elsewhere", ["a-run-of-mine"]), ("", [])):
        monkeypatch.setenv("COMP_LINE", f"kernlearn {verb} {words} a-run")
        assert main(["-sc", "query=bash"]) == 0
        assert capsys.readouterr().out.split() == expected
