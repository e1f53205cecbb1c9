"""Files as people have them: other signs, encodings and types, and what is said of how they were understood."""

import datetime as dt
import gzip
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from kernlearn.datasets import load
from kernlearn.datasets.core.columns import na_key
from kernlearn.errors import UserError

ROWS = [[1.5, -2.0], [3.0, 4.5], [5.0, 6.0]]
TARGET = "target 'label', the last column (if not: dataset.target=NAME)"
FIRST = (TARGET, "the first line has the names (if not: dataset.header=false)")
COMMAS = "numbers have decimal commas (if not: dataset.decimal=point)"
READ_AS = (
    "column 'big': true and false, in any case, read as 1 and 0 (if not: 'dataset.types={big: category}')",
    "column 'when': dates, read as days since 1970-01-01 (if not: 'dataset.types={when: category}')",
)
ROUNDED = "column 'n': whole numbers beyond 2^53 lose their last digits ('dataset.drop=[n]' leaves out a column of ids)"


def write(tmp_path, content, name="my.csv"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def assert_read(data, rows, remarks, classes=("no", "yes")):
    assert data.X.tolist() == rows and data.y.tolist() == [0, 1, 0] and data.classes == classes
    assert data.remarks == remarks


def test_decimal_commas(tmp_path):
    text = "a;b;label\n1,5;-2;no\n3;4,5;yes\n5;6e0;no\n"
    path = write(tmp_path, text)
    assert_read(load("csv", path=path), ROWS, (*FIRST, COMMAS))
    assert_read(load("csv", path=path, decimal="comma"), ROWS, FIRST)
    assert load("csv", path=path).digest == load("csv", path=write(tmp_path, text.replace(",", "."), "b.csv")).digest
    with pytest.raises(UserError, match="line 2, column 'a': '1,5' is not a number"):
        load("csv", path=path, decimal="point")
    with pytest.raises(UserError, match="'4.5' is not a number .the decimal sign of this file is the comma"):
        load("csv", path=write(tmp_path, text.replace("4,5", "4.5"), "b.csv"))


def test_decimal_commas_without_names_and_in_targets(tmp_path):
    data = load("csv", path=write(tmp_path, "1,5;-2;no\n3;4,5;yes\n5;6;no\n"))
    assert_read(
        data, ROWS, (TARGET.replace("label", "column 2"), "no line has names (if not: dataset.header=true)", COMMAS)
    )
    data = load("csv", path=write(tmp_path, "a;y\n1;0,25\n2;1,5\n"), task="regression")
    assert data.target.tolist() == [0.25, 1.5] and data.remarks[2:] == (COMMAS,)
    labels = load("csv", path=write(tmp_path, "a;y\n1.5;1,5\n2;2,5\n"))  # classes may be called so
    assert labels.classes == ("1,5", "2,5") and labels.X.tolist() == [[1.5], [2]]


def test_a_comma_that_may_be_either_is_asked_about(tmp_path):
    path = write(tmp_path, "a;label\n1,234;no\n3,456;yes\n")
    with pytest.raises(UserError, match="dataset.decimal=comma if it is 1.234, dataset.thousands=comma if it is 1234"):
        load("csv", path=path)
    assert load("csv", path=path, decimal="comma").X.tolist() == [[1.234], [3.456]]
    assert load("csv", path=path, thousands="comma").X.tolist() == [[1234], [3456]]


@pytest.mark.parametrize(
    ("thousands", "first"),
    [("point", "1.234.567,5"), ("blanks", "1\u00a0234 567.5"), ("apostrophe", "1'234'567.5"), ("comma", "1,234,567.5")],
)
def test_thousands(thousands, first, tmp_path):
    data = load("csv", path=write(tmp_path, f"a;label\n{first};no\n12;yes\n-999;no\n"), thousands=thousands)
    assert_read(data, [[1234567.5], [12], [-999]], FIRST)
    for wrong in ("1,2,3", "12,34", "1,,234"):
        wrong = wrong.replace(",", {"point": ".", "blanks": " ", "apostrophe": "'"}.get(thousands, ","))
        with pytest.raises(UserError, match="is not a number"):
            load("csv", path=write(tmp_path, f"a;label\n{wrong};no\n12;yes\n"), thousands=thousands)
    with pytest.raises(UserError, match="dataset.thousands=point: is the decimal sign as well"):
        load("csv", path=tmp_path / "my.csv", decimal="point", thousands="point")


@pytest.mark.parametrize("delimiter", ["comma", "semicolon", "tab", "pipe", "blanks"])
def test_a_delimiter_that_is_said(delimiter, tmp_path):
    sign = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|", "blanks": "  "}[delimiter]
    text = "a b label\n1.5 -2 no\n3 4.5 yes\n5 6 no\n".replace(" ", sign)
    assert_read(load("csv", path=write(tmp_path, text), delimiter=delimiter), ROWS, FIRST)


def test_encodings_in_their_order(tmp_path):
    text = "größe,b,label\n1.5,-2,nö\n3,4.5,ÿes\n5,6,nö\n"
    reference = load("csv", path=write(tmp_path, text))
    assert reference.remarks == FIRST and reference.columns == ("größe", "b") and reference.classes == ("nö", "ÿes")
    fallback = "the text is not UTF-8 (line 1), read as Windows-1252; dataset.encoding=NAME names another"
    said = {
        "utf-8-sig": (),
        "utf-16": ("the text is UTF-16",),
        "utf-32": ("the text is UTF-32",),
        "latin-1": (fallback,),
        "cp1252": (fallback,),
    }
    for encoding, remarks in said.items():
        data = load("csv", path=write(tmp_path, text.encode(encoding)))
        assert data.digest == reference.digest and data.columns == reference.columns, encoding
        assert data.remarks == (TARGET, *remarks, FIRST[1])
    data = load("csv", path=write(tmp_path, "größe,b,label\n1,2,да\n3,4,нет\n".encode("gb18030")), encoding="gb18030")
    assert data.classes == ("да", "нет") and data.remarks == FIRST
    with pytest.raises(UserError, match=r"encoding=utf-16\)"):
        load("csv", path=write(tmp_path, text.encode("utf-16-le")))
    assert load("csv", path=tmp_path / "my.csv", encoding="utf-16").digest == reference.digest
    with pytest.raises(UserError, match="line 1: is not utf-8 text; dataset.encoding=NAME names another"):
        load("csv", path=write(tmp_path, text.encode("latin-1")), encoding="utf-8")
    with pytest.raises(UserError, match="encoding=rot13: must be one of utf-8"):
        load("csv", path=tmp_path / "my.csv", encoding="rot13")


def test_line_breaks_in_quotes(tmp_path):
    text = '"a\nfirst",b,label\n1.5,-2,"n\no"\n3,4.5,yes\n\n5,6,"n\no"\n'
    data = load("csv", path=write(tmp_path, text))
    assert data.X.tolist() == ROWS and data.classes == ("n\no", "yes") and data.columns == ("a\nfirst", "b")
    with pytest.raises(UserError, match="line 10, column 'b': 'x' is not a number"):
        load("csv", path=write(tmp_path, text + '5,x,"n\no"\n'))
    with pytest.raises(UserError, match="line 10: has 4 fields where 3"):
        load("csv", path=write(tmp_path, text + '5,7,8,"n\no"\n'))


def test_dates_and_booleans(tmp_path):
    text = "when,big,b,label\n1970-01-02,TRUE,1,no\n2000-02-29,False,2,yes\n1969-12-31T12:00,true,3,no\n"
    rows = [[1, 1, 1], [11016, 0, 2], [-0.5, 1, 3]]
    assert_read(load("csv", path=write(tmp_path, text)), rows, (*FIRST, *READ_AS))
    unnamed = load("csv", path=write(tmp_path, text.partition("\n")[2]))  # the first line is an example, too
    assert unnamed.X.tolist() == rows and unnamed.remarks[1].startswith("no line has names")
    months = load("csv", path=write(tmp_path, "2000-01-01,2000-02-01,label\n1,2,no\n3,4,yes\n"))  # names are dates
    assert months.columns == ("2000-01-01", "2000-02-01") and len(months.X) == 2
    with pytest.raises(UserError, match="line 5, column 'when': '17' is no date such as 2001-12-31"):
        load("csv", path=write(tmp_path, text + "17,true,4,yes\n"))
    for other in ("31.12.1999", "12/31/1999", "1999-13-01", "now", "today"):
        with pytest.raises(UserError, match=f"line 5, column 'when': '{other}' is no date"):
            load("csv", path=write(tmp_path, f"{text}{other},true,4,yes\n"))


@pytest.mark.parametrize("cell", ["", "NA", "nan", "?", "None", "n/a"])
@pytest.mark.parametrize("column", ["when", "big", "b", "label"])
def test_a_missing_value_of_any_type(cell, column, tmp_path):
    row = dict(zip(("when", "big", "b", "label"), ("1970-01-02", "true", "1", "no"), strict=True))
    lines = [row, row | {"label": "yes"}, row | {column: cell}]
    text = "\n".join([",".join(row), *(",".join(line.values()) for line in lines)])
    what = "target" if column == "label" else "value"
    na_values = None
    if column == "label" and cell not in ("", "?"):  # a text as the other labels
        data = load("csv", path=write(tmp_path, text + f"\n{text.splitlines()[1]}"))
        assert data.classes == tuple(sorted({"no", "yes", cell}))
        assert data.remarks[-1] == f"label {cell!r}: a class, not a missing value (if not: {na_key(cell)})"
        na_values = [cell]
    with pytest.raises(UserError, match=f"line 4, column '{column}': the {what} is missing"):
        load("csv", path=write(tmp_path, text), na_values=na_values)
    if column != "label":
        assert load("csv", path=tmp_path / "my.csv", drop=[column]).X.shape == (3, 2)


def test_a_column_of_many_types_names_its_first_odd_cell(tmp_path):
    text = "a,b,label\n" + "1,2,no\n" * 50 + "1,2.5,yes\n1,true,no\n2001-01-01,2,yes\n"
    with pytest.raises(UserError, match="line 53, column 'b': 'true' is not a number"):
        load("csv", path=write(tmp_path, text))


def test_numbers_are_read_to_the_last_bit(tmp_path):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 3)) * 10.0 ** rng.integers(-300, 149, size=(200, 3))
    odd = ["1" * 30, "0." + "3" * 40, "9007199254740993", "5e-324", "+.5", "\uff11", " 7\u00a0", "-0", "1e-400"]
    rows = [",".join(map(repr, row)) for row in values.tolist()] + [f"{cell},1.,1e5" for cell in odd]
    data = load("csv", path=write(tmp_path, "\n".join(f"{row},{i % 2}" for i, row in enumerate(rows))))
    expected = np.array([[float(cell) for cell in row.split(",")] for row in rows]) + 0.0
    assert data.X.tobytes() == expected.tobytes()


