"""``kernlearn fit``: select hyper-parameters on your own file, train on all of its rows, and write the model."""

import argparse
import os
import shlex
from collections.abc import Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Any, TypedDict

from kernlearn.cli.facts.data import DataFacts, data_facts
from kernlearn.cli.facts.experiments import CertificateFacts, SelectedFacts, given_point, selected_facts
from kernlearn.cli.model.output import output_file, require_no_input
from kernlearn.cli.parser import EVERY_VERB, Parser, switches_in_words, unknown_option
from kernlearn.documents import deliver
from kernlearn.errors import UserError
from kernlearn.models.archive import is_model
from kernlearn.models.features import ranges_of
from kernlearn.models.file import save
from kernlearn.streams import put

HELP = """\
usage: kernlearn fit [FILE] [GROUP=NAME ...] [KEY=VALUE ...] -o MODEL [options]

Select hyper-parameters by cross-validation over all rows, train on all rows, and write the model:

  kernlearn fit algo=vkr my.csv target=label -o model.kl
  kernlearn fit algo=l2_svm dataset=ionosphere probability=true -o model.kl
  kernlearn fit --from results/runs/NAME -o model.kl
  kernlearn fit --from results/comparisons/NAME -o model.kl

FILE, groups and keys are those of kernlearn run, with the same defaults (kernlearn run --help), and:
  probability=false              true: learn probabilities, too, from decision values of cross-validation

options:
  -o, --output MODEL             the file to write; it may replace another model
  --from RUN                     take configuration and selection of a finished run or comparison, and none of the above
  --algo NAME                    of a comparison: this method; by default the best that is no baseline
  --force                        replace a file that is no model
  -cd, --config-dir DIR          look for choices in DIR first: algo=mine is DIR/algo/mine.yaml
{switches}
"""


class Document(TypedDict):
    """The model that was trained."""

    #: The file that was written, and its size.
    model: str
    bytes: int
    algorithm: str
    task: str
    data: DataFacts
    #: The configuration of the training.
    experiment: dict[str, Any]
    selected: SelectedFacts
    #: The score of always predicting the same, as the header of the model has it (docs/models.md); null if undefined.
    baseline: dict[str, Any] | None
    #: The test score of the run or comparison that the model is from, as the header has it; null if there is none.
    test: dict[str, Any] | None
    #: The number of support vectors; null for models without.
    n_support: int | None
    #: Whether the model has probabilities.
    probability: bool
    certificate: CertificateFacts


#: Most features that the header names.
LISTED = 1_000
#: The key of this verb alone.
PROBABILITY = "probability"


def main(argv: list[str]) -> int:
    """Fit a model and write it; see `kernlearn.cli.main.main` for the exit code."""
    given, words = _parser().parse_known_args(argv)
    if given.help:
        put(HELP.format(switches=switches_in_words(EVERY_VERB)))
        return 0
    if unknown := next((word for word in words if word.startswith("-")), None):
        raise unknown_option(unknown, "fit", [*options(), *EVERY_VERB])
    if given.output is None:
        raise UserError("kernlearn fit: give the file of the model with -o MODEL, such as -o model.kl")
    output = output_file(given.output, given.force, is_model, "model")
    probability, words = _probability(words)
    return _fit(given, words, output, probability)


