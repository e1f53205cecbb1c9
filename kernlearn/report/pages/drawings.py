"""Drawings in a page: an SVG file with its shapes and nothing else, whoever wrote it.

Only the elements and attributes below are kept. No script, style sheet, link, font or external file is among them, so
that a drawing can neither run anything nor change the page around it. Style attributes become presentation attributes,
because the page's Content-Security-Policy forbids style attributes.
"""

import re
from collections.abc import Iterator, Mapping
from html import escape
from math import isfinite
from xml.etree import ElementTree

from kernlearn.errors import UserError

#: Namespaces of SVG and of links in it.
SVG, XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
#: The elements that are kept.
ELEMENTS = frozenset(
    "circle clipPath defs ellipse g image line linearGradient path polygon polyline rect stop svg text title tspan "
    "use".split()
)
#: Presentation attributes, which a style attribute may also have.
PRESENTATION = frozenset(
    "clip-path clip-rule color dominant-baseline fill fill-opacity fill-rule font-family font-size font-style "
    "font-weight opacity stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap "
    "stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor visibility".split()
)
#: The attributes that are kept, beside those of links.
ATTRIBUTES = PRESENTATION | frozenset(
    "clipPathUnits cx cy d dx dy gradientTransform gradientUnits height id offset points preserveAspectRatio r rx ry "
    "transform viewBox width x x1 x2 y y1 y2".split()
)
#: A picture inside of a drawing, such as a field of colours.
INLINE_IMAGE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=\s]*")
#: A reference to an element of the same drawing.
REFERENCE = re.compile(r"url\(\s*['\"]?#([^)'\"\s]+)['\"]?\s*\)")
#: Drawings of more elements are refused, because a page with them could not be scrolled; so are those nested deeper.
MOST_ELEMENTS, DEEPEST = 100_000, 64


def inline(drawing: bytes, prefix: str, title: str) -> str:
    """Return a drawing as an element of a page.

    Parameters
    ----------
    drawing : bytes
        An SVG file.
    prefix : str
        The beginning of its ids, unique in the page.
    title : str
        What it shows, for those who cannot see it.

    Raises
    ------
    UserError
        If it is not an SVG file, or has too many elements or levels.
    """
    if b"<!ENTITY" in drawing:
        raise UserError("the drawing declares entities")
    try:
        root = ElementTree.fromstring(drawing)
    except ElementTree.ParseError as error:
        raise UserError(f"the drawing is not an SVG file ({error})") from None
    if root.tag != f"{SVG}svg":
        raise UserError("the drawing is not an SVG file")
    if sum(1 for _ in root.iter()) > MOST_ELEMENTS or _depth(root) > DEEPEST:
        raise UserError(f"the drawing has more than {MOST_ELEMENTS} elements, or more than {DEEPEST} levels")
    view = _view_box(root)
    head = f'<svg viewBox="{view}" role="img" aria-label="{escape(title)}" stroke-linejoin="round">'
    return head + "".join(_content(root, prefix)) + "</svg>"


def _depth(root: ElementTree.Element) -> int:
    """Return the number of levels of a drawing, without recursion."""
    level, depth = [root], 0
    while level:
        level, depth = [child for parent in level for child in parent], depth + 1
    return depth


def _view_box(root: ElementTree.Element) -> str:
    """Return the view box, which decides how large the drawing is; the page decides how large it is shown."""
    try:
        numbers = [float(number) for number in root.get("viewBox", "").replace(",", " ").split()]
    except ValueError:
        numbers = []
    if len(numbers) != 4 or not all(map(isfinite, numbers)) or min(numbers[2:]) <= 0:
        raise UserError("the drawing has no view box")
    return " ".join(f"{number:g}" for number in numbers)


def _content(parent: ElementTree.Element, prefix: str) -> Iterator[str]:
    """Yield text and elements of an element as HTML."""
    if parent.tag in (f"{SVG}text", f"{SVG}tspan", f"{SVG}title"):
        yield escape(parent.text or "", quote=False)
    for child in parent:
        name = child.tag.removeprefix(SVG) if isinstance(child.tag, str) else ""
        if name in ELEMENTS:
            attributes = "".join(f' {key}="{escape(value)}"' for key, value in _attributes(child, prefix).items())
            content = "".join(_content(child, prefix))
            yield f"<{name}{attributes}>{content}</{name}>" if content else f"<{name}{attributes}/>"
        if parent.tag in (f"{SVG}text", f"{SVG}tspan"):
            yield escape(child.tail or "", quote=False)


def _attributes(element: ElementTree.Element, prefix: str) -> Mapping[str, str]:
    """Return the attributes that are kept, with ids and references that begin with the prefix."""
    attributes: dict[str, str] = {}
    for declaration in element.get("style", "").split(";"):
        key, _, value = declaration.partition(":")
        if key.strip() in PRESENTATION:
            attributes[key.strip()] = value
    for key, value in element.attrib.items():
        if key in ("href", f"{XLINK}href"):
            if value.startswith("#"):
                attributes["href"] = f"#{prefix}{value[1:]}"
            elif element.tag == f"{SVG}image" and INLINE_IMAGE.fullmatch(value):
                attributes["href"] = value
        elif key in ATTRIBUTES:
            attributes.setdefault(key, value)
    if "id" in attributes:
        attributes["id"] = prefix + attributes["id"]
    return {key: safe for key, text in attributes.items() if (safe := _value(text, prefix)) is not None}


def _value(text: str, prefix: str) -> str | None:
    """Return the value of an attribute with blanks in the place of line ends; None if it refers to another file."""
    words = " ".join(text.split())
    if "url(" not in words.lower():
        return words
    reference = REFERENCE.fullmatch(words)
    return f"url(#{prefix}{reference[1]})" if reference else None