def test_lines_of_separators_and_blanks_are_no_rows(tmp_path):
    text = "a;b;label\n;;\n1.5;-2;no\n \t \n3;4.5;yes\n\u2003\n5;6;no\n;;\n;;\n"
    assert_read(load("csv", path=write(tmp_path, text)), ROWS, FIRST)


def test_what_says_how_a_csv_file_is_written_is_for_csv_files(tmp_path):
    arff = write(tmp_path, "@relation r\n@attribute a real\n@attribute b {0,1}\n@data\n1,0\n2,1\n", "my.arff")
    libsvm = write(tmp_path, "1 1:1\n0 1:2\n", "my.svm")
    for path, kind in ((arff, "ARFF"), (libsvm, "libsvm")):
        with pytest.raises(UserError, match=f"dataset.decimal does not apply to {kind} files"):
            load("csv", path=path, decimal="comma")


def test_a_table_of_too_many_columns_is_refused_before_it_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("KERNLEARN_MAX_DATA_MB", "1")
    with pytest.raises(UserError, match="600 columns take more than 1 MB"):
        load("csv", path=write(tmp_path, ("1," * 599 + "0\n") + ("2," * 599 + "1\n")))


def frame():
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(
        {
            "a": [1.5, 3.0, 5.0],
            "n": np.array([1, 2, 2**53 + 1]),
            "big": [True, False, True],
            "when": pd.to_datetime(["1970-01-02", "2000-02-29", "1969-12-31T12:00"], format="ISO8601"),
            "kind": pd.Categorical(["u", "v", "u"], categories=["v", "w", "u"]),
            "label": ["no", "yes", "no"],
        }
    )


