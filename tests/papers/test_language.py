"""Expressions of claims: what they mean, what they refuse, and that nothing in them is executed."""

from math import inf, nan

import pytest

from kernlearn.errors import UserError
from kernlearn.papers.language.expression import Names
from kernlearn.papers.language.reader import LONGEST, parse

NAMES = Names(["a", "b", "c", "lambda", "l2-svm"], ["error_pct", "n_kernels"])
ROWS = ["first", "second", "third"]
MEANS = {"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 4.0], "c": [5.0, 5.0, 5.0], "lambda": [1.0] * 3, "l2-svm": [0.0] * 3}


class Values:
    """Values of three rows; nothing is printed of the second, and the numbers of kernels are ten times the errors."""

    def mean(self, row, column, metric):
        return MEANS[column][ROWS.index(row)] * (10.0 if metric == "n_kernels" else 1.0)

    def deviation(self, row, column, metric):
        return 0.5

    def printed(self, row, column, metric):
        return nan if row == "second" else 1.5

    def p_value(self, row, first, second, metric, ratio):
        return 0.01 if ratio is None else ratio


def evaluate(text, names=NAMES, rows=ROWS):
    return parse("paper/table1: the claim 'words'", text, names).evaluate(Values(), rows)


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("a < b", [True, False, True]),
        ("a < b < c", [True, False, True]),
        ("a + 1 <= b and not c == 4", [True, False, True]),
        ("a > 2 or b == 1", [False, True, True]),
        ("a < 3. and a > .5 and a < 2.5e0 and a < 1E+1", [True, True, False]),
        ("-a + 2 * b / 4 - c > -6", [True, False, False]),
        ("min(a, b, 1.5) < max(a, b) - 1", [False, False, True]),
        ("abs(a - b) <= std(a) * 2", [True, True, True]),
        ("best(a, b) == min(a, b)", [True, True, True]),
        ("mean(best(a, b), n_kernels) == 10", [True, True, False]),
        ("mean('l2-svm') < mean(\"lambda\")", [True, True, True]),
        ("p_value(a, b) < 0.05 and p_value(a, b, n_kernels, 1/4) == 0.25 and p_value(a, b, 0) == 0", [True] * 3),
        ("p_value(a, best(a, c)) == 1", [True] * 3),
        ("a < average(a)", [True, False, False]),
    ],
)
def test_a_condition_on_columns_is_one_on_every_row(text, true):
    found = evaluate(text).rows
    assert [holds for holds, _ in found.values()] == true and list(found) == ROWS


@pytest.mark.parametrize(
    ("text", "holds", "found"),
    [
        ("count(a < b) >= 2", True, "2: first, third"),
        ("count(a < 0) > 0", False, "none"),
        ("any(a < b)", True, "2: first, third"),
        ("all(a < b) or share(a < b) > 0.5", True, "not for second; 2 of 3"),
        ("min(b / a) > 0.4", True, "0.5 (second) to 2 (first), median 1.33"),
        ("median(a) == 2 and max(a) == 3", True, "1 (first) to 3 (third), median 2"),
        ("average(a) == 2", True, "1 (first) to 3 (third), average 2"),
    ],
)
def test_functions_over_all_rows_say_what_they_found(text, holds, found):
    outcome = evaluate(text)
    assert (outcome.rows, outcome.holds, outcome.found) == (None, holds, found)


def test_the_better_of_two_accuracies_is_the_larger_one():
    assert evaluate("best(a, b) == max(a, b)", Names(["a", "b"], ["accuracy_pct"], larger_is_better=True)).rows == {
        row: (True, f"{value} against {value}") for row, value in zip(ROWS, (2, 2, 4), strict=True)
    }


@pytest.mark.parametrize("text", ["printed(a) > 0", "a / (b - 1) > 0"])
def test_a_row_without_a_value_is_not_judged(text):
    assert list(evaluate(text).rows) == ["first", "third"]


