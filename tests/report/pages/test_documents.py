"""Documents in Markdown: HTML in them is text, links lead to pages or nowhere, and drawings stand in their place."""

from pathlib import Path

import pytest

from kernlearn.errors import UserError
from kernlearn.report.pages.documents import html_of, read_document, read_notes

RESULTS = Path(__file__).parents[3] / "results"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<script>a</script>", "<p>&lt;script&gt;a&lt;/script&gt;</p>\n"),
        ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        ("[a](http://a/b)", "<p>a</p>\n"),
        ("<http://a/b>", "<p>http://a/b</p>\n"),
        ("[a](table1.md) [b](table2.md)", '<p><a href="table1.html">a</a> b</p>\n'),
        ("![a](x.svg) ![b](http://a/b.png)", "<p><svg/> </p>\n"),
        ("# a\n## b\n### c\n###### d", "<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>\n<h6>d</h6>\n"),
        ("**a** `<b>` \\<c>", "<p><strong>a</strong> <code>&lt;b&gt;</code> &lt;c&gt;</p>\n"),
    ],
)
def test_markdown_as_html(text, expected):
    assert str(html_of(text, 3, {"table1.md": "table1.html"}, {"x.svg": "<svg/>"})) == expected


def test_tables_are_boxes_and_their_numbers_are_aligned():
    text = '## "A"\n\n| a | b | c |\n|---|---|---|\n| x | 1.5 | 2 % |\n| y | -3e-7 | no |\n'
    html = str(html_of(text, 2, {}))
    assert 'role="group" aria-label="&#34;A&#34;"><table class="sheet n2">' in html
    assert '<th class="n">b</th>' in html and "<th>c</th>" in html and "</table></div>" in html


def test_notes_begin_with_what_they_say_in_short():
    notes = read_notes(RESULTS / "vkr2015", 2, {})
    assert "The level reproduces, the story of the errors does not." in notes.short
    assert "<h2>How to read the numbers</h2>" in notes.rest and "In short" not in notes.short + notes.rest
    assert read_notes(RESULTS, 2, {}) is None


def test_the_kept_reports_have_their_titles_and_drawings():
    title, content = read_document(RESULTS / "growth/growth.md")
    assert title == "Time and memory against the number of examples" and content.count("<svg ") == 1
    assert "<h1>" not in content


def test_files_that_are_no_documents_are_refused(tmp_path):
    (tmp_path / "NOTES.md").write_bytes(b"\xff")
    with pytest.raises(UserError, match="is no text"):
        read_notes(tmp_path, 2, {})
    (tmp_path / "NOTES.md").write_bytes(b"a" * 1_000_001)
    with pytest.raises(UserError, match="too many for a page"):
        read_notes(tmp_path, 2, {})
