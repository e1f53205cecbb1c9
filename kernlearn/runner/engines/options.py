"""The options of every engine, each with its default, range and meaning.

``configs/engine/NAME.yaml``, the checks of a configuration and the arguments of an engine follow from them.
"""

from collections.abc import Mapping
from typing import Any

from kernlearn.parameters import Flag, Number, Parameter, Text

#: Options of all engines. By default, the first two set no limit.
CELL_LIMITS: Mapping[str, Parameter] = {
    "memory": Parameter(0, Number(low=0, high=2**20), "gigabytes that one cell may take; 0: no limit"),
    "time_limit": Parameter(0, Number(low=0, high=10**6), "minutes that one cell may take; 0: no limit"),
    "checkpoint": Parameter(60, Number(low=0, high=10**6), "seconds between two checkpoints of a long cell"),
}
#: The option of engines that place cells by memory.
HEADROOM = Parameter(1.5, Number(low=1, high=100), "memory reserved for a cell, in multiples of its estimate")
#: Short descriptions of the engines.
DESCRIPTIONS = {
    "local": "processes on this machine",
    "dask": "the workers of a Dask cluster, one thread each",
    "slurm": "job arrays on a SLURM cluster",
}
ENGINE_OPTIONS: Mapping[str, Mapping[str, Parameter]] = {
    "local": {
        "jobs": Parameter(0, Number(low=0, high=4096, integer=True), "processes; 0: one for each core"),
        **CELL_LIMITS,
    },
    "dask": {
        "address": Parameter("???", Text(), "address of the scheduler, such as tcp://10.0.0.1:8786"),
        "headroom": HEADROOM,
        **CELL_LIMITS,
    },
    "slurm": {
        "partition": Parameter(None, Text(optional=True), "partition; null: the default of the cluster"),
        "account": Parameter(None, Text(optional=True), "account; null: the default of the user"),
        "nodes": Parameter(4, Number(low=1, high=10**5, integer=True), "number of tasks that run at the same time"),
        "cpus": Parameter(1, Number(low=1, high=4096, integer=True), "processes of each task"),
        "minutes": Parameter(
            60, Number(low=1, high=10**6, integer=True), "time limit of a task; a longer cell resumes in the next task"
        ),
        "poll": Parameter(5, Number(low=0.1, high=3600), "seconds between two checks of the queue"),
        "patience": Parameter(
            600, Number(low=1, high=10**6), "seconds without an answer from SLURM before the watcher gives up"
        ),
        "detach": Parameter(False, Flag(), "submit and exit; the same command watches the jobs later"),
        "headroom": HEADROOM,
        **CELL_LIMITS,
    },
}


def defaults_of(parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """Return the default of every parameter."""
    return {key: parameter.default for key, parameter in parameters.items()}
