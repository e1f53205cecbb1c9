"""Values as JSON and arrays: a small closed set of kinds, every other is refused.

A number, a text, true, false, null and a list stand for themselves. Everything else is an object with the one key that
says what it is, as ``{"tuple": [...]}`` or ``{"array": 3}``. There is no kind for a function.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.models.archive import KINDS
from kernlearn.models.table import fields_of, may_be_nan, name_of_estimator, name_of_record

#: Floats that JSON has no word for.
FLOATS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
#: How deep values may be nested; scikit-learn's pipelines need about twenty levels.
DEEPEST = 60
#: The attribute of a loaded estimator with what its file said of it, which is in the header and not in the state.
ABOUT = "_about"
#: Names of attributes.
NAME = re.compile(r"(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}")
#: Types of numbers that an encoder of scikit-learn may be told to return.
TYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
#: Whole numbers outside of which nothing of ours has one.
LARGEST_INTEGER = 2**64


@dataclass
class Encoder:
    """Encodes values; arrays are gathered, equal ones once.

    Attributes
    ----------
    arrays : list of arrays
        What the numbers of arrays refer to.
    """

    arrays: list[NDArray[Any]] = field(default_factory=list)
    _numbers: dict[bytes, int] = field(default_factory=dict)
    _may_be_nan: bool = False

    def encode(self, value: Any, where: str) -> Any:
        """Return a value as JSON; `where` names it in messages.

        Raises
        ------
        UserError
            If it is of a kind that a file does not hold.
        """
        if value is None or isinstance(value, bool | str):
            return value
        if type(value) is int and abs(value) < LARGEST_INTEGER:
            return value
        if type(value) is float:
            return value if isfinite(value) else {"float": str(value)}
        for kinds, encode in self._kinds().items():
            if isinstance(value, kinds):
                return encode(value, where)
        return self._other(value, where)

    def _kinds(self) -> dict[Any, Callable[[Any, str], Any]]:
        return {
            list: self._list,
            tuple: lambda value, where: {"tuple": self._list(value, where)},
            dict: self._dict,
            range: lambda value, where: {"range": [value.start, value.stop, value.step]},
            slice: lambda value, where: {"slice": [value.start, value.stop, value.step]},
            np.dtype: lambda value, where: {"dtype": self._type(value, where)},
            type: lambda value, where: {"type": self._type(value, where)},
            np.generic: self._scalar,
            np.ndarray: self._array,
        }

    def _other(self, value: Any, where: str) -> Any:
        from scipy import sparse

        from kernlearn.kernels.core.family import KernelFamily
        from kernlearn.kernels.families.neighbours import ApproximateSearch, ExactSearch

        if isinstance(value, sparse.csr_array | sparse.csr_matrix):
            parts = {name: self._array(getattr(value, name), where) for name in ("data", "indices", "indptr")}
            kind = "array" if isinstance(value, sparse.csr_array) else "matrix"
            return {"csr": {**parts, "shape": list(value.shape), "kind": kind}}
        if isinstance(value, KernelFamily):
            return {"family": self._family(value, where)}
        if isinstance(value, ExactSearch | ApproximateSearch):
            known = {"kind": type(value).__name__, "X": value._X, "metric": value._metric, "k": value._k}
            return {"search": {name: self.encode(one, where) for name, one in known.items()}}
        if name_in_files := name_of_record(type(value)):
            names = fields_of(type(value))
            known = {name: self.encode(getattr(value, name), f"{where}.{name}") for name in names}
            return {"record": {"name": name_in_files, "fields": known}}
        if hasattr(value, "get_params") and not isinstance(value, type):
            return self._estimator(value)
        what = "a function" if callable(value) else f"of the type {type(value).__module__}.{type(value).__qualname__}"
        raise UserError(f"{where}: is {what}, which a model file cannot hold: it has numbers and texts, and no code")

    def _estimator(self, value: Any) -> Any:
        kind = type(value)
        name = name_of_estimator(kind)
        if name is None:
            raise UserError(
                f"{kind.__name__}: a model file holds estimators of kernlearn, and scikit-learn's pipelines, imputers, "
                "encoders and scalers; fit the others outside of it"
            )
        before, self._may_be_nan = self._may_be_nan, may_be_nan(name)
        params = value.get_params(deep=False)
        if hasattr(kernel := params.get("kernel"), "with_columns"):
            params["kernel"] = kernel.with_columns(value._columns)
        state = {key: one for key, one in vars(value).items() if key not in params and key != ABOUT}
        found = {
            "name": name,
            "params": {key: self.encode(one, f"{kind.__name__}.{key}") for key, one in sorted(params.items())},
            "state": {key: self.encode(one, f"{kind.__name__}.{key}") for key, one in sorted(state.items())},
        }
        self._may_be_nan = before
        return {"estimator": found}

    def _family(self, value: Any, where: str) -> Any:
        if value.recipe is None:
            raise UserError(
                f"{where.partition('.')[0]}.kernel: is a function, which a model file cannot hold; use a kernel by its "
                "name, or kernel='precomputed'"
            )
        name, parameters = value.recipe
        return {
            "name": name,
            "parameters": {key: self.encode(one, f"kernel.{key}") for key, one in sorted(parameters.items())},
            "members": self.encode(list(value.members), "kernel.members"),
            "bilinear": value.bilinear,
            "centre": self.encode(value.centre, "kernel.centre"),
        }

    def _list(self, value: Any, where: str) -> list[Any]:
        return [self.encode(one, f"{where}[{i}]") for i, one in enumerate(value)]

    def _dict(self, value: Mapping[Any, Any], where: str) -> Any:
        pairs = [[self.encode(_plain(key), where), self.encode(one, f"{where}[{key!r}]")] for key, one in value.items()]
        return {"dict": pairs}

    def _type(self, value: Any, where: str) -> str:
        name = np.dtype(value).name if value is not object else "object"
        if name not in (*TYPES, "object"):
            raise UserError(f"{where}: is the type {value}, which a model file cannot hold")
        return str(name)

    def _scalar(self, value: np.generic, where: str) -> Any:
        return {"scalar": self._array(np.asarray(value), where)}

    def _array(self, value: NDArray[Any], where: str) -> Any:
        if isinstance(value, np.ma.MaskedArray):
            return {"masked": [self._array(part, where) for part in (value.data, np.ma.getmaskarray(value))]}
        if value.dtype.kind == "O":
            shape = list(value.shape)
            return {"objects": {"shape": shape, "values": self._list(map(_plain, value.ravel().tolist()), where)}}
        if value.dtype == np.longdouble and value.dtype != np.float64:
            high = value.astype(np.float64)
            low = (value - high).astype(np.float64)
            return {"extended": [self._array(part, where) for part in (high, low)]}
        if value.dtype.kind not in KINDS or value.dtype.itemsize not in KINDS[value.dtype.kind]:
            raise UserError(f"{where}: has values of the type {value.dtype}, which a model file cannot hold")
        if value.dtype.kind == "f" and not self._may_be_nan and np.isnan(value).any():
            raise UserError(f"{where}: has values that are NaN")
        axes = _in_memory(value)
        plain = np.ascontiguousarray(value.transpose(axes)).astype(value.dtype.newbyteorder("<"), copy=False)
        key = sha256(repr((plain.dtype.str, plain.shape)).encode() + plain.tobytes()).digest()
        if key not in self._numbers:
            self._numbers[key] = len(self.arrays)
            self.arrays.append(plain.reshape(value.transpose(axes).shape))
        number = {"array": self._numbers[key]}
        return number if axes == list(range(value.ndim)) else {"turned": [self._numbers[key], axes]}


def _in_memory(value: NDArray[Any]) -> list[int]:
    """Return the axes from the slowest to the fastest in memory, which the last bits of a product depend on."""
    one = [axis for axis in range(value.ndim) if value.shape[axis] <= 1]
    others = sorted((axis for axis in range(value.ndim) if axis not in one), key=lambda axis: -abs(value.strides[axis]))
    return [*one, *others] if others != sorted(others) else list(range(value.ndim))


def _plain(value: Any) -> Any:
    """Return a numpy number as Python's."""
    return value.item() if isinstance(value, np.generic) else value
