"""Data files that would take all memory or time, and things that are no files: one line, at once."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import threading
import time

import pytest

from kernlearn.datasets import load
from kernlearn.datasets.sets.entry import File
from kernlearn.datasets.sets.locate import read_bytes
from kernlearn.errors import UserError


def refusal(path, **options):
    start = time.process_time()
    with pytest.raises(UserError) as error:
        load("csv", path=str(path), **options)
    assert time.process_time() - start < 5
    assert str(path)[:60] in str(error.value) and "\n" not in str(error.value)
    return str(error.value)


@pytest.fixture
def one_megabyte(monkeypatch):
    """The same bounds at a scale that a test can write."""
    monkeypatch.setenv("KERNLEARN_MAX_DATA_MB", "1")


#: Each but the first two is small on disk; unpacked or as a matrix each takes more than a megabyte.
LARGE = {
    "long.csv": b"a,b\n" + b"1.00000,2.00000\n" * 70_000,
    "values.csv": b"1,0\n" * 130_000,
    "packed.csv.gz": gzip.compress(b"1,0\n" * 1_000_000),
    "twice.csv.gz": gzip.compress(b"1,0\n" * 200_000) + gzip.compress(b"1,0\n" * 200_000),
    "blank.csv.gz": gzip.compress(b"1,0\n" + b"\n" * 900_000),
    "wide.libsvm": b"1 134217727:1\n-1 1:1\n",
    "rows.libsvm": b"1 1:1\n-1 1:2\n" * 3000,
    "many.libsvm": b"1 1:1\n-1 100000:1\n",
    "rows.arff": b"@relation r\n@attribute a real\n@attribute b {0,1}\n@data\n" + b"1,0\n2,1\n" * 3000,
    "nominal.arff": b"@relation r\n@attribute a {" + b",".join(b"%d" % i for i in range(5000)) + b"}\n"
    b"@attribute b {0,1}\n@data\n" + b"1,0\n2,1\n" * 50,
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_too_large_is_refused_before_memory_is_taken(name, tmp_path, one_megabyte, monkeypatch):
    (tmp_path / name).write_bytes(LARGE[name])
    message = refusal(tmp_path / name)
    assert "MB" in message and "KERNLEARN_MAX_DATA_MB" in message
    if name == "many.libsvm":  # the person means it
        monkeypatch.setenv("KERNLEARN_MAX_DATA_MB", "100")
        assert len(load("csv", path=str(tmp_path / name)).X) >= 2


def test_a_bomb_at_the_usual_bound(tmp_path):
    """134,217,727 columns are a gigabyte a row."""
    (tmp_path / "a.libsvm").write_bytes(b"1 134217727:1\n-1 1:1\n")
    assert "more than 500 MB (2147 MB)" in refusal(tmp_path / "a.libsvm")


@pytest.mark.slow
def test_a_bomb_of_a_gigabyte(tmp_path):
    with gzip.open(tmp_path / "a.csv.gz", "wb") as file:
        for _ in range(1500):
            file.write(b"1,0\n" * 250_000)
    assert "more than 500 MB" in refusal(tmp_path / "a.csv.gz")


@pytest.mark.parametrize("value", ["", "none", "0", "-1", "nan", "inf"])
def test_a_bound_that_is_none(value, tmp_path, monkeypatch):
    monkeypatch.setenv("KERNLEARN_MAX_DATA_MB", value)
    (tmp_path / "a.csv").write_bytes(b"1,0\n2,1\n")
    with pytest.raises(UserError, match="KERNLEARN_MAX_DATA_MB"):
        load("csv", path=str(tmp_path / "a.csv"))


SLOW = {
    "blank lines": b"\n" * 100_000 + b"1,0\n2,1\n",
    "lines of blanks": b" \t \n" * 50_000 + b"1,0\n2,1\n",
    "comments": b"%\n" * 50_000 + b"1,0\n2,1\n",
    "one long line of blanks": b" " * 300_000 + b"x\n",
    "libsvm, almost": b"1" + b" 1:1" * 50_000 + b" ;\n1,2\n",
    "libsvm with blanks": b"1 1:1" + b" " * 50_000 + b"x\n1,2\n",
    "attribute of blanks": b"@relation r\n@attribute " + b" " * 100_000 + b"\n@attribute b {0,1}\n@data\n1,0\n",
    "attribute of braces": b"@relation r\n@attribute a " + b"{" * 100_000 + b"\n@attribute b {0,1}\n@data\n1,0\n",
    "attribute of quotes": b"@relation r\n@attribute '" + b"\\'" * 50_000 + b"\n@attribute b {0,1}\n@data\n1,0\n",
    "attribute of blanks between values": b"@relation r\n@attribute a {b" + b" " * 200_000 + b"c}\n@data\n1,0\n",
    "attribute of values in quotes": b"@relation r\n@attribute a {" + b'"a",' * 50_000 + b"b b\n@data\n1,0\n",
    "row of escapes": b'@relation r\n@attribute a real\n@attribute b {0,1}\n@data\n1,"' + b'\\"' * 200_000 + b"%\n",
    "row of blanks": b"@relation r\n@attribute a real\n@attribute b {0,1}\n@data\n1" + b" \t" * 200_000 + b"x 2\n",
    "a quote that never ends": b'a,b\n"' + b"x,\n" * 50_000,
    "very many commas": b"," * 300_000 + b"\n1,2\n",
    "one long cell": b"x" * 500_000 + b",1\n1,0\n",
    "a long number": b"9" * 100_000 + b",1\n2,0\n3,0\n",
}


@pytest.mark.parametrize("what", SLOW)
def test_nothing_takes_long(what, tmp_path):
    (tmp_path / "data").write_bytes(SLOW[what])
    start = time.process_time()
    try:
        load("csv", path=str(tmp_path / "data"))
    except UserError as error:
        assert "\n" not in str(error) and len(str(error)) < 1000
    assert time.process_time() - start < 5


ODD = {
    "separators": b",\n",
    "more separators": b";;;\n;;\n",
    "unit separators": b"\x1f",
    "blanks of Unicode": "\u2003\n\u2028".encode(),
    "NUL": b"1,0\n2,\x001\n",
    "UTF-16 without a mark": "1,0\n2,1\n".encode("utf-16-le"),
    "half of UTF-16": "1,0\n2,1\n".encode("utf-16")[:-1],
    "half of UTF-32": "1,0\n2,1\n".encode("utf-32")[:-1],
    "neither UTF-8 nor Windows-1252": b"gr\x81\xf6e,y\n1,0\n2,1\n",
    "half a gzip": gzip.compress(b"1,0\n" * 1000)[:-20],
    "a gzip in name": b"\x1f\x8b",
    "400 digits": b"9" * 400 + b",a\n1,b\n",
}


@pytest.mark.parametrize("what", ODD)
def test_odd_bytes_are_named(what, tmp_path):
    (tmp_path / "data").write_bytes(ODD[what])
    refusal(tmp_path / "data")


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    (tmp_path / "a.csv").write_bytes("label,x\na,1\nb,2\na,3\n".encode("utf-8-sig"))
    assert load("csv", path=str(tmp_path / "a.csv"), target="label").classes == ("a", "b")


def test_what_is_no_file_does_not_keep_us_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "zero").symlink_to("/dev/zero")
    places = [tmp_path, tmp_path / "pipe", tmp_path / "loop", tmp_path / "zero", "/dev/zero", tmp_path / ("x" * 5000)]
    for place in [*places, "~nobody-has-this-name/x.csv", "a\0b"]:
        found = []
        thread = threading.Thread(target=lambda place=place, found=found: found.append(_message(place)), daemon=True)
        thread.start()
        thread.join(5)
        assert found and found[0] and "\n" not in found[0], place


def _message(place):
    with pytest.raises(UserError) as error:
        load("csv", path=str(place))
    return str(error.value)


def test_a_target_of_thousands_of_digits(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"1,0\n2,1\n")
    refusal(tmp_path / "a.csv", target="9" * 5000)


def tar_with(header, size):
    """An archive whose header says that `size` bytes of names follow."""
    info = tarfile.TarInfo("a/b.txt")
    info.size, info.type = size, header
    return info.tobuf(tarfile.GNU_FORMAT)


@pytest.mark.parametrize("header", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.REGTYPE])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress])
def test_headers_of_archives_take_no_memory(header, pack, tmp_path):
    (tmp_path / "a.tar").write_bytes(pack(tar_with(header, 3 * 2**30)))
    with pytest.raises(UserError, match="larger than|cannot be read|no b.txt"):
        read_bytes(File("a.tar", "", members=("b.txt",)), tmp_path / "a.tar")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress])
def test_members_are_read_however_the_archive_is_packed(pack, tmp_path):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("a/" + "long" * 60 + "/b.txt")
        info.size = 5
        archive.addfile(info, io.BytesIO(b"hello"))
    (tmp_path / "a.tar").write_bytes(pack(stream.getvalue()))
    assert read_bytes(File("a.tar", "", members=("b.txt",)), tmp_path / "a.tar") == b"hello"


def test_a_pipe_in_the_place_of_an_original(tmp_path):
    os.mkfifo(tmp_path / "a")
    with pytest.raises(UserError, match="is a pipe or device"):
        read_bytes(File("a", ""), tmp_path / "a")


def test_a_folder_of_an_archive_is_read_in_the_order_of_its_names(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        for name in ("all/new/b/2", "all/old/b/1", "all/new/a/10", "all/newer/a/3"):
            info = tarfile.TarInfo(name)
            info.size = 3
            archive.addfile(info, io.BytesIO(name[-3:].encode()))
    folders = File("a.tar", "", members=("new/", "old/"))
    assert read_bytes(folders, tmp_path / "a.tar") == b"a/10\0/10\0b/2\0b/2\0b/1\0b/1\0"
    with pytest.raises(UserError, match="no none/"):
        read_bytes(File("a.tar", "", members=("none/",)), tmp_path / "a.tar")
