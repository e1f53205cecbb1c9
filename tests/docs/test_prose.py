"""README, pages, benchmarks and notes on results are in plain sentences, by ``scripts/tools/prose.py``."""

import runpy

import pytest

from tests.docs.pages import ROOT

PROSE = runpy.run_path(str(ROOT / "scripts" / "tools" / "prose.py"))


@pytest.mark.parametrize("page", PROSE["pages"](), ids=lambda page: f"{page.parent.name}-{page.stem}")
def test_a_page_is_plain(page):
    result = PROSE["of_markdown"](page)
    assert result.share <= PROSE["MOST_LONG"], result.long
    assert not result.dialect


def test_notes_and_benchmarks_are_among_the_pages():
    names = {str(page.relative_to(ROOT)) for page in PROSE["pages"]()}
    works = ("localrad2013", "mkl2010", "rmm2010", "uml2014", "vkr2015")
    assert {"README.md", "scripts/README.md", *(f"results/{work}/NOTES.md" for work in works)} <= names


def test_what_is_counted():
    text = (
        "# A heading that counts for nothing\n\n```\ncode in blocks. Is no prose.\n```\n\n"
        "One sentence, with `code. and more` in it. Another [one](of/a/link.md), e.g. this.\n- an item\n\n"
        "| a | a cell of more than eight words is one sentence, too |\n"
    )
    sentences = [one for block in PROSE["blocks_of_markdown"](text) for one in PROSE["sentences"](block)]
    assert len(sentences) == 4


def test_long_sentences_and_dialect_are_found():
    result = PROSE["count"](
        iter([f"This is {'very ' * 30}long. It is told, as `found` says; `streamed=true` is a key."])
    )
    assert len(result.sentences) == 2 and len(result.long) == 1 and result.share == 50.0
    assert result.words == {"told": 1, "found": 1} and not result.passes


def test_docstrings_and_messages_are_counted(tmp_path):
    path = tmp_path / "module.py"
    path.write_text('"""One line. Two."""\n\n\ndef f(x):\n    """Do it."""\n    raise ValueError(f"x={x}: is bad")\n')
    blocks = [block for text in PROSE["docstrings"](path) for block in PROSE["blocks_of_docstring"](text)]
    assert [len(PROSE["sentences"](block)) for block in blocks] == [2, 1]
    assert list(PROSE["messages"](path)) == ["x=`value`: is bad"]
