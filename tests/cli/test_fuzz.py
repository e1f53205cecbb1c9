"""Thousands of mutated command lines, configurations and data files: one clear line and exit code 2, or they work."""

import contextlib
import io
import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernlearn.cli import expand
from kernlearn.cli.main import main

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]

WORDS = [
    *(
        "algo=vkr",
        "algo=l1_svm,l2_svm",
        "dataset=sonar",
        "dataset=twonorm",
        "dataset=csv",
        "dataset=all",
        "kernel=gaussian",
    ),
    *(
        "kernel=sigmoid",
        "kernel.degrees=[1,2]",
        "algo.lambdas=[0.1,1e-3]",
        "algo.betas=[0.1]",
        "algo.complexity=massart",
    ),
    *(
        "scaling=none",
        "seed=range(0,3)",
        "seed=7",
        "engine=slurm",
        "engine.jobs=2",
        "engine.memory=0.5",
        "protocol=rotation5",
    ),
    *(
        "dataset.n=50",
        "dataset.path=data.csv",
        "results_dir=r",
        "force=true",
        "+algo.tol=1e-6",
        "~kernel",
        "algo.tol=1e-9",
    ),
]
PIECES = [
    *(
        "",
        "=",
        ",",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "'",
        '"',
        "\\",
        "$",
        "${",
        "${oc.env:HOME}",
        "${seed}",
        "${x:y}",
        "~",
        "+",
    ),
    *(
        "++",
        "@",
        ":",
        "../",
        "/etc/passwd",
        "null",
        "true",
        "nan",
        "inf",
        "-1",
        "1e999",
        "0x10",
        "9" * 30,
        " ",
        "\t",
        "\n",
    ),
    *(
        "é",
        "\u202e",
        "\x00",
        "range(",
        "range(1,10,0)",
        "choice(",
        "glob(*)",
        "sort(",
        "_target_=os.system",
        "hydra",
        "%s",
        "?",
    ),
    *(
        "algo",
        "kernel",
        "dataset",
        "seed",
        ".",
        "name=os.system",
        "[[[[",
        "shuffle(",
        "int(",
        "${${",
        "!!python/object:os.system",
    ),
]
#: hypothesis would shrink and remember; here every example is one process call's worth of work and counts by itself.
FUZZ = {"deadline": None, "suppress_health_check": list(HealthCheck), "database": None, "derandomize": True}


def mutate(text, rng, pieces):
    """Change a text in a few places."""
    for _ in range(rng.randint(1, 3)):
        i, j = sorted(rng.choices(range(len(text) + 1), k=2))
        match rng.randrange(4):
            case 0:
                text = text[:i] + rng.choice(pieces) + text[i:]
            case 1:
                text = text[:i] + text[min(j, i + 3) :]
            case 2:
                text = text[:i] + rng.choice(pieces) + text[min(j, i + 3) :]
            case _:
                text = text[:j] + text[i:j] + text[j:]
    return text


@pytest.fixture(autouse=True, scope="module")
def small_sweeps():
    """Keep a mutated range from being a large sweep that is in order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expand, "MOST_VALUES", 20)
        patch.setattr(expand, "MOST_CONFIGURATIONS", 20)
        yield


def calls_well(arguments):
    """Assert that a command works or says in one line what is wrong."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    assert code in (0, 2), (arguments, code)
    if code == 2:
        lines = [line for line in err.getvalue().splitlines() if line.startswith("kernlearn: error: ")]
        assert len(lines) == 1 and len(lines[0]) > len("kernlearn: error: "), (arguments, err.getvalue())
    assert "Traceback" not in err.getvalue()
    return code


@settings(max_examples=1200, **FUZZ)
@given(st.integers(0, 2**32))
def test_override_lists_of_a_sweep(seed):
    rng = random.Random(seed)
    words = [word if rng.random() < 0.5 else mutate(word, rng, PIECES) for word in rng.sample(WORDS, rng.randint(1, 3))]
    if any(word.startswith(("-", "results_dir")) for word in words):
        return
    calls_well(["sweep", *words, "--dry-run"])


@settings(max_examples=500, **FUZZ)
@given(st.integers(0, 2**32))
def test_override_lists_of_a_run(seed):
    rng = random.Random(seed)
    words = [mutate(word, rng, PIECES) for word in rng.sample(WORDS, rng.randint(1, 3))]
    if any(word.startswith(("-", "results_dir", "hydra")) for word in words):
        return
    calls_well(["run", *words, "--dry-run"])


CONFIG = """\
defaults:
  - dataset: sonar
  - kernel: polynomial
  - algo: vkr
  - protocol: rotation5
  - engine: local
  - _self_
scaling: unit
seed: 0
results_dir: results
force: false
retry_failed: false
kernel: {degrees: [1, 2]}
"""


