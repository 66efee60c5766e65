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


def plain(value: Any) -> Any:
    """A value of an array as Python's own, where there is one."""
    return value.item() if isinstance(value, (np.number, np.bool_, np.str_, np.bytes_)) else value


@dataclass(frozen=True)
class Kinds:
    """The classes, or groups, that occur: as they were given, and as the engine calls them."""

    values: np.ndarray  # sorted
    names: list[str]

    def called(self, name: Optional[str]) -> Any:
        """The one of that name; None where there is no name."""
        return None if name is None else plain(self.values[self.names.index(name)])

    def position(self, value: Any, what: str) -> int:
        """Where a value is. Says what there is when there is none."""
        return position_of(value, self.names, what)


@dataclass(frozen=True)
class Coded:
    """Values as positions in a sorted list of those that occur."""

    codes: np.ndarray  # int32
    kinds: Kinds
    name: Optional[str]  # of the column they came from


def position_of(value: Any, names: list[str], what: str) -> int:
    """The place of the value's name. Says what there is when there is none."""
    wanted = name_of(value)
    if wanted in names:
        return names.index(wanted)
    shown = ", ".join(names[:MOST_CLASSES_SHOWN])
    more = ", ..." if len(names) > MOST_CLASSES_SHOWN else ""
    raise ValueError(f"there is no {what} {wanted!r}; there are: {shown}{more}")


def as_column(values: Any, what: str, rows: int) -> np.ndarray:
    """`values` as an array of one dimension and as many entries as there are rows."""
    if hasattr(values, "to_numpy") and not type(values).__module__.startswith("pyarrow"):
        values = values.to_numpy()
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        warnings.warn(
            f"A column-vector {what} was passed when a 1d array was expected. "
            "Please change the shape to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=5,
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


def _is_gap(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value
        return True


def _refuse_gaps(array: np.ndarray, what: str) -> None:
    if array.dtype.kind == "f":
        missing = ~np.isfinite(array)
    elif array.dtype.kind in "mM":
        missing = np.isnat(array)
    elif array.dtype.kind == "O":
        missing = np.fromiter((_is_gap(value) for value in array), dtype=bool, count=len(array))
    else:
        return
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise ValueError(
            f"Input {what} contains NaN or infinity: row {row + 1} of {len(array)} has none; "
            "leave rows without one out"
        )


def code(values: Any, what: str, rows: int, name: Optional[str] = None) -> Coded:
    """The classes that occur in `values`, sorted as numpy sorts them, and each row's among them."""
    if name is None:
        name = getattr(values, "name", None)
    array = as_column(values, what, rows)
    if np.iscomplexobj(array):
        raise ValueError("Complex data not supported")
    _refuse_gaps(array, what)
    if array.dtype.kind == "f" and not np.array_equal(array, np.floor(array)):
        raise ValueError(
            f"Unknown label type: continuous. {what} must name classes, and holds fractions"
        )
    try:
        classes, codes = np.unique(array, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{what} mixes values that cannot be compared: {error}") from None
    names = [name_of(value) for value in classes]
    if len(set(names)) < len(names):
        raise ValueError(f"{what} has different values that are written alike: {_repeated(names)!r}")
    return Coded(
        np.ascontiguousarray(codes.reshape(-1), dtype=np.int32),
        Kinds(classes, names),
        name if isinstance(name, str) else None,
    )


def _repeated(names: list[str]) -> str:
    return next(name for place, name in enumerate(names) if name in names[:place])


def code_as(classes: Any, values: Any, what: str, rows: int) -> np.ndarray:
    """Codes of values among given classes. Throws ValueError for one that is none of them."""
    names = [name_of(value) for value in np.asarray(classes)]
    found = code(values, what, rows)
    places = [position_of(value, names, "class") for value in found.kinds.values]
    codes: np.ndarray = np.asarray(places, dtype=np.int32)[found.codes]
    return codes


def like(y: Any, values: np.ndarray) -> Any:
    """New labels in the form of the old: a Series, or a frame of one column, with the same index
    where y is one of pandas'."""
    if not (hasattr(y, "index") and hasattr(y, "iloc")):
        return values
    if y.ndim == 2:
        return type(y)(values, index=y.index, columns=y.columns).astype(y.dtypes)
    return type(y)(values, index=y.index, name=y.name).astype(y.dtype)
