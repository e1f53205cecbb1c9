"""The citation and the changelog are those of the version that is installed."""

from pathlib import Path

import yaml

import kernlearn

ROOT = Path(__file__).parents[1]


def test_citation_and_changelog_name_this_version_and_its_day():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert cited["version"] == kernlearn.__version__
    assert f"## [{kernlearn.__version__}] - {cited['date-released']}" in (ROOT / "CHANGELOG.md").read_text()
