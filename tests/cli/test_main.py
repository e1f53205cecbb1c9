"""The front door: help, lists, streams, interruption."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from kernlearn import __version__
from kernlearn.algorithms import ALGORITHMS
from kernlearn.cli.main import VERBS, main
from kernlearn.cli.parser import SWITCHES
from kernlearn.datasets import CATALOGUE
from kernlearn.evaluation import PROTOCOLS, SCORES
from kernlearn.kernels import FAMILIES

KERNLEARN = [sys.executable, "-c", "import sys; from kernlearn.cli.main import main; sys.exit(main())"]


def test_help_names_every_verb(capsys):
    assert main(["--help"]) == main([]) == main(["help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {verb} " in out for verb in VERBS) and __version__ in out


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"]])
def test_help_imports_nothing_slow(arguments):
    code = f"""
import sys
from kernlearn.cli.main import main
assert main({arguments!r}) == 0
slow = {{"numpy", "scipy", "sklearn", "hydra", "joblib", "rich", "highspy", "pandas"}} & set(sys.modules)
assert not slow, slow
"""
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_list_of_an_algorithm_has_all_its_parameters(name, capsys):
    assert main(["list", name]) == 0
    out, method = capsys.readouterr().out, ALGORITHMS[name]
    assert method.description in out
    assert all(f"\n{key} " in out and parameter.meaning in out for key, parameter in method.parameters.items())


def test_the_help_of_run_names_all_scores(capsys):
    assert main(["run", "--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in SCORES)
    assert "Run one experiment, print its results" in out and "RunFacts" not in out


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_has_help(verb, capsys):
    try:
        assert main([verb, "--help"]) == 0
    except SystemExit as stop:  # argparse leaves this way
        assert stop.code == 0
    assert f"kernlearn {verb}" in capsys.readouterr().out


def test_list_has_everything_that_is_registered(capsys):
    assert main(["list"]) == 0
    names = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line}
    assert {*ALGORITHMS, *FAMILIES, *CATALOGUE, *PROTOCOLS, "csv", "conll"} <= names
    assert main(["list", "kernels"]) == 0
    assert "vkr" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["ionosphere", "csv", "rotation5", "unit"])
def test_whatever_is_listed_is_shown_alone(name, capsys):
    assert main(["list"]) == 0
    listed = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(f"{name} "))
    assert main(["list", name]) == 0
    line, *more = capsys.readouterr().out.splitlines()
    assert line.split() == [f"{name}:", *listed.split()[1:]]
    for command in (line.partition(" shows ")[0].replace("FILE", "my.csv") for line in more):
        assert main(command.split()[1:]) == 0


def test_an_unknown_verb_is_one_line(capsys):
    assert main(["rum"]) == 2
    words = f"rum: no such verb, choose one of {', '.join(VERBS)} (kernlearn --help); did you mean run?"
    assert capsys.readouterr().err == f"kernlearn: error: {words}\n"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("list foo", ["'foo'", "algorithms", "kernlearn list shows all"]),
        ("list --foo", ["--foo", "kernlearn list --help"]),
        ("data", ["COMMAND", "kernlearn data --help"]),
        ("data foo", ["'foo'", "verify", "kernlearn data --help"]),
        ("data info", ["NAME", "kernlearn data info --help"]),
        ("reproduce --seeds x", ["--seeds", "'x'", "kernlearn reproduce --help"]),
        ("run --foo", ["--foo", "kernlearn run --help"]),
    ],
)
def test_a_wrong_argument_is_one_line_that_says_what_to_do(line, words, capsys):
    assert main(line.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("kernlearn: error: ") and captured.err.count("\n") == 1
    assert all(word in captured.err for word in words)


def test_the_verbs_that_compute_share_their_switches(capsys):
    for verb in ("run", "reproduce"):
        try:
            main([verb, "--help"])
        except SystemExit:
            pass
        out = " ".join(capsys.readouterr().out.split())
        assert all(f"{switch} {text}" in out for switch, text in SWITCHES.items())


def test_the_configuration_can_be_seen_without_running(capfd, tmp_path):
    assert main(["run", "algo=l1_svm", "dataset=sonar", "--cfg", "job"]) == 0
    out = capfd.readouterr().out
    assert "name: l1_svm" in out and "name: sonar" in out and "results_dir" in out
    assert list(tmp_path.iterdir()) == []


def test_a_closed_pipe_is_no_traceback():
    code = f"{sys.executable} -c 'import sys; from kernlearn.cli.main import main; sys.exit(main())' list | head -1"
    result = subprocess.run(["bash", "-c", code], capture_output=True, text=True)
    assert result.stderr == "" and result.stdout == "algorithms:\n"


@pytest.mark.sampled(3)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", ["--help", "list --help", "list", "run --cfg job", "data list"])
def test_a_full_standard_output_is_one_line(words, unbuffered):
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*KERNLEARN, *words.split()], stdout=full, stderr=subprocess.PIPE, text=True, env=environment
        )
    expected = "kernlearn: error: cannot write to the standard output: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, expected)


@pytest.mark.parametrize(
    ("streams", "error"),
    [
        (">&-", "kernlearn: error: cannot write to the standard output: it is closed\n"),
        (">&- 2>&-", ""),
        (">/dev/full 2>/dev/full", ""),
        (">/dev/full 2>&-", ""),
    ],
)
def test_closed_streams_are_a_mistake_of_whoever_closed_them(streams, error):
    command = f'"$0" -c "{KERNLEARN[-1]}" list {streams}'
    done = subprocess.run(["bash", "-c", command, sys.executable], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", error)


@pytest.mark.slow
@pytest.mark.parametrize("streams", ["2>&-", "<&- 2>&-"])
def test_processes_work_while_nobody_can_be_warned(tmp_path, streams):
    """Without a file as number 2 a pipe between the processes would be that."""
    words = f"run algo=l1_svm dataset=sonar kernel.degrees=[1] algo.betas=[0.1] engine.jobs=2 {streams}"
    done = subprocess.run(["bash", "-c", f'"$0" -c "{KERNLEARN[-1]}" {words}', sys.executable], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"") and b"largest relative gap" in done.stdout
    assert not list(tmp_path.rglob("*.failed.json"))


@pytest.mark.slow
def test_what_a_file_says_gives_no_orders_to_the_terminal(tmp_path, capfd):
    """Names of columns, values and keys of configurations, names of files in warnings, and tracebacks."""
    order = "\x1b]0;PWNED\x07\x1b[2J"
    (tmp_path / "esc.csv").write_text(f"{order}x,b,label\n1,2,a\n2,3,b\n")
    (tmp_path / "algo").mkdir()
    (tmp_path / "algo/value.yaml").write_text('name: "\\e]0;PWNED\\a"\n')
    (tmp_path / "algo/key.yaml").write_text('name: l1_svm\n"\\e[2Jkey": 1\n')
    (tmp_path / f"results/sweeps/{order}").mkdir(parents=True)
    (tmp_path / f"results/sweeps/{order}/sweep.json").write_text("{")
    own = ["run", "algo=l1_svm", "dataset=csv", "dataset.path=esc.csv", "dataset.target=zzz"]
    for words, code in [
        (own, 2),
        (["run", "--config-dir", ".", "algo=value", "dataset=sonar"], 2),
        (["run", "--config-dir", ".", "algo=key", "dataset=sonar"], 2),
        (["status"], 0),
    ]:
        assert main(words) == code
        out, err = capfd.readouterr()
        assert "\x1b" not in out + err and "\x07" not in out + err and "\\x1b" in err, err
    done = subprocess.run([*KERNLEARN, *own, "--debug"], capture_output=True, text=True)
    assert "Traceback" in done.stderr and "\\x1b" in done.stderr and "\x1b" not in done.stderr + done.stdout


@pytest.mark.parametrize("package", ["..", "algo..x", "nothing", "seed.x"])
def test_a_part_of_a_configuration_that_is_none_is_one_line(package, capsys):
    assert main(["run", "--cfg", "job", "--package", package]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and f"--package {package}: " in error


def test_a_current_directory_that_is_gone_is_told(tmp_path):
    code = f"mkdir gone && cd gone && rmdir ../gone && '{sys.executable}' -c '{KERNLEARN[-1]}' list"
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    expected = "kernlearn: error: the current directory does not exist any more; change to one that does\n"
    assert (done.returncode, done.stderr) == (2, expected)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["shards", "shards/workers"])
def test_a_file_in_the_place_of_a_directory_is_one_line(place, tmp_path):
    (tmp_path / "results" / place).parent.mkdir(parents=True)
    (tmp_path / "results" / place).write_text("")
    command = [*KERNLEARN, "run", "algo=l1_svm", "dataset=sonar", "kernel.degrees=[1]", "algo.betas=[1]"]
    done = subprocess.run([*command, "engine.jobs=2"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and f"results/{place}" in done.stderr, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_in_the_middle_keeps_what_is_finished(jobs, tmp_path, capsys):
    words = ["run", "dataset=pima"]
    process = subprocess.Popen(
        [*KERNLEARN, *words, f"engine.jobs={jobs}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob("results/shards/*/*.json")):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: the whole group
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "cells are stored" in out and err == "kernlearn: interrupted\n"
    kept = len(list(tmp_path.glob("results/shards/*/*.json")))
    assert 1 <= kept < 5
    assert main([*words, "engine.jobs=1"]) == 0 and f"5, {kept} already done" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self").exists(), reason="finds workers in /proc")
def test_interrupted_while_workers_start_is_no_traceback(tmp_path):
    process = subprocess.Popen(
        [*KERNLEARN, "run", "dataset=pima", "engine.jobs=2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not any_worker(process.pid):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    time.sleep(0.2)  # it is importing
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "kernlearn: interrupted\n")


def any_worker(group):
    """Whether a process of a group is a worker."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if b"LokyProcess" in path.read_bytes() and os.getpgid(int(path.parent.name)) == group:
                return True
    return False


