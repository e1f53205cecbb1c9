"""``kernlearn run``: one experiment from a Hydra configuration, or many with ``-m``."""

import os
import re
import sys
from collections.abc import Callable
from typing import Any

from kernlearn.cli.parser import SWITCHES
from kernlearn.errors import PartFailed, UserError, complain

HELP = """\
usage: kernlearn run [-m] [GROUP=NAME ...] [KEY=VALUE ...] [options]

Run one experiment, print what came out and write its tables:

  kernlearn run algo=vkr dataset=ionosphere
  kernlearn run -m algo=vkr,l1_svm,l2_svm dataset=ionosphere,pima
  kernlearn run algo=vkr dataset=csv dataset.path=my.csv dataset.target=label

groups (choose with GROUP=NAME):
{groups}

values (change with KEY=VALUE; --cfg job shows all that there are):
  algo.*, kernel.*, dataset.*    parameters of the choices above
  task=classification            or regression: real targets, or the labels -1 and +1 of two classes
  select_by=null                 the validation score that chooses a grid point: error_pct, balanced_error_pct,
                                 accuracy_pct, auc or rmse; null: the error of the task
  scaling=unit                   unit, none, minmax, standard or symmetric scaling of examples
  seed=0                         of the random partition
  engine.jobs=0                  processes; 0 means one for every core
  results_dir=results            where tables and finished work are kept

options:
  -m, --multirun                 run all combinations of comma-separated values
  --cfg job                      print the configuration instead of running it
  --dry-run                      check everything and say what would run
{switches}
  --hydra-help                   what Hydra itself understands (launchers, sweepers, ...)
  --debug                        show the traceback of an error
"""

#: Options that are passed on.
HYDRA_OPTIONS = (
    *("-m", "--multirun", "-c", "--cfg", "-r", "--resolve", "-p", "--package", "-i", "--info", "--hydra-help"),
    *("-cp", "--config-path", "-cn", "--config-name", "-cd", "--config-dir"),
)


def main(argv: list[str]) -> int:
    """Run the experiments of a command line; see `kernlearn.cli.main.main` for the exit code."""
    if "--help" in argv or "-h" in argv:
        switches = "\n".join(f"  {switch:<31}{text}" for switch, text in SWITCHES.items())
        print(HELP.format(groups=_groups(), switches=switches), end="")
        return 0
    dry_run = "--dry-run" in argv
    argv = [argument for argument in argv if argument != "--dry-run"]
    for argument in argv:
        name = argument.partition("=")[0]
        if name.startswith("-") and name not in (*SWITCHES, *HYDRA_OPTIONS):
            raise UserError(f"{argument}: no such option (kernlearn run --help)")
    # A switch stands for a value of the configuration: --retry-failed for retry_failed=true.
    arguments = [f"{a[2:].replace('-', '_')}=true" if a in SWITCHES else a for a in argv]
    problems: list[Exception] = []
    here = os.getpid()

    def task(config: Any) -> None:
        from kernlearn.cli.experiment import run

        try:
            run(config, dry_run=dry_run)
        except Exception as error:
            if os.getpid() != here:  # a launcher has taken the job elsewhere: only an exception finds its way back
                raise
            problems.append(_as_user_error(error))  # the other jobs of -m go on

    try:
        _refuse_foreign_code(arguments)
        _hydra(arguments, task)
    except UserError:
        raise
    except SystemExit as error:  # argparse inside Hydra has said what is wrong
        return int(error.code or 0)
    except Exception as error:  # not from our task: Hydra cannot make a configuration of the arguments
        raise UserError(explain(error, arguments)) from error
    for problem in problems[1:]:
        if isinstance(problem, UserError | PartFailed):
            complain(problem)
    if problems:
        raise problems[0]
    return 0


def complete(arguments: list[str]) -> int:
    """Answer a request of the shell for tab completion."""
    _hydra(arguments, lambda config: None)
    return 0


def _hydra(arguments: list[str], task: Callable[[Any], None]) -> None:
    """Call Hydra on these arguments; its errors come out as exceptions instead of pages of text."""
    import hydra

    os.environ["HYDRA_FULL_ERROR"] = "1"
    given, sys.argv = sys.argv, ["kernlearn run", *arguments]
    try:
        hydra.main(version_base="1.3", config_path="pkg://kernlearn.configs", config_name="config")(task)()
    finally:
        sys.argv = given


