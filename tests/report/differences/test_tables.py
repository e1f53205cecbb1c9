"""What differs between two tables: numbers, verdicts and certificates, whatever the order of rows."""

import random
from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernlearn.errors import UserError
from kernlearn.report.differences.cells import number, numbers
from kernlearn.report.differences.changes import Kind, Status
from kernlearn.report.differences.tables import compare_tables, table_of
from tests.report.exports.examples import RESULTS

HEAD = "dataset,algorithm,metric,mean,verdict,selected,largest_gap,n_not_optimal,cpu_seconds\n"
ROWS = [
    "ocr49,vkr,error_pct,2.0,inside,C=1;theta=2,1e-10,0,3.1\n",
    "ocr49,svm,error_pct,3.0,near,C=1,1e-05,2,3.1\n",
    "pima,vkr,error_pct,nan,,C=1,1e-10,0,3.1\n",
    'pima,svm,error_pct,inf,"outside, lower",C=1,1e-10,0,3.1\n',
]


def table(*rows, head=HEAD):
    return table_of("t.csv", "".join([head, *rows]).encode())


def compare(before, after, **options):
    return compare_tables("t", before, after, options.pop("most", 20), **options)


def changed(old, new, **options):
    """Return the part of a table in which a text is replaced."""
    text = "".join(ROWS)
    assert old in text
    return compare(table(*ROWS), table(text.replace(old, new, 1)), **options)


@pytest.mark.parametrize("name", ["vkr2015/table1", "vkr2015/table1_partitions", "rmm2010/fig2_4", "growth/growth"])
def test_the_order_of_the_rows_does_not_matter(name):
    content = (RESULTS / f"{name}.csv").read_bytes()
    head, *rows = content.decode().splitlines(keepends=True)
    if name.startswith(("vkr", "growth")):  # rows of a figure that have the same names are in order
        random.Random(0).shuffle(rows)
    part = compare(table_of("t", content), table_of("t", "".join([head, *rows]).encode()))
    assert (part.status, part.changes, part.notes) == (Status.WITHIN, [], [])


def test_a_whole_number_names_the_same_row_however_it_is_written():
    head, row = "seed,m,error_pct\n", "{},{},0.5\n"
    before, after = (table(row.format(*names), head=head) for names in (("3", "25"), ("3.0", "25.00")))
    assert compare(before, after).status is Status.WITHIN
    other = compare(before, table(row.format("3.5", "25"), head=head))
    assert other.notes == ["1 row (seed=3) only in A", "1 row (seed=3.5) only in B"]


@pytest.mark.parametrize(
    "old, new, status, kind, place",
    [
        ("2.0,inside", "2.001,inside", Status.CHANGED, Kind.NUMBER, "ocr49 vkr mean"),
        ("2.0,inside", "-2.0,inside", Status.CHANGED, Kind.NUMBER, "ocr49 vkr mean"),
        ("2.0,inside", ",inside", Status.CHANGED, Kind.TEXT, "ocr49 vkr mean"),
        ("2.0,inside", "two,inside", Status.CHANGED, Kind.TEXT, "ocr49 vkr mean"),
        ("2.0,inside", "nan,inside", Status.CHANGED, Kind.TEXT, "ocr49 vkr mean"),
        ("inf,", "-inf,", Status.CHANGED, Kind.NUMBER, "pima svm mean"),
        ("inf,", "1e308,", Status.CHANGED, Kind.NUMBER, "pima svm mean"),
        ("inside", "near", Status.FLIPPED, Kind.VERDICT_WORSE, "ocr49 vkr verdict"),
        ("near", '"outside, higher"', Status.FLIPPED, Kind.VERDICT_WORSE, "ocr49 svm verdict"),
        ("near", "inside", Status.FLIPPED, Kind.VERDICT_BETTER, "ocr49 svm verdict"),
        ('"outside, lower"', "near", Status.FLIPPED, Kind.VERDICT_BETTER, "pima svm verdict"),
        ('"outside, lower"', '"outside, higher"', Status.FLIPPED, Kind.VERDICT, "pima svm verdict"),
        ("inside", "too few", Status.CHANGED, Kind.TEXT, "ocr49 vkr verdict"),
        ("C=1;theta=2", "C=1;theta=3", Status.CHANGED, Kind.TEXT, "ocr49 vkr selected"),
        ("1e-05,2", "1e-05,3", Status.WORSE, Kind.WORSE, "ocr49 svm n_not_optimal"),
        ("1e-05,2", "1e-05,1", Status.CHANGED, Kind.BETTER, "ocr49 svm n_not_optimal"),
        ("1e-05,2", "3e-05,2", Status.WORSE, Kind.WORSE, "ocr49 svm largest_gap"),
        ("1e-05,2", "1e-07,2", Status.CHANGED, Kind.BETTER, "ocr49 svm largest_gap"),
        ("1e-05,2", "nan,2", Status.WORSE, Kind.WORSE, "ocr49 svm largest_gap"),
        ("1e-05,2", ",2", Status.WORSE, Kind.WORSE, "ocr49 svm largest_gap"),
        ("C=1;theta=2,1e-10", "C=1;theta=2,-1e-3", Status.WORSE, Kind.WORSE, "ocr49 vkr largest_gap"),
    ],
)
def test_a_change_has_its_status(old, new, status, kind, place):
    part = changed(old, new)
    assert part.status is status and part.n_changes == 1
    assert [(one.kind, one.place) for one in part.changes] == [(kind, place)]


