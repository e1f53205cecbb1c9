"""Tables in Parquet, whose columns have types."""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernlearn.datasets.bounds import check_shape, check_size
from kernlearn.datasets.table import Table
from kernlearn.errors import UserError

if TYPE_CHECKING:
    import pandas as pd


def is_parquet(content: bytes) -> bool:
    """Tell by its mark."""
    return content.startswith(b"PAR1")


def read_parquet(file: Path, content: bytes) -> Table:
    """Read a table in Parquet: numbers, booleans, dates, texts, and categories, which become one indicator each.

    Raises
    ------
    UserError
        If pyarrow is not installed, the file is damaged or larger than allowed, or a column is of another type.
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
        texts = [i for i, kind in enumerate(schema.types) if pa.types.is_string(kind) or pa.types.is_large_string(kind)]
        for name, kind in zip(schema.names, schema.types, strict=True):
            if not any(is_one(kind) for is_one in _known(pa)):
                raise UserError(f"{file}: column {name!r} is of type {str(kind)[:60]}; leave it out of the file")
        # a text that stands in many rows is stored, and so it must be read, once
        parquet = pq.ParquetFile(io.BytesIO(content), read_dictionary=[schema.names[i] for i in texts])
        table = parquet.read(use_threads=False)
        frame = table.to_pandas(date_as_object=False, ignore_metadata=True, use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"{file}: damaged Parquet file ({' '.join(str(error).split())[:200]})") from None
    names = list(map(str, schema.names))
    frame.columns = range(len(names))
    categories = {i: frame[i] for i in frame.columns if frame[i].dtype == "category" and i not in texts}
    nominal = {i: [str(value) for value in column.cat.categories] for i, column in categories.items()}
    return Table(file, names, frame, lambda row: (f"row {row + 1}", _written(frame, row)), nominal=nominal)


def _known(pa: Any) -> list[Any]:
    kinds = "boolean integer floating decimal string large_string dictionary date timestamp null"
    return [getattr(pa.types, f"is_{kind}") for kind in kinds.split()]


def _written(frame: "pd.DataFrame", row: int) -> list[str]:
    cells = [frame[column].iloc[row] for column in frame.columns]
    return ["" if cell is None or cell != cell else str(cell) for cell in cells]
