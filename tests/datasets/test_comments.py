"""Lines that begin with # above a table and below it, and what else programs put there."""

import io

import numpy as np
import pytest

from kernlearn.datasets import load

ROWS = "".join(f"{i * 0.25},{i % 5},{'pq'[i % 2]}\n" for i in range(12))
NUMBERS = ROWS.replace("p", "0").replace("q", "1")


def read(tmp_path, content, **keys):
    (tmp_path / "my.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    return load("csv", path=tmp_path / "my.csv", **keys)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("delimiter", [",", ";", "\t", " "])
@pytest.mark.parametrize("above", ["# made by me\n", "# a\n\n#b, c; d and e\n", ""])
@pytest.mark.parametrize("below", ["# end\n", "#end", "# a\n# b\n\n", ""])
def test_comments_above_and_below(above, below, delimiter, tmp_path):
    text = above + f"x,z,y\n{ROWS}".replace(",", delimiter) + below
    data = read(tmp_path, text)
    assert data.columns == ("x", "z") and data.X.shape == (12, 2) and data.classes == ("p", "q")
    notes = [note for note in data.remarks if "comment" in note]
    assert len(notes) == bool(above or below) and all("(remove the # if not)" in note for note in notes)


@pytest.mark.parametrize("delimiter", [",", " ", ";"])
@pytest.mark.parametrize("above", ["", "# made by me\n"])
def test_names_as_numpy_writes_them(above, delimiter, tmp_path):
    stream = io.StringIO()
    values = np.loadtxt(io.StringIO(NUMBERS), delimiter=",")
    np.savetxt(stream, values, delimiter=delimiter, header=delimiter.join(["t", "p", "y"]), fmt="%g")
    data = read(tmp_path, above + stream.getvalue())
    assert data.columns == ("t", "p") and data.X.tolist() == values[:, :2].tolist()
    assert any("has the names behind a # (if not: dataset.header=false)" in note for note in data.remarks)
    data = read(tmp_path, above + stream.getvalue(), header=False)
    assert data.columns == ("column 0", "column 1") and len(data.X) == 12


def test_names_and_texts_that_begin_with_a_mark_are_as_they_are_written(tmp_path):
    assert read(tmp_path, f"#id,x,y\n{ROWS}").columns == ("#id", "x")
    data = read(tmp_path, f"c,x,y\n{ROWS}#ff,1,p\n#0f,2,q\n", types={"c": "category"})
    assert len(data.X) == 14 and {"c=#ff", "c=#0f"} <= set(data.columns)
    all_marked = "".join(f"#{i % 2},{i},{'pq'[i % 2]}\n" for i in range(8))
    assert len(read(tmp_path, all_marked, types={"0": "category"}, header=False).X) == 8


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf\xef\xbb\xbfx,z,y\n" + ROWS.encode(),
        f"x,z,y\n{ROWS}\x1a".encode(),
        f"x,z,y\n{ROWS}\x1a\n".encode(),
        f"\ufeff\ufeffx,z,y\n{ROWS}".encode("utf-16"),
        ('"sep=;"\nx;z;y\n' + ROWS.replace(",", ";")).encode(),
    ],
)
def test_marks_of_other_programs(content, tmp_path):
    data = read(tmp_path, content)
    assert data.columns == ("x", "z") and data.X.shape == (12, 2) and data.classes == ("p", "q")