@pytest.mark.parametrize(
    "old, new",
    [
        ("2.0,inside", "2.0000000001,inside"),
        ("2.0,inside", "2,inside"),
        ("2.0,inside", "2.00e0,inside"),
        ("nan,,", "NaN,,"),
        ("3.1\n", "99.0\n"),  # time
        ("C=1;theta=2,1e-10", "C=1;theta=2,1e-07"),  # proved optimal on both sides
        ("1e-05,2", "1.5e-05,2"),  # not twice as large
    ],
)
def test_what_says_the_same_is_within_tolerance(old, new):
    part = changed(old, new)
    assert (part.status, part.changes) == (Status.WITHIN, [])


def test_the_tolerance_is_as_asked_for():
    assert changed("2.0,inside", "2.001,inside", tolerance=1e-2).status is Status.WITHIN
    assert changed("2.0,inside", "2.0000000001,inside", tolerance=0.0).status is Status.CHANGED


def test_large_identifiers_are_not_merged():
    before, after = (table(f"a,b,{n}\n", head="dataset,algorithm,code\n") for n in (2**53 + 1, 2**53))
    assert compare(before, after).n_changes == 1


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("other", [99.85, 99.8999, 99.9001, 99.95, 100.0, 100.05, 100.0999, 100.2, 50.0, 101.5])
@pytest.mark.parametrize("of_gap", [0.0, 1.0, 3.0])
def test_objectives_agree_where_both_certificates_leave_a_common_optimum(sign, other, of_gap):
    """Each side says that the optimum is between its dual objective and its objective."""
    head = "split,objective,dual_objective,gap,status\n"
    ends = [sorted((sign * 100.0, sign * 99.9)), sorted((sign * other, sign * (other - 0.1 * of_gap)))]
    sides = [
        table(f"0,{high!r},{low!r},{(high - low) / abs(high)!r},capped\n", head=head) for low, high in map(tuple, ends)
    ]
    meet = ends[0][0] <= ends[1][1] and ends[1][0] <= ends[0][1]
    for one, two in (sides, sides[::-1]):
        columns = {change.place.split()[-1] for change in compare(one, two).changes}
        assert not columns & {"objective", "dual_objective"} if meet else "objective" in columns
        if not meet:
            assert columns >= {"objective", "dual_objective"}


