"""Hostile inputs, each from its number alone: it works, or one clear line says what is wrong with it.

Command lines, configurations, data files, and values of estimators, all mutated; and files that run something where
they are let. Nothing may raise anything but the package's own error, run anything, or write anything where nothing was
asked for.
"""

import contextlib
import gzip
import io
import os
import pickle
import shutil
import sys
import warnings
from collections.abc import Callable
from random import Random
from tempfile import mkdtemp
from traceback import extract_tb
from typing import Any

import numpy as np
import scipy.sparse as sp

import kernlearn
from kernlearn.cli.configuration import expand, grammar
from kernlearn.cli.main import main
from kernlearn.errors import UserError

#: Bytes that a process may take: a bomb shall end in an error, not in the end of the machine.
MEMORY = 8 * 2**30
WORDS = """algo=vkr algo=l1_svm,l2_svm algo=dc algo=multiclass_mkl algo=l2_krr task=regression dataset=sonar
    dataset=twonorm dataset=csv dataset=all kernel=gaussian kernel=sigmoid kernel=features kernel.degrees=[1,2]
    algo.lambdas=[0.1,1e-3] algo.betas=[0.1] algo.complexity=massart scaling=none seed=range(0,3) seed=7 engine=slurm
    engine.jobs=2 engine.memory=0.5 protocol=rotation5 protocol=halves10_cv5 dataset.n=50 dataset.path=data.csv
    dataset.name=mine force=true +algo.tol=1e-6 ~kernel algo.tol=1e-9 select_by=auc""".split()
PIECES = [
    *"=,[]{}()'\"\\$~+@:.?\t\n é\u202e\x00\x1f\ud800",
    "",
    "${",
    "${oc.env:HOME}",
    "${seed}",
    "${x:y}",
    "++",
    "../",
]
PIECES += "/etc/passwd null true nan inf -1 1e999 0x10 range( range(1,10,0) range(0,1e9) choice( glob(*) sort(".split()
PIECES += (
    "shuffle( int( _target_=os.system hydra hydra.run.dir=owned %s algo kernel dataset seed name=os.system".split()
)
PIECES += ["[[[[", "${${", "!!python/object:os.system", "9" * 30, "9" * 400, "x" * 300, "1,2", "[1,[2]]", "{a: {b: 1}}"]
YAML = ["\n  - ", ": ", "&a", "*a", "!!int", "---\n", "<<: *a", "? ", "| \n", "# @package _global_\n", "hydra: ", "\t"]
YAML += ["- override hydra/launcher: joblib\n", "${oc.create:{}}", "\ufeff", "@hydra.x", "[" * 30, "a: &a [1]\n"]
BYTES = [*",;\n\t\"'-?%{}:\x00é\r\x1f\u2028", "", "\r\n", "nan", "inf", "1e400", "NA", "\ufeff", "@data", "999999999:1"]
BYTES += [
    "0:1",
    "-3:1",
    "1:1:1",
    "__import__('os').system('touch owned')",
    "=cmd()",
    "\x1f\x8b",
    "numeric",
    "@attribute",
]
BYTES += ["9" * 400, "\n" * 50, "," * 50, "134217727:1", ",\n", "é" * 200]
CONFIG = """defaults: [dataset: sonar, kernel: polynomial, algo: vkr, protocol: rotation5, engine: local, _self_]
scaling: unit
seed: 0
results_dir: results
force: false
retry_failed: false
kernel: {degrees: [1, 2]}
"""
DATA = {
    "data.csv": "a,b,label\n" + "".join(f"{i / 7:.3f},{i * i % 5},{'no' if i % 3 else 'yes'}\n" for i in range(12)),
    "data.arff": "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@attribute c {0,1}\n@data\n"
    + "1,x,0\n2,y,1\n" * 6,
    "data.libsvm": "".join(f"{i % 2} 1:{i / 3:.2f} 4:1 7:-2e-3\n" for i in range(12)),
}
RUN = "{_target_: os.system, command: touch owned}"
LOAD = "{_target_: joblib.load, filename: bomb.pickle}"
MADE = "${oc.create:{_target_:joblib.load,filename:bomb.pickle}}"
CALLED = "{version: 1, root: {handlers: [h]}, handlers: {h: {(): os.system, command: touch owned}}}"
WRITER = "{version: 1, root: {handlers: [h]}, handlers: {h: {class: logging.FileHandler, filename: owned}}}"
#: Where in a configuration something could be run from.
DOORS = """hydra.callbacks.x hydra.launcher hydra.sweeper hydra.job_logging hydra.hydra_logging hydra.run.dir
    hydra.searchpath hydra.output_subdir hydra.job.env_set hydra.job.config hydra.help hydra.runtime engine.launcher
    algo kernel dataset engine protocol engine.partition dataset.path results_dir x""".split()
