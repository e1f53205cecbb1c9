"""``kernlearn compare``: rank methods and baselines on your own data, with tests that say which differences count."""

import argparse
from collections.abc import Sequence

from kernlearn.cli.facts.comparison import ComparisonFacts
from kernlearn.cli.parser import SWITCHES, Parser, add_dry_run
from kernlearn.cli.work.reading import KEYS
from kernlearn.documents import deliver
from kernlearn.errors import UserError, closest

#: Keys of this verb alone, and their meanings.
OWN_KEYS = {
    "algos": "fast (default): methods that take seconds on 1,000 rows; all: every method that fits; or a,b,c",
    "budget": "stop after 90s, 10m or 1.5h; cheap methods come first, and the same command continues",
}
#: Keys of kernlearn run that are useful here.
SHARED_KEYS = (
    *("seed", "protocol", "scaling", "kernel", "select_by", "class_weight", "multiclass", "grid"),
    *("engine.jobs", "results_dir"),
)
EXAMPLES = """\
keys of this verb:
  algos=fast       {algos}
  budget=10m       {budget}

keys that other verbs have, too:
  target=, types=, missing=, text=, ...   how a file is read (kernlearn look --help)
  task=regression  the target is a number
  seed=0,1,2       three partitions in the place of one: tests find smaller differences
  select_by=auc    the score that selects hyper-parameters and ranks methods
  kernel=linear, scaling=minmax, ...      all that kernlearn run takes, for the methods that it suits

examples:
  kernlearn compare my.csv target=label
  kernlearn compare my.csv target=price task=regression algos=all budget=10m
  kernlearn compare ionosphere sonar pima wdbc algos=l2_svm,rmm,alignf
"""


#: What ``--json`` prints.
Document = ComparisonFacts


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn compare",
        description="Compare methods with each other and with scikit-learn's baselines on the same splits. Inner "
        "cross-validation selects hyper-parameters. No test row takes part.",
        usage="kernlearn compare FILE|DATASET ... [KEY=VALUE ...] [options]",
        epilog=EXAMPLES.format(**OWN_KEYS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("words", nargs="*", metavar="FILE|DATASET|KEY=VALUE", help="data, and keys as listed below")
    parser.add_argument("-cd", "--config-dir", metavar="DIR", help="look for choices in DIR first")
    add_dry_run(parser)
    for switch, text in SWITCHES.items():
        parser.add_argument(switch, action="store_true", help=text)
    return parser


def names(before: list[str]) -> list[str]:
    """Return the data sets and keys that can follow."""
    from kernlearn.plugins import choices

    keys = [f"{key}=" for key in (*OWN_KEYS, *KEYS, *SHARED_KEYS)]
    values = [f"algos={name}" for name in ("fast", "all", *choices("algo"))]
    return [*choices("dataset"), *keys, *values]


def main(argv: list[str]) -> int:
    """Run a comparison; see `kernlearn.cli.main.main` for the exit code."""
    given = make_parser().parse_intermixed_args(argv)
    data, own, words = _sorted(given.words)
    from kernlearn.cli.work.budget import seconds_of
    from kernlearn.cli.work.comparison import Request, compare
    from kernlearn.runner.provenance.record import shell_word

    switches = {switch[2:].replace("-", "_") for switch in SWITCHES if getattr(given, switch[2:].replace("-", "_"))}
    said = [word for word in argv if word not in SWITCHES and not word.startswith("--dry-run")]
    request = Request(
        data=data,
        words=[*words, *(f"{switch}=true" for switch in sorted(switches))],
        algos=own.get("algos", "fast"),
        budget=seconds_of("budget", own["budget"]) if "budget" in own else None,
        config_dir=given.config_dir,
        dry_run=given.dry_run,
        command=" ".join(["kernlearn compare", *map(shell_word, said)]),
    )
    compare(request, deliver)
    return 0


def _sorted(given: Sequence[str]) -> tuple[list[str], dict[str, str], list[str]]:
    """Return data sets and files, the values of `OWN_KEYS`, and all other words of a command line."""
    import os

    data, own, words = list[str](), dict[str, str](), list[str]()
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or os.path.isfile(word):
            data.append(word)
        elif key in OWN_KEYS:
            own[key] = value
        elif key in ("algo", "estimator", "model", "algorithm"):
            raise UserError(f"{word}: give the methods as algos={value or 'NAME,NAME'}")
        elif key in ("dataset", "dataset.path", "file"):
            raise UserError(f"{word}: give the data without a key, as in kernlearn compare {value or 'FILE'}")
        else:
            words.append(word)
    if not data:
        near = closest(given[0].partition("=")[0], OWN_KEYS) if given else ""
        raise UserError(f"give a file or a data set, as in kernlearn compare my.csv target=label{near}")
    return data, own, words
