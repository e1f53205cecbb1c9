"""Configurations that would run something, in a file or on the command line, by every door that there is.

Callbacks made by a resolver, handlers of logs, modules of a search path and directories of runs wrote files and ran a
pickle until they were refused: with Hydra 1.3.8, whose own list of forbidden targets they go round.
"""

import os
import pickle
import subprocess
import sys

import pytest

from kernlearn.cli.main import main

LOAD = "{_target_: joblib.load, filename: bomb.pickle}"
MADE = "${oc.create:{_target_:joblib.load,filename:bomb.pickle}}"
HANDLER = "{version: 1, root: {handlers: [h]}, handlers: {h: {(): joblib.load, filename: bomb.pickle}}}"
WRITER = "{version: 1, root: {handlers: [h]}, handlers: {h: {class: logging.FileHandler, filename: owned}}}"

#: Bodies of a file evil/x/evil.yaml, chosen by +x=evil.
FILES = {
    "callback made by a resolver": f"# @package _global_\nhydra:\n  callbacks:\n    x: {MADE}\n",
    "callback": f"# @package _global_\nhydra:\n  callbacks:\n    x: {LOAD}\n",
    "logging": f"# @package _global_\nhydra:\n  job_logging: {HANDLER}\n",
    "logging to a file": f"# @package _global_\nhydra:\n  job_logging: {WRITER}\n",
    "package of the callbacks": f"# @package hydra.callbacks\nx: {MADE}\n",
    "package of hydra": f"# @package hydra\njob_logging: {HANDLER}\n",
    "launcher": f"# @package _global_\nhydra:\n  launcher: {LOAD}\n",
    "sweeper": f"# @package _global_\nhydra:\n  sweeper: {LOAD}\n",
    "directory of the run": "# @package _global_\nhydra: {run: {dir: owned}, sweep: {dir: owned}}\n",
    "directory of the configuration": "# @package _global_\nhydra: {output_subdir: ../../owned}\n",
    "environment": "# @package _global_\nhydra: {job: {env_set: {LD_PRELOAD: owned}, chdir: true}}\n",
    "another package": "defaults:\n  - /y@hydra.callbacks.x: evil\n",
    "a group of Hydra": "defaults:\n  - override /hydra/job_logging: default\n",
    "a file beside": "defaults:\n  - ../../outside\n",
    "a file beside, as a package of ours": "# @package _global_\ndefaults:\n  - /../outside\n",
    "a file beside, absolutely": "# @package _global_\ndefaults:\n  - //{here}/outside\n",
    "key with a dot": f"# @package _global_\nhydra.callbacks: {{x: {LOAD}}}\n",
    "python object": "a: !!python/object/apply:os.system ['touch owned']\n",
    "path object": "a: !!python/object/apply:pathlib.PosixPath [owned]\n",
    "function": "a: ${oc.env:HOME}\n",
    "function in a key": "${oc.env:HOME}: 1\n",
    "function in two steps": 'a: "$"\nb: "{oc.env:HOME}"\nc: ${x.a}${x.b}\n',
    "nested reference": "a: seed\nb: ${${x.a}}\n",
    "a scheduler that answers in pickles": "# @package _global_\ndefaults: [override /engine: dask]\n"
    "engine: {address: 'tcp://192.0.2.1:8786'}\n",
    "line of a job script": "# @package _global_\ndefaults: [override /engine: slurm]\n"
    'engine: {partition: "a\\ntouch owned #"}\n',
}
WORDS = [
    "hydra.searchpath=[file://evil]",
    "hydra.searchpath=[pkg://evil_package]",
    "++hydra.searchpath=[pkg://evil_package]",
    "+hydra.callbacks.x={_target_: joblib.load, filename: bomb.pickle}",
    f"hydra.job_logging={WRITER}",
    f"hydra.hydra_logging={WRITER}",
    "hydra/job_logging=default",
    "hydra/callbacks=evil",
    "+y@hydra.callbacks.x=evil",
    "~hydra.launcher",
    "hydra.run.dir=owned",
    "hydra.sweep.dir=owned",
    "hydra.output_subdir=owned",
    "hydra.job.chdir=true",
    "hydra.mode=MULTIRUN",
    "hydra.sweeper.params={seed: '1,2'}",
    "hydra.launcher._target_=joblib.load",
    "hydra/launcher={_target_: joblib.load}",
    "hydra/launcher=../../evil",
    "hydra/launcher=joblib,basic",
    "+x=../../outside",
    "dataset=../outside",
    "dataset.path=${oc.env:HOME}",
    "seed=${oc.decode:1}",
    "seed=${hydra:job.num}",
]
OPTIONS = [
    ["--config-path", "evil"],
    ["-cp", "evil"],
    ["--config-path=pkg://evil_package"],
    ["--config-dir", "pkg://evil_package"],
    ["--config-dir", "file://evil"],
    ["--config-dir", "evil/pipe"],
    ["--config-dir", "evil", "--config-name", "../outside"],
    ["--config-dir", "evil", "--config-name", "whole"],
    ["--experimental-rerun", "bomb.pickle"],
    ["--experimental-r", "bomb.pickle"],
    ["--info"],
    ["--hydra-help"],
    ["--cfg", "hydra"],
    ["--shell-completion"],
]
LAUNCHERS = [
    "hydra/launcher=submitit_local hydra.launcher.setup=[touch owned]",
    "hydra/launcher=submitit_slurm hydra.launcher.setup=[touch owned]",
    "hydra/launcher=submitit_slurm hydra.launcher.additional_parameters={wrap: touch owned}",
    "hydra/launcher=submitit_slurm hydra.launcher.partition='a\ntouch owned'",
    "hydra/launcher=submitit_slurm hydra.launcher.name=${oc.env:HOME}",
    "hydra/launcher=submitit_local hydra.launcher.submitit_folder=owned",
    "hydra/launcher=joblib hydra.launcher.temp_folder=owned",
    "hydra/launcher=joblib hydra.launcher.pre_dispatch=__import__('os').system('touch owned')",
    "hydra/launcher=joblib hydra.launcher.n_jobs=1,2",
    "hydra/launcher=joblib +hydra.launcher._target_=joblib.load",
    "hydra/launcher=joblib hydra.launcher._target_=joblib.load",
    "hydra/launcher=nosuch",
]


