"""``kernlearn replay``: compute a sample of kept results again, and say what moved and which verdicts flipped."""

import argparse
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, TypedDict

from kernlearn.cli.parser import Parser, add_results_dir, results_dir, results_dir_of
from kernlearn.documents import deliver
from kernlearn.errors import UserError

if TYPE_CHECKING:
    from kernlearn.cli.reproduction.replayed import Replayed
    from kernlearn.cli.reproduction.sample import Item

#: Exit code if a number moved beyond its gap, a certificate got worse, a verdict flipped, or a part failed.
ALARM = 1
EXAMPLES = """\
examples:
  kernlearn replay --budget 5m                       # some parts of every table and figure in results/
  kernlearn replay vkr2015/table1 --budget 1h        # of one table
  kernlearn replay mkl2010 --dry-run                 # what would be computed

The parts that were not replayed for longest come first, so that repeated replays come to all of them.
"""


class ReplayFacts(TypedDict):
    """What became of the parts of a table or figure."""

    name: str
    #: The parts by what became of them: "same", "within its gap", "not comparable", "moved", "certificate worse" or
    #: "failed".
    outcomes: dict[str, str]
    #: What changed, in words.
    changes: list[str]
    #: The verdicts and claims that flipped, in words.
    flipped: list[str]
    #: The largest relative change of a number.
    largest_change: float
    seconds: float


class Document(TypedDict):
    """A replay of kept results."""

    replays: list[ReplayFacts]
    #: The parts that the sample has, by table or figure.
    planned: dict[str, list[str]]
    #: The file with the history.
    history: str | None


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn replay",
        description="Compute a sample of kept results again with the present code and packages, and judge their tables "
        "and figures again. The exit code is 1 if something moved, and otherwise 0.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="tables, figures or papers; all by default")
    parser.add_argument("--budget", default="30m", metavar="TIME", help="about how long: 90s, 30m (default) or 1.5h")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="processes; 0 (default): one for each core")
    add_results_dir(parser, "directory of the kept results")
    parser.add_argument("--dry-run", action="store_true", help="show the sample and compute nothing")
    return parser


def names(before: list[str]) -> list[str]:
    """Return the kept tables and figures."""
    from kernlearn.cli.reproduction.sample import kept_names

    return kept_names(results_dir_of(before), [])


def main(argv: list[str]) -> int:
    """Replay a sample; see `kernlearn.cli.main.main` for the exit code."""
    given = make_parser().parse_args(argv)
    from kernlearn.cli.configuration.compose import compose_config
    from kernlearn.cli.configuration.settings import Settings, require_writable
    from kernlearn.cli.reproduction.history import FILE, add_line, last_replays, line_of, read_history
    from kernlearn.cli.reproduction.replayed import FAILED, MOVED, WORSE, replay
    from kernlearn.cli.reproduction.sample import chosen, kept_names, parts_of
    from kernlearn.cli.work.budget import seconds_of
    from kernlearn.papers.core.directories import use_results
    from kernlearn.report.terminal import say
    from kernlearn.runner.plan.config import check_engine

    budget, results = seconds_of("--budget", given.budget), results_dir(given)
    if given.jobs < 0:
        raise UserError(f"--jobs {given.jobs}: must be 0 or more")
    use_results(results)
    kept = kept_names(results, given.names)
    if not kept:
        raise UserError(f"{results}: has no results of a table or figure; kernlearn reproduce TABLE computes them")
    engine = check_engine(compose_config([f"engine.jobs={given.jobs}"]))
    last = last_replays(read_history(results))
    parts = {name: parts_of(name, results) for name in kept}
    sample = chosen(parts, budget, last)
    by_name = {name: [one for one in sample if one.name == name] for name in dict.fromkeys(one.name for one in sample)}
    document: Document = {
        "replays": [],
        "planned": {name: [item.title for item in items] for name, items in by_name.items()},
        "history": None,
    }
    deliver(document)
    _tell_sample(by_name, parts)
    if not by_name:
        raise UserError(f"--budget {given.budget}: no part of the results fits; give a longer one")
    if given.dry_run:
        return 0
    require_writable(results)
    end = perf_counter() + budget
    for name, items in by_name.items():
        if perf_counter() > end:
            say(f"budget     {given.budget} is over before {name}; the next replay begins with what is left")
            break
        with tempfile.TemporaryDirectory() as scratch:
            found = replay(name, items, results, Settings(Path(scratch), engine))
        document["replays"].append(
            {
                "name": name,
                "outcomes": {item.title: outcome for item, outcome in found.outcomes.items()},
                "changes": found.changes,
                "flipped": found.flipped,
                "largest_change": found.largest,
                "seconds": found.seconds,
            }
        )
        add_line(results, line_of(found))
        document["history"] = str(results / FILE)
        deliver(document)
        _tell(found)
    total = Counter(outcome for one in document["replays"] for outcome in one["outcomes"].values())
    say(f"in all     {', '.join(f'{count} {outcome}' for outcome, count in total.items())}")
    if document["history"]:
        say(f"history    {results / FILE}")
    flipped = any(one["flipped"] for one in document["replays"])
    return ALARM if flipped or total.keys() & {MOVED, WORSE, FAILED} else 0


def _tell_sample(sample: Mapping[str, Sequence["Item"]], parts: Mapping[str, Sequence["Item"]]) -> None:
    """Print what is computed of the parts that there are, and why the rest is not."""
    from kernlearn.report.terminal import say

    for name, items in sample.items():
        say(f"sample     {name}: {len(items)} parts, about {sum(item.seconds for item in items):.0f} s of CPU time")
    absent = [name for name, items in parts.items() if not items]
    longer = [name for name, items in parts.items() if items and name not in sample]
    for left_out, reason in ((absent, "the data are not at hand"), (longer, "a part takes longer than what is left")):
        if left_out:
            say(f"not in it  {', '.join(left_out)}: {reason}")


def _tell(found: "Replayed") -> None:
    """Print what became of a table or figure."""
    from kernlearn.report.terminal import say

    counts = Counter(found.outcomes.values())
    words = ", ".join(f"{count} {outcome}" for outcome, count in counts.items()) or "nothing was finished"
    say(f"{found.name}: {words}{f'; {len(found.flipped)} verdicts flipped' if found.flipped else ''}")
    for line in [*found.flipped, *found.changes]:
        say(f"  {line}")