def test_a_difference_of_columns_is_compared_unless_it_follows_from_them():
    head = "dataset,algorithm,metric,mean,paper_mean,delta\n"
    before = table("a,b,c,2.0,5.05,-3.05\n", "a,b,d,1.0,1.5,-0.5\n", "a,b,e,1.0,,\n", head=head)
    assert [one.place for one in compare(before, before).changes] == []
    wrong = table("a,b,c,2.0,5.05,99\n", "a,b,d,1.0,1.5,-0.5\n", "a,b,e,1.0,,\n", head=head)
    assert [(one.place.split()[-1], one.after) for one in compare(before, wrong).changes] == [("delta", "99")]
    moved = table("a,b,c,2.5,5.05,-2.55\n", "a,b,d,1.0,1.5,-0.5\n", "a,b,e,1.0,,\n", head=head)
    assert [one.place.split()[-1] for one in compare(before, moved).changes] == ["mean"]
    stale = table("a,b,c,2.5,5.05,-3.05\n", "a,b,d,1.0,1.5,-0.5\n", "a,b,e,1.0,,\n", head=head)
    assert [one.place.split()[-1] for one in compare(before, stale).changes] == ["mean"]
    lost = table("a,b,c,2.0,5.05,\n", "a,b,d,1.0,1.5,-0.5\n", "a,b,e,1.0,,1\n", head=head)
    assert [one.place.split()[-1] for one in compare(before, lost).changes] == ["delta", "delta"]


@pytest.mark.parametrize(
    "column, one, other",
    [
        ("sha256", "1234e5678901", "9876e5678901"),  # both are infinite as numbers
        ("code", "1234e5678901", "9876e5678901"),
        ("sha256", "000000000100", "000000000e10"),
        ("sha256", "1000000000e1", "100000000e02"),  # equal as numbers
        ("code", "inf", "9876e5678901"),
    ],
)
def test_hashes_are_texts_even_if_they_look_like_numbers(column, one, other):
    sides = [table(f"a,b,{text}\n", head=f"dataset,algorithm,{column}\n") for text in (one, other)]
    part = compare(*sides)
    assert part.n_changes == 1 and part.changes[0].kind is Kind.TEXT and part.status is Status.CHANGED
    assert compare(sides[0], sides[0]).n_changes == 0


@pytest.mark.parametrize("pair", [("inf", "Infinity"), ("-inf", "-INF"), ("+inf", " inf")])
def test_infinities_are_equal_however_they_are_written(pair):
    assert compare(*(table(f"a,b,{text}\n", head="dataset,algorithm,mean\n") for text in pair)).n_changes == 0


def test_objectives_differ_by_no_more_than_their_gaps():
    head = "split,point,objective,dual_objective,gap,status\n"
    before = table("0,0,100.0,99.9,1e-3,capped\n", "0,1,100.0,99.9,1e-5,optimal\n", head=head)
    after = table("0,0,99.95,99.85005,1e-3,capped\n", "0,1,99.95,99.9,1e-5,optimal\n", head=head)
    assert [one.place for one in compare(before, after).changes] == ["point=1 objective"]
    wide = [table(f"0,0,{value},0.0,1.0,capped\n", head=head) for value in (100.0, 50.0)]  # nothing is proved
    assert compare(*wide).n_changes == 1
    worse = table("0,0,100.0,99.9,1e-3,capped\n", "0,1,100.0,99.9,1e-5,inaccurate\n", head=head)
    assert compare(before, worse).status is Status.WORSE
    assert [one.kind for one in compare(worse, before).changes] == [Kind.BETTER]


def test_objectives_on_other_training_rows_are_not_compared():
    head = "dataset,point,objective,dual_objective,test_error_pct\n"
    before = table("a,0,1.0,1.0,2.0\n", "b,0,1.0,1.0,2.0\n", head=head)
    after = table("b,0,9.0,9.0,3.0\n", "a,0,9.0,9.0,3.0\n", head=head)
    places = {one.place for one in compare(before, after, other_rows={"a"}).changes}
    assert places == {"a test_error_pct", "b test_error_pct", "b objective", "b dual_objective"}


@pytest.mark.parametrize(
    "before, after, status, difference",
    [
        ("1.0 2.0 3.0", "1.0 2.0 3.0000000001", Status.WITHIN, None),
        ("1.0 2.0 nan", "1 2 NaN", Status.WITHIN, None),
        ("1.0 2.0 3.0", "1.0 2.5 3.1", Status.CHANGED, 0.5),
        ("1.0 nan 3.0", "1.0 2.5 3.1", Status.CHANGED, None),
        ("1.0 2.0 3.0", "1.0 2.0", Status.CHANGED, None),
        ("1.0 2.0 3.0", "1.0 two 3.0", Status.CHANGED, None),
        ("inf 2.0", "inf 2.0 ", Status.WITHIN, None),
    ],
)
def test_lists_of_numbers_are_compared_one_by_one(before, after, status, difference):
    head = "dataset,seed,values\n"
    part = compare(*(table(f"a,0,{one}\n", "a,1,9.0 9.0\n", "a,2,x y\n", head=head) for one in (before, after)))
    assert part.status is status
    assert [one.difference for one in part.changes] == ([] if status is Status.WITHIN else [difference])


