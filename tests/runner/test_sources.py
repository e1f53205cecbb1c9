"""Numbers that other source has computed are told of, also where nobody has raised a version."""

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import kernlearn
from kernlearn.runner.provenance import sources
from kernlearn.runner.provenance.record import warning
from kernlearn.runner.provenance.sources import FIGURE_ROOMS, ROOMS, differs, digest, recorded, source_of_method
from kernlearn.runner.store.partial import Kept, Partial
from kernlearn.runner.store.store import Store
from scripts.tools.record_sources import present
from tests.plugin import MODULE, install
from tests.test_rooms import imports

ROOT = Path(kernlearn.__file__).parents[1]
FIGURE = ["reproduce", "toy2026/fig1", "--seeds", "2", "--jobs", "1"]
RUN = ["run", "algo=own_svm", "kernel=cauchy", "dataset=rings", "scaling=none", "kernel.widths=[2]", "engine.jobs=1"]


def test_no_number_outlives_the_code_that_made_it():
    """Where the source of a method, or of a figure's cells, has changed, somebody has looked at its numbers."""
    known, now = recorded(), present()
    changed = [name for name in now if known.get(name) != now[name]]
    assert not changed, (
        f"the source of {', '.join(changed)} has changed: raise the version (of the Method, VERSION of the figure, "
        "ROWS_VERSION) if numbers may have, then run scripts/tools/record_sources.py"
    )


#: Modules beside the rooms that change no number.
NO_NUMBERS = {"errors", "memory", "parameters", "plugins", "scalings", "threads", "types"}


def test_every_module_beside_the_rooms_that_methods_use_is_in_their_source_or_changes_no_number():
    beside = {path.stem for path in Path(kernlearn.__file__).parent.glob("*.py")}
    used = {
        name.split(".")[1]
        for room in ("kernels", "certificates", "solvers", "algorithms")
        for path in (ROOT / "kernlearn" / room).rglob("*.py")
        for name in imports(ast.parse(path.read_text()))
        if name.startswith("kernlearn.")
    }
    assert used & beside == NO_NUMBERS | {name.removeprefix("kernlearn.") for name in ROOMS} & beside


@pytest.fixture
def changed(monkeypatch):
    """Pretend that a module has other code."""
    true = sources._facts

    def change(module):
        def facts(name):
            found = true(name)
            return found._replace(code="other") if name == module else found

        monkeypatch.setattr(sources, "_facts", facts)

    return change


def test_the_source_of_a_figure_has_what_its_cells_are_drawn_by_and_solved_by(changed):
    def figure():
        return digest("kernlearn.papers.rmm2010.toy.fig2_2", (*FIGURE_ROOMS, "kernlearn.papers.rmm2010"))

    before = figure()
    for module in (
        "papers.rmm2010.toy.gaussians",
        "datasets.sets.generators",
        "solvers.bands.solver",
        "evaluation.significance",
    ):
        changed(f"kernlearn.{module}")
        assert figure() != before, module
    changed("kernlearn.papers.core.index")
    assert figure() == before


@pytest.mark.parametrize(
    "line", ["from kernlearn import L2SVMClassifier", "import kernlearn", "import kernlearn.estimators"]
)
def test_the_source_of_a_plug_in_has_the_estimators_that_it_uses(line, changed, tmp_path, monkeypatch):
    (tmp_path / "figure_of_estimators.py").write_text(line + "\n")
    monkeypatch.syspath_prepend(tmp_path)

    def figure():
        return digest("figure_of_estimators", (*FIGURE_ROOMS, "figure_of_estimators"))

    before = figure()
    for module in (
        "estimators.margin.l2_svm",
        "estimators.common.expansion",
        "kernels.matrices.gram",
        "solvers.bands.smo",
    ):
        changed(f"kernlearn.{module}")
        assert figure() != before, module
    if line.startswith("from"):
        monkeypatch.undo()
        monkeypatch.syspath_prepend(tmp_path)
        changed("kernlearn.estimators.structured.crf")
        assert figure() == before


def test_a_change_of_a_kernel_or_a_score_changes_the_rows_of_all(changed):
    before = digest(sources.ROWS, sources.ROWS_ROOMS)
    for module in (
        "kernels.families.registry",
        "kernels.families.polynomial",
        "evaluation.metrics",
        "runner.cell.class_weight",
        "runner.cell.data",
        "runner.cell.folds",
        "runner.cell.measure",
        "runner.cell.targets",
    ):
        changed(f"kernlearn.{module}")
        assert digest(sources.ROWS, sources.ROWS_ROOMS) != before, module


def test_what_a_package_only_hands_on_is_in_no_digest_and_what_is_used_is(changed):
    module = "kernlearn.algorithms.margin.klda"
    before = digest(module, ROOMS)
    assert source_of_method("klda") == before  # of the code that this process has loaded
    for handing in ("solvers", "kernels", "solvers.bands.solver", "algorithms.margin.vkr"):
        changed(f"kernlearn.{handing}")  # such as by one more export
        assert digest(module, ROOMS) == before, handing
    changed("kernlearn.solvers.core.solution")
    assert digest(module, ROOMS) != before
    assert source_of_method("klda") == before


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A package with a module to digest; return how its text becomes a digest."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "own_sources"
    package.mkdir()
    (package / "__init__.py").write_text("from .far import thing\nfrom .near import other\n")
    (package / "far.py").write_text("thing = 1\n")
    (package / "near.py").write_text("other = 1\n")

    def digest_of(text, **others):
        (package / "main.py").write_text(textwrap.dedent(text))
        for name, other in others.items():
            (package / f"{name}.py").write_text(other)
        for module in [name for name in sys.modules if name.startswith("own_sources")]:
            monkeypatch.delitem(sys.modules, module)
        return digest("own_sources.main", ["own_sources"])

    return digest_of


