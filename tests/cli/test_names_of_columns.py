"""Columns called by numbers, by the same name, or by words that a command line reads otherwise: keys that name them."""

import re
import shlex

import numpy as np
import pytest

from kernlearn.cli.main import main
from kernlearn.datasets import load
from kernlearn.errors import UserError


def roles(path, capsys, *words):
    """Return the names of the columns by their roles, as they are shown."""
    main(["look", str(path), *words])
    out = capsys.readouterr()
    lines = [re.split(" {2,}", line) for line in out.out.splitlines() if line[:1].isdigit()]
    return {role: [line[1] for line in lines if line[2] == role] for role in ("feature", "dropped", "target")}, out


def write(path, names, n=24):
    rng = np.random.default_rng(0)
    rows = [[*rng.normal(size=len(names) - 1).round(3), "pq"[i % 2]] for i in range(n)]
    for i, row in enumerate(rows):
        row[names.index("id")] = 1000 + 37 * i
    path.write_text("\n".join(",".join(map(str, row)) for row in [["2" if c == "id" else c for c in names], *rows]))


def test_a_name_comes_before_a_number_in_every_key(tmp_path, capsys):
    write(path := tmp_path / "my.csv", ["1", "id", "3", "4", "y"])
    _, out = roles(path, capsys)
    (key,) = re.findall(r"column '2' only numbers the examples; (\S+) leaves it out", out.out)
    assert roles(path, capsys, *shlex.split(key))[0]["dropped"] == ["2"]
    assert roles(path, capsys, "types={2: category}", "target=4")[0]["target"] == ["4"]
    assert load("csv", path=path, drop=[2]).columns == ("1", "3", "4")


def test_the_key_in_a_refusal_names_the_column_that_is_refused(tmp_path, capsys):
    path = tmp_path / "my.csv"
    path.write_text("1,2,3,4,y\n" + "".join(f"0.5,{'ab'[i % 2]}{i % 3},{i % 4},7.{i},p{i % 2}\n" for i in range(12)))
    _, out = roles(path, capsys)
    (key,) = re.findall(r"dataset.text=drop or (\S+) leaves it out", out.err)
    assert roles(path, capsys, *shlex.split(key))[0]["dropped"] == ["2"]


def test_columns_of_one_name_are_named_by_their_numbers(tmp_path, capsys):
    path = tmp_path / "my.csv"
    path.write_text("x,x,0,y\n" + "".join(f"0.{7 * i % 5},{i},{i % 4},p{i % 2}\n" for i in range(12)))
    _, out = roles(path, capsys)
    (key,) = re.findall(r"column 'x' only numbers the examples; (\S+) leaves it out", out.out)
    assert load("csv", path=path, drop=["1"]).X[:, 0].tolist() == [7 * i % 5 / 10 for i in range(12)]
    assert main(["look", str(path), *shlex.split(key)]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"\n1 +x +dropped", shown)
    with pytest.raises(UserError, match="several columns have this name; give the number of one, 0 or 1"):
        load("csv", path=path, drop=["x"])
    path.write_text("0,x,x,y\n" + "".join(f"0.{7 * i % 5},{i},{i % 4},p{i % 2}\n" for i in range(12)))
    assert "'dataset.drop=[1]' leaves it out" in roles(path, capsys)[1].out


def test_names_that_a_command_line_reads_as_numbers(tmp_path, capsys):
    path = tmp_path / "my.csv"
    path.write_text("2.10,1e3,true\n" + "".join(f"{i % 3},{i % 4},{i % 2}\n" for i in range(12)))
    for name in ("2.10", "1e3"):
        assert roles(path, capsys, f"target={name}", "header=true")[0]["target"] == [name]
        assert roles(path, capsys, f"drop=[{name}]", "header=true")[0]["dropped"] == [name]
    _, out = roles(path, capsys, "target=true", "header=true")
    (quoted,) = re.findall("write (.*), with both quotes", out.err)
    assert roles(path, capsys, *shlex.split(f"target={quoted}"), "header=true")[0]["target"] == ["true"]
    path.write_text("2.1,2.10,y\n" + "".join(f"{i % 3},{i % 4},{i % 2}\n" for i in range(12)))
    with pytest.raises(UserError, match="give the number of one, 0 or 1"):
        load("csv", path=path, target="2.1", header=True)
    assert load("csv", path=path, target="2.10", header=True).columns == ("2.1", "y")


def test_the_key_for_classes_that_differ_in_every_row_has_quotes(tmp_path, capsys):
    path = tmp_path / "my.csv"
    path.write_text("my class,x,y\n" + "".join(f"p{i % 2},{i % 4},t{i}\n" for i in range(12)))
    _, out = roles(path, capsys, "drop=[my class]")
    (key,) = re.findall("'dataset.target=my class'", roles(path, capsys, "text=onehot")[1].err)
    assert roles(path, capsys, *shlex.split(key), "drop=[y]")[0]["target"] == ["my class"]
