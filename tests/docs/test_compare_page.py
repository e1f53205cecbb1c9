"""The commands of the page on comparisons print what the page shows, but for times."""

import re
import shlex

import pytest

from kernlearn.cli.main import main
from tests.docs.pages import ROOT, blocks

PAGE = blocks(ROOT / "docs" / "compare.md")
#: A command on a bundled data set, and the block after it.
SHOWN = [
    (block.text.strip(), after.text)
    for block, after in zip(PAGE, PAGE[1:], strict=False)
    if block.language == "console" and "my.csv" not in block.text
]
#: The rows of methods whose numbers depend on kernlearn alone, and not on the version of scikit-learn.
OURS = re.compile(r"^\d+ +(nearest_mean|l2_svm|alignf|adaboost|klda|majority class)\*? ")


def lines_of(text):
    """Return the lines of a text that neither times nor other versions of scikit-learn change."""
    found = []
    runs, _, ranks = f"\n{text}".partition("\nmethod ")
    found += [
        re.split(" {2,}", line)[0] for line in ranks.splitlines()
    ]  # of mean ranks, which depend on all, the names
    for line in filter(None, runs.splitlines()):
        if OURS.match(line):
            found.append(" ".join(line.split()[1:7]))  # without the rank, which depends on the others
        elif not re.match(r"\d|cells|result|note", line):
            found.append(line)
    return found


def test_there_are_some():
    assert len(SHOWN) == 2


@pytest.mark.slow
@pytest.mark.parametrize("command, shown", SHOWN)
def test_a_command_prints_what_the_page_shows(command, shown, capsys):
    words = shlex.split(command)
    assert words[:2] == ["kernlearn", "compare"]
    assert main([*words[1:], "results_dir=results"]) == 0
    printed = set(lines_of(capsys.readouterr().out))
    assert [line for line in lines_of(shown) if line not in printed] == []
