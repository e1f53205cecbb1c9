"""Every format of an export has the numbers of the result, to the last bit where it holds all digits."""

import csv
import io
import json
import re
from math import isnan
from zipfile import ZipFile

import openpyxl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_calamine import CalamineWorkbook

from kernlearn.evaluation import METRICS
from kernlearn.report.exports.documents import KINDS
from kernlearn.report.exports.formats import FORMATS, is_export
from kernlearn.report.exports.numbers import ADDED, READING, Options, shown
from kernlearn.report.exports.tidy import COLUMNS
from tests.conftest import first_of
from tests.report.exports.examples import HOSTILE, KEPT, RESULTS, hostile, kept

TABLES = first_of(["vkr2015/gaussian", *(name for name in KEPT if name != "vkr2015/gaussian")])


def content(document, name, **options):
    return FORMATS[name].content(document, Options(**options))


def kept_rows(name):
    """Return the rows of the file of a table by name of the number, read by another reader."""
    with (RESULTS / f"{name}.csv").open(newline="") as file:
        return {(row["dataset"], row["algorithm"], row["metric"]): row for row in csv.DictReader(file)}


def same(one, text):
    """Return whether a value is the number in a cell of CSV; an empty one is none."""
    return one in (None, "") if text in ("", "nan") else float(one) == float(text)


def agrees(row, kept):
    pairs = [("mean", "mean"), ("std", "std"), ("printed_mean", "paper_mean"), ("printed_std", "paper_std")]
    pairs += [("interval_low", "interval_low"), ("interval_high", "interval_high"), ("delta", "delta")]
    return all(same(row[ours], kept[theirs]) for ours, theirs in pairs) and row["verdict"] == kept["verdict"]


@pytest.mark.parametrize("name", TABLES)
def test_tidy_formats_have_the_numbers_of_the_table(name):
    document, rows = kept(name), kept_rows(name)
    by_csv = list(csv.DictReader(io.StringIO(content(document, "csv"))))
    by_json = json.loads(content(document, "json"))["numbers"]
    by_parquet = pq.read_table(io.BytesIO(content(document, "parquet"))).to_pylist()
    book = CalamineWorkbook.from_filelike(io.BytesIO(content(document, "xlsx")))
    head, *lines = book.get_sheet_by_name("numbers").to_python()
    by_sheet = [dict(zip(head, line, strict=True)) for line in lines]
    for found in (by_csv, by_json, by_parquet, by_sheet):
        keys = [(row["dataset"], row["algorithm"], row["metric"]) for row in found]
        assert len(set(keys)) == len(keys) == len(document.numbers)
        for key, row in zip(keys, found, strict=True):
            assert agrees(row, rows[key]), key


