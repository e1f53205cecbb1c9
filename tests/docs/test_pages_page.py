"""The commands of the page on pages run, and write what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kernlearn.cli.results.report import make_parser
from kernlearn.report.pages.page import LARGEST, LONGEST, is_page
from tests.docs.pages import ROOT, blocks
from tests.report.pages.parsed import check

PAGE = ROOT / "docs" / "pages.md"
(COMMANDS,) = blocks(PAGE)
SCRIPT = ROOT / "kernlearn/report/pages/page.js"


def test_the_page_states_the_limits_of_the_code():
    text = " ".join(PAGE.read_text().split())
    assert f"at most {LARGEST // 1_000_000} MB" in text and f"first {LONGEST:,} characters" in text
    fewest = re.search(r"FEW = (\d+)", SCRIPT.read_text())[1]
    assert f"at least {fewest} rows have a filter" in text
    for option in re.findall(r"`(--[a-z-]+)", text):
        assert option in make_parser()._option_string_actions


@pytest.mark.slow
def test_the_commands_write_the_pages(tmp_path):
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(["bash", "-ec", COMMANDS.text], cwd=tmp_path, check=True, env=environment)
    for name in ("run.html", "wine.html", "site/index.html"):
        assert is_page(tmp_path / name)
        check((tmp_path / name).read_bytes())
    assert len(list((tmp_path / "site").rglob("*.html"))) == 3
