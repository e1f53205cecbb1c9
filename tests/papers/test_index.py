"""What is on disk is all that there is: no list of tables, figures, claims, measures or pictures stands anywhere."""

from importlib import import_module
from pathlib import Path

import pytest

import kernlearn
from kernlearn.papers.core.index import places
from kernlearn.runner.cell.key import cell_key

ROOM = Path(kernlearn.__file__).parent
PAPERS = sorted(path for path in (ROOM / "papers").iterdir() if any(path.rglob("*.yaml")))
MODULES = [path for paper in PAPERS for path in paper.rglob("*.py")]
#: What the module of a table or figure may define.
SPECIAL = ("claims", "measure", "POINTS", "draw", "points", "cell", "printed_dataset")


def test_every_description_is_found():
    found = {f"{paper.name}/{path.stem}" for paper in PAPERS for path in paper.rglob("*.yaml")}
    assert found and found == {name for name, place in places().items() if place.package.startswith("kernlearn.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_is_special_to_a_table_is_beside_its_description(path):
    module = import_module(".".join(path.relative_to(ROOM.parent).with_suffix("").parts))
    defined = [name for name in SPECIAL if hasattr(module, name)]
    assert bool(defined) == path.with_suffix(".yaml").exists()


def test_no_source_outside_its_paper_names_a_table():
    for path in ROOM.rglob("*.py"):
        if path not in MODULES:
            text = path.read_text()
            assert not [name for name in places() if f'"{name}"' in text or f"'{name}'" in text], path


def test_the_cell_of_a_path_keeps_the_name_that_it_had_before_there_were_kinds():
    cell = {"dataset": {"name": "csv", "path": "/a/b.csv"}, "algo": {"name": "vkr"}, "seed": 0, "split": 1}
    assert cell_key(cell) == "1b77b7500ef63e5afe20c7acc6e5962a624c981b8d37adb60b1cc17b1f12c543"
    assert cell_key({**cell, "kind": "figure"}) != cell_key(cell)
