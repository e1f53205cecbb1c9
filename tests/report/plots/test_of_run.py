"""Pictures of a run from its tables: where the selected points are."""

import pytest

from kernlearn.report.plots.of_run import sparsity, validation
from kernlearn.report.plots.svg import svg
from tests.report.written import write_run


def test_every_selected_point_is_marked_where_its_number_of_coefficients_and_its_score_are(tmp_path):
    """Each of five splits selects another point."""
    grid = [{"C": 10.0**i} for i in range(5)]
    errors = [[5 if split == i else 10 + i for split in range(5)] for i in range(5)]
    (found,) = sparsity(write_run(tmp_path / "run", grid, errors, sizes=[50, 40, 30, 20, 10]))
    places = set(zip(found.series[0].x, found.series[0].y, strict=True))
    assert {(mark.x, mark.y) for mark in found.marks} == places and len(places) == 5
    assert "The first of 5 selected ones has 50 " in found.words
    assert all(f"selected: C = {10.0**i:g} (1 of 5 splits)" in svg(found) for i in range(5))


@pytest.mark.parametrize(
    ("count", "words"), [(1, "The selected one has 12"), (2, "The one that is selected most often")]
)
def test_the_words_say_which_of_the_selected_points_they_are_about(tmp_path, count, words):
    grid, errors = [{"C": 10.0**i} for i in range(3)], [[9, 9, 9], [8, 8, 8], [5, 5, 5 if count == 1 else 9]]
    (found,) = sparsity(write_run(tmp_path / "run", grid, errors))
    assert len(found.marks) == count and words in found.words


def test_a_point_without_the_parameter_of_the_columns_is_in_the_surface(tmp_path):
    """The selected point has no C, as a kernel alone beside a sum."""
    grid = [{"degree": d} | ({"C": c} if c else {}) for d in (1, 2) for c in (None, 1.0, 10.0)]
    errors = [[5], *[[9]] * 5]
    (found,) = validation(write_run(tmp_path / "run", grid, errors))
    assert list(found.x.names) == ["none", "1", "10"] and list(found.framed) == [(0, 0)] and found.values[0][0] == 5.0
