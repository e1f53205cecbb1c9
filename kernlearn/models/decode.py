"""From JSON and arrays to values, in the kinds that `kernlearn.models.codec` writes; every other is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.errors import UserError
from kernlearn.kernels.core.family import KernelFamily
from kernlearn.models.checks import OF_ESTIMATORS, OF_RECORDS
from kernlearn.models.codec import DEEPEST, FLOATS, LARGEST_INTEGER, NAME, TYPES
from kernlearn.models.table import estimator_named, fields_of, may_be_nan, record_named

#: Kinds of values that a file may have, each with a method of `Decoder`.
KINDS = frozenset(
    "float tuple dict range slice dtype type scalar array turned masked extended objects csr record family search "
    "estimator".split()
)
#: Longest range that a parameter may have.
LONGEST_RANGE = 10_000


class Damaged(ValueError):
    """What a file says is nothing that was written by `kernlearn.models.codec`."""


@dataclass
class Decoder:
    """Decodes values.

    Attributes
    ----------
    array : callable
        ``array(number)`` returns an array of the file.
    plain : bool
        Whether to leave classes alone: estimators, records and families become dictionaries with their ``name``.
    """

    array: Callable[[int], NDArray[Any]]
    plain: bool = False
    _may_be_nan: bool = False
    _depth: int = 0

    def decode(self, tree: Any) -> Any:
        """Return the value of a tree of JSON.

        Raises
        ------
        Damaged
            If something else stands where a value is expected.
        UserError
            If it names a class that is not known here.
        """
        if tree is None or isinstance(tree, bool | str | float):
            return tree
        if isinstance(tree, int):
            _require(abs(tree) < LARGEST_INTEGER, "a number is too large")
            return tree
        _require(self._depth < DEEPEST, "it is nested too deep")
        self._depth += 1
        try:
            if isinstance(tree, list):
                return [self.decode(one) for one in tree]
            ((kind, content),) = tree.items() if len(tree) == 1 else (("", None),)
            known = getattr(self, f"_{kind}", None) if kind in KINDS else None
            if known is None:
                raise Damaged(f"there is no kind of value {kind[:40]!r}")
            return known(content)
        finally:
            self._depth -= 1

    def _float(self, content: Any) -> float:
        _require(isinstance(content, str) and content in FLOATS, "a float is expected")
        return FLOATS[content]

    def _tuple(self, content: Any) -> tuple[Any, ...]:
        return tuple(self._list(content))

    def _list(self, content: Any) -> list[Any]:
        _require(isinstance(content, list), "a list is expected")
        return [self.decode(one) for one in content]

    def _dict(self, content: Any) -> dict[Any, Any]:
        pairs = self._list(content)
        _require(all(isinstance(pair, list) and len(pair) == 2 for pair in pairs), "a dictionary is expected")
        _require(all(isinstance(key, str | int | float | None) for key, _ in pairs), "a key is expected")
        return dict(pairs)

    def _range(self, content: Any) -> range:
        _require(_are_integers(content, 3) and content[2] != 0, "a range is expected")
        found = range(*content)
        _require(len(found) <= LONGEST_RANGE, "a range is too long")
        return found

    def _slice(self, content: Any) -> slice:
        _require(isinstance(content, list) and len(content) == 3, "a slice is expected")
        _require(all(one is None or type(one) is int for one in content), "a slice is expected")
        return slice(*content)

    def _dtype(self, content: Any) -> np.dtype[Any]:
        return np.dtype(self._type(content))

    def _type(self, content: Any) -> Any:
        _require(isinstance(content, str) and content in (*TYPES, "object"), "a type is expected")
        return object if content == "object" else np.dtype(content).type

    def _scalar(self, content: Any) -> Any:
        value = self.decode(content)
        _require(isinstance(value, np.ndarray) and value.ndim == 0, "a number is expected")
        return value[()]

    def _array(self, content: Any) -> NDArray[Any]:
        _require(type(content) is int and content >= 0, "the number of an array is expected")
        value = self.array(content)
        if value.dtype.kind == "f" and not self._may_be_nan:
            _require(not np.isnan(value).any(), f"array {content} has values that are NaN")
        return value

    def _turned(self, content: Any) -> NDArray[Any]:
        _require(isinstance(content, list) and len(content) == 2, "an array is expected")
        value, axes = self._array(content[0]), content[1]
        _require(_are_integers(axes, value.ndim) and sorted(axes) == list(range(value.ndim)), "axes are expected")
        return value.transpose(np.argsort(axes))

    def _masked(self, content: Any) -> Any:
        data, mask = self._several(content, 2)
        _require(mask.dtype == bool and mask.shape == data.shape, "a mask is expected")
        return np.ma.MaskedArray(data, mask)

    def _extended(self, content: Any) -> NDArray[Any]:
        high, low = self._several(content, 2)
        _require(high.dtype == low.dtype == np.float64 and high.shape == low.shape, "an extended number is expected")
        found: NDArray[Any] = high.astype(np.longdouble) + low
        return found

    def _objects(self, content: Any) -> NDArray[Any]:
        _require(isinstance(content, dict) and content.keys() == {"shape", "values"}, "an array of objects is expected")
        values, shape = self._list(content["values"]), content["shape"]
        _require(all(one is None or isinstance(one, str | int | float) for one in values), "an object is expected")
        _require(isinstance(shape, list) and _are_integers(shape, len(shape)), "a shape is expected")
        _require(len(shape) <= 2 and np.prod(shape, dtype=object) == len(values), "a shape is expected")
        found = np.empty(len(values), dtype=object)
        found[:] = values
        return found.reshape(shape)

    def _csr(self, content: Any) -> Any:
        """Return a sparse matrix, whose indices are all in it: compiled code does not look."""
        from scipy import sparse

        _require(
            isinstance(content, dict) and content.keys() == {"data", "indices", "indptr", "shape", "kind"},
            "a sparse matrix is expected",
        )
        parts = [self.decode(content[name]) for name in ("data", "indices", "indptr")]
        shape = content["shape"]
        _require(all(isinstance(part, np.ndarray) and part.ndim == 1 for part in parts), "a sparse matrix is expected")
        _require(_are_integers(shape, 2) and min(shape) >= 0, "a sparse matrix is expected")
        data, indices, indptr = parts
        _require(
            indices.dtype.kind == indptr.dtype.kind == "i" and data.dtype.kind in "biuf", "a sparse matrix is expected"
        )
        _require(len(indptr) == shape[0] + 1 and len(data) == len(indices), "a sparse matrix is expected")
        _require(indptr[0] == 0 and indptr[-1] == len(data) and (np.diff(indptr) >= 0).all(), "rows overlap")
        _require(not len(indices) or (indices.min() >= 0 and indices.max() < shape[1]), "an index is outside")
        kind = sparse.csr_matrix if content["kind"] == "matrix" else sparse.csr_array
        return kind((data, indices, indptr), shape=tuple(shape))

    def _several(self, content: Any, number: int) -> list[NDArray[Any]]:
        values = self._list(content)
        _require(len(values) == number and all(isinstance(one, np.ndarray) for one in values), "an array is expected")
        return values

    def _named(self, content: Any, *keys: str) -> tuple[str, dict[str, Any]]:
        """Return the name of what is made of other values, and these."""
        _require(isinstance(content, dict) and content.keys() == {"name", *keys}, "a record is expected")
        _require(isinstance(content["name"], str), "a name is expected")
        return content["name"], content

    def _values(self, content: Any) -> dict[str, Any]:
        _require(isinstance(content, dict) and all(map(NAME.fullmatch, content)), "attributes are expected")
        found = {}
        for key, one in content.items():
            try:
                found[key] = self.decode(one)
            except Damaged as error:
                raise Damaged(f"{key}: {error}") from None
        return found

    def _record(self, content: Any) -> Any:
        name, known = self._named(content, "fields")
        values = self._values(known["fields"])
        if self.plain:
            return {"name": name, **values}
        kind = record_named(name)
        if kind is None:
            raise UserError(f"it has a record {name[:60]!r}, which this version of kernlearn does not know")
        _require(values.keys() == set(fields_of(kind)), f"{name} has other fields")
        found = kind(**values)
        _require(OF_RECORDS.get(name, _right)(found), f"{name} does not fit together")
        return found

    def _family(self, content: Any) -> Any:
        name, known = self._named(content, "parameters", "members", "bilinear", "centre")
        parameters, members, centre = (
            self._values(known["parameters"]),
            *map(self.decode, (known["members"], known["centre"])),
        )
        if self.plain:
            found = {"name": name, "parameters": parameters, "members": members, "centre": centre}
            return {**found, "bilinear": known["bilinear"]}
        return made_family(name, parameters, members, known["bilinear"], centre)

    def _search(self, content: Any) -> Any:
        from kernlearn.kernels.families import neighbours

        _require(isinstance(content, dict) and content.keys() == {"kind", "X", "metric", "k"}, "a search is expected")
        values = {key: self.decode(one) for key, one in content.items()}
        kind = values.pop("kind")
        _require(kind in ("ExactSearch", "ApproximateSearch"), "a search is expected")
        _require(values["metric"] in ("euclidean", "cosine") and type(values["k"]) is int, "a search is expected")
        _require(values["k"] >= 1 and getattr(values["X"], "ndim", 0) == 2, "a search is expected")
        return values if self.plain else getattr(neighbours, kind)(**values)

    def _estimator(self, content: Any) -> Any:
        name, known = self._named(content, "params", "state")
        before, self._may_be_nan = self._may_be_nan, may_be_nan(name)
        params, state = self._values(known["params"]), self._values(known["state"])
        self._may_be_nan = before
        if self.plain:
            return {"name": name, "params": params, "state": state}
        kind = estimator_named(name)
        if kind is None:
            raise UserError(f"it has a {name[:60]!r}, which this version of kernlearn does not load")
        unknown = params.keys() - set(kind._get_param_names())
        _require(not unknown, f"{name} has no parameter {', '.join(sorted(unknown))}")
        shadowed = [key for key in state if hasattr(kind, key)]
        _require(not shadowed, f"{name} has no attribute {', '.join(shadowed)} of its own")
        found = kind(**params)
        vars(found).update(state)
        for key in OF_ESTIMATORS.keys() & (state.keys() | params.keys()):
            _require(OF_ESTIMATORS[key](found), f"{name} does not fit together")
        return found


def made_family(name: str, parameters: Mapping[str, Any], members: Any, bilinear: Any, centre: Any) -> KernelFamily:
    """Return a family by its name and parameters, with some of its members, as it was trained."""
    from dataclasses import replace

    from kernlearn.kernels.core.grouped import GROUPED
    from kernlearn.kernels.families.vectors import precomputed

    if name == GROUPED:
        family = _grouped(**parameters)
    elif name == "precomputed":
        family = precomputed(**parameters)
    else:
        family = _named_family(name, parameters)
    _require(isinstance(family, KernelFamily) and isinstance(members, list), f"{name} is no family of kernels")
    _require(all(member in family.members for member in members), f"kernel {name} has other members")
    _require(bilinear in (family.bilinear, False), f"kernel {name} is not linear")
    _require(centre is None or (isinstance(centre, np.ndarray) and centre.ndim == 1), "a centre is expected")
    return replace(family, members=tuple(members), bilinear=bilinear, centre=centre)


def _named_family(name: str, parameters: Mapping[str, Any]) -> KernelFamily:
    from dataclasses import replace

    from kernlearn.kernels import make_family
    from kernlearn.kernels.core.scikit_learn import OF_SCIKIT_LEARN
    from kernlearn.kernels.families.polynomial import poly
    from kernlearn.kernels.families.registry import FAMILIES

    known = {**OF_SCIKIT_LEARN, "poly": poly}
    _require(name in FAMILIES or name in known, f"there is no kernel {name[:60]!r}")
    family: Any = make_family(name, **parameters) if name in FAMILIES else known[name](**parameters)
    _require(isinstance(family, KernelFamily), f"{name} is no family of kernels")
    return replace(family, recipe=(name, dict(parameters)))


def _grouped(parts: Any, columns: Any) -> KernelFamily:
    from kernlearn.kernels.core.grouped import grouped

    pairs = all(isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str) for part in parts)
    _require(pairs and len(parts) == len(columns), "kernels of columns are expected")
    numbers = all(isinstance(some, np.ndarray) and some.dtype.kind == "i" and some.ndim == 1 for some in columns)
    _require(numbers and all((some >= 0).all() for some in columns), "kernels of columns have no columns")
    return grouped([_named_family(name, parameters) for name, parameters in parts], columns)


def _right(value: Any) -> bool:
    return True


def _are_integers(values: Any, number: int) -> bool:
    return isinstance(values, list) and len(values) == number and all(type(one) is int for one in values)


def _require(condition: Any, words: str) -> None:
    if not condition:
        raise Damaged(words)
