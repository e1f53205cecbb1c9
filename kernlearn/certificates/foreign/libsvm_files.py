"""What is proved of a model file of LibSVM, read as text.

The file has the support vectors with their coefficients, but neither C nor epsilon nor nu: the caller says these. The
support vectors are found among the training examples, up to the digits with which they were written.
Source: Chang and Lin (2011), LIBSVM: a library for support vector machines; its README, "Model file format".
"""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from kernlearn.certificates.foreign.kernel_machines import Machine, c_machines, epsilon_machine
from kernlearn.certificates.foreign.nu_machines import nu_machines, nu_regression
from kernlearn.certificates.proofs.examples import Examples, Kernel, is_sparse
from kernlearn.certificates.proofs.proof import Proof
from kernlearn.errors import UserError
from kernlearn.kernels.core.products import squared_distances
from kernlearn.parameters import Number
from kernlearn.types import Array, Index

#: A file of more bytes is refused.
MOST_BYTES = 2**30
#: Squared distance of a support vector and its example, as a part of the squared norm: 8 digits are written.
WRITTEN = 1e-13
#: The parameters that a file of each type does not have.
MISSING = {"c_svc": ("C",), "nu_svc": ("nu",), "epsilon_svr": ("C", "epsilon"), "nu_svr": ("C", "nu")}
#: Names of kernels in scikit-learn.
KERNELS = {"linear": "linear", "polynomial": "poly", "rbf": "rbf", "sigmoid": "sigmoid"}


def libsvm_file(path: str | PathLike[str], data: Examples, parameters: Mapping[str, float]) -> list[Proof]:
    """Return what is proved of the machines in a model file.

    Parameters
    ----------
    path : str or path
    data : Examples
        Their weights are factors of C.
    parameters : dict of float
        What the file does not have: ``C``, ``epsilon`` and ``nu``, as its type needs them.

    Raises
    ------
    UserError
        If it is no such file, a parameter is missing, or a support vector is no training example.
    """
    name = Path(path).name
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise UserError(f"{name}: has more than {MOST_BYTES} bytes, which is too large for a model file")
        text = Path(path).read_text(encoding="ascii", errors="replace")
    except OSError as error:
        raise UserError(f"{name}: {error.strerror or error}") from error
    header, lines = _parts_of(text.splitlines(), name)
    kind = header.get("svm_type", "")
    if kind not in MISSING or header.get("kernel_type") not in KERNELS:
        types = f"svm_type {header.get('svm_type')}, kernel_type {header.get('kernel_type')}"
        raise UserError(f"{name}: has {types}; known are {', '.join(MISSING)} with {', '.join(KERNELS)}")
    if absent := [key for key in MISSING[kind] if key not in parameters]:
        raise UserError(f"{name}: a file of {kind} does not say {' and '.join(absent)}; give {absent[0]}=...")
    if unknown := [key for key in parameters if key not in MISSING[kind]]:
        raise UserError(f"{name}: a file of {kind} has no {unknown[0]}; leave it out")
    numbers = {"C": Number(positive=True), "nu": Number(positive=True, high=1.0), "epsilon": Number(low=0.0)}
    given = {key: float(numbers[key].check(key, parameters[key])) for key in MISSING[kind]}
    try:
        machine = _machine(header, lines, data)
    except (KeyError, IndexError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"{name}: is no model file of LibSVM, or a damaged one ({error})") from error
    if kind == "c_svc":
        return c_machines(machine, data, given["C"] * data.weights)
    if kind == "nu_svc":
        return nu_machines(machine, data, given["nu"])
    if kind == "nu_svr":
        return nu_regression(machine, data, given["C"], given["nu"])
    return epsilon_machine(machine, data, given["C"], given["epsilon"])


def _parts_of(lines: list[str], name: str) -> tuple[dict[str, str], list[str]]:
    """Return the header as a dictionary, and the lines of the support vectors."""
    if "SV" not in lines:
        raise UserError(f"{name}: is no model file of LibSVM: it has no line 'SV'")
    start = lines.index("SV")
    pairs = (line.partition(" ") for line in lines[:start])
    return {key: value.strip() for key, _, value in pairs}, [line for line in lines[start + 1 :] if line.strip()]


def _machine(header: dict[str, str], lines: list[str], data: Examples) -> Machine:
    classes = np.array([float(label) for label in header.get("label", "").split()])
    count, rows = max(1, len(classes) - 1), [line.split() for line in lines]
    if len(rows) != int(header["total_sv"]):
        raise ValueError(f"{len(rows)} support vectors instead of {header['total_sv']}")
    coef = np.array([[float(value) for value in row[:count]] for row in rows]).reshape(-1, count).T
    entries = [
        (i, int(number) - 1, float(value))
        for i, row in enumerate(rows)
        for number, _, value in (part.partition(":") for part in row[count:])
    ]
    shape = len(rows), data.X.shape[1]
    vectors: Any = sparse.lil_array(shape)
    for i, j, value in entries:
        vectors[i, j] = value
    vectors = vectors.tocsr()
    if not np.isfinite(vectors.data).all():
        raise ValueError("a feature is NaN or infinite")
    owners = np.repeat(np.arange(len(classes)), [int(n) for n in header["nr_sv"].split()]) if len(classes) else None
    index = data.indices(classes) if len(classes) else None
    support = _rows_of(vectors if is_sparse(data.X) else vectors.toarray(), data.X, owners, index)
    gamma, degree, coef0 = (float(header.get(key, 0.0)) for key in ("gamma", "degree", "coef0"))
    kernel = Kernel(KERNELS[header["kernel_type"]], gamma, degree, coef0)
    intercepts = -np.array([float(value) for value in header["rho"].split()])
    if len(intercepts) != max(1, len(classes) * (len(classes) - 1) // 2):
        raise ValueError(f"{len(intercepts)} values of rho")
    if not (np.isfinite(coef).all() and np.isfinite(intercepts).all()):
        raise ValueError("a coefficient is NaN or infinite")
    return Machine(support, coef, intercepts, kernel, classes)


def _rows_of(vectors: Any, X: Any, owners: Index | None, index: Index | None) -> Index:
    """Return an example for every support vector, each one once and of its class.

    Raises
    ------
    UserError
        If there is none.
    """
    norms = np.asarray((vectors * vectors).sum(axis=1)).ravel()
    free: Array = np.ones(X.shape[0], dtype=bool)
    found = np.empty(vectors.shape[0], dtype=np.intp)
    for i in range(vectors.shape[0]):
        allowed = free if owners is None or index is None else free & (index == owners[i])
        rows = np.flatnonzero(allowed)
        distances = squared_distances(X[rows], vectors[[i]])[:, 0]
        nearest = int(np.argmin(distances)) if len(rows) else 0
        if not len(rows) or distances[nearest] > WRITTEN * norms[i]:
            raise UserError(f"support vector {i} of the file is no row of X: give the training data, as it was scaled")
        found[i] = rows[nearest]
        free[found[i]] = False
    return found
