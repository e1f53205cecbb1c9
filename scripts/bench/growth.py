"""Time and memory of every method against the number of training examples, as far as they go, with a figure.

Two noisy classes in 20 dimensions, of `scripts/bench/scale.py` (a tenth of the labels turned round, so that the best
error is 10 %), or as real targets; of sequences its sentences. One point in the middle of the grid, on one split,
whose validation and test parts are a third of the training part each: a fresh process on one thread for every size,
doubled until it takes longer than ``--seconds`` of CPU or more than ``--memory``. Reported are CPU seconds, the peak
of the process, its largest relative gap, the test error, and the exponent of n over the last three sizes. Kernels are
ten Gaussians for what learns from several, one otherwise; ten polynomials for VKR; all as the matrix, rows or blocks
that a run takes by itself. Every line states the commit that computed it; what measured it stands beside the table.

    python scripts/bench/growth.py --algos vkr l2_svm      # print these, each with a fitted row for memory.csv
    python scripts/bench/growth.py --record                # write all methods, an hour or more; what is there stays
    python scripts/bench/growth.py --record --algos vkr    # write this one, measured again
    python scripts/bench/growth.py --draw                  # write the figure and the report from the table
"""

import argparse
import csv
import json
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from time import perf_counter
from typing import Any

import one_thread  # noqa: F401  (before numpy is loaded)

# isort: split
import numpy as np
from scale import methods, plan_of, write_problem, write_sentences
from scipy.optimize import nnls

from kernlearn import algorithms
from kernlearn.algorithms import ALGORITHMS
from kernlearn.algorithms.core.method import CHAINS, KERNELS
from kernlearn.atomic import write_atomically
from kernlearn.cli.configuration.compose import compose_config
from kernlearn.memory import MB, reset_peak
from kernlearn.parameters import Numbers
from kernlearn.report.markdown import table_line
from kernlearn.report.pictures import render
from kernlearn.runner.cell.data import data_of
from kernlearn.runner.cell.run import run_cell
from kernlearn.runner.plan.cost import STREAMED, Constants, arrays
from kernlearn.runner.provenance.made import made
from kernlearn.runner.provenance.record import Computation, provenance, write_provenance
from kernlearn.runner.store.files import read_json

#: CPU seconds and MB of a process, where nothing else is asked for.
LIMITS = {"seconds": 20.0, "memory": 6000.0}
TARGET = Path(__file__).parents[2] / "results" / "growth"
COLUMNS = ("algorithm", "task", "kernels", "n", "cpu_seconds", "peak_mb", "gap", "error", "status", "commit")
#: The least size, and that at which even the fastest method ends; of sentences it is a tenth.
FIRST, LAST = 500, 128_000
D, WORDS, LENGTH = 20, 1000, 10
#: Lines of a panel that can be told apart.
LINES = 15
#: Methods that weigh all points of a family, which is one of polynomials then.
OVER_POINTS = ("vkr",)


def words_of(name: str, task: str, kernels: str, path: Path) -> list[str]:
    """Return the words of a command line."""
    words = [f"algo={name}", f"task={task}", "protocol=rotation5"]
    if kernels == CHAINS:
        words += ["dataset=conll", f"dataset.path={path}", "dataset.target=-1", "scaling=none", f"kernel={CHAINS}"]
        words += ["kernel.degree=2"] * (KERNELS in ALGORITHMS[name].choices)
    else:
        scaling = "none" if kernels == "matrices" and name not in OVER_POINTS else "unit"
        words += ["dataset=csv", f"dataset.path={path}", "dataset.target=label", f"scaling={scaling}"]
    if kernels.startswith("all "):
        words += [f"kernel={kernels.removeprefix('all ')}", "kernel.number=0", "algo.over=all"]
    elif kernels == "matrices" and name not in OVER_POINTS:
        gammas = np.geomspace(0.005, 0.5, 10) if ALGORITHMS[name].weighs else np.array([1 / D])
        words += ["kernel=gaussian", f"kernel.gammas={gammas.round(6).tolist()}"]
    elif kernels == "features":
        words += ["kernel=features"]
    elif kernels == "matrices":
        words += ["kernel=polynomial"]
    grid = compose_config([f"algo={name}"])["algo"]
    for key, parameter in ALGORITHMS[name].parameters.items():
        if isinstance(parameter.kind, Numbers) and grid.get(key):
            words.append(f"algo.{key}=[{grid[key][len(grid[key]) // 2]}]")
    return words