PAYLOADS = [RUN, LOAD, MADE, CALLED, WRITER, "owned", "[file://evil]", "[pkg://evil_package]", "a\ntouch owned #"]
PAYLOADS += ["!!python/object/apply:os.system ['touch owned']", "{LD_PRELOAD: owned}", f"[{MADE}]", f"{{x: {MADE}}}"]


class Bomb:
    """An object whose pickle writes a file when it is loaded."""

    def __reduce__(self) -> Any:
        return os.system, ("touch owned",)


def mutate(text: str, rng: Random, pieces: list[str]) -> str:
    """Change a text in a few places, or in none."""
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
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


def write(path: str, text: str) -> None:
    """Write a text, whatever characters are in it."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))


def call(arguments: list[str]) -> str | None:
    """Run a command; return what is wrong with how it ends, if anything is."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as error:
            code = error.code
    said = err.getvalue()
    lines = list({line for line in said.splitlines() if line.startswith("kernlearn: error: ")})  # -m: one for each run
    if "Traceback" in said:
        return f"traceback on the terminal: {said.splitlines()[-1]}"
    if code not in (0, 2):
        return f"exit code {code}: {(said or out.getvalue())[-300:]!r}"
    if code == 2 and (len(lines) != 1 or len(lines[0]) < 25):
        return f"{len(lines)} lines say what is wrong: {said[-300:]!r}"
    return None


def command(rng: Random) -> tuple[str, str | None]:
    """Try a mutated command line."""
    verb = rng.choice(
        [["run"], ["run", "-m"], ["sweep"], ["sweep"], ["data", "info"], ["reproduce"], ["status"], ["list"]]
    )
    words = [word if rng.random() < 0.4 else mutate(word, rng, PIECES) for word in rng.sample(WORDS, rng.randint(1, 3))]
    words = [word for word in words if not word.startswith("-") and "results_dir" not in word]
    dry = ["--dry-run"] if verb[0] in ("run", "sweep") else []
    arguments = [*verb, *words, *dry]
    return repr(arguments), call(arguments)


def configuration(rng: Random) -> tuple[str, str | None]:
    """Try a mutated configuration file: a whole one, or a part."""
    place = rng.choice(["whole", "part", "word"])
    text = mutate(CONFIG if place != "word" else "seed: 3\nkernel: {degrees: [1]}\n", rng, [*PIECES, *YAML])
    header = "# @package _global_\n" if place == "part" else ""
    write("mine/mine.yaml" if place == "whole" else "mine/x/mine.yaml", header + text)
    words = {"whole": ["--config-name", "mine"], "part": ["+x=mine"], "word": [mutate("+x@_global_=mine", rng, PIECES)]}
    last = [word for word in words[place] if place != "word" or not word.startswith("-")]
    wrong = call(["run", "--config-dir", "mine", *last, "--dry-run"])
    return f"{place} {header + text!r} {last}", wrong


def data(rng: Random) -> tuple[str, str | None]:
    """Run an experiment on a mutated data file; one time in twenty on one that is larger than it looks."""
    name = rng.choice(sorted(DATA))
    if rng.random() < 0.05:
        what, text = bomb(rng)
        with open(name, "wb") as file:
            file.write(text)
    else:
        what = mutate(DATA[name], rng, BYTES)
        write(name, what)
    words = (
        ["algo=l2_svm", "algo.Cs=[1]"] if rng.random() < 0.8 else ["algo=krr", "algo.lambdas=[1]", "task=regression"]
    )
    words = [*words, f"dataset.path={name}", "kernel=linear", "engine.jobs=1", "results_dir=made", "seed=0"]
    if rng.random() < 0.3:
        words.append(f"dataset.target={rng.choice(['label', 'c', '0', '-1', '99', 'a'])}")
    words += rng.choice([["--dry-run"], []])
    return f"{name} {what!r} {words}", call(["run", "dataset=csv", *words])


