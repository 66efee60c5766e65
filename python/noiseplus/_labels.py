"""Labels of any type as codes 0 .. K-1, with the names that the engine calls them by."""

from __future__ import annotations

import numbers
import warnings
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _core
from ._sklearn import DataConversionWarning

MOST_CLASSES_SHOWN = 10


def name_of(value: Any) -> str:
    """What the engine, its messages and its files call a class: 1.0 is "1", True is "True"."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return _core.format_number(float(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)


@dataclass(frozen=True)
class Coded:
    """Values as positions in a sorted list of those that occur."""

    codes: np.ndarray  # int32
    classes: np.ndarray  # as they were given, sorted
    name: str  # of the column they came from, or what they are

    @property
    def names(self) -> list[str]:
        return [name_of(value) for value in self.classes.tolist()]


def as_column(values: Any, what: str, rows: int) -> np.ndarray:
    """`values` as an array of one dimension and as many entries as there are rows."""
    if hasattr(values, "to_numpy") and not isinstance(values, np.ndarray):
        values = values.to_numpy()
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        warnings.warn(
            f"A column-vector {what} was passed when a 1d array was expected. "
            "Please change the shape to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"{what} should be a 1d array, got an array of shape {array.shape} instead.")
    if len(array) != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {rows}, "
            f"{what} has {len(array)}"
        )
    return array


def _refuse_gaps(array: np.ndarray, what: str) -> None:
    if array.dtype.kind == "f":
        missing = ~np.isfinite(array)
    elif array.dtype.kind == "O":
        missing = np.array([v is None or v != v or v is _pandas_na() for v in array], dtype=bool)
    else:
        return
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise ValueError(
            f"Input {what} contains NaN or infinity: row {row + 1} of {len(array)} has none; "
            "leave rows without one out"
        )


def _pandas_na() -> Any:
    import sys

    pandas = sys.modules.get("pandas")
    return getattr(pandas, "NA", None)


def code(values: Any, what: str, rows: int, name: Optional[str] = None) -> Coded:
    """The classes that occur in `values`, sorted as numpy sorts them, and each row's among them."""
    if name is None:
        name = getattr(values, "name", None)
    array = as_column(values, what, rows)
    if np.iscomplexobj(array):
        raise ValueError("Complex data not supported")
    try:
        _refuse_gaps(array, what)
    except TypeError:  # pandas.NA has no truth value
        raise ValueError(f"Input {what} contains a missing value; leave such rows out") from None
    if array.dtype.kind == "f" and not np.array_equal(array, np.floor(array)):
        raise ValueError(
            f"Unknown label type: continuous. {what} must name classes, and holds fractions"
        )
    try:
        classes, codes = np.unique(array, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{what} mixes values that cannot be compared: {error}") from None
    return Coded(
        np.ascontiguousarray(codes.reshape(-1), dtype=np.int32),
        classes,
        name if isinstance(name, str) else what,
    )


def position_of(value: Any, coded_names: list[str], what: str) -> int:
    """The class of that name. Says what there is when there is none."""
    wanted = name_of(value)
    if wanted in coded_names:
        return coded_names.index(wanted)
    shown = ", ".join(coded_names[:MOST_CLASSES_SHOWN])
    more = ", ..." if len(coded_names) > MOST_CLASSES_SHOWN else ""
    raise ValueError(f"there is no {what} {wanted!r}; there are: {shown}{more}")


def like(y: Any, values: np.ndarray) -> Any:
    """New labels in the form of the old: a Series with the same index where y is one of pandas'."""
    if hasattr(y, "index") and hasattr(y, "iloc"):
        return type(y)(values, index=y.index, name=y.name).astype(y.dtype)
    return values
