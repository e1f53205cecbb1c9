"""A results directory that others have had their hands on, disks that are full, processes that were killed."""

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from hashlib import sha256

import pytest

from kernlearn.atomic import replacing, write_atomically
from kernlearn.cli.main import main
from kernlearn.report import summary
from kernlearn.report.reproduction import PARTITION
from kernlearn.runner.engines.worker import Overdue
from kernlearn.runner.plan.sweeps import registered
from kernlearn.runner.store.files import NotOurs, read_regular
from kernlearn.runner.store.notes import last_words, noted, open_note, running
from kernlearn.runner.store.partial import Kept, Partial
from kernlearn.runner.store.store import Store, content_key
from kernlearn.runner.store.tables import read_csv, write_csv, write_csv_parts
from kernlearn.runner.store.tidy import tidy

A, B = content_key({"cell": "a"}), content_key({"cell": "b"})
OK = {"status": "ok", "rows": [{"x": 1}]}


def test_a_shard_of_another_cell_counts_as_missing(tmp_path, caplog):
    store = Store(tmp_path)
    store.write(A, OK)
    store.write(B, OK)
    shutil.copy(store.path(A), store.path(B))
    assert store.read(B) is None and store.sound(B) is None and store.read(A) == OK
    assert "the shard of another cell" in caplog.text


def test_a_failure_under_the_name_of_a_success_counts_as_missing(tmp_path):
    store = Store(tmp_path)
    store.write(A, {"status": "failed", "error": "no", "rows": []})
    os.rename(store.path(A, failed=True), store.path(A))
    assert store.sound(A) is None


OBSTACLES = {
    "link": lambda path: path.symlink_to(path.with_name("elsewhere")),
    "pipe": os.mkfifo,
    "directory": os.mkdir,
}


@pytest.mark.parametrize("kind", sorted(OBSTACLES))
def test_what_is_no_file_of_ours_is_neither_followed_nor_waited_for(tmp_path, kind):
    store = Store(tmp_path)
    store.write(A, OK)
    store.path(A).rename(store.path(A).with_name("elsewhere"))
    OBSTACLES[kind](store.path(A))
    assert store.read(A) is None
    note = tmp_path / "workers" / "elsewhere-1"
    note.parent.mkdir()
    OBSTACLES[kind](note)
    assert noted(tmp_path) == set() and list(running(tmp_path)) == [] and last_words(tmp_path, A) == ""


@pytest.mark.slow
def test_a_link_in_the_place_of_a_note_is_not_written_through(tmp_path):
    code = (
        "import os, platform; from pathlib import Path; from kernlearn.runner.engines.guard import open_note;"
        "Path('workers').mkdir(); Path('workers', f'{platform.node()}-{os.getpid()}').symlink_to('../precious');"
        "os.write(open_note(Path()), b'words')"
    )
    (tmp_path / "precious").write_text("kept")
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
    assert (tmp_path / "precious").read_text() == "kept"
    (note,) = (tmp_path / "workers").iterdir()
    assert note.read_text() == "words" and not note.is_symlink()


@pytest.mark.parametrize("text", ["{", "[]", '{"key": 1}', '"key"', "[" * 100_000, "\x00\xff"])
def test_a_note_of_nonsense_says_nothing(tmp_path, text):
    (tmp_path / "workers").mkdir()
    (tmp_path / "workers" / "elsewhere-1").write_text(text)
    assert noted(tmp_path) == set() and list(running(tmp_path)) == []


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(NotOurs, match="more than"):
        read_regular(tmp_path / "large")


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_permissions_are_those_of_any_new_file(tmp_path, umask):
    before = os.umask(umask)
    try:
        Store(tmp_path).write(A, OK)
        write_csv_parts(tmp_path / "t.csv", [[{"x": 1}]])
    finally:
        os.umask(before)
    assert stat.S_IMODE(Store(tmp_path).path(A).stat().st_mode) == 0o666 & ~umask
    assert stat.S_IMODE((tmp_path / "t.csv").stat().st_mode) == 0o666 & ~umask


