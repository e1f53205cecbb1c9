"""Recognise files without a plain-text table by their first bytes."""

import codecs
import re
from pathlib import Path

from kernlearn.errors import UserError

UNPACK, EXPORT = "unpack it and give the file inside", "export the table as CSV"
#: First bytes, what such a file is, and what to do with it.
MAGIC = {
    b"PK\x03\x04": ("a zip archive, as .xlsx, .ods and .npz files are", f"{EXPORT}, or unpack it"),
    b"PK\x05\x06": ("an empty zip archive", "give a file with data"),
    b"\x1f\x8b": ("gzip inside gzip", "unpack it once"),
    b"\xfd7zXZ\x00": ("an xz file", UNPACK),
    b"\x28\xb5\x2f\xfd": ("a zstd file", UNPACK),
    b"\x04\x22\x4d\x18": ("an lz4 file", UNPACK),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", UNPACK),
    b"Rar!\x1a\x07": ("a rar archive", UNPACK),
    b"\x93NUMPY": ("an array of NumPy", f"{EXPORT} (numpy.savetxt)"),
    b"\x89HDF\r\n\x1a\n": ("an HDF5 file", EXPORT),
    b"MATLAB 5.0 MAT-file": ("a MATLAB file", EXPORT),
    b"ARROW1\x00\x00": ("an Arrow file", EXPORT),
    b"FEA1": ("a Feather file", EXPORT),
    b"SQLite format 3\x00": ("an SQLite database", EXPORT),
    b"RDX2\n": ("an R data file", EXPORT),
    b"RDX3\n": ("an R data file", EXPORT),
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": ("an old Microsoft Office file, such as .xls", EXPORT),
    b"%PDF-": ("a PDF document", EXPORT),
    **{b"BZh%d1AY&SY" % level: ("a bzip2 file", UNPACK) for level in range(1, 10)},
    **{bytes([0x80, protocol]): ("a pickle, which is never read", EXPORT) for protocol in range(2, 6)},
}
#: What texts begin with that are no tables.
TEXTS = {
    re.compile(rb"version https://git-lfs"): (
        "a pointer of Git LFS, which stands for the file itself",
        "get that one by: git lfs pull",
    ),
    re.compile(rb"(?i)\s*<(!doctype )?html\b"): ("a page of HTML", "download the file that it leads to"),
    re.compile(rb'\s*(\[\s*)?\{\s*"'): ("JSON", EXPORT),
}
#: Where a tar archive has its mark, after names that are filled up with zeros.
TAR = slice(257, 262)


def refuse_others(file: Path, content: bytes) -> None:
    """Raise `UserError` if the content, without an outer gzip, is packed or in a format that is not read."""
    plain = content.removeprefix(codecs.BOM_UTF8)
    known = [said for mark, said in MAGIC.items() if content.startswith(mark)]
    known += [said for mark, said in TEXTS.items() if mark.match(plain)]
    what, remedy = known[0] if known else ("", "")
    if content[TAR] == b"ustar" and b"\x00" in content[: TAR.start]:
        what, remedy = "a tar archive", UNPACK
    if what:
        raise UserError(f"{file}: is {what}; {remedy}")
