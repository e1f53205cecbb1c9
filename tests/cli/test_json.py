"""``--json``: the document of every verb has its schema, and nothing else is on the standard output."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import kernlearn
from kernlearn import documents
from kernlearn.cli.main import VERBS, main
from scripts.tools.write_schemas import schema, schema_of

SCHEMAS = Path(kernlearn.__file__).parent / "schemas"
KERNLEARN = [sys.executable, "-c", "import sys; from kernlearn.cli.main import main; sys.exit(main())"]
#: A quick method.
SVM = ["algo=l2_svm", "algo.Cs=[1.0]", "kernel=gaussian", "kernel.gammas=[0.3]"]
#: The description of a table of one's own.
TABLE = """\
title: "A table"
rows: [sonar]
columns: {svm: {overrides: [algo=l2_svm]}}
metrics: {error_pct: {title: "Test error, %", digits: 1}}
readings: {}
"""
#: A table that is kept.
TABLE1 = ["vkr2015/table1", "--results-dir", str(Path(kernlearn.__file__).parents[1] / "results")]
#: Commands of every verb that succeed, in a directory with a table, rows without a target, and a model of the table.
COMMANDS = {
    "list": [["list"], ["list", "vkr"], ["list", "gaussian"], ["list", "csv"]],
    "data": [["data", "list"], ["data", "info", "ionosphere", "waveform"], ["data", "verify", "sonar", "a4a"]],
    "look": [
        ["look", "sparse.svm"],
        ["look", "my.csv", "text=onehot"],
        ["look", "my.csv", "text=drop", "task=regression", "target=u"],
    ],
    "status": [["status"], ["status", "--results-dir", "nowhere"]],
    "watch": [["watch"]],
    "fit": [["fit", "my.csv", "text=drop", *SVM, "-o", "other.kl"]],
    "predict": [["predict", "my.kl", "new.csv"], ["predict", "my.kl", "new.csv", "-o", "out.csv", "--force"]],
    "evaluate": [["evaluate", "my.kl", "my.csv"]],
    "explain": [["explain", "my.kl", "my.csv", "--repeats", "2"], ["explain", "my.kl", "my.csv", "--row", "2"]],
    "verify": [["verify", "my.kl", "my.csv"]],
    "info": [["info", "my.kl"]],
    "run": [
        ["run", "dataset=my.csv", "text=drop", *SVM, "engine.jobs=1"],
        ["run", "dataset=my.csv", "text=drop", *SVM, "--dry-run"],
        ["run", "-m", "dataset=my.csv", "text=drop", *SVM, "seed=0,1", "engine.jobs=1"],
        ["run", *SVM, "--cfg", "job"],
    ],
    "sweep": [
        ["sweep", "dataset=my.csv", "text=drop", *SVM, "seed=0,1", "engine.jobs=1"],
        ["sweep", "dataset=my.csv", "text=drop", *SVM, "seed=2", "--dry-run"],
    ],
    "compare": [["compare", "my.csv", "text=drop", "algos=l2_svm", *SVM[1:], "engine.jobs=1"]],
    "report": [["report", "my.kl", "-o", "page.html"]],
    "plot": [["plot", "my.kl"], ["plot", "my.kl", "--data", "my.csv", "--kind", "roc", "-o", "roc.svg"]],
    "check": [["check"]],
    "export": [["export", *TABLE1, "--to", "csv"], ["export", *TABLE1, "-o", "table1.tex"]],
    "diff": [["diff", "my.kl", "my.kl"]],
    "reproduce": [
        ["reproduce", "--list"],
        ["reproduce", "vkr2015/table1", "--datasets", "ionosphere", "--dry-run"],
        ["reproduce", "a_paper"],
    ],
    "replay": [
        ["replay", "uml2014/fig_losses", "--results-dir", str(Path(__file__).parents[2] / "results"), "--dry-run"]
    ],
    "paper": [["paper", "new", "a_draft", "--from", "printed.csv"]],
}


def closed(part):
    """Return a schema that allows no field without a description: a new one has to be in the class ``Document``."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    parts = {key: closed(one) for key, one in part.items()}
    return parts | {"additionalProperties": False} if "properties" in part else parts


