"""Files of a commit, read by git. Nothing is written, and nothing that a repository configures is run."""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

from kernlearn.errors import UserError

#: The size of a file that the repository lacks, as it may be a partial clone.
MISSING = -1
#: Seconds for one command.
PATIENCE = 60
#: Settings with which git runs no other program, fetches nothing and writes nothing, whatever a repository configures.
#: An object that is missing from a partial clone would be fetched by a command of the repository's choice.
SETTINGS = {"core.fsmonitor": "false", "core.hooksPath": "/dev/null", "protocol.allow": "never"}
QUIET = (
    *(word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")),
    *("--no-pager", "--no-optional-locks"),
)


class Blob(NamedTuple):
    """A file of a commit: its name in git, its size in bytes or `MISSING`, and the directory of the repository."""

    name: str
    size: int
    repository: Path


def is_commit(word: str) -> bool:
    """Return whether git knows a commit by this name."""
    try:
        _commit(word)
    except UserError:
        return False
    return True


def files_of(revision: str, path: str) -> dict[str, Blob]:
    """Return the regular files of a directory of a commit by their path in it; of a file, itself by an empty path.

    Raises `UserError` if there is no such commit or path, or no repository.

    Parameters
    ----------
    path : str
        From the root of the repository, or from the current directory if it begins with "./"; empty for all files.
    """
    commit, root = _commit(revision), Path(_git("rev-parse", "--show-toplevel").decode().rstrip("\n"))
    if path.startswith("./"):
        path = _git("rev-parse", "--show-prefix").decode().rstrip("\n") + path[2:]
    path = os.path.normpath(path).replace(os.sep, "/").strip("/") if path.strip("/.") else ""
    listing = _git("ls-tree", "-r", "-l", "-z", "--full-tree", commit, *(["--", path] if path else []))
    blobs = {}
    for line in listing.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        head, _, name = line.partition("\t")
        mode, _, blob, size = head.split()
        if mode in ("100644", "100755") and (not path or name == path or name.startswith(f"{path}/")):
            blobs[name.removeprefix(path).removeprefix("/")] = Blob(
                blob, int(size) if size.isdecimal() else MISSING, root
            )
    if not blobs:
        raise UserError(f"{revision}:{path}: the commit has no such file or directory")
    return blobs


def content_of(blob: Blob) -> bytes:
    """Return the content of a file of a commit."""
    return _git("cat-file", "blob", blob.name, directory=blob.repository)


def _commit(word: str) -> str:
    """Return the name of a commit in full."""
    return (
        _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{word}^{{commit}}", what=word).decode().strip()
    )


def _git(*arguments: str, directory: Path | None = None, what: str = "") -> bytes:
    """Return what git prints.

    Raises `UserError` if it is not installed, fails, or takes too long.
    """
    command = ["git", *QUIET, *(["-C", str(directory)] if directory else []), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise UserError("a commit is read by git, which is not installed; give two directories") from None
    except (ValueError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{what or 'git'}: {' '.join(str(error).split())}") from None
    if done.returncode:
        words = " ".join(done.stderr.decode(errors="replace").split()) or "there is no such commit"
        raise UserError(f"{what or 'git'}: {words}")
    return done.stdout