def bomb(rng: Random) -> tuple[str, bytes]:
    """Return the words for, and the bytes of, a file that asks for more than it has."""
    zeros = gzip.compress(b"\n" * 10_000_000, 1)
    numbers = gzip.compress(b"1,2,a\n3,4,b\n" * 500_000, 1)
    kinds = {
        "gz of 2 GB of empty lines": zeros * 200,
        "gz of 2 GB of numbers": numbers * 330,
        "libsvm index": b"1 134217727:1\n0 1:1\n" * 4,
        "libsvm index of 20 digits": b"1 99999999999999999999:1\n0 1:1\n" * 4,
        "nominals of ARFF": b"@relation r\n@attribute a {" + b",".join(b"v%d" % i for i in range(200_000)) + b"}\n"
        b"@attribute c {0,1}\n@data\n" + b"v1,0\nv2,1\n" * 300,
        "empty lines": b"\n" * 200_000 + b"1,2,a\n2,3,b\n",
        "a line of a million commas": b"," * 1_000_000 + b"\n" + b"1,a\n2,b\n",
        "a million quotes": b'"' * 1_000_001 + b"\n1,2\n",
        "blanks before nothing": b" " * 100_000 + b"x" + b" \n" * 1000,
    }
    name = rng.choice(sorted(kinds))
    return name, kinds[name]


def hostile(rng: Random) -> tuple[str, str | None]:
    """Try a configuration, data file or word that would run something."""
    door, payload = rng.choice(DOORS), rng.choice(PAYLOADS)
    if rng.random() < 0.3:
        payload = mutate(
            payload, rng, ["_target_", "${", "}", "oc.create:", "hydra.", "!!python/name:os.system", "()", "'"]
        )
    nested = payload
    for key in reversed(door.split(".")):
        nested = f"{{{key}: {nested}}}"
    header = rng.choice(["# @package _global_\n", f"# @package {door.rpartition('.')[0] or 'x'}\n", ""])
    defaults = rng.choice(["", "defaults: [config, _self_]\n", "defaults: [override /hydra/job_logging: default]\n"])
    write("evil/x/evil.yaml", header + defaults + (nested[1:-1] if rng.random() < 0.7 else payload) + "\n")
    write("evil/evil.yaml", "defaults: [config, _self_]\n" + nested[1:-1] + "\n")
    write("evil_package/__init__.py", "open('owned', 'w')\n")
    for name in ("bomb.pickle", "data.csv", "bomb.npy"):
        with open(name, "wb") as file:
            pickle.dump(Bomb(), file)
    tries = [
        ["--config-dir", "evil", "--config-name", "evil"],
        ["--config-dir", "evil", "+x=evil"],
        [f"{rng.choice(['', '+', '++'])}{door}={payload}"],
        ["--config-dir", "evil", f"+x@{door}=evil"],
        ["dataset=csv", f"dataset.path={rng.choice(['bomb.pickle', 'data.csv', 'bomb.npy'])}"],
        ["-m", f"hydra/launcher={rng.choice(['joblib', 'submitit_local', RUN])}", f"{door}={payload}", "seed=1,2"],
    ]
    arguments = [rng.choice(["run", "run", "sweep"]), *rng.choice(tries), "algo=l2_svm", "--dry-run"]
    if arguments[0] == "sweep":
        arguments = [word for word in arguments if word != "-m"]
    return f"{arguments} {header + defaults + nested!r}", call(arguments)


def values() -> list[Any]:
    """Return values that no parameter should stumble over."""
    nothing = [None, "", "x", b"x", (), [], {}, set(), object(), int, float("nan"), float("inf"), -float("inf")]
    numbers = [0, -1, 1, 2, 1e-300, 1e300, 10**400, True, 1j, np.float32(0.5), np.int64(3), np.nan, np.array(1.0)]
    lists = [
        [1],
        [1, 1],
        [None],
        ["a"],
        [[1, 2]],
        range(3),
        range(0),
        np.arange(3),
        np.array([np.nan]),
        [1e300],
        "gaussian",
    ]
    return [*nothing, *numbers, *lists]


