"""Labels of any type as codes 0 .. K-1, with the names that the engine calls them by."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Sequence
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

    codes: np.ndarray  # int32; -1: the value is missing
    kinds: Kinds
    name: Optional[str]  # of the column they came from

    @property
    def known_rows(self) -> Optional[np.ndarray]:
        """Indices of the rows that have a value; None where all have one."""
        known = self.codes >= 0
        return None if known.all() else np.flatnonzero(known)


@dataclass(frozen=True)
class MissingLabels:
    """What counts as a missing label, besides None, NaN and the like, and what to do about it."""

    drop: bool
    texts: frozenset[str]

    @classmethod
    def parse(cls, missing_label: Any, texts: Sequence[str] = ()) -> MissingLabels:
        if missing_label not in ("drop", "error"):
            raise ValueError(f"missing_label={missing_label!r}: give 'drop' or 'error'")
        return cls(missing_label == "drop", frozenset(["", "?", *texts]))

    def has(self, value: Any) -> bool:
        text = name_of(value) if isinstance(value, (str, bytes)) else None
        return text is not None and (text in self.texts or text.lower() == "nan")


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
    array = _as_array(values)
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


def _as_array(values: Any) -> np.ndarray:
    if hasattr(values, "to_numpy") and not type(values).__module__.startswith("pyarrow"):
        values = values.to_numpy()
    return np.asarray(values)


def _is_gap(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # pandas.NA has no truth value
        return True


def _gaps(array: np.ndarray) -> np.ndarray:
    """Of each entry whether it is None, NaN, NaT or the like."""
    found = np.zeros(len(array), dtype=bool)
    if array.dtype.kind == "f":
        found = np.isnan(array)
    elif array.dtype.kind in "mM":
        found = np.isnat(array)
    elif array.dtype.kind == "O":
        found = np.fromiter((_is_gap(value) for value in array), dtype=bool, count=len(array))
    return found


def _refuse(rows: np.ndarray, what: str) -> None:
    if rows.any():
        row = int(np.flatnonzero(rows)[0])
        raise ValueError(
            f"Input {what} contains NaN or infinity: row {row + 1} of {len(rows)} has none; "
            "leave rows without one out"
        )


def code(
    values: Any,
    what: str,
    rows: int,
    name: Optional[str] = None,
    *,
    missing: Optional[MissingLabels] = None,
    only: Optional[np.ndarray] = None,
) -> Coded:
    """The classes that occur in `values`, sorted as numpy sorts them, and each row's among them.

    With `missing`, rows may have no value where that drops them. With `only`, indices, the other
    rows do not count.
    """
    if name is None:
        name = getattr(values, "name", None)
    array = as_column(values, what, rows)
    if only is not None:
        array = array[only]
    if np.iscomplexobj(array):
        raise ValueError("Complex data not supported")
    known = ~_gaps(array)
    if missing is None or not missing.drop:
        _refuse(~known, what)
    if array.dtype.kind == "f":
        _refuse(np.isinf(array), what)
    present = array if known.all() else array[known]
    if present.dtype.kind == "f" and not np.array_equal(present, np.floor(present)):
        raise ValueError(
            f"Unknown label type: continuous. {what} must name classes, and holds fractions"
        )
    try:
        classes, places = np.unique(present, return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{what} mixes values that cannot be compared: {error}") from None
    codes = np.full(len(array), -1, dtype=np.int32)
    codes[known] = places.reshape(-1)
    if missing is not None:
        classes, codes = _without_texts(classes, codes, missing, what)
    if len(classes) == 0 and len(codes) > 0:
        raise ValueError(f"no row has a label: all {len(codes)} of {what} are missing")
    classes = _tidied(classes, values)
    names = [name_of(value) for value in classes]
    if len(set(names)) < len(names):
        raise ValueError(f"{what} has different values that are written alike: {_repeated(names)!r}")
    return Coded(codes, Kinds(classes, names), name if isinstance(name, str) else None)


def _without_texts(
    classes: np.ndarray, codes: np.ndarray, missing: MissingLabels, what: str
) -> tuple[np.ndarray, np.ndarray]:
    """The same without classes whose name means that there is none."""
    stays = np.array([not missing.has(value) for value in classes], dtype=bool)
    if stays.all():
        return classes, codes
    place = np.where(stays, np.cumsum(stays) - 1, -1).astype(np.int32)
    found = np.append(place, np.int32(-1))[codes]  # -1 is the last
    if not missing.drop:
        row = int(np.flatnonzero(found < 0)[0])
        raise ValueError(f"row {row + 1} of {len(codes)} has no label in {what}; leave it out")
    return classes[stays], found


def _tidied(classes: np.ndarray, values: Any) -> np.ndarray:
    """Numbers that came as objects, or as floats because others are missing, as what they are."""
    if classes.dtype.kind == "O" and all(isinstance(v, (bool, numbers.Real)) for v in classes):
        return np.array(classes.tolist())
    dtype = getattr(values, "type", getattr(values, "dtype", ""))
    categories = getattr(dtype, "categories", None)  # of pandas
    kind = str(getattr(categories, "dtype", dtype)).lower()
    if classes.dtype.kind == "f" and kind.startswith(("int", "uint")):
        return classes.astype(np.int64)
    return classes


def _repeated(names: list[str]) -> str:
    return next(name for place, name in enumerate(names) if name in names[:place])


def code_as(classes: Any, values: Any, what: str, rows: int) -> np.ndarray:
    """Codes of values among given classes. Throws ValueError for one that is none of them."""
    names = [name_of(value) for value in np.asarray(classes)]
    found = code(values, what, rows)
    places = [position_of(value, names, "class") for value in found.kinds.values]
    codes: np.ndarray = np.asarray(places, dtype=np.int32)[found.codes]
    return codes


def with_gaps(values: np.ndarray, known_rows: Optional[np.ndarray], rows: int) -> np.ndarray:
    """One entry per row from those of the known rows: NaN among floats, NaT among times, else None."""
    if known_rows is None:
        return values
    gap = {"f": "NaN", "m": "NaT", "M": "NaT"}.get(values.dtype.kind)
    spread = np.full(rows, gap, dtype=object if gap is None else values.dtype)
    spread[known_rows] = values
    return spread


def with_labels(y: Any, values: np.ndarray, known_rows: Optional[np.ndarray]) -> Any:
    """`y` with these labels in the known rows; the other rows keep what they have."""
    if known_rows is None:
        return like(y, values)
    given = _as_array(y).ravel()
    changed = given.copy() if given.dtype.kind in "fOmM" else given.astype(object)
    changed[known_rows] = values
    return like(y, changed.astype(given.dtype))


def like(y: Any, values: np.ndarray) -> Any:
    """New labels in the form of the old: a Series, or a frame of one column, with the same index
    where y is one of pandas'."""
    if not (hasattr(y, "index") and hasattr(y, "iloc")):
        return values
    if y.ndim == 2:
        return type(y)(values, index=y.index, columns=y.columns).astype(y.dtypes)
    return type(y)(values, index=y.index, name=y.name).astype(y.dtype)