def measure_here(small: list[str], words: list[str], memory: float) -> dict[str, Any]:
    """Run the first cell of an experiment in this process, after a small one; return its line and who made it."""
    run_cell(plan_of(small).cells[0])  # imports and compilation
    resource.setrlimit(resource.RLIMIT_DATA, (int(memory * MB), int(memory * MB)))
    cell = plan_of(words).cells[0]
    data_of(cell)  # reading is no part of it
    reset_peak()
    result = run_cell(cell)
    if result["status"] != "ok":
        out = "MemoryError" in result["error"]
        return {"status": f"more than {memory:g} MB" if out else result["error"], "made": result["made"]}
    rows: list[Any] = [row for row in result["rows"] if "point" in row]
    error = rows[-1].get("test_error_pct", rows[-1].get("test_rmse"))
    took = {"cpu_seconds": round(result["made"]["cpu_seconds"], 2), "peak_mb": round(result["made"]["peak_mb"] or 0.0)}
    return {
        **took,
        "gap": float(f"{max(row['gap'] for row in rows):.1e}"),
        "error": error,
        "status": rows[-1]["status"],
        "made": result["made"],
    }


def problem_of(kernels: str, n: int, folder: Path) -> Path:
    """Return the file of a problem whose training part has n examples, or sentences."""
    path = folder / f"{n}.{'txt' if kernels == CHAINS else 'csv'}"
    if not path.exists():
        if kernels == CHAINS:
            write_sentences(path, n * 5 // 3, WORDS, LENGTH)
        else:
            write_problem(path, n * 5 // 3, D)
    return path


def measure(method: tuple[str, str, str], n: int, folder: Path, seconds: float, memory: float) -> dict[str, Any]:
    """Measure a method with n training examples in a fresh process; return its line and who made it."""
    words = [words_of(*method, problem_of(method[2], size, folder)) for size in (next(sizes(method[2])), n)]
    command = [sys.executable, __file__, "--memory", str(memory), "--here", json.dumps(words)]
    limit, start = int(10 * seconds), perf_counter()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)),
    )
    head = dict(zip(COLUMNS, (*method, n), strict=False))
    if done.returncode:
        return {**head, "status": why_it_ended(done, limit), "made": made(seconds=perf_counter() - start)}
    return {**head, **json.loads(done.stdout.splitlines()[-1])}


def why_it_ended(done: subprocess.CompletedProcess[str], limit: int) -> str:
    """Return why a process had no result."""
    if done.returncode > 0:
        return done.stderr.strip().splitlines()[-1]
    name = signal.Signals(-done.returncode).name
    return f"more than {limit} CPU seconds" if name == "SIGXCPU" else f"ended by {name}"