def test_rows_and_columns_of_one_side_are_named():
    after = table(*ROWS[1:], "wdbc,vkr,error_pct,1.0,,C=1,0,0,1\n")
    part = compare(table(*ROWS), after)
    assert part.status is Status.CHANGED and part.n_changes == 0
    assert part.notes == ["1 row (ocr49 vkr) only in A", "1 row (wdbc vkr) only in B"]
    fewer = table(*(row.rpartition(",")[0] + "\n" for row in ROWS), head=HEAD.rpartition(",")[0] + "\n")
    assert compare(table(*ROWS), fewer).notes == ["1 column (cpu_seconds) only in A"]
    assert compare(fewer, table(*ROWS), common=True).status is Status.WITHIN
    assert compare(table(*ROWS), after, common=True).notes == []
    assert compare(table(), table(*ROWS)).notes[0].startswith("4 rows (")
    assert compare(table(), table()).status is Status.WITHIN


def test_equal_rows_are_matched_in_their_order():
    twice = table(ROWS[0], ROWS[0], ROWS[1])
    assert compare(twice, table(ROWS[1], ROWS[0], ROWS[0])).status is Status.WITHIN
    part = compare(twice, table(ROWS[0], ROWS[0].replace("2.0", "2.5"), ROWS[1]))
    assert [one.place for one in part.changes] == ["vkr row 2 mean"]
    assert compare(twice, table(ROWS[0], ROWS[1])).notes == ["1 row (vkr row 2) only in A"]


def test_single_tables_may_be_of_other_data():
    before, after = (table(f"{name},vkr,error_pct,2.0,,C=1,0,0,1\n") for name in ("ocr49", "pima"))
    assert len(compare(before, after).notes) == 2
    part = compare(before, after, single=True)
    assert part.notes == ["dataset: ocr49 | pima"] and part.status is Status.CHANGED and part.n_changes == 0


def test_the_largest_changes_come_first_and_all_are_counted():
    rows = [f"set{i},a,error_pct,{i}.0,inside,C=1,0,0,1\n" for i in range(1, 101)]
    moved = [row.replace(".0,inside", f".{i:03},inside") for i, row in enumerate(rows)]
    moved[50] = moved[50].replace("inside", "near")
    part = compare(table(*rows), table(*moved), most=5)
    assert part.n_changes == 100 and len(part.changes) == 5 and part.status is Status.FLIPPED
    assert part.changes[0].place == "set51 verdict"
    assert part.counts == {Kind.VERDICT_WORSE: 1, Kind.NUMBER: 99}
    assert compare(table(*rows), table(*moved), most=0).status is Status.FLIPPED
    sizes = [abs(one.difference) / float(one.after) for one in part.changes[1:]]
    everything = sorted((0.001 * i / (i + 1 + 0.001 * i) for i in range(100)), reverse=True)
    assert sizes == pytest.approx(everything[:4])


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe", b"a,b\n1\n", b"a,b\n1,2", b'a,b\n"1,2\n', b"a,b\n1,2,3\n", b"a,b\n\x00,1\n"[:-1]],
)
def test_a_damaged_table_is_an_error(content):
    with pytest.raises(UserError, match="t.csv: damaged"):
        table_of("t.csv", content)


@given(st.lists(st.one_of(st.floats().map(repr), st.text(max_size=5), st.integers().map(str)), max_size=8))
def test_numbers_in_columns_are_those_in_cells(texts):
    expected = [number(text) if " " not in text else nan for text in texts]
    assert np.array_equal(numbers(texts), expected, equal_nan=True) or any("_" in text for text in texts)


def test_numbers_of_python_are_not_more_than_those_of_columns():
    assert isnan(number("x")) and number("1e400") == inf and numbers(["1e400", "x"])[0] == inf
