import pytest

from kernlearn.runner.engines.execute import execute, pending
from kernlearn.runner.store.store import Store
from tests.conftest import first_of
from tests.runner.works import cells

CELLS = cells(6)


def work(cell, partial=None):
    """Fail on the third cell as `run_cell` reports a failure."""
    if cell.options["number"] == 2:
        return {"status": "failed", "error": "ValueError: no", "rows": []}
    return {"status": "ok", "rows": [{"square": cell.options["number"] ** 2}]}


def breaks_at_four(cell, partial=None):
    if cell.options["number"] == 4:
        raise KeyboardInterrupt
    return work(cell)


@pytest.mark.parametrize("jobs", first_of([1, 2]))
def test_every_cell_is_stored_and_failures_stop_nobody(tmp_path, jobs):
    store = Store(tmp_path)
    assert sorted(execute(CELLS, store, jobs=jobs, work=work)) == ["failed"] + ["ok"] * 5
    assert [store.read(cell.key)["rows"] for cell in CELLS if cell.options["number"] != 2] == [
        [{"square": split**2}] for split in (0, 1, 3, 4, 5)
    ]
    assert pending(CELLS, store) == []
    assert pending(CELLS, store, retry_failed=True) == [CELLS[2]]
    assert pending(CELLS, store, force=True) == CELLS


def test_an_interruption_keeps_what_is_finished(tmp_path):
    store = Store(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        list(execute(CELLS, store, jobs=1, work=breaks_at_four))
    assert pending(CELLS, store) == CELLS[4:]


def test_a_spoilt_shard_is_computed_again(tmp_path):
    store = Store(tmp_path)
    list(execute(CELLS, store, jobs=1, work=work))
    store.path(CELLS[1].key).write_bytes(b"garbage")
    assert pending(CELLS, store) == [CELLS[1]]


def test_nothing_to_do_is_nothing_done(tmp_path):
    assert list(execute([], Store(tmp_path))) == []
