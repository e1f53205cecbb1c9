"""What a model file proves on the data of whoever reads it, without an estimator and without a solver.

The problem is rebuilt from the reader's examples, prepared as the model prepares them. The bounds are computed at the
coefficients that predict and at the dual points that are stored. Nothing that the file says of itself is believed.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import isclose
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kernlearn
from kernlearn.certificates import NEGATIVE
from kernlearn.certificates.own.problems import prove_stored
from kernlearn.certificates.own.stored import Stored
from kernlearn.certificates.proofs.examples import OtherData, examples
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.datasets.core.schema import TableSchema
from kernlearn.errors import UserError
from kernlearn.kernels import apply_scaling
from kernlearn.models.decode import Damaged, made_family
from kernlearn.models.features import columns_are
from kernlearn.models.file import Parts

#: The gap that counts as proved where a method has no tolerance: that of interior points that end at no vertex.
TOLERANCE = 1e-4
#: What a model says of its tolerance counts up to here.
LARGEST_TOLERANCE = 1e-2
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
    """

    proofs: list[Proof]
    tolerance: float
    reasons: list[str]

    @property
    def verified(self) -> bool:
        """Whether every gap is within the tolerance, and the file says what is so."""
        return not self.reasons


def verify(
    parts: Parts, X: Any, y: NDArray[Any], tolerance: float | None = None, schema: TableSchema | None = None
) -> Verification:
    """Return what a model proves on examples.

    Parameters
    ----------
    parts : Parts
        Of the file, see `kernlearn.models.file.load_parts`.
    X : array or sparse matrix of shape (n, d)
        All training examples in their order, after the steps of a pipeline.
    y : array of shape (n,)
        Names of classes, or targets.
    tolerance : float, optional
        The largest relative gap; by default that of the method.
    schema : TableSchema, optional
        How the columns of the reader's table became features; a model of ``kernlearn fit`` must say the same.

    Raises
    ------
    UserError
        If there is no check for such a model, or X and y do not fit it.
    """
    machine = parts.machine
    state, stored = machine["state"], stored_of(machine)
    differs = []
    if schema is not None and not columns_are(parts.steps[0], schema):
        differs.append("the columns of the file are not those of the model")
    if state.get("_landmarks") is not None:
        raise UserError("kernel.approximate: there is no check of approximate kernels")
    given = stored.options.get("tol", machine["params"].get("tol"))
    if tolerance is None:
        tolerance = min(float(given), LARGEST_TOLERANCE) if isinstance(given, int | float) else TOLERANCE
    try:
        data = examples(_as_the_kernel_takes_them(machine, X), _as_stored(y, stored.classes))
        proofs = prove_stored(stored, data)
    except OtherData as error:
        return Verification([], tolerance, [str(error)])
    except (KeyError, TypeError, IndexError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"the model is damaged ({' '.join(str(error).split())[:200]})") from None
    reasons = [*_inconsistent(parts), *_claims(parts, proofs), *_gaps(proofs, tolerance), *differs]
    return Verification(proofs, tolerance, reasons)


def stored_of(machine: Mapping[str, Any]) -> Stored:
    """Return the solution in the plain values of an estimator, which are those that it predicts by.

    Raises
    ------
    UserError
        If there is none.
    """
    state, name = machine["state"], machine["name"]
    proof = state.get("_proof")
    coef = state.get("_coef", state.get("coef_"))
    if not isinstance(proof, Mapping) or not isinstance(coef, np.ndarray):
        raise UserError(f"{name.rpartition('.')[2]}: the model keeps no dual point, so nothing can be proved")
    family, plain = None, state.get("_family")
    try:
        if isinstance(plain, Mapping):
            family = made_family(*(plain[key] for key in ("name", "parameters", "members", "bilinear", "centre")))
        return Stored(
            method=proof["method"],
            options=proof["options"],
            values=proof["values"],
            primals=[np.asarray(solution["x"], dtype=np.float64) for solution in proof["solutions"]],
            duals=[np.asarray(solution["dual"], dtype=np.float64) for solution in proof["solutions"]],
            coef=coef,
            intercept=np.atleast_1d(state["intercept_"]),
            family=family,
            support=state.get("support_"),
            points=state.get("support_vectors_"),
            rows=proof["rows"],
            weights=proof["weights"],
            kernel_weights=state.get("weights_"),
            classes=state.get("classes_"),
        )
    except (KeyError, TypeError, Damaged) as error:
        raise UserError(f"the model is damaged ({' '.join(str(error).split())[:200]})") from None


def _as_the_kernel_takes_them(machine: Mapping[str, Any], X: Any) -> Any:
    """Return examples as the kernels of a model take them: those of ``kernlearn fit`` are scaled by it."""
    if "scaling" not in machine["params"]:
        return X
    X = apply_scaling(machine["params"]["scaling"], machine["state"]["_scaled"], X)
    factor = machine["state"]["_factor"]
    return X if factor is None else X * factor


def _as_stored(y: NDArray[Any], classes: Any) -> NDArray[Any]:
    """Return labels as texts if the classes of the model are texts."""
    texts = classes is not None and np.asarray(classes).dtype.kind in "UO"
    return np.asarray(y).astype(str) if texts else np.asarray(y)