def _refuse_foreign_code(arguments: list[str]) -> None:
    """Refuse what Hydra would import and call for a configuration: anything but its own parts and plugins.

    Raises
    ------
    UserError
        Naming the key.
    """
    foreign = ("-cp", "--config-path", "-cn", "--config-name", "-cd", "--config-dir", "--experimental-rerun")
    if not any("hydra" in word or "_target_" in word or word.startswith(foreign) for word in arguments):
        return  # our own configurations name nothing else
    seen: list[tuple[str, str]] = []

    def look(node: Any, key: str) -> None:
        if isinstance(node, dict):
            seen.extend((f"{key}.{name}", str(value)) for name, value in node.items() if name == "_target_")
            for name, value in node.items():
                look(value, f"{key}.{name}" if key else str(name))
        elif isinstance(node, list):
            for i, value in enumerate(node):
                look(value, f"{key}[{i}]")

    look(_whole_config(arguments), "")
    for key, target in seen:
        if not target.startswith(("hydra._internal.", "hydra_plugins.")):
            raise UserError(f"{key}={target}: a configuration may name no code to run")


def _whole_config(arguments: list[str]) -> Any:
    """Return the configuration that Hydra would use, its own part included, without running anything."""
    from hydra._internal.hydra import Hydra
    from hydra._internal.utils import create_config_search_path, get_args_parser
    from hydra.core.global_hydra import GlobalHydra
    from hydra.core.override_parser.overrides_parser import OverridesParser
    from hydra.core.utils import setup_globals
    from hydra.types import RunMode
    from omegaconf import OmegaConf

    given = get_args_parser().parse_args(arguments)
    setup_globals()
    path = given.config_path and os.path.abspath(given.config_path)
    search = create_config_search_path(path or "pkg://kernlearn.configs")
    if given.config_dir:
        search.append("command-line", f"file://{os.path.abspath(given.config_dir)}")
    parser = OverridesParser.create()
    plain = [word for word in given.overrides if not parser.parse_override(word).is_sweep_override()]
    hydra = Hydra.create_main_hydra2("kernlearn", search)
    try:
        config = hydra.compose_config(
            given.config_name or "config", plain, run_mode=RunMode.MULTIRUN if given.multirun else RunMode.RUN
        )
    finally:
        GlobalHydra.instance().clear()
    return OmegaConf.to_container(config, resolve=False)


def _as_user_error(error: Exception) -> Exception:
    """Return what a person can mend as `UserError`, anything else as it is."""
    from omegaconf.errors import OmegaConfBaseException

    if isinstance(error, OmegaConfBaseException):  # a value that is missing or refers to nothing
        return UserError(explain(error, []))
    if isinstance(error, OSError) and error.filename is not None:
        return UserError(f"{error.filename}: {error.strerror}; choose another place with results_dir=DIR")
    return error


def explain(error: Exception, arguments: list[str]) -> str:
    """Return one line for an error of Hydra: the key, the value and what is allowed."""
    from hydra.errors import MissingConfigException
    from omegaconf.errors import MissingMandatoryValue

    text = str(error)
    if isinstance(error, MissingConfigException) and error.missing_cfg_file and error.options:
        group, _, name = str(error.missing_cfg_file).partition("/")
        return f"{group}={name}: must be one of {', '.join(sorted(error.options))}"
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}; choose another place with results_dir=DIR"
    if isinstance(error, MissingMandatoryValue):
        return f"{error.full_key} is missing: give {error.full_key}=VALUE"
    if match := re.search(r"Could not override '([^']+)'", text):
        return f"{match.group(1)}: unknown key (kernlearn run --cfg job shows those there are)"
    words = "; ".join(line.strip() for line in text.splitlines() if line.strip())
    return f"{words} (given: {' '.join(arguments)})" if arguments else words


def _groups() -> str:
    from importlib.resources import files

    lines = []
    configs = files("kernlearn.configs")
    for group in ("algo", "dataset", "kernel", "protocol", "engine"):
        names = sorted(
            path.name[: -len(".yaml")] for path in (configs / group).iterdir() if path.name.endswith(".yaml")
        )
        lines.append(f"  {group:<9} {', '.join(names)}")
    return "\n".join(lines)
