"""What the estimators take from scikit-learn, and what stands in for it where it is not installed.

The package needs numpy alone. With scikit-learn its estimators are scikit-learn's: they can be
cloned, searched over, put into pipelines. Without it they still have get_params and set_params.
"""

from __future__ import annotations

import inspect
from typing import Any

__all__ = ["BaseEstimator", "ClassifierMixin", "DataConversionWarning", "NotFittedError"]

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import DataConversionWarning, NotFittedError
except ImportError:

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """The estimator is asked for something before it was fitted."""

    class DataConversionWarning(UserWarning):  # type: ignore[no-redef]
        """The data were taken in another shape than they were given."""

    class BaseEstimator:  # type: ignore[no-redef]
        """Parameters by name, as scikit-learn's class of this name has them."""

        @classmethod
        def _parameter_names(cls) -> list[str]:
            return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """The parameters of the constructor and their values."""
            return {name: getattr(self, name) for name in self._parameter_names()}

        def set_params(self, **params: Any) -> BaseEstimator:
            """Set parameters of the constructor."""
            for name, value in params.items():
                if name not in self._parameter_names():
                    raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
                setattr(self, name, value)
            return self

        def __repr__(self) -> str:
            defaults = inspect.signature(type(self).__init__).parameters
            changed = [
                f"{name}={value!r}"
                for name, value in self.get_params().items()
                if value is not defaults[name].default
            ]
            return f"{type(self).__name__}({', '.join(changed)})"

    class ClassifierMixin:  # type: ignore[no-redef]
        """The accuracy of a classifier, as scikit-learn's class of this name has it."""

        _estimator_type = "classifier"

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Share of rows whose predicted class is the label."""
            import numpy as np

            right = np.asarray(self.predict(X)) == np.asarray(y)  # type: ignore[attr-defined]
            return float(np.average(right, weights=sample_weight))
