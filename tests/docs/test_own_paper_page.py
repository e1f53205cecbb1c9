"""The page on papers of one's own: its files are written, its commands run and print what it shows."""

import re
import shlex
import subprocess
import sys

import pytest

from kernlearn.cli.main import main
from kernlearn.evaluation import METRICS
from kernlearn.papers.core import axes, descriptions
from kernlearn.papers.language import reader
from kernlearn.papers.language.functions import USAGE
from kernlearn.papers.own import files, schema
from kernlearn.papers.own.schema import CHANGEABLE
from tests.docs.pages import ROOT, blocks

PAGE = ROOT / "docs" / "own_paper.md"
BLOCKS = blocks(PAGE)
#: Those before the examples, which need data that do not come with kernlearn.
STEPS = BLOCKS[:-1]
TEXT = PAGE.read_text(encoding="utf-8")


def test_every_shown_output_follows_a_command():
    languages = [block.language for block in STEPS if not block.file]
    first = ["console", "text", "console", "console", "text", "console", "text", "text", "console"]
    assert languages == [*first, "console", "text"]


@pytest.mark.slow
def test_a_table_goes_from_print_to_verdict(tmp_path, capsys):
    output = ""
    for block in STEPS:
        if block.file:
            (tmp_path / block.file).write_text(block.content, encoding="utf-8")
        elif block.language == "console":
            words = shlex.split(block.text)
            if words[0] == "python":
                subprocess.run([sys.executable, *words[1:]], check=True)
                continue
            assert main(words[1:]) == 0
            output = capsys.readouterr().out
        else:
            assert block.text in output
    assert (tmp_path / "results" / "my_paper" / "table1.md").is_file()


def test_the_page_has_every_key_function_and_metric():
    for needed, others in (
        *(descriptions.KEYS, descriptions.ROW_KEYS, descriptions.COLUMN_KEYS),
        *(descriptions.METRIC_KEYS, descriptions.CLAIM_KEYS, descriptions.SOURCE_KEYS),
        *(axes.AXIS_KEYS, axes.ALTERNATIVE_KEYS),
    ):
        row = f"| {', '.join(f'`{key}`' for key in needed)} ".replace("|  ", "| ")
        assert row in TEXT and all(f"`{key}`" in TEXT for key in others)
    assert all(re.search(rf"`{key}`", TEXT) for key in CHANGEABLE)
    assert all(f"{name}(" in TEXT for name in USAGE)
    shown = TEXT.partition("- The metrics are ")[2].partition("\n- ")[0]
    assert set(re.findall(r"`(\w+)`", shown)) == METRICS.keys() - {"expected_error_pct", "log_loss"}


def test_the_limits_are_those_of_the_security_model():
    text = " ".join((ROOT / "docs" / "security.md").read_text().split())
    parts = (
        f"{files.LARGEST_DESCRIPTION // 1024} kB, 20 levels and {schema.MOST_EXPERIMENTS:,} experiments in a desc",
        f"{schema.LONGEST:,} characters in a text of it and {reader.LONGEST:,} in the condition of a claim",
        f"{files.LARGEST_PRINTED // 2**20} MB and {files.MOST_PRINTED:,} rows of printed values",
    )
    assert [part for part in parts if part not in text] == []