def test_a_file_and_its_name_are_on_the_disk_when_it_is_said_to_be_written(tmp_path):
    """By the calls that the system gets: the file before its new name, the directory after, those above a new one."""
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    code = f"from kernlearn.runner.store.store import Store; Store('shards').write({A!r}, {OK!r})"
    calls = ["strace", "-f", "-y", "-e", "trace=fsync,rename,mkdir", "-o", "calls"]
    traced = subprocess.run([*calls, sys.executable, "-c", code], cwd=tmp_path, capture_output=True)
    if traced.returncode:
        pytest.skip("strace may trace nothing here")
    names = [line.split(None, 1)[1] for line in (tmp_path / "calls").read_text().splitlines() if "shards" in line]
    order = [name.split("(")[0] for name in names if not name.startswith("mkdir")]
    assert order == ["fsync", "fsync", "rename", "fsync"] or order[-3:] == ["fsync", "rename", "fsync"], names


def test_a_failed_block_leaves_the_old_file_and_nothing_else(tmp_path):
    write_atomically(tmp_path / "t", b"old")
    with pytest.raises(RuntimeError), replacing(tmp_path / "t") as file:
        file.write(b"new")
        raise RuntimeError
    assert [path.name for path in tmp_path.iterdir()] == ["t"] and (tmp_path / "t").read_bytes() == b"old"


def test_a_checkpoint_that_cannot_be_written_fails_no_cell(tmp_path, caplog):
    (tmp_path / "partial").write_text("in the way")  # as a full disk, and for root, too
    partial = Partial(Store(tmp_path), A, 0.0)
    partial.save(Kept(1, 0, None, []))
    partial.save(Kept(2, 0, None, []))
    assert [record.message for record in caplog.records if "cell continues" in record.message] == [caplog.messages[0]]
    assert partial.load() == Kept(0, 0, None, [])
    partial.remove()


def test_what_was_left_behind_is_swept_up_once_it_is_old(tmp_path):
    results, store = tmp_path / "results", Store(tmp_path / "results" / "shards")
    store.write(A, OK)
    Partial(store, A, 0.0).save(Kept(1, 0, None, []))  # killed between the shard and this
    Partial(store, B, 0.0).save(Kept(1, 0, None, []))  # unfinished
    open_note(store.root)  # of this process, which lives
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
    note = next((store.root / "workers").iterdir())
    old = note.with_name(f"{note.name.rpartition('-')[0]}-{dead.stdout.strip()}")
    old.write_text("{}")
    left = [results / "runs/x/.paths.csv.0123abcd.tmp", store.root / f"partial/{A[:2]}/.{A}.json.0123abcd.tmp", old]
    young = results / "runs/x/.summary.csv.0123abcd.tmp"
    mine = results / "runs/x/.of_the_user.tmp"
    for path in (*left, young, mine):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        if path is not young:
            os.utime(path, (0, 0))
    tidy(results)
    assert not any(path.exists() for path in left) and young.exists() and mine.exists() and note.exists()
    assert Store(store.root / "partial").listing() == {B: "ok"} and store.listing() == {A: "ok"}
    left[0].touch()
    os.utime(left[0], (0, 0))
    tidy(results)
    assert left[0].exists()  # once a day
    os.utime(store.root / ".tidied", (time.time() - 1e5,) * 2)
    tidy(results)
    assert not left[0].exists()


WORDS = ["algo=l1_svm", "dataset=sonar", "kernel.degrees=[1]", "engine.jobs=1"]


def forge(path, alter):
    """Alter what a shard says, and make its checksum right again."""
    payload = json.loads(path.read_bytes().partition(b"\n")[2])
    alter(payload)
    body = json.dumps(payload, separators=(",", ":")).encode() + b"\n"
    path.write_bytes(sha256(body).hexdigest().encode() + b"\n" + body)


FORGERIES = {
    "no status": lambda shard: shard.pop("status"),
    "another status": lambda shard: shard.update(status="good"),
    "no maker": lambda shard: shard.pop("made"),
    "no code of the maker": lambda shard: shard["made"].update(code=1),
    "no time of making": lambda shard: shard["made"].update(when=None),
    "a point beyond the grid": lambda shard: shard["rows"]["columns"].update(point=[99]),
    "a point that is a word": lambda shard: shard["rows"]["columns"].update(point=["x"]),
    "no column of errors": lambda shard: shard["rows"]["columns"].pop("test_error_pct"),
    "a score that is a word": lambda shard: shard["rows"]["columns"].update(validation_error_pct=["x"]),
    "a list in a row": lambda shard: shard["rows"]["columns"].update(n_support=[[1]]),
}


