"""``kernlearn verify``: which files it reads and writes, and what a wrong command does."""

import os
from pathlib import Path

import pandas as pd
import pytest

from kernlearn import L2SVMClassifier, save
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.models.file import load_parts
from kernlearn.models.verification import digest_of, receipt, verify
from tests.forty import NAMES, X


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("No such file", ["no.kl", "moons.csv"]),
        ("no such file", ["model.kl", "no.csv"]),
        ("is no model", ["moons.csv", "moons.csv"]),
        ("give KEY=VALUE", ["model.kl", "moons.csv", "target"]),
        ("close all brackets", ["model.kl", "moons.csv", "target=[1,2"]),
        ("close all brackets", ["model.kl", "moons.csv", 'drop=!!python/object/apply:os.system ["id"]']),
        ("give KEY=VALUE", ["model.kl", "moons.csv", "path=other.csv"]),
        ("is there and is no receipt", ["model.kl", "moons.csv", "--receipt", "moons.csv"]),
        ("is there and is no receipt", ["model.kl", "moons.csv", "--receipt", "model.kl"]),
        ("is a directory", ["model.kl", "moons.csv", "--receipt", ""]),
        ("must be a number above 0", ["model.kl", "moons.csv", "--tol", "-1"]),
        ("at most 0.01", ["model.kl", "moons.csv", "--tol", "1e300"]),
        ("at most 0.01", ["model.kl", "moons.csv", "--tol", "nan"]),
    ],
)
def test_a_wrong_command_is_one_line(words, arguments, moons_model, monkeypatch, capsys):
    monkeypatch.chdir(moons_model.parent)
    kept = {file: file.read_bytes() for file in Path().iterdir()}
    assert main(["verify", *arguments]) == 2
    error = capsys.readouterr().err
    assert words in error and error.count("\n") == 1
    assert {file: file.read_bytes() for file in Path().iterdir()} == kept


@pytest.mark.parametrize(
    "command",
    [
        ["verify", "model.kl", "moons.csv", "--receipt", "moons.csv"],
        ["verify", "model.kl", "moons.csv", "--receipt", "./model.kl"],
        ["predict", "model.kl", "moons.csv", "-o", "moons.csv"],
        ["predict", "model.kl", "moons.csv", "-o", "model.kl"],
        ["fit", "algo=l2_svm", "moons.csv", "target=label", "-o", "./moons.csv"],
    ],
)
def test_a_file_that_is_read_is_never_replaced(command, moons_model, monkeypatch, capsys):
    monkeypatch.chdir(moons_model.parent)
    kept = {file: file.read_bytes() for file in Path().iterdir() if file.is_file()}
    assert main([*command, "--force"]) == 2
    assert "is read by this command" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in Path().iterdir() if file.is_file()} == kept


@pytest.mark.parametrize("kind", ["link", "pipe"])
@pytest.mark.parametrize(
    "verb", [["verify", "model.kl", "moons.csv", "--receipt"], ["predict", "model.kl", "moons.csv", "-o"]]
)
def test_links_and_pipes_are_never_replaced(verb, kind, moons_model, monkeypatch, capsys):
    monkeypatch.chdir(moons_model.parent)
    if kind == "link":
        Path("out").symlink_to("receipt.json")
    else:
        os.mkfifo("out")
    before = os.lstat("out")
    assert main([*verb, "out", "--force"]) == 2
    assert "is a link, pipe or device" in capsys.readouterr().err
    assert os.lstat("out").st_ino == before.st_ino and not Path("receipt.json").exists()


def test_there_is_no_receipt_of_files_that_change_while_they_are_verified(moons_model, moons_csv, capsys):
    parts, before = load_parts(moons_model), {moons_model: digest_of(moons_model), moons_csv: digest_of(moons_csv)}
    found = verify(parts, X, NAMES)
    assert found.verified and receipt(moons_model, moons_csv, before, found, len(X), None)["verified"]
    for file in (moons_model, moons_csv):
        content = file.read_bytes()
        file.write_bytes(content + b"\n")
        with pytest.raises(UserError, match="has changed while it was verified"):
            receipt(moons_model, moons_csv, before, found, len(X), None)
        file.write_bytes(content)


def test_a_model_from_python_reads_a_plain_file_of_this_machine(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    save(L2SVMClassifier(kernel="rbf").fit(X, NAMES), "python.kl")
    frame = pd.DataFrame(X).assign(y=NAMES)
    frame.to_csv("plain.csv.gz", index=False)
    assert main(["verify", "python.kl", "plain.csv.gz", "target=y"]) == 0
    for file, words in ((Path("plain.csv.gz").absolute().as_uri(), "no such file"), ("/dev/zero", "pipe or device")):
        assert main(["verify", "python.kl", file, "target=y"]) == 2
        assert words in capsys.readouterr().err
    monkeypatch.setenv("KERNLEARN_MAX_DATA_MB", "0.001")
    assert main(["verify", "python.kl", "plain.csv.gz", "target=y"]) == 2
    assert "take more than 0.001 MB" in capsys.readouterr().err