@pytest.mark.parametrize("name", TABLES)
def test_a_page_shows_the_numbers_rounded(name):
    document, rows = kept(name), kept_rows(name)
    lines = [line for line in content(document, "markdown").splitlines() if line.startswith("| ")]
    grids = [line for line in lines if not line.startswith("| ---")]
    head, at = [], 0
    metrics = list(document.titles)
    for line in grids:
        cells = [cell.strip().replace("\\", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells[0]:
            head, metric = (
                [cell.removesuffix(f" {READING}").removesuffix(f" {ADDED}") for cell in cells[1:]],
                metrics[at],
            )
            at += 1
            continue
        for algorithm, cell in zip(head, cells[1:], strict=True):
            row = rows.get((cells[0].removesuffix(" (stand-in)"), algorithm, metric))
            if cell and cell != "undefined":
                mean = cell.strip("*†‡").split(" ")[0].strip("*")
                assert mean == format(float(row["mean"]), f".{len(mean.partition('.')[2])}f")
            else:
                assert row is None or isnan(float(row["mean"] or "nan"))
    assert at == len(document.grids())


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if one.kinds == KINDS])
@pytest.mark.parametrize("make", [lambda: kept("vkr2015/gaussian"), hostile], ids=["kept", "hostile"])
def test_the_bytes_are_the_same_twice_and_known_as_an_export(name, make, tmp_path):
    first, second = (content(make(), name) for _ in range(2))
    assert first == second and isinstance(first, bytes if FORMATS[name].is_binary else str)
    file = tmp_path / "file"
    file.write_bytes(first if FORMATS[name].is_binary else first.encode())
    assert is_export(file)
    if name == "xlsx":
        assert {one.date_time for one in ZipFile(io.BytesIO(first)).infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_file_of_somebody_is_no_export(tmp_path):
    file = tmp_path / "file"
    book = openpyxl.Workbook()
    book.save(file)
    assert not is_export(file)
    for text in (b"", b"a,b\n1,2\n", b"{}", b"PK\x03\x04", b"PAR1"):
        file.write_bytes(text)
        assert not is_export(file)


def test_a_spreadsheet_runs_no_name():
    document = hostile()
    for row in csv.reader(io.StringIO(content(document, "csv"))):
        for cell in row:
            assert not cell.startswith(tuple("=+-@\t\r\n")) or re.fullmatch(r"-?[\d.]+(e[+-]?\d+)?|-inf", cell), cell
    book = openpyxl.load_workbook(io.BytesIO(content(document, "xlsx")))
    kinds = set()
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                kinds.add(cell.data_type)
                if isinstance(cell.value, str) and cell.value.startswith(tuple("=+-@")):
                    assert cell.quotePrefix and cell.data_type in ("s", "inlineStr")
    assert "f" not in kinds


def test_names_come_back_as_they_were():
    document = hostile()
    plain = [one.removeprefix("'") for one in HOSTILE]
    rows = csv.DictReader(io.StringIO(content(document, "csv"), newline=""))
    assert [row["dataset"].removeprefix("'") for row in rows][::3] == plain
    assert [row["dataset"] for row in json.loads(content(document, "json"))["numbers"]][::3] == list(HOSTILE)
    table = pq.read_table(io.BytesIO(content(document, "parquet"))).to_pylist()
    assert [row["dataset"] for row in table][::3] == list(HOSTILE)


def test_numbers_that_are_not_finite_are_in_every_format_that_has_them():
    document = hostile()
    expected = [number.mean for number in document.numbers]
    rows = list(csv.DictReader(io.StringIO(content(document, "csv"), newline="")))
    table = pq.read_table(io.BytesIO(content(document, "parquet"))).to_pylist()
    for mean, row, other in zip(expected, rows, table, strict=True):
        assert (
            row["mean"] == "" and other["mean"] is None if isnan(mean) else float(row["mean"]) == other["mean"] == mean
        )
    assert "NaN" not in content(document, "json") and "Infinity" not in content(document, "json")


def test_a_cell_of_markdown_is_one_cell():
    lines = content(hostile(), "markdown").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {5} and len(rows) == 2 + len(HOSTILE)
    assert "<script>" not in "\n".join(rows) and r"\<script\>" in "\n".join(lines)


def test_all_digits_are_shown_if_they_are_asked_for():
    document = kept("vkr2015/gaussian")
    for name in [name for name, one in FORMATS.items() if "digits" in one.takes]:
        text = content(document, name, all_digits=True)
        assert all(repr(number.mean) in text for number in document.numbers)
        assert repr(document.numbers[0].std) in text and repr(document.numbers[0].std) not in content(document, name)


@given(st.floats(-1e300, 1e300), st.integers(0, 17))
def test_a_shown_number_is_the_number_rounded(value, digits):
    text = shown(value, digits)
    assert float(shown(value, None)) == value
    if abs(value) < 1e12:
        assert float(text) == float(f"{value:.{digits}f}") and text != "-0" and not re.fullmatch(r"-0\.0+", text)
    else:
        assert float(text) == pytest.approx(value, rel=1e-3)


def test_columns_of_a_csv_file_do_not_change_unseen():
    assert COLUMNS[:6] == ("result", "dataset", "algorithm", "metric", "mean", "std")


@pytest.mark.parametrize("name", TABLES)
def test_the_best_of_a_row_is_bold_and_the_others_are_tested_against_it(name):
    from scipy.stats import ttest_rel

    document = kept(name)
    with (RESULTS / f"{name}_partitions.csv").open(newline="") as file:
        measured = list(csv.DictReader(file))
    lines = {}
    for number in document.numbers:
        if number.algorithm in {*document.readings, *document.additions}:  # they are compared with none
            assert not number.best and number.p_value is None
        else:
            lines.setdefault((number.dataset, number.metric), []).append(number)
    for (dataset, metric), numbers in lines.items():
        means = [one.mean for one in numbers if not isnan(one.mean)]
        known = METRICS.get(next(one.known_as for one in numbers) or metric)
        if known is None or len(means) < 2:
            assert not any(one.best for one in numbers)
            continue
        best = max(means) if known.larger_is_better else min(means)
        winner = next(one for one in numbers if one.mean == best)
        assert winner.best and all(
            one.best == (shown(one.mean, one.digits) == shown(best, one.digits)) for one in numbers
        )
        if not name.startswith("vkr2015/"):  # the unit of which is a partition: its test is easily done again
            continue
        of = {
            one.algorithm: [
                float(row["mean"])
                for row in measured
                if (row["dataset"], row["metric"], row["algorithm"]) == (dataset, metric, one.algorithm)
            ]
            for one in numbers
        }
        others = [one for one in numbers if one is not winner]
        p = sorted((float(ttest_rel(of[one.algorithm], of[winner.algorithm]).pvalue), one.algorithm) for one in others)
        adjusted, largest = {}, 0.0
        for rank, (value, algorithm) in enumerate(p):
            largest = max(largest, min(1.0, (len(p) - rank) * value))
            adjusted[algorithm] = largest
        assert {one.algorithm: one.p_value for one in others} == pytest.approx(adjusted, rel=1e-9, abs=1e-12)