@pytest.mark.slow
def test_shards_with_a_right_checksum_and_another_content_are_computed_again(tmp_path, caplog, capsys):
    command = ["run", *WORDS, "algo.betas=[0.1]"]
    assert main(command) == 0
    shards = sorted((tmp_path / "results/shards").glob("??/*.json"))
    (table,) = (tmp_path / "results/runs").glob("*/paths.csv")
    sound = {path: path.read_bytes() for path in shards}, table.read_bytes()
    names = sorted(FORGERIES)
    for start in range(0, len(names), len(shards)):  # as many at once as there are shards
        for path, name in zip(shards, names[start:], strict=False):
            forge(path, FORGERIES[name])
        assert main(command) == 1, names[start:]
        *warnings, error = capsys.readouterr().err.splitlines()  # warnings where logging has been set up before
        assert "cells are missing; the same command runs missing cells" in error
        assert all("removed" in w for w in warnings)
        assert not any(path.exists() for path in shards)
        assert main(command) == 0 and table.read_bytes() == sound[1]


def test_a_failure_that_does_not_say_why_is_computed_again(tmp_path):
    command = ["run", *WORDS, "algo.betas=[0.1]"]
    assert main(command) == 0
    for path in (tmp_path / "results/shards").glob("??/*.json"):
        failed = path.with_name(f"{path.stem}.failed.json")
        path.rename(failed)
        forge(failed, lambda shard: shard.update(status="failed", rows=[]))
    assert main(command) == 1 and main(command) == 0


def test_a_finished_part_with_another_content_is_none(tmp_path):
    partial = Partial(Store(tmp_path), A, 0.0)
    for blocks, points in (("x", 0), (0, -1), (None, 0), (1.5, 0), ([], 0)):
        partial.save(Kept(blocks, points, None, [{"x": 1.0}]))
        assert partial.load() == Kept(0, 0, None, [])


STRANGE = [
    {"key": "zz", "since": []},
    {"key": "zz", "since": None},
    {"key": {}, "since": 1.0},
    {"key": "zz", "since": 10**400},
    {"key": "zz", "since": 1.0, "label": "x\nkernlearn: all cells are done"},
    {"key": "zz", "since": 1.0, "label": "\u202ex"},
    {"key": "zz", "since": 1.0, "label": "x" * 10**5},
    {"key": "zz", "since": 1.0, "point": 10**300, "of": 1},
    {"since": 1.0},
]


@pytest.mark.parametrize("note", STRANGE)
def test_a_note_of_another_shape_is_ignored(tmp_path, note):
    (tmp_path / "workers").mkdir()
    (tmp_path / "workers/otherhost-12").write_text(json.dumps(note) + "\n")
    assert list(running(tmp_path)) == [] and noted(tmp_path) == set() and Overdue(tmp_path, 1.0).keys() == set()


def test_only_cells_of_the_runner_itself_can_be_overdue(tmp_path, monkeypatch):
    overdue, without = Overdue(tmp_path, 1e-3), Overdue(tmp_path, 0.0)
    notes = [(A, "deadhost-12", "another"), (B, "otherhost-13", overdue.runner), (B, "thirdhost-14", without.runner)]
    (tmp_path / "workers").mkdir()
    for key, process, runner in notes:
        (tmp_path / "workers" / process).write_text(json.dumps({"key": key, "since": 1.0, "runner": runner}) + "\n")
    assert overdue.keys() == without.keys() == set()
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 60.0)
    assert overdue.keys() == {B} and without.keys() == set()


def test_where_a_process_died_on_another_machine_the_time_is_that_of_the_next(tmp_path, monkeypatch):
    overdue, now = Overdue(tmp_path, 1e-3), time.monotonic()
    (tmp_path / "workers").mkdir()
    for number, clock in enumerate((now, now + 60.0)):
        note = json.dumps({"key": A, "since": float(number), "runner": overdue.runner})
        (tmp_path / f"workers/host{number}-12").write_text(note + "\n")
        monkeypatch.setattr(time, "monotonic", lambda clock=clock: clock)
        assert overdue.keys() == set()
    monkeypatch.setattr(time, "monotonic", lambda: now + 120.0)
    assert overdue.keys() == {A}