def refused(name):
    raise ValueError(f"{name} is not JSON")


def document(text, verb):
    """Return the document in a text, after a check that it is one and has the schema of the verb."""
    content = json.loads(text, parse_constant=refused)
    schema = json.loads((SCHEMAS / f"{verb}.json").read_text())
    jsonschema.validate(content, closed(schema), cls=jsonschema.Draft202012Validator)
    return content


def run(capsys, *words, code=0):
    """Run a verb with ``--json`` and return its document."""
    capsys.readouterr()
    assert main([*words, "--json"]) == code
    content = document(capsys.readouterr().out, words[0])
    assert content["exit"] == code and ("error" in content) <= (code > 0)
    return content


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """Return a directory with a table, new rows, and a model."""
    there = tmp_path_factory.mktemp("json")
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    points = zip(*rng.normal(size=(2, 60)) + y, y, strict=True)
    rows = [f"{a:.3f},{b:.3f},{'rg'[k]},{'no' if k else 'yes'}" for a, b, k in points]
    (there / "my.csv").write_text("\n".join(["u,v,colour,label", *rows]) + "\n")
    (there / "sparse.svm").write_text("".join(f"{i % 2} 1:{i} 7:0.5\n" for i in range(20)))
    (there / "new.csv").write_text("v,u\n1.0,2.0\n,3.0\n")
    (there / "printed.csv").write_text("set,svm,other\nsonar,25.0 (1.5),20.0\nmine,1.0,2.0\n")
    (there / "a_paper").mkdir()
    (there / "a_paper" / "table1.yaml").write_text(TABLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(there)
        assert main(["fit", "my.csv", "text=drop", *SVM, "-o", "my.kl"]) == 0
    return there


@pytest.fixture
def here(directory, monkeypatch):
    monkeypatch.chdir(directory)
    monkeypatch.setattr("kernlearn.cli.check.SECONDS", 0.0)  # one problem is enough
    return directory


@pytest.mark.parametrize("verb", VERBS)
def test_the_schema_of_a_verb_is_made_of_its_document_and_is_a_schema(verb):
    written = json.loads((SCHEMAS / f"{verb}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(written)
    assert written == schema_of(verb), "python scripts/tools/write_schemas.py writes it"
    assert import_module(VERBS[verb][0]).Document.__required_keys__


def test_every_verb_has_commands_here():
    assert COMMANDS.keys() == VERBS.keys()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [pytest.param(w, id=f"{v}-{k}") for v, every in COMMANDS.items() for k, w in enumerate(every)]
)
def test_what_a_verb_prints_has_its_schema(words, here, capsys):
    assert run(capsys, *words)["verb"] == words[0]


def test_the_documents_have_what_is_printed(here, capsys):
    words = ["run", "dataset=my.csv", "text=drop", *SVM, "engine.jobs=1"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    (one,) = run(capsys, *words)["runs"]
    scores = {row["metric"]: row for row in one["metrics"]}
    mean, std = scores["error_pct"]["mean"], scores["error_pct"]["std"]
    assert f"test error %  {mean:.2f} ({std:.2f})" in " ".join(printed.split(" ")).replace("           ", "  ")
    assert one["solutions"]["not_optimal"] == 0 and abs(one["solutions"]["largest_gap"]) < 1e-6
    assert Path(one["directory"], "summary.csv").is_file() and one["computation"]["cells"]["missing"] == 0
    rows = run(capsys, "predict", "my.kl", "new.csv", "--scores")
    assert rows["columns"] == ["label", "decision"] and rows["rows"] == 2 and rows["predictions"][1] == [None, None]
    assert rows["predictions"][0][0] in ("yes", "no") and isinstance(rows["predictions"][0][1], float)


def test_a_file_that_is_refused_is_shown_all_the_same(here, capsys):
    content = run(capsys, "look", "my.csv", code=2)
    assert [one["role"] for one in content["columns"]] == ["feature", "feature", "feature", "target"]
    assert "'r' is not a number" in content["error"] and content["notes"]


def test_a_receipt_has_an_option_of_its_own_and_the_old_one_is_accepted(here, capsys):
    for words in (["--receipt", "r.json"], ["--json", "r.json"], ["--json", "r.json", "--json", "--force"]):
        (here / "r.json").unlink(missing_ok=True)
        assert main(["verify", "my.kl", "my.csv", *words]) == 0
        out, err = capsys.readouterr()
        assert json.loads((here / "r.json").read_text())["verified"]
        assert ("is now --receipt FILE" in err) == ("--receipt" not in words)
        assert out.startswith("{") == (words.count("--json") == 2)
    assert not run(capsys, "verify", "my.kl", "my.csv", "target=label")["receipt"]


WRONG = [["nosuchverb"], ["list", "vkrr"], ["status", "x"], ["info", "nix.kl"], ["list", "-x"], ["run", "algo=vrk"]]


@pytest.mark.parametrize("words", WRONG)
@pytest.mark.parametrize("place", [0, 1, 9])
def test_an_error_is_a_document_wherever_the_switch_stands(words, place, capsys):
    assert main([*words[:place], "--json", *words[place:], "--json"]) == 2
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert (content["verb"], content["exit"]) == (words[0], 2) and err.startswith("kernlearn: error: ")
    if words[0] in VERBS:
        document(out, words[0])


def test_without_a_verb_there_is_a_document_of_an_error(capsys):
    assert main(["--json"]) == 2
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert (content["verb"], content["exit"], content["hint"]) == ("", 2, "kernlearn --help shows what they do")
    assert content["error"].startswith("no verb is given, choose one of run, ") and err.count("\n") == 1


@pytest.mark.parametrize("words", [["run", "--help", "--json"], ["--version", "--json"], ["help", "--json"]])
def test_help_and_version_are_texts(words, capsys):
    assert main([*words, "--json"]) == 0
    assert capsys.readouterr().out.startswith(("kernlearn ", "usage: "))


def test_an_abbreviation_of_help_is_an_error(capsys):
    assert "leave out --json" in run(capsys, "list", "--he", code=2)["hint"]


def test_a_switch_of_every_verb_is_suggested(capsys):
    for words in (["run", "--jsn"], ["sweep", "--jsn"], ["fit", "--jsn"], ["list", "--jsn"]):
        assert main(words) == 2
        assert capsys.readouterr().err.endswith("; did you mean --json?\n")


def test_a_hint_is_what_stands_after_the_first_semicolon_in_no_parentheses():
    for words, hint in [
        ("a: is wrong", None),
        ("a: is wrong; use b", "use b"),
        ("a: 'x' is wrong (see; there); use b; did you mean c?", "use b; did you mean c?"),
        ("a: (; x", None),
        ("", None),
    ]:
        with documents.opened("list"):
            documents.fail(words)
            assert documents._open.failure == {"error": words, "hint": hint}


def test_what_nobody_expected_is_a_document(capsys, monkeypatch):
    from kernlearn.cli.results import status

    monkeypatch.setattr(status, "main", lambda argv: {}[argv[0]])
    assert run(capsys, "status", "x", code=3)["error"].startswith("unexpected KeyError: 'x'")
    assert main(["status", "x", "--json", "--debug"]) == 3  # the traceback is beside it
    out, err = capsys.readouterr()
    assert document(out, "status")["exit"] == 3 and "Traceback" in err


def test_numbers_and_names_that_json_does_not_have(capsys, monkeypatch):
    from kernlearn.cli import list as listing

    odd = {
        "nan": float("nan"),
        "inf": np.float64(-np.inf),
        "array": np.array([1.5, np.nan]),
        "whole": np.int64(3),
        "path": Path(os.fsdecode(b"caf\xe9.csv")),
        "name": 'a"b\\c\x1b[2J\u202egnp.exe\n\x00',
        3: (True, None),
    }
    monkeypatch.setattr(listing, "main", lambda argv: documents.deliver({"choices": odd}) or 0)
    assert main(["list", "--json"]) == 0
    out = capsys.readouterr().out
    assert out.isascii() and out.replace("\n", "").isprintable()
    assert json.loads(out, parse_constant=refused)["choices"] == {
        "nan": None,
        "inf": None,
        "array": [1.5, None],
        "whole": 3,
        "path": "caf\\xe9.csv",
        "name": odd["name"],
        "3": [True, None],
    }


def test_names_of_somebody_s_file_cannot_break_the_document(tmp_path, capsys):
    name = tmp_path / os.fsdecode(b'\xffodd "quoted"\x1b[2J\n.csv')
    name.write_text('"a""b",\u202ec,label\n' + "".join(f"{i},{i % 7},{'xy'[i % 2]}\x07\n" for i in range(20)))
    content = run(capsys, "look", str(name))
    assert [one["name"] for one in content["columns"]] == ['a"b', "\u202ec", "label"]
    assert {one["name"] for one in content["data"]["classes"]} == {"x\x07", "y\x07"}
    assert run(capsys, "look", str(name) + "?", code=2)["error"].startswith(str(tmp_path))


@pytest.mark.parametrize("words", [["list"], ["nosuchverb"]])
def test_a_full_or_closed_output_is_one_line(words):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*KERNLEARN, *words, "--json"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.endswith("kernlearn: error: cannot write to the standard output: No space left on device\n")
    closed = subprocess.run([*KERNLEARN, *words, "--json"], stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1))
    assert closed.returncode == 2 and closed.stderr.endswith(b"the standard output: it is closed\n")


@pytest.mark.parametrize("stderr", ["closed", "full", "pipe"])
def test_the_document_comes_even_if_nobody_reads_the_rest(stderr):
    with open("/dev/full", "w") as full:
        reader, writer = os.pipe()
        os.close(reader)
        beside = {"closed": None, "full": full, "pipe": writer}[stderr]
        close = (lambda: os.close(2)) if stderr == "closed" else None
        done = subprocess.run([*KERNLEARN, "list", "--json"], stdout=subprocess.PIPE, stderr=beside, preexec_fn=close)
        os.close(writer)
    assert done.returncode == 0 and document(done.stdout, "list")


def test_a_reader_that_goes_away_is_no_error():
    process = subprocess.Popen([*KERNLEARN, "data", "list", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    error = process.stderr.read()
    assert process.wait() == 1 and b"error:" not in error and b"Traceback" not in error


def test_what_other_processes_print_is_not_in_the_document():
    code = """
import os
from kernlearn import documents
with documents.opened("list"):
    os.system("echo from another process")
    os.write(1, b"from C\\n")
    documents.write(0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr == "from another process\nfrom C\n" and json.loads(done.stdout)["verb"] == "list"


@pytest.mark.slow
def test_ctrl_c_in_the_middle_is_a_document(tmp_path):
    words = ["run", "algo=vkr", "dataset=waveform", "dataset.n=1500", "engine.jobs=1"]
    process = subprocess.Popen(
        [*KERNLEARN, *words, "--json", "--progress=json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    events = []
    for line in process.stderr:
        events.append(json.loads(line))
        if events[-1]["event"] == "progress":
            time.sleep(1.0)
            process.send_signal(signal.SIGINT)
            break
    out, rest = process.communicate(timeout=120)
    events += map(json.loads, rest.splitlines())
    content = document(out, "run")
    assert process.returncode == content["exit"] == 130 and content["error"].startswith("interrupted")
    assert {"message", "progress"} == {one["event"] for one in events}


def test_a_type_that_json_does_not_have_is_no_part_of_a_schema():
    with pytest.raises(TypeError, match="no type of a document"):
        schema(set[int], {})