#: Where a signal comes: as the second worker is started, which is done first; and one more while the runner waits for
#: their last rounds, which ends that.
MOMENTS = {
    "start": """
from joblib.externals.loky.backend.process import LokyProcess as owner
name = "start"
""",
    "last round": """
from kernlearn.runner.engines import local as owner
name = "sleep"
def first():  # as soon as both workers are at a cell
    while sum(note.stat().st_size > 0 for note in Path("results/shards/workers").glob("*")) < 2:
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGINT)
Thread(target=first, daemon=True).start()
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("which", ["SIGINT", "SIGTERM"])
def test_a_signal_at_a_bad_moment_is_one_line_and_the_end(which, moment, tmp_path):
    code = f"""
import os, signal, sys, time
from pathlib import Path
from threading import Thread
from kernlearn.cli.main import main
{MOMENTS[moment]}
real, calls, done = getattr(owner, name), [], []
def interrupted(*args):
    real(*args)
    calls.append(args)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.{which})
        sum(range(10**6))  # an exception of this process would come here
    done.append(args)
setattr(owner, name, interrupted)
if __name__ == "__main__":
    code = main(["run", "algo=vkr", "dataset=pima", "engine.jobs=2"])
    print(len(done), "done")
    sys.exit(code)
"""
    (tmp_path / "script.py").write_text(code)
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path, timeout=100)
    assert (done.returncode, done.stderr) == (130, "kernlearn: interrupted\n")
    assert done.stdout.endswith({"start": "2 done\n", "last round": "1 done\n"}[moment])


@pytest.mark.slow
def test_interrupted_after_the_end_is_no_traceback(tmp_path):
    command = [*KERNLEARN, "run", "algo=l2_svm", "dataset=sonar", "kernel.degrees=[1]", "engine.jobs=2"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert any(line.startswith("results:") for line in process.stdout)
    time.sleep(0.05)  # its workers are being ended
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) in [(0, ""), (130, "kernlearn: interrupted\n")]


LONG = "x" * 300
ODD = {
    "a range without steps": (["sweep", "seed=range(0,3,0)"], "the step of a range must not be 0"),
    "a seed of 400 digits": (["run", f"seed={'9' * 400}"], "seed=999"),
    "a seed of 5000 digits": (["run", f"seed={'9' * 5000}"], ""),
    "seeds of 400 digits": (["sweep", f"seed=1,{'9' * 400}"], "seed=999"),
    "seeds of 5000 digits": (["sweep", f"seed=1,{'9' * 5000}"], ""),
    "two engines in a list": (["sweep", "engine=[1,2]"], "engine"),
    "a parameter of 400 digits": (["run", f"algo.tol={'9' * 400}"], "algo.tol=999"),
    "NUL in a file name": (["run", "dataset=csv", "dataset.path='a\0b'", "dataset.target=y"], "control characters"),
    "NUL in a results directory": (["status", "--results-dir", "a\0b"], "control characters"),
    "NUL in another": (["reproduce", "vkr2015/table1", "--results-dir", "a\0b"], "control characters"),
    "a long directory, run": (["run", "dataset=sonar", f"results_dir={LONG}"], "File name too long"),
    "a long directory, sweep": (["sweep", "dataset=sonar", f"results_dir={LONG}"], "File name too long"),
    "a long directory, status": (["status", "--results-dir", LONG], "File name too long"),
    "a long directory, table": (["reproduce", "vkr2015/table1", "--results-dir", LONG], "File name too long"),
    "a directory in a file": (["reproduce", "vkr2015/table1", "--results-dir", "/dev/null/x"], "Not a directory"),
}


@pytest.mark.parametrize("name", sorted(ODD))
def test_odd_words_are_one_line(name, capsys, tmp_path):
    words, expected = ODD[name]
    code = main(words)
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (2, 1) and error.startswith("kernlearn: error: ") and expected in error
    assert len(error) < 1500 and list(tmp_path.iterdir()) == []


def test_what_nobody_expected_is_one_line_and_has_a_code_of_its_own(capsys, monkeypatch):
    from kernlearn.cli.results import status

    monkeypatch.setattr(status, "main", lambda argv: {}[argv[0]])
    assert main(["status", "x"]) == 3
    assert capsys.readouterr().err == "kernlearn: unexpected KeyError: 'x' (--debug shows where; please report it)\n"
    with pytest.raises(KeyError):
        main(["status", "x", "--debug"])


def test_a_name_cannot_move_the_cursor(capsys):
    from kernlearn.report.terminal import say

    say("a\x1b[2Jb\x9bc")
    assert capsys.readouterr().out == "a\\x1b[2Jb\\x9bc\n"


@pytest.mark.slow
def test_a_name_that_the_terminal_cannot_show_is_shown_all_the_same(tmp_path):
    (tmp_path / "r\u00e9sum\u00e9").mkdir()
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}
    command = [*KERNLEARN, "status", "--results-dir", "r\u00e9sum\u00e9"]
    done = subprocess.run(command, env=environment, capture_output=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, b"no sweeps in r\\xe9sum\\xe9\n"), done.stderr
