"""Save and load models."""

import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from kernlearn import __version__
from kernlearn.errors import UserError, misfit
from kernlearn.models.archive import Archive, is_model, read_array, read_header, reading, write_archive
from kernlearn.models.codec import ABOUT, Encoder

FORMAT, SCHEMA = "kernlearn model", 1
#: Packages whose versions are written down.
PACKAGES = ("numpy", "scipy", "scikit-learn")
#: The name of a pipeline in a file.
PIPELINE = "sklearn.Pipeline"
#: What a header has beside these is from a newer version.
KEYS = {"format", "schema", "versions", "about", "model", "proof"}


def save(estimator: Any, path: Any, *, force: bool = False, about: Mapping[str, Any] | None = None) -> None:
    """Write a fitted estimator to a file that holds numbers and texts, and nothing that runs.

    Equal estimators are equal bytes. The file is written completely or not at all, and replaces another model.

    Parameters
    ----------
    estimator : estimator
        One of kernlearn, or a pipeline with one and with scikit-learn's imputers, encoders and scalers. Of one that
        chose its parameters by cross-validation, the estimator with the chosen parameters is saved, and `load` returns
        this one; the header says what was chosen, and its score.
    path : str or Path
    force : bool
        Whether to replace a file that is no model.
    about : mapping, optional
        What else `kernlearn info` is to say, as JSON holds it.

    Raises
    ------
    UserError
        If it is not fitted, or has something that a file does not hold, such as a function; if the file is not to be
        replaced.
    """
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    from kernlearn.models.proof import choice_of, chosen, described, points_of

    file = Path(path)
    try:
        check_is_fitted(estimator)
    except (NotFittedError, TypeError) as error:
        raise UserError(f"{file}: {' '.join(str(error).split())}") from None
    choice, estimator, encoder = choice_of(estimator), chosen(estimator), Encoder()
    known, model = described(estimator), encoder.encode(estimator, type(estimator).__name__)
    header = {
        "format": FORMAT,
        "schema": SCHEMA,
        "versions": versions(),
        "about": {**_kept_about(estimator, known), **known, **choice, **(about or {})},
        "model": model,
        "proof": encoder.encode(points_of(estimator), "proof"),
    }
    require_replaceable(file, force)
    write_archive(file, header, encoder.arrays)


def _kept_about(estimator: Any, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the file of a loaded estimator said of it, if it is still the one that was loaded."""
    kept = getattr(estimator, ABOUT, {})
    return dict(kept) if all(kept.get(key) == value for key, value in known.items()) else {}


def require_replaceable(
    file: Path, force: bool, is_own: Callable[[Path], bool] = is_model, kind: str = "model"
) -> None:
    """Raise `UserError` if something is in the place of a file to write that may not be replaced.

    A directory, a link, a pipe or a device never is, a file only if it is of our own kind or `force` says so.
    """
    try:
        mode = file.lstat().st_mode
        if stat.S_ISDIR(mode):
            raise UserError(f"{file}: is a directory; give the name of a file")
        if not stat.S_ISREG(mode):
            raise UserError(f"{file}: is a link, pipe or device; give the name of a file")
        found = force or is_own(file)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise UserError(f"{file}: {error.strerror or error}") from None
    if not found:
        what = f"is there and is no {kind}" if kind else "is there"
        python = " (force=True)" if kind == "model" else ""
        raise UserError(f"{file}: {what}; give another name, or --force{python} to replace it")


def load(path: Any) -> Any:
    """Return the estimator that `save` wrote, which predicts the same to the last bit.

    Parameters
    ----------
    path : str or Path

    Raises
    ------
    UserError
        If the file is no model, is damaged, or is of a newer version.
    """
    from kernlearn.models.decode import Decoder

    with reading(Path(path)) as archive:
        header = checked_header(archive)
        with _decoding(archive):
            found = Decoder(cache(partial(read_array, archive))).decode(header["model"])
            setattr(found, ABOUT, header["about"])  # so that another file says the same
            return found


def load_header(path: Any) -> dict[str, Any]:
    """Return the header of a model alone: ``versions``, ``about``, and the trees of ``model`` and ``proof``."""
    with reading(Path(path)) as archive:
        return checked_header(archive)


def load_proof(path: Any) -> dict[str, Any]:
    """Return what proves a model, see docs/models.md, as plain values and arrays: no class of an estimator is made."""
    from kernlearn.models.decode import Decoder

    with reading(Path(path)) as archive:
        header = checked_header(archive)
        with _decoding(archive):
            found = Decoder(cache(partial(read_array, archive)), plain=True).decode(header["proof"])
        if not isinstance(found, dict):
            raise UserError(f"{archive.path}: has nothing that proves it")
        return found


class Parts(NamedTuple):
    """A model in parts: what is before its estimator, this and its plain values, and what proves it."""

    header: dict[str, Any]
    steps: list[Any]
    machine: dict[str, Any]
    proof: dict[str, Any]
    estimator: Any


def load_parts(path: Any) -> Parts:
    """Return the parts of a model, with the estimator both as `load` makes it and as plain values.

    Raises
    ------
    UserError
        As for `load`, or if there is nothing that proves it.
    """
    from kernlearn.models.decode import Decoder

    with reading(Path(path)) as archive:
        header = checked_header(archive)
        with _decoding(archive):
            arrays = cache(partial(read_array, archive))
            trees = [header["model"]]
            if trees[0]["estimator"]["name"] == PIPELINE:
                trees = [step["tuple"][1] for step in trees[0]["estimator"]["params"]["steps"]]
            *steps, estimator = (Decoder(arrays).decode(tree) for tree in trees)
            machine, proof = (Decoder(arrays, plain=True).decode(tree) for tree in (trees[-1], header["proof"]))
            machine = {key: machine[key] for key in ("name", "params", "state")}
        if not isinstance(proof, dict):
            raise UserError(f"{archive.path}: has nothing that proves it")
        return Parts(header, steps, machine, proof, estimator)


def checked_header(archive: Archive) -> dict[str, Any]:
    """Return the header of a model of this schema.

    Raises
    ------
    UserError
        If it is another.
    """
    header = read_header(archive)
    schema, made = header.get("schema"), header.get("versions")
    if header.get("format") != FORMAT or type(schema) is not int or not isinstance(made, dict):
        raise UserError(f"{archive.path}: is no model file of kernlearn")
    if schema > SCHEMA:
        newer = str(made.get("kernlearn"))[:40]
        raise UserError(
            f"{archive.path}: was written by a newer kernlearn ({newer}, schema {schema}; this one reads {SCHEMA}): "
            "pip install -U kernlearn"
        )
    if schema != SCHEMA or header.keys() != KEYS or not isinstance(header["about"], dict):
        raise UserError(f"{archive.path}: its header is damaged")
    return header


def versions() -> dict[str, str]:
    """Return the versions of kernlearn and of what a model depends on."""
    return {"kernlearn": __version__, **{name: version(name) for name in PACKAGES}}


@contextmanager
def _decoding(archive: Archive) -> Iterator[None]:
    """Turn what wrong values lead to, before anything is predicted, into one line."""
    from kernlearn.models.decode import Damaged

    try:
        yield
    except UserError as error:
        words = str(error)
        raise UserError(words if words.startswith(str(archive.path)) else f"{archive.path}: {words}") from None
    except Damaged as error:
        raise UserError(f"{archive.path}: is damaged ({' '.join(str(error).split())[:200]})") from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise UserError(f"{archive.path}: is damaged: {misfit(error)}") from error