def sizes(kernels: str) -> Iterator[int]:
    """Yield numbers of training examples, doubled one after the other."""
    n, last = (FIRST // 10, LAST // 10) if kernels == CHAINS else (FIRST, LAST)
    while n <= last:
        yield n
        n *= 2


def series(rows: list[dict[str, Any]]) -> dict[tuple[str, str, str], list[dict[str, Any]]]:
    """Return what was measured by method, in the order of the sizes."""
    found = defaultdict(list)
    for row in rows:
        found[row["algorithm"], row["task"], row["kernels"]].append(row)
    return {method: sorted(lines, key=lambda row: int(row["n"])) for method, lines in found.items()}


def exponent(lines: list[dict[str, Any]], key: str) -> float:
    """Return the power of n by which a column grows over the last three sizes; NaN of fewer than two."""
    last = [(float(row["n"]), float(row[key])) for row in lines if row.get(key)][-3:]
    return float(np.polyfit(*np.log(np.maximum(last, 1e-2)).T, 1)[0]) if len(last) > 1 else np.nan


def read() -> list[dict[str, Any]]:
    """Return the rows of the table, none if there is none."""
    path = TARGET / "growth.csv"
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []


def makers() -> Computation:
    """Return who computed the lines of the table, and what was measured again since."""
    path = TARGET / "growth.provenance.json"
    return Computation(read_json(path) if path.exists() else None)


def limits() -> dict[str, float]:
    """Return the limits within which the table was measured, none if there is none."""
    path = TARGET / "growth.provenance.json"
    return dict(read_json(path)["limits"]) if path.exists() else {}


def write(rows: list[dict[str, Any]], computation: Computation, wall_seconds: float, within: dict[str, float]) -> None:
    """Write the table in the order of the methods, and where it comes from."""
    order = {method: i for i, method in enumerate(methods())}
    rows.sort(key=lambda row: (order[row["algorithm"], row["task"], row["kernels"]], int(row["n"])))
    TARGET.mkdir(parents=True, exist_ok=True)
    with (TARGET / "growth.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    record = provenance([], computation, wall_seconds)
    commits = {row["commit"] for row in rows}
    record["computed"] = [entry for entry in record["computed"] if entry["code"]["commit"] in commits]
    write_provenance(TARGET / "growth.provenance.json", {**record, "limits": within})


def rooms() -> dict[str, str]:
    """Return the rooms of the methods by their names, by which panels are told apart."""
    found = {}
    for module in walk_packages(algorithms.__path__, f"{algorithms.__name__}."):
        content = import_module(module.name)
        for method in getattr(content, "METHODS", [getattr(content, "METHOD", None)]):
            if method:
                found[method.name] = module.name.split(".")[2].replace("_", " ")
    return found


def columns_of(methods: list[tuple[str, str, str]]) -> dict[str, list[tuple[str, str, str]]]:
    """Return the methods by room; a room of more than `LINES` by kind of kernels, or task, too."""
    room_of, found = rooms(), dict[str, list[tuple[str, str, str]]]()
    sizes = Counter(room_of[name] for name, _, _ in methods)
    for name, task, kernels in methods:
        room = room_of[name]
        if sizes[room] > LINES:
            room += f"\n{task if task != 'classification' else kernels}"
        found.setdefault(room, []).append((name, task, kernels))
    return found


def draw(rows: list[dict[str, Any]]) -> None:
    """Write the figure: a column of panels a room, or a part of one, CPU seconds above the peak of memory."""
    measured = {method: [row for row in lines if row["cpu_seconds"]] for method, lines in series(rows).items()}
    columns = columns_of([method for method, lines in measured.items() if lines])

    def paint(canvas: Any) -> None:
        panels = canvas.subplots(2, len(columns), sharex=True, sharey="row", squeeze=False)
        for j, (title, keys) in enumerate(columns.items()):
            mine = [(method, measured[method]) for method in keys]
            algos = list(dict.fromkeys(method[0] for method, _ in mine))
            for i, ((name, task, kernels), lines) in enumerate(mine):
                k, form = algos.index(name), sum(method[0] == name for method, _ in mine[:i])
                words = [name, *[kernels] * (kernels != "matrices"), *[task[:4]] * (task != "classification")]
                style = {
                    "color": f"C{k % 10}",
                    "marker": (".", "x", "+")[k // 10],
                    "markersize": 4.0,
                    "linestyle": ("-", "--", ":", "-.")[form],
                    "linewidth": 1.0,
                    "label": " ".join(words),
                }
                for panel, key in zip(panels[:, j], ("cpu_seconds", "peak_mb"), strict=True):
                    panel.loglog([int(row["n"]) for row in lines], [float(row[key]) for row in lines], **style)
            panels[0, j].set_title(title, fontsize=9)
            panels[1, j].set_xlabel("training examples" if title != "structured" else "training examples or sentences")
            panels[1, j].legend(fontsize=5.5, loc="upper left", bbox_to_anchor=(0.0, -0.25))
        panels[0, 0].set_ylabel("CPU seconds of one grid point")
        panels[1, 0].set_ylabel("peak of the process, MB")

    for ending, content in render((2.6 * len(columns), 6.2), paint).items():
        write_atomically(TARGET / f"growth{ending}", content)


def report(rows: list[dict[str, Any]], seconds: float, memory: float) -> str:
    """Return the report in Markdown."""
    head = ("method", "task", "kernels", "largest n", "CPU s", "n^", "peak MB", "n^", "gap", "ends by")
    lines = [
        "# Time and memory against the number of examples",
        "",
        f"`python scripts/bench/growth.py --record --seconds {seconds:g} --memory {memory:g}`",
        "",
        " ".join((__doc__ or "").split("\n\n")[1].split()),
        "",
        f"The last size that took at most {seconds:g} CPU seconds and {memory:g} MB, or the first that took more time.",
        "",
        "![time and memory](growth.svg)",
        "",
        table_line(head),
        "|---|---|---|" + "---|" * (len(head) - 3),
    ]
    for method, found in series(rows).items():
        done = [row for row in found if row["cpu_seconds"]]
        if not done:
            lines.append(table_line([*method, "", "", "", "", "", "", found[-1]["status"]]))
            continue
        last = done[-1]
        why = found[-1]["status"] if found[-1] is not last else "time" if float(last["cpu_seconds"]) > seconds else ""
        numbers = [f"{int(last['n']):,}", last["cpu_seconds"], f"{exponent(done, 'cpu_seconds'):.1f}"]
        numbers += [last["peak_mb"], f"{exponent(done, 'peak_mb'):.1f}", last["gap"], why]
        lines.append(table_line([*method, *map(str, numbers)]))
    missing = dict.fromkeys(name for name, *rest in asked() if (name, *rest) not in series(rows))
    if missing:
        lines += ["", f"Not measured yet, which the same command does: {', '.join(missing)}."]
    return "\n".join(lines) + "\n"


def asked() -> Iterator[tuple[str, str, str]]:
    """Yield the methods that are measured; examples of a Universum come with their data, which are not drawn here.

    Whether matrices are held or not is no other method here.
    """
    yield from (method for method in methods() if not ALGORITHMS[method[0]].universum and method[2] != STREAMED)


def memory_row(method: tuple[str, str, str], rows: list[dict[str, Any]], folder: Path) -> str:
    """Return the line of a method for ``memory.csv``: least squares for the peaks of its process at several sizes.

    One kind of array is fitted beside the process itself: n x n, of methods that weigh kernels p x n x n, or n x D.
    """
    name, _, kernels = method
    kind = "features" if kernels != "matrices" else "stack" if ALGORITHMS[name].weighs else "square"
    there = [row for row in rows if row.get("peak_mb")]
    kinds = [arrays(plan_of(words_of(*method, problem_of(kernels, row["n"], folder))).cost.size) for row in there]
    peaks = [row["peak_mb"] - found["data"] / MB for row, found in zip(there, kinds, strict=True)]
    (base, number), _ = nnls(np.array([[1.0, found.get(kind, 0.0) / MB] for found in kinds]), np.array(peaks))
    fitted = {"base_mb": round(base), kind: round(number, 2)}
    return ",".join([*method, *(str(fitted.get(field.name, 0)) for field in fields(Constants))])


def main() -> None:
    """Measure methods and print them, or with ``--record`` what is missing, and write table, figure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algos", nargs="+", choices=[*ALGORITHMS], default=[], metavar="NAME")
    parser.add_argument("--seconds", type=float, help="CPU seconds after which no larger size is tried (20)")
    parser.add_argument("--memory", type=float, help="MB that a process may take (6000)")
    parser.add_argument("--record", action="store_true", help="write results/growth; without, results are printed only")
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    parser.add_argument("--here", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        print(json.dumps(measure_here(*json.loads(arguments.here), arguments.memory)))
        return
    record = arguments.record or arguments.draw
    rows, computation, start = read() if record else [], makers(), perf_counter()
    known = limits() if record else {}
    seconds, memory = (known.get(key, value) for key, value in LIMITS.items())
    if known and (arguments.seconds not in (None, seconds) or arguments.memory not in (None, memory)):
        parser.error(f"the table was measured with --seconds {seconds:g} --memory {memory:g}: give these, or remove it")
    seconds, memory = arguments.seconds or seconds, arguments.memory or memory
    done = {method for method in series(rows) if method[0] not in arguments.algos}
    order = [*arguments.algos, *(name for name in ALGORITHMS if not arguments.algos)]
    found = sorted((method for method in asked() if method[0] in order), key=lambda method: order.index(method[0]))
    if not arguments.draw:
        print(*COLUMNS[:-1], flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for method in [] if arguments.draw else [method for method in found if method not in done]:
            rows = [row for row in rows if (row["algorithm"], row["task"], row["kernels"]) != method]
            for n in sizes(method[2]):
                row = measure(method, n, Path(folder), seconds, memory)
                print(" ".join(str(row.get(key, "")) for key in COLUMNS[:-1]), flush=True)
                computation.add(" ".join((*method, str(n))), row["made"])
                rows.append({key: row.get(key, "") for key in COLUMNS} | {"commit": row["made"]["code"]["commit"]})
                if not row.get("cpu_seconds") or row["cpu_seconds"] > seconds:
                    break
            if record:
                write(rows, computation, perf_counter() - start, {"seconds": seconds, "memory": memory})
            elif len(measured := [row for row in series(rows).get(method, []) if row["peak_mb"]]) > 1:
                print(f"for memory.csv: {memory_row(method, measured, Path(folder))}", flush=True)
    if record:
        rows = read()
        draw(rows)
        write_atomically(TARGET / "growth.md", report(rows, seconds, memory).encode())


if __name__ == "__main__":
    main()
