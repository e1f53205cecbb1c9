"""The places of texts, ticks and symbols."""

from dataclasses import replace
from itertools import combinations
from math import isfinite, log10, nan

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kernlearn.report.plots.layout.pictures import scene_of, sheet_of, with_words
from kernlearn.report.plots.layout.scene import (
    ELLIPSIS,
    MARGIN,
    WIDTH,
    Named,
    Stroke,
    Text,
    fit,
    printable,
    texts_of,
    width_of,
)
from kernlearn.report.plots.layout.ticks import MINUS, scale_of
from kernlearn.report.plots.picture import Axis, Curves, Grid, Series
from tests.report.plots.examples import ALL, HOSTILE, TYPICAL


def overlap(one, other):
    """Return whether two boxes have an area in common."""
    return min(one[2], other[2]) - max(one[0], other[0]) > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5


def strokes(items):
    """Return all lines and areas."""
    inner = [one for item in items if isinstance(item, Named) for one in strokes(item.items)]
    return [item for item in items if isinstance(item, Stroke)] + inner


@pytest.mark.parametrize("name", [name for name in ALL if not name.endswith("combining")])
def test_texts_do_not_overlap_and_are_within_the_picture(name):
    scene = with_words(scene_of(ALL[name]))
    texts = texts_of(scene.items)
    for one in texts:
        left, top, right, bottom = one.box
        assert left >= -MARGIN and right <= WIDTH + MARGIN + 1e-6, one.words
        assert top >= -MARGIN and bottom <= scene.height + MARGIN, one.words
    for one, other in combinations(texts, 2):
        assert not overlap(one.box, other.box), (one.words, other.words)


@pytest.mark.parametrize("name", TYPICAL)
def test_ordinary_pictures_shorten_no_tick_and_no_title(name):
    texts = texts_of(scene_of(TYPICAL[name]).items)
    assert not [one.words for one in texts if ELLIPSIS in one.words]


NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


@settings(max_examples=150, deadline=None)
@example([1e-280], True, False, 20.0)
@given(st.lists(NUMBERS, max_size=5), st.booleans(), st.booleans(), st.sampled_from([20.0, 240.0, 400.0]))
def test_every_scale_has_its_values_and_ticks_in_order(values, log, upright, length):
    scale = scale_of(Axis("x", log=log), values, length, upright=upright)
    places = [scale.place(tick.value) for tick in scale.ticks if tick.label]
    assert None not in places and places == sorted(set(places))
    labels = [tick.label + tick.exponent for tick in scale.ticks if tick.label]
    assert len(labels) == len(set(labels))
    for value in values:
        if isfinite(value) and abs(value) < 1e150 and (not log or value > 1e-280):
            assert 0 <= scale.place(value) <= 1
    if length >= 240:
        assert len(labels) >= 2


