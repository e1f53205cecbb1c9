"""Tables in Parquet, whose columns have types."""

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kernlearn.datasets.core.bounds import check_shape, check_size
from kernlearn.datasets.core.columns import Keys, drop_key, index_by_name, roles_of, words_for
from kernlearn.datasets.core.table import Table
from kernlearn.errors import UserError

if TYPE_CHECKING:
    import pandas as pd


#: Types that are read, and those of texts.
KNOWN = ("boolean", "integer", "floating", "decimal", "dictionary", "date", "timestamp", "null")
TEXTS = ("string", "large_string", "string_view")
#: How the types of columns are known.
TYPED = "its type in the file"


def is_parquet(content: bytes) -> bool:
    """Tell by its mark."""
    return content.startswith(b"PAR1")


def read_parquet(file: Path, content: bytes, keys: Keys) -> Table:
    """Read a table in Parquet: numbers, booleans, dates, texts, and categories, which become one indicator each.

    The columns that pandas has stored as an index are one, as the metadata of pandas in the file say.

    Raises `UserError` if pyarrow is not installed, the file is damaged or larger than allowed, or a column is of
    another type.

    Parameters
    ----------
    content : bytes
        The file, unpacked.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UserError(f"{file}: a Parquet file needs pyarrow: pip install 'kernlearn[parquet]'") from None
    try:
        parquet = pq.ParquetFile(io.BytesIO(content))
        about, schema = parquet.metadata, parquet.schema_arrow
        check_shape(file, about.num_rows, about.num_columns)
        groups = [about.row_group(i) for i in range(about.num_row_groups)]
        check_size(file, sum(group.total_byte_size for group in groups), "its bytes, unpacked,")
        if about.num_rows == 0 or len(schema) < 2:
            raise UserError(
                f"{file}: has {about.num_rows} rows of {len(schema)} columns; features and class are needed"
            )
        texts = [i for i, kind in enumerate(schema.types) if any(is_text(kind) for is_text in _tests(pa, TEXTS))]
        names, index = list(map(str, schema.names)), _index(schema)
        roles = roles_of(file, names, True, keys, index)
        unread = {*roles.index, *roles.dropped}
        for i, kind in enumerate(schema.types):
            if i not in unread and not any(is_one(kind) for is_one in _tests(pa, KNOWN + TEXTS)):
                cast = "cast it to string" if "binary" in str(kind) else "cast it to numbers or strings"
                drop = "" if i == roles.target else f"; or {drop_key(words_for(names, True)[i])} leaves it out"
                raise UserError(f"{file}: column {names[i]!r} is of type {str(kind)[:60]}; {cast}{drop}")
        # a text that stands in many rows is stored, and so it must be read, once
        parquet = pq.ParquetFile(io.BytesIO(content), read_dictionary=[schema.names[i] for i in texts])
        table = parquet.read(use_threads=False).replace_schema_metadata(None)
        for i in unread:  # of any type
            table = table.set_column(i, names[i], pa.nulls(about.num_rows))
        frame = table.to_pandas(date_as_object=False, integer_object_nulls=True, use_threads=False)
    except (UserError, MemoryError):
        raise
    except Exception as error:  # of a damaged file, pyarrow and pandas raise almost anything
        raise UserError(f"{file}: damaged Parquet file ({' '.join(str(error).split())[:200]})") from None
    frame.columns = range(len(names))
    categories = {i: frame[i] for i in frame.columns if frame[i].dtype == "category" and i not in texts}
    nominal = {
        i: [str(value).strip() for value in np.asarray(column.cat.categories)] for i, column in categories.items()
    }

    def written(row: int) -> tuple[str, list[str]]:
        return f"row {row + 1}", _written(frame, row)

    labels = {*texts, *nominal}
    return Table(file, names, frame, written, keys, nominal=nominal, texts=labels, index=index, typed=TYPED)


def _index(schema: Any) -> dict[int, str]:
    """Return the columns that are an index by the metadata of pandas, or by their names."""
    try:
        stored = [name for name in json.loads(schema.metadata[b"pandas"])["index_columns"] if isinstance(name, str)]
    except (TypeError, KeyError, ValueError):  # none, or forged ones
        stored = []
    said = {i: "pandas' metadata in the file say so" for i, name in enumerate(schema.names) if name in stored}
    return index_by_name(schema.names) | said


def _tests(pa: Any, kinds: tuple[str, ...]) -> list[Any]:
    """Return what tells such types, of those that this version of pyarrow knows."""
    return [getattr(pa.types, f"is_{kind}") for kind in kinds if hasattr(pa.types, f"is_{kind}")]


def _written(frame: "pd.DataFrame", row: int) -> list[str]:
    cells = [frame[column].iloc[row] for column in frame.columns]
    return ["" if cell is None or cell != cell else str(cell) for cell in cells]
