"""Engines: the ways to compute cells. None of them changes a number.

An engine is a function ``run(cells, store, work, **options)`` that computes every cell it is given, sees to it that
each leaves a shard, whatever happens to the process that computes it, and yields the status of each as it finishes:
"ok" or "failed". Its options are those of `kernlearn.runner.engines.options`. One that places cells by their memory has
`needs`, the bytes of each by its key, for its headroom.
"""

from collections.abc import Callable, Iterator

from kernlearn.runner.engines import dask, local, slurm

__all__ = ["ENGINES"]

#: Engines by name, one configuration file each.
ENGINES: dict[str, Callable[..., Iterator[str]]] = {
    "local": local.run,
    "dask": dask.run,
    "slurm": slurm.run,
}
