"""What a model file proves on the data of whoever reads it, without a solver.

The problem is rebuilt from the reader's examples, prepared as the model prepares them. The bounds are computed at the
coefficients that predict and at the dual points that are stored. The outputs at these coefficients must be those that
the loaded estimator has itself. Nothing that the file says of itself is believed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from math import isclose
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

import kernlearn
from kernlearn.algorithms import ALGORITHMS
from kernlearn.certificates.certificate import NEGATIVE
from kernlearn.certificates.own.predictor import ANY
from kernlearn.certificates.proofs.examples import OtherData
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.datasets.core.bounds import open_plain
from kernlearn.documents import plain
from kernlearn.errors import UserError
from kernlearn.models.consistency import inconsistent
from kernlearn.models.file import Parts
from kernlearn.models.stored import exact_gap_of, options_of, proofs_of, unproved

#: The format of a receipt, its first value.
RECEIPT = "kernlearn receipt"
#: The gap that counts as proved where a method has no tolerance: that of interior points that end at no vertex.
TOLERANCE = 1e-4
#: A violation of constraints by the predictor that counts as rounding, as a part of their bounds.
VIOLATION = 1e-6
#: What a file says of a value may differ from what is found by this part of it.
CLAIM = 1e-9


@dataclass(frozen=True)
class Verification:
    """What was proved of a model, and what speaks against it.

    Attributes
    ----------
    proofs : list of Proof
        One for every problem that was solved.
    tolerance : float
    reasons : list of str
        Why the model is not verified; empty if it is.
    steps : list of str
        What a pipeline does to the examples before the estimator whose solution is proved.
    exact_gap : float, optional
        Of a model with an approximate kernel, the largest gap to the problem with the exact one.
    """

    proofs: list[Proof]
    tolerance: float
    reasons: list[str]
    steps: list[str] = field(default_factory=list)
    exact_gap: float | None = None

    @property
    def verified(self) -> bool:
        """Whether every gap is within the tolerance, and the file says what is so."""
        return not self.reasons


def verify(
    parts: Parts, X: Any, y: NDArray[Any], tolerance: float | None = None, differs: Sequence[str] = ()
) -> Verification:
    """Return what a model proves on examples.

    Parameters
    ----------
    parts : Parts
        Of the file, see `kernlearn.models.file.load_parts`.
    X : array or sparse matrix of shape (n, d), or sequences
        All training examples in their order, after the steps of a pipeline.
    y : array of shape (n,), or labels of sequences
        Names of classes, or targets.
    tolerance : float, optional
        The largest relative gap; by default that of the method, or that of the model if this is less.
    differs : sequence of str
        What is known to differ already, see `kernlearn.models.consistency`.

    Raises
    ------
    UserError
        If there is no check for such a model, or X and y do not fit it.
    """
    given = options_of(parts.machine).get("tol", parts.machine["params"].get("tol"))
    if tolerance is None:
        tolerance = _tolerance_of(parts.estimator)
        tolerance = min(float(given), tolerance) if isinstance(given, int | float) else tolerance
    steps = [] if is_of_fit(parts.steps) else [" ".join(repr(step).split()) for step in parts.steps]
    try:
        proofs, exact_gap = proofs_of(parts, X, y), exact_gap_of(parts, X, y)
        parts.estimator.predict(X[:1])  # fields that no proof uses may make predictions fail
        reasons = [
            *inconsistent(parts),
            *_claims(parts, proofs, exact_gap, tolerance),
            *_gaps(proofs, tolerance),
            *differs,
        ]
    except OtherData as error:
        return Verification([], tolerance, [*differs, str(error)], steps)
    except UserError:
        raise
    except Exception as error:  # values of a wrong type or shape may raise almost anything
        raise unproved(error) from error
    return Verification(proofs, tolerance, reasons, steps, exact_gap)


def is_of_fit(steps: Sequence[Any]) -> bool:
    """Return whether steps are those of a model of ``kernlearn fit``: the columns of a file alone.

    Raises `UserError` if there are others as well, which no ``kernlearn fit`` writes.
    """
    of_files = [type(step).__name__ in ("TableFeatures", "SentenceFeatures") for step in steps]
    if any(of_files) and len(steps) > 1:
        raise UserError("the model has steps that no kernlearn fit writes, so it cannot be verified")
    return any(of_files)


def _tolerance_of(estimator: Any) -> float:
    """Return the tolerance that the method of an estimator has by default."""
    if type(estimator).__name__ == ANY:
        parameter = ALGORITHMS[estimator.method].parameters.get("tol")
        found = None if parameter is None else parameter.default
    else:
        found = type(estimator)().get_params(deep=False).get("tol")
    return TOLERANCE if found is None else float(found)


def _claims(parts: Parts, proofs: list[Proof], exact_gap: float | None, tolerance: float) -> list[str]:
    """Return the values that a file states and that are not so.

    Where a proof is restricted, as to the votes that the file has, the bound of the fit was another one.
    """
    loose = any(one.only for one in proofs)
    claim = max(CLAIM, tolerance) if loose else CLAIM
    state, about = parts.machine["state"], parts.header["about"].get("certificate", {})
    found = {
        "objective": sum(one.objective for one in proofs),
        "dual_objective": sum(one.lower_bound for one in proofs),
    }
    wrong, gap = [], max(one.relative_gap for one in proofs)
    for said in (state.get("gap_"), about.get("gap")):
        if not isinstance(said, float) or not isclose(said, gap, rel_tol=1e-3, abs_tol=claim):
            wrong.append(f"the file says gap {said}, and it is {gap:.2g}")
    for key, value in found.items():
        for said in (state.get(f"{key}_"), about.get(key)):
            allowed = CLAIM if key == "objective" else claim
            if not isinstance(said, float) or not isclose(said, value, rel_tol=allowed, abs_tol=allowed * abs(value)):
                wrong.append(f"the file says {key} {said}, and it is {value:.10g}")
    for said in (state.get("exact_gap_"), about.get("exact_gap")):
        if said is None:  # as in files of older versions
            continue
        if (
            exact_gap is None
            or not isinstance(said, float)
            or not isclose(said, exact_gap, rel_tol=1e-3, abs_tol=claim)
        ):
            found_here = "none is known" if exact_gap is None else f"it is {exact_gap:.2g}"
            wrong.append(f"the file says a gap of {said} to the exact problem, and {found_here}")
    return list(dict.fromkeys(wrong))


def _gaps(proofs: list[Proof], tolerance: float) -> list[str]:
    reasons = []
    for one in proofs:
        where = f"{one.name}: " if one.name else ""
        if not -min(tolerance, NEGATIVE) <= one.relative_gap <= tolerance:
            reasons.append(f"{where}the relative gap is {one.relative_gap:.2g}, and the tolerance {tolerance:g}")
        if one.violation > VIOLATION:
            reasons.append(f"{where}the predictor violates a constraint by {one.violation:.2g} of its bound")
    return reasons


def is_receipt(path: Path) -> bool:
    """Return whether a file begins as a receipt does."""
    with open_plain(path) as stream:
        return RECEIPT.encode() in stream.read(2 * len(RECEIPT))


def receipt(
    path: Path, file: Path, before: Mapping[Path, str], found: Verification, rows: int, digest: str | None
) -> dict[str, Any]:
    """Return what was verified, of which bytes and by which code, as JSON.

    Parameters
    ----------
    path, file : Path
        The model and the data.
    before : mapping of Path to str
        The sha256 of both, from before they were read; see `digest_of`.
    found : Verification
    rows : int
        Examples of the data.
    digest : str, optional
        The digest of their values, see `kernlearn.datasets.Dataset`.

    Raises
    ------
    UserError
        If one of the files has changed since: nobody knows which of its contents was verified.
    """
    from kernlearn.models.file import versions

    now = {one: digest_of(one) for one in (path, file)}
    if changed := [one for one, found_now in now.items() if before.get(one, found_now) != found_now]:
        raise UserError(f"{changed[0]}: has changed while it was verified, so there is no receipt; verify again")
    return {
        "format": RECEIPT,
        "schema": 1,
        "verified": found.verified,
        "reasons": found.reasons,
        "steps": found.steps,
        "tolerance": found.tolerance,
        "problems": problems_of(found),
        "model": {"name": path.name, "sha256": now[path]},
        "data": {"name": file.name, "sha256": now[file], "rows": rows, "values_sha256": digest},
        "versions": versions(),
        "checker_sha256": digest_of_checker(),
    }


def problems_of(found: Verification) -> list[Any]:
    """Return what is proved of every problem, as JSON has it: numbers that are not finite are None."""
    left_out = ("parts", "norm", "n_parts")
    return [{key: plain(value) for key, value in asdict(one).items() if key not in left_out} for one in found.proofs]


def digest_of_checker() -> str:
    """Return the sha256 of the source that verifies: certificates, kernels, sums in twice the precision, this file."""
    root = Path(kernlearn.__file__).parent
    files = [*(root / "certificates").rglob("*.py"), *(root / "kernels").rglob("*.py"), root / "twofold.py"]
    digest = sha256()
    own = [root / "models" / f"{name}.py" for name in ("verification", "consistency", "stored")]
    for file in sorted([*files, *own]):
        digest.update(f"{file.relative_to(root).as_posix()} {digest_of(file)}\n".encode())
    return digest.hexdigest()


def digest_of(file: Path) -> str:
    """Return the sha256 of a file."""
    with file.open("rb") as stream:
        digest = sha256()
        while block := stream.read(2**20):
            digest.update(block)
    return digest.hexdigest()