def _inconsistent(parts: Parts) -> list[str]:
    """Return what the parts of a file say differently: what predicts, what is proved, and what is shown."""
    state, params, proof = parts.machine["state"], parts.machine["params"], parts.proof
    places = {
        "coefficients": state.get("_coef"),
        "intercept": state.get("intercept_"),
        "support": state.get("support_"),
        "points": state.get("support_vectors_"),
        "kernel": state.get("_family"),
        "kernel_weights": state.get("weights_"),
        "classes": state.get("classes_"),
        "coef": state.get("coef_"),
        **{key: state["_proof"][key] for key in ("method", "options", "values", "rows", "weights")},
    }
    found = [key for key, value in places.items() if not _same(value, proof.get(key))]
    found += [key for key, value in _shown(state).items() if not _same(value, state.get(key, value))]
    predictor = state.get("_predictor")
    if isinstance(predictor, Mapping) and not (
        _same(predictor.get("coef"), state.get("_coef")) and _same(predictor.get("intercept"), state.get("intercept_"))
    ):
        found.append("predictor")
    if "scaling" in params:  # of kernlearn fit
        found += [key for key in ("method", "options") if not _same(params.get(key), state["_proof"][key])]
    if state.get("_inputs") is not None:
        found.append("inputs")
    if "labels" in params and list(params["labels"]) != np.asarray(state.get("classes_", [])).tolist():
        found.append("labels")
    values = {**state["_proof"]["options"], **state["_proof"]["values"]}
    names = {"lambda": "lambda_"}
    for key, value in values.items():
        shown = params.get(names.get(key, key), value)
        if isinstance(value, int | float) and isinstance(shown, int | float) and shown != value:
            found.append(f"parameter {key}")
    return [f"the parts of the file differ in {', '.join(found)}"] if found else []


def _shown(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes that an estimator shows of what it predicts by, as they have to be."""
    coef, support, family = state.get("_coef"), state.get("support_"), state.get("_family")
    shown: dict[str, Any] = {}
    if coef is not None:
        shown["dual_coef_"] = coef[0] if len(coef) == 1 else coef
    if support is not None and "_predictor" not in state:
        shown["n_support_"] = len(support)
    if isinstance(family, Mapping) and len(family["members"]) == 1:
        shown |= {f"{key}_": value for key, value in family["members"][0].items()}
    return shown


def _claims(parts: Parts, proofs: list[Proof]) -> list[str]:
    """Return the values that a file states and that are not so."""
    state, about = parts.machine["state"], parts.header["about"].get("certificate", {})
    found = {
        "objective": sum(one.objective for one in proofs),
        "dual_objective": sum(one.lower_bound for one in proofs),
    }
    wrong, gap = [], max(one.relative_gap for one in proofs)
    for said in (state.get("gap_"), about.get("gap")):
        if not isinstance(said, float) or not isclose(said, gap, rel_tol=1e-3, abs_tol=CLAIM):
            wrong.append(f"the file says gap {said}, and it is {gap:.2g}")
    for key, value in found.items():
        for said in (state.get(f"{key}_"), about.get(key)):
            if not isinstance(said, float) or not isclose(said, value, rel_tol=CLAIM, abs_tol=CLAIM * abs(value)):
                wrong.append(f"the file says {key} {said}, and it is {value:.10g}")
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


def _same(one: Any, other: Any) -> bool:
    """Return whether two plain values are the same, arrays to the last bit."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if hasattr(one, "toarray") and hasattr(other, "toarray"):
        return one.shape == other.shape and not (one != other).sum()
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    return type(one) is type(other) and bool(one == other)


def receipt(path: Path, file: Path, found: Verification, rows: int, digest: str | None) -> dict[str, Any]:
    """Return what was verified, of which bytes and by which code, as JSON.

    Parameters
    ----------
    path, file : Path
        The model and the data.
    found : Verification
    rows : int
        Examples of the data.
    digest : str, optional
        The digest of their values, see `kernlearn.datasets.Dataset`.
    """
    from kernlearn.models.file import versions

    problems = [{key: value for key, value in asdict(one).items() if key != "parts"} for one in found.proofs]
    for one in problems:
        one["distance"] = one["distance"] if np.isfinite(one["distance"]) else None
        del one["norm"]
    return {
        "format": "kernlearn receipt",
        "schema": 1,
        "verified": found.verified,
        "reasons": found.reasons,
        "tolerance": found.tolerance,
        "problems": problems,
        "model": {"name": path.name, "sha256": _digest_of(path)},
        "data": {"name": file.name, "sha256": _digest_of(file), "rows": rows, "values_sha256": digest},
        "versions": versions(),
        "checker_sha256": digest_of_checker(),
    }


def digest_of_checker() -> str:
    """Return the sha256 of the source that verifies: certificates, kernels, sums in twice the precision, this file."""
    root = Path(kernlearn.__file__).parent
    files = [*(root / "certificates").rglob("*.py"), *(root / "kernels").rglob("*.py"), root / "twofold.py"]
    digest = sha256()
    for file in sorted([*files, root / "models" / "verification.py"]):
        digest.update(f"{file.relative_to(root).as_posix()} {_digest_of(file)}\n".encode())
    return digest.hexdigest()


def _digest_of(file: Path) -> str:
    with file.open("rb") as stream:
        digest = sha256()
        while block := stream.read(2**20):
            digest.update(block)
    return digest.hexdigest()
