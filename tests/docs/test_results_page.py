"""What the page on results says of reading tables with pandas is so."""

import ast
import re

import pytest

from kernlearn.certificates.own.problems import UNPROVED
from kernlearn.runner.plan.identity import DATA_DIGITS, RUN_DIGITS
from tests.docs.pages import ROOT

HASHES = {"run": "0123456789", "runs": "12345e6789", "sha256": "335871110e13"}


def test_hashes_stay_texts_when_a_table_is_read_as_the_page_says(tmp_path):
    pandas = pytest.importorskip("pandas")
    call = re.search(r"`(pd\.read_csv\(.*?\))`", (ROOT / "docs" / "results.md").read_text())[1]
    (words,) = ast.parse(call, mode="eval").body.keywords
    assert (len(HASHES["run"]), len(HASHES["sha256"])) == (RUN_DIGITS, DATA_DIGITS)
    path = tmp_path / "summary.csv"
    path.write_text(",".join(HASHES) + "\n" + ",".join(HASHES.values()) + "\n")
    types = {key.value: {"str": str}[value.id] for key, value in zip(words.value.keys, words.value.values, strict=True)}
    assert dict(pandas.read_csv(path, **{words.arg: types}).iloc[0]) == HASHES
    assert dict(pandas.read_csv(path).iloc[0]) != HASHES  # the reason for the sentence


def test_the_page_names_the_methods_of_which_nothing_is_proved():
    text = " ".join((ROOT / "docs" / "results.md").read_text().split())
    names = re.search(r"It cannot for (.*?): their rounds end", text)[1]
    assert set(re.findall(r"`(\w+)`", names)) == set(UNPROVED) and len(UNPROVED) == 7 and "of these seven" in text
