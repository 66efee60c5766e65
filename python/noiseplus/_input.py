"""X in any of the forms that people have it in, as the engine takes it.

Arrays are taken as they are: float32 and float16 in C order without a copy, all else as a copy in
float32. Tables (pandas, polars, pyarrow, whatever speaks the Arrow PyCapsule interface) go through
the engine's encoder: numbers and dates are standardized, texts become one column per category.
"""

from __future__ import annotations

import decimal
import numbers
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._dates import days_of, days_of_objects
from ._labels import name_of
from ._progress import LOGGER

Columns = Union[None, str, int, Sequence[str], Sequence[int]]


@dataclass(frozen=True)
class Rows:
    """X as the engine takes it."""

    source: Any  # an array, or a _core.Table
    count: int
    columns: int
    names: Optional[list[str]]  # of the columns, where all of them are texts
    column_names: Sequence[str] = ()  # of a table: as the engine calls them, all different

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
        return Rows(table, table.rows, len(names), names, names)
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
    if np.ma.isMaskedArray(X):
        X = np.ma.filled(X.astype(np.float64), np.nan)
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
    except (ValueError, OverflowError):
        raise ValueError(
            "X is an array of texts, or of numbers beyond all bounds; numbers are needed. Categories "
            "are taken from tables: give a DataFrame"
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
    unique = _different([str(name) for name in names])
    table = _core.Table("X")
    for position, name in enumerate(unique):
        if name not in ignored:
            _add_series(table, name, frame.iloc[:, position], list(missing))
    all_texts = all(isinstance(name, str) for name in names)
    return Rows(table, len(frame), len(names), unique if all_texts else None, unique)


def _different(names: list[str]) -> list[str]:
    """A second column of the same name gets ".1" appended, a third ".2", as in a csv file."""
    taken: dict[str, int] = {}
    found: list[str] = []
    for wanted in names:
        name = wanted
        while name in taken:
            taken[wanted] += 1
            name = f"{wanted}.{taken[wanted]}"
        taken[name] = 0
        if name != wanted:
            LOGGER.warning("the column name %r occurs again; here it is called %r", wanted, name)
        found.append(name)
    return found


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
    days = days_of(series)
    if days is not None:
        table.add_numbers(name, days[0], are_dates=days[1])
        return
    is_dictionary = "dictionary" in str(dtype)  # of Arrow's
    if not (is_dictionary or kind.is_object_dtype(dtype) or kind.is_string_dtype(dtype)):
        raise _neither(name, str(dtype))
    try:
        codes, values = pandas.factorize(series)
    except TypeError:  # lists and the like cannot be told apart
        raise _neither(name, type(series.iloc[0]).__name__) from None
    if all(isinstance(value, (numbers.Number, decimal.Decimal)) for value in values):
        in_order = np.array([float(value) for value in values] + [np.nan])  # -1 is the last
        table.add_numbers(name, in_order[codes])
        return
    days = days_of_objects(list(values) + [None])
    if days is not None:
        table.add_numbers(name, days[0][codes], are_dates=days[1])
        return
    strange = [v for v in values if not isinstance(v, (str, bytes, numbers.Number))]
    if strange:
        raise _neither(name, type(strange[0]).__name__)
    table.add_texts(name, codes.astype(np.int32), [name_of(value) for value in values], missing)


def _neither(name: str, what: str) -> ValueError:
    return ValueError(
        f"X: the column {name!r} is of type {what}, which is neither numbers, texts nor dates; turn "
        "it into one of them or drop it"
    )


def as_plain_rows(X: Any) -> np.ndarray:
    """A table of numbers as an array, for what was fitted on arrays."""
    if is_pandas(X):
        return as_rows(X.to_numpy(dtype=np.float64, na_value=np.nan))
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
        place = names.index(str(column))
        return X.iloc[:, place] if is_pandas(X) else X[names[place]]
    if isinstance(column, str):
        raise ValueError(f"X is an array and has no names: there is no column {column!r}")
    array = np.asarray(X)
    if array.ndim != 2 or not 0 <= column < array.shape[1]:
        raise ValueError(f"X has no column {column}; places are counted from 0")
    return array[:, column]


def read_names(X: Any) -> list[Any]:
    """Names of a table's columns."""
    return list(X.column_names if hasattr(X, "column_names") else X.columns)
