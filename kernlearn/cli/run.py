"""``kernlearn run``: run one experiment from a configuration, or many with ``-m``."""

import argparse
from collections.abc import Sequence
from itertools import islice
from typing import Any, NotRequired, TypedDict

from kernlearn.cli.facts.data import TableRow, table_row
from kernlearn.cli.facts.experiments import RunFacts
from kernlearn.cli.parser import (
    EVERY_VERB,
    PILOT,
    PILOT_HELP,
    SWITCHES,
    DryRun,
    Parser,
    add_dry_run,
    switches_in_words,
    unknown_option,
)
from kernlearn.documents import add_note, deliver
from kernlearn.errors import PartFailed, UserError
from kernlearn.streams import complain, put, tell

HELP = """\
usage: kernlearn run [-m] [GROUP=NAME ...] [KEY=VALUE ...] [options]

Run one experiment, print its results and write its tables:

  kernlearn run algo=vkr dataset=ionosphere
  kernlearn run -m algo=vkr,l1_svm,l2_svm dataset=ionosphere,pima
  kernlearn run algo=vkr dataset=csv dataset.path=my.csv dataset.target=label

groups (choose with GROUP=NAME):
{groups}

values (change with KEY=VALUE; --cfg job shows all of them):
  algo.*, kernel.*, dataset.*    parameters of the choices above
  task=classification            or regression: real targets, or the labels -1 and +1 of two classes
  multiclass=one_vs_rest         or one_vs_one: how a two-class method learns more than two classes
  class_weight=null              balanced, or {{NAME: 5, ...}}: weights of the losses, by class; balanced gives every
                                 class the same total weight on each training part
  select_by=null                 validation score that selects a grid point: error_pct, balanced_error_pct,
                                 accuracy_pct, macro_f1_pct, auc, expected_error_pct (votes),
                                 sequence_error_pct, f1_pct (sequences), rmse, mse, mae or r2; null: the error of
                                 the task
  rule=null                      selection rule: overall, per_split, first5, median5, patience50 or swap; null: the
                                 rule of the protocol
  limit=null                     seconds for each program; at the limit, a program stops after its iteration with
                                 status "capped", so results depend on the machine's speed
  grid=full                      use all values of a grid; by_size (default for own files): shorten default grids for
                                 large data
  streamed=false                 true: compute kernel values on demand, in little memory; the optima agree up to
                                 their gaps
  scaling=unit                   scaling of the examples: unit, none, minmax, standard, symmetric, tfidf or others
  seed=0                         seed of the random partition
  engine.jobs=0                  processes; 0 means one for each core
  results_dir=results            directory of tables and finished cells

options:
  -m, --multirun                 run all combinations of comma-separated values
  -cd, --config-dir DIR          look for choices in DIR first: algo=mine is DIR/algo/mine.yaml
  -cn, --config-name NAME        start from DIR/NAME.yaml instead of the default config.yaml
  -c, --cfg job                  print the configuration instead of running it
  -p, --package KEY              print only this part of the configuration
  -r, --resolve                  print values instead of references such as ${{seed}}
  --dry-run                      check everything and show what would run
{switches}

For your own file (dataset=csv dataset.path=FILE) the defaults are protocol=nested5x5, kernel=gaussian,
scaling=standard and grid=by_size; --cfg job shows them. Names of scikit-learn such as algo=svc, kernel=rbf, C=10,
gamma=scale and random_state=1 are translated.

Files in DIR are read as data, so it is safe to use files of others. They can make choices, set values and refer to
other values (${{seed}}). They cannot call or import anything. With -m, a launcher of Hydra can run the jobs:
hydra/launcher=joblib, submitit_local or submitit_slurm. hydra.launcher.KEY=VALUE sets its sizes, times and names.
docs/extend.md has the grammar.
"""

#: Maximum number of experiments of one ``run -m``.
MOST_RUNS = 5_000


class Document(TypedDict):
    """One experiment, or many with -m, or a configuration with --cfg job."""

    #: The experiments that ran, or would run. Those that ended with an error have none but that of the document.
    runs: list[RunFacts]
    #: The rows of the ranking of several experiments, and its file.
    ranking: list[TableRow]
    ranking_file: str | None
    #: With --cfg job: the configuration, or a part of it.
    config: NotRequired[Any]


def main(argv: list[str]) -> int:
    """Run the experiments of a command line; see `kernlearn.cli.main.main` for the exit code."""
    given, words = _options(argv)
    if given.help:
        switches = switches_in_words({PILOT: PILOT_HELP, **SWITCHES, **EVERY_VERB})
        put(HELP.format(groups=_groups(), switches=switches))
        return 0
    from kernlearn.cli.configuration.aliases import translated
    from kernlearn.cli.configuration.compose import Loader
    from kernlearn.report.terminal import say_note

    loader = Loader(given.config_dir, given.config_name)
    words, lines = translated(words, loader.places.options)
    document: Document = {"runs": [], "ranking": [], "ranking_file": None}
    if given.cfg:
        for line in lines:
            tell(f"note       {line}")
            add_note(line)
        document["config"] = _show(loader, given, words)
        deliver(document)
        return 0
    for line in lines:
        say_note(line)
    try:
        if given.multirun:
            _run_many(loader, words, given.dry_run, document)
        else:
            from kernlearn.cli.configuration.compose import plain
            from kernlearn.cli.work.experiments import run

            run(plain(loader.compose(words)), dry_run=given.dry_run, use=document["runs"].append)
    finally:
        deliver(document)
    return 0


