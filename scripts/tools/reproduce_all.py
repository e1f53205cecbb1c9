"""Make ``results/`` again by the commands in its reports, and compare with what is committed.

The plan is printed first, with the CPU time that each table and figure took when it was computed. What is computed goes
to a directory of its own. After an interruption the same command continues. Benchmarks (``results/growth`` and
``results/exact_gaps``) are measurements of time, and are left out.

    python scripts/tools/reproduce_all.py --dry-run                       # what there is, and what it costs
    python scripts/tools/reproduce_all.py --budget 30m                    # the cheapest, up to 30 minutes of CPU time
    python scripts/tools/reproduce_all.py --only vkr2015/table1 mkl2010   # a table, and all of a paper
    python scripts/tools/reproduce_all.py --only vkr2015 --seeds 1        # the first partition of its tables
    python scripts/tools/reproduce_all.py --one                           # a row and a column of every table
    python scripts/tools/reproduce_all.py --site site                     # the committed results as a site, and no more

The exit code is 0 if everything agrees: numbers to 1e-9, counts, choices and verdicts exactly.
"""

import argparse
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from kernlearn.cli.reproduction.sample import parts_of
from kernlearn.cli.work.budget import seconds_of
from kernlearn.errors import UserError, closest
from kernlearn.papers import figure_names, load_figure, table_names
from kernlearn.report.differences.changes import Status
from kernlearn.report.differences.compare import Difference, Settings, compare_sides
from kernlearn.report.differences.page import show
from kernlearn.report.differences.sides import OF_TABLE, Side, side_of
from kernlearn.report.scorecard import cpu_seconds
from kernlearn.runner.store.tables import read_csv

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"
#: The line of a report with its command.
COMMAND = re.compile(r"^`(kernlearn reproduce [^`]+)`$", re.MULTILINE)
#: The file with the measurements of a table.
PARTITIONS = "_partitions.csv"
FINE = (Status.SAME, Status.WITHIN)


@dataclass(frozen=True)
class Item:
    """A table or figure.

    Attributes
    ----------
    name : str
    commands : tuple of tuple of str
        The words of its commands after ``kernlearn``.
    seconds : float
        The CPU time that its cells took when they were computed.
    whole : bool
        Whether all that is committed is computed.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    seconds: float
    whole: bool = True


def main() -> int:
    """Plan, compute and compare; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="tables, figures and papers")
    parser.add_argument("--budget", metavar="TIME", help="CPU time, such as 90s, 30m or 5h; the cheapest come first")
    parser.add_argument("--seeds", type=int, metavar="S", help="partitions of tables, from seed 0; by default all")
    parser.add_argument("--one", action="store_true", help="of each table one row and one column, the quickest")
    parser.add_argument("--dry-run", action="store_true", help="print the plan alone")
    parser.add_argument("--site", metavar="DIR", help="write what is committed as a site instead")
    parser.add_argument("--against", default="HEAD", help="a commit or a results directory (default: HEAD)")
    parser.add_argument("--results-dir", type=Path, default=Path("reproduced"), help="where the results go")
    parser.add_argument("--jobs", type=int, default=0, help="processes; 0 (default): one for each core")
    given = parser.parse_args()
    try:
        if given.site is not None:
            return verb("report", "--site", given.site, "--results-dir", str(RESULTS))
        items = planned(given.only, given.seeds, given.one)
        chosen = within(items, None if given.budget is None else seconds_of("--budget", given.budget))
        tell_plan(items, chosen)
        return 0 if given.dry_run else run(chosen, given.results_dir, given.jobs, given.against)
    except UserError as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2


def planned(only: Sequence[str] | None = None, seeds: int | None = None, one: bool = False) -> list[Item]:
    """Return the items that are asked for, each after those that it is made from.

    Raises `UserError` if there is no such table, figure or paper.
    """
    known = [name for name in [*table_names(), *figure_names()] if (RESULTS / f"{name}.md").exists()]
    for word in only or ():
        if not any(name == word or name.startswith(f"{word}/") for name in known):
            raise UserError(f"{word}: no results of such a table, figure or paper are kept{closest(word, known)}")
    wanted = [name for name in known if only is None or any(f"{name}/".startswith(f"{word}/") for word in only)]
    if one:
        return [quickest(name) for name in wanted if name in table_names()]
    made_of = {name: load_figure(name).tables for name in wanted if name in figure_names()}
    needed = {table for tables in made_of.values() for table in tables}
    items = [item_of(name, seeds) for name in known if name in wanted or name in needed]
    parts = {item.name for item in items if not item.whole}  # figures cannot be made of them
    return [item for item in items if not parts & set(made_of.get(item.name, ()))]


