"""How tables of LaTeX are divided: every number once, in the fewest parts that are narrow enough."""

from itertools import product

import pytest

from kernlearn.report.exports.fitting import SIZES, TEXT_WIDTH, USABLE, layout_of, text_width
from kernlearn.report.exports.latex import latex_tables
from kernlearn.report.exports.numbers import Options
from tests.report.exports.examples import kept


@pytest.mark.parametrize("n_rows", [0, 1, 2, 30, 200])
@pytest.mark.parametrize("widths", [[], [30.0], [60.0] * 5, [25.0] * 40, [50.0, 900.0, 50.0]])
@pytest.mark.parametrize("lines_of_row", [1, 2])
@pytest.mark.parametrize("width", [60.0, TEXT_WIDTH, 1000.0])
def test_every_number_is_in_one_part(n_rows, widths, lines_of_row, width):
    names = ["a name"] * (n_rows * lines_of_row)
    layout = layout_of(names, widths, lines_of_row, (200, 900, 300), width)
    parts = [part for one in layout.floats for part in one]
    cells = [cell for rows, columns in parts for cell in product(rows, columns)]
    assert sorted(cells) == sorted(product(range(len(names)), range(len(widths)))) and len(set(cells)) == len(cells)
    assert all(rows.start % lines_of_row == 0 == len(rows) % lines_of_row for rows, _ in parts)
    size = layout.size
    taken = [
        size.width * (text_width("a name") * bool(names) + sum(widths[j] for j in columns))
        + 2 * size.gap * len(columns)
        for _, columns in parts
    ]
    assert layout.too_wide == any(one > USABLE * width for one in taken)


def test_letters_are_as_large_as_the_fewest_parts_allow():
    sizes = {n: layout_of(["a"], [n / 4] * 4, 1, (50, 50, 0), TEXT_WIDTH) for n in range(100, 700, 5)}
    parts = [len(one.floats[0]) for one in sizes.values()]
    assert parts == sorted(parts) and set(parts) == {1, 2}
    alone = [SIZES.index(one.size) for one in sizes.values() if len(one.floats[0]) == 1]
    assert alone == sorted(alone) and set(alone) == {0, 1, 2}


def test_a_wider_text_needs_fewer_parts():
    document = kept("vkr2015/table1")
    counts = [latex_tables(document, Options(width=width)).count(r"\begin{tabular}") for width in (150, 345, 1000)]
    assert counts[0] > counts[1] > counts[2] == 2
    assert any(r"\footnotesize\setlength" in latex_tables(document, Options(width=one)) for one in range(300, 500, 10))


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("", 0.0),
        ("00", 10.0),
        (r"5.3\,(1.2)$^{\dagger}$", 38.6),
        (r"a\_b", 15.6),
        ("中", 6.0),
        (r"\quad\itshape i", 19.4),
    ],
)
def test_widths_are_those_of_computer_modern(text, width):
    assert text_width(text) == pytest.approx(width, abs=1.5)