LOOP = '''
    def f(x):
        """Words."""
        for i in range(3):
            x += i
            x *= 2
        return g(
            "a b", f"{x + 1} c"
        )
'''


def test_words_for_people_are_in_no_digest_and_every_number_is(own):
    before = own(LOOP)
    for old, new in (('"""Words."""', '"""Other words."""  # why'), ("x += i", "x += i  # more\n"), ("+ 1", "+1")):
        assert own(LOOP.replace(old, new)) == before, new
    for old, new in (("    x *= 2", "x *= 2"), ('"a b"', '"ab"'), ('"a b"', '"a c"'), ("+ 1", "+ 2"), ("+= i", "-= i")):
        assert own(LOOP.replace(old, new)) != before, new


def test_names_are_followed_to_where_they_are_from(own):
    text = "from own_sources import thing\n"
    before = own(text)
    assert own(text, near="other = 2\n") == before
    assert own(text, far="thing = 2\n") != before
    relative = own("from .near import other\n")
    assert own("from .near import other\n", near="other = 3\n") != relative
    assert own("from .near import (\n") != own("from .near import [\n")  # is being edited


def test_recorded_sources_of_a_version_are_alike_and_all_others_are_not():
    a, b = {"digest": "a", "recorded": False}, {"digest": "b", "recorded": False}
    assert differs(a, b) and differs({**a, "recorded": True}, b) and differs(a, {**b, "recorded": True})
    assert not differs({**a, "recorded": True}, {**b, "recorded": True})  # a refactoring
    assert not differs(a, {**a, "recorded": True})  # computed first, recorded then
    assert not differs(None, b)  # from before sources were kept


def test_what_other_source_has_begun_is_not_gone_on_with(tmp_path):
    def partial(source):
        found = Partial(Store(tmp_path), "0" * 64, 0.0)
        found.source = source
        return found

    kept = Kept(1, 0, None, [{"point": 0}])
    partial("a").save(kept)
    assert partial("a").load() == kept and partial("b").load().rows == []


def command(directory, *words):
    """Run the command with what is installed in ``directory/site``; return its output."""
    paths = os.pathsep.join([str(directory / "site"), str(ROOT)])
    line = [sys.executable, "-m", "kernlearn.cli.main", *words]
    done = subprocess.run(line, cwd=directory, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_figure_whose_source_has_changed_says_so_until_it_is_computed_again(tmp_path):
    pytest.importorskip("matplotlib")
    package = tmp_path / "site" / "toy"
    shutil.copytree(ROOT / "tests/papers/toy", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "__init__.py").write_text('PAPERS = "toy"\n')
    metadata = tmp_path / "site" / "toy-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[kernlearn.plugins]\ntoy = toy\n")
    assert "other source" not in command(tmp_path, *FIGURE)
    module, points = package / "toy2026/fig1.py", tmp_path / "results/toy2026/fig1.csv"
    before = points.read_bytes()
    module.write_text("# another\n" + module.read_text().replace(".mean()}", ".mean() * 1e6}"))
    said = "4 cells were computed by other source of the same version"
    output = command(tmp_path, *FIGURE)
    assert f"4 already done: nothing to run\nnote       {said} (figure toy2026/fig1): --force computes them" in output
    record = json.loads(points.with_suffix(".provenance.json").read_bytes())
    assert record["other_source"] == {"toy2026/fig1": 4} and said in warning(record)
    assert said in points.with_suffix(".md").read_text() and points.read_bytes() == before
    assert "other source" not in command(tmp_path, *FIGURE, "--force")
    assert "other source" not in command(tmp_path, *FIGURE) + points.with_suffix(".md").read_text()
    assert points.read_bytes() != before


@pytest.mark.slow
def test_a_method_and_a_kernel_of_a_plugin_whose_source_has_changed_say_so(tmp_path):
    site = install(tmp_path / "site")
    command(tmp_path, *RUN)
    install(site, MODULE + "\n# words\n")
    assert "other source" not in command(tmp_path, *RUN)
    install(site, MODULE.replace("1.0 / (1.0 + B / width)", "1.0 / (2.0 + B / width)"))
    said = "5 cells were computed by other source of the same version"
    assert f"note       {said} (algo own_svm)" in command(tmp_path, *RUN, "--dry-run")
    assert f"note       {said} (algo own_svm)" in command(tmp_path, *RUN)
    (record,) = tmp_path.glob("results/runs/*/provenance.json")
    assert list(json.loads(record.read_bytes())["other_source"].values()) == [5]
    (shard, *_) = (tmp_path / "results/shards").glob("??/*.json")
    key = shard.stem
    store = Store(tmp_path / "results/shards")
    assert store.made(key) == store.read(key)["made"]
