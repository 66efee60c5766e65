"""What all estimators share: reading X, y and groups, and what scikit-learn asks of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _core
from ._groups import code_groups
from ._input import (
    Columns,
    Rows,
    as_plain_rows,
    column_of,
    is_table,
    read_names,
    read_rows,
    table_of,
)
from ._labels import Coded, Kinds, MissingLabels, code
from ._options import texts_of, thread_count
from ._probabilities import as_probabilities
from ._progress import LOGGER, Progress
from ._sklearn import BaseEstimator, NotFittedError

MOST_NAMES_SHOWN = 5


@dataclass(frozen=True)
class Reading:
    """What `fit` was given, read."""

    data: _core.Data
    rows: Rows
    labels: Coded
    groups: Optional[Coded]
    no_features: frozenset[str]  # columns of a table that need not be there to predict
    probabilities: Optional[np.ndarray]  # of the caller's own model
    known_rows: Optional[np.ndarray]  # indices of the rows that have a label; None: all have one

    @property
    def count(self) -> int:
        """Rows that have a label: those that labels, groups and probabilities are of."""
        return len(self.labels.codes)

    def positive_name(self, positive: Any) -> Optional[str]:
        """The engine's name of the class that `positive` means."""
        if positive is None:
            return None
        kinds = self.labels.kinds
        return kinds.names[kinds.position(positive, "class")]


class DataEstimator(BaseEstimator):
    """An estimator that is fitted to rows, labels and perhaps groups."""

    scale: Optional[bool]
    missing: Sequence[str]
    missing_label: str
    drop: Sequence[str]
    group_columns: Columns
    n_threads: Optional[int]
    progress: Progress

    # ------------------------------------------------------------------------------------- fitting

    def _read(
        self, X: Any, y: Any, groups: Any = None, probabilities: Any = None
    ) -> Reading:
        """The data of `fit`. What an earlier fit has found is forgotten: should this one fail, the
        estimator is not fitted."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y "
                "is None"
            )
        if X is None and probabilities is None:
            raise ValueError(f"{type(self).__name__} needs X; only with probabilities may it be None")
        label_column = y if isinstance(y, str) else None
        if label_column is not None:
            y = column_of(X, label_column)
        drop = texts_of(self.drop)
        if X is None:  # probabilities stand in for the rows
            rows = Rows(None, len(y), 0, None)
        else:
            rows = read_rows(X, texts_of(self.missing), drop)
        labels = self._code_labels(y, rows, label_column)
        if groups is None:
            groups = self.group_columns
        known = labels.known_rows
        coded = code_groups(X, groups, rows.count, known)
        no_features = frozenset(drop)
        if labels.name is not None and labels.name in (rows.names or []):
            no_features |= {labels.name}
            if label_column is None:
                LOGGER.warning(
                    "X has a column called %r, as y is: it is no feature", labels.name
                )
        data = _core.Data(
            rows.source,
            self._reading_options(labels, coded, rows),
            threads=thread_count(self.n_threads),
        )
        given = as_probabilities(probabilities, labels.kinds, rows.count)
        if known is not None:
            labels = Coded(labels.codes[known], labels.kinds, labels.name)
            given = None if given is None else given[known]
        return Reading(data, rows, labels, coded, no_features, given, known)

    def _code_labels(self, y: Any, rows: Rows, column: Optional[str]) -> Coded:
        missing = MissingLabels.parse(self.missing_label, texts_of(self.missing))
        labels = code(y, "y", rows.count, column, missing=missing)
        names = labels.kinds.names
        if not names:
            raise ValueError("y has no labels")
        if len(names) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes, and y has one class only "
                f"({names[0]!r}, n_samples = {rows.count})"
            )
        return labels

    def _reading_options(
        self, labels: Coded, groups: Optional[Coded], rows: Rows
    ) -> dict[str, Any]:
        options: dict[str, Any] = {
            "label": labels.name,
            "codes": labels.codes,
            "classes": labels.kinds.names,
            "scale": self.scale,
            "missing": texts_of(self.missing),
            "drop": [c for c in texts_of(self.drop) if rows.is_table and c in rows.source.columns],
        }
        if groups is not None:
            options |= {
                "group_codes": groups.codes,
                "group_names": groups.kinds.names,
                "group_name": groups.name,
            }
        return options

    def _remember(self, reading: Reading) -> None:
        """Of the data no more than their shape and names: a model that is passed on tells nobody's
        label."""
        rows = reading.rows
        self.classes_ = reading.labels.kinds.values
        self.n_missing_labels_ = rows.count - reading.count
        self.n_features_in_ = rows.columns
        self._kinds = reading.labels.kinds
        self._group_kinds: Optional[Kinds] = reading.groups.kinds if reading.groups else None
        self._was_table = rows.is_table
        self._column_names = rows.column_names
        self._no_features = reading.no_features
        if rows.names is not None:
            names = [name for name in rows.names if name not in reading.no_features]
            self.n_features_in_ = len(names)
            self.feature_names_in_ = np.asarray(names, dtype=object)

    # ------------------------------------------------------------------------------------ new rows

    def _check_fitted(self) -> None:
        if not hasattr(self, "report_"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "report_")

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
                f"X has feature names, but {name} was fitted without feature names", stacklevel=5
            )
        if expects_names and not has_names:
            warnings.warn(
                f"X does not have valid feature names, but {name} was fitted with feature names",
                stacklevel=5,
            )
        if has_names and expects_names:
            self._check_names([name for name in read_names(X) if name not in self._no_features])
        if self._was_table and is_table(X):
            ignored = [name for name in map(str, read_names(X)) if name in self._no_features]
            return read_rows(X, texts_of(self.missing), ignored).source
        array = as_plain_rows(X)
        if array.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {array.shape[1]} features, but {name} is expecting "
                f"{self.n_features_in_} features as input"
            )
        if self._was_table:
            used = [name for name in self._column_names if name not in self._no_features]
            return table_of(array, used)
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
