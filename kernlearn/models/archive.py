"""The container of a model file: a zip of one JSON header and of arrays, which is checked before it is read.

Members are stored, not compressed, in a fixed order and without times. So equal models are equal bytes, and a file
takes no more memory than its size. What differs from what `write_archive` writes is refused, so the tricks that a zip
allows (links, names with "..", members twice or one in another, sizes that lie) need no list.
"""

import io
import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from kernlearn.atomic import replacing
from kernlearn.datasets.core.bounds import open_plain
from kernlearn.errors import UserError
from kernlearn.memory import require

#: The name of the header, and those of arrays.
HEADER, ARRAY = "model.json", "arrays/{}.npy"
#: Most bytes of a header and of one array, and most arrays.
LARGEST_HEADER, LARGEST_ARRAY, MOST_ARRAYS = 2**26, 2**31 - 1, 10_000
#: Kinds of numbers that an array may have: booleans, integers, floats of up to 8 bytes, texts.
KINDS = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (4, 8), "U": range(0, 4 * 2**16, 4)}
#: The largest code of a character, and those that are none.
LAST_CHARACTER, SURROGATES = 0x10FFFF, (0xD800, 0xDFFF)

# The records of a zip (APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16), and their signatures.
_LOCAL, _CENTRAL, _END = struct.Struct("<4s5H3L2H"), struct.Struct("<4s6H3L5H2L"), struct.Struct("<4s4H2LH")
_SIGNATURES = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
#: Version 2.0 by Unix, the first day of the format's calendar, and a regular file that its owner may write.
_VERSION, _UNIX, _DATE, _MODE = 20, 3 << 8, 1 << 5 | 1, 0o100644 << 16


class Member(NamedTuple):
    """Where the bytes of a member are, how many there are, and their checksum."""

    start: int
    size: int
    crc: int


class Archive(NamedTuple):
    """An open model file with its checked directory."""

    path: Path
    stream: io.BufferedReader
    members: Mapping[str, Member]


def write_archive(path: Path, header: Mapping[str, Any], arrays: Sequence[NDArray[Any]]) -> None:
    """Write a model file, completely or not at all.

    Raises
    ------
    UserError
        If there are too many arrays, or one is too large.
    """
    if len(arrays) > MOST_ARRAYS:
        raise UserError(f"{path}: the model has {len(arrays)} arrays, more than {MOST_ARRAYS}")
    text = json.dumps(header, sort_keys=True, indent=1, allow_nan=False).encode() + b"\n"
    directory = b""
    with replacing(path) as stream:
        for name, head, content in ((HEADER, text, b""), *_encoded(arrays)):
            size, crc = len(head) + len(content), zlib.crc32(content, zlib.crc32(head))
            if size > (LARGEST_HEADER if name == HEADER else LARGEST_ARRAY):
                raise UserError(f"{path}: {name} takes {size} bytes, which is more than a model file holds")
            directory += _central(name, size, crc, stream.tell())
            stream.write(_local(name, size, crc))
            stream.write(head)
            stream.write(content)
        start, number = stream.tell(), len(arrays) + 1
        if start > 2**32 - 1:
            raise UserError(f"{path}: the model takes more than 4 GB, which is more than a model file holds")
        stream.write(directory + _END.pack(_SIGNATURES[2], 0, 0, number, number, len(directory), start, 0))


def is_model(path: Path) -> bool:
    """Return whether a file begins as a model file does."""
    start = len(_local(HEADER, 0, 0))
    with open_plain(path) as stream:
        found = stream.read(start)
    return found[:4] == _SIGNATURES[0] and found[_LOCAL.size :] == HEADER.encode()


@contextmanager
def reading(path: Path) -> Iterator[Archive]:
    """Open a model file whose directory is as `write_archive` writes it.

    Raises
    ------
    UserError
        If it is no such file.
    """
    try:
        stream = open_plain(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    with stream:
        try:
            members = _members(stream)
        except (ValueError, struct.error) as error:
            raise UserError(f"{path}: is no model file of kernlearn, or damaged ({error})") from None
        yield Archive(path, cast(io.BufferedReader, stream), members)


def read_header(archive: Archive) -> dict[str, Any]:
    """Return the header.

    Raises
    ------
    UserError
        If it is damaged, or no JSON object.
    """
    try:
        header = json.loads(_bytes(archive, HEADER))
    except (ValueError, RecursionError) as error:
        words = "too deep" if isinstance(error, RecursionError) else error
        raise UserError(f"{archive.path}: {HEADER} is damaged ({words})") from None
    if not isinstance(header, dict):
        raise UserError(f"{archive.path}: {HEADER} is damaged (no JSON object)")
    return header


def read_array(archive: Archive, number: int) -> NDArray[Any]:
    """Return an array; its size is compared with its type and shape before memory is taken.

    Raises
    ------
    UserError
        If there is none of this number, or it is damaged.
    """
    name = ARRAY.format(number)
    try:
        if name not in archive.members:
            raise ValueError("is missing")
        member, stream = archive.members[name], archive.stream
        stream.seek(member.start)
        head = io.BytesIO(stream.read(min(member.size, 2**17)))
        shape, fortran, dtype = _described(head)
        _check_kind(dtype)
        count, left = prod(shape), member.size - head.tell()
        if min(shape, default=0) < 0 or count * dtype.itemsize != left:
            raise ValueError(f"has {left} bytes for the shape {shape} of {dtype}")
        require(float(left), f"{archive.path}: {name}", "free some")
        crc = zlib.crc32(head.getvalue()[: head.tell()])
        stream.seek(member.start + head.tell())
        values = np.empty(count, dtype)
        content: Any = values.view(np.uint8) if left else bytearray()
        if stream.readinto(content) != left or zlib.crc32(content, crc) != member.crc:
            raise ValueError("has another checksum")
        _check_codes(values)
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"{archive.path}: {name} {' '.join(str(error).split())}") from None
    return values.reshape(shape, order="F" if fortran else "C")