def _fit(given: argparse.Namespace, words: Sequence[str], output: Path, probability: bool) -> int:
    """Select, train, write and say what was done."""
    import warnings

    from kernlearn.cli.configuration.settings import check_settings
    from kernlearn.cli.model.training import baseline_of, n_folds_of, plan_of_run, select, train
    from kernlearn.report.choice import ends
    from kernlearn.report.model import against_baseline, baseline_in_words, exact_in_words, test_in_words
    from kernlearn.report.run import beyond, choice_in_words, describe_data, describe_method, describe_settings, notes
    from kernlearn.report.summary import on_rare_class
    from kernlearn.report.terminal import say, say_note
    from kernlearn.runner.plan.capacity import admit, need_of
    from kernlearn.runner.plan.config import check_chosen_by, check_experiment
    from kernlearn.runner.plan.plan import plan

    point: int | None = None
    test: dict[str, Any] = {}
    ends_of_run: list[tuple[str, bool]] = []
    if given.run is not None:
        if words:
            raise UserError(f"{words[0]}: --from takes the configuration of the run, leave out the other words")
        todo, point, words_of_method, test, ends_of_run = plan_of_run(Path(given.run), given.algo)
        engine = {"jobs": 0}
        if words_of_method:
            say(f"method     {words_of_method}")
    elif given.algo is not None:
        raise UserError(f"--algo {given.algo}: is for --from; without it write algo={given.algo}")
    else:
        config = _configuration(given, words)
        todo = plan(check_experiment(config), chosen_by=check_chosen_by(config))
        engine = dict(check_settings(config).engine)
        if need := need_of([todo], todo.cells[:1]):
            admit(need, engine)
    require_no_input(output, str(todo.experiment.dataset.get("path", "")))
    describe_data(todo)
    for note in notes(todo):
        say_note(note)
    describe_method(todo)
    describe_settings(todo)
    if todo.experiment.method.universum:
        raise UserError(f"algo={todo.experiment.method.name}: learns from a Universum, which has no file; use Python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is not optimal is said below
        words = "the only grid point" if len(todo.grid) == 1 else f"by {given.run}"
        found, rows = None, list[Any]()
        of_run = given.run is not None and point is not None and len(todo.grid) > 1
        if point is None and len(todo.grid) > 1:
            if given.run is not None:
                say_note("the splits of the run selected different points, so cross-validation selects one")
            number, what = n_folds_of(todo), f"among {len(todo.grid)} grid points"
            say(f"choice     {what} by {number}-fold cross-validation over all rows, {_by(todo)}")
            found, rows = select(todo, int(engine.get("jobs") or 0) or os.cpu_count() or 1)
            point, words = found.point, choice_in_words(found)
        model = train(todo, point or 0, probability)
    machine, n = model[-1], todo.dataset.X.shape[0]
    values = {key: float(value) for key, value in machine.values_.items()}
    if "(" not in words:
        words = f"{', '.join(f'{key}={value:g}' for key, value in values.items()) or 'nothing to choose'} ({words})"
    say(f"selected   {words}")
    at_ends = [(beyond(end), end.is_settled) for end in ends(todo, found, rows)] if found else ends_of_run
    say(f"trained    on all {n} {'sequences' if todo.dataset.is_sequential else 'rows'}{_size(machine)}")
    certificate = _certificate(machine)
    say(f"proved     {_proved(certificate)}")
    if exact := exact_in_words(certificate):
        say(f"exact      {exact}")
    selection: dict[str, Any] = {"values": values, "words": words}
    if found:
        selection |= {"metric": found.metric, "validation_score": found.validation_score, "folds": n_folds_of(todo)}
    elif of_run:
        selection |= {"protocol": todo.experiment.protocol["name"]}
    if at_ends:
        selection |= {"at_grid_end": [{"words": note, "settled": settled} for note, settled in at_ends]}
    baseline = baseline_of(todo, found)
    about = _about(todo, model, selection, probability) | {
        key: value
        for key, value in (("baseline", baseline), ("test", test), ("rare_class", on_rare_class(todo)))
        if value
    }
    if test:
        say(f"test       {test_in_words(test)}")
    elif baseline:
        say(f"baseline   {baseline_in_words(baseline)}")
    good, verdict = against_baseline(about)
    if baseline and not good:
        say_note(verdict)
    if good or "rare_class" not in about:  # else the score improves where the common class alone is predicted
        for note, _ in at_ends:
            say_note(note)
    save(model, output, force=given.force, about=about)
    document: Document = {
        "model": str(output),
        "bytes": os.stat(output).st_size,
        "algorithm": about["algorithm"],
        "task": about["task"],
        "data": data_facts(todo.dataset, todo.experiment.is_regression),
        "experiment": about["experiment"],
        "selected": selected_facts(todo, found, rows) if found else given_point(point or 0, values),
        "baseline": baseline or None,
        "test": test or None,
        "n_support": machine.n_support_ or None,
        "probability": probability,
        "certificate": certificate,
    }
    deliver(document)
    say(f"model: {output} ({document['bytes']} bytes)")
    ending = "txt" if todo.dataset.is_sequential else "csv"
    say(f"next: kernlearn predict {shlex.quote(str(output))} NEW.{ending} -o predictions.{ending}")
    return 0


def _certificate(machine: Any) -> CertificateFacts:
    from kernlearn.certificates.own.problems import UNPROVED

    if reason := UNPROVED.get(machine._proof.method):
        return {
            "status": None,
            "objective": None,
            "lower_bound": None,
            "gap": None,
            "exact_gap": None,
            "unproved": reason,
        }
    status = next((one.status for one in machine._proof.solutions if one.status != "optimal"), "optimal")
    bound = float(machine.dual_objective_)
    objective, gap = float(machine.objective_), float(machine.gap_)
    return {
        "status": status,
        "objective": objective,
        "lower_bound": bound,
        "gap": gap,
        "exact_gap": machine.exact_gap_,
        "unproved": None,
    }


def _proved(found: CertificateFacts) -> str:
    if found["unproved"]:
        return f"nothing: {found['unproved']}"
    return f"objective {found['objective']:.6g}, relative gap {found['gap']:.1e}: {found['status']}"


def _configuration(given: argparse.Namespace, words: Sequence[str]) -> dict[str, Any]:
    """Return the configuration of the words of a command line, and print what was translated."""
    from kernlearn.cli.configuration.aliases import names_file, translated
    from kernlearn.cli.configuration.compose import Loader, plain
    from kernlearn.report.terminal import say_note

    loader = Loader(given.config_dir)
    words = [
        f"dataset={word}" if os.path.isfile(word) or "=" not in word and names_file(word) else word for word in words
    ]
    if any(word.startswith("dataset=") and word.count(",") and not os.path.exists(word[8:]) for word in words):
        raise UserError("dataset: kernlearn fit takes one data set")
    if not any(word.startswith(("dataset=", "dataset.path=", "file=")) for word in words):
        raise UserError("kernlearn fit: give a file, such as my.csv, or dataset=NAME (kernlearn list datasets)")
    words, lines = translated(words, loader.places.options)
    for line in lines:
        say_note(line)
    return plain(loader.compose(words))


def _probability(words: Sequence[str]) -> tuple[bool, list[str]]:
    """Return the value of the key ``probability``, and the other words."""
    from kernlearn.parameters import Flag

    own = [word for word in words if word.partition("=")[0] == PROBABILITY]
    texts = {"true": True, "false": False}
    value = own[-1].partition("=")[2] if own else "false"
    return bool(Flag().check(PROBABILITY, texts.get(value.lower(), value))), [word for word in words if word not in own]


def _by(todo: Any) -> str:
    stratified = not (todo.experiment.is_regression or todo.dataset.is_sequential)
    return f"{'stratified, ' if stratified else ''}select_by={todo.metric}, seed={todo.experiment.seed}"


def _size(machine: Any) -> str:
    return f": {machine.n_support_} support vectors" if machine.n_support_ else ""


def _about(todo: Any, model: Any, selection: dict[str, Any], probability: bool) -> dict[str, Any]:
    """Return what the header says beyond the estimator."""
    data, experiment = todo.dataset, todo.experiment.to_json()
    path = experiment["dataset"].get("path")
    # The model does not depend on where the file was, and its path may be nobody else's business.
    experiment["dataset"] = {key: value for key, value in experiment["dataset"].items() if key != "path"}
    columns = [one.name for one in getattr(model[0], "columns", [])]
    return {
        "algorithm": todo.experiment.method.name,
        "task": todo.experiment.task,
        "probability": probability,
        "data": {
            "name": data.name,
            "sha256": data.digest,
            **({"file_sha256": _digest_of(Path(path))} if path else {}),
            "rows": int(data.X.shape[0]),
            "columns": int(data.X.shape[1]),
        },
        "target": data.schema.target if data.schema else "",
        "features": columns or list(data.columns)[:LISTED],
        "ranges": ranges_of(model[0], data.X),
        "selection": selection,
        "experiment": experiment,
    }


def _digest_of(file: Path) -> str:
    with file.expanduser().open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def _parser() -> Parser:
    parser = Parser(prog="kernlearn fit", add_help=False, allow_abbrev=False)
    for names in (("-h", "--help"), ("--force",)):
        parser.add_argument(*names, action="store_true")
    parser.add_argument("-o", "--output")
    parser.add_argument("--from", dest="run")
    parser.add_argument("--algo")
    parser.add_argument("-cd", "--config-dir")
    return parser


def options() -> list[str]:
    """Return all options and switches."""
    return list(_parser()._option_string_actions)
