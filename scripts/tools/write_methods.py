"""Write what pages of ``docs`` take from the registries: tables of methods, kernels, scalings, protocols; a flow chart.

``python scripts/tools/write_methods.py`` writes them. With ``--check`` it only compares them, and the exit code tells
whether they agree; a method that the page does not have yet is no fault, since the site always has all of them. Sizes
come from the table in ``docs/speed.md``; a method without a row there is "not measured".
"""

import argparse
import json
import re
import runpy
import sys
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from kernlearn.algorithms import ALGORITHMS, Method
from kernlearn.evaluation import PROTOCOLS
from kernlearn.kernels import FAMILIES
from kernlearn.kernels.families.registry import APPROXIMATION, KERNEL_PARAMETERS
from kernlearn.parameters import headline
from kernlearn.report.markdown import table_line
from kernlearn.scalings import DESCRIPTIONS

ROOT = Path(__file__).parents[2]
PAGE, SPEED, CHOICES = (ROOT / "docs" / f"{name}.md" for name in ("which_method", "speed", "choices"))
ESTIMATORS = runpy.run_path(str(ROOT / "docs" / "_ext" / "recipes.py"))["ESTIMATORS"]
CHART = ROOT / "docs" / "images" / "which_method.svg"
BEGIN, END = "<!-- tables: written by scripts/tools/write_methods.py -->\n", "<!-- end of the tables -->"

#: What one has, and which methods are for that.
GROUPS: list[tuple[str, Callable[[Method], bool]]] = [
    ("Two classes, fixed kernels", lambda m: _signs(m, "kernels") and not m.weighs and not m.universum),
    ("Two classes, learned kernel weights", lambda m: _signs(m, "kernels") and m.weighs),
    ("Two classes, no kernel", lambda m: _signs(m, "stumps", "features")),
    ("Two classes and a Universum", lambda m: m.universum),
    ("Many classes at once", lambda m: "classes" in m.targets),
    ("Regression", lambda m: "reals" in m.targets),
    ("Sequences", lambda m: m.sequential),
    ("Few labels, and a graph of all examples", lambda m: m.sees_all),
]


def _signs(method: Method, *inputs: str) -> bool:
    return "signs" in method.targets and not method.sees_all and method.inputs in inputs


def sizes(speed: str) -> dict[str, str]:
    """Return up to which number of examples every method is practical, as the page on speed says it.

    Raises
    ------
    ValueError
        If a method has two rows there.
    """
    part = speed.partition("## How large n can be")[2]
    result: dict[str, str] = {}
    for line in part.splitlines():
        if line.startswith("|"):
            kind, size = (cell.strip() for cell in line.split("|")[1:3])
            for name in re.findall(r"`(\w+)`", kind):
                if name in result:
                    raise ValueError(f"{SPEED}: {name} is in two rows")
                result[name] = size
    return result


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join([table_line(head), "|" + "---|" * len(head), *map(table_line, rows)])


def tables(methods: Mapping[str, Method], size: Mapping[str, str]) -> str:
    """Return a table for everything that one may have."""
    parts = []
    for title, belongs in GROUPS:
        rows = [
            [f"`{name}`", method.description, estimators_of(name), size.get(name, "not measured")]
            for name, method in methods.items()
            if belongs(method)
        ]
        parts.append(f"### {title}\n\n{table(['`algo=`', 'what it is', 'estimator', 'up to n'], rows)}")
    return "\n\n".join(parts) + "\n\n"


