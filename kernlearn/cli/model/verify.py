"""``kernlearn verify MODEL FILE``: prove a model on the data of whoever reads it."""

import json
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from kernlearn.cli.parser import Parser
from kernlearn.documents import deliver
from kernlearn.errors import UserError
from kernlearn.streams import tell

#: Exit code of a model that is not verified.
NOT_VERIFIED = 1
#: Largest relative gap that may count as a proof.
MOST_TOL = 0.01


def make_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser(
        prog="kernlearn verify",
        description="Rebuild the problem of a model from your own copy of the training data, and bound how far the "
        "model is from the optimum. Nothing is solved, and nothing that the file says of itself is believed. The exit "
        "code is 0 if the model is proved, 1 if it is not, and 2 for a wrong command.",
    )
    parser.add_argument("model", metavar="MODEL", help="a file of kernlearn fit or kernlearn.save")
    parser.add_argument("file", metavar="FILE", help="the training data, or the name of a data set")
    parser.add_argument(
        "keys", metavar="KEY=VALUE", nargs="*", default=[], help="how the file is read, as for kernlearn run: target=y"
    )
    parser.add_argument(
        "--tol", type=float, help=f"largest relative gap, at most {MOST_TOL}; by default that of the method"
    )
    parser.add_argument("--receipt", metavar="FILE", help="write what was proved; may replace another receipt")
    parser.add_argument("--force", action="store_true", help="replace a file that is no receipt")
    return parser


def without_old_receipt(words: list[str]) -> list[str]:
    """Return the words of a command line with ``--receipt FILE`` in the place of ``--json FILE``, as in version 0.1.0.

    It is accepted, with a warning, until version 0.3. ``--json`` alone is the switch of every verb.
    """
    for i in [i for i, word in enumerate(words[:-1]) if word == "--json" and not words[i + 1].startswith("-")]:
        rest = [*words[:i], *words[i + 2 :]]
        try:
            given = make_parser().parse_intermixed_args([word for word in rest if word != "--json"])
        except UserError:  # without the word, the model or the data are missing
            continue
        if all("=" in word for word in given.keys) and "=" not in given.file:
            tell("kernlearn: verify --json FILE is now --receipt FILE; --json alone prints a JSON document")
            return [*rest, "--receipt", words[i + 1]]
    return words


class Problem(TypedDict):
    """A problem that the model solves, and what is proved of it."""

    #: Which one it is, of a model that solves several.
    name: str
    #: What is minimised, in words.
    problem: str
    #: The value at the predictor of the model; null if it violates constraints.
    objective: float | None
    #: No predictor has a smaller value.
    lower_bound: float | None
    #: Their difference as a part of the objective. Below 0 it is rounding.
    relative_gap: float | None
    #: By how much the stored multipliers miss the dual constraints, as a part of the largest of them.
    violation: float | None
    #: What the dual point was made from.
    multipliers: str
    #: Examples of a weight above 0.
    n_examples: int
    #: The function is at most this far from the optimal one, in its norm; null if nothing is known.
    distance: float | None
    #: What the proof is restricted to; empty for the whole problem.
    only: str


class Document(TypedDict):
    """What was proved of a model on your data."""

    #: The model and the data, as they were given.
    model: str
    file: str
    #: The number of examples.
    rows: int
    #: The sha256 of the values as they were read; null for a model that was saved from Python.
    values_sha256: str | None
    #: Whether every gap is within the tolerance, and the file says what is so. If not, the exit code is 1.
    verified: bool
    #: Why the model is not verified.
    reasons: list[str]
    #: What the model does to the examples before the step that is proved.
    steps: list[str]
    #: The largest relative gap that counts as a proof.
    tolerance: float
    problems: list[Problem]
    #: With an approximate kernel the largest gap to the problem with the exact one; null otherwise.
    exact_gap: float | None
    #: The file of the receipt, if one was asked for.
    receipt: str | None


