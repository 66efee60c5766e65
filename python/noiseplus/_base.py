"""What all estimators share: reading X, y and groups, and what scikit-learn asks of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from . import _core
from ._input import (
    Columns,
    Rows,
    as_plain_rows,
    code_groups,
    column_of,
    is_table,
    read_names,
    read_rows,
    table_of,
)
from ._labels import Coded, code, position_of
from ._progress import Progress, thread_count
from ._sklearn import BaseEstimator, NotFittedError

MOST_NAMES_SHOWN = 5


class DataEstimator(BaseEstimator):
    """An estimator that is fitted to rows, labels and perhaps groups."""

    scale: Optional[bool]
    missing: Sequence[str]
    drop: Sequence[str]
    group_columns: Columns
    n_threads: Optional[int]
    progress: Progress

    # ------------------------------------------------------------------------------------- fitting

    def _read(self, X: Any, y: Any, groups: Any = None) -> _core.Data:
        """The data set of `fit`. Sets what scikit-learn wants to know of it."""
        label_column = y if isinstance(y, str) else None
        if label_column is not None:
            y = column_of(X, label_column)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None"
            )
        rows = read_rows(X, self.missing, self.drop)
        labels = self._code_labels(y, rows, label_column)
        self._remember(rows, label_column)
        if groups is None:
            groups = self.group_columns
        coded = code_groups(X, groups, rows.count)
        self._labels, self._groups = labels, coded
        self._was_table = rows.is_table
        return _core.Data(
            rows.source,
            self._reading_options(labels, coded, rows),
            threads=thread_count(self.n_threads),
        )

    def _code_labels(self, y: Any, rows: Rows, column: Optional[str]) -> Coded:
        labels = code(y, "y", rows.count, column)
        if len(labels.classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, and y has one class only "
                f"({labels.names[0]!r}, n_samples = {rows.count})"
            )
        self.classes_ = labels.classes
        return labels

    def _reading_options(
        self, labels: Coded, groups: Optional[Coded], rows: Rows
    ) -> dict[str, Any]:
        options: dict[str, Any] = {
            "label": "label" if labels.name == "y" else labels.name,
            "codes": labels.codes,
            "classes": labels.names,
            "scale": self.scale,
            "missing": list(self.missing),
            "drop": [name for name in self.drop if rows.is_table and name in rows.source.columns],
        }
        if groups is not None:
            options |= {
                "group_codes": groups.codes,
                "group_names": groups.names,
                "group_name": groups.name,
            }
        return options

    def _remember(self, rows: Rows, label_column: Optional[str]) -> None:
        no_features = {label_column, *self.drop}
        self._no_features = no_features
        self.n_features_in_ = rows.columns
        if rows.names is not None:
            names = [name for name in rows.names if name not in no_features]
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _positive_name(self, positive: Any) -> Optional[str]:
        """The engine's name of the class that `positive` means."""
        if positive is None:
            return None
        names = self._labels.names
        return names[position_of(positive, names, "class")]

    # ------------------------------------------------------------------------------------ new rows

    def _check_fitted(self) -> None:
        if not hasattr(self, "classes_"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )

    def _read_new(self, X: Any, model: _core.Model) -> _core.Data:
        """Rows to be predicted, read as those that the model was fitted to."""
        return _core.Data(
            self._rows_as_fitted(X),
            {"label": model.label},
            model=model,
            threads=thread_count(self.n_threads),
        )

    def _rows_as_fitted(self, X: Any) -> Any:
        has_names = is_table(X) and all(isinstance(name, str) for name in read_names(X))
        expects_names = hasattr(self, "feature_names_in_")
        name = type(self).__name__
        if has_names and not expects_names:
            warnings.warn(
                f"X has feature names, but {name} was fitted without feature names", stacklevel=4
            )
        if expects_names and not has_names:
            warnings.warn(
                f"X does not have valid feature names, but {name} was fitted with feature names",
                stacklevel=4,
            )
        if has_names and expects_names:
            self._check_names([name for name in read_names(X) if name not in self._no_features])
        if self._was_table and is_table(X):
            ignored = [name for name in map(str, read_names(X)) if name in self._no_features]
            return read_rows(X, self.missing, ignored).source
        array = as_plain_rows(X)
        if array.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {array.shape[1]} features, but {name} is expecting "
                f"{self.n_features_in_} features as input"
            )
        if self._was_table:
            names = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
            return table_of(array, [str(column) for column in names])
        return array

    def _check_names(self, names: list[str]) -> None:
        fitted = self.feature_names_in_.tolist()
        if names == fitted:
            return
        message = "The feature names should match those that were passed during fit.\n"
        unknown = sorted(set(names) - set(fitted))
        lacking = sorted(set(fitted) - set(names))
        message += _listed("Feature names unseen at fit time:", unknown)
        message += _listed("Feature names seen at fit time, yet now missing:", lacking)
        if not unknown and not lacking:
            message += "Feature names must be in the same order as they were in fit.\n"
        raise ValueError(message)

    # ---------------------------------------------------------------------------- scikit-learn's

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"allow_nan": True, "requires_y": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


def _listed(title: str, names: list[str]) -> str:
    if not names:
        return ""
    shown = "".join(f"- {name}\n" for name in names[:MOST_NAMES_SHOWN])
    return f"{title}\n{shown}" + ("- ...\n" if len(names) > MOST_NAMES_SHOWN else "")