def which_method(every: bool = True) -> str:
    """Return the page on methods with all methods, or with those that it has, as the registry describes them."""
    had = re.findall(r"^\| `(\w+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    methods = {name: method for name, method in ALGORITHMS.items() if method.is_own and (every or name in had)}
    return page(PAGE, tables(methods, sizes(SPEED.read_text(encoding="utf-8"))))


def estimators_of(method: str) -> str:
    """Return the estimators of a method."""
    return ", ".join(f"`{name}`" for name, methods in ESTIMATORS.items() if method in methods) or "none"


def choices() -> str:
    """Return the tables of kernels, scalings and protocols."""
    kernels, scalings, protocols = [], [], []
    for name, family in sorted(FAMILIES.items()):
        own = {key: one.default for key, one in KERNEL_PARAMETERS[name].items() if key not in APPROXIMATION}
        defaults = ", ".join(f"`{key}={json.dumps(value)}`" for key, value in own.items())
        kernels.append([f"`{name}`", headline(family), defaults])
    for name, description in DESCRIPTIONS.items():
        scalings.append([f"`{name}`", description])
    for name, protocol in sorted(PROTOCOLS.items()):
        protocols.append([f"`{name}`", protocol.description, f"`{protocol.rule}`"])
    return (
        f"## Kernels\n\n{table(['`kernel=`', 'what it is', 'parameters (`kernel.*`) and defaults'], kernels)}\n\n"
        f"## Scalings\n\n{table(['`scaling=`', 'what it does'], scalings)}\n\n"
        f"## Protocols\n\n{table(['`protocol=`', 'what it is', '`rule=`'], protocols)}\n\n"
    )


def page(path: Path, written: str) -> str:
    """Return a page with its tables between its two marks."""
    head, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    return f"{head}{BEGIN}\n{written}{END}{rest.partition(END)[2]}"


#: The flow chart: a question, and what to take where the answer is yes.
STEPS = [
    ("Does every position of a sequence need a label?", ["crf", "struct_svm"]),
    ("Do you predict numbers?", ["krr", "l2_krr", "alignf"]),
    ("Are only a few of many examples labelled?", ["sgt", "storm"]),
    ("Do you also have examples of neither class?", ["u_svm"]),
    ("Do you want one optimisation problem for all classes?", ["struct_svm", "multiclass_mkl"]),
    ("Are there more than 50,000 examples?", ["adaboost", "vkr", "l1_svm"]),
    ("Do you want to combine several kernels?", ["alignf", "l1_mkl", "vkr"]),
    ("Do you want boosted decision stumps?", ["adaboost", "lpboost"]),
    ("Does a direction of large variance say nothing about the classes?", ["rmm", "sigma_svm"]),
    ("Do you need a sparse solution, with few coefficients?", ["vkr", "l1_svm"]),
]
LAST = ["l2_svm"]
WIDTH, LEFT, RIGHT, HEIGHT, STEP = 480, 250, 160, 54, 84


def wrapped(text: str, most: int) -> list[str]:
    """Return a text in lines of at most so many letters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > most and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def box(x: float, y: float, width: float, lines: list[str], style: str, mono: bool = False) -> str:
    """Return a box with centred lines of text."""
    family = "ui-monospace, monospace" if mono else "system-ui, sans-serif"
    middle = y + HEIGHT / 2 - 9 * (len(lines) - 1) + 5
    text = "".join(
        f'<text x="{x + width / 2:g}" y="{middle + 18 * k:g}" text-anchor="middle" font-family="{family}" '
        f'font-size="14" fill="#111">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT}" rx="6" {style}/>{text}'


def arrow(x1: float, y1: float, x2: float, y2: float, word: str, dx: float, dy: float) -> str:
    """Return an arrow with a word beside its middle."""
    return (
        f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="#333" stroke-width="1.5" '
        f'marker-end="url(#head)"/><text x="{(x1 + x2) / 2 + dx:g}" y="{(y1 + y2) / 2 + dy:g}" text-anchor="middle" '
        f'font-family="system-ui, sans-serif" font-size="13" fill="#333">{word}</text>'
    )


def chart() -> str:
    """Return the flow chart as SVG: a column of questions, and what each leads to."""
    question, answer = 'fill="#eef3fb" stroke="#33578f"', 'fill="#e9f6ec" stroke="#2c7a3f"'
    parts = []
    for k, (words, names) in enumerate(STEPS):
        y = 4 + k * STEP
        assert set(names) <= set(ALGORITHMS), names
        parts.append(box(4, y, LEFT, wrapped(words, 32), question))
        parts.append(box(WIDTH - RIGHT - 4, y, RIGHT, wrapped(", ".join(names), 16), answer, mono=True))
        parts.append(arrow(4 + LEFT, y + HEIGHT / 2, WIDTH - RIGHT - 8, y + HEIGHT / 2, "yes", 0, -6))
        parts.append(arrow(4 + LEFT / 2, y + HEIGHT, 4 + LEFT / 2, y + STEP - 3, "no", 16, 4))
    y = 4 + len(STEPS) * STEP
    parts.append(box(4, y, LEFT, LAST, answer, mono=True))
    height = y + HEIGHT + 4
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-label="Which method for my data: a column of questions with yes and no">\n'
        '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L10 5L0 10z" fill="#333"/></marker></defs>\n'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def main() -> int:
    """Write the pages and the chart, or check them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if something is stale")
    check = parser.parse_args().check
    stale = []
    wanted = {PAGE: which_method(every=not check), CHOICES: page(CHOICES, choices()), CHART: chart()}
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(str(path.relative_to(ROOT)))
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    print("\n".join(f"{path}: {'stale' if check else 'written'}" for path in stale) or "nothing has changed")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
