"""Pictures as SVG: well-formed, the same every time, safe, and readable without colours."""

import re
from unicodedata import category
from xml.etree import ElementTree

import pytest

from kernlearn.report.plots.picture import Axis, Curves, Series
from kernlearn.report.plots.svg import COLORS, svg, svg_file
from tests.report.plots.examples import ALL, TYPICAL, UNTRUSTED, UNUSUAL

SVG = "{http://www.w3.org/2000/svg}"
#: The elements that a picture consists of: none of them runs or loads anything.
ELEMENTS = {"svg", "title", "desc", "g", "path", "circle", "text"}
#: Their attributes.
ATTRIBUTES = {
    *("viewBox", "class", "role", "aria-labelledby", "id", "fill", "fill-opacity", "stroke", "stroke-width", "d"),
    *("stroke-dasharray", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "opacity", "cx", "cy", "r", "x", "y"),
    *("font-size", "font-weight", "text-anchor", "transform"),
}


@pytest.mark.parametrize("name", ALL)
def test_a_picture_is_the_same_well_formed_element_every_time(name):
    text = svg(ALL[name])
    assert text == svg(ALL[name])
    root = ElementTree.fromstring(text)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ELEMENTS and set(element.attrib) <= ATTRIBUTES
    assert "nan" not in re.sub(r">[^<]*<", "><", text) and "inf" not in re.sub(r">[^<]*<", "><", text)
    assert not {category(character) for character in text} & {"Cc", "Cs", "Cn"} and len(text) < 300_000


@pytest.mark.parametrize("name", ALL)
def test_everything_is_within_the_picture(name):
    root = ElementTree.fromstring(svg(ALL[name]))
    left, top, width, height = map(float, root.get("viewBox").split())
    for path in root.iter(f"{SVG}path"):
        for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.get("d")):
            assert left <= float(x) <= left + width and top <= float(y) <= top + height


@pytest.mark.parametrize("name", TYPICAL)
def test_a_screen_reader_reads_title_and_words(name):
    picture = TYPICAL[name]
    root = ElementTree.fromstring(svg(picture))
    by_id = {element.get("id"): element.text for element in root.iter() if element.get("id")}
    read = [by_id[key] for key in root.get("aria-labelledby").split()]
    assert root.get("role") == "img" and read == [picture.title, *([picture.words] if picture.words else [])]


@pytest.mark.parametrize("name", UNTRUSTED)
def test_names_are_shown_and_run_nothing(name):
    text = svg(UNTRUSTED[name])
    assert "<script" not in text and "\x1b" not in text and "\u202e" not in text
    if name.endswith("quotes"):
        assert "a\"b'c&d</text>" in {element.text for element in ElementTree.fromstring(text).iter()}


def test_a_file_has_the_words_of_all_its_pictures_and_no_network_address():
    root = ElementTree.fromstring(svg_file([TYPICAL["several"], TYPICAL["bars"]]).encode())
    inner = [element for element in root if element.tag == f"{SVG}svg"]
    assert [element.get("role") for element in inner] == ["img", "img"]
    assert all(any(text.text == "Words." for text in one.iter(f"{SVG}text")) for one in inner)
    for place, size in (("x", "width"), ("y", "height")):
        end = max(float(one.get(place)) + float(one.get(size)) for one in inner)
        assert end == pytest.approx(float(root.get(size)), abs=0.2)
    assert float(inner[1].get("x")) + float(inner[1].get("y")) > 0
    assert "http" not in svg_file([TYPICAL["bars"]]).replace("http://www.w3.org/2000/svg", "")


def test_series_differ_by_more_than_their_colour():
    series = [Series(str(k), [0.0, 1.0, 2.0], [k, k + 1.0, k], style="line and points") for k in range(7)]
    root = ElementTree.fromstring(svg(Curves("path", "", Axis("x"), Axis("y"), series)))
    lines = [path for path in root.iter(f"{SVG}path") if (path.get("class") or "").startswith("color")]
    dashes = [path.get("stroke-dasharray") for path in lines if path.get("fill") is None and "h0" not in path.get("d")]
    assert len(set(dashes)) == 7  # with and without legend every pattern occurs twice
    assert len(dashes) == 14


def luminance(color):
    """Return the relative luminance of a colour, as WCAG 2.2 defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("color", COLORS[1:4])
def test_the_first_colours_have_contrast_on_light_and_dark_pages(color):
    assert contrast(color, "#ffffff") >= 3.0 and contrast(color, "#16181c") >= 3.0


def test_numbers_in_shaded_fields_have_contrast_on_light_and_dark_pages():
    root = ElementTree.fromstring(svg(TYPICAL["confusion"]))
    darkest = max(float(path.get("fill-opacity")) for path in root.iter(f"{SVG}path") if path.get("fill-opacity"))
    for page, ink in (("#ffffff", "#1b1b1b"), ("#16181c", "#e8e8e8")):
        parts = [int(c[i : i + 2], 16) for c in (COLORS[1], page) for i in (1, 3, 5)]
        mixed = [round(darkest * a + (1 - darkest) * b) for a, b in zip(parts[:3], parts[3:], strict=True)]
        assert contrast(ink, "#" + "".join(f"{part:02x}" for part in mixed)) >= 4.5


@pytest.mark.parametrize("name", ["all NaN", "nothing", "no series", "no bars", "empty grid", "grid of NaN"])
def test_an_empty_picture_says_that_it_is_empty(name):
    assert "There are no values to show." in svg(UNUSUAL[name])


def test_what_is_not_drawn_is_said():
    assert "940 more are not drawn, with values from 0.001 to 0.0164." in svg(UNUSUAL["1,000 bars"])
    assert "2 values are 0 or negative and not on the logarithmic axis." in svg(UNUSUAL["zero on a logarithmic axis"])
    assert "Each field is the mean of 7 x 7 values." in svg(UNUSUAL["700 classes"])
    assert "selected (not on the axes)" in svg(UNUSUAL["mark elsewhere"])
    assert "and 1 more" not in svg(TYPICAL["several"])
