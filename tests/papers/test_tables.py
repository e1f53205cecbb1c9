import statistics

import pytest

from kernlearn.algorithms import ALGORITHMS
from kernlearn.datasets import CATALOGUE
from kernlearn.errors import UserError
from kernlearn.papers import Column, Table, load_table, table_names, table_values
from kernlearn.papers.core.claims import check_claims
from kernlearn.papers.core.compare import printed_rows
from kernlearn.report.layout import table_report
from kernlearn.report.reproduction import COLUMNS, Reproduced, partition_rows, table_rows

METRIC = "error_pct"


def is_lost(printed, dataset, algorithm):
    """Return whether a cell is printed and its value cannot be read in the source."""
    cells = [cell for cell in printed_rows(printed) if (cell["dataset"], cell["algorithm"]) == (dataset, algorithm)]
    return bool(cells) and all(cell["note"] == "unreadable" for cell in cells)


@pytest.mark.parametrize("name", table_names())
def test_every_table_is_made_of_what_there_is(name):
    table = load_table(name)
    assert table.title and table.readings and table.metrics
    for row in table.rows:
        assert row.dataset["name"] in CATALOGUE
        assert row.columns is None or set(row.columns) <= {column.name for column in table.columns}
    for column in table.columns:
        assert any(f"algo={algorithm}" in column.overrides for algorithm in ALGORITHMS)
        for row in table.rows:
            if column.printed is not None and row.has(column):
                assert any(
                    (shown.printed or metric)
                    in table_values(table.printed, row.printed, column.printed, row.setting or shown.setting)
                    for metric, shown in table.metrics.items()
                ) or is_lost(table.printed, row.printed, column.printed)
    assert table.needs <= {column.name for column in table.columns}


def test_an_unknown_table_lists_those_there_are():
    with pytest.raises(UserError, match="choose one of localrad2013/fig2"):
        load_table("../vkr2015/table1")


def rows(dataset, algorithm, errors, support, seed=0):
    values = {"error_pct": errors, "n_support_vectors": support, "n_nonzero": support}
    return [
        {
            "dataset": dataset,
            "algorithm": algorithm,
            "seed": seed,
            "metric": metric,
            "mean": sum(v) / len(v),
            "std": 1.0,
        }
        | {"n_splits": len(v), "values": " ".join(map(repr, v))}
        for metric, v in values.items()
    ]


def test_claims_can_hold_and_can_fail():
    table = load_table("vkr2015/table1")
    good, bad = [], []
    for i, dataset in enumerate(row.name for row in table.rows):
        for column in table.columns:
            vkr = column.name.startswith("vkr")
            noise = [0.01 * s if vkr else 0.02 * s for s in range(5)]  # differences that vary, so that they are tested
            errors = [5.0 + 0.1 * i + (0.0 if vkr else 4.0) + e for e in noise]
            good += rows(dataset, column.name, errors, [(10.0 if vkr else 120.0) + e for e in noise])
            bad += rows(dataset, column.name, [9.0 - e for e in errors], [(120.0 if vkr else 10.0) + e for e in noise])
    assert {judgement for _, _, judgement in check_claims(table, good)} == {"holds"}
    assert {judgement for _, _, judgement in check_claims(table, bad)} == {"does not hold"}


def test_no_claims_while_columns_are_missing():
    table = load_table("vkr2015/table1")
    assert check_claims(table, rows("musk", "l1_svm", [1.0, 2.0], [3.0, 4.0])) == []
    assert check_claims(table, []) == []


