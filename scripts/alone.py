"""A process of its own for what is measured."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any


def alone(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function in a fresh process; one that dies, as of an instruction that the machine lacks, is an error."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()
