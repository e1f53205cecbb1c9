"""Engines: the ways to compute cells. None of them changes a number.

An engine is a function ``run(cells, store, work, **options)`` that computes all given cells. It ensures that each cell
leaves a shard, whatever happens to its process, and yields the status of each as it finishes: "ok" or "failed". Its
options are listed in `kernlearn.runner.engines.options`. An engine that places cells by memory gets `needs`, the bytes
of each cell by its key, in place of its headroom.
"""

from collections.abc import Callable, Iterator

from kernlearn.runner.engines import dask, local, slurm

__all__ = ["ENGINES"]

#: Engines by name. Each has a configuration file.
ENGINES: dict[str, Callable[..., Iterator[str]]] = {
    "local": local.run,
    "dask": dask.run,
    "slurm": slurm.run,
}