def main(argv: list[str]) -> int:
    """Verify a model; see `kernlearn.cli.main.main` for the exit code."""
    given = make_parser().parse_intermixed_args(argv)
    if given.tol is not None and not 0.0 < given.tol <= MOST_TOL:
        raise UserError(
            f"--tol={given.tol:g}: must be a number above 0 and at most {MOST_TOL}; a wide gap proves nothing"
        )
    from kernlearn.atomic import write_atomically
    from kernlearn.cli.model.output import output_file, require_no_input
    from kernlearn.models.file import load_parts
    from kernlearn.models.verification import digest_of, is_receipt, problems_of, receipt, verify
    from kernlearn.report.model import both_gaps
    from kernlearn.report.terminal import capitalised, say, say_note

    if given.receipt is not None:
        require_no_input(output_file(given.receipt, given.force, is_receipt, "receipt"), given.file, given.model)
    files = () if given.receipt is None else (Path(given.model), Path(given.file))
    before = {file: digest_of(file) for file in files if file.is_file()}

    parts = load_parts(given.model)
    X, y, source, data, differs = _examples(parts, given.file, given.keys)
    digest = None if data is None else data.digest
    found = _of_model(verify, parts, X, y, given.tol, differs)
    for proof in found.proofs:
        say(str(proof))
    if found.exact_gap is not None:
        words = both_gaps("the model", found.exact_gap, max(proof.relative_gap for proof in found.proofs))
        say(f"{capitalised(words)}.")
    stated = parts.header["about"].get("data")
    if digest is not None and isinstance(stated, dict) and stated.get("sha256") != digest:
        say_note("these are other data than those of the fit")
    if data is not None and data.schema is not None:
        for difference in _of_model(_differences, parts.steps[0], data.schema):
            say_note(difference)
    if parts.machine["state"].keys() & {"_sigmoids", "probA_"}:
        say_note("the probabilities of the model are not part of the proof")
    if found.steps:
        say_note(f"the proof is about the examples after these steps: {', '.join(found.steps)}")
    for reason in found.reasons:
        say(f"not so     {reason}")
    document: Document = {
        "model": given.model,
        "file": given.file,
        "rows": int(X.shape[0]),
        "values_sha256": digest,
        "verified": found.verified,
        "reasons": found.reasons,
        "steps": found.steps,
        "tolerance": found.tolerance,
        "problems": problems_of(found),
        "exact_gap": found.exact_gap,
        "receipt": given.receipt,
    }
    if given.receipt is not None:
        content = receipt(Path(given.model), source, before, found, int(X.shape[0]), digest)
        write_atomically(Path(given.receipt), (json.dumps(content, indent=1) + "\n").encode())
        say(f"receipt: {given.receipt}")
    deliver(document)
    if found.verified:
        only = next((f"; this is proved for {one.only}" for one in found.proofs if one.only), "")
        gap = f"up to a relative gap of {_largest(found.proofs):.1e}; the tolerance is {found.tolerance:g}"
        say(f"verified: {given.model} is optimal on {given.file}, {gap}{only}")
        return 0
    gap = f"; the relative gap is {_largest(found.proofs):.1e}" if found.proofs else ""
    say(f"not verified: {given.model} on {given.file}{gap}")
    return NOT_VERIFIED


def _largest(proofs: Sequence[Any]) -> float:
    return max(max(0.0, proof.relative_gap) for proof in proofs)


