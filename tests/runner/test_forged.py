"""JSON that no command of ours has written, in every file that is read back, ends no later command with a defect."""

import json
from hashlib import sha256

import pytest

from kernlearn.atomic import write_atomically
from kernlearn.cli.main import DEFECT, main
from kernlearn.cli.work.kept import _state, _warning
from kernlearn.report.scorecard import _minutes
from kernlearn.runner.provenance import sources
from kernlearn.runner.provenance.record import Computation, provenance, write_provenance
from kernlearn.runner.store.notes import running
from kernlearn.runner.store.partial import Kept, Partial
from kernlearn.runner.store.reading import DEEPEST, DIGITS, conforms, parse_json
from kernlearn.runner.store.records import Made, Source
from kernlearn.runner.store.store import Store
from tests.conftest import first_of

WORDS = "algo=l1_svm dataset=sonar kernel.degrees=[1] algo.betas=[0.1] engine.jobs=1".split()
SWEEP = ["sweep", *WORDS]
#: Raw JSON in the place of any value; a key may be missing, too.
RAW = {
    "long integer": "9" * 400,
    "longer integer": "9" * 5000,
    "not a number": "NaN",
    "infinite": "-Infinity",
    "deep": "[" * 200 + "]" * 200,
    "deeper": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "twice": '{"a": 1, "a": [2]}',
    "empty list": "[]",
    "empty record": "{}",
    "text": '"x"',
    "truth": "true",
    "nothing": "null",
    "negative": "-1",
}
MISSING = "missing"
#: The slot of a mutation in a text.
SLOT = "THE SLOT"


