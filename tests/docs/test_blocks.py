"""Every block of Python in the README and in the pages runs as it stands."""

import pytest

from tests.docs.pages import blocks, documents

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