def _examples(parts: Any, file: str, keys: Sequence[str]) -> tuple[Any, Any, Path, Any, list[str]]:
    """Return the examples as the last step of the model takes them, their targets, the file read, and the data set.

    With them is what the steps before the last one have learned from other data.
    """
    from kernlearn.certificates.own.estimators import is_tagger
    from kernlearn.models.consistency import prepared, table_differs
    from kernlearn.models.verification import is_of_fit

    first: Any = parts.steps[0] if parts.steps else None
    if is_of_fit(parts.steps):
        data = _dataset(parts, file, keys)
        if data.is_sequential != (type(first).__name__ == "SentenceFeatures"):
            raise UserError(f"{file}: has {'sequences' if data.is_sequential else 'no sequences'}, unlike the model")
        y = data.target if not data.classes else np.array(data.classes)[data.labels]
        source = Path(file) if Path(file).exists() else Path(data.source)
        differs = _of_model(table_differs, first, data, parts.machine)
        return _of_model(first.of_examples, data.X), y, source, data, differs
    if is_tagger(parts.estimator):
        raise UserError("a model of sequences from Python is verified there, by kernlearn.certify(model, X, y)")
    X, y = _table(file, keys)
    X, differs = _of_model(prepared, parts.steps, X, y)
    return X, y, Path(file), None, differs


def _of_model(act: Callable[..., Any], *arguments: Any) -> Any:
    """Return what steps of a model make of data."""
    from kernlearn.models.stored import unproved

    try:
        return act(*arguments)
    except UserError:
        raise
    except Exception as error:  # of a damaged model, or of columns that do not fit
        raise unproved(error) from error


def _differences(first: Any, schema: Any) -> list[str]:
    """Return how the reading of a file differs from that of the training file."""
    from kernlearn.models.features import plain

    here, there = plain(schema), first.schema
    if not isinstance(there, dict) or here.keys() != there.keys():
        return []
    lines = [
        f"the file is read with {key}={here[key]!r}, and the training file was with {there[key]!r}; "
        "verify with a file that is written alike"
        for key in ("decimal", "thousands", "na_values", "target", "width", "named")
        if here[key] != there[key]
    ]
    pairs = zip(here["columns"], there["columns"], strict=False)
    if changed := [one["name"] for one, other in pairs if one != other]:
        lines.append(f"column {changed[0]!r} has another place, type or values than in the training file")
    return lines


def _dataset(parts: Any, file: str, keys: Sequence[str]) -> Any:
    """Return the data set of a file that is read as that of the fit, but for the keys that are given."""
    from kernlearn.datasets import CATALOGUE, load, load_own

    if file in CATALOGUE:
        return load(file)
    try:
        options = dict(parts.header["about"]["experiment"]["dataset"])
    except (KeyError, TypeError):
        options = {}
    if options.get("name") in CATALOGUE:
        options = {}
    name = str(options.pop("name", "csv"))
    return load_own(name, {**options, **_said(keys), "path": file})


def _said(keys: Sequence[str]) -> dict[str, Any]:
    """Return the keys that say how the file is read, with their values."""
    from kernlearn.cli.configuration.own import own_options
    from kernlearn.datasets import OWN_KINDS

    return own_options(keys, ("target", "task", *OWN_KINDS))


def _table(file: str, keys: Sequence[str]) -> tuple[Any, Any]:
    """Return a table without its target, and the target, for a model that was saved from Python."""
    import pandas as pd

    from kernlearn.datasets.core.bounds import check_size, most_bytes
    from kernlearn.datasets.parts import opened

    given = _said(keys)
    if unknown := [key for key in given if key != "target"]:
        raise UserError(f"{unknown[0]}: a model that was saved from Python takes target=COLUMN alone")
    path = Path(file)
    try:
        with opened(path) as stream:  # a file of this machine: pandas would also fetch an address
            content = stream.read(most_bytes() + 1)
        check_size(path, len(content), "its bytes, unpacked,")
        table = pd.read_csv(BytesIO(content))
    except UserError:
        raise
    except (OSError, ValueError, OverflowError) as error:
        raise UserError(f"{file}: cannot be read as CSV ({' '.join(str(error).split())})") from error
    target = given.get("target", table.columns[-1])
    if target not in table.columns:
        raise UserError(f"target={target}: is no column; there are {', '.join(map(str, table.columns))}")
    X = table.drop(columns=target)
    return X, table[target].to_numpy()
