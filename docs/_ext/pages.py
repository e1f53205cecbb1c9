"""Pages that are made when the site is built: one for each method, for each public class, and the tables of results.

Everything goes to ``docs/generated``, which is in no commit. The texts are the docstrings of the package and the
declarations of its methods, so that no page can go stale.
"""

import contextlib
import inspect
import io
import os
import re
import runpy
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pictures
import recipes
import sentences

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
GENERATED = DOCS / "generated"
RUNS = GENERATED / "runs"

#: What the API page lists beside the estimators: title, module, names.
FUNCTIONS = [
    (
        "Certificates",
        "kernlearn.certificates",
        "svm hard_svm hinge_l1 band weighted_svm weighted_multiclass Certificate relative_gap status_of",
    ),
    ("Solutions of others", "kernlearn.certificates.foreign", "certify certify_arrays Proof"),
    ("Limits", "kernlearn.solvers", "program_limit Solution"),
    ("Kernels", "kernlearn.kernels", "make_family make_inputs KernelFamily is_semidefinite alignment scaled"),
    ("Data", "kernlearn.datasets", "load load_own read_user_file Dataset Entry"),
    ("Words", "kernlearn.datasets.core.words", "features_of"),
    ("Methods", "kernlearn.algorithms", "Method Point Problem Signs Classes Reals Sequences"),
    ("Papers", "kernlearn.papers", "load_table load_figure table_names figure_names judge"),
    ("Parameters of methods and kernels", "kernlearn.parameters", "Parameter Number Numbers Choice Flag Text"),
]
#: How a target is called on a method's page.
TARGETS = {
    "signs": "two classes; more of them by `multiclass=one_vs_rest` or `one_vs_one`",
    "classes": "all classes at once",
    "reals": "numbers",
    "sequences": "a label for every place of a sequence",
}
#: The same for what it learns from.
INPUTS = {
    "kernels": "any kernel family (`kernel=`)",
    "stumps": "decision stumps (`kernel=stumps`)",
    "features": "the features as they are (`kernel=features`)",
    "graph": "a graph of all examples (`kernel=graph`)",
    "chains": "windows of sequences (`kernel=chains`)",
}


def as_rst(text: str) -> str:
    """Return a docstring as reStructuredText: signs of mathematics in its sentences are no markup."""
    lines, literal, indent = [], False, 0
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        if literal and line.strip() and depth <= indent:
            literal = False
        if not literal:
            margin, line = line[:depth], line[depth:]
            plain = re.split(r"(``.*?``|`[^`]*`_?|(?<!\S)\*(?=\S)[^*]*[^*\s]\*(?!\w))", line)
            line = margin + "".join(
                part if k % 2 else re.sub(r"(?<!\\)\||(?<=\w)_(?=\W|$)|(?<!^)\*(?!\*)", lambda m: "\\" + m[0], part)
                for k, part in enumerate(plain)
            )
            if line.rstrip().endswith("::"):
                literal, indent = True, depth
        lines.append(line)
    return "\n".join(lines)


def module_of(method: Any) -> Any:
    """Return the module at whose end a method is declared."""
    path = method.path
    while hasattr(path, "func"):
        path = path.func
    for candidate in _algorithm_modules():
        own = getattr(candidate, "METHODS", [getattr(candidate, "METHOD", None)])
        if any(one is method for one in own):
            return candidate
    return inspect.getmodule(path)


def _algorithm_modules() -> list[Any]:
    from importlib import import_module
    from pkgutil import walk_packages

    from kernlearn import algorithms

    return [import_module(one.name) for one in walk_packages(algorithms.__path__, f"{algorithms.__name__}.")]


def estimators_of(name: str) -> list[str]:
    """Return the names of the public classes that are a method."""
    return [one for one, methods in recipes.ESTIMATORS.items() if name in methods]


def cells(*values: str) -> str:
    """Return a row of a list table."""
    first, *others = (re.sub(r"(?<!\\)\|", r"\\|", value) for value in values)
    return "\n".join([f"   * - {first}", *(f"     - {value}" for value in others)])


def literal(text: str) -> str:
    """Return a text as inline code."""
    return f"``{text}``" if text else ""


