"""Download of an original file into the cache: all of it, checked, or nothing."""

import io
import lzma
import os
import tarfile
import tempfile
import time
import zipfile
import zlib
from pathlib import Path

from kernlearn.datasets.sets.entry import Entry, File
from kernlearn.datasets.sets.locate import SIZE_LIMIT, mismatch, unpack
from kernlearn.errors import UserError
from kernlearn.places import cache_directory

#: Seconds without an answer, and seconds for the whole, after which a download is given up.
SILENCE, PATIENCE = 20.0, 300.0
CHUNK = 2**16


def fetch(entry: Entry, file: File) -> Path:
    """Download a file into the cache and return its path.

    The content is checked in memory, and the file appears under its name in one step. Other processes, which may fetch
    the same file, therefore never read a wrong or incomplete file.

    Raises `UserError` if it has no address, or the download, the check or the writing fails; the message says what to
    do instead.
    """
    if not file.url:
        raise UserError(remedy(entry, file, "cannot be downloaded"))
    try:
        stored = _get(file.url)
        if file.member:
            stored = _member(stored, file.member)
        content = unpack(file, io.BytesIO(stored))
    except (OSError, ValueError, EOFError, zlib.error, lzma.LZMAError, tarfile.TarError) as error:
        raise UserError(remedy(entry, file, f"not downloaded from {file.url} ({_reason(error)})")) from None
    if wrong := mismatch(entry, file, content):
        raise UserError(remedy(entry, file, f"{file.url} sent another file ({wrong})"))
    path = cache_directory() / file.name
    try:
        _store(stored, path)
    except OSError as error:
        problem = f"{path} cannot be written ({error.strerror or error}); set KERNLEARN_CACHE to another directory"
        raise UserError(f"{file.name}: {problem}") from None
    return path


def remedy(entry: Entry, file: File, problem: str) -> str:
    """Return the one line that states a problem with a file and how to provide it by hand."""
    advice = f" ({entry.advice})" if entry.advice else ""
    what = f"a tar archive with {file.members[0]}" if file.members else f"sha256 {file.sha256[:12]}..."
    return f"{file.name}: {problem}; put {file.name} ({what}) into a directory named by KERNLEARN_DATA{advice}"


def _reason(error: Exception) -> str:
    inner = getattr(error, "reason", None)  # of a URLError; an HTTPError says more than its reason does
    return " ".join(str(inner if isinstance(inner, OSError) else error).split()) or type(error).__name__


def _get(url: str) -> bytes:
    from http.client import HTTPException
    from urllib.request import urlopen

    deadline = time.monotonic() + PATIENCE
    parts: list[bytes] = []
    size = 0
    try:
        with urlopen(url, timeout=SILENCE) as response:
            announced = response.headers.get("Content-Length")
            while part := response.read1(CHUNK):
                parts.append(part)
                size += len(part)
                if size > SIZE_LIMIT:
                    raise ValueError(f"more than {SIZE_LIMIT >> 20} MiB")
                if time.monotonic() > deadline:
                    raise ValueError(f"not complete after {PATIENCE:.0f} seconds")
    except HTTPException as error:
        raise ValueError(f"broken answer: {error}") from None
    if announced is not None and size != int(announced):
        raise ValueError(f"cut short: {size} of {announced} bytes")
    return b"".join(parts)


def _member(archive: bytes, name: str) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened, opened.open(name) as member:
            content = member.read(SIZE_LIMIT + 1)
    except KeyError:
        raise ValueError(f"the archive has no {name}") from None
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
        raise ValueError(f"not a zip archive that can be read: {error}") from None
    if len(content) > SIZE_LIMIT:
        raise ValueError(f"{name} is more than {SIZE_LIMIT >> 20} MiB")
    return content


def _store(content: bytes, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
