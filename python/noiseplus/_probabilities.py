"""Class probabilities that the caller's own model gives, as the engine takes them."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._input import column_of, is_table, read_names
from ._labels import Kinds, name_of

ROUNDING = 1e-6  # softmax in float32 misses 0 and 1 by its last digits


def as_probabilities(probabilities: Any, kinds: Kinds, rows: int) -> Optional[np.ndarray]:
    """n x K float32, columns in the order of the sorted classes; None stays None.

    An array has its columns in that order, as predict_proba of scikit-learn has; a table has
    columns named like the classes, in any order. The engine checks the values.
    """
    if probabilities is None:
        return None
    if is_table(probabilities):
        probabilities = _in_order(probabilities, kinds)
    array = np.asarray(probabilities)
    if array.ndim != 2:
        raise ValueError(
            f"probabilities must be of shape (n_samples, n_classes), and are of shape {array.shape}"
        )
    if array.shape != (rows, len(kinds.names)):
        raise ValueError(
            f"probabilities are of shape {array.shape}, and there are {rows} labels of "
            f"{len(kinds.names)} classes; give a row per label and a column per class, in the "
            "order of the sorted classes"
        )
    if array.dtype.kind not in "fiub":
        raise ValueError(f"probabilities are of type {array.dtype}; numbers are needed")
    outside = (array < 0) | (array > 1)
    if outside.any():
        clipped = np.clip(array, 0, 1)
        array = np.where(np.abs(array - clipped) <= ROUNDING, clipped, array)
    return np.ascontiguousarray(array, dtype=np.float32)


def _in_order(table: Any, kinds: Kinds) -> np.ndarray:
    names = [name_of(name) for name in read_names(table)]
    for name in kinds.names:
        if names.count(name) != 1:
            raise ValueError(
                f"probabilities: there are {names.count(name)} columns called {name!r}; give one "
                "column per class, named like the class"
            )
    if len(names) != len(kinds.names):
        extra = next(name for name in names if name not in kinds.names)
        raise ValueError(f"probabilities: the column {extra!r} is none of the classes")
    by_name = dict(zip(names, map(str, read_names(table))))
    columns = [np.asarray(column_of(table, by_name[name]), dtype=np.float64) for name in kinds.names]
    return np.stack(columns, axis=1)
