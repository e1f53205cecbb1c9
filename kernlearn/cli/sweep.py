"""``kernlearn sweep``: many experiments at once, planned whole, computed by an engine, collected into one table."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from kernlearn.cli.parser import take_config_dir
from kernlearn.errors import PartFailed, UserError, closest, one_line
from kernlearn.streams import put

HELP = """\
usage: kernlearn sweep GROUP=NAME,NAME ... [KEY=VALUE,VALUE ...] [options]

Run all combinations of comma-separated values and ranges as one sweep, and collect them in one table:

  kernlearn sweep algo=vkr,l1_svm dataset=all
  kernlearn sweep algo=vkr dataset=ionosphere,pima 'seed=range(0,10)' engine=local engine.jobs=2
  kernlearn sweep algo=vkr,l1_svm dataset=all engine=slurm engine.partition=long engine.nodes=20

Words are those of kernlearn run; dataset=all stands for every data set that is here. Engines:

  engine=local   processes of this machine            engine.jobs=0 (one for every core)
  engine=dask    workers of a Dask cluster            engine.address=tcp://HOST:PORT
  engine=slurm   job arrays on a SLURM cluster        engine.partition= engine.nodes= engine.cpus= engine.minutes=

and for every cell engine.memory (gigabytes), engine.time_limit (minutes), engine.checkpoint (seconds).

options:
  --config-dir DIR look for choices in DIR first, as kernlearn run does
  --detach         leave it to the cluster (slurm) or to a process in the background (local, dask)
  --collect        write the tables of what is finished, run nothing
  --dry-run        say what would run
  --force          compute again what is there already
  --retry-failed   compute again what failed before
  --debug          show the traceback of an error

