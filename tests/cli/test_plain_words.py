"""What is wrong with words and files is said in one line of plain words, and none of a library."""

import re

import pytest

from kernlearn.cli.configuration.settings import check_settings
from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.papers.core.index import Place
from kernlearn.runner.plan.config import KEYS

#: Words of the libraries, their names and addresses.
RAW = re.compile(
    "hydra|omegaconf|full_key|object_type|interpolation|override|viable|EOF|UNQUOTED|extraneous|multirun|<file>|<unicode"
    "|config group|mapping|Error",
    re.I,
)
WORDS = {
    "seed=${nosuch}": "seed: ${nosuch} refers to a key that does not exist",
    "algo.Cs=[1": "algo.Cs=[1: is not KEY=VALUE; close all brackets",
    "algo.Cs={a:1": "algo.Cs={a:1: is not KEY=VALUE",
    "dataset=heart,,x": "dataset=heart,,x: is not KEY=VALUE; close all brackets",
    "algo": "algo: must be KEY=VALUE",
    "=3": "=3: dataset, kernel, algo, protocol, engine take names; write other keys as KEY=VALUE",
    "algo=null": "algo=null: dataset, kernel, algo, protocol, engine take names",
    "dataset={a: 1}": "dataset={a: 1}: takes a name, as in dataset=NAME",
    "dataset=[a]": "config: there is no dataset/a.yaml",
    "+algo=klda": "+algo=klda: algo has a value; without the +, algo=NAME takes its place",
    "~algo.nosuch": "~algo.nosuch: there is no such key to leave out",
    "~algo=nosuch": "~algo=nosuch: there is no such key to leave out",
    "+a@b=3": "+a@b=3: there is no group a of choices",
    "seed=choice(1,2)": "seed=choice(1,2): has several values; use kernlearn run -m or kernlearn sweep to run them all",
    "seed=1,2": "seed=1,2: has several values",
    "seed=int(a)": "seed=int(a): int(a) cannot be computed",
    "seed=sort(a,1)": "seed=sort(a,1): sort(a,1) cannot be computed",
    "a b=3": "a b=3: a value with special characters needs two pairs of quotes",
    "seed=???": "seed is missing: give seed=VALUE",
}
FILES = {
    "name: ${nosuch.x}": "dataset.name: ${nosuch.x} refers to a key that does not exist",
    "a: 1\na: 2": "mine.yaml, line 2: is not a configuration: found duplicate key a",
    "? [a, b]\n: 2": "mine.yaml, line 1: is not a configuration: found unhashable key",
    "[1,2": "mine.yaml, line 2: is not a configuration: expected ',' or ']'",
    "defaults: [nosuch]": "dataset/mine: there is no dataset/nosuch.yaml",
}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_is_wrong_is_told_of_in_plain_words(word, capsys):
    assert main(["run", word, "--dry-run"]) == 2
    _told(capsys.readouterr().err, WORDS[word])


@pytest.mark.parametrize("content", FILES)
def test_a_file_that_is_wrong_is_told_of_in_plain_words(content, tmp_path, capsys):
    (tmp_path / "dataset").mkdir()
    (tmp_path / "dataset" / "mine.yaml").write_text(content + "\n")
    assert main(["run", "--config-dir", str(tmp_path), "dataset=mine", "--dry-run"]) == 2
    _told(capsys.readouterr().err.replace(f"{tmp_path}/dataset/", ""), FILES[content])


def test_the_description_of_a_table_that_is_none_is_told_of(tmp_path):
    (tmp_path / "mine.yaml").write_text("title: [1\n")
    with pytest.raises(UserError, match=r"^paper/mine: .*mine\.yaml is no description: "):
        Place("paper/mine", "nowhere", tmp_path / "mine").description()


def _told(error, message):
    assert error.startswith(f"kernlearn: error: {message}") and error.count("\n") == 1
    assert not RAW.search(error.removeprefix("kernlearn: error: ")), error


@pytest.mark.parametrize("key", ["results_dir", "retry_failed", "engine"])
def test_a_configuration_of_ones_own_that_lacks_a_key_is_told_which(key):
    with pytest.raises(UserError, match=f"^{key} is missing: give {key}=VALUE$"):
        check_settings({name: None for name in KEYS if name != key})
