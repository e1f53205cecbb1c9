"""Every block of Python in the README and in the pages runs as it stands."""

import re

import pytest

from tests.docs.pages import ROOT, blocks, documents

RUN = [
    pytest.param(block.text, id=f"{page.stem}-{k}", marks=() if page.stem == "README" else pytest.mark.slow)
    for page in documents()
    for k, block in enumerate(blocks(page))
    if block.language == "python" and not block.file
]


def test_there_are_some():
    assert len(RUN) >= 5


@pytest.mark.parametrize("text", RUN)
def test_a_block_runs(text, capsys):
    exec(compile(text, "block", "exec"), {"__name__": "block"})
    assert capsys.readouterr().out


@pytest.mark.slow
def test_the_output_of_the_first_certificates_is_what_the_page_shows(capsys):
    """The words to the letter, and the numbers to a hundredth of them."""
    code, shown = blocks(ROOT / "docs" / "certify.md")[:2]
    assert (code.language, shown.language) == ("python", "text")
    exec(compile(code.text, "block", "exec"), {"__name__": "block"})
    number = r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]\d+)?"
    printed = capsys.readouterr().out
    assert re.sub(number, "#", printed) == re.sub(number, "#", shown.text)
    printed, shown = ([float(word) for word in re.findall(number, text)] for text in (printed, shown.text))
    assert printed == pytest.approx(shown, rel=1e-2)