@pytest.mark.parametrize("packed", [False, True])
def test_parquet(packed, tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "my.parquet"
    frame().to_parquet(path)
    if packed:
        path = write(tmp_path, gzip.compress(path.read_bytes()), "my.parquet.gz")
    data = load("csv", path=path)
    rows = [[1.5, 1, 1, 1, 0, 0, 1], [3, 2, 0, 11016, 1, 0, 0], [5, 2.0**53, 1, -0.5, 0, 0, 1]]
    assert_read(data, rows, (TARGET, *READ_AS, ROUNDED))
    assert data.columns == ("a", "n", "big", "when", "kind=v", "kind=w", "kind=u")
    assert load("csv", path=path, target="n", drop=["label", "when"], task="regression").target.tolist()[:2] == [1, 2]
    with pytest.raises(UserError, match="dataset.decimal does not apply to Parquet files"):
        load("csv", path=path, decimal="comma")


def test_bad_parquet_is_one_line(tmp_path, monkeypatch):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "my.parquet"
    tables = {
        "features and class are needed": {"a": [1, 2]},
        "column 'label' is of type list": {"a": [1, 2], "label": [[1], [2]]},
        "row 2, column 'a': the value is missing": {"a": [1, None], "label": ["x", "y"]},
        "row 1, column 'a': 'u' is not a number": {"a": ["u", "v"], "label": ["x", "y"]},
        "row 2, column 'label': the target is missing": {"a": [1, 2], "label": ["x", None]},
    }
    for words, columns in tables.items():
        pq.write_table(pa.table(columns), path)
        with pytest.raises(UserError, match=words) as caught:
            load("csv", path=path)
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)
    whole = path.read_bytes()
    for content in (whole[:-20], b"PAR1" + whole[30:], b"PAR1", whole[:50] + b"\xff" * 50 + whole[100:]):
        with pytest.raises(UserError, match="damaged Parquet file") as caught:
            load("csv", path=write(tmp_path, content, "cut"))
        assert "\n" not in str(caught.value)
    monkeypatch.setenv("KERNLEARN_MAX_DATA_MB", "1")
    pq.write_table(pa.table({"a": np.zeros(200_000), "label": np.zeros(200_000)}), path)  # a few hundred bytes
    assert path.stat().st_size < 20_000
    with pytest.raises(UserError, match="KERNLEARN_MAX_DATA_MB"):
        load("csv", path=path)


