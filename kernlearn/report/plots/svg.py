"""Pictures as inline SVG: text stays text, and colours follow the page. The same picture gives the same bytes."""

from collections.abc import Sequence
from hashlib import sha256

from kernlearn.report.pictures import ORIGIN
from kernlearn.report.plots.layout.pictures import scene_of, sheet_of
from kernlearn.report.plots.layout.scene import MARGIN, Item, Point, Scene, Stroke, Symbols, Text, outline, printable
from kernlearn.report.plots.picture import Picture

#: Colours of series that people with colour vision deficiencies can tell apart; source: Okabe and Ito (2008), Color
#: universal design. Number 0 is the colour of the text. Yellow is left out: it is not visible on white.
COLORS = ("currentColor", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: Characters of a name that is shown when the pointer is over an item, and of the description.
_NAME, _WORDS = 200, 2000
#: Colours of a file of its own, which is shown on light and on dark pages.
_STYLE = (
    "<style>svg{color:#1b1b1b;background:#fff;font-family:system-ui,sans-serif}"
    "@media screen and (prefers-color-scheme:dark){svg{color:#e8e8e8;background:#16181c}}</style>"
)


def svg(picture: Picture) -> str:
    """Return a picture as an SVG element for a page of HTML.

    It is as wide as its place in the page, which should be about as wide as a column of text. Texts and axes have the
    colour of the page's text, and the font of the page. A screen reader reads the title and the words of the picture.
    The element has the class ``picture``, and series the classes ``color1``, ``color2``, ... There are no style sheets
    and no attributes of style, so that a page may forbid them.

    Parameters
    ----------
    picture : Curves, Bars or Grid
        Names, titles and words may be anybody's: they are escaped, and shortened if they do not fit. The words are
        not shown, so that a page can show them below.
    """
    return _element_of(scene_of(picture), "")


def figure(picture: Picture) -> str:
    """Return a picture as a figure of HTML with its words as the caption; see `svg`."""
    words = escape(printable(picture.words, _WORDS))
    return f"<figure>{svg(picture)}{f'<figcaption>{words}</figcaption>' if words else ''}</figure>"


def svg_file(pictures: Sequence[Picture]) -> str:
    """Return pictures on one sheet as an SVG file, each with its words; it suits light and dark viewers."""
    sheet = sheet_of(pictures)
    parts = [
        _element_of(
            scene,
            f' x="{_short(x)}" y="{_short(y)}" width="{_short(scene.width + 2 * MARGIN)}"'
            f' height="{_short(scene.height + 2 * MARGIN)}"',
        )
        for scene, (x, y) in zip(sheet.scenes, sheet.corners, strict=True)
    ]
    width, height = _short(sheet.width), _short(sheet.height)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><!-- {ORIGIN} -->{_STYLE}{"".join(parts)}</svg>\n'


def _element_of(scene: Scene, place: str) -> str:
    content = "".join(_element(item) for item in scene.items)
    title, words = escape(printable(scene.title, _NAME)), escape(printable(scene.words, _WORDS))
    key = sha256(f"{title}{words}{content}".encode()).hexdigest()[:10]
    labels = f"t{key} d{key}" if words else f"t{key}"
    described = f'<desc id="d{key}">{words}</desc>' if words else ""
    view = " ".join(map(_short, (-MARGIN, -MARGIN, scene.width + 2 * MARGIN, scene.height + 2 * MARGIN)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{place} viewBox="{view}" class="picture {scene.kind}"'
        f' role="img" aria-labelledby="{labels}" fill="none" stroke-linejoin="round">'
        f'<title id="t{key}">{title}</title>{described}{content}</svg>'
    )


def escape(words: str) -> str:
    """Return a printable text for SVG."""
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return words.replace('"', "&quot;").replace("'", "&#39;")


def _element(item: Item) -> str:
    if isinstance(item, Text):
        return _text(item)
    if isinstance(item, Stroke):
        return _stroke(item)
    if isinstance(item, Symbols):
        return _symbols(item)
    inner = "".join(_element(one) for one in item.items)
    name = escape(printable(item.name, _NAME))
    return f"<g>{f'<title>{name}</title>' if name else ''}{inner}</g>" if inner else ""


def _text(text: Text) -> str:
    place = f'x="{_short(text.x)}" y="{_short(text.y)}"'
    if text.turned:
        place = f'transform="translate({_short(text.x)} {_short(text.y)}) rotate(-90)"'
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    bold = ' font-weight="600"' if text.bold else ""
    whole = f"<title>{escape(printable(text.whole, _NAME))}</title>" if text.whole else ""
    words = escape(text.words)
    return f'<text {place} font-size="{_short(text.size)}"{anchor}{bold} fill="currentColor">{whole}{words}</text>'


def _stroke(stroke: Stroke) -> str:
    lines = "".join(
        f"M{_points(line)}" + ("Z" if stroke.fill and not stroke.width else "") for line in stroke.lines if line
    )
    if not lines:
        return ""
    drawn = f'{_class(stroke.color)} d="{lines}"'
    if stroke.fill or not stroke.width:
        return f'<path {drawn} fill="{COLORS[stroke.color]}" fill-opacity="{_short(stroke.fill, 3)}"/>'
    dash = f' stroke-dasharray="{" ".join(map(_short, stroke.dash))}"' if stroke.dash else ""
    opacity = f' stroke-opacity="{_short(stroke.opacity, 3)}"' if stroke.opacity < 1 else ""
    return f'<path {drawn} stroke="{COLORS[stroke.color]}" stroke-width="{_short(stroke.width)}"{dash}{opacity}/>'


def _symbols(symbols: Symbols) -> str:
    color, opacity = COLORS[symbols.color], f' opacity="{_short(symbols.opacity, 3)}"' if symbols.opacity < 1 else ""
    if symbols.shape < 0:
        rings = "".join(
            f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(symbols.size / 2)}"/>' for x, y in symbols.points
        )
        return f'<g stroke="{color}" stroke-width="2"{opacity}>{rings}</g>'
    if symbols.shape == 0:  # lines without length, whose round ends are circles
        places = "".join(f"M{_points([place])}h0" for place in symbols.points)
        width = f'stroke-width="{_short(symbols.size)}" stroke-linecap="round"'
        return f'<path {_class(symbols.color)} d="{places}" stroke="{color}" {width}{opacity}/>'
    corners = outline(symbols.shape, symbols.size)
    places = "".join(f"M{_points([(x + a, y + b) for a, b in corners])}Z" for x, y in symbols.points)
    return f'<path {_class(symbols.color)} d="{places}" fill="{color}"{opacity}/>'


def _class(color: int) -> str:
    return f'class="color{color}"' if color else 'class="ink"'


def _points(points: Sequence[Point]) -> str:
    return "L".join(f"{_short(x)} {_short(y)}" for x, y in points)


def _short(value: float, digits: int = 1) -> str:
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    return "0" if text in ("-0", "") else text