def _parser() -> Parser:
    parser = Parser(prog="kernlearn run", add_help=False, allow_abbrev=False)
    for names in (("-h", "--help"), ("-m", "--multirun"), ("-r", "--resolve")):
        parser.add_argument(*names, action="store_true")
    add_dry_run(parser)
    parser.add_argument("-c", "--cfg", choices=("job",))
    for names in (("-cd", "--config-dir"), ("-cn", "--config-name"), ("-p", "--package")):
        parser.add_argument(*names)
    return parser


def options() -> list[str]:
    """Return all options and switches."""
    return [*_parser()._option_string_actions, *SWITCHES]


def _options(argv: list[str]) -> tuple[argparse.Namespace, list[str]]:
    """Split a command line into options and the words of the configuration."""
    known = options()
    for word in argv:
        if word.startswith("-") and word.partition("=")[0] not in known:
            raise unknown_option(word, "run", [*known, *EVERY_VERB])
    # A switch stands for a value of the configuration: --retry-failed for retry_failed=true.
    argv = [f"{a[2:].replace('-', '_')}=true" if a in SWITCHES else a for a in argv]
    return _parser().parse_known_args(argv)


def _show(loader: Any, options: argparse.Namespace, words: list[str]) -> Any:
    """Print the configuration of one experiment, or a part of it, and return it."""
    from omegaconf import OmegaConf

    from kernlearn.cli.configuration.compose import plain

    if options.multirun:
        raise UserError("--cfg job: shows one configuration; leave out --multirun")
    config = loader.compose(words)
    shown: Any = plain(config) if options.resolve else config
    for key in options.package.split(".") if options.package else ():
        if not isinstance(shown, dict) or key not in shown:
            raise UserError(f"--package {options.package}: no such part of the configuration; give one such as algo")
        shown = shown[key]
    put(OmegaConf.to_yaml(shown) if isinstance(shown, dict | list) else str(shown))
    return shown


def _run_many(loader: Any, words: list[str], dry_run: DryRun, document: Document) -> None:
    """Run all combinations one after the other, or as the jobs of a launcher.

    All of them are checked before the first one is computed. If one fails, the others still run.
    """
    from kernlearn.cli.configuration.expand import expand
    from kernlearn.cli.configuration.settings import another_place, check_settings, require_writable
    from kernlearn.cli.launch import launch, take_launcher
    from kernlearn.cli.work.experiments import plan_all, run

    launcher, parameters, words = take_launcher(words)
    configs = list(islice(expand(words, (), loader), MOST_RUNS + 1))
    if len(configs) > MOST_RUNS:
        raise UserError(f"more than {MOST_RUNS} runs: use kernlearn sweep for so many")
    plans, refused = plan_all(configs)
    _raise_all(refused)
    if launcher != "basic" and not dry_run:  # launchers run the experiments in other processes
        results = check_settings(configs[0]).results
        with another_place("results_dir=DIR"):  # the launcher writes there before the first run does
            require_writable(results)
        _raise_all(launch(configs, launcher, parameters, str(results / "multirun"), document["runs"]))
        return
    problems: list[Exception] = []
    outcomes: list[Any] = []
    for config, planned in zip(configs, plans, strict=True):
        try:
            run(config, dry_run=dry_run, outcomes=outcomes, planned=planned, use=document["runs"].append)
        except Exception as error:
            problems.append(error)
    if outcomes:
        _rank(outcomes, document)
    _raise_all(problems)


def _raise_all(problems: Sequence[Exception]) -> None:
    """Print all different problems but the last, one a line, and raise the last."""
    different = list({str(problem): problem for problem in problems}.values())
    for problem in different[:-1]:
        if isinstance(problem, UserError | PartFailed):
            complain(problem)
    if different:
        raise different[-1]


def _rank(outcomes: Sequence[Any], document: Document) -> None:
    """Rank the experiments on each data set, and print and write the ranking."""
    from kernlearn.report.ranking import Ranking, show_ranking
    from kernlearn.runner.plan.identity import run_id
    from kernlearn.runner.plan.sweeps import name_of

    ranking = Ranking()
    for plan, selection, _ in outcomes:
        ranking.add(plan, selection)
    name = name_of(run_id(plan) for plan, _, _ in outcomes)
    path = outcomes[0].results / "rankings" / f"{name}.csv"
    document["ranking"] = [table_row(row) for row in show_ranking(ranking, path)]
    document["ranking_file"] = str(path)


def _groups() -> str:
    from kernlearn.plugins import choices

    groups = ("algo", "dataset", "kernel", "protocol", "engine")
    return "\n".join(f"  {group:<9} {', '.join(choices(group))}" for group in groups)
