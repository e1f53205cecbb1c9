"""``kernlearn run``: one experiment from a configuration, or many with ``-m``."""

import argparse
from collections.abc import Sequence
from itertools import islice
from typing import Any

from kernlearn.cli.parser import PILOT, PILOT_HELP, SWITCHES, DryRun, Parser, add_dry_run
from kernlearn.errors import PartFailed, UserError, closest
from kernlearn.streams import complain, put, tell

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
  multiclass=one_vs_rest         or one_vs_one: how a method for two classes learns more of them
  class_weight=null              balanced, or {{NAME: 5, ...}}: factors of the losses of the examples of a class;
                                 balanced gives all classes the same total on every training part
  select_by=null                 the validation score that chooses a grid point: error_pct, balanced_error_pct,
                                 accuracy_pct, auc, expected_error_pct (of votes), sequence_error_pct, f1_pct (of
                                 sequences), rmse, mae or r2; null: the error of the task
  rule=null                      how it chooses: overall, per_split, first5, median5, patience50 or swap; null: the
                                 rule of the protocol
  limit=null                     seconds per program; a program that reaches the limit stops after its round with
                                 status "capped", so results depend on the machine's speed
  grid=full                      keep every value of the lists of a grid; by_size (own files): shorten default grids for
                                 large data
  streamed=false                 true: kernel values are computed as they are needed, in little memory; the same optima,
                                 to their gaps
  scaling=unit                   of examples: unit, none, minmax, standard, symmetric, tfidf or tfidf_salton
  seed=0                         of the random partition
  engine.jobs=0                  processes; 0 means one for every core
  results_dir=results            where tables and finished work are kept

options:
  -m, --multirun                 run all combinations of comma-separated values
  -cd, --config-dir DIR          look for choices in DIR first: DIR/algo/mine.yaml is algo=mine
  -cn, --config-name NAME        begin with DIR/NAME.yaml instead of our own config.yaml
  -c, --cfg job                  print the configuration instead of running it
  -p, --package KEY              print this part of it only
  -r, --resolve                  print references such as ${{seed}} replaced by the values
  --dry-run                      check everything and say what would run
{switches}
  --debug                        show the traceback of an error

On a file of your own (dataset=csv dataset.path=FILE) the defaults are protocol=nested5x5, kernel=gaussian,
scaling=standard and grid=by_size; --cfg job shows them. Words of scikit-learn such as algo=svc, kernel=rbf, C=10,
gamma=scale and random_state=1 are understood.

A file in DIR is data and may come from anywhere. It can make choices, set values and refer to other values (${{seed}}).
It cannot call or import anything. With -m, a launcher of Hydra can run the jobs: hydra/launcher=joblib, submitit_local
or submitit_slurm; hydra.launcher.KEY=VALUE sets its sizes, times and names. docs/commands.md has the grammar.
"""

#: Experiments of one ``run -m``.
MOST_RUNS = 5_000


def main(argv: list[str]) -> int:
    """Run the experiments of a command line; see `kernlearn.cli.main.main` for the exit code."""
    given, words = _options(argv)
    if given.help:
        switches = "\n".join(f"  {switch:<31}{text}" for switch, text in {PILOT: PILOT_HELP, **SWITCHES}.items())
        put(HELP.format(groups=_groups(), switches=switches))
        return 0
    from kernlearn.cli.configuration.aliases import translated
    from kernlearn.cli.configuration.compose import Loader
    from kernlearn.report.terminal import say

    loader = Loader(given.config_dir, given.config_name)
    words, lines = translated(words, loader.places.options)
    for line in lines:
        (tell if given.cfg else say)(f"note       {line}")
    if given.cfg:
        return _show(loader, given, words)
    if given.multirun:
        return _run_many(loader, words, given.dry_run)
    from kernlearn.cli.configuration.compose import plain
    from kernlearn.cli.work.experiments import run

    run(plain(loader.compose(words)), dry_run=given.dry_run)
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
            raise UserError(f"{word}: no such option (kernlearn run --help){closest(word, known)}")
    # A switch stands for a value of the configuration: --retry-failed for retry_failed=true.
    argv = [f"{a[2:].replace('-', '_')}=true" if a in SWITCHES else a for a in argv]
    return _parser().parse_known_args(argv)


def _show(loader: Any, options: argparse.Namespace, words: list[str]) -> int:
    """Print the configuration of one experiment, or a part of it."""
    from omegaconf import OmegaConf

    from kernlearn.cli.configuration.compose import plain

    if options.multirun:
        raise UserError("--cfg job: shows one configuration; leave out --multirun")
    config = loader.compose(words)
    shown: Any = plain(config) if options.resolve else config
    for key in options.package.split(".") if options.package else ():
        if not isinstance(shown, dict) or key not in shown:
            raise UserError(f"--package {options.package}: is no part of the configuration, such as algo")
        shown = shown[key]
    put(OmegaConf.to_yaml(shown) if isinstance(shown, dict | list) else str(shown))
    return 0


def _run_many(loader: Any, words: list[str], dry_run: DryRun) -> int:
    """Run all combinations one after the other, or as the jobs of a launcher; one that fails stops no other.

    All of them are checked before the first is computed.
    """
    from kernlearn.cli.configuration.expand import expand
    from kernlearn.cli.configuration.settings import another_place, check_settings, require_writable
    from kernlearn.cli.launch import launch, take_launcher
    from kernlearn.cli.work.experiments import plan_all, run

    launcher, parameters, words = take_launcher(words)
    configs = list(islice(expand(words, (), loader), MOST_RUNS + 1))
    if len(configs) > MOST_RUNS:
        raise UserError(f"more than {MOST_RUNS} runs: kernlearn sweep is made for as many")
    plans, refused = plan_all(configs)
    _raise_all(refused)
    if launcher != "basic" and not dry_run:  # which takes the runs to other processes
        results = check_settings(configs[0]).results
        with another_place("results_dir=DIR"):  # the launcher has files in it before the first run has
            require_writable(results)
        _raise_all(launch(configs, launcher, parameters, str(results / "multirun")))
        return 0
    problems: list[Exception] = []
    outcomes: list[Any] = []
    for config, planned in zip(configs, plans, strict=True):
        try:
            run(config, dry_run=dry_run, outcomes=outcomes, planned=planned)
        except Exception as error:
            problems.append(error)
    if outcomes:
        _rank(outcomes)
    _raise_all(problems)
    return 0


def _raise_all(problems: Sequence[Exception]) -> None:
    """Raise the last of several problems after writing the others, each once and on a line of its own."""
    different = list({str(problem): problem for problem in problems}.values())
    for problem in different[:-1]:
        if isinstance(problem, UserError | PartFailed):
            complain(problem)
    if different:
        raise different[-1]


def _rank(outcomes: Sequence[Any]) -> None:
    """Show and write which of the experiments is best on each data set."""
    from kernlearn.report.ranking import Ranking, show_ranking
    from kernlearn.runner.plan.identity import run_id
    from kernlearn.runner.plan.sweeps import name_of

    ranking = Ranking()
    for plan, selection, _ in outcomes:
        ranking.add(plan, selection)
    name = name_of(run_id(plan) for plan, _, _ in outcomes)
    show_ranking(ranking, outcomes[0].results / "rankings" / f"{name}.csv")


def _groups() -> str:
    from kernlearn.plugins import choices

    groups = ("algo", "dataset", "kernel", "protocol", "engine")
    return "\n".join(f"  {group:<9} {', '.join(choices(group))}" for group in groups)
