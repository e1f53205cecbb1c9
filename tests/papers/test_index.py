"""What is on disk is all that there is: no list of tables, figures, claims, measures or pictures stands anywhere."""

from importlib import import_module
from pathlib import Path

import pytest

import kernlearn
from kernlearn.papers.core.index import places
from kernlearn.runner.cell.cell import cell_from_json

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
    names = list(places())
    for path in set(ROOM.rglob("*.py")) - set(MODULES):
        text = path.read_text()
        assert not [name for name in names if f'"{name}"' in text or f"'{name}'" in text], path


def test_cells_keep_the_names_that_they_have_in_the_store():
    """Names of cells that were dictionaries with these keys in this order, and with others that were left out."""
    path = {
        **{"task": "regression", "limit": 2.0, "streamed": True, "class_weight": {"a": 1.0, "b": 2.0}, "seed": 3},
        **{
            "dataset": {"name": "mine", "path": "/a/b.csv", "target": None},
            "kernel": {"name": "g", "gammas": [1, 2.0]},
        },
        **{"scaling": "unit", "algo": {"name": "vkr", "lambdas": [0.1]}, "protocol": {"name": "rotation5"}},
        **{"data": "d", "versions": {"algo": 1, "rows": 3}, "split": 1},
    }
    cell = cell_from_json(path)
    assert cell.to_json() == path and cell_from_json(cell.to_json()) == cell and len({cell, cell_from_json(path)}) == 1
    assert cell.key == "73dd5b1b7a165704a14b072cb10a019fac31a3828e740e68d18405ac6980386b"
    figure = {"kind": "figure", "figure": "f", "version": 1, "data": {"m": "0"}, "options": {"n": [1]}, "seed": 0}
    assert cell_from_json(figure).to_json() == figure
    assert cell_from_json(figure).key == "040defc1f208a59386bd7302b954b311697d1e04b8f7572f86311188844bf962"
