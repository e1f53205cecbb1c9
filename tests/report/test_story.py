"""The story of a table: what is counted, by hand, and the figures that were found for kept tables."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from kernlearn.papers import Table, load_table
from kernlearn.papers.core.tables import Column, Display, TableRow
from kernlearn.report.layout import OF_STORY, table_report
from kernlearn.report.pages.marks import effect
from kernlearn.report.reproduction import Reproduced, read_partitions, table_rows
from kernlearn.report.story import is_clear, stories

RESULTS = Path(__file__).parents[2] / "results"


def story_of(name, metric):
    table = load_table(name)
    return stories(table, table_rows(table, read_partitions(RESULTS / f"{name}_partitions.csv")))[metric]


@pytest.mark.parametrize(
    ("name", "metric", "kept", "contrasts"),
    [
        ("vkr2015/table1", "error_pct", 2, 8),
        ("mkl2010/table3_2", "error_pct", 11, 11),
        ("rmm2010/table4_2", "error_pct", 3, 3),
    ],
)
def test_kept_tables_have_the_contrasts_that_were_counted_by_hand(name, metric, kept, contrasts):
    story = story_of(name, metric)
    assert (story.kept, story.contrasts) == (kept, contrasts)


def test_a_metric_known_by_its_printed_name_has_winners():
    """Of alignments the largest wins."""
    rows = csv_rows(RESULTS / "mkl2010/table3_1.csv", "test_alignment")
    lines = {name: [row for row in rows if row["dataset"] == name] for name in {row["dataset"] for row in rows}}
    winners = [
        {row["algorithm"] for row in line if float(row[key]) == max(float(one[key]) for one in line)}
        for line in lines.values()
        for key in ("mean", "paper_mean")
    ]
    story = story_of("mkl2010/table3_1", "test_alignment")
    assert story.rows == len(lines)
    assert story.winners == sum(bool(a & b) for a, b in zip(winners[::2], winners[1::2], strict=True))


def csv_rows(path, metric):
    with open(path, newline="") as file:
        return [row for row in csv.DictReader(file) if row["metric"] == metric]


def toy(means):
    """Return a table of musk, whose printed errors are 15.34, 11.55, 10.71 and 9.03, and rows with means of ours."""
    columns = {"l2_svm": "l2_svm", "l1_svm": "l1_svm", "vkr_lemma4": "vkr_lemma4", "vkr_lemma3": "vkr_lemma3"}
    table = Table(
        "vkr2015/x",
        "",
        "vkr2015/table1",
        (TableRow("musk", {"name": "musk"}, printed="musk"),),
        tuple(Column(name, (), printed) for name, printed in columns.items())
        + (Column("wide", (), "vkr_lemma4", reading=True),),
        {"error_pct": Display("Error", 2)},
    )
    partitions = [
        {"dataset": "musk", "algorithm": name, "seed": 0, "metric": "error_pct", "mean": mean, "std": 1.0}
        | {"n_splits": 5, "values": " ".join([str(mean)] * 5), "n_programs": 1, "n_not_optimal": 0}
        | {"n_selected_not_optimal": 0, "largest_gap": 0.0}
        for name, mean in {**means, "wide": 99.0}.items()
    ]
    return table, table_rows(table, partitions), partitions


def test_a_story_is_counted_as_its_words_say():
    """Printed deviations are 2.23, 1.49, 1.13 and 1.39, over five splits."""
    table, rows, partitions = toy({"l2_svm": 15.34, "l1_svm": 9.0, "vkr_lemma4": 10.71, "vkr_lemma3": 9.03})
    story = stories(table, rows)["error_pct"]
    assert story.cells == 4
    assert story.deviations == pytest.approx((0.0, 2.55 / 1.49, 0.0, 0.0), abs=1e-9)
    assert story.percent == pytest.approx(0.0, abs=1e-9) and story.within(1.0) == 75.0
    # 15.34 is far from all others, 11.55 from 9.03, 10.71 from 9.03; 11.55 and 10.71 are not, by 2 * 0.84.
    assert (story.kept, story.contrasts) == (4, 5)
    assert story.tau == pytest.approx((4 - 2) / 6)  # l1_svm is before both others
    assert (story.winners, story.rows) == (0, 1)
    text = table_report(Reproduced(table, partitions, rows, []), "command")
    assert "| Error | 4 | 0.00 | 75 % | 75 % | 0.0 | 4 of 5 |  |  | 0.33 | 0 of 1 |" in text  # one partition: no test


def test_contrasts_are_tested_over_repetitions():
    """l1_svm is below both VKR columns in all partitions, by more than it differs from one to the next."""
    noise, sizes = [0.1, -0.2, 0.0, 0.3, -0.1], {"l2_svm": 2.0, "l1_svm": 1.0, "vkr_lemma4": 1.01, "vkr_lemma3": 0.99}
    means = {"l2_svm": 15.34, "l1_svm": 9.0, "vkr_lemma4": 10.71, "vkr_lemma3": 9.03}
    table, _, one = toy(means)
    many = [
        {
            **row,
            "seed": seed,
            "mean": (mean := row["mean"] + e * sizes.get(row["algorithm"], 1.02)),
            "values": str(mean),
        }
        for row in one
        for seed, e in enumerate(noise)
    ]
    few = [row for row in many if row["seed"] < 4]
    more = [  # of further seeds of one column, whose common ones say the opposite of its mean
        {**row, "seed": seed, "mean": 99.0, "values": "99.0"}
        for row in one
        if row["algorithm"] == "l1_svm"
        for seed in range(5, 30)
    ]
    story = stories(table, table_rows(table, many))["error_pct"]
    assert (story.kept, story.contrasts, story.tested) == (4, 5, 5)
    assert (story.clearly, story.reversed) == (4, 1)  # l1_svm is below vkr_lemma3 in all five
    assert stories(table, table_rows(table, few))["error_pct"].tested == 0
    story = stories(table, table_rows(table, many + more))["error_pct"]
    assert (story.clearly, story.reversed) == (4, 1)
    moved = [(row, seed, row["mean"] + seed) for row in one for seed in range(5)]
    same = [{**row, "seed": seed, "mean": mean, "values": str(mean)} for row, seed, mean in moved]
    story = stories(table, table_rows(table, same))["error_pct"]
    assert (story.contrasts, story.tested) == (5, 0)  # differences that are all the same have no test


def test_what_is_as_printed_keeps_the_whole_story():
    table, rows, _ = toy({"l2_svm": 15.34, "l1_svm": 11.55, "vkr_lemma4": 10.71, "vkr_lemma3": 9.03})
    story = stories(table, rows)["error_pct"]
    assert (story.kept, story.tau, story.winners, story.within(0.5)) == (story.contrasts, 1.0, 1, 100.0)


def test_a_stand_in_has_no_story():
    table, rows, _ = toy({"l2_svm": 15.34, "l1_svm": 11.55, "vkr_lemma4": 10.71, "vkr_lemma3": 9.03})
    assert not stories(replace(table, stand_in=True), rows)
    assert not stories(replace(table, rows=(replace(table.rows[0], stand_in=True),)), rows)


def test_without_printed_numbers_there_is_no_story():
    table, rows, partitions = toy({"wide": 1.0})
    assert not stories(table, rows)
    assert "story" not in table_report(Reproduced(table, partitions, rows, []), "command")


@pytest.mark.parametrize("pair", [(1.1, 0.3, 1.0, 0.4), (0.9, 0.3, 0.8, 0.4), (110.0, 30.0, 100.0, 40.0)])
def test_two_standard_errors_are_no_contrast_and_rounding_does_not_decide(pair):
    """Over 100 splits each of these differs by exactly two standard errors."""
    table = load_table("rmm2010/table5_1")
    mean, std, other, other_std = pair
    first, second = (
        {"dataset": table.rows[0].name, "paper_mean": m, "paper_std": s, "n_splits": 100, "n_partitions": 1}
        for m, s in ((mean, std), (other, other_std))
    )
    assert not is_clear(table, first, second)
    assert is_clear(table, first | {"paper_std": std * 0.99}, second)


def test_the_rank_correlation_knows_ties_of_both_sides():
    table, rows, _ = toy({"l2_svm": 15.0, "l1_svm": 15.0, "vkr_lemma4": 10.0, "vkr_lemma3": 9.0})
    assert stories(table, rows)["error_pct"].tau == pytest.approx(5 / (6 * 5) ** 0.5)
    table, rows, _ = toy(dict.fromkeys(["l2_svm", "l1_svm", "vkr_lemma4", "vkr_lemma3"], 15.0))
    assert stories(table, rows)["error_pct"].tau == 0.0


def test_printed_deviations_have_a_unit_that_is_no_second():
    assert effect({"delta": -0.6, "paper_mean": 5.0, "paper_std": 0.5}) == "-1.2 std"
    assert OF_STORY[1:4] == ("deviation, std", "within 0.5 std", "within 1 std")
    assert "in printed standard deviations (std)" in (RESULTS / "SCORECARD.md").read_text().replace("\n", " ")
