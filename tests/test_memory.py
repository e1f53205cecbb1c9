"""What the system says of memory, and that sizes are looked at before memory is taken."""

import sys

import numpy as np
import pytest

from kernlearn import L2SVMClassifier, MKLClassifier, VKRClassifier, memory
from kernlearn.errors import UserError
from kernlearn.runner.provenance.made import Effort

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def system(root, *, free_kb, cgroup, **files):
    """Write what the kernel would say under a directory; return the places of /proc and of control groups."""
    proc, groups = root / "proc", root / "cgroup"
    (proc / "self").mkdir(parents=True)
    (proc / "meminfo").write_text(f"MemTotal: 99999999 kB\nMemAvailable:   {free_kb} kB\n")
    (proc / "self" / "cgroup").write_text(cgroup)
    for name, (words, values) in files.items():
        directory = groups.joinpath(*name.split("__"))
        directory.mkdir(parents=True, exist_ok=True)
        for word, value in zip(words, values, strict=True):
            (directory / word).write_text(value)
    return proc, groups


V1 = ("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat")
V2 = ("memory.max", "memory.current", "memory.stat")


@pytest.mark.parametrize(
    ("cgroup", "files", "expected"),
    [
        ("0::/\n", {}, 1024 * 1000),
        ("0::/job/step\n", {"job": (V2, ("5000", "1000", "anon 1\ninactive_file 300\n"))}, 4300),
        ("0::/job\n", {"job": (V2, ("max\n", "1000", "inactive_file 0\n"))}, 1024 * 1000),
        ("0::/not/seen/from/inside\n", {}, 1024 * 1000),
        ("5:cpu,memory:/a\n1:cpu:/\n", {"memory__a": (V1, ("7000", "6000", "total_inactive_file 50\n"))}, 1050),
        ("4:memory:/\n", {"memory": (V1, (str(2**63 - 4096), "6000", "total_inactive_file 0\n"))}, 1024 * 1000),
        ("0::/a\n", {"a": (V2, ("100", "200", "inactive_file 0\n"))}, 0),
    ],
    ids=["none", "parent", "max", "hidden", "v1", "v1 without limit", "beyond"],
)
def test_what_is_available_is_the_least_that_the_machine_or_a_group_has(tmp_path, cgroup, files, expected):
    assert memory.available(*system(tmp_path, free_kb=1000, cgroup=cgroup, **files)) == expected


@on_linux
def test_the_machine_says_something_plausible():
    free = memory.available()
    assert free is not None and 2**20 < free < 2**50


@on_linux
def test_a_peak_is_that_of_the_computation_and_not_of_what_was_before():
    before = np.ones(30 * 2**20)  # 240 MB, gone when the next begins
    del before
    effort = Effort()
    small = np.ones(10 * 2**20)
    made = effort.made()
    if made["peak_of"] == "cell":
        rss = memory.peak() / memory.MB
        assert rss == pytest.approx(made["peak_mb"], abs=20)
        del small
        again = Effort().made()
        assert again["peak_mb"] < made["peak_mb"] - 50
    assert made["peak_mb"] > 80 and made["cpu_seconds"] >= 0 and made["seconds"] > 0


@pytest.mark.parametrize(
    "estimator",
    [
        VKRClassifier(kernel="gaussian"),
        L2SVMClassifier(kernel="gaussian"),
        MKLClassifier(),
        MKLClassifier(kernel="features", norm=2.0),
    ],
    ids=["vkr", "l2_svm", "mkl", "mkl on features"],
)
def test_an_estimator_says_in_one_line_that_its_data_are_too_many(monkeypatch, estimator):
    monkeypatch.setattr(memory, "available", lambda: 100 * 2**20)
    X = np.random.default_rng(0).normal(size=(4000, 2))  # n x n: 122 MB
    with pytest.raises(UserError, match=r"take 122 MB, 100 MB of memory are available: use fewer .*examples$"):
        estimator.fit(X, X[:, 0] > 0)


def test_bytes_in_words():
    assert [memory.in_words(x) for x in (2.5e8, 3.3 * 2**30, 250.4 * 2**30)] == ["238 MB", "3.3 GB", "250 GB"]