def _members(stream: Any) -> dict[str, Member]:
    """Return the members of a zip, or raise `ValueError` if it is not what `write_archive` writes."""
    size = os.fstat(stream.fileno()).st_size
    if size < _END.size:
        raise ValueError("it is too short")
    stream.seek(size - _END.size)
    end = stream.read()
    signature, _, _, number, _, length, start, _ = _END.unpack(end)
    if signature != _SIGNATURES[2]:
        raise ValueError("it does not end as a zip does")
    if end != _END.pack(signature, 0, 0, number, number, length, size - _END.size - length, 0):
        raise ValueError("its end tells another size")
    if not 1 <= number <= MOST_ARRAYS + 1 or length > number * (_CENTRAL.size + len(ARRAY.format(MOST_ARRAYS))):
        raise ValueError(f"its directory has {number} members in {length} bytes")
    stream.seek(start)
    directory, members, offset, place = stream.read(length), dict[str, Member](), 0, 0
    for i in range(number):
        name = HEADER if i == 0 else ARRAY.format(i - 1)
        fields = _CENTRAL.unpack_from(directory, place)
        crc, one = fields[7], fields[9]
        if one > (LARGEST_HEADER if i == 0 else LARGEST_ARRAY):
            raise ValueError(f"{name} has {one} bytes")
        expected = _central(name, one, crc, offset)
        if directory[place : place + len(expected)] != expected:
            raise ValueError(f"its directory is another at {name}")
        head = _local(name, one, crc)
        stream.seek(offset)
        if stream.read(len(head)) != head:
            raise ValueError(f"{name} begins in another way")
        members[name] = Member(offset + len(head), one, crc)
        place, offset = place + len(expected), offset + len(head) + one
    if place != length or offset != start:
        raise ValueError("there is something between its members")
    return members


def _local(name: str, size: int, crc: int) -> bytes:
    fields = _SIGNATURES[0], _VERSION, 0, 0, 0, _DATE, crc, size, size, len(name), 0
    return _LOCAL.pack(*fields) + name.encode()


def _central(name: str, size: int, crc: int, offset: int) -> bytes:
    fields = _VERSION | _UNIX, _VERSION, 0, 0, 0, _DATE, crc, size, size, len(name), 0, 0, 0, 0, _MODE, offset
    return _CENTRAL.pack(_SIGNATURES[1], *fields) + name.encode()


def _encoded(arrays: Sequence[NDArray[Any]]) -> Iterator[tuple[str, bytes, Any]]:
    """Yield name, header and content of arrays, which lie in memory row by row, or column by column."""
    for number, array in enumerate(arrays):
        head = io.BytesIO()
        np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(array))
        yield ARRAY.format(number), head.getvalue(), array.tobytes(order="A")


def _described(head: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return shape, order and type of an array from the beginning of its member."""
    if np.lib.format.read_magic(head) != (1, 0):
        raise ValueError("has a header of another version")
    try:
        return np.lib.format.read_array_header_1_0(head, max_header_size=10_000)
    except Exception as error:  # a parser of Python's raises almost anything
        raise ValueError(f"has an invalid header ({type(error).__name__})") from None


def _bytes(archive: Archive, name: str) -> bytes:
    member = archive.members[name]
    require(10.0 * member.size, f"{archive.path}: {name}", "free some")
    archive.stream.seek(member.start)
    content = archive.stream.read(member.size)
    if zlib.crc32(content) != member.crc:
        raise ValueError("has another checksum")
    return content


def _check_kind(dtype: np.dtype[Any]) -> None:
    if dtype.kind not in KINDS or dtype.itemsize not in KINDS[dtype.kind] or dtype != dtype.newbyteorder("<"):
        raise ValueError(f"has values of the type {dtype}")


def _check_codes(values: NDArray[Any]) -> None:
    """Refuse bytes that are no boolean, and codes that are no character."""
    if values.dtype.kind == "b" and values.view(np.uint8).max(initial=0) > 1:
        raise ValueError("has an invalid boolean")
    if values.dtype.kind == "U" and values.size and values.dtype.itemsize:
        codes = values.view(np.uint32)
        if codes.max() > LAST_CHARACTER or ((codes >= SURROGATES[0]) & (codes <= SURROGATES[1])).any():
            raise ValueError("has an invalid character")
