"""What a side of a difference is: directories, commits, names, links, and files that are damaged or too large."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kernlearn.errors import UserError
from kernlearn.report.differences import compare, sides
from kernlearn.report.differences.changes import Kind, Status
from kernlearn.report.differences.compare import Settings, compare_sides
from kernlearn.report.differences.sides import side_of
from kernlearn.runner.store.tables import read_csv, write_csv
from tests.report.exports.examples import RESULTS

NAMES = ("vkr2015/table1", "mkl2010/fig2_1")


def copied(directory, *names):
    """Copy the files of kept tables and figures, and return the directory."""
    for name in names or NAMES:
        for path in (RESULTS / name).parent.glob(f"{Path(name).name}*"):
            target = directory / Path(name).parent / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return directory


def replaced(file, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def side(path):
    return side_of(str(path), Path("results"))


def statuses(difference):
    return {part.name: part.status for part in difference.parts}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Return a repository with two commits: of two tables, and of one whose verdict differs."""
    directory = tmp_path / "repository"
    copied(directory / "results")
    for key in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(key, raising=False)
    git(directory, "init", "-q")
    commit(directory)
    replaced(directory / "results/vkr2015/table1.csv", ",inside,", ",near,")
    (directory / "results/mkl2010/fig2_1.csv").unlink()
    commit(directory)
    monkeypatch.chdir(directory)
    return directory


def git(directory, *arguments):
    subprocess.run(["git", *arguments], cwd=directory, check=True, capture_output=True)


def commit(directory):
    git(directory, "add", "-A")
    git(directory, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")


def test_a_copy_has_the_same_bytes(tmp_path):
    found = compare_sides(side(copied(tmp_path / "a")), side(copied(tmp_path / "b")))
    assert set(statuses(found).values()) == {Status.SAME} and len(found.parts) == 3 and not found.alarms


def test_files_of_one_side_are_named_and_pages_are_compared_by_their_bytes(tmp_path):
    before, after = copied(tmp_path / "a"), copied(tmp_path / "b", NAMES[0])
    replaced(after / "vkr2015/table1.md", "Mean", "mean")
    found = compare_sides(side(before), side(after))
    assert statuses(found)["mkl2010/fig2_1.csv"] is Status.ONLY and found.derived == ["vkr2015/table1.md"]
    assert "mkl2010/fig2_1.csv" not in statuses(compare_sides(side(before), side(after), Settings(common=True)))


def test_a_commit_is_compared_with_the_files_and_with_another_commit(repository):
    for words in (("HEAD~1", "."), ("HEAD~1", "results"), ("HEAD~1:results", "HEAD:results"), ("HEAD~1", "HEAD")):
        found = compare_sides(*(side_of(word, Path("results")) for word in words))
        assert statuses(found) == {
            "vkr2015/table1.csv": Status.FLIPPED,
            "mkl2010/fig2_1.csv": Status.ONLY,
            "vkr2015/table1_partitions.csv": Status.SAME,
        }
        assert found.alarms
    found = compare_sides(
        side_of("HEAD~1:results/vkr2015/table1.csv", Path()), side_of("vkr2015/table1", Path("results"))
    )
    assert statuses(found) == {"table.csv": Status.FLIPPED}
    os.chdir("results")
    assert compare_sides(side_of("HEAD~1:./vkr2015", Path()), side_of("vkr2015", Path())).alarms


def test_git_is_only_read(repository):
    before = {path: path.stat().st_mtime_ns for path in repository.rglob("*")}
    (repository / ".git/hooks").mkdir(exist_ok=True)
    side_of("HEAD~1", Path("results"))
    assert {path: path.stat().st_mtime_ns for path in repository.rglob("*") if path in before} == before


def test_a_repository_runs_nothing(repository):
    """An object is missing, and the repository says by which command it would be fetched."""
    (repository / "evil").write_text("#!/bin/sh\ntouch hacked\nexit 1\n")
    (repository / "evil").chmod(0o755)
    for key, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://localhost/x",
        "core.sshCommand": str(repository / "evil"),
        "core.fsmonitor": str(repository / "evil"),
        "core.pager": str(repository / "evil"),
    }.items():
        git(repository, "config", key, value)
    side = side_of("HEAD", Path("results"))
    file = side.files["vkr2015/table1.csv"]
    (repository / ".git/objects" / file.blob[:2] / file.blob[2:]).unlink()
    subprocess.run(["git", "cat-file", "blob", file.blob], capture_output=True, check=False)
    assert (repository / "hacked").exists()  # without our settings it is run
    (repository / "hacked").unlink()
    with pytest.raises(UserError):
        file.read()
    for words in (("HEAD~1", "HEAD"), ("HEAD", ".")):
        found = compare_sides(*(side_of(word, Path("results")) for word in words))
        assert statuses(found)["vkr2015/table1.csv"] is Status.UNREADABLE
    assert not (repository / "hacked").exists()


