"""The group of each row, in any of the forms that people have it in."""

from __future__ import annotations

import numbers
from typing import Any, Optional

import numpy as np

from ._input import column_of, is_table, read_names
from ._labels import Coded, Kinds
from ._labels import code as code_column


def code_groups(
    X: Any, groups: Any, rows: int, only: Optional[np.ndarray] = None
) -> Optional[Coded]:
    """One value a row, several (each combination is a group), or columns of X: by their names of a
    table, by their places of an array. With `only`, indices, the other rows do not count."""
    if groups is None:
        return None

    def code(values: Any) -> Coded:
        return code_column(values, "groups", rows, only=only)

    if _names_columns(X, groups, rows):
        columns = list(groups) if isinstance(groups, (list, tuple)) else [groups]
        found = [code(column_of(X, column)) for column in columns]
        return _intersection(found, [str(column) for column in columns])
    if is_table(groups):
        names = read_names(groups)
        found = [code(column_of(groups, name)) for name in names]
        return _intersection(found, [str(name) for name in names])
    array = groups if hasattr(groups, "name") else np.asarray(groups)
    if getattr(array, "ndim", 1) == 2 and array.shape[1] > 1:
        places = range(array.shape[1])
        found = [code(array[:, c]) for c in places]
        return _intersection(found, [f"group {c + 1}" for c in places])
    single = code(groups)
    return Coded(single.codes, single.kinds, single.name or "group")


def _names_columns(X: Any, groups: Any, rows: int) -> bool:
    """Whether these are names or places of columns. A list that is as long as X is one value a row,
    and so are numbers that are none of its columns."""
    if isinstance(groups, (str, numbers.Integral)):
        return X is not None
    if X is None or not isinstance(groups, (list, tuple)) or len(groups) in (0, rows):
        return False
    if all(isinstance(column, str) for column in groups):
        return True
    if not all(isinstance(column, numbers.Integral) for column in groups):
        return False
    known = read_names(X) if is_table(X) else range(np.shape(X)[1] if np.ndim(X) == 2 else 0)
    return len(set(groups)) == len(groups) and all(column in known for column in groups)


def _intersection(columns: list[Coded], names: list[str]) -> Coded:
    name = "|".join(names)
    if len(columns) == 1:
        return Coded(columns[0].codes, columns[0].kinds, name)
    tuples, codes = np.unique(
        np.stack([column.codes for column in columns], axis=1), axis=0, return_inverse=True
    )
    texts = ["|".join(c.kinds.names[p] for c, p in zip(columns, places)) for places in tuples]
    if len(set(texts)) < len(texts):
        raise ValueError("two groups would be called the same; take the '|' out of their names")
    order = np.argsort(np.array(texts))
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    sorted_texts = [texts[p] for p in order]
    return Coded(place[codes.reshape(-1)], Kinds(np.array(sorted_texts), sorted_texts), name)
