"""Rows are counted quickly as the csv module of Python counts them, or not at all."""

import csv
import random

import pytest

from kernlearn.datasets.readers import fields

CELLS = ["", "1", "2.5", "red", '"a,b"', '"two\nlines"', '""', '"say ""so"""', "é", " 7", 'a"b', '"open', '"x"y']


def counted_by_csv(text, delimiter, width):
    try:
        rows = list(csv.reader(text.splitlines(keepends=True), delimiter=delimiter, strict=True, skipinitialspace=True))
    except csv.Error:
        return None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    return len(rows) if all(len(row) == width for row in rows) else None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("chunk", [1, 7, 2**24])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_counts_are_those_of_the_csv_module(chunk, delimiter, monkeypatch):
    monkeypatch.setattr(fields, "CHUNK", chunk)
    rng, n_counted = random.Random(0), 0
    for _ in range(400):
        cells = rng.sample(CELLS[:10], 3) if rng.random() < 0.8 else CELLS
        lines = [delimiter.join(rng.choices(cells, k=2 + (rng.random() < 0.02))) for _ in range(rng.randint(1, 6))]
        text = "\n".join([*lines, *[""] * rng.randrange(3)])
        found = fields.count_rows(text.encode(), delimiter, '"', 2)
        assert found in (None, counted_by_csv(text, delimiter, 2)), text
        n_counted += found is not None
    assert n_counted > 200


@pytest.mark.parametrize(
    "text", ["1,2\r\n3,4\r\n", '1,"2\n3,4\n', '1,2"\n"3,4\n', '1,"2"x\n3,4\n', "1,2\n3\n", "1,2,3\n4,5\n"]
)
def test_what_is_otherwise_is_not_counted(text):
    assert fields.count_rows(text.encode(), ",", '"', 2) is None