def test_rows_average_over_partitions_and_place_the_printed_value():
    table = load_table("vkr2015/table1")
    measured = [
        row
        for seed, e in enumerate([3.0, 4.0, 8.0, 4.5, 5.5])
        for row in rows("ionosphere", "vkr_lemma3", [e] * 5, [30.0] * 5, seed)
    ]
    error, support, nonzero = table_rows(table, measured)
    assert set(error) - {"repetitions"} <= set(COLUMNS)
    assert (error["mean"], error["n_partitions"], error["n_splits"]) == (5.0, 5, 25)
    assert error["percentile"] == pytest.approx(100 / 5)  # one of five is not above the printed 3.99
    assert error["delta"] == pytest.approx(5.0 - 3.99) and error["verdict"] == "inside"
    assert error["partition_std"] == pytest.approx((14.5 / 4) ** 0.5)
    assert support["verdict"] == "outside, lower" and "paper_mean" not in nonzero  # 30 in each, 30.6 printed
    solved = {"n_programs": 1000, "n_not_optimal": 3, "n_selected_not_optimal": 1}
    partitions = [{**row, **solved, "largest_gap": 1e-9 * row["seed"]} for row in measured]
    command = "kernlearn reproduce vkr2015/table1"
    text = table_report(Reproduced(table, partitions, [error, support, nonzero], [("a", "b", "holds")]), command)
    assert "| vkr_lemma3 | 5,000 | 15 | 5 | 4.0e-09 |" in text and command in text
    half = 2.776445 * (3.625 * 6 / 5) ** 0.5 + 0.005  # Student's t on four degrees of freedom, and the rounding
    cell = f"5.00 (1.00) [3.99 (2.12) inside {5.0 - half:.2f} to {5.0 + half:.2f}]"
    assert "| | vkr_lemma3 |" in text and f"| ionosphere | {cell} |" in text
    assert "l2_svm |" not in text  # a column of which nothing is measured
    assert "| a | b | holds |" in text and table.readings["scaling"] in text


def test_where_splits_are_independent_each_is_a_repetition():
    """Section 3.2.2 prints 3 % on breast as a mean of 30 splits: one seed of ours, 30 values, has a verdict."""
    table = load_table("mkl2010/sec3_2_2")
    assert table.printed_splits == 30
    errors = [4.0 + 0.1 * (s % 11) for s in range(30)]
    for far, word in ((0.0, "outside, higher"), (1.4, "inside")):
        (row,) = table_rows(table, rows("breast", "unif", [e - far for e in errors], [1.0] * 30)[:1])
        assert (row["n_partitions"], row["verdict"]) == (1, word)
        half = (row["interval_high"] - row["interval_low"]) / 2
        assert half == pytest.approx(2.0452 * statistics.stdev(errors) * (2 / 30) ** 0.5 + 0.5, abs=1e-3)


def test_where_all_partitions_agree_one_example_is_left():
    """Climate has 540 examples; vkr_lemma4 has 5.56 % of them wrong in the paper, that is 30."""
    table = load_table("vkr2015/table1")
    for wrong, word in ((30, "inside"), (31, "inside"), (33, "outside, higher")):
        same = [
            {**row, "n_tested": 540}
            for seed in range(5)
            for row in rows("climate", "vkr_lemma4", [100 * wrong / 540] * 5, [51.0] * 5, seed)
        ]
        assert table_rows(table, same)[0]["verdict"] == word


def test_partition_rows_hold_what_was_selected():
    from kernlearn.evaluation import select

    measured = [
        {
            "run": "8b77505607",
            "point": 0,
            "validation_errors": 1,
            "n_validation": 10,
            "n_test": 12,
            "n_train": 24,
            "n_support": 4,
            "n_nonzero": 5,
            "test_error_pct": 7.0 + s,
            "status": status,
            "gap": 10.0 ** -(9 - s),
        }
        for s, status in enumerate(["optimal", "inaccurate"])
    ]
    selection = select(measured, [{"lambda": 0.1, "beta": 1e-3}])
    found = partition_rows("musk", Column("vkr", ()), 7, [*measured, *measured], selection)
    first = found[0]
    assert first["selected"] == "lambda=0.1;beta=0.001" and first["seed"] == 7 and first["values"] == "7.0 8.0"
    assert [row["metric"] for row in found] == ["error_pct", "n_support_vectors", "n_nonzero"]
    assert (first["n_programs"], first["n_not_optimal"], first["n_selected_not_optimal"]) == (4, 2, 1)
    assert (first["n_splits"], first["n_tested"], first["n_trained"]) == (2, 24, 48)
    assert first["largest_gap"] == pytest.approx(1e-8)
    broken = [*measured, {**measured[0], "gap": -1e-3}]  # a bound above the objective
    assert partition_rows("musk", Column("vkr", ()), 7, broken, selection)[0]["largest_gap"] == -1e-3
    assert Table("p/t", "", "", (), ()).paper == "p"
