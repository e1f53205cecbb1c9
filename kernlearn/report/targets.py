"""The results that a command names: a paper, a table or figure, a run, a comparison, or a model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kernlearn.errors import UserError, closest
from kernlearn.papers import figure_names, table_names
from kernlearn.papers.core.directories import use_results

Kind = Literal["paper", "table", "figure", "run", "comparison", "model"]


@dataclass(frozen=True)
class Target:
    """A result.

    Attributes
    ----------
    kind : str
    name : str
        ``vkr2015`` of a paper, ``vkr2015/table1`` of a table or figure, otherwise the name of its file or directory.
    path : Path
        The directory of a paper, a run or a comparison; the file of a model; of a table or figure the path of its files
        without suffix.
    """

    kind: Kind
    name: str
    path: Path


def find_target(word: str, results: Path) -> Target:
    """Return the result that a word of the command line names.

    A word is the path of a run, a comparison or a model, the name of a run or comparison in the results directory or
    a part of its name that no other one has, or the name of a paper, table or figure. Papers of one's own are known by
    what the results directory has of them.

    Raises `UserError` if there is no such result, or more than one.
    """
    if target := _at(Path(word)):
        return target
    name = word.strip("/")
    use_results(results)
    known = {**dict.fromkeys(table_names(), "table"), **dict.fromkeys(figure_names(), "figure")}
    papers = {one.partition("/")[0] for one in known}
    if name in papers:
        return _present(Target("paper", name, results / name), results / name)
    if name in known:
        kind: Kind = "table" if known[name] == "table" else "figure"
        return _present(Target(kind, name, results / name), results / f"{name}.csv")
    of_own = _runs_and_comparisons(results)
    found = [path for path in of_own if path.name == name] or [path for path in of_own if name and name in path.name]
    if len(found) > 1:
        raise UserError(f"{word}: more than one result has this name: {', '.join(path.name for path in found[:5])}")
    if found and (target := _at(found[0])):
        return target
    near = closest(word, [*known, *papers, *(path.name for path in of_own)])
    raise UserError(
        f"{word}: no such result; name a paper, table or figure, or a run or comparison in {results}, "
        f"or the path of one or of a model{near}"
    )


def files_of(target: Target) -> list[Path]:
    """Return the files of a result, which no command that reads it may replace."""
    if target.path.is_file():
        return [target.path]
    if target.kind in ("table", "figure"):
        return sorted(target.path.parent.glob(f"{target.path.name.partition('.')[0]}*"))
    return sorted(path for path in target.path.glob("*") if path.is_file())


def target_names(results: Path) -> list[str]:
    """Return the names of all results in a results directory: papers, tables, figures, runs and comparisons."""
    kept = [*table_names(), *figure_names()]
    there = [name for name in kept if (results / f"{name}.csv").is_file()]
    papers = dict.fromkeys(name.partition("/")[0] for name in there)
    return [*papers, *there, *(target.name for target in own_targets(results))]


def own_targets(results: Path) -> list[Target]:
    """Return the runs and comparisons in a results directory."""
    return [target for path in _runs_and_comparisons(results) if (target := _at(path))]


def _runs_and_comparisons(results: Path) -> list[Path]:
    return [path for room in ("runs", "comparisons") for path in sorted((results / room).glob("*"))]


def _at(path: Path) -> Target | None:
    """Return the result that is stored at a path, or None."""
    if path.is_file():
        return Target("model", path.name, path) if path.suffix == ".kl" else None
    name = path.resolve().name  # also of "."
    if (path / "ranking.csv").is_file():
        return Target("comparison", name, path)
    if (path / "paths.csv").is_file():
        return Target("run", name, path)
    return None


def _present(target: Target, path: Path) -> Target:
    if not path.exists():
        named = (name for name in (*table_names(), *figure_names()) if name.startswith(f"{target.name}/"))
        first = next(named, target.name) if target.kind == "paper" else target.name
        raise UserError(f"{target.name}: {path} does not exist; run kernlearn reproduce {first} first")
    return target
