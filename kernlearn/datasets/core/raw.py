"""Features with missing values and texts, which become numbers by what the training part of a split has.

Nothing is learned from other examples: they may change, and the inputs of the training part stay.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernlearn.types import Array

#: What may be done about missing values, and about texts; the first is the default.
REFUSE = "refuse"
MISSING_WAYS = (REFUSE, "drop", "median", "most_frequent", "indicator")
TEXT_WAYS = (REFUSE, "onehot", "ordinal", "drop")


@dataclass(frozen=True, eq=False)
class RawFeatures:
    """Columns of n examples before missing values are filled in and categories become numbers.

    Attributes
    ----------
    values : ndarray of shape (n, d)
        Numbers, NaN where a value is missing; of a category its place among the texts of its column.
    categories : tuple
        Of every column the sorted texts, None of numbers.
    ordinal : tuple of int
        The columns whose categories become their place among those of the training part, and -1 for others. All other
        categories become one indicator each, for others all 0.
    missing : {"refuse", "drop", "median", "most_frequent", "indicator"}
        What is put in the place of a missing value: the median or the most frequent value of the training part, for
        categories always the latter. "indicator" adds a column that is 1 where a value is missing; of categories with
        indicators, being missing is one more. After the first two none is missing.
    """

    values: Array
    categories: tuple[tuple[str, ...] | None, ...]
    ordinal: tuple[int, ...] = ()
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
    """Return the features as numbers, by transformers of scikit-learn that are fitted to the first part alone.

    Returns
    -------
    tuple of ndarray of shape (n_part, d_encoded)
        Numbers first, then categories with indicators, then ordinal ones.
    """
    transformer = fitted_encoder(train)
    return tuple(np.ascontiguousarray(transformer.transform(part.values)) for part in (train, *others))


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
    places = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    of_nominal = "passthrough" if marked else filling("most_frequent", False)
    parts = [
        ("numbers", filling("most_frequent" if raw.missing == "most_frequent" else "median"), numbers),
        ("indicators", make_pipeline(of_nominal, indicators), nominal),
        ("places", make_pipeline(filling("most_frequent"), places), list(raw.ordinal)),
    ]
    return ColumnTransformer([part for part in parts if part[2]], sparse_threshold=0).fit(raw.values)