@pytest.mark.parametrize("word", ["HEAD~7", "nosuch", "--help", "-x", "HEAD:nothing", ":", "a:b", "HEAD:", "\x01"])
def test_a_commit_that_is_not_there_is_one_clear_error(word, repository):
    if word == "HEAD:":  # the root of the commit
        assert side_of(word, Path("results")).files
        return
    with pytest.raises(UserError) as error:
        side_of(word, Path("results"))
    assert "\n" not in str(error.value)


def test_without_git_or_a_repository_there_is_one_clear_error(tmp_path, monkeypatch):
    with pytest.raises(UserError, match="not a git repository"):
        side_of("HEAD~1:results", Path("results"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="git, which is not installed"):
        side_of("HEAD~1:results", Path("results"))
    with pytest.raises(UserError, match="no such result"):
        side_of("HEAD~1", Path("results"))


@pytest.mark.parametrize("name", ["empty", "text.txt", "fifo", "nothing"])
def test_what_has_no_results_is_an_error(name, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/notes.md").write_text("x")
    (tmp_path / "text.txt").write_text("x")
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(UserError):
        side_of(name, Path("results"))


def test_links_in_a_directory_are_not_followed(tmp_path):
    before, after = copied(tmp_path / "a"), copied(tmp_path / "b")
    (after / "vkr2015/secret.csv").symlink_to("/etc/passwd")
    (after / "other").symlink_to(before)
    assert set(side(after).files) - set(side(before).files) == {"vkr2015/secret.csv"}
    with pytest.raises(OSError, match="symbolic link"):
        side(after).files["vkr2015/secret.csv"].read()
    (after / "vkr2015/table1.csv").unlink()
    (after / "vkr2015/table1.csv").symlink_to(before / "vkr2015/table1.csv")
    assert statuses(compare_sides(side(before), side(after)))["vkr2015/table1.csv"] is Status.UNREADABLE


def test_an_empty_word_is_no_side(tmp_path):
    with pytest.raises(UserError, match="is empty"):
        side_of("", tmp_path)


def test_a_link_in_a_commit_is_not_followed(repository):
    (repository / "results/vkr2015/link.csv").symlink_to("/etc/passwd")
    commit(repository)
    assert not any("link" in name for name in side_of("HEAD", Path("results")).files)


def test_a_damaged_file_is_unreadable_and_the_others_are_compared(tmp_path):
    before, after = copied(tmp_path / "a"), copied(tmp_path / "b")
    file = after / "vkr2015/table1.csv"
    file.write_bytes(file.read_bytes()[:5000])
    (after / "vkr2015/table1.provenance.json").write_text("{")
    (after / "mkl2010/fig2_1.csv").write_bytes(b"\xff\x00")
    found = compare_sides(side(before), side(after))
    assert [part.status for part in found.parts] == [Status.UNREADABLE] * 3 + [Status.SAME]
    assert all(part.notes[0].startswith(f"B: {part.name}: damaged") for part in found.parts[:3])


def test_files_that_are_too_large_are_compared_by_their_bytes(tmp_path, monkeypatch):
    before, after = copied(tmp_path / "a"), copied(tmp_path / "b")
    replaced(after / "mkl2010/fig2_1.csv", "9.4", "9.5")
    monkeypatch.setattr(compare, "LARGEST", 1000)
    found = compare_sides(side(before), side(after))
    assert (
        statuses(found)["mkl2010/fig2_1.csv"] is Status.CHANGED and statuses(found)["vkr2015/table1.csv"] is Status.SAME
    )
    assert "only its bytes are compared" in found.parts[0].notes[0]


def sparse(file):
    """Let the SVM of a table have one support vector on every split."""
    rows = read_csv(file)
    for row in rows:
        if (row["algorithm"], row["metric"]) == ("l2_svm", "n_support_vectors"):
            row |= {"mean": "1.0", "std": "0.0", "values": " ".join(["1.0"] * int(row["n_splits"]))}
    write_csv(file, rows)


def test_a_claim_that_holds_on_one_side_only_is_a_verdict(tmp_path):
    before, after = copied(tmp_path / "a"), copied(tmp_path / "b")
    sparse(after / "vkr2015/table1_partitions.csv")
    found = compare_sides(side(before), side(after))
    claims = found.parts[0]
    assert claims.name == "vkr2015/table1_partitions.csv: claims" and claims.status is Status.FLIPPED and found.alarms
    assert len(claims.changes) == 2
    (change,) = [one for one in claims.changes if one.place == "VKR has fewer support vectors than l2_svm on every set"]
    assert change.before.startswith("holds: ") and change.after.startswith("does not hold: ")
    assert change.kind is Kind.VERDICT_WORSE
    assert [one.kind for one in compare_sides(side(after), side(before)).parts[0].changes] == [Kind.VERDICT_BETTER] * 2


def test_claims_that_cannot_be_checked_are_no_alarm(tmp_path):
    before, after = copied(tmp_path / "a"), copied(tmp_path / "b")
    file = after / "vkr2015/table1_partitions.csv"
    write_csv(file, [row for row in read_csv(file) if (row["dataset"], row["algorithm"]) != ("pima", "vkr_lemma3")])
    found = compare_sides(side(before), side(after))
    assert statuses(found)["vkr2015/table1_partitions.csv"] is Status.CHANGED and not found.alarms
    assert statuses(found)["vkr2015/table1_partitions.csv: claims"] is Status.CHANGED


def test_runs_are_matched_by_their_names_without_digests(tmp_path):
    for name, digest, mean in (("a", "0123456789", "3.0"), ("b", "abcdef0123", "4.0")):
        run = tmp_path / name / "runs" / f"sonar-vkr-seed0-{digest}"
        run.mkdir(parents=True)
        (run / "paths.csv").write_text("run,split,point,gap,status\n" + f"{digest},0,0,1e-10,optimal\n")
        (run / "summary.csv").write_text(f"run,dataset,metric,mean\n{digest},sonar,error_pct,{mean}\n")
        experiment = {"seed": 0, "algo": {"name": "vkr", "Cs": [1.0, float(mean)]}}
        record = {"experiment": experiment, "computed": [{"packages": {"numpy": mean}}], "data": []}
        (run / "provenance.json").write_text(json.dumps(record))
        (tmp_path / name / "summary.csv").write_text("run\n")
    found = compare_sides(side(tmp_path / "a"), side(tmp_path / "b"))
    place = "runs/sonar-vkr-seed0-0123456789"
    assert statuses(found) == {
        f"{place}/summary.csv": Status.CHANGED,
        f"{place}/provenance.json": Status.CHANGED,
        f"{place}/paths.csv": Status.WITHIN,
    }
    notes = next(part.notes for part in found.parts if part.name.endswith(".json"))
    assert notes == ["parameters: algo.Cs: [1.0, 3.0] | [1.0, 4.0]"]
    assert found.notes == ["computed with other packages: numpy: 3.0 | 4.0"]


@pytest.mark.parametrize(
    "change, words",
    [
        ({"data": "b"}, "data sonar (208 rows, sha256 a | 208 rows, sha256 b)"),
        ({"dataset": "wdbc", "data": "b"}, "data sonar (208 rows, sha256 a) | wdbc (208 rows, sha256 b)"),
        ({"seed": 1}, "seed: 0 | 1"),
        ({"protocol": "rotation5"}, "protocol.name: nested5x5 | rotation5"),
        ({"C": 2.0}, None),
    ],
)
def test_objectives_on_other_training_rows_are_not_compared_and_this_is_said_once(change, words, tmp_path):
    for name, changed in (("a", {}), ("b", change)):
        values = {"dataset": "sonar", "data": "a", "seed": 0, "protocol": "nested5x5", "C": 1.0} | changed
        run = tmp_path / name / "run"
        run.mkdir(parents=True)
        row = f"{values['dataset']},{values['seed']},0,0,{len(changed)}.0,1e-10,optimal\n"
        (run / "paths.csv").write_text(f"dataset,seed,split,point,objective,gap,status\n{row}")
        experiment = {"seed": values["seed"], "protocol": {"name": values["protocol"]}, "algo": {"C": values["C"]}}
        data = [{"name": values["dataset"], "sha256": values["data"], "examples": 208}]
        (run / "provenance.json").write_text(json.dumps({"experiment": experiment, "data": data}))
    found = compare_sides(side(tmp_path / "a/run"), side(tmp_path / "b/run"))
    assert sum(part.n_changes for part in found.parts) == (1 if words is None else 0)
    expected = f"objectives are not compared, as the training rows differ: {words}"
    assert [note for note in found.notes if "objectives" in note] == ([] if words is None else [expected])


def test_sides_of_different_kinds_are_refused(tmp_path):
    copied(tmp_path / "a")
    with pytest.raises(
        UserError, match="a is a results directory and .*table1.csv is a table; give two of the same kind"
    ):
        compare_sides(side("a"), side("a/vkr2015/table1.csv"))


def test_the_kinds_of_files_are_known_once():
    assert set(sides.SINGLE) == {".csv", ".kl"} and not set(sides.DERIVED) & set(sides.COMPARED)
