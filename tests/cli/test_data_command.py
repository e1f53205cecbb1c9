from dataclasses import replace

import pytest

from kernlearn.cli.data import main
from kernlearn.datasets import CATALOGUE
from kernlearn.errors import UserError


@pytest.fixture(autouse=True)
def nothing_around(monkeypatch, tmp_path):
    monkeypatch.delenv("KERNLEARN_DATA", raising=False)
    monkeypatch.setenv("KERNLEARN_CACHE", str(tmp_path / "cache"))


def test_list_is_one_line_a_set(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["name", *sorted(CATALOGUE), "csv", "conll"]
    assert "351 x 34" in next(line for line in lines if line.startswith("ionosphere"))
    assert len({line.find("bundled") for line in lines if " bundled " in line}) == 1


def test_list_on_a_terminal_is_a_table(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert "│" in out and "ionosphere" in out


def test_info_tells_everything(capsys):
    assert main(["info", "breastcancer", "twonorm"]) == 0
    out = capsys.readouterr().out
    entry = CATALOGUE["breastcancer"]
    for text in (entry.licence, entry.citation, entry.files[0].sha256, entry.files[0].url, entry.digest, *entry.traps):
        assert text in out
    assert "malignant (241, positive)" in out and "n, 7400 by default" in out


def test_fetch_tries_all_and_tells_of_failures(capsys):
    assert main(["fetch", "sonar", "ocr49", "digits"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "sonar: from bundled" and lines[2] == "digits: from scikit-learn"
    assert lines[1].startswith("ocr49: NOT obtained: ocr49.train:") and "no official archive" in lines[1]
    assert main(["fetch", "sonar"]) == 0


def test_verify_of_all_is_right_without_files(capsys):
    assert main(["verify"]) == 0
    lines = dict(line.split(": ", 1) for line in capsys.readouterr().out.splitlines())
    assert list(lines) == sorted(CATALOGUE)
    for name, text in lines.items():
        home = CATALOGUE[name].home
        assert text == ("not here" if home == "file" else f"right ({home})")


def test_verify_finds_what_is_wrong(capsys, monkeypatch):
    wrong = replace(CATALOGUE["sonar"], counts=(98, 110), digest="0" * 64)
    monkeypatch.setitem(CATALOGUE, "sonar", wrong)
    assert main(["verify", "sonar", "pima"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert "sonar: WRONG: (97, 111) examples per class instead of (98, 110); digest" in first
    assert second == "pima: right (bundled)"


def test_verify_names_a_wrong_file(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("KERNLEARN_DATA", str(tmp_path))
    (tmp_path / "german.data-numeric").write_text("1 2 3\n")
    assert main(["verify", "german"]) == 1
    assert "german.data-numeric is not the file it is named after" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["info", "fetch", "verify"])
def test_unknown_name(command):
    with pytest.raises(UserError, match="'sonor': unknown, .*; did you mean sonar"):
        main([command, "sonor"])


@pytest.mark.parametrize("arguments", [[], ["info"], ["fetch"], ["sing"]])
def test_usage_errors_say_where_to_read_more(arguments):
    with pytest.raises(UserError, match=r"\(kernlearn data (\w+ )?--help\)$"):
        main(arguments)
