import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import numpy as np
import pytest

from kernlearn.cli.main import main
from kernlearn.errors import UserError
from kernlearn.papers import load_figure
from kernlearn.papers.core.index import places
from kernlearn.papers.core.measured import Measured
from kernlearn.report.figures import figure_report, judge_figure, write_figure
from kernlearn.report.pictures import draw_figure
from tests.conftest import one_of_each, paper_of


@cache
def points(name):
    """Return the points of a figure, which nobody changes, made-up ones where they need data that are not bundled."""
    if (figure := load_figure(name)).tables:
        return figure.points(*(Measured([]) for _ in figure.tables))
    if name != "mkl2010/fig2_2":
        return figure.points()
    return [
        {"norm": q, "p": p, "test_error": 40 / p + q / 100, "excess": p / 1e3 / q} for q in (1, 2) for p in (2, 4, 6)
    ]


RECORD = {"computed": [], "collected": {"code": {"dirty": False}}}
FORMULAS = [name for name, place in places().items() if not place.is_table and hasattr(place.module(), "points")]


@pytest.mark.slow
@pytest.mark.parametrize("name", one_of_each(FORMULAS, paper_of))
def test_drawings_have_the_same_bytes_whatever_the_settings_of_the_person(name):
    matplotlib = pytest.importorskip("matplotlib")
    rows = points(name)
    first = draw_figure(load_figure(name), rows)
    with matplotlib.rc_context({"font.size": 20, "axes.grid": True}):
        again = draw_figure(load_figure(name), rows)
    assert first == again and set(first) == {".svg", ".png"}
    assert ElementTree.fromstring(first[".svg"]).tag.endswith("svg") and b"<dc:date>" not in first[".svg"]


@pytest.mark.parametrize("name", [name for name in FORMULAS if name.startswith("mkl2010/fig")])
def test_drawings_show_the_rows(name):
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    rows, canvas = points(name), Figure()
    load_figure(name).draw(canvas, rows)
    (axes,) = canvas.axes
    keys = {"mkl2010/fig2_4": ("A", "rho"), "mkl2010/fig2_2": ("test_error", "excess")}.get(name, ("bound",))
    drawn = np.concatenate([line.get_ydata() for line in axes.lines if len(line.get_ydata()) > 2])
    np.testing.assert_array_equal(np.sort(drawn), np.sort([row[key] for row in rows for key in keys]))


def test_a_figure_is_written_with_its_points_and_report(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert main(["reproduce", "mkl2010/fig2_3", "--results-dir", str(tmp_path)]) == 0
    report = tmp_path / "mkl2010" / "fig2_3.md"
    kinds = ("csv", "md", "png", "provenance.json", "svg")
    assert sorted(path.name for path in report.parent.iterdir()) == [f"fig2_3.{s}" for s in kinds]
    (entry,) = json.loads((report.parent / "fig2_3.provenance.json").read_bytes())["computed"]
    assert entry["packages"]["numpy"] and entry["cells"] == 1
    text, out = report.read_text(), capsys.readouterr().out
    assert "| new L2 term, m=1000000, p=20 | 0.030579 | 0.030579 | match |" in text and "(fig2_3.svg)" in text
    assert "holds: for p = 20" in out and "0.030579" in out
    made = {path.name: path.read_bytes() for path in report.parent.iterdir()}
    for suffix in (".md", ".png", ".svg"):
        report.with_suffix(suffix).unlink()
    assert main(["reproduce", "mkl2010/fig2_3", "--judge", "--results-dir", str(tmp_path)]) == 0
    assert {path.name: path.read_bytes() for path in report.parent.iterdir()} == made


def test_the_report_tells_readings_and_claims():
    figure = load_figure("mkl2010/fig2_4")
    text = figure_report(figure, figure.claims(figure.points()))
    assert "| rho = 1 for every alpha | within 1e-12 | holds |" in text and figure.readings["alpha"] in text
    assert "Reference values" not in text  # there are none


def test_without_matplotlib_it_is_told_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UserError, match="pip install matplotlib"):
        draw_figure(load_figure("mkl2010/fig2_4"), points("mkl2010/fig2_4"))
    assert main(["reproduce", "mkl2010/fig2_4", "--results-dir", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []


def broken(rows):
    raise KeyError("p")


def test_a_figure_that_cannot_be_judged_again_is_left_as_it_was(tmp_path):
    pytest.importorskip("matplotlib")
    figure = load_figure("mkl2010/fig2_4")
    report, _, troubles = write_figure(figure, figure.points(), tmp_path / f"{figure.name}.md", RECORD, "drawn")
    before = {path: (path.stat().st_ino, path.read_bytes()) for path in report.parent.iterdir()}
    assert troubles == {} and len(before) == 5
    with pytest.raises(KeyError):
        judge_figure(replace(figure, claims=broken), tmp_path)
    assert {path: (path.stat().st_ino, path.read_bytes()) for path in report.parent.iterdir()} == before


def test_a_report_says_what_could_not_be_made_of_the_rows(tmp_path):
    pytest.importorskip("matplotlib")
    figure = replace(load_figure("mkl2010/fig2_4"), claims=broken, draw=lambda canvas, rows: broken(rows))
    report, _, troubles = write_figure(figure, figure.points(), tmp_path / f"{figure.name}.md", RECORD, "drawn")
    text = report.read_text()
    assert set(troubles) == {"claims", "picture"} and figure.readings["alpha"] in text
    assert "Not judged: KeyError: 'p'" in text and "No picture: KeyError: 'p'" in text and "svg" not in text


@pytest.mark.slow
def test_importing_is_light():
    code = "import sys, kernlearn.report.pictures; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