YAML = [
    "\n  - ",
    ": ",
    "&a",
    "*a",
    "!!int",
    "---\n",
    "<<: *a",
    "? ",
    "| \n",
    "# @package _global_\n",
    "hydra: ",
    "[" * 30,
]
YAML += [
    "- override hydra/launcher: joblib\n",
    "${oc.create:{}}",
    "${seed}",
    "\ufeff",
    "1" * 400,
    "@hydra.x",
    "../",
    "\t",
]


@settings(max_examples=2000, **FUZZ)
@given(st.integers(0, 2**32), st.sampled_from(["whole", "part", "word"]))
def test_configuration_files(seed, place):
    rng = random.Random(seed)
    os.makedirs("mine/x", exist_ok=True)
    text = mutate(CONFIG if place != "word" else "seed: 3\nkernel: {degrees: [1]}\n", rng, [*PIECES, *YAML])
    header = "# @package _global_\n" if place == "part" else ""
    with open("mine/mine.yaml" if place == "whole" else "mine/x/mine.yaml", "wb") as file:
        file.write((header + text).encode("utf-8", "surrogatepass"))
    words = {"whole": ["--config-name", "mine"], "part": ["+x=mine"], "word": [mutate("+x@_global_=mine", rng, PIECES)]}
    if words[place][0].startswith("-") and place == "word":
        return
    before = sorted(os.listdir())
    calls_well(["run", "--config-dir", "mine", *words[place], "--dry-run"])
    assert sorted(os.listdir()) == before


FILES = {
    "data.csv": "a,b,label\n" + "".join(f"{i / 7:.3f},{i * i % 5},{'no' if i % 3 else 'yes'}\n" for i in range(12)),
    "data.arff": "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c {0,1}\n@data\n"
    + "1,x,0\n2,y,1\n" * 4,
    "data.libsvm": "".join(f"{i % 2} 1:{i / 3:.2f} 4:1 7:-2e-3\n" for i in range(10)),
}
BYTES = [
    "",
    ",",
    ";",
    "\n",
    "\r\n",
    "\t",
    '"',
    "'",
    "nan",
    "inf",
    "1e400",
    "-",
    "?",
    "NA",
    "\ufeff",
    "\x00",
    "é",
    "@data",
    "%",
    "{",
    "}",
]
BYTES += [
    "999999999:1",
    "0:1",
    "-3:1",
    "1:1:1",
    "__import__('os')",
    "=cmd()",
    "\x1f\x8b",
    "numeric",
    "@attribute",
    "9" * 400,
    ":",
    "\n" * 50,
    "\x1f",
    "\u2028",
    "\r",
    "," * 50,
    "134217727:1",
]


@settings(max_examples=8000, **FUZZ)
@given(st.integers(0, 2**32), st.sampled_from(sorted(FILES)))
def test_data_files(seed, name):
    from kernlearn.datasets import load
    from kernlearn.errors import UserError

    rng = random.Random(seed)
    with open(name, "wb") as file:
        file.write(mutate(FILES[name], rng, BYTES).encode("utf-8", "surrogatepass"))
    target = rng.choice([None, None, "label", "c", 0, -1, 99, ""])
    try:
        data = load("csv", path=name, **({} if target is None else {"target": target}))
    except UserError as error:
        assert str(error) and "\n" not in str(error)
    else:
        assert len(data.X) == len(data.y) and len(data.classes) >= 2


HOSTILE = [
    ["run", "-m", "hydra.launcher._target_=os.system", "seed=1,2"],
    ["run", "+hydra.callbacks.x._target_=os.system", "+hydra.callbacks.x.command='touch owned'"],
    ["run", "-m", "hydra/sweeper={_target_: os.system, command: touch owned}", "seed=1"],
    ["run", "--config-dir", "evil", "--config-name", "evil"],
    ["run", "-m", "--config-dir", "evil", "+x=evil", "seed=1,2"],
]


@pytest.mark.parametrize("arguments", HOSTILE)
def test_no_configuration_names_code_to_run(arguments, tmp_path):
    (tmp_path / "evil/x").mkdir(parents=True)
    callback = "hydra:\n  callbacks:\n    x: {_target_: os.system, command: touch owned}\n"
    (tmp_path / "evil/evil.yaml").write_text("defaults: [config, _self_]\n" + callback)
    (tmp_path / "evil/x/evil.yaml").write_text(
        "# @package _global_\nhydra:\n  launcher: {_target_: os.system, command: touch owned}\n"
    )
    assert calls_well(arguments) == 2
    assert not (tmp_path / "owned").exists()