def parameters_table(method: Any) -> str:
    """Return the parameters of a method as a table, or a sentence where it has none."""
    if not method.parameters:
        return "It has no parameters."
    rows = [
        cells(
            literal(f"algo.{key}"),
            literal(shown_default(parameter.default)),
            as_rst(parameter.kind.describe()),
            as_rst(parameter.meaning),
        )
        for key, parameter in method.parameters.items()
    ]
    head = ".. list-table::\n   :header-rows: 1\n   :widths: 20 25 25 30\n\n"
    return head + "\n".join([cells("key", "default", "allowed", "meaning"), *rows])


def shown_default(value: Any) -> str:
    """Return a default as the command line takes it."""
    from kernlearn.parameters import shown

    return "null" if value is None else shown(value)


#: Beginnings of lines of a run that are others in every build, or with code that is in no commit.
VARYING = ("seconds of this run", "results: ", "note       UNCOMMITTED")


def run(method: Any) -> tuple[list[str], str, Path]:
    """Run what the page of a method shows; return the words, the last lines of the output and its directory."""
    from kernlearn.cli.main import main

    words = recipes.words(method)
    output = io.StringIO()
    before = Path.cwd()
    os.chdir(RUNS)
    try:
        with contextlib.redirect_stdout(output):
            code = main(["run", *words, "engine.jobs=1"])
    finally:
        os.chdir(before)
    if code:
        raise RuntimeError(f"kernlearn run {' '.join(words)}: exit code {code}\n{output.getvalue()}")
    lines = output.getvalue().splitlines()
    place = next(line.split(": ", 1)[1] for line in lines if line.startswith("results: "))
    start = next(k for k, line in enumerate(lines) if line.startswith("selected"))
    told = [line for line in lines[start:] if not line.startswith(VARYING)]
    return words, "\n".join(told), RUNS / place


def certificate_of(method: Any) -> str:
    """Return what the gap of a method's solutions is compared with."""
    gap = "a relative duality gap of every solution"
    if not method.always_optimal:
        return f"{gap}; the status says where it stopped"
    return f"{gap}; within ``algo.tol``, or the status says otherwise" if "tol" in method.parameters else gap


def method_page(method: Any) -> str:
    """Return the page of a method, and draw its picture."""
    module = module_of(method)
    title = f"``{method.name}``"
    parts = [
        f".. highlight:: none\n\n{title}\n{'=' * len(title)}",
        as_rst(method.description[0].upper() + method.description[1:]) + ".",
    ]
    learned_from = INPUTS.get(method.inputs, method.inputs) + (", or features as kernels" if method.weighs else "")
    facts = [
        ("learns", "; ".join(TARGETS[target] for target in method.targets).replace("`", "``")),
        ("from", learned_from.replace("`", "``")),
        ("solves", method.problem + (f"; for numbers {method.in_regression}" if method.in_regression else "")),
    ]
    if method.sees_all:
        facts.append(("sees", "the examples, not the labels, of the whole split: transduction"))
    if method.universum:
        facts.append(("sees", "a Universum: examples of none of the classes"))
    if method.weighs:
        facts.append(("weights", "it learns one weight for each kernel"))
    if method.class_weight:
        facts.append(("class weights", "``class_weight=`` multiplies the losses of a class"))
    facts.append(("certificate", certificate_of(method)))
    names = estimators_of(method.name)
    if names:
        facts.append(("estimator", ", ".join(f":doc:`{name} </generated/api/{name}>`" for name in names)))
    else:
        facts.append(("estimator", "none of its own; use the command"))
    parts.append(".. list-table::\n   :widths: 20 80\n\n" + "\n".join(cells(*fact) for fact in facts))
    parts.append("The problem\n-----------\n\n" + as_rst(inspect.getdoc(module) or ""))
    parts.append("Parameters\n----------\n\n" + parameters_table(method))
    if method.name in recipes.WITHOUT_RUN:
        parts.append(
            "An example\n----------\n\nIts data sets are not bundled. The gallery has "
            ":doc:`an example in Python </generated/gallery/plot_universum>`, from which this picture is."
        )
        pictures.universum(GENERATED / "methods" / f"{method.name}.svg")
    else:
        words, told, place = run(method)
        pictures.path(method.name, place / "paths.csv", GENERATED / "methods" / f"{method.name}.svg")
        shown = " \\\n       ".join(_lines(words))
        parts.append(
            "An example\n----------\n\n.. code-block:: console\n\n   $ kernlearn run "
            + shown
            + "\n\nends with\n\n.. code-block:: text\n\n"
            + "\n".join("   " + line for line in told.splitlines())
        )
        if "dataset=conll" in words:
            parts.append(
                "``sentences.txt`` is a small corpus, a word and its label a line; "
                ":doc:`an example of the gallery </generated/gallery/plot_words>` makes one like it."
            )
    alt = f"Errors and relative gaps of {method.name} along its grid"
    parts.append(f".. image:: {method.name}.svg\n   :alt: {alt}")
    parts.append(
        "*This page is made from the declaration of the method and its docstrings; the run is made by the build of "
        "the site.*"
    )
    return "\n\n".join(parts) + "\n"