def places(value, path=()):
    """Yield the paths of all values in JSON, the outermost first."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*path, key)
        yield from places(part, (*path, key))


def mutated(value, path, kind):
    """Return the text of JSON with something else at a place."""
    copy = json.loads(json.dumps(value))
    whole = copy
    for key in path[:-1]:
        whole = whole[key]
    if kind == MISSING:
        del whole[path[-1]]
        return json.dumps(copy, separators=(",", ":"))
    whole[path[-1]] = SLOT
    return json.dumps(copy, separators=(",", ":")).replace(f'"{SLOT}"', RAW[kind])


def outcome(words, capsys):
    """Return the exit code of a command that may say what is wrong, but fails in no way of its own."""
    code = main(words)
    error = capsys.readouterr().err
    assert code != DEFECT and "Traceback" not in error and "unexpected" not in error, error
    return code


def test_numbers_and_brackets_have_an_end():
    assert parse_json(b"[NaN, 1e999, -3]")[2] == -3
    assert parse_json(b"1" * DIGITS) == int("1" * DIGITS)
    parse_json(b"[" * DEEPEST + b"]" * DEEPEST)
    for content in (b"1" * (DIGITS + 1), b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), b"[" * 10**6, b"{", b"\xff"):
        with pytest.raises(ValueError, match="."):
            parse_json(content)


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (1, float, True),
        (float("nan"), float, False),
        (True, int, False),
        (True, float, False),
        (None, str | None, True),
        (1, str | None, False),
        ({"a": [1, 2]}, dict[str, list[int]], True),
        ({"a": [1, "2"]}, dict[str, list[int]], False),
        ([1, "a"], tuple[int, str], True),
        ([1], tuple[int, str], False),
        ({"digest": "x", "recorded": False, "more": 1}, Source, True),
        ({"digest": "x"}, Source, False),
        ({"digest": 1, "recorded": False}, Source, False),
        ([], Made, False),
    ],
)
def test_a_value_conforms_to_a_type_or_not(value, kind, fits):
    assert conforms(value, kind) == fits


MADE = [("made", "source"), ("made", "source", "digest"), ("made", "seconds"), ("made", "code"), ("made",)]
OF_SHARD = [*MADE, ("rows",), ("rows", "columns", "gap"), ("rows", "columns", "gap", 0), ("cell",)]
KINDS = [*RAW, MISSING]
SHARDS = [(path, kind) for path in MADE[:3] for kind in ("long integer", "text")]
SHARDS += [(("rows", "columns", "status", 0), "deep"), (("made", "code", "dirty"), "deeper")]
SHARDS += [(path, kind) for path in OF_SHARD for kind in KINDS]


@pytest.mark.slow
@pytest.mark.parametrize(("path", "kind"), first_of(list(dict.fromkeys(SHARDS)), 8))
def test_a_forged_shard(tmp_path, path, kind, capsys):
    assert main(SWEEP) == 0
    summary = next((tmp_path / "results/sweeps").glob("*/summary.csv"))
    shards = [one for one in sorted((tmp_path / "results/shards").glob("??/*.json")) if not one.name.startswith(".")]
    payload = json.loads(shards[0].read_bytes().partition(b"\n")[2])
    body = mutated(payload, path, kind).encode() + b"\n"
    shards[0].write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)
    before = summary.read_bytes()
    capsys.readouterr()
    codes = [outcome(words, capsys) for words in (["status"], SWEEP, [*SWEEP, "--collect"], SWEEP)]
    assert codes in ([0, 0, 0, 0], [0, 1, 1, 0])  # of a shard that is none, incomplete until it is computed again
    assert before == summary.read_bytes() or path[0] == "rows"


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in Kept._fields for kind in KINDS])
def test_a_forged_checkpoint_is_none(tmp_path, name, kind):
    key = "ab" * 32
    partial = Partial(Store(tmp_path), key, 0.0)
    partial.save(Kept(1, 1, [1.0], [{"point": 0}]))
    path = partial.store.path(key)
    body = mutated(json.loads(path.read_bytes().partition(b"\n")[2]), (name,), kind).encode()
    path.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)
    kept = partial.load()
    assert all(type(count) is int and count >= 0 for count in kept[:2]) and isinstance(kept.rows, list)


NOTE = {"key": "k", "label": "l", "since": 1.0, "job": None, "runner": "r", "point": 1, "of": 2, "gap": 0.5}


@pytest.mark.slow
@pytest.mark.parametrize("path", list(places(NOTE)))
def test_a_forged_note(tmp_path, path, capsys):
    assert main(SWEEP) == 0
    cells = next((tmp_path / "results/sweeps").glob("*/cells.txt")).read_text()
    for shard in (tmp_path / "results/shards").glob("??/*.json"):
        shard.unlink()
    note = {**NOTE, "key": cells.split(" ")[0]}
    for kind in KINDS:
        (tmp_path / "results/shards/workers/elsewhere-1").write_text(mutated(note, path, kind) + "\n")
        assert outcome(["status"], capsys) == 0
        list(running(tmp_path / "results/shards"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["command", "registered", "cells"])
def test_a_forged_sweep_is_left_out(tmp_path, name, capsys):
    assert main(SWEEP) == 0
    path = next((tmp_path / "results/sweeps").glob("*/sweep.json"))
    record = json.loads(path.read_bytes())
    for kind in KINDS:
        path.write_text(mutated(record, (name,), kind))
        assert outcome(["status"], capsys) == 0
    assert outcome(SWEEP, capsys) == 0
    assert json.loads(path.read_bytes())["cells"] == 5


@pytest.mark.parametrize("name", ["computed", "cell_seconds", "cell_cpu_seconds", "collected", "state", "data"])
def test_a_forged_provenance(tmp_path, name):
    """Listed, warned of in a report, counted in the scorecard, and compared with the next."""
    path = tmp_path / "uml2014/fig_losses.provenance.json"
    right = provenance([], Computation(), 0.0)
    for kind in KINDS:
        write_atomically(path, mutated({**right, "state": "drawn"}, (name,), kind).encode())
        assert isinstance(_state(path), str) and isinstance(_warning(path), str) and isinstance(_minutes(path), str)
        write_provenance(path, right)
        assert json.loads(path.read_bytes()).keys() >= right.keys()


@pytest.mark.parametrize("damage", ["flipped", "cut", "forged"])
def test_a_damaged_cache_of_sources_is_read_from_the_sources_again(tmp_path, monkeypatch, damage):
    monkeypatch.setenv("KERNLEARN_CACHE", str(tmp_path))

    def digest():
        monkeypatch.setattr(sources, "_kept", sources._Kept())
        return sources.digest("kernlearn.compiled", ["kernlearn"])

    right = digest()
    (path,) = tmp_path.iterdir()
    content = path.read_bytes()
    code = sources._kept._load()["kernlearn.compiled"][1].code.encode()
    checksum, _, body = content.replace(code, b"0" * 16).partition(b"\n")
    spoilt = {
        "flipped": checksum + b"\n" + body,
        "cut": content[:-5],
        "forged": sha256(b'{"kernlearn.compiled": [1, 2]}').hexdigest().encode() + b'\n{"kernlearn.compiled": [1, 2]}',
    }
    path.write_bytes(spoilt[damage])
    assert digest() == right and path.read_bytes() == content
