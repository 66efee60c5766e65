"""X in any of the forms that people have it in, as the engine takes it.

Arrays are taken as they are: float32 and float16 in C order without a copy, all else as a copy in
float32. Tables (pandas, polars, pyarrow, whatever speaks the Arrow PyCapsule interface) go through
the engine's encoder: numbers are standardised, texts become one column a category.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._labels import Coded, code, name_of

Columns = Union[None, str, int, Sequence[str], Sequence[int]]


@dataclass(frozen=True)
class Rows:
    """X as the engine takes it."""

    source: Any  # an array, or a _core.Table
    count: int
    columns: int
    names: Optional[list[str]]  # of the columns, where all of them are texts

    @property
    def is_table(self) -> bool:
        return isinstance(self.source, _core.Table)


def is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_table(X: Any) -> bool:
    """Whether X has columns of its own types, and not one type for all."""
    has_names = hasattr(X, "column_names") or hasattr(X, "columns")  # a single column has none
    return is_pandas(X) or (hasattr(X, "__arrow_c_stream__") and has_names)


def read_rows(X: Any, missing: Sequence[str] = (), ignored: Sequence[str] = ()) -> Rows:
    """X as an array or a table. Columns in `ignored` may be of types that cannot be features."""
    _check_ignored(X, ignored)
    if is_pandas(X):
        return _read_pandas(X, missing, ignored)
    if is_table(X):
        names = [str(name) for name in read_names(X)]
        _checked(Rows(None, len(X), len(names), names))
        table = _core.Table.from_arrow(X.__arrow_c_stream__(), "X", list(missing), list(ignored))
        return Rows(table, table.rows, len(names), names)
    array = as_rows(X)
    return Rows(array, array.shape[0], array.shape[1], None)


def _check_ignored(X: Any, ignored: Sequence[str]) -> None:
    if not ignored:
        return
    names = [str(name) for name in read_names(X)] if is_table(X) else []
    unknown = [name for name in ignored if name not in names]
    if unknown:
        raise ValueError(f"drop: X has no column called {unknown[0]!r}")


def as_rows(X: Any) -> np.ndarray:
    """X as a C-contiguous array of float32 or float16: X itself where it is one."""
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise TypeError("Sparse data was passed; X must be dense, so use X.toarray()")
    if hasattr(X, "collect") and hasattr(X, "collect_schema"):
        raise TypeError("X is a lazy table; give X.collect()")
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.dtype.kind in "USO":
        array = _numbers_of(array)
    _check_shape(array)
    if array.dtype.kind == "f" and array.dtype.itemsize in (2, 4) and _lies_right(array):
        return array
    if array.dtype.kind not in "fiub":
        raise ValueError(f"X is of type {array.dtype}; numbers are needed")
    with np.errstate(over="ignore"):  # the engine names the place of what is too large
        return np.ascontiguousarray(array, dtype=np.float32)


def _lies_right(array: np.ndarray) -> bool:
    return bool(array.flags.c_contiguous and array.flags.aligned and array.dtype.isnative)


def _numbers_of(array: np.ndarray) -> np.ndarray:
    try:
        return array.astype(np.float64)
    except ValueError:
        raise ValueError(
            "X is an array of texts; numbers are needed. Categories are taken from tables: give a "
            "DataFrame"
        ) from None


def _check_shape(array: np.ndarray) -> None:
    if array.ndim == 1:
        raise ValueError(
            f"Expected 2D array, got 1D array instead:\narray={array}.\nReshape your data either "
            "using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) "
            "if it contains a single sample."
        )
    if array.ndim != 2:
        raise ValueError(f"Found array with dim {array.ndim}. X must have two dimensions.")
    for size, what in zip(array.shape, ("sample", "feature")):
        if size == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape={array.shape}) while a minimum of 1 is "
                "required."
            )


def _checked(rows: Rows) -> Rows:
    if rows.count == 0 or rows.columns == 0:
        what = "sample" if rows.count == 0 else "feature"
        raise ValueError(
            f"Found array with 0 {what}(s) (shape=({rows.count}, {rows.columns})) while a minimum "
            "of 1 is required."
        )
    return rows


def _read_pandas(frame: Any, missing: Sequence[str], ignored: Sequence[str]) -> Rows:
    names = frame.columns.tolist()
    _checked(Rows(None, len(frame), len(names), None))
    table = _core.Table("X")
    for position, name in enumerate(names):
        if str(name) not in ignored:
            _add_series(table, str(name), frame.iloc[:, position], list(missing))
    all_texts = all(isinstance(name, str) for name in names)
    return Rows(table, len(frame), len(names), names if all_texts else None)


def _add_series(table: _core.Table, name: str, series: Any, missing: list[str]) -> None:
    import pandas

    kind = pandas.api.types
    dtype = series.dtype
    if kind.is_complex_dtype(dtype):
        raise ValueError("Complex data not supported")
    if kind.is_numeric_dtype(dtype) or kind.is_bool_dtype(dtype):
        table.add_numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
        return
    if isinstance(dtype, pandas.CategoricalDtype):
        texts = [name_of(value) for value in series.cat.categories]
        table.add_texts(name, series.cat.codes.to_numpy(dtype=np.int32), texts, missing)
        return
    if not (kind.is_object_dtype(dtype) or kind.is_string_dtype(dtype)):
        raise ValueError(
            f"X: the column {name!r} is of type {dtype}, which is neither numbers nor texts; turn "
            "it into one of them or drop it"
        )
    codes, values = pandas.factorize(series)
    if all(isinstance(value, (int, float, np.number)) for value in values):
        table.add_numbers(name, pandas.to_numeric(series).to_numpy(dtype=np.float64))
        return
    table.add_texts(name, codes.astype(np.int32), [name_of(value) for value in values], missing)


def as_plain_rows(X: Any) -> np.ndarray:
    """A table of numbers as an array, for what was fitted on arrays."""
    if is_pandas(X):
        return as_rows(X.to_numpy())
    if is_table(X):
        X = X.to_pandas() if not hasattr(X, "to_numpy") else X.to_numpy()
        return as_rows(X)
    return as_rows(X)


def table_of(array: np.ndarray, names: Sequence[str]) -> _core.Table:
    """An array as a table with these columns, for what was fitted on a table."""
    table = _core.Table("X")
    for position, name in enumerate(names):
        table.add_numbers(name, np.ascontiguousarray(array[:, position], dtype=np.float64))
    return table


def column_of(X: Any, column: Union[str, int]) -> Any:
    """A column of a table by its name, or of an array by its place."""
    if is_table(X):
        names = [str(name) for name in read_names(X)]
        if str(column) not in names:
            raise ValueError(f"X has no column {column!r}; it has {', '.join(names)}")
        return X[column]
    if isinstance(column, str):
        raise ValueError(f"X is an array and has no names: there is no column {column!r}")
    return np.asarray(X)[:, column]


def code_groups(X: Any, groups: Any, rows: int) -> Optional[Coded]:
    """The group of each row: one value a row, several (each combination is a group), or the names
    of columns of X."""
    if groups is None:
        return None
    if isinstance(groups, (str, int)):
        groups = [groups]
    if isinstance(groups, (list, tuple)) and 0 < len(groups) < rows:
        if all(isinstance(column, (str, int)) for column in groups):
            return _intersection(
                [code(column_of(X, column), "groups", rows) for column in groups],
                [str(column) for column in groups],
            )
    if is_table(groups):
        names = [str(name) for name in read_names(groups)]
        return _intersection(
            [code(column_of(groups, column), "groups", rows) for column in names], names
        )
    array = groups if hasattr(groups, "name") else np.asarray(groups)
    if getattr(array, "ndim", 1) == 2 and array.shape[1] > 1:
        columns = [code(array[:, c], "groups", rows) for c in range(array.shape[1])]
        return _intersection(columns, [f"group {c + 1}" for c in range(array.shape[1])])
    found = code(groups, "groups", rows)
    return Coded(found.codes, found.classes, "group") if found.name == "groups" else found


def read_names(X: Any) -> list[Any]:
    """Names of a table's columns."""
    return list(X.column_names if hasattr(X, "column_names") else X.columns)


def _intersection(columns: list[Coded], names: list[str]) -> Coded:
    if len(columns) == 1:
        return Coded(columns[0].codes, columns[0].classes, names[0])
    texts = [np.array(column.names, dtype=object)[column.codes] for column in columns]
    joined = np.array(["|".join(parts) for parts in zip(*texts)], dtype=object)
    classes, codes = np.unique(joined.astype(str), return_inverse=True)
    return Coded(codes.reshape(-1).astype(np.int32), classes, "|".join(names))
