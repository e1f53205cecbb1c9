"""From the columns of a table to features, as those of the training data became them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kernlearn.datasets.core.cells import MORE_BOOLEANS, Numerals, days, days_of, show, spelling
from kernlearn.datasets.core.raw import MISSING_WAYS, UNSEEN, RawFeatures, encode, fit_encoding
from kernlearn.datasets.core.schema import RawColumn, TableSchema
from kernlearn.errors import UserError
from kernlearn.types import Array


class TableFeatures(TransformerMixin, BaseEstimator):
    """Columns of numbers, dates, booleans and texts as features.

    It knows how a file was understood (`kernlearn.datasets.Dataset.schema`). It fills in missing values and encodes
    texts as every training part of ``kernlearn run`` does.

    Parameters
    ----------
    schema : dict, optional
        The fields of `kernlearn.datasets.core.schema.TableSchema`; without one the columns are the features.
    missing, ordinal : str and sequence of int, optional
        As of `kernlearn.datasets.core.raw.RawFeatures`; None if the columns need neither fill values nor encodings.

    Attributes
    ----------
    feature_names_in_ : array of str
        The names of the columns.
    target_ : str
        The name of the target.
    """

    def __init__(
        self, schema: Mapping[str, Any] | None = None, missing: str | None = None, ordinal: Sequence[int] = ()
    ):
        self.schema = schema
        self.missing = missing
        self.ordinal = ordinal

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn fill values and encodings from training examples: a table as for `transform`, or as of a `Dataset`."""
        self.target_ = self.schema["target"] if self.schema else ""
        self.n_features_in_ = len(self.columns) if self.schema else X.shape[1]
        self._encoding: dict[str, Any] | None = None
        if self.schema:
            self.feature_names_in_ = np.array([column.name for column in self.columns], dtype=object)
        if self.missing is not None and not isinstance(X, RawFeatures):
            wide = [None if one.indicators else one.values or None for one in self.columns for _ in _width(one)]
            X = RawFeatures(self._columns_of(X), tuple(wide), tuple(self.ordinal), self.missing)
        elif not isinstance(X, RawFeatures) and any(one.values and not one.indicators for one in self.columns):
            raise UserError("the model does not say how its texts are encoded: fit a new one by kernlearn fit")
        if isinstance(X, RawFeatures):
            self._encoding = fit_encoding(X)
        return self

    @property
    def columns(self) -> list[RawColumn]:
        """The columns that it takes, in their order."""
        return [RawColumn(**one) for one in self.schema["columns"]] if self.schema else []

    @property
    def fills(self) -> bool:
        """Whether missing values are filled in."""
        return self._encoding is not None and self._encoding["missing"] not in MISSING_WAYS[:2]

    @property
    def ordinal_columns(self) -> set[str]:
        """The names of the columns of texts that become numbers in alphabetical order."""
        if self._encoding is None or "places" not in self._encoding:
            return set()
        of = [one.name for one in self.columns for _ in _places_of(one)]
        return {of[place] for place in self._encoding["places"]["columns"].tolist()}

    def transform(self, X: Any) -> Any:
        """Return the features of rows.

        Parameters
        ----------
        X : DataFrame, or array of shape (n, n_columns)
            A DataFrame has the columns by name, in any order, with texts for categories. An array has them in their
            order; a category is the number of its value among those of the training data, -1 for another one.

        Raises
        ------
        UserError
            If a column is missing, or a value that has to be there.
        """
        check_is_fitted(self, "n_features_in_")
        if not self.schema:
            return X
        values = self._columns_of(X)
        if not self.fills and (lacking := np.isnan(values).any(axis=0)).any():
            names = [one.name for one in self.columns for _ in _width(one)]
            raise UserError(
                f"column {names[int(lacking.argmax())]!r}: a value is missing, and the model was trained "
                "without missing values: fill it in, or leave the row out"
            )
        return values if self._encoding is None else encode(values, self._encoding)

    def _columns_of(self, X: Any) -> Array:
        """Return a table as numbers, NaN where a value is missing, and one column for every indicator of a file."""
        columns = self.columns
        codes = self._codes(X, columns) if hasattr(X, "columns") else np.asarray(X, dtype=np.float64)
        if codes.ndim != 2 or codes.shape[1] != len(columns):
            raise UserError(f"X: has the shape {codes.shape}, and the model takes {len(columns)} columns")
        return np.ascontiguousarray(np.hstack([_indicators(codes[:, i], one) for i, one in enumerate(columns)]))

    def of_examples(self, X: Any) -> Any:
        """Return the features of examples as a `Dataset` has them, encoded by those of `fit`."""
        return X if self._encoding is None else encode(X.values, self._encoding)

    def _codes(self, X: Any, columns: Sequence[RawColumn]) -> Array:
        """Return the columns of a DataFrame as numbers."""
        if absent := [column.name for column in columns if column.name not in X.columns]:
            raise UserError(f"X: has no column {', '.join(map(repr, absent))}, which the model was trained on")
        if twice := [column.name for column in columns if list(X.columns).count(column.name) > 1]:
            raise UserError(f"X: has several columns {twice[0]!r}; give the columns as an array, in their order")
        numerals = Numerals(self.schema["decimal"], self.schema["thousands"]) if self.schema else Numerals()
        found = [_values(X[column.name], column, numerals) for column in columns]
        return np.array(found).reshape(len(columns), len(X)).T

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")