@pytest.mark.parametrize("text", ["any(printed(a) > 0)", "count(a < b) / count(a < 0) > 1", "max(printed(a)) > 0"])
def test_what_sums_up_rows_is_not_measured_while_one_lacks_a_value(text):
    assert evaluate(text) == (None, None, "")


def test_nothing_is_found_in_no_rows():
    assert evaluate("a < b", rows=[]).rows == {} and evaluate("any(a < b)", rows=[]).holds is None


def test_what_is_not_finite_has_no_value(monkeypatch):
    for value in (inf, nan):
        monkeypatch.setitem(MEANS, "a", [value] * 3)
        assert evaluate("a < b").rows == {} and evaluate("any(best(a, b) > 0)").holds is None


MISTAKES = {
    "a < 0x1F": "'0x1F' is no decimal number; write it as 31",
    "a < 1_0": "'1_0' is no decimal number",
    "a < 0b1": "is no decimal number",
    "p_value(a, b, 1_0/4) < 1": "is no decimal number",
    "a": "is a number and no condition",
    "1 < 2": "names no column",
    "a < d": "'d' is no column of the table; the columns are a, b, c, lambda, l2-svm",
    "a <": "cannot be read",
    "": "must be a condition",
    "a < b; c": "cannot be read at '; c'",
    "mean(a, q) < 1": "'q' is no metric of the table; the metrics are error_pct, n_kernels",
    "mean(a, b, c) < 1": "must be mean(COLUMN) or mean(COLUMN, METRIC)",
    "p_value(a) < 1": "must be p_value(COLUMN, COLUMN)",
    "p_value(a, b, -1) < 1": "'-1' must be the ratio",
    "p_value(a, b, 1/0) < 1": "'1/0' must be the ratio",
    "p_value(a, b, n_kernels, c) < 1": "'c' must be the ratio",
    "best(a) < 1": "must be best(COLUMN, COLUMN, ...)",
    "count(a) > 1": "'a' is a number where a condition is needed",
    "(a < b) < c": "is a condition where a number is needed",
    "count(count(a < b) > 1) > 1": "sums up all rows already",
    "averag(a) > 1": "did you mean average?",
    "a < 'x'": "is no number",
    "a < 1e999": "is no number",
    "a < True": "is no number",
    "a < " + "9" * 600: "is no number",
    "a < b" * 300: f"more than {LONGEST}",
    "-" * 200 + "a < b": "is nested more than",
    "(" * 300 + "a" + ")" * 300 + " < b": "cannot be read",
    "a < b\x00": "cannot be read",
    # what would run, or reach for more, if anything ran
    "__import__('os').system('true')": "calls what is no function of the language",
    "a.__class__ < b": "is not of the language",
    "(lambda: 1)() < a": "calls what is no function of the language",
    "[x for x in (1, 2)] < a": "is not of the language",
    "a ** 99999999 < b": "is not of the language",
    "f'{a}' < b": "is not of the language",
    "(b := a) < 1": "is not of the language",
    "a[0] < b": "is not of the language",
    "a < b if c else a": "is not of the language",
    "min(*a) < b": "must be min(NUMBER)",
    "min(a, key=b) < c": "must be min(NUMBER)",
    "print(a) < b": "calls what is no function of the language",
    "~a < b": "is not of the language",
    "a is b": "is not of the language",
    "a < 1j": "is no number",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_one_line_that_names_the_claim_and_the_place(text):
    with pytest.raises(UserError) as error:
        evaluate(text)
    message = str(error.value)
    assert message.startswith("paper/table1: the claim 'words': ") and "\n" not in message and len(message) < 500
    assert MISTAKES[text] in message


@pytest.mark.parametrize("value", [None, 3, ["a < b"], {"a": 1}])
def test_what_is_no_text_is_no_expression(value):
    with pytest.raises(UserError, match="must be a condition"):
        evaluate(value)
