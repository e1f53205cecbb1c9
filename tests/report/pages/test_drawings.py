"""Drawings in a page: shapes and texts stay, and nothing that runs, loads or styles."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kernlearn.errors import UserError
from kernlearn.report.pages.drawings import inline

RESULTS = Path(__file__).parents[3] / "results"
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10"'


def drawn(content, head=HEAD):
    return inline(f"{head}>{content}</svg>".encode(), "p-", "title")


@pytest.mark.parametrize(
    "content",
    [
        "<script>alert(1)</script>",
        "<style>*{fill:url(http://a)}</style>",
        "<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><img src='http://a'/></body></foreignObject>",
        "<animate attributeName='href' values='javascript:alert(1)'/>",
        "<set attributeName='onload' to='alert(1)'/>",
        "<a xlink:href='javascript:alert(1)'/>",
        "<metadata>alert(1)</metadata>",
        "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
        "<!-- alert(1) -->",
    ],
)
def test_elements_that_are_no_shapes_are_left_out(content):
    assert drawn(content) == drawn("")


@pytest.mark.parametrize(
    "attributes",
    [
        "onload='alert(1)'",
        "xlink:href='http://a'",
        "href='javascript:alert(1)'",
        "href='data:image/svg+xml,x'",
        "xlink:href='file.svg#x'",
        "fill='url(http://a#b)'",
        "style='fill: url(http://a)'",
        "style='background: url(http://a); behavior: x'",
        "filter='url(#p)'",
        "class='short'",
        "tabindex='0'",
    ],
)
def test_attributes_that_run_or_load_are_left_out(attributes):
    assert drawn(f"<path d='M0 0' {attributes}/>") == drawn("<path d='M0 0'/>")


def test_ids_and_references_begin_with_the_prefix_and_styles_become_attributes():
    found = drawn(
        '<defs><path id="m" d="M 0 0&#10;L 1 1" style="fill: #0072b2; stroke-width: 2"/>'
        '<clipPath id="c"><rect/></clipPath></defs>'
        '<use xlink:href="#m" clip-path="url(#c)"/><text>a &lt; b<tspan>c</tspan> &amp;d</text>'
    )
    assert '<path fill="#0072b2" stroke-width="2" id="p-m" d="M 0 0 L 1 1"/>' in found
    assert '<clipPath id="p-c"><rect/></clipPath>' in found
    assert '<use href="#p-m" clip-path="url(#p-c)"/>' in found
    assert "<text>a &lt; b<tspan>c</tspan> &amp;d</text>" in found


def test_texts_of_attributes_are_escaped():
    found = drawn("<path d='\"&gt;&lt;script&gt;'/>")
    assert found == drawn("").replace("</svg>", '<path d="&quot;&gt;&lt;script&gt;"/></svg>')
    assert 'aria-label="&quot;&lt;"' in inline(f"{HEAD}/>".encode(), "p-", '"<')


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not an SVG file"),
        (b"\x89PNG", "not an SVG file"),
        (b"<html/>", "not an SVG file"),
        (b"<svg/>", "not an SVG file"),
        (f"{HEAD.replace('0 0 10 10', 'a')}/>".encode(), "no view box"),
        (f"{HEAD.replace('0 0 10 10', '0 0 0 nan')}/>".encode(), "no view box"),
        (b'<!DOCTYPE s [<!ENTITY a "x">]>' + f"{HEAD}/>".encode(), "entities"),
        (f"{HEAD}>{'<g>' * 1000}{'</g>' * 1000}</svg>".encode(), "levels"),
        (f"{HEAD}>{'<g/>' * 100_001}</svg>".encode(), "elements"),
    ],
)
def test_what_is_no_drawing_is_refused(content, words):
    with pytest.raises(UserError, match=words):
        inline(content, "p-", "title")


@pytest.mark.parametrize(
    "path", [pytest.param(p, marks=pytest.mark.sampled(5)) for p in sorted(RESULTS.glob("*/*.svg"))]
)
def test_kept_drawings_keep_all_their_shapes(path):
    found = ElementTree.fromstring(inline(path.read_bytes(), "p-", "title"))
    kept = ElementTree.parse(path).getroot()
    for name in ("path", "use", "rect", "image", "text"):
        assert sum(1 for _ in found.iter(name)) == sum(1 for _ in kept.iter(f"{{http://www.w3.org/2000/svg}}{name}"))
    ids = {one.get("id") for one in found.iter() if one.get("id")}
    assert {one.get("href")[1:] for one in found.iter("use")} <= ids
    assert set(re.findall(r"url\(#([^)]*)\)", path.read_text())) == {
        i[2:]
        for i in ids & {m for one in found.iter() for m in re.findall(r"url\(#([^)]*)\)", one.get("clip-path") or "")}
    }
