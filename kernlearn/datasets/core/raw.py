"""Features with missing values and texts, which become numbers by what the training part of a split has.

Nothing is learned from other examples: they may change, and the inputs of the training part stay.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlearn.types import Array

#: What may be done about missing values, and about texts; the first is the default.
REFUSE = "refuse"
MISSING_WAYS = (REFUSE, "drop", "median", "most_frequent", "indicator")
TEXT_WAYS = (REFUSE, "onehot", "ordinal", "drop")
#: The code of a text that the training part did not have.
UNSEEN = -1.0


@dataclass(frozen=True, eq=False)
class RawFeatures:
    """Columns of n examples before missing values are filled in and categories become numbers."""

    #: Shape (n, d). Numbers, NaN where a value is missing; of a category its place among the texts of its column.
    values: Array
    #: Of every column the sorted texts, None of numbers.
    categories: tuple[tuple[str, ...] | None, ...]
    #: The columns whose categories become their place among those of the training part, and -1 for others. All other
    #: categories become one indicator each, for others all 0.
    ordinal: tuple[int, ...] = ()
    #: One of `MISSING_WAYS`, what takes the place of a missing value: the median or the most frequent value of the
    #: training part, for categories always the latter. "indicator" adds a column that is 1 where a value is missing; of
    #: categories with indicators, being missing is one more. After the first two ways none is missing.
    missing: str = REFUSE

    def __len__(self) -> int:
        return len(self.values)

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of examples and of columns."""
        return self.values.shape

    def __getitem__(self, rows: Any) -> "RawFeatures":
        """Return some of the examples."""
        return self.with_values(self.values[rows])

    def with_values(self, values: Array) -> "RawFeatures":
        """Return the same columns with other values."""
        return replace(self, values=values)


def numbers_of(X: Array | RawFeatures) -> Array:
    """Return features as they are, NaN in columns of several categories, whose places are no numbers of the file."""
    if not isinstance(X, RawFeatures):
        return X
    return np.where([texts is not None and len(texts) > 1 for texts in X.categories], np.nan, X.values)


def encoded(train: RawFeatures, *others: RawFeatures) -> tuple[Array, ...]:
    """Return the features as numbers, by what is learned from the first part alone.

    Returns
    -------
    tuple of ndarray of shape (n_part, d_encoded)
        Numbers first, then categories with indicators, then ordinal ones.
    """
    encoding = fit_encoding(train)
    return tuple(encode(part.values, encoding) for part in (train, *others))


def fit_encoding(raw: RawFeatures) -> dict[str, Any]:
    """Return what the transformers of scikit-learn learn from raw features, in arrays that depend on no version."""
    found: dict[str, Any] = {"missing": raw.missing}
    for name, transformer, columns in fitted_encoder(raw).transformers_:
        steps = [step for _, step in getattr(transformer, "steps", [("", transformer)])]
        imputer = next((step for step in steps if hasattr(step, "statistics_")), None)
        marks = getattr(imputer, "indicator_", None)
        found[name] = {
            "columns": np.asarray(columns, dtype=np.int64),
            "fill": None if imputer is None else np.asarray(imputer.statistics_, dtype=np.float64),
            "marked": np.zeros(0, dtype=np.int64) if marks is None else np.asarray(marks.features_, dtype=np.int64),
            "levels": [
                np.asarray(level, dtype=np.float64) for step in steps for level in getattr(step, "categories_", [])
            ],
        }
    return found


def encode(values: Array, encoding: Mapping[str, Any]) -> Array:
    """Return raw features as numbers, by what `fit_encoding` returned."""
    blocks: list[Array] = []
    for name in ("numbers", "indicators", "places"):
        if name not in encoding:
            continue
        part = encoding[name]
        given = values[:, part["columns"]]
        filled = given if part["fill"] is None else np.where(np.isnan(given), part["fill"], given)
        filled = np.hstack([filled, np.isnan(given[:, part["marked"]]).astype(np.float64)])
        if name == "numbers":
            blocks.append(filled)
        elif name == "indicators":
            blocks += [_one_of(filled[:, j], level) for j, level in enumerate(part["levels"])]
        else:
            blocks += [_place_of(filled[:, j], level)[:, None] for j, level in enumerate(part["levels"])]
    return np.ascontiguousarray(np.hstack(blocks))


def _one_of(codes: Array, level: Array) -> Array:
    same: NDArray[Any] = (codes[:, None] == level) | (np.isnan(codes)[:, None] & np.isnan(level))
    return same.astype(np.float64)


def _place_of(codes: Array, level: Array) -> Array:
    known = _one_of(codes, level)
    return np.where(known.any(axis=1), known.argmax(axis=1), UNSEEN).astype(np.float64)


def fitted_encoder(raw: RawFeatures) -> Any:
    """Return the transformer of scikit-learn that makes numbers of such features, fitted to them."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder

    is_filled, marked = raw.missing not in MISSING_WAYS[:2], raw.missing == "indicator"

    def filling(strategy: str, add_indicator: bool = marked) -> Any:
        if not is_filled:
            return "passthrough"
        return SimpleImputer(strategy=strategy, add_indicator=add_indicator, keep_empty_features=True)

    numbers = [i for i, texts in enumerate(raw.categories) if texts is None]
    nominal = [i for i, texts in enumerate(raw.categories) if texts is not None and i not in raw.ordinal]
    indicators = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    places = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=int(UNSEEN))
    of_nominal = "passthrough" if marked else filling("most_frequent", False)
    parts = [
        ("numbers", filling("most_frequent" if raw.missing == "most_frequent" else "median"), numbers),
        ("indicators", make_pipeline(of_nominal, indicators), nominal),
        ("places", make_pipeline(filling("most_frequent"), places), list(raw.ordinal)),
    ]
    return ColumnTransformer([part for part in parts if part[2]], sparse_threshold=0).fit(raw.values)