def table_features(schema: TableSchema | None, X: Any, names: Sequence[str] = ()) -> TableFeatures:
    """Return the transformer of a data set, fitted to its features.

    Without a schema, dense features are columns of numbers with these names, or without any, and the target is last.
    """
    if schema is None and isinstance(X, np.ndarray):
        d = X.shape[1]
        known = list(names) or [f"column {i}" for i in range(d)]
        columns = tuple(RawColumn(name, i, "number") for i, name in enumerate(known))
        schema = TableSchema(columns, "", d, d + 1, bool(names))
    ways = (X.missing, list(X.ordinal)) if isinstance(X, RawFeatures) else ()
    return TableFeatures(None if schema is None else plain(schema), *ways).fit(X)


def _places_of(column: RawColumn) -> Sequence[str]:
    """Return one element for every feature of a `Dataset` that a column becomes."""
    return column.values if column.indicators else ("",)


def ranges_of(features: Any, X: Any) -> list[list[float] | None]:
    """Return the least and the largest number of every column of training examples; None of other columns.

    Of examples that are no table, there are no columns.
    """
    values = X.values if isinstance(X, RawFeatures) else X
    found: list[list[float] | None] = []
    place = 0
    for column in features.columns if isinstance(values, np.ndarray) else ():
        known = values[:, place][~np.isnan(values[:, place])] if not column.values else np.zeros(0)
        found.append([float(known.min()), float(known.max())] if len(known) else None)
        place += len(_places_of(column))
    return found


def plain(schema: TableSchema) -> dict[str, Any]:
    """Return a schema as a parameter of an estimator, which a file holds."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(schema).items()}


def _values(cells: Any, column: RawColumn, numerals: Numerals) -> Array:
    """Return the cells of a column as numbers: texts are read as those of a file are, NaN stands for no value.

    Raises
    ------
    UserError
        If a cell is nothing that a column of this kind has.
    """
    if cells.dtype.kind == "M":
        return days_of(cells)
    if cells.dtype.kind in "biuf" and not column.values:
        return np.asarray(cells.to_numpy(dtype=np.float64, na_value=np.nan))
    place = {value: float(code) for code, value in enumerate(column.values)}

    def value_of(cell: Any) -> float | None:
        text = str(cell).strip()
        if column.values:
            alike = text, spelling(text), text.removesuffix(".0")  # pandas has 1.0 for 1 beside a missing value
            return next((place[one] for one in alike if one in place), UNSEEN)
        if column.kind == "date":
            return days(text)
        if not isinstance(cell, str):
            return float(cell)
        return MORE_BOOLEANS.get(text.lower()) if column.kind == "boolean" else numerals.value(text)

    values = np.full(len(cells), np.nan)
    for i in np.flatnonzero(cells.notna()).tolist():
        value = value_of(cells.iloc[i])
        if value is None:
            raise UserError(f"column {column.name!r}: {show(str(cells.iloc[i]))} is no {column.kind}; correct it")
        values[i] = value
    return values


def _width(column: RawColumn) -> range:
    return range(len(column.values) if column.indicators else 1)


def _indicators(codes: Array, column: RawColumn) -> Array:
    """Return a column, or one for every value of a category, all 0 for a value that the training data did not have."""
    if not column.indicators:
        return codes[:, None]
    found = (codes[:, None] == np.arange(len(column.values))).astype(np.float64)
    return np.where(np.isnan(codes)[:, None], np.nan, found)
