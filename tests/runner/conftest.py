"""What several tests of the runner need."""

import importlib
from pathlib import Path

import pytest


@pytest.fixture
def bench(monkeypatch):
    """Return the script that measures the constants of the dry run; it asks for one thread, for what it starts."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "scripts" / "bench")
    return importlib.import_module("scale")
