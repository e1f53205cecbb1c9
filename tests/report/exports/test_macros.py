r"""Macros: the names have letters only, are unique and do not depend on what else is there."""

import re
import string
from pathlib import Path

import pytest

from kernlearn.errors import UserError
from kernlearn.report.exports.macros import latex_macros, word_of
from kernlearn.report.exports.numbers import Document, Number, Options
from kernlearn.report.targets import Target
from tests.conftest import first_of
from tests.report.exports.examples import KEPT, hostile, kept

TARGET = Target("table", "x", Path("x"))
OUTCOMES = ("Inside", "Near", "Outside", "NoVerdict")


def macros(text):
    """Return the values of macros by name; every other line is a comment."""
    lines = [line for line in text.splitlines() if not line.startswith("% ")]
    found = [re.fullmatch(r"\\newcommand\{\\([A-Za-z]+)\}\{(.*)\}% .*", line) for line in lines]
    assert all(found)
    names = [one[1] for one in found]
    assert len(names) == len(set(names))
    return {one[1]: one[2] for one in found}


@pytest.mark.parametrize("name", first_of(["vkr2015/gaussian", *KEPT[:-1]]))
def test_every_number_of_a_table_has_a_name(name):
    document = kept(name)
    found = macros(latex_macros(document, Options()))
    assert sum(key.endswith("Mean") for key in found) >= len(document.numbers)
    assert found == macros(latex_macros(document, Options()))
    assert all(key.startswith(word_of(name)) for key in found)


def test_the_name_in_the_documentation():
    found = macros(latex_macros(kept("vkr2015/gaussian"), Options(prefix="Ours")))
    assert "OursOcrFourNineLTwoSvmErrorPctMean" in found and "OursNumbersInside" not in found  # nothing is printed
    counts = macros(latex_macros(kept("mkl2010/sec3_2_2"), Options(prefix="Ours")))
    assert int(counts["OursNumbersRun"]) == sum(int(counts[f"OursNumbers{word}"]) for word in OUTCOMES)
    assert word_of("vkr2015/table1") == "VkrTwoZeroOneFiveTableOne" and word_of("l2_svm") == "LTwoSvm"
    value = next(
        one for one in kept("vkr2015/gaussian").numbers if one.algorithm == "l2_svm" and one.dataset == "ocr49"
    )
    assert found["OursOcrFourNineLTwoSvmErrorPctMean"] == f"{value.mean:.2f}"


@pytest.mark.parametrize(
    "p, shown",
    [
        (0.5, "0.500"),
        (0.001, "0.001"),
        (0.0004, "0.00040"),
        (2.34567e-5, "0.000023"),
        (1.26e-9, "1.3e-09"),
        (0.0, "0.000"),
    ],
)
def test_a_small_p_value_is_not_0(p, shown):
    number = Number("a", "svm", "auc", 1.0, None, 2, 5, p_value=p)
    document = Document(TARGET, "", [number], {}, "metrics")
    assert macros(latex_macros(document, Options()))["XASvmAucPValue"] == shown
    assert float(macros(latex_macros(document, Options(all_digits=True)))["XASvmAucPValue"]) == p


def test_equal_names_are_told_apart_and_do_not_depend_on_the_order():
    numbers = [Number(name, "svm", "auc", i, None, 2, 5) for i, name in enumerate(["a1", "a-1", "aOne", "b", "ä_1"])]
    first = macros(latex_macros(Document(TARGET, "", numbers, {}, "metrics"), Options()))
    second = macros(latex_macros(Document(TARGET, "", numbers[::-1], {}, "metrics"), Options()))
    assert first == second and len(first) == 5 and "XBSvmAucMean" in first


def test_hostile_names_make_no_command():
    found = macros(latex_macros(hostile(), Options()))
    assert len(found) > 100
    for value in found.values():
        assert not re.search(r"(?<!\\)[%#&$_^~]", value)
        assert len(re.findall(r"(?<!\\)\{", value)) == len(re.findall(r"(?<!\\)\}", value))


def test_a_word_has_letters_only():
    assert set(word_of("".join(map(chr, range(0xD800))))) == set(string.ascii_letters)


@pytest.mark.parametrize("prefix", ["", "A1", "a b", "ü", "\\x"])
def test_a_prefix_has_letters_only(prefix):
    with pytest.raises(UserError, match="--prefix"):
        latex_macros(hostile(), Options(prefix=prefix))
