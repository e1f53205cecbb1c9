"""A page of HTML as its tests see it: elements, texts, ids and addresses."""

from html.parser import HTMLParser

#: Elements without an end tag, and those whose end tag may be left out.
VOID = {"meta", "input", "br", "wbr", "img", "link", "hr"}
OPTIONAL = {"tr", "td", "th", "thead", "tbody", "li", "dt", "dd", "p"}
#: Attributes that load or lead somewhere.
ADDRESSES = {"src", "href", "xlink:href", "action", "formaction", "data", "poster", "srcset", "ping"}


class Page(HTMLParser):
    """What a page consists of.

    Attributes
    ----------
    elements : list of (name, attributes)
    text : str
        All text outside of style and script.
    style, script : str
    """

    def __init__(self, content):
        super().__init__()
        self.elements, self.text, self.style, self.script = [], "", "", ""
        self._open = []
        self.feed(content.decode())
        self.close()
        assert not set(self._open) - OPTIONAL, f"never closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute is given twice: {attrs}"
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self._open[-1] != tag:
            assert self._open.pop() in OPTIONAL, f"</{tag}> closes nothing"
        self._open.pop()

    def handle_data(self, data):
        inside = self._open[-1] if self._open else ""
        if inside in ("style", "script"):
            setattr(self, inside, getattr(self, inside) + data)
        else:
            self.text += data

    def all(self, attribute):
        """Return the values of an attribute."""
        return [attributes[attribute] for _, attributes in self.elements if attribute in attributes]

    @property
    def addresses(self):
        """What elements load, or lead to."""
        return [value for _, attributes in self.elements for name, value in attributes.items() if name in ADDRESSES]

    @property
    def headings(self):
        """The levels of the headings."""
        return [int(tag[1]) for tag, _ in self.elements if tag in ("h1", "h2", "h3", "h4", "h5", "h6")]


def check(content):
    """Return a page after the checks that every page has to pass."""
    from base64 import b64encode
    from hashlib import sha256

    from kernlearn.report.pages.page import LARGEST

    page = Page(content)
    assert len(content) <= LARGEST
    names = [tag for tag, _ in page.elements]
    assert [names.count(tag) for tag in ("script", "style", "title", "h1", "main", "html")].count(1) >= 5
    assert names.count("script") == names.count("style") == names.count("h1") == names.count("main") == 1
    assert not {"iframe", "object", "embed", "form", "base", "link", "img", "foreignobject"} & set(names)
    assert not [
        name for _, attributes in page.elements for name in attributes if name.startswith("on") or name == "style"
    ]
    (policy,) = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    for kind, text in (("style", page.style), ("script", page.script)):
        assert f"{kind}-src 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert "url(" not in page.style and "@import" not in page.style and "http" not in page.style + page.script
    ids = page.all("id")
    assert len(ids) == len(set(ids))
    for address in page.addresses:
        assert address.startswith(("#", "data:image/png;")) or not {":", "\\"} & set(address), address
        assert not address.startswith("/")
        assert not address.startswith("#") or address[1:] in ids, address
    for label in page.all("aria-labelledby"):
        assert set(label.split()) <= set(ids)
    levels = page.headings
    assert levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False)), levels
    (html,) = [attributes for tag, attributes in page.elements if tag == "html"]
    assert html["lang"] == "en"
    return page
