"""Settings of a command that do not belong to its experiments: how cells are computed, and where results go."""

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kernlearn.atomic import naming
from kernlearn.cli.parser import DryRun
from kernlearn.errors import UserError
from kernlearn.papers import figure_names, table_names
from kernlearn.parameters import Flag, Text
from kernlearn.runner.plan.config import check_engine, require_keys
from kernlearn.runner.store.ownership import mark, require_ours
from kernlearn.runner.store.records import Options
from kernlearn.runner.store.store import Store
from kernlearn.runner.store.tidy import tidy


@dataclass(frozen=True)
class Settings:
    """Settings of a command that do not belong to its experiments. They change no number."""

    #: The directory of tables and finished cells.
    results: Path
    #: The checked ``engine`` group of a configuration.
    engine: Options
    #: `force`, `retry_failed`: compute finished cells again, or cells that failed before.
    force: bool = False
    retry_failed: bool = False
    #: Write the tables of finished cells and run nothing.
    collect: bool = False
    #: Check everything and show what would run. Nothing is written except the shard of a finished pilot.
    dry_run: DryRun = False
    #: The words of the command that a background process runs; empty to compute in this process.
    background: tuple[str, ...] = ()

    @property
    def store(self) -> Store:
        """The store of finished cells."""
        return Store(self.results / "shards")


def check_settings(config: Mapping[str, Any], *, dry_run: DryRun = False) -> Settings:
    """Return the settings of a configuration, or raise `UserError`."""
    require_keys(config)
    results = Path(str(Text().check("results_dir", config["results_dir"]))).absolute()
    force, retry = (Flag().check(key, config[key]) for key in ("force", "retry_failed"))
    return Settings(results, check_engine(config), force, retry, dry_run=dry_run)


def detached(settings: Settings, command: Sequence[str]) -> Settings:
    """Return settings that run the cells of a command on the cluster or in a background process."""
    if settings.engine["name"] == "slurm":
        return replace(settings, engine={**settings.engine, "detach": True})
    return replace(settings, background=tuple(word for word in command if word != "--detach"))


@contextmanager
def another_place(option: str) -> Iterator[None]:
    """Turn a system error of a file into a `UserError` that gives the option for another results directory."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise
        in_the_way = isinstance(error, FileExistsError | NotADirectoryError) and Path(error.filename).is_file()
        what = "is a file" if in_the_way else error.strerror
        raise UserError(f"{error.filename}: {what}; choose another place with {option}") from error


def require_own(results: Path) -> None:
    """Raise if a results directory has files of another user (`kernlearn.runner.store.ownership`)."""
    require_ours(results, sorted({name.partition("/")[0] for name in (*table_names(), *figure_names())}))


def require_writable(results: Path, *, make: bool = True) -> None:
    """Check that results can be written, before anything is computed, and remove leftovers of earlier runs.

    Without `make`, the directory is neither made nor tidied. Its parent is checked if it does not exist.

    Raises `OSError` if the directory cannot be written to, or a directory in it is a symbolic link. Raises `UserError`
    if files of another user stand in the place of ours.
    """
    require_own(results)
    with naming(results):
        if make:
            results.mkdir(parents=True, exist_ok=True)
        there = next(place for place in (results.absolute(), *results.absolute().parents) if os.path.lexists(place))
        with tempfile.TemporaryFile(dir=there):
            pass
    if make:
        mark(results)
        tidy(results)
