"""A results directory that the tests of pages share."""

import pytest

from tests.report.pages.stored import store


@pytest.fixture(scope="session")
def stored(tmp_path_factory):
    """A directory with results/runs, results/comparisons and model.kl."""
    directory = tmp_path_factory.mktemp("stored")
    store(directory)
    return directory
