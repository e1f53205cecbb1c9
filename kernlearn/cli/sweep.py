"""``kernlearn sweep``: plan many experiments, compute them with an engine, and collect them in one table."""

from kernlearn.cli.facts.experiments import SweepFacts
from kernlearn.cli.parser import EVERY_VERB, PILOT, switches_in_words, take_config_dir, unknown_option
from kernlearn.documents import deliver
from kernlearn.streams import put

HELP = """\
usage: kernlearn sweep GROUP=NAME,NAME ... [KEY=VALUE,VALUE ...] [options]

Run all combinations of comma-separated values and ranges as one sweep, and collect them in one table:

  kernlearn sweep algo=vkr,l1_svm dataset=all
  kernlearn sweep algo=vkr dataset=ionosphere,pima 'seed=range(0,10)' engine=local engine.jobs=2
  kernlearn sweep algo=vkr,l1_svm dataset=all engine=slurm engine.partition=long engine.nodes=20

The words are those of kernlearn run; dataset=all means every data set on this machine. Engines:

{engines}

options:
  --config-dir DIR look for choices in DIR first, as kernlearn run does
  --detach         run on the cluster (slurm) or in a background process (local, dask)
  --collect        write the tables of finished cells and run nothing
  --dry-run        show what would run
  --dry-run=pilot  also solve some cells, for at most 60 seconds, to estimate the time
  --force          compute finished cells again
  --retry-failed   compute failed cells again
{switches}

kernlearn status shows the progress on any machine that sees the results directory. The same command continues an
interrupted sweep: it finds the jobs in the queue and computes nothing twice.
"""

OPTIONS = ("--detach", "--collect", "--dry-run", PILOT, "--force", "--retry-failed")


#: What ``--json`` prints.
Document = SweepFacts


def options() -> list[str]:
    """Return all options and switches."""
    return ["--config-dir", *OPTIONS]


def engines() -> str:
    """Return the help text of the engines and their options."""
    from kernlearn.runner.engines.options import CELL_LIMITS, DESCRIPTIONS, ENGINE_OPTIONS

    lines = []
    for name, known in {**ENGINE_OPTIONS, "": CELL_LIMITS}.items():
        lines.append(f"  engine={name:<14}{DESCRIPTIONS[name]}" if name else "  every engine")
        own = {key: option for key, option in known.items() if not name or key not in CELL_LIMITS}
        lines += [f"    engine.{key:<12}{option.meaning}" for key, option in own.items()]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Run a sweep; see `kernlearn.cli.main.main` for the exit code."""
    if "--help" in argv or "-h" in argv:
        put(HELP.format(engines=engines(), switches=switches_in_words(EVERY_VERB, 17)))
        return 0
    place, rest = take_config_dir(argv)
    words = [word for word in rest if word not in OPTIONS]
    for word in words:
        if word.startswith("-"):
            raise unknown_option(word, "sweep", [*OPTIONS, *EVERY_VERB])
    from kernlearn.cli.work.experiments import sweep

    sweep(argv, words, place, {option for option in OPTIONS if option in argv}, deliver)
    return 0
