"""Pictures of a run from its tables: where the selected points are."""

import re

import pytest

from kernlearn.report.choice import End
from kernlearn.report.plots.of_run import sparsity, splits, validation
from kernlearn.report.plots.stored import read_run
from kernlearn.report.plots.svg import svg
from kernlearn.report.run import beyond
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


def ends_of(tmp_path, errors):
    """Return the ends that are selected, the words of the picture, and the notes on the terminal."""
    target = write_run(tmp_path / "run", [{"C": 10.0**i} for i in range(len(errors))], errors)
    ends = read_run(target).ends
    return ends, validation(target)[0].words, [beyond(end) for end in ends]


def test_a_score_that_still_improves_at_an_end_of_the_grid_is_said_with_advice(tmp_path):
    (end,), words, (note,) = ends_of(tmp_path, [[40, 42, 44], [30, 31, 32], [18, 19, 21]])
    assert isinstance(end, End) and end.improves and (end.key, end.value, end.largest) == ("C", 100.0, True)
    assert note.endswith("there by 12 (noise 1.8), so algo.Cs=[...] with larger values may do better")
    assert (
        "At an end of the grid: C=100 (largest of its grid). The validation score still improves there, so a" in words
    )


@pytest.mark.parametrize("errors", [[[9, 9, 9]] * 3, [[10, 5, 9], [10, 6, 8], [9, 6, 8]], [[5], [5]], [[1], [0]]])
def test_no_advice_is_given_where_the_score_is_flat_noisy_or_perfect(tmp_path, errors):
    ends, words, notes = ends_of(tmp_path, errors)
    assert ends and not any(end.improves for end in ends) and "may do better" not in "".join(notes)
    known = re.compile(
        "pointless, since the validation error|no sign that .* values do better|same at the value before"
    )
    assert all(known.search(note) for note in notes)
    if "same at the" in notes[0]:
        wider = "so a wider grid may be better."
    elif "pointless" in notes[0]:
        wider = "values are pointless, since the validation error cannot be better."
    else:
        wider = "There is no sign that a wider grid is better."
    assert words.endswith(wider)


def test_an_end_is_said_of_a_method_that_is_not_installed_without_a_parameter(tmp_path):
    grid, errors = [{"C": 1.0}, {"C": 10.0}], [[50, 56], [31, 32]]
    target = write_run(tmp_path / "run", grid, errors, algorithm="of_a_plug_in")
    (end,) = read_run(target).ends
    assert end.parameter == "" and "C=10 (largest of its grid)" in validation(target)[0].words
    assert beyond(end).endswith("(noise 0.87)")


def test_one_split_is_no_mean_over_several(tmp_path):
    target = write_run(tmp_path / "run", [{"C": 1.0}, {"C": 10.0}], [[50], [31]])
    assert "means over 1 split. " in sparsity(target)[0].words and splits(target)[0].words.startswith(
        "There is one split."
    )


@pytest.mark.parametrize(
    ("values", "log"), [((0.1, 1), True), ((1, 2, 3), False), ((1, 10, 100), True), ((0, 10), False)]
)
def test_a_grid_of_factors_has_a_logarithmic_axis_and_one_of_steps_has_not(tmp_path, values, log):
    errors = [[5 + i, 6 + i] for i in range(len(values))]
    (found,) = validation(write_run(tmp_path / "run", [{"C": float(value)} for value in values], errors))
    assert found.x.log == log