@pytest.mark.slow
def test_a_run_on_bundled_data_needs_no_pandas(tmp_path):
    """Nor does the repeated one, which has to be fast; scikit-learn, which imports it itself, does without."""
    words = ["run", "algo=l2_svm", "algo.Cs=[1]", "kernel=linear", "dataset=sonar", "engine.jobs=1"]
    code = (
        "import sys\nclass Without:\n def find_spec(self, name, *_):\n  if name == 'pandas': raise ImportError\n"
        "sys.meta_path.insert(0, Without())\n"
        f"from kernlearn.cli.main import main; print(main({words}), main({words}), main(['list']))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert found.stdout.endswith("0 0 0\n") and "5, 5 already done" in found.stdout


def test_a_nominal_value_that_is_declared_twice_is_one(tmp_path):
    text = "@relation r\n@attribute a {x,z,z,y}\n@attribute label {no,yes}\n@data\nx,no\ny,yes\nz,no\n"
    data = load("csv", path=write(tmp_path, text, "my.arff"))
    assert data.columns == ("a=x", "a=z", "a=y") and data.X.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("name", ["my.csv", "my.parquet", "my.arff"])
@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([-999, 1, 2, -999, 5, 6], "-999"),
        ([-999.0, 1.5, 2.5, -999.0, 5.5, 6.5], "-999"),
        ([True, False, False, True, False, False], "true"),
        ([dt.date(1900, 1, 1), *[dt.date(2000, 1, i) for i in (1, 2)]] * 2, "1900-01-01"),
        (["?", "a", "b", "?", "a", "b"], "?"),
    ],
)
def test_values_that_are_said_to_be_missing_are_so_in_columns_of_any_type(name, cells, said, tmp_path):
    data = pd.DataFrame({"a": cells, "b": [1.5, 2, 3, 4, 5, 6], "y": list("ppqqpq")})
    if name == "my.arff":
        if not isinstance(cells[0], int | float) or isinstance(cells[0], bool):
            pytest.skip("columns of numbers alone have a type")
        rows = data.to_csv(header=False, index=False)
        write(tmp_path, "@relation r\n@attribute a real\n@attribute b real\n@attribute y {p,q}\n@data\n" + rows, name)
    elif name == "my.csv":
        data.to_csv(tmp_path / name, index=False)
    else:
        pytest.importorskip("pyarrow")
        data.to_parquet(tmp_path / name)
    keys = {"na_values": [said], "text": "ordinal", "types": {"a": "category"} if "a" in cells else {}}
    read = load("csv", path=tmp_path / name, missing="drop", **keys)
    assert read.X.shape[0] == 4 and read.y.tolist() == [0, 1, 0, 1]
    with pytest.raises(UserError, match="column 'a': the value is missing"):
        load("csv", path=tmp_path / name, **keys)


