"""Threads of libraries are held to one, and come back whoever leaves first."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, suppress
from typing import Any

import numpy as np
import pytest
import scipy.optimize
from sklearn.cluster import KMeans  # noqa: F401  # brings OpenMP
from threadpoolctl import ThreadpoolController, threadpool_info, threadpool_limits

from kernlearn.algorithms.structured.crf import CRFSolver
from kernlearn.kernels.families.neighbours import ApproximateSearch
from kernlearn.threads import _numpys, one_of_all, one_of_numpy
from tests.algorithms.test_crf import CHAINS, LABELS

#: Of each library by its path how many threads it has.
Counts = dict[str, int]
Context = Callable[[], AbstractContextManager[None]]
#: Longer than any of these tests takes.
SECONDS = 60


def counts(api: str = "") -> Counts:
    """Return the threads of all libraries, or of those of one kind; not of those that have the threads of another."""
    return {
        one["filepath"]: one["num_threads"]
        for one in threadpool_info()
        if api in one["user_api"] and (one["user_api"], one.get("threading_layer")) != ("blas", "openmp")
    }


def let_go() -> None:
    """Let other threads of Python set limits, after this one has: threadpoolctl takes OpenBLAS's from one at a time."""
    with threadpool_limits(None):
        pass


@pytest.fixture(autouse=True)
def before() -> Iterator[Counts]:
    """Give all libraries two threads, on any machine, so that one is something else."""
    limits = threadpool_limits(2)
    let_go()
    yield counts()
    limits.restore_original_limits()
    let_go()


@pytest.fixture(params=[one_of_numpy, one_of_all])
def one_of(request: pytest.FixtureRequest, before: Counts) -> Context:
    """Return one of the contexts, if it holds any library."""
    needs_what_is_held(request.param, before)
    return request.param


def needs_what_is_held(one_of: Context, before: Counts) -> None:
    """Skip a test where there is nothing to hold, and see that it could be seen."""
    if held(one_of, before) == before:
        assert set(before.values()) <= {1} or one_of is one_of_numpy
        pytest.skip("numpy has no library of its own here" if before else "no library has threads here")


def held(one_of: Context, before: Counts) -> Counts:
    """Return what is left of some counts inside a context."""
    return {path: 1 if one_of is one_of_all or _numpys(path) else count for path, count in before.items()}


def test_libraries_have_one_thread_and_the_others_keep_theirs(one_of: Context, before: Counts) -> None:
    with one_of():
        assert counts() == held(one_of, before)
    assert counts() == before


def test_threads_come_back_after_an_error(one_of: Context, before: Counts) -> None:
    with pytest.raises(KeyboardInterrupt), one_of():
        assert counts() != before
        raise KeyboardInterrupt
    assert counts() == before


@pytest.mark.parametrize("first_leaves_first", [False, True])
@pytest.mark.parametrize("other", [one_of_numpy, one_of_all])
def test_the_last_of_several_that_overlap_brings_the_threads_back(
    one_of: Context, other: Context, first_leaves_first: bool, before: Counts
) -> None:
    needs_what_is_held(other, before)
    contexts = [(one_of, one_of()), (other, other())]
    for _, context in contexts:
        context.__enter__()
    assert counts() == held(one_of, held(other, before)) != before
    (_, leaves), (stays, last) = contexts if first_leaves_first else contexts[::-1]
    leaves.__exit__(None, None, None)
    assert counts() == held(stays, before) != before
    last.__exit__(None, None, None)
    assert counts() == before


def test_threads_that_somebody_else_has_set_meanwhile_stay(one_of: Context, before: Counts) -> None:
    with one_of():
        assert counts() != before
        threadpool_limits(3)
        three = counts()
    assert counts() == three != before


def test_a_limit_of_the_process_stays_while_another_thread_of_python_is_inside(one_of: Context, before: Counts) -> None:
    limited = {path: count for path, count in held(one_of, before).items() if "openblas" in path}
    if not limited:
        pytest.skip("no library here has one limit for the process")
    mine, its = one_of(), one_of()
    mine.__enter__()
    with ThreadPoolExecutor(1) as other:
        other.submit(its.__enter__).result()
        mine.__exit__(None, None, None)
        assert limited.items() <= counts().items() and counts() != before
        other.submit(its.__exit__, None, None, None).result()
    assert counts() == before


