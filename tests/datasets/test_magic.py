"""Packed and binary files under any name are told by their first bytes, in one line."""

import bz2
import gzip
import io
import lzma
import pickle
import tarfile
import zipfile

import numpy as np
import pytest

from kernlearn.datasets import load
from kernlearn.errors import UserError

TEXT = b"a,b,label\n1,2,x\n3,4,y\n5,6,x\n"


def zipped():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("my.csv", TEXT)
    return stream.getvalue()


def in_tar():
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        member = tarfile.TarInfo("my.csv")
        member.size = len(TEXT)
        archive.addfile(member, io.BytesIO(TEXT))
    return stream.getvalue()


def saved(save, array):
    stream = io.BytesIO()
    save(stream, array)
    return stream.getvalue()


FILES = {
    "zip": (zipped(), "zip archive, .*unpack it"),
    "npz": (saved(np.savez, np.eye(2)), "zip archive, as .xlsx, .ods and .npz files are; export the table as CSV"),
    "bzip2": (bz2.compress(TEXT), "bzip2 file; unpack it"),
    "xz": (lzma.compress(TEXT), "xz file; unpack it"),
    "zstd": (b"\x28\xb5\x2f\xfd\x24\x1c" + TEXT, "zstd file; unpack it"),
    "gzip in gzip": (gzip.compress(gzip.compress(TEXT)), "gzip inside gzip; unpack it once"),
    "tar": (in_tar(), "tar archive; unpack it"),
    "tar.gz": (gzip.compress(in_tar()), "tar archive; unpack it"),
    "npy": (saved(np.save, np.eye(2)), "array of NumPy; export the table as CSV"),
    "HDF5": (b"\x89HDF\r\n\x1a\n\x00\x00", "HDF5 file; export the table as CSV"),
    "PDF": (b"%PDF-1.7\n1,2\n", "PDF document; export the table as CSV"),
    "Git LFS": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
        "pointer of Git LFS, .*lfs pull",
    ),
    "HTML": (b"\n<!DOCTYPE html>\n<html><body>a,b</body></html>\n", "page of HTML; download the file"),
    "HTML without a type": (b'\xef\xbb\xbf<HTML lang="en">1,2</HTML>\n', "page of HTML; download the file"),
    "JSON": (b'[{"a": 1, "y": 2},\n {"a": 2, "y": 3}]\n', "JSON; export the table as CSV"),
    **{f"pickle {i}": (pickle.dumps(TEXT, protocol=i), "pickle, .*export the table as CSV") for i in range(2, 6)},
}


@pytest.mark.parametrize("suffix", [".csv", ".libsvm", ".arff", ".gz"])
@pytest.mark.parametrize("kind", sorted(FILES))
def test_what_holds_no_plain_text_is_said_to_be_what_it_is(kind, suffix, tmp_path):
    content, words = FILES[kind]
    path = tmp_path / f"my{suffix}"
    path.write_bytes(content)
    for options in ({}, {"encoding": "latin-1"}):
        with pytest.raises(UserError, match=f"^{path}: is an? {words}|^{path}: is {words}") as caught:
            load("csv", path=path, **options)
        assert "\n" not in str(caught.value) and "encoding" not in str(caught.value)


def test_a_text_that_begins_with_the_letters_of_a_mark_is_read(tmp_path):
    path = tmp_path / "my.csv"
    for name in ("BZh9", "PK", "RDX", "Rar!"):
        path.write_bytes(TEXT.replace(b"a", name.encode(), 1))
        assert load("csv", path=path).columns == (name, "b")
    before = b"a,b,label\n" + b"1,2,no\n" * 33
    path.write_bytes(before + b"12345,67890,ustar".rjust(262 - len(before)) + b"\n")
    assert path.read_bytes()[257:262] == b"ustar" and load("csv", path=path).classes == ("no", "ustar")