kernlearn status tells how far it is, from any machine that sees the results directory. The same command again goes on
where it was, finds the jobs that are in the queue, and runs nothing twice.
"""

OPTIONS = ("--detach", "--collect", "--dry-run", "--force", "--retry-failed")
#: Of one choice of everything but the seed: the plan of the first seed, which has been checked.
Checked = dict[str, Any]
#: Experiments whose results are shown on the terminal.
SHOWN = 60


def options() -> list[str]:
    """Return all options and switches."""
    return ["--config-dir", *OPTIONS]


def main(argv: list[str]) -> int:
    """Run a sweep; see `kernlearn.cli.main.main` for the exit code."""
    if "--help" in argv or "-h" in argv:
        put(HELP)
        return 0
    place, rest = take_config_dir(argv)
    words = [word for word in rest if word not in OPTIONS]
    for word in words:
        if word.startswith("-"):
            raise UserError(f"{word}: no such option (kernlearn sweep --help){closest(word, OPTIONS)}")
    detach, collect_only, dry, force, retry = (option in argv for option in OPTIONS)
    from kernlearn.cli.detach import go_to_background
    from kernlearn.cli.experiment import require_writable, within_capacity
    from kernlearn.report.run import notes
    from kernlearn.report.terminal import say
    from kernlearn.runner.capacity import too_large
    from kernlearn.runner.execute import pending
    from kernlearn.runner.store import Store
    from kernlearn.runner.sweeps import name_of, register

    start = perf_counter()
    plans, settings, left_out = plan_sweep(words, place)
    results = settings["results_dir"]
    engine = settings["engine"] | ({"detach": True} if detach and settings["engine"]["name"] == "slurm" else {})
    cells = [cell for plan in plans for cell in plan.cells]
    store, name = Store(results / "shards"), name_of(key for plan in plans for key in plan.keys)
    for line in left_out:
        say(f"left out   {line}")
    for plan in {(p.dataset.name, p.dataset.digest, p.experiment["scaling"]): p for p in plans}.values():
        for warning in notes(plan):
            say(f"note       {plan.dataset.name}: {warning}")
    if collect_only:
        there = store.listing()
        missing = [key for plan in plans for key in plan.keys if key not in there]
    else:
        force, retry = force or settings["force"], retry or settings["retry_failed"]
        missing = pending(cells, store, force=force, retry_failed=retry)
    say(f"sweep      {name}: {len(plans)} experiments, {len(cells)} cells, {len(cells) - len(missing)} already done")
    if not collect_only:
        if "dataset=all" in words:  # what does not fit is left for another machine
            missing, refused = too_large(plans, missing, engine)
            for line in refused:
                say(f"left out   {line}")
        engine = within_capacity(plans, missing, engine, show=dry)
    if dry:
        return 0
    try:
        require_writable(results)
        command = " ".join(["kernlearn sweep", *(word for word in argv if word not in OPTIONS)])
        directory = register(results, name, command, plans)
        if missing and not collect_only:
            if detach and engine["name"] != "slurm":
                return go_to_background("sweep", argv, directory)
            compute(missing, store, engine)
            if engine.get("detach"):
                say(f"submitted; kernlearn status {name} tells how far it is, the same command collects")
                return 0
        return collect(plans, store, directory, engine, start, settings["select_by"])
    except OSError as error:
        if error.filename is None:
            raise
        raise UserError(f"{error.filename}: {error.strerror}; choose another place with results_dir=DIR") from error


def compute(missing: Sequence[Mapping[str, Any]], store: Any, engine: Mapping[str, Any]) -> None:
    """Run cells and show how far they are; an interruption says how to go on."""
    from kernlearn.report.terminal import say, track
    from kernlearn.runner.execute import execute

    total = len(missing)
    try:
        if sys.stdout.isatty():
            track(execute(missing, store, engine=engine), total, "cell")
            return
        failed, step = 0, max(1, total // 20)
        for count, status in enumerate(execute(missing, store, engine=engine), 1):
            failed += status != "ok"
            if count % step == 0 or count == total:
                say(f"cells      {count}/{total}{f', {failed} failed' if failed else ''}")
    except KeyboardInterrupt:
        on_cluster = engine["name"] == "slurm"
        kept = "the jobs go on, and the same command finds them" if on_cluster else "what is finished is kept"
        say(f"interrupted: {kept}; the same command goes on from there")
        raise
    except PartFailed as error:  # the tables of what is there are still of use
        say(f"stopped    {error}")


def plan_sweep(words: Sequence[str], config_dir: str | None = None) -> tuple[list[Any], dict[str, Any], list[str]]:
    """Return the plans of a sweep, its settings, and a line for every data set of ``dataset=all`` that is left out.

    Raises
    ------
    UserError
        If a word is wrong, or a data set that was asked for by name cannot be had.
    """
    from kernlearn.cli.compose import Loader
    from kernlearn.cli.expand import expand
    from kernlearn.datasets import CATALOGUE, whereabouts
    from kernlearn.parameters import Flag, Text
    from kernlearn.plugins import choices
    from kernlearn.runner.cells import require_score
    from kernlearn.runner.config import check_engine, check_experiment, check_metric

    known = [name for name in choices("dataset") if name in CATALOGUE]
    here = [name for name in known if whereabouts(name).kind not in ("to download", "nowhere")]
    everything = "dataset=all" in words
    absent = [name for name in known if name not in here] if everything else []
    left_out = {name: f"{name}: is not here (kernlearn data info {name})" for name in absent}
    plans: list[Any] = []
    checked: Checked = {}
    settings: dict[str, Any] = {}
    engine = None
    for config in expand(words, here, Loader(config_dir)):
        experiment = check_experiment(config)
        if config["engine"] is not engine:  # another configuration, not only another seed
            engine = config["engine"]
            found: dict[str, Any] = {key: Flag().check(key, config[key]) for key in ("force", "retry_failed")}
            found["results_dir"] = Path(str(Text().check("results_dir", config["results_dir"]))).absolute()
            found["engine"], found["select_by"] = check_engine(config), check_metric(config)
            if settings and settings != found:
                raise UserError("engine, results_dir, select_by, force and retry_failed: one value for the whole sweep")
            settings = found
        name = experiment["dataset"]["name"]
        if name in left_out:
            continue
        try:
            planned = _plan(experiment, checked)
            require_score(planned, settings["select_by"])
            plans.append(planned)
        except UserError as error:
            if not everything:
                raise
            left_out[name] = f"{name}: {error}"
    plans = [plan for plan in plans if plan.dataset.name not in left_out]
    if not plans:
        raise UserError("no experiment is left: " + "; ".join(left_out.values()))
    return plans, settings, list(left_out.values())


def _plan(experiment: dict[str, Any], checked: Checked) -> Any:
    from kernlearn.datasets import load
    from kernlearn.runner.cells import plan

    data = json.dumps(experiment["dataset"])
    if data not in checked:
        checked[data] = load(**experiment["dataset"])
    but_seed = json.dumps({key: value for key, value in experiment.items() if key != "seed"})
    found = plan(experiment, checked[data], like=checked.get(but_seed))
    return checked.setdefault(but_seed, found) if but_seed not in checked else found


def collect(
    plans: Sequence[Any],
    store: Any,
    directory: Path,
    engine: Mapping[str, Any],
    start: float,
    metric: str | None = None,
) -> int:
    """Write and show the tables of what is finished; what cannot be collected is named, the others are in the tables.

    Raises
    ------
    PartFailed
        If cells failed or are missing, or experiments could not be collected.
    """
    from kernlearn.report.ranking import Ranking, show_ranking
    from kernlearn.report.summary import COLUMNS, summary_rows
    from kernlearn.report.terminal import say, show_table
    from kernlearn.runner.identity import settings
    from kernlearn.runner.provenance import Computation, provenance, uncommitted, write_provenance
    from kernlearn.runner.tables import rows_of, shards_of, write_csv, write_csv_parts

    summary: list[dict[str, Any]] = []
    lines: list[list[dict[str, Any]]] = []
    failed: list[str] = []
    troubles: list[str] = []
    computation, ranking = Computation(), Ranking()
    missing = 0

    def parts() -> Iterator[list[dict[str, Any]]]:
        nonlocal missing
        for plan in plans:
            rows: list[dict[str, Any]] = []
            try:
                shards = shards_of(plan, store)
                missing += shards.count(None)
                for shard in shards:
                    if shard:
                        computation.add(f"{plan.dataset.name} {plan.label}", shard["made"])
                rows = rows_of(plan, shards, metric)
                bad = [row for row in rows if "point" not in row]
                failed.extend(f"{_title(plan, metric)} split {row['split']}: {row['status']}" for row in bad)
                if selection := plan.select(rows, metric):
                    found = summary_rows(plan, selection)
                    summary.extend(found)
                    ranking.add(plan, selection)
                    if len(lines) <= SHOWN:
                        lines.append(found)
            except Exception as error:  # one experiment's trouble takes no other's tables
                troubles.append(f"{_title(plan, metric)}: {one_line(error)}")
            yield rows

    write_csv_parts(directory / "paths.csv", parts())
    write_csv(directory / "summary.csv", summary, COLUMNS)
    record = provenance([plan.dataset for plan in plans], computation, perf_counter() - start, engine)
    write_provenance(directory / "provenance.json", record)
    if len(lines) <= SHOWN:
        headers = ("data set", "algorithm", "setting", "seed", "test", "result", "support vectors", "paper", "selected")
        what = settings([found[0] for found in lines])
        heads = [
            (found[0]["dataset"], found[0]["algorithm"], setting) for found, setting in zip(lines, what, strict=True)
        ]
        table = [[*head, str(found[0]["seed"]), *_result(found)] for head, found in zip(heads, lines, strict=True)]
        show_table(headers, table, left=3)
    show_ranking(ranking, directory / "ranking.csv")
    if warning := uncommitted(record):
        say(warning)
    for line in [*failed, *troubles][:SHOWN]:
        say(line)
    say(f"results: {directory.relative_to(Path.cwd()) if directory.is_relative_to(Path.cwd()) else directory}")
    if failed or missing or troubles:
        problems = [f"{len(failed)} cells failed (--retry-failed runs them again)"] if failed else []
        problems += [f"{missing} are missing (the same command runs them)"] if missing else []
        problems += [f"{len(troubles)} experiments could not be collected: {troubles[0]}"] if troubles else []
        raise PartFailed(" and ".join(problems))
    return 0


def _result(summary: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return what is shown of an experiment: the metric, its value, support vectors, paper, the choice by it."""
    from kernlearn.evaluation import METRICS
    from kernlearn.report.run import shown

    first, by_metric = summary[0], {row["metric"]: row for row in summary}
    paper = shown(first["metric"], first["paper_mean"], first["paper_std"]) if "paper" in first else ""
    support = by_metric.get("n_support_vectors")  # features have none
    return (
        METRICS[first["metric"]].words.removeprefix("test "),
        shown(first["metric"], first["mean"], first["std"]),
        shown("n_support_vectors", support["mean"], support["std"]) if support else "",
        paper,
        first["selected"],
    )


def _title(plan: Any, metric: str | None) -> str:
    from kernlearn.runner.identity import run_id

    return f"{plan.dataset.name} {plan.label} seed {plan.experiment['seed']} run {run_id(plan, metric)}"