class Bomb:
    def __reduce__(self):
        return (os.system, ("touch owned",))


@pytest.fixture
def evil(tmp_path):
    """A directory of configurations, a module and a pickle that each write `owned` when they are let."""
    for name in ("x", "y", "hydra/callbacks", "hydra/launcher"):
        (tmp_path / "evil" / name).mkdir(parents=True)
    (tmp_path / "bomb.pickle").write_bytes(pickle.dumps(Bomb()))
    (tmp_path / "outside.yaml").write_text(f"# @package _global_\nhydra: {{callbacks: {{x: {LOAD}}}}}\n")
    (tmp_path / "evil/y/evil.yaml").write_text(LOAD + "\n")
    (tmp_path / "evil/hydra/callbacks/evil.yaml").write_text(f"x: {LOAD}\n")
    (tmp_path / "evil/hydra/launcher/joblib.yaml").write_text(LOAD + "\n")
    (tmp_path / "evil/whole.yaml").write_text("defaults: [config]\nhydra: {searchpath: ['pkg://evil_package']}\n")
    (tmp_path / "evil_package").mkdir()
    (tmp_path / "evil_package/__init__.py").write_text("open('owned', 'w')\n")
    os.mkfifo(tmp_path / "evil/pipe")
    return tmp_path / "evil"


def refused(arguments, tmp_path, capfd):
    """Assert that a command is refused in one line and nothing was written or run."""
    before = sorted(tmp_path.rglob("*"))
    assert main(arguments) == 2
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("kernlearn: error: ")
    assert sorted(tmp_path.rglob("*")) == before
    return lines[0]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("what", FILES)
def test_a_file_runs_nothing(what, evil, tmp_path, capfd):
    (evil / "x/evil.yaml").write_text(FILES[what].replace("{here}", str(tmp_path)))
    for door in ([f"hydra.searchpath=[file://{evil}]"], ["--config-dir", "evil"]):
        refused(["run", *door, "+x=evil", "dataset=sonar", "--dry-run"], tmp_path, capfd)


@pytest.mark.parametrize("verb", ["run -m", "sweep"])
def test_a_file_runs_nothing_by_another_verb(verb, evil, tmp_path, capfd):
    (evil / "x/evil.yaml").write_text(FILES["logging"])
    words = ["--config-dir", "evil", "+x=evil", "dataset=sonar", "seed=1", "--dry-run"]
    refused([*verb.split(), *words], tmp_path, capfd)


@pytest.mark.parametrize("what", ["callback made by a resolver", "logging", "a group of Hydra"])
@pytest.mark.parametrize("options", [["--cfg", "job"], ["--config-name", "evil"], ["hydra/launcher=joblib", "-m"]])
def test_a_file_runs_nothing_by_other_doors(what, options, evil, tmp_path, capfd):
    for place in ("evil.yaml", "x/evil.yaml"):
        (evil / place).write_text(FILES[what])
    refused(["run", "--config-dir", "evil", "+x=evil", *options], tmp_path, capfd)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("options", [["run"], ["run", "-m"]])
