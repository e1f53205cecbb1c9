"""Keys that notes and messages print: copied into a shell, they are read as they are meant."""

import re
import shlex

import numpy as np
import pytest

from kernlearn.cli.configuration.compose import compose_config
from kernlearn.cli.main import main
from kernlearn.datasets import load
from kernlearn.datasets.core.columns import drop_key, na_key, types_key, words_for
from kernlearn.errors import UserError

#: A key in quotes of a shell, or one that needs none.
KEY = re.compile(r"""'dataset\.(?:[^']|'"'"')*'|(?:dataset\.)?[a-z_]+=[^\s;,()]+""")
WORDS = [
    *("-", "?", "null", "n/a", "#N/A", "<na>", "nan", "a b", "9999-12-31", "-999", "--", "*", "größe", 'a"b', "it's"),
    r"\N",
]
NAMES = ["plain", "two words", "x.y", "größe", "it's", 'a"b', "null", "2001", "a,b", "{a}", "a: b", "$x", "-", "twice"]


def composed(text):
    """Return the part of the configuration that a text says, after a shell has read it."""
    (word,) = shlex.split(text)
    return compose_config(["dataset=csv", "dataset.path=FILE", word])["dataset"]


@pytest.mark.parametrize("word", WORDS)
def test_words_for_missing_values(word):
    assert composed(na_key(word))["na_values"] == [word]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_columns(name, tmp_path):
    names = [*NAMES, "twice"]
    column = names.index(name)
    given = composed(types_key(words_for(names, True)[column], "category"))["types"]
    cells = [f'"{cell.replace(chr(34), 2 * chr(34))}"' for cell in [*names, "y"]]
    rows = [",".join([*map(str, range(i, i + len(names))), "pq"[i % 2]]) for i in (0, 3, 5)]
    (tmp_path / "my.csv").write_text("\n".join([",".join(cells), *rows]))
    keys = {str(key): kind for key, kind in given.items()}
    read = load("csv", path=tmp_path / "my.csv", types=keys, header=True)
    assert {f"{name}={i + column}" for i in (0, 3, 5)} <= set(read.columns)
    assert len(read.columns) == len(names) + 2


def test_names_of_columns_that_are_dropped():
    assert composed(drop_key(*NAMES))["drop"] == [2001 if name == "2001" else name for name in NAMES]


def mixed_row(i):
    """Return a row of an id, a date, a boolean, a large number, and a label with blanks."""
    when, label = ["2001-01-01", "9999-12-31"][i % 2], ["A b", "A  b", "c"][i % 3]
    return f"{i},{when},{['TRUE', 'false'][i % 2]},{2**53 + 7 * i},{label}\n"


FILES = {
    "my.csv": "id,when,f,big,y\n" + "".join(map(mixed_row, range(24))),
    "plain.csv": "".join(f"{i},{i % 5},{i % 3 + 0.5}\n" for i in range(24)),
    "na.csv": "a,y\n" + "".join(f"{i % 7},{['none', 'mild'][i % 2]}\n" for i in range(24)),
    "my.arff": "@relation r\n@attribute a real\n@attribute y {p,q}\n@attribute b real\n@inputs a,b\n@outputs y\n"
    "@data\n" + "".join(f"{i},{'pq'[i % 2]},{i % 5}\n" for i in range(24)),
    "my.svm": "".join(f"{['+1', '-1', '1'][i % 3]} 0:{i} 3:{i % 5}\n" for i in range(24)),
    "real.svm": "".join(f"{i % 3 + 0.5} 1:{i} 30:{i % 5}\n" for i in range(24)),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", FILES)
def test_every_key_that_look_prints_is_accepted(name, tmp_path, capsys):
    path = tmp_path / name
    path.write_text(FILES[name])
    assert main(["look", str(path)]) == 0
    keys = {key for key in KEY.findall(capsys.readouterr().out) if "NAME" not in key and "NUMBER" not in key}
    assert keys or name == "plain.csv"
    for key in sorted(keys):
        (word,) = shlex.split(key)
        is_read = main(["look", str(path), word]) == 0
        err = capsys.readouterr().err
        assert is_read or "missing" in err or "is no number" in err or "not a number" in err, (key, err)


def test_look_shows_a_table_of_libsvm_features(tmp_path, capsys):
    (tmp_path / "a.svm").write_text("+1 1:0.5 3:2\n-1 2:-4\n1 1:1.5\n-1 1:1\n")
    assert main(["look", str(tmp_path / "a.svm")]) == 0
    out = capsys.readouterr().out
    assert "label      target   class   3 values" in out and "task=regression" in out
    assert "75 % are not 0, values from 0 to 1.5" in out and "25 % are not 0, values from -4 to 0" in out
    assert "'dataset.drop=[2]'" in out and out.splitlines()[-1] == "data       a: 4 x 3, classes -1 (2), 1 (2)"
    assert main(["look", str(tmp_path / "a.svm"), "drop=[2]"]) == 0
    out = capsys.readouterr().out
    assert "feature 2  dropped" in out and "4 x 2" in out
    rows = np.random.RandomState(0).randint(9, size=(6, 40))
    (tmp_path / "b.svm").write_text(
        "".join(f"{i % 2} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(row)) + "\n" for i, row in enumerate(rows))
    )
    assert main(["look", str(tmp_path / "b.svm"), "drop=[4,5]"]) == 0
    out = capsys.readouterr().out
    assert "1-40    40 features  feature" in out and "2 of them dropped" in out and "6 x 38" in out


def test_features_of_libsvm_are_dropped_by_their_numbers_in_the_file(tmp_path):
    (tmp_path / "a.svm").write_text("1 0:5 2:7\n0 1:6 2:8\n1 0:9\n")
    read = load("csv", path=tmp_path / "a.svm", drop=[0])
    assert read.X.tolist() == [[0, 7], [6, 8], [0, 0]] and read.columns == ("1", "2")
    for wrong in ("x", -1, 3, 10**30):
        with pytest.raises(UserError, match="features are numbered 0 to 2"):
            load("csv", path=tmp_path / "a.svm", drop=[wrong])
