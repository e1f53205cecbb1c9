"""Linear algebra, memory, the results directory, caches, bundled data, and clusters."""

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np

from kernlearn.cli.configuration.settings import require_writable
from kernlearn.cli.health.findings import Finding, note, ok, problem
from kernlearn.datasets import CATALOGUE, load, whereabouts
from kernlearn.datasets.sets.locate import data_directories
from kernlearn.errors import UserError, one_line
from kernlearn.memory import GB, available, in_words
from kernlearn.places import cache_directory, code_directory
from kernlearn.runner.engines.queue import NoAnswer, n_partitions, require, tasks
from kernlearn.runner.engines.timing import counted
from kernlearn.streams import tell

#: Environment variables that set the threads of libraries.
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "BLIS_NUM_THREADS")
#: The size of the matrices of the test of products; their entries are small whole numbers, so products are exact.
SIZE = 200
#: Bytes below which the free space of the results directory, or the free memory, is noted.
LITTLE = GB


def check_machine(results: Path, dask: str | None) -> Iterator[Finding]:
    """Yield what is found of this machine; `dask` is the address of a scheduler to try, if any."""
    yield from _linear_algebra()
    yield from _memory()
    yield from _data()
    yield from _results(results)
    yield from _caches()
    yield from _clusters(dask)


def _linear_algebra() -> Iterator[Finding]:
    """Yield the libraries with their threads, and whether their products are right."""
    import scipy.linalg  # noqa: F401 (it loads its own library)
    from threadpoolctl import threadpool_info

    libraries = [
        f"{one['internal_api']} {one['version'] or ''}".strip() + f", {counted(one['num_threads'], 'thread')}"
        for one in threadpool_info()
    ]
    said = [f"{name}={os.environ[name]}" for name in THREADS if name in os.environ]
    yield ok("blas", "; ".join([*dict.fromkeys(libraries), *said]) or "unknown libraries")
    random = np.random.default_rng(0)
    A, B = random.integers(-9, 10, size=(2, SIZE, SIZE))
    if not np.array_equal(A.astype(np.float64) @ B.astype(np.float64), A @ B):
        yield problem("blas", "a product of matrices of whole numbers is wrong", "install numpy again")


def _memory() -> Iterator[Finding]:
    free = available()
    cores = counted(os.cpu_count() or 1, "core")
    if free is None:
        yield ok("memory", f"unknown on this system; {cores}")
    elif free < LITTLE:
        yield note("memory", f"{in_words(free)} are available; {cores}", "end other programs before large runs")
    else:
        yield ok("memory", f"{in_words(free)} are available; {cores}")


def _data() -> Iterator[Finding]:
    """Yield whether bundled data are as the catalogue has them, and what else is here."""
    bundled, here = [], 0
    try:
        directories = [str(directory) for directory in data_directories()]
    except UserError as error:
        words, _, hint = str(error).partition("; ")
        yield problem("data", words, hint)
        return
    for name, entry in sorted(CATALOGUE.items()):
        if entry.home == "bundled":
            try:
                if load(name).digest != entry.digest:
                    raise UserError(f"{name}: the bundled values are not those of the catalogue")
                bundled.append(name)
            except UserError as error:
                yield problem("data", str(error), "install kernlearn again")
        elif entry.home == "file":
            here += whereabouts(name).kind in ("found", "cached")
    n_files = sum(entry.home == "file" for entry in CATALOGUE.values())
    known = f"{len(bundled)} bundled data sets are as the catalogue has them"
    yield ok("data", f"{known}; {here} of {n_files} others are here")
    if directories:
        yield ok("data", f"KERNLEARN_DATA: {os.pathsep.join(directories)}")
    elif here < n_files:
        yield note("data", "KERNLEARN_DATA is not set", "kernlearn data list says where data sets come from")


def _results(results: Path) -> Iterator[Finding]:
    try:
        require_writable(results.absolute(), make=False)
    except UserError as error:
        words, _, hint = str(error).partition("; ")
        yield problem("results", words, hint or "choose another place with --results-dir DIR")
        return
    except OSError as error:
        words = f"{error.filename or results}: {error.strerror}"
        yield problem("results", words, "choose another place with --results-dir DIR or results_dir=DIR")
        return
    free = shutil.disk_usage(_existing(results.absolute())).free
    words = f"{results} can be written to, {in_words(free)} are free"
    if free < LITTLE:
        yield note("results", words, "make room: a full disk ends a run")
    else:
        yield ok("results", words)


def _caches() -> Iterator[Finding]:
    code, downloads = code_directory(), cache_directory()
    if code is None:
        words = f"machine code cannot be cached below {downloads}: every process compiles again"
        yield problem("caches", words, "set KERNLEARN_CACHE to a directory that only you can write to")
    elif code.parent != downloads:
        words = f"machine code is in {code}: {_size(code)}; {downloads} cannot be used"
        yield note("caches", words, "set KERNLEARN_CACHE to a directory that only you can write to")
    else:
        yield ok("caches", f"machine code in {code}: {_size(code)}")
    if not os.access(_existing(downloads), os.W_OK):
        words = f"{downloads} cannot be written to, so data sets cannot be downloaded"
        yield note("caches", words, "set KERNLEARN_CACHE to a directory of yours")
    elif downloads.is_dir():
        yield ok("caches", f"downloads in {downloads}: {_size(downloads, 'numba')}")


def _existing(path: Path) -> Path:
    """Return a path, or the nearest directory above it that exists."""
    return next(place for place in (path, *path.parents) if place.exists())


def _size(directory: Path, but: str = "") -> str:
    """Return the number and the size of the files in a directory, without one of its directories."""
    number = size = 0
    for folder, folders, files in os.walk(directory):
        if Path(folder) == directory and but in folders:
            folders.remove(but)
        for name in files:
            with suppress(OSError):  # another process has just removed it
                size += (Path(folder) / name).lstat().st_size
                number += 1
    return f"{counted(number, 'file')}, {in_words(size)}"


def _clusters(dask: str | None) -> Iterator[Finding]:
    """Yield whether SLURM answers, and the Dask scheduler if its address is given."""
    try:
        require()
        tell("asking     SLURM")
        words = (
            f"answers; {counted(n_partitions(), 'partition')}, {counted(len(tasks()), 'job')} of kernlearn in the queue"
        )
        yield ok("slurm", words)
    except UserError:
        yield note("slurm", "is not on this machine (no command sbatch), so engine=slurm is not available")
    except NoAnswer:  # its words are several lines of a log
        yield note("slurm", "cannot be reached, so engine=slurm is not available", "squeue shows why")
    if dask is None:
        return
    from kernlearn.runner.engines.cluster import connect, threads

    try:
        with connect(dask) as client:
            yield ok("dask", f"{dask} answers; {counted(len(threads(client)), 'worker')}")
    except (UserError, ImportError) as error:
        words, _, hint = one_line(error).partition("; ")
        yield problem("dask", words, hint or "start it with: dask scheduler")
