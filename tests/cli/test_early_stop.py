"""Ctrl-C while a command is being imported: one line, and exit code 130."""

import json
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has other signals")

#: The entry point of the command; until it holds Ctrl-C back, Python answers itself.
CODE = """
import signal, sys
from kernlearn.cli import start
hold = signal.pthread_sigmask
def begin(how, which):
    signal.pthread_sigmask = hold
    before = hold(how, which)
    print("begun", flush=True)
    return before
signal.pthread_sigmask = begin
sys.exit(start())
"""
#: A verb that is interrupted by itself, within an import that answers with another error, as numpy's does.
BROKEN = """
import signal, sys
import kernlearn.cli.list as verb
from kernlearn.cli import start
def broken(argv):
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise ImportError("numpy is broken") from None
verb.main = broken
sys.exit(start())
"""


def stopped(*words, after):
    """Start a command, send Ctrl-C some seconds after it has begun, and return its exit code and output."""
    command = subprocess.Popen(
        [sys.executable, "-c", CODE, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert command.stdout.readline() == "begun\n"
    time.sleep(after)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=100)
    return command.returncode, out, err


@pytest.mark.parametrize("after", [0.0, 0.02, 0.05])
def test_ctrl_c_during_imports_is_one_line(after, tmp_path):
    words = ["reproduce", "--scorecard", "--results-dir", str(tmp_path)]
    assert stopped(*words, after=after) == (130, "", "kernlearn: interrupted\n")


def test_it_is_a_document_with_json():
    code, out, err = stopped("check", "--json", after=0.0)
    assert (code, err) == (130, "kernlearn: interrupted\n")
    assert json.loads(out)["exit"] == 130 and json.loads(out)["error"].startswith("interrupted")


def test_an_import_that_fails_because_of_it_is_no_bug():
    command = subprocess.run([sys.executable, "-c", BROKEN, "list"], capture_output=True, text=True, check=False)
    assert (command.returncode, command.stderr) == (130, "kernlearn: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["run", "algo=vkr", "dataset=pima"], ["diff", "HEAD", "."], ["plot", "vkr2015/table1"]]
)
def test_ctrl_c_at_any_moment_of_the_first_seconds_is_one_line(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for k in range(25):
        code, _, err = stopped(*words, after=0.04 * k)
        assert code == 2 or (code == 130 and err.endswith("kernlearn: interrupted\n") and "Traceback" not in err), err
