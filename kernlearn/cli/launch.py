"""Launchers of Hydra: they are handed finished configurations, and have none to compose but their own."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kernlearn.cli.configuration.grammar import value_of
from kernlearn.errors import PartFailed, UserError, one_line
from kernlearn.parameters import Flag, Kind, Number, Text

COUNT, WHOLE = Number(low=1, high=10**6, integer=True), Number(low=0, high=10**6, integer=True)
QUEUE: dict[str, Kind] = {
    "timeout_min": COUNT,
    "cpus_per_task": COUNT,
    "gpus_per_node": WHOLE,
    "tasks_per_node": COUNT,
    "mem_gb": COUNT,
    "nodes": COUNT,
    "name": Text(),
    "stderr_to_stdout": Flag(),
}
#: What may be said of each launcher: sizes, times and names; no command, file, class or module.
LAUNCHERS: dict[str, dict[str, Kind]] = {
    "basic": {},
    "joblib": {"n_jobs": Number(low=-1, high=4096, integer=True), "timeout": Number(positive=True), "verbose": WHOLE},
    "submitit_local": QUEUE,
    "submitit_slurm": QUEUE
    | {key: Text() for key in ("partition", "qos", "constraint", "exclude", "gres", "account")}
    | {key: Text() for key in ("mem_per_gpu", "mem_per_cpu")}
    | {key: COUNT for key in ("cpus_per_gpu", "gpus_per_task", "array_parallelism", "signal_delay_s")},
}


def take_launcher(words: Sequence[str]) -> tuple[str, dict[str, Any], list[str]]:
    """Return the launcher that words choose, its checked parameters, and the other words.

    Raises
    ------
    UserError
        If there is no such launcher or parameter, or a value is not allowed.
    """
    chosen = [word for word in words if word.startswith(("hydra/launcher=", "hydra.launcher."))]
    name = next((word.partition("=")[2] for word in reversed(chosen) if word.startswith("hydra/")), "basic")
    if name not in LAUNCHERS:
        raise UserError(f"hydra/launcher={name}: must be one of {', '.join(LAUNCHERS)}")
    known, given = LAUNCHERS[name], {}
    for word in chosen:
        if word.startswith("hydra/"):
            continue
        key = word.partition("=")[0].removeprefix("hydra.launcher.")
        if key not in known:
            raise UserError(f"{word}: the launcher {name} takes here: {', '.join(known) or 'nothing'}")
        if "$" in word:
            raise UserError(f"{word}: give the value itself")
        value = value_of(word)
        given[key] = None if value is None else known[key].check(f"hydra.launcher.{key}", value)
    return name, given, [word for word in words if word not in chosen]


def launch(
    configs: Sequence[dict[str, Any]], name: str, parameters: dict[str, Any], directory: str
) -> list[UserError | PartFailed]:
    """Run experiments as the jobs of a launcher, which keeps its own files in `directory`; return what went wrong.

    Raises
    ------
    UserError
        If the launcher is not installed or cannot do it, or others could replace the jobs that submitit pickles.
    """
    from hydra import compose, initialize
    from hydra.core.config_store import ConfigStore
    from hydra.core.global_hydra import GlobalHydra
    from hydra.core.plugins import Plugins
    from hydra.experimental.callback import Callback
    from hydra.types import HydraContext

    from kernlearn.places import private_directory

    if name.startswith("submitit"):  # which pickles its jobs
        private_directory(Path(directory))
    own = {
        "defaults": [
            {"override hydra/launcher": name},
            {"override hydra/job_logging": "none"},
            {"override hydra/hydra_logging": "none"},
        ],
        "number": 0,
        "hydra": {
            "job": {"name": "kernlearn"},
            "output_subdir": None,
            "sweep": {"dir": directory, "subdir": "${hydra.job.num}"},
            "launcher": parameters,
        },
    }
    ConfigStore.instance().store("kernlearn_launch", own)
    try:
        with initialize(config_path=None, version_base="1.3"):
            loader = GlobalHydra.instance().config_loader()
            if name not in loader.get_group_options("hydra/launcher"):
                package = f"hydra-{name.partition('_')[0]}-launcher"
                raise UserError(f"hydra/launcher={name}: is not installed (pip install {package})")
            config = compose("kernlearn_launch", return_hydra_config=True)
            nothing: Any = Callback()  # has all that is asked of callbacks, and does none of it
            launcher = Plugins.instance().instantiate_launcher(
                hydra_context=HydraContext(config_loader=loader, callbacks=nothing),
                task_function=partial(_run, configs),
                config=config,
            )
            jobs = launcher.launch([[f"number={i}"] for i in range(len(configs))], initial_job_idx=0)
    except UserError:
        raise
    except Exception as error:  # of a plugin
        raise UserError(f"hydra/launcher={name}: {one_line(error)}") from error
    return [problem for problem in (job.return_value for job in jobs) if problem is not None]


def _run(configs: Sequence[dict[str, Any]], config: Any) -> UserError | PartFailed | None:
    from kernlearn.cli.work.experiments import run

    try:
        run(configs[config.number])
    except (UserError, PartFailed) as problem:  # finds its way back; any other is the launcher's
        return problem
    return None
