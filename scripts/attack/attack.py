"""Attack the package with seeded problems that it must not be wrong on, and inputs that must not break it.

Every optimum is held against an oracle: the problem of the paper, written anew for CVXPY and Clarabel. Three things are
held, each by itself: the gap that is claimed against the best value known; the lower bound that is claimed against any
feasible value; the objective that is claimed against the one at the predictor, computed anew in extended precision. The
same problem in another order or in other units must have the same value.

    pip install -e .[bench]
    python scripts/attack/attack.py                                  # 2000 problems, 5000 inputs
    python scripts/attack/attack.py --problems 300 --inputs 0 --only l1_mkl dc
    python scripts/attack/attack.py --repeat l1_mkl:17               # one problem again, with all that is known of it

The exit code is 1 if anything was found that must not be there: a false certificate (a gap below the true one by more
than 1e-9 relative), an "optimal" point that is infeasible, a value that depends on order or units, a wrong kernel, a
traceback, a hang of more than a minute, code of a file that was executed. Listed beside them, and no failure: results
that say themselves that they are inaccurate, problems that were refused in one line, and differences that one rounding
of every entry of the kernel matrices explains. "Sharp" are the optima that the oracle knows to 1e-6.
"""

import argparse
import os
import sys
from collections import Counter, defaultdict
from pathlib import Path
from time import perf_counter

sys.path.append(str(Path(__file__).parents[1] / "bench"))

import one_thread  # noqa: E402, F401  (before numpy is loaded)

# isort: split
from attacks import inputs, problems, workers  # noqa: E402

#: Findings of a kind and method that are printed; the others are counted.
SHOWN = 3


def main() -> int:
    """Attack, print what was found, and return the exit code."""
    options = parse()
    if options.repeat:
        return repeat(options.repeat, options.seed)
    begin, names = perf_counter(), options.only or problems.METHODS
    failed = attack_problems(names, options.problems, options.seed, options.jobs)
    failed |= bool(options.inputs) and attack_inputs(options.inputs, options.seed, options.jobs)
    print(
        f"seed {options.seed}, {options.problems} problems and {options.inputs} inputs: {perf_counter() - begin:.0f} s"
    )
    return int(failed)


def repeat(what: str, seed: int) -> int:
    """Do one problem or input again and say all that is known of it."""
    name, _, number = what.partition(":")
    if name == "input":
        inputs.prepare()
        words, found = inputs.attack(seed, int(number))
        print(words, *(f"{kind}: {wrong}" for kind, wrong in found), sep="\n")
        return int(bool(found))
    report = problems.attack(name, seed, int(number))
    print(*report.traits, *(f"{kind}: {words}" for kind, _, words in report.findings), sep="\n")
    return int(any(problems.KINDS[kind] for kind, *_ in report.findings))


def attack_problems(names: list[str], count: int, seed: int, jobs: int) -> bool:
    """Attack the methods in turn, and return whether anything was found that must not be."""
    pieces = [(names[i % len(names)], seed, i // len(names)) for i in range(count)]
    reports: list[problems.Report] = []
    shown: Counter[tuple[str, str]] = Counter()
    for (name, _, number), result in workers.run_all(pieces, jobs, problems.check_registries, problems.attack):
        report = result
        if isinstance(result, str):
            kind = result if result in ("hang", "death") else "broken"
            report = problems.Report(name, number, findings=[(kind, 0.0, result)])
        reports.append(report)
        for kind in {kind for kind, *_ in report.findings if problems.KINDS[kind]}:
            shown[name, kind] += 1
            if shown[name, kind] <= SHOWN:
                words = next(words for other, _, words in report.findings if other == kind)
                print(f"--seed {seed} --repeat {name}:{number}: {kind}: {words}", flush=True)
    return table(reports)


def attack_inputs(count: int, seed: int, jobs: int) -> bool:
    """Attack with inputs of all kinds in turn, and return whether anything was found."""
    lines: dict[str, Counter[str]] = defaultdict(Counter)
    pieces = [(seed, number) for number in range(count)]
    for (_, number), result in workers.run_all(pieces, jobs, inputs.prepare, inputs.attack):
        found = [(result.partition("\n")[0], "")] if isinstance(result, str) else result[1]
        line = lines[inputs.kind_of(number)]
        line["inputs"] += 1
        for kind, words in found:
            line[kind] += 1
            if line[kind] <= SHOWN:
                print(f"--seed {seed} --repeat input:{number}: {kind}: {words}", flush=True)
    columns = ["inputs", "traceback", "hang", "death", "execution"]
    print("kind".ljust(28), *(column.rjust(10) for column in columns))
    for name, line in lines.items():
        print(name.ljust(28), *(str(line[column]).rjust(10) for column in columns))
    return any(set(line) - {"inputs"} for line in lines.values())


def table(reports: list[problems.Report]) -> bool:
    """Print a line for every method and return whether anything is there that must not be."""
    kinds = list(problems.KINDS)
    lines: dict[str, Counter[str]] = defaultdict(Counter)
    worst: dict[str, float] = defaultdict(float)
    for report in reports:
        line = lines[report.method]
        line.update({"problems": 1, "optima": report.optima, "sharp": report.sharp})
        line.update({kind for kind, *_ in report.findings})
        worst[report.method] = max(worst[report.method], report.worst)
    columns = ["problems", "optima", "sharp", *kinds]
    print("method".ljust(36), *(column.rjust(max(6, len(column))) for column in columns), "worst excess")
    lines["all"] = sum(lines.values(), Counter())
    worst["all"] = max(worst.values(), default=0.0)
    for name, line in lines.items():
        counts = (str(line[column]).rjust(max(6, len(column))) for column in columns)
        print(name.ljust(36), *counts, f"{worst[name]:.1e}".rjust(12))
    return any(lines["all"][kind] for kind in kinds if problems.KINDS[kind])


def parse() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", type=int, default=2000, help="optimisation problems (2000)")
    parser.add_argument("--inputs", type=int, default=5000, help="commands, configurations, files, values (5000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", metavar="METHOD", choices=problems.METHODS, help="some methods")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--repeat", metavar="METHOD:NUMBER", help="one problem again, or input:NUMBER")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
