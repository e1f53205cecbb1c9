"""What benchmarks share: processes of their own for what is measured, and CPU seconds."""

import resource
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a fresh process; one that dies, as of an instruction that the machine lacks, is an error."""
    return each_alone(function, [arguments])[0]


def each_alone(function: Callable[..., Any], calls: Iterable[tuple[Any, ...]], jobs: int = 1) -> list[Any]:
    """Call a function with several arguments, each in a fresh process, so many at a time."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        return [future.result() for future in [pool.submit(function, *arguments) for arguments in calls]]


def cpu(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return CPU seconds and the value of a call."""
    start = resource.getrusage(resource.RUSAGE_SELF)
    value = function(*arguments)
    end = resource.getrusage(resource.RUSAGE_SELF)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime, value
