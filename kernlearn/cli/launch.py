"""Run experiments with launchers of Hydra. They get composed configurations and compose only their own."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kernlearn.cli.configuration.grammar import value_of
from kernlearn.cli.facts.experiments import RunFacts
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
#: The parameters that each launcher takes: sizes, times and names, but no command, file, class or module.
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
    """Return the chosen launcher, its checked parameters, and the remaining words.

    Raises `UserError` if there is no such launcher or parameter, or a value is not allowed.
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
            raise UserError(f"{word}: launcher {name} takes only {', '.join(known) or 'no parameters'}")
        if "$" in word:
            raise UserError(f"{word}: references are not allowed here; write the value itself")
        value = value_of(word)
        given[key] = None if value is None else known[key].check(f"hydra.launcher.{key}", value)
    return name, given, [word for word in words if word not in chosen]


def launch(
    configs: Sequence[dict[str, Any]], name: str, parameters: dict[str, Any], directory: str, runs: list[RunFacts]
) -> list[UserError | PartFailed]:
    """Run experiments as jobs of a launcher, which keeps its files in `directory`, and return the errors.

    The list `runs` receives their facts.

    Raises `UserError` if the launcher is not installed or fails, or if other users could replace the jobs that submitit
    pickles.
    """
    from hydra import compose, initialize
    from hydra.core.config_store import ConfigStore
    from hydra.core.global_hydra import GlobalHydra
    from hydra.core.plugins import Plugins
    from hydra.experimental.callback import Callback
    from hydra.types import HydraContext

    from kernlearn.places import private_directory

    if name.startswith("submitit"):  # it pickles its jobs
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
            nothing: Any = Callback()  # its methods do nothing
            launcher = Plugins.instance().instantiate_launcher(
                hydra_context=HydraContext(config_loader=loader, callbacks=nothing),
                task_function=partial(_run, configs),
                config=config,
            )
            jobs = launcher.launch([[f"number={i}"] for i in range(len(configs))], initial_job_idx=0)
    except UserError:
        raise
    except Exception as error:  # plug-ins can raise anything
        raise UserError(f"hydra/launcher={name}: {one_line(error)}") from error
    values = [job.return_value for job in jobs]
    runs += [run for facts, _ in values for run in facts]
    return [problem for _, problem in values if problem is not None]


def _run(configs: Sequence[dict[str, Any]], config: Any) -> tuple[list[RunFacts], UserError | PartFailed | None]:
    from kernlearn.cli.work.experiments import run

    facts: list[RunFacts] = []
    try:
        run(configs[config.number], use=facts.append)
    except (UserError, PartFailed) as problem:  # these are returned; other errors are the launcher's own
        return facts, problem
    return facts, None