def examples(rng: Random) -> list[Any]:
    """Return examples that no estimator should stumble over."""
    X = np.random.default_rng(rng.randrange(2**32)).normal(size=(12, 3))
    rows = [X, X[:1], X[:0], X[:, :0], X[:, 0], X[None], X.tolist(), X.astype(object), X.astype("U8"), X.astype(bool)]
    sizes = [X * 1e300, X * 1e-300, X * 0, X.astype(np.float16), X.astype(np.longdouble), X.astype(complex), X > 0]
    others = [
        sp.csr_array(X),
        sp.coo_matrix(X),
        sp.csr_array((12, 3)),
        np.where(X > 1, np.nan, X),
        np.where(X > 1, np.inf, X),
    ]
    return [
        *rows,
        *sizes,
        *others,
        None,
        "x",
        [["a", "b"]] * 12,
        [[1], [1, 2]],
        np.ma.masked_greater(X, 1),
        X @ X.T,
        -X @ X.T,
    ]


def labels(rng: Random) -> list[Any]:
    """Return labels that no estimator should stumble over."""
    y = np.random.default_rng(rng.randrange(2**32)).integers(0, 3, 12)
    good = [y, y > 0, y.astype(float), y.astype(str), y.astype(object), (y > 0).tolist(), y[:, None], y - 1, y * 1e300]
    bad = [
        y * 0,
        y[:5],
        y + 0.5,
        np.where(y > 1, np.nan, y),
        [None] * 12,
        ["a", 1] * 6,
        np.eye(12),
        None,
        "x",
        y * 1j,
        np.arange(12),
    ]
    return [*good, *bad, *good]


def value(rng: Random) -> tuple[str, str | None]:
    """Fit an estimator with a value, examples or labels that are odd, and predict."""
    name = rng.choice([name for name in kernlearn.__all__ if hasattr(getattr(kernlearn, name), "fit")])
    kind = getattr(kernlearn, name)
    given: dict[str, Any] = {}
    for _ in range(rng.choice([0, 1, 1, 2])):
        given[rng.choice(sorted(kind().get_params()))] = rng.choice(values())
    if rng.random() < 0.3 and "kernel" in kind().get_params():
        given["kernel"] = rng.choice(["precomputed", "features", "linear", "polynomial"])
    odd = rng.random()
    X = rng.choice(examples(rng)) if odd < 0.5 else examples(rng)[0]
    y = rng.choice(labels(rng)) if odd > 0.3 else labels(rng)[0]
    words = f"{name}({given}).fit({_short(X)}, {_short(y)})"
    try:
        estimator = kind(**given).fit(X, y)
        found = np.asarray(estimator.predict(X))
    except UserError as error:
        return words, None if str(error).strip() and "\n" not in str(error) else f"not one line: {error}"
    except (TypeError, ValueError) as error:
        place = extract_tb(error.__traceback__)[-1]
        from_checks = "sklearn/utils" in place.filename and type(error) in (TypeError, ValueError)
        return words, None if from_checks else f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
    finite = not np.issubdtype(found.dtype, np.floating) or np.isfinite(found).all()
    return words, None if finite else "a prediction is not finite"


def _short(thing: Any) -> str:
    return f"{type(thing).__name__}{getattr(thing, 'shape', '')} {str(thing)[:60]!r}"


#: The kinds of input, in turn.
INPUTS: tuple[Callable[[Random], tuple[str, str | None]], ...] = (command, configuration, data, hostile, value)


def kind_of(number: int) -> str:
    """Return the kind of an input."""
    return INPUTS[number % len(INPUTS)].__name__


def attack(seed: int, number: int) -> tuple[str, list[tuple[str, str]]]:
    """Try input `number` in a directory of its own; return what it is, and what was found."""
    rng, kind = Random(f"{seed} {number}"), INPUTS[number % len(INPUTS)]
    here, directory = os.getcwd(), mkdtemp()
    os.chdir(directory)
    findings, what = [], ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            what, wrong = kind(rng)
        if wrong:
            findings.append(("traceback", wrong))
    except Exception as error:
        place = extract_tb(error.__traceback__)[-1]
        findings.append(("traceback", f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"))
    finally:
        if any("owned" in names for _, *parts in os.walk(directory) for names in parts):
            findings.append(("execution", "something was run or written"))
        os.chdir(here)
        shutil.rmtree(directory, ignore_errors=True)
    return what, findings


def prepare() -> None:
    """Make ready a process for hostile inputs: small sweeps, bounded memory."""
    grammar.MOST_VALUES = expand.MOST_CONFIGURATIONS = 20
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