def test_a_large_number_that_is_said_to_be_missing_is_not_rounded(tmp_path):
    rows = "76561198000000001,p\n76561198000000002,q\n76561198000000003,p\n76561198000000004,q\n"
    read = load("csv", path=write(tmp_path, "a,y\n" + rows), na_values=["76561198000000002"], missing="drop")
    assert len(read.X) == 3


@pytest.mark.parametrize(
    ("cells", "key"),
    [
        (("8.390;0,346", "12;1,5"), "thousands=point if it is 8390"),
        (('"8,747.1";0.3', "12;1.5"), "thousands=comma if it is 8747.1"),
        (("8 390;0.3", "12;1.5"), "thousands=blanks if it is 8390"),
        (("8'390;0.3", "12;1.5"), "thousands=apostrophe if it is 8390"),
        (("8.390;0,346", "1.5;1,5"), "decimal=point says otherwise"),
    ],
)
def test_the_sign_between_thousands_is_named_where_it_makes_numbers_of_a_column(cells, key, tmp_path):
    first, second = cells
    path = write(tmp_path, f"n;x;k\n{first};p\n{second};q\n{first};p\n")
    with pytest.raises(UserError, match=rf"is not a number \(.*dataset.{key}\)"):
        load("csv", path=path)
    if key.startswith("thousands"):
        word = key.partition("=")[2].partition(" ")[0]
        assert load("csv", path=path, thousands=word).X[0, 0] == float(key.rpartition(" ")[2])


def test_a_first_line_for_excel_says_the_delimiter_and_counts_as_a_line(tmp_path):
    rows = "sep=;\na;label\n1,5;p\n2;q\n3;p\n"
    read = load("csv", path=write(tmp_path, rows))
    assert read.columns == ("a",) and read.X[:, 0].tolist() == [1.5, 2, 3]
    assert any("the first line says that the delimiter is semicolon" in note for note in read.remarks)
    assert load("csv", path=write(tmp_path, rows), delimiter="semicolon").columns == ("a",)
    with pytest.raises(UserError, match="line 6: has 1 fields where 2 are expected"):
        load("csv", path=write(tmp_path, rows + "4\n"))
