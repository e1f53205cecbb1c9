"""Files of somebody else, and links in the place of directories, are left as they are."""

from pathlib import Path

import pytest

import kernlearn
from kernlearn.cli.configuration.settings import require_own, require_writable
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.runner.store.ownership import DIRECTORIES, MARKER

RUN = "run algo=l1_svm dataset=sonar kernel.degrees=[1] algo.betas=[0.1] engine.jobs=1".split()
SWEEP = ["sweep", *RUN[1:]]
STRANGERS = {
    "summary.csv": "month,income\nMay,3\n",
    "SCORECARD.md": "# Football\n",
    "runs/notes.txt": "mine",
    "runs/may/summary.csv": "month,income\nMay,3\n",
    "shards/notes.txt": "mine",
    "sweeps/notes.txt": "mine",
    "vkr2015/table1.csv": "mine",
    "runs": "a file",
}


@pytest.mark.parametrize("name", STRANGERS)
@pytest.mark.parametrize("words", [RUN, ["reproduce", "--scorecard"], ["reproduce", "uml2014/fig_losses"]])
def test_what_is_not_ours_is_not_written_over(name, words, tmp_path, capsys):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(STRANGERS[name])
    place = "results_dir=." if words is RUN else "--results-dir=."
    assert main([*words, place]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and str(Path(name).parts[0]) in error and "kernlearn" in error
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == [path] and path.read_text() == STRANGERS[name]


def test_other_files_do_no_harm_and_the_directory_is_marked(tmp_path):
    (tmp_path / "data.csv").write_text("mine")
    (tmp_path / "runs").mkdir()
    require_writable(tmp_path)
    assert (tmp_path / MARKER).is_file()
    (tmp_path / "runs/notes.txt").write_text("of the runs")
    require_writable(tmp_path)
    (tmp_path / "summary.csv").write_text("month,income\n")
    with pytest.raises(UserError, match="move it away"):
        require_own(tmp_path)


@pytest.mark.parametrize("name", ["summary.csv", "SCORECARD.md", MARKER])
def test_a_directory_in_place_of_a_file_is_told_before_anything_is_computed(name, tmp_path):
    require_writable(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / name).mkdir()
    with pytest.raises(UserError, match="is a directory, but kernlearn writes a file here; move it away"):
        require_own(tmp_path)


@pytest.mark.parametrize("name", ["runs", "shards"])
def test_a_file_in_place_of_a_directory_is_told_in_a_directory_of_ours_too(name, tmp_path):
    require_writable(tmp_path)
    (tmp_path / name).write_text("")
    with pytest.raises(UserError, match="is not a directory, and kernlearn writes a directory here; move it away"):
        require_own(tmp_path)


def test_results_of_this_repository_and_of_earlier_versions_are_ours(tmp_path):
    committed = Path(kernlearn.__file__).parents[1] / "results"
    if committed.is_dir():
        require_own(committed)
    summary = "dataset,setting,algorithm,metric,mean\n"
    for name in (
        "shards/1a/1ab.json",
        "runs/x/paths.csv",
        "runs/x/summary.csv",
        "sweeps/x/cells.txt",
        "jobs/x/batch.json",
    ):
        path = tmp_path / name.replace("/", " ") / name
        path.parent.mkdir(parents=True)
        path.write_text(summary if "summary" in name else "")
        (path.parents[2] / "rankings").mkdir()
        (path.parents[2] / "rankings/notes").write_text("")
        require_own(path.parents[2])


@pytest.mark.parametrize("name", [*DIRECTORIES, "shards/workers", "shards/ab", "rmm2010"])
def test_a_link_in_the_place_of_a_directory_is_not_followed(name, tmp_path, capsys):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "results" / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "results" / name).symlink_to(tmp_path / "theirs")
    main([*SWEEP])
    error = capsys.readouterr().err
    assert name == "shards/ab" or "is a symbolic link, which is not followed" in error
    assert not list((tmp_path / "theirs").iterdir())


@pytest.mark.parametrize(("words", "place"), [(RUN, "runs"), (SWEEP, "sweeps")])
def test_a_link_in_the_place_of_the_directory_of_a_run_is_not_followed(words, place, tmp_path, capsys):
    assert main(words) == 0
    (directory,) = (tmp_path / "results" / place).iterdir()
    directory.rename(tmp_path / "theirs")
    directory.symlink_to(tmp_path / "theirs")
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "theirs").iterdir()}
    capsys.readouterr()
    assert main([*words, "--force"]) == 2
    captured = capsys.readouterr()
    assert f"{directory}: is a symbolic link, which is not followed" in captured.err and "1/5" not in captured.out
    assert main(["status"]) == 0 and "5 cells" not in capsys.readouterr().out
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "theirs").iterdir()}


def test_the_results_directory_itself_may_be_a_link(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "results").symlink_to("disk")
    assert main(RUN) == 0 and (tmp_path / "disk/summary.csv").is_file()
