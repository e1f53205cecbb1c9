"""Threads of numpy's products beside those of scipy's."""

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from kernlearn.solvers.threads import _numpys, one_of_numpy


def counts() -> list[tuple[bool, int]]:
    """Return of each BLAS library whether it is numpy's, and how many threads it has."""
    return [
        (_numpys(pool["filepath"]), pool["num_threads"]) for pool in threadpool_info() if pool["user_api"] == "blas"
    ]


def test_numpy_has_one_thread_and_the_others_keep_theirs() -> None:
    with threadpool_limits(2, user_api="blas"):
        before = counts()
        with one_of_numpy():
            assert counts() == [(numpys, 1 if numpys else threads) for numpys, threads in before]
        assert counts() == before


def test_threads_come_back_after_an_error() -> None:
    with threadpool_limits(2, user_api="blas"):
        before = counts()
        with pytest.raises(KeyboardInterrupt), one_of_numpy():
            raise KeyboardInterrupt
        assert counts() == before


def test_the_last_of_several_that_overlap_brings_the_threads_back() -> None:
    with threadpool_limits(2, user_api="blas"):
        before, first, second = counts(), one_of_numpy(), one_of_numpy()
        first.__enter__()
        inside = counts()
        second.__enter__()
        first.__exit__(None, None, None)
        assert counts() == inside
        second.__exit__(None, None, None)
        assert counts() == before


@pytest.mark.parametrize(
    ("path", "numpys"),
    [
        ("/home/numpy/env/lib/python3.12/site-packages/numpy.libs/libscipy_openblas64_-1.so", True),
        ("/home/numpy/env/lib/python3.12/site-packages/numpy/.dylibs/libscipy_openblas64_.dylib", True),
        ("/home/numpy/env/lib/python3.12/site-packages/scipy.libs/libscipy_openblas-1.so", False),
        ("/home/envs/numpy/lib/libopenblas.so.0", False),
    ],
)
def test_which_libraries_are_numpys(path: str, numpys: bool) -> None:
    assert _numpys(path) is numpys
