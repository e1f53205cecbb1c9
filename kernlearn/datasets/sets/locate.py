"""Where a file of the catalogue is on this machine, and whether it is the right one."""

import bz2
import gzip
import lzma
import os
import tarfile
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from kernlearn.datasets.core.bounds import open_plain
from kernlearn.datasets.core.dataset import digest
from kernlearn.datasets.sets.entry import Entry, File
from kernlearn.datasets.sets.files import read
from kernlearn.errors import UserError
from kernlearn.places import cache_directory

#: No original is as large; what is larger is not the file, and is not read to the end.
SIZE_LIMIT = 64 * 2**20
#: Nor is any archive of originals, unpacked.
ARCHIVE_LIMIT = 16 * SIZE_LIMIT
COMPRESSED: dict[bytes, Callable[..., Any]] = {
    b"\x1f\x8b": lambda stream: gzip.GzipFile(fileobj=stream),
    b"\xfd7zXZ": lzma.LZMAFile,
    b"BZh": bz2.BZ2File,
}
#: Files in an archive, which may be empty.
MOST_MEMBERS = 100_000
TOO_LARGE = f"larger than {SIZE_LIMIT >> 20} MiB, so not the file it is named after"


def data_directories() -> list[Path]:
    """Return the directories named by ``KERNLEARN_DATA``, or raise `UserError` if one of them is none."""
    directories = [Path(part).expanduser() for part in os.environ.get("KERNLEARN_DATA", "").split(os.pathsep) if part]
    for directory in directories:
        if not directory.is_dir():
            raise UserError(f"KERNLEARN_DATA: {directory} is not a directory; correct or unset it")
    return directories


def find(file: File) -> list[Path]:
    """Return the files in the data directories that bear the name, plain or with ``.gz``, in a fixed order."""
    return [path for directory in data_directories() for path in _walk(directory, _names(file))]


def find_cached(file: File) -> Path | None:
    """Return the file in the download cache, if there is one by that name."""
    path = cache_directory() / file.name
    return path if path.is_file() else None


def read_bytes(file: File, path: Path) -> bytes:
    """Return the content of a file, unpacked if it is gzipped; of an archive, its members one after the other.

    Raises `UserError` if it cannot be read, is damaged, or is larger than any file of the catalogue.
    """
    try:
        with open_plain(path) as raw:
            return unpack(file, raw)
    except ValueError as error:
        raise UserError(f"{path}: {error}") from None
    except (OSError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError) as error:
        raise UserError(f"{path}: cannot be read ({' '.join(str(error).split())})") from None


def unpack(file: File, raw: BinaryIO) -> bytes:
    """Return the content of an open file as `read_bytes` does.

    Raises `ValueError` if it is too large or lacks a member. Raises `OSError`, `EOFError`, `zlib.error`,
    `lzma.LZMAError` or `tarfile.TarError` if it is damaged.
    """
    if file.members:
        return b"".join(_members(file, raw))
    packed = raw.read(2) == b"\x1f\x8b"
    raw.seek(0)
    content = gzip.GzipFile(fileobj=raw).read(SIZE_LIMIT + 1) if packed else raw.read(SIZE_LIMIT + 1)
    if len(content) > SIZE_LIMIT:
        raise ValueError(TOO_LARGE)
    return content


def _members(file: File, raw: BinaryIO) -> list[bytes]:
    contents: dict[str, list[tuple[str, bytes]]] = {member: [] for member in file.members}
    total = 0
    magic = raw.read(6)
    raw.seek(0)
    kind = next((opened for start, opened in COMPRESSED.items() if magic.startswith(start)), None)
    stream: Any = _Bounded(kind(raw) if kind else raw)
    with tarfile.open(fileobj=stream, mode="r:") as archive:
        for number, info in enumerate(archive):
            if number == MOST_MEMBERS:
                raise ValueError(f"more than {MOST_MEMBERS} members, so not the file it is named after")
            for member in file.members if info.isfile() else ():
                folder, inside = member.endswith("/"), f"/{info.name}".partition(f"/{member}")[2]
                if inside if folder else f"/{info.name}".endswith(f"/{member}"):
                    total += info.size
                    if total > SIZE_LIMIT:
                        raise ValueError(TOO_LARGE)
                    opened = archive.extractfile(info)
                    assert opened is not None  # it is a file
                    content = opened.read()
                    if folder:
                        contents[member].append((inside, b"\0".join([inside.encode(), content, b""])))
                    else:
                        contents[member] = [(inside, content)]
    if missing := [member for member, files in contents.items() if not files]:
        raise ValueError(f"the archive has no {missing[0]}")
    return [content for files in contents.values() for _, content in sorted(files)]


class _Bounded:
    """A stream of which no more than `SIZE_LIMIT` is read at a time, whatever a header in it says there is to read."""

    def __init__(self, stream: Any) -> None:
        self.stream, self.tell = stream, stream.tell

    def read(self, size: int) -> bytes:
        if not 0 <= size <= SIZE_LIMIT:
            raise ValueError(TOO_LARGE)
        return self.stream.read(size)

    def seek(self, place: int) -> int:
        if place > ARCHIVE_LIMIT:
            raise ValueError(TOO_LARGE)
        return self.stream.seek(place)


def mismatch(entry: Entry, file: File, content: bytes) -> str:
    """Say how a content departs from what the catalogue expects; "" where it does not.

    The checksum decides. Copies with other line ends or another header have another checksum, though. If the entry is a
    table in one file, a copy is also accepted if its values and labels match the catalogue's digest exactly.
    """
    of_content = sha256(content).hexdigest()
    table = entry.reader is None and len(entry.files) == 1
    if of_content == file.sha256 or (table and _same_values(entry, content)):
        return ""
    return f"sha256 {of_content[:12]}... instead of {file.sha256[:12]}..."


def _same_values(entry: Entry, content: bytes) -> bool:
    try:
        X, y, target, *_ = read(entry, [content], entry.layout)
    except UserError:
        return False
    return digest(X + 0.0, y, tuple(entry.classes.values()), None if target is None else target + 0.0) == entry.digest


def _names(file: File) -> set[str]:
    plain = {file.name, file.alias} - {""}
    return plain | {f"{name}.gz" for name in plain}


def _walk(directory: Path, names: set[str]) -> Iterator[Path]:
    for folder, subfolders, files in os.walk(directory):
        subfolders.sort()
        for name in sorted(names.intersection(files)):
            yield Path(folder, name)