def test_libraries_that_are_loaded_later_are_held_too() -> None:
    code = """
from threadpoolctl import threadpool_info, threadpool_limits
import numpy
from kernlearn.threads import one_of_all
with one_of_all():
    few = len(threadpool_info())
import scipy.linalg
threadpool_limits(2)
before = [one["num_threads"] for one in threadpool_info()]
with one_of_all():
    inside = [one["num_threads"] for one in threadpool_info()]
after = [one["num_threads"] for one in threadpool_info()]
assert len(before) > few, before
assert set(inside) == {1} and after == before != inside, (before, inside, after)
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=SECONDS)


def of_random_field() -> tuple[Callable[[], Any], Any, str]:
    return lambda: CRFSolver(CHAINS, LABELS, 3, max_iter=5).solve(1.0), scipy.optimize, "minimize"


def of_graph() -> tuple[Callable[[], Any], Any, str]:
    pytest.importorskip("faiss")
    X = np.random.default_rng(0).normal(size=(50, 4))
    return lambda: ApproximateSearch(X, "euclidean", 3), ApproximateSearch, "_single"


def of_search() -> tuple[Callable[[], Any], Any, str]:
    graph, *inside = of_graph()
    return graph().near, *inside


@pytest.mark.parametrize("make", [of_random_field, of_graph, of_search])
def test_fits_that_overlap_in_threads_of_python_bring_the_threads_back(
    make: Callable[[], tuple[Callable[[], Any], Any, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    fit, *function = make()
    before = counts()  # with the libraries of the fit
    for openmp, inside, after in overlapping(fit, *function, monkeypatch):
        assert set(inside.values()) == {1} and set(openmp.values()) == {2} and after == openmp
    assert counts() == before and set(before.values()) != {1}


def overlapping(
    fit: Callable[[], Any], owner: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> list[tuple[Counts, Counts, Counts]]:
    """Run a fit in three threads that are all inside at once, and leave in the order in which they came.

    Inside is where a function is called that an owner has by a name. Returned are, for each, OpenMP's threads before,
    all threads inside, and OpenMP's after; of the other libraries those of the process are left to the last.
    """
    function, own, all_inside = getattr(owner, name), threading.local(), threading.Event()

    def held_up(*args: Any, **kwargs: Any) -> Any:
        own.counts = counts()
        own.inside.set()
        assert all_inside.wait(SECONDS) and not wait(own.earlier, SECONDS).not_done
        return function(*args, **kwargs)

    def run(inside: threading.Event, earlier: list[Future]) -> tuple[Counts, Counts, Counts]:
        own.inside, own.earlier = inside, earlier
        ThreadpoolController().select(user_api="openmp").limit(limits=2)  # of this thread
        before = counts("openmp")
        fit()
        return before, own.counts, counts("openmp")

    monkeypatch.setattr(owner, name, held_up)
    with ThreadPoolExecutor(3) as pool:  # which keeps the threads of those that have left
        runs: list[Future] = []
        for _ in range(3):
            inside = threading.Event()
            runs.append(pool.submit(run, inside, list(runs)))
            assert inside.wait(SECONDS)
        all_inside.set()
        return [one.result() for one in runs]


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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
def test_who_is_taken_out_by_an_interruption_does_not_count(one_of, before):
    """Wherever it comes, the next one who leaves brings the threads back."""
    interruptions, random = [], np.random.default_rng(0)

    def interrupt(*_):
        interruptions.append(None)  # to end the loop where the error is lost, as in a callback of the garbage collector
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGVTALRM, interrupt)  # the timer of SIGALRM is pytest's
    try:
        for number in range(60):
            with suppress(KeyboardInterrupt):
                signal.setitimer(signal.ITIMER_VIRTUAL, random.uniform(1e-3, 1e-2))
                while len(interruptions) <= number:
                    with one_of():
                        pass
    finally:
        signal.signal(signal.SIGVTALRM, handler)
    with one_of():
        assert counts() != before
    assert counts() == before


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="does not fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_in_a_process_that_is_forked_nobody_is_inside(one_of, before):
    """Neither is the lock held, whatever the other threads of the parent were at."""
    inside, leave = threading.Event(), threading.Event()

    def fit():
        with one_of():
            inside.set()
            leave.wait(SECONDS)

    def fork():
        if child := os.fork():
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        code = 2
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # it is not to go on with the parent's tests
            signal.alarm(SECONDS)  # ends it if it waits for ever
            with one_of():
                pass
            blas = counts("blas")
            code = 0 if blas == {path: before[path] for path in blas} else 3
        finally:
            os._exit(code)

    thread = threading.Thread(target=fit)
    thread.start()
    inside.wait(SECONDS)
    assert fork() == 0
    leave.set()
    thread.join()
    again = threading.Event()

    def fits():
        while not again.is_set():
            with one_of():
                pass

    thread = threading.Thread(target=fits)
    thread.start()
    try:
        assert [fork() for _ in range(20)] == [0] * 20
    finally:
        again.set()
        thread.join()
    assert counts() == before