def test_a_word_runs_nothing(options, word, evil, tmp_path, capfd, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    if word == "hydra/launcher=joblib,basic" and "-m" not in options:
        word = "hydra/launcher=joblib"  # of a single run, or of a sweep
    refused([*options, "--config-dir", "evil", "dataset=sonar", word, "--dry-run"], tmp_path, capfd)


@pytest.mark.parametrize("options", [["run", "--cfg", "job"], ["sweep"], ["reproduce", "vkr2015/table1"]])
def test_a_word_runs_nothing_by_other_doors(options, evil, tmp_path, capfd, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for word in WORDS[:2]:
        refused([*options, word], tmp_path, capfd)


@pytest.mark.parametrize("options", OPTIONS, ids=" ".join)
def test_an_option_runs_nothing(options, evil, tmp_path, capfd, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    refused(["run", "dataset=sonar", *options], tmp_path, capfd)


@pytest.mark.parametrize("words", LAUNCHERS)
def test_a_launcher_takes_sizes_times_and_names(words, evil, tmp_path, capfd):
    pytest.importorskip("hydra_plugins")
    launcher, _, parameter = words.partition(" ")
    refused(["run", "-m", "dataset=sonar", launcher, *([parameter] if parameter else [])], tmp_path, capfd)


def test_a_launcher_of_ones_own_is_not_taken(evil, tmp_path, capfd):
    """The file evil/hydra/launcher/joblib.yaml is where Hydra would look for the launcher; it is not asked."""
    command = ["run", "-m", "--config-dir", "evil", "dataset=csv", "dataset.path=none", "hydra/launcher=joblib"]
    pytest.importorskip("hydra_plugins.hydra_joblib_launcher")
    assert main([*command, "hydra.launcher.n_jobs=1"]) == 2
    assert "none: no such file" in capfd.readouterr().err and not (tmp_path / "owned").exists()


@pytest.mark.slow
@pytest.mark.parametrize("word", [w for w in WORDS if "hydra" in w or "$" in w])
def test_completion_runs_nothing(word, evil, tmp_path):
    line = f"kernlearn run {word} al"
    environment = {**os.environ, "COMP_LINE": line, "COMP_POINT": str(len(line)), "PYTHONPATH": str(tmp_path)}
    if "searchpath" in word:  # the others have no other way in than main()
        command = [sys.executable, "-m", "kernlearn.cli.main", "-sc", "query=bash"]
        result = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert result.returncode == 0 and result.stderr == ""
    else:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("COMP_LINE", line)
            patch.setenv("COMP_POINT", str(len(line)))
            assert main(["-sc", "query=bash"]) == 0
    assert not (tmp_path / "owned").exists()


def test_a_reference_in_two_steps_reads_no_environment(evil, tmp_path, capfd):
    """Once it stood in a resolved configuration, OmegaConf would have resolved it again where a part was shown."""
    (evil / "x/evil.yaml").write_text(FILES["function in two steps"])
    for part in ([], ["--package", "x.c"]):
        options = ["--config-dir", "evil", "+x=evil", "--cfg", "job", "--resolve"]
        assert "refers to a part of a reference" in refused(["run", *options, *part], tmp_path, capfd)


def test_references_stand_for_bounded_memory(evil, tmp_path, capfd):
    long, many = "x" * 60_000, "".join(f"b{i}: '${{x.a}}'\n" for i in range(99))
    (evil / "x/evil.yaml").write_text(f"a: {long}\n{many}")
    options = ["--config-dir", "evil", "+x=evil", "--dry-run"]
    assert "references stand for 5940000 characters" in refused(["run", *options], tmp_path, capfd)
    (evil / "x/evil.yaml").write_text(f"a: {long}\n")
    (evil / "x/many.yaml").write_text(f"defaults: [{', '.join(f'evil@a{i}' for i in range(20))}]\n")
    options[2] = "+x=many"
    assert "more than 1000 files or 1048576 bytes" in refused(["run", *options], tmp_path, capfd)


def test_composing_imports_nothing_that_could_make_an_object():
    """Whatever a check overlooks: Hydra, which takes names for classes, is not there."""
    code = """
import sys
from kernlearn.cli.configuration.compose import compose_config
compose_config(["algo=l1_svm", "seed=3"])
print("hydra" in sys.modules)
"""
    result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert result.stdout == "False\n"