def _lines(words: list[str]) -> list[str]:
    """Return words in lines of at most 80 characters."""
    lines = [""]
    for word in words:
        word = f"'{word}'" if set(word) & set("[]{}") else word
        if lines[-1] and len(lines[-1]) + len(word) > 78:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def write(path: Path, text: str) -> None:
    """Write a page if it is new or different, so that an unchanged one is not read again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def method_pages() -> None:
    """Write the pages of all methods and their list."""
    from kernlearn.algorithms import ALGORITHMS

    RUNS.mkdir(parents=True, exist_ok=True)
    (GENERATED / "methods").mkdir(exist_ok=True)
    sentences.write(RUNS / "sentences.txt")
    families: dict[str, list[str]] = {}
    for name, method in sorted(ALGORITHMS.items()):
        write(GENERATED / "methods" / f"{name}.rst", method_page(method))
        families.setdefault(module_of(method).__name__.split(".")[2].replace("_", " "), []).append(name)
    head = (
        "Methods\n=======\n\nEvery method has a page with its optimisation problem, its parameters, an example run\n"
        "and a picture of its errors and gaps over the grid.\n"
    )
    lists = [
        f"{family.capitalize()}\n{'-' * len(family)}\n\n.. toctree::\n   :maxdepth: 1\n\n"
        + "\n".join(f"   {name}" for name in names)
        for family, names in sorted(families.items())
    ]
    foot = "*The registry of methods makes this list; building the site keeps it true.*\n"
    write(GENERATED / "methods" / "index.rst", "\n\n".join([head, *lists, foot]))


def public_methods(cls: type) -> list[str]:
    """Return the public methods and properties of a class that are kernlearn's own."""
    names = []
    for name, member in inspect.getmembers(cls):
        function = member.fget if isinstance(member, property) else member
        if not inspect.isroutine(function):
            continue  # an attribute, which the docstring of the class has
        if not name.startswith("_") and (getattr(function, "__module__", "") or "").startswith("kernlearn"):
            names.append(name)
    return names


def api_pages() -> None:
    """Write a page for every public class and function, and the lists of these pages."""
    from importlib import import_module

    from kernlearn import estimators

    groups = [("Estimators", "kernlearn", list(estimators.__all__))]
    groups += [(title, module, names.split()) for title, module, names in FUNCTIONS]
    for title, module_name, names in groups:
        for name in names:
            thing = getattr(import_module(module_name), name)
            head = f".. highlight:: none\n\n{name}\n{'=' * len(name)}\n\n.. currentmodule:: {module_name}\n\n"
            if inspect.isclass(thing):
                body = f".. autoclass:: {name}\n"
                members = public_methods(thing)
                body += "".join(
                    f"\n   .. auto{'property' if isinstance(getattr(thing, m), property) else 'method'}:: {m}\n"
                    for m in members
                )
            else:
                body = f".. autofunction:: {name}\n"
            write(GENERATED / "api" / f"{name}.rst", head + body)
        listed = "\n".join(f"   {name}" for name in sorted(names, key=str.lower))
        slug = title.split()[0].lower()
        text = f"{title}\n{'=' * len(title)}\n\nFrom ``{module_name}``.\n\n.. toctree::\n   :maxdepth: 1\n\n{listed}\n"
        write(GENERATED / "api" / f"index_{slug}.rst", text)