def test_who_writes_the_table_of_all_runs_looks_whether_another_has_finished_meanwhile(tmp_path, monkeypatch):
    """The other one finishes after this one has read the runs and before it writes their table, several times."""
    content = "dataset,algorithm,metric,mean\nsonar,l1_svm,error_pct,{}\n"
    for number in (1, 2):
        write_atomically(tmp_path / f"runs/r-{number}/summary.csv", content.format(number).encode())
    others = [("runs/r-3/summary.csv", 3), ("runs/r-2/summary.csv", 4)]  # a new one, and a new one of the same size

    def write_late(path, *table):
        if others:
            name, number = others.pop(0)
            write_atomically(tmp_path / name, content.format(number).encode())
        write_csv(path, *table)

    monkeypatch.setattr(summary, "write_csv", write_late)
    summary.collect_summaries(tmp_path)
    found = [(row["run"], row["mean"]) for row in read_csv(tmp_path / "summary.csv")]
    assert found == [("1", "1"), ("2", "4"), ("3", "3")]


def test_kept_partitions_that_are_damaged_are_told_in_one_line(tmp_path, capsys):
    kept = tmp_path / "results/vkr2015/table1_partitions.csv"
    for content in (b"dataset,algorithm\n1", b"a,b\n1,2\n", f"{','.join(PARTITION)}\n{'x,' * 8}x\n".encode()):
        write_atomically(kept, content)
        assert main(["reproduce", "vkr2015/table1", "--judge"]) == 2
        error = capsys.readouterr().err
        assert "table1_partitions.csv: damaged" in error and error.count("\n") == 1


@pytest.mark.slow
def test_a_damaged_sweep_or_summary_breaks_nothing_that_comes_after(tmp_path, capsys, caplog):
    assert main(["run", *WORDS]) == main(["sweep", *WORDS]) == 0
    (first,) = (tmp_path / "results/sweeps").iterdir()
    whole, cells = (first / "sweep.json").read_bytes(), (first / "cells.txt").read_bytes()
    for name, content in [
        ("sweep.json", b""),
        ("sweep.json", b"[1]"),
        ("sweep.json", whole[:40]),
        ("sweep.json", b"\xff" + whole),
        ("cells.txt", cells[: len(cells) // 2]),
        ("cells.txt", b"\xff\xfe" * 9),
    ]:
        (first / "sweep.json").write_bytes(whole)
        (first / "cells.txt").write_bytes(cells)
        (first / name).write_bytes(content)
        assert registered(tmp_path / "results") == [] and main(["status"]) == 0
        assert f"{first}: damaged" in caplog.text.replace("results/sweeps", str(tmp_path / "results/sweeps"))
        caplog.clear()
    (run,) = (tmp_path / "results/runs").iterdir()
    whole = (run / "summary.csv").read_bytes()
    for content in (
        b"\xff\xfe\x00",
        b"",
        b"a,b\n1\n",
        b'"' + b"x" * 200_000,
        b"metric,mean\n1,2,3,4\n",
        b"dataset,algorithm,metric,mean\n1,2,3,4,5\n",
        b"dataset,algorithm,metric,mean\n1,2,3\n",
        b"dataset,algorithm,metric,mean\n1,2,3,many\n",
        whole[:-1],
        whole[: whole.index(b"error_pct,") + 14],  # in the middle of a number
        whole[:40],
    ):
        (run / "summary.csv").write_bytes(content)
        summary.collect_summaries(tmp_path / "results")
        assert f"{run}/summary.csv: damaged" in caplog.text
        assert run.name.rpartition("-")[2] not in (tmp_path / "results/summary.csv").read_text()
        caplog.clear()
    (tmp_path / "results/vkr2015").mkdir()
    (tmp_path / "results/vkr2015/table1.provenance.json").write_text("{")
    capsys.readouterr()
    assert main(["reproduce", "--list"]) == 0
    assert "damaged" in capsys.readouterr().out
    assert main(["run", *WORDS]) == main(["sweep", *WORDS]) == main(["status"]) == 0  # written anew
    assert json.loads((first / "sweep.json").read_bytes())["cells"] == 5