@pytest.mark.parametrize(
    ("values", "log", "labels"),
    [
        ([0, 1], False, ["0", "1"]),
        ([0, 1.0001], False, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([3, 7], False, ["3", "4", "5", "6", "7"]),
        ([0.001, 1000], True, ["0.001", "0.01", "0.1", "1", "10", "100", "1000"]),
        (
            [1e-6, 1e6],
            True,
            ["10^-6", "10^-4", "10^-2", "10^0", "10^2", "10^4", "10^6"],
        ),
        ([2, 40], True, ["2", "5", "10", "20"]),
        ([-5, 5], False, ["-4", "-2", "0", "2", "4"]),
        ([0, 2e7], False, ["0.0", "0.5", "1.0", "1.5", "2.0"]),
    ],
)
def test_ticks_are_round_numbers(values, log, labels):
    scale = scale_of(Axis("x", log=log), values, 300.0)
    found = [f"{tick.label}^{tick.exponent}" if tick.exponent else tick.label for tick in scale.ticks if tick.label]
    assert [text.replace(MINUS, "-") for text in found] == labels
    for tick in scale.ticks:
        if tick.label and log:
            text = tick.exponent.replace(MINUS, "-")
            assert log10(tick.value) == pytest.approx(float(text) if text else log10(float(tick.label)))


def test_large_numbers_share_a_power_of_ten_that_the_axis_names():
    scene = scene_of(ALL["points"])
    words = {one.words for one in texts_of(scene.items)}
    assert "predicted value (times 1e7)" in words
    assert any(one.startswith(f"true minus predicted value (times 1e{MINUS}") for one in words)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("room", [5.0, 60.0, 460.0])
def test_a_shortened_name_fits_and_is_printable(name, room):
    short = fit(HOSTILE[name], room)
    assert width_of(short) <= max(room, width_of(ELLIPSIS)) and short == printable(short)
    if width_of(printable(HOSTILE[name][:100])) > 461:
        assert short.endswith(ELLIPSIS)


def test_no_place_for_what_is_no_number():
    scale = scale_of(Axis("x"), [0.0, 1.0], 100.0)
    assert scale.place(nan) is None and scale.place(2.0) is None and scale.place(0.5) == pytest.approx(0.5)


def test_the_legend_of_shades_has_the_least_and_the_largest_value():
    picture = Grid(
        "validation", "A grid", Axis("x", names=["a", "b"]), Axis("y", names=["c"]), [[0.25, 1.75]], shade="error"
    )
    texts = [item.words for item in scene_of(picture).items if isinstance(item, Text)]
    assert "0.25" in texts and "1.75" in texts


def test_several_pictures_are_on_one_sheet_and_none_is_over_another():
    for n in range(1, 12):
        pictures = [TYPICAL[name] for name in list(TYPICAL) * 2][:n]
        sheet = sheet_of(pictures)
        boxes = [
            (x, y, x + scene.width + 2 * MARGIN, y + scene.height + 2 * MARGIN)
            for scene, (x, y) in zip(sheet.scenes, sheet.corners, strict=True)
        ]
        assert len(boxes) == n and [scene.title for scene in sheet.scenes] == [one.title for one in pictures]
        assert all(right <= sheet.width + 0.01 and bottom <= sheet.height + 0.01 for _, _, right, bottom in boxes)
        for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
            assert c <= e + 0.01 or g <= a + 0.01 or d <= f + 0.01 or h <= b + 0.01
        assert 0.3 < sheet.width / sheet.height < 3


def test_an_interval_beyond_the_axis_is_an_arrow_and_said():
    x, y = Axis("x", limits=(0.0, 10.0)), Axis("y", limits=(0.0, 10.0))
    cut = Series("a", [2.0, 5.0, 8.0], [2.0, 5.0, 8.0], [-5.0, 4.0, 7.0], [3.0, 6.0, 20.0], style="points")
    scene = scene_of(Curves("agreement", "Title", x, y, [cut]))
    assert "2 lines go on beyond the axis, as an arrow says." in {one.words for one in texts_of(scene.items)}
    arrows = [line for one in strokes(scene.items) for line in one.lines if len(line) == 3]
    assert len(arrows) == 2 and {down > tip for (_, down), (_, tip), _ in arrows} == {True, False}
    whole = scene_of(Curves("agreement", "Title", x, y, [replace(cut, low=[1.0, 4.0, 7.0], high=[3.0, 6.0, 9.0])]))
    assert not [line for one in strokes(whole.items) for line in one.lines if len(line) == 3]
    assert not any("beyond" in one.words for one in texts_of(whole.items))


def test_an_interval_of_a_bar_beyond_the_axis_is_drawn_to_its_edge():
    """Of the examples, the intervals of the last four values end beyond 8."""
    dots = TYPICAL["dots"]
    heads = [one.lines for one in strokes(scene_of(dots).items) if [len(line) for line in one.lines] == [2, 3, 3]]
    drawn = [value for value in dots.values if value <= 8]
    assert len(heads) == len(drawn)
    ends = [lines[0][1][0] for lines in heads]
    arrows = [lines[2][0][0] != lines[2][1][0] for lines in heads]
    assert arrows == [high > 8 for high, _ in zip(dots.high, drawn, strict=False)] and any(arrows)
    assert {end for end, arrow in zip(ends, arrows, strict=True) if arrow} == {max(ends)}