def copied_pages() -> None:
    """Copy the benchmarks and the reports of results, which are Markdown beside what they are about."""
    target = GENERATED / "results"
    for page in sorted((ROOT / "results").rglob("*.md")):
        place = page.relative_to(ROOT / "results")
        if "runs" in place.parts or "sweeps" in place.parts:
            continue
        text = page.read_text(encoding="utf-8")
        for link in set(re.findall(r"\]\(([^)\s#]+\.(?:svg|png|csv|json))\)", text)):
            source = page.parent / link
            if source.exists():
                copy = (target / place).parent / link
                copy.parent.mkdir(parents=True, exist_ok=True)
                if not copy.exists() or copy.read_bytes() != source.read_bytes():
                    shutil.copyfile(source, copy)
        write(target / place, relinked(text, page))
    text = (ROOT / "scripts" / "README.md").read_text(encoding="utf-8")
    write(GENERATED / "benchmarks.md", relinked(text, ROOT / "scripts" / "README.md"))
    reports = [str(page.relative_to(target).with_suffix("")) for page in sorted(target.rglob("*.md"))]
    listed = "\n".join(report for report in reports if report != "index")
    head = "# Results\n\nThe reports of all tables and figures.\n\n```{toctree}\n:maxdepth: 1\n\n"
    write(target / "index.md", f"{head}{listed}\n```\n")


def site_place(path: Path) -> Path | None:
    """Return where the site has a file of the repository, or None if it has it not."""
    if path.is_relative_to(DOCS):
        return path
    if path == ROOT / "scripts" / "README.md":
        return GENERATED / "benchmarks.md"
    if path == ROOT / "README.md":
        return DOCS / "start.md"
    if path.is_relative_to(ROOT / "results"):
        place = GENERATED / "results" / path.relative_to(ROOT / "results")
        return place if path.suffix in (".md", ".svg", ".png", ".csv", ".json") else None
    return None


def relinked(text: str, page: Path) -> str:
    """Return a page of the repository with its links as the site has them; what is not on the site loses its link."""
    home = site_place(page)
    assert home is not None

    def link(match: re.Match[str]) -> str:
        label, target = match[1], match[2]
        place, _, anchor = target.partition("#")
        if not place or target.startswith(("http:", "https:", "mailto:")):
            return match[0]
        there = site_place(Path(os.path.normpath(page.parent / place)))
        if there is None or not (page.parent / place).exists() or (page.parent / place).is_dir():
            return label.lstrip("![") if label.startswith("!") else label[1:-1]
        anchor = "" if place.endswith("../README.md") else anchor
        return f"{label}({os.path.relpath(there, home.parent)}{'#' + anchor if anchor else ''})"

    parts = re.split(r"(^```.*?^```)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(
        part if k % 2 else re.sub(r"(!?\[(?:[^\]\\]|\\.)*\])\(([^)\s]+)\)", link, part) for k, part in enumerate(parts)
    )


def read_source(app: Any, name: str, source: list[str]) -> None:
    """Mend the links of a Markdown page of ``docs``, which lead to files of the repository.

    The page on methods gets all methods, also those that its file does not have yet.
    """
    page = DOCS / f"{name}.md"
    if name == "which_method":
        source[0] = runpy.run_path(str(ROOT / "scripts" / "tools" / "write_methods.py"))["which_method"]()
    if page.exists() and not name.startswith("generated/"):
        source[0] = relinked(source[0], page)


def process(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Escape what is mathematics in docstrings, before numpydoc reads them."""
    lines[:] = as_rst("\n".join(lines)).splitlines()


def generate(app: Any) -> None:
    """Write all pages."""
    method_pages()
    api_pages()
    copied_pages()


def date_archives(app: Any) -> None:
    """Give the archives of the gallery's examples one date, so that the same examples are the same bytes."""
    for path in sorted((GENERATED / "gallery").glob("*.zip")):
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in sorted(archive.namelist())}
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(zipfile.ZipInfo(name), content)


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("builder-inited", generate, priority=100)
    app.connect("builder-inited", date_archives, priority=900)  # sphinx-gallery has written them by then
    app.connect("source-read", read_source)
    app.connect("autodoc-process-docstring", process, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