def item_of(name: str, seeds: int | None) -> Item:
    """Return an item with the commands of its report; with `seeds`, a table has only so many partitions.

    Raises `UserError` if the report has no command that makes this table or figure.
    """
    report = RESULTS / f"{name}.md"
    found = COMMAND.search(report.read_text(encoding="utf-8"))
    commands = [tuple(shlex.split(line))[1:] for line in found[1].split(" && ")] if found else []
    if not commands or any(words[:2] != ("reproduce", name) for words in commands):
        raise UserError(f"{report}: has no command that makes {name}")
    item = Item(name, tuple(commands), cpu_seconds(RESULTS / f"{name}.provenance.json") or 0.0)
    if seeds is None or name not in table_names():
        return item
    of_all = max(int(row["seed"]) for row in read_csv(RESULTS / f"{name}{PARTITIONS}")) + 1
    share = min(1.0, seeds / of_all)
    return replace(
        item,
        commands=(("reproduce", name, "--seeds", str(min(seeds, of_all))),),
        seconds=item.seconds * share,
        whole=seeds >= of_all,
    )


def quickest(name: str) -> Item:
    """Return the row and the column of a table that took the least time."""
    part = min(parts_of(name, RESULTS, at_hand=False), key=lambda part: part.seconds)
    command = ("reproduce", name, "--datasets", part.row, "--algos", part.column, "--seeds", "1", "--add")
    return Item(name, (command,), part.seconds, whole=False)


def within(items: Sequence[Item], budget: float | None) -> list[Item]:
    """Return the cheapest items that fit in a budget together, in their order."""
    left, chosen = inf if budget is None else budget, set[str]()
    for item in sorted(items, key=lambda item: item.seconds):
        if item.seconds > left:
            break
        left -= item.seconds
        chosen.add(item.name)
    return [item for item in items if item.name in chosen]


def tell_plan(items: Sequence[Item], chosen: Sequence[Item]) -> None:
    """Print what is to be done, and what it costs."""
    for item in items:
        mark = "" if item in chosen else "   (over the budget)"
        print(f"{item.seconds / 60:8.1f} min  {line_of(item)}{mark}")
    total = sum(item.seconds for item in chosen)
    print(f"{total / 60:8.1f} min of CPU time for {len(chosen)} of {len(items)} tables and figures", flush=True)


def line_of(item: Item) -> str:
    """Return the commands of an item in a line."""
    return " && ".join(f"kernlearn {shlex.join(words)}" for words in item.commands)


def run(items: Iterable[Item], place: Path, jobs: int, against: str) -> int:
    """Compute what is not there yet, compare each item as soon as it is there, and return the exit code."""
    committed, different = committed_side(against), []
    for item in items:
        if not compute(item, place, jobs):
            print(f"{item.name}: failed; the same command continues", flush=True)
            different.append(item.name)
            continue
        found = compared(item, committed, side_of(str(place), place))
        if found.status in FINE:
            print(f"{item.name}: agrees", flush=True)
        else:
            show(found)
            different.append(item.name)
    print(f"different or failed: {', '.join(different) or 'none'}")
    return int(bool(different))


def committed_side(word: str) -> Side:
    """Return the side of a results directory, or of a commit of this checkout."""
    if Path(word).exists():
        return side_of(word, RESULTS)
    with chdir(ROOT):
        return side_of(word, RESULTS)


def compute(item: Item, place: Path, jobs: int) -> bool:
    """Run the commands of an item, unless they have run; return whether all succeeded."""
    done = place / f"{item.name}.command"
    if done.exists() and done.read_text() == line_of(item):
        return True
    for words in item.commands:
        more = [] if item.name in figure_names() and not load_figure(item.name).cell else ["--jobs", str(jobs)]
        if verb(*words, "--results-dir", str(place), *more):
            return False
    done.write_text(line_of(item))
    return True


def verb(*words: str) -> int:
    """Run kernlearn and return its exit code."""
    return subprocess.run([sys.executable, "-m", "kernlearn.cli.main", *words], check=False).returncode


def compared(item: Item, committed: Side, made: Side) -> Difference:
    """Return how an item differs from what is committed; of a part, only what both have is compared."""
    endings = OF_TABLE if item.whole else (PARTITIONS,)
    names = {f"{item.name}{ending}" for ending in endings if not ending.endswith(".json")}
    sides = [
        replace(side, files={name: side.files[name] for name in names & side.files.keys()})
        for side in (committed, made)
    ]
    return compare_sides(*sides, Settings(common=not item.whole))


if __name__ == "__main__":
    sys.exit(main())
