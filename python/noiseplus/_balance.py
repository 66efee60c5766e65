"""NoiseBalancer: flips a few labels of the cleaner side, so that all are equally noisy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from . import _core
from ._audit import Auditor
from ._input import Columns
from ._labels import with_labels
from ._options import thread_count
from ._progress import Progress, callback_of


class NoiseBalancer(Auditor):
    """Makes the labels of all classes, or groups, equally noisy.

    A sampler in the sense of imbalanced-learn: it has `fit_resample` and works in its pipelines.
    Rows stay as they are; a few labels of the cleaner classes or groups are flipped, the same ones
    for the same seed. Nothing is flipped where no difference is proved, unless `force` is set.

    Parameters
    ----------
    scope : {"class", "group", "class-in-group"}, optional
        What is made equally noisy. None: what the audit's findings support (`scope_` says which);
        without groups, classes.
    method : {"closed-form", "paper", "paper-rebalanced"}
    force : bool
        Flip even where the difference is not significant.

    The other parameters, and the attributes that tell what was found, are those of NoiseAudit; rows
    are not judged.

    Attributes
    ----------
    flipped_ : array of n, whether the label of a row was changed; a missing label is none that was
    plan_ : array of G x K x K
        The probability with which a label (row) became another (column), one matrix a group, or
        one for all.

    Examples
    --------
    >>> import numpy as np
    >>> from noiseplus import NoiseBalancer, corrupt_labels
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.integers(0, 2, 4000)
    >>> X = rng.normal(size=(4000, 4)).astype("float32") + 4 * clean[:, None]
    >>> y = corrupt_labels(clean, rates={0: 0.1, 1: 0.3}, seed=0)
    >>> balancer = NoiseBalancer()
    >>> _, balanced = balancer.fit_resample(X, y)
    >>> rates = [np.mean(balanced[clean == c] != c) for c in (0, 1)]
    >>> bool(abs(rates[0] - rates[1]) < 0.03)
    True
    """

    def __init__(
        self,
        estimator: str = "auto",
        *,
        scope: Optional[str] = None,
        method: str = "closed-form",
        force: bool = False,
        assume: Optional[str] = None,
        k: Optional[int] = None,
        metric: str = "euclidean",
        views: str = "all",
        positive: Any = None,
        scale: Optional[bool] = None,
        missing: Sequence[str] = (),
        missing_label: str = "drop",
        drop: Sequence[str] = (),
        group_columns: Columns = None,
        seed: int = 0,
        n_threads: Optional[int] = None,
        progress: Progress = None,
    ) -> None:
        self.estimator = estimator
        self.scope = scope
        self.method = method
        self.force = force
        self.assume = assume
        self.k = k
        self.metric = metric
        self.views = views
        self.positive = positive
        self.scale = scale
        self.missing = missing
        self.missing_label = missing_label
        self.drop = drop
        self.group_columns = group_columns
        self.seed = seed
        self.n_threads = n_threads
        self.progress = progress

    def fit(
        self, X: Any, y: Any, groups: Any = None, probabilities: Any = None
    ) -> NoiseBalancer:
        """Find what to flip; `fit_resample` gives the labels."""
        self._balance(X, y, groups, probabilities)
        return self

    def fit_resample(
        self, X: Any, y: Any, groups: Any = None, probabilities: Any = None
    ) -> tuple[Any, Any]:
        """X as it is, and the balanced labels.

        The labels are an array, or a Series with the index of y where y is one of pandas'. Rows
        without a label are left out of the estimates and keep what they have.
        `probabilities` are as of NoiseAudit.fit; X may then be None.
        """
        if isinstance(y, str):
            raise ValueError("fit_resample gives X back as it is: give y apart from it")
        codes, known = self._balance(X, y, groups, probabilities)
        return X, with_labels(y, self.classes_[codes], known)

    def _balance(
        self, X: Any, y: Any, groups: Any, probabilities: Any
    ) -> tuple[np.ndarray, Optional[np.ndarray]]:
        """New codes, and the indices of the rows that they are of; None: of all."""
        reading = self._read(X, y, groups, probabilities)
        options = self._audit_options(reading) | {
            "scope": self.scope,
            "method": self.method,
            "force": self.force,
        }
        with callback_of(self.progress) as progress:
            found = _core.balance(reading.data, options, thread_count(self.n_threads), progress)
        codes: np.ndarray = found["codes"]
        self._take("balance", reading, found)
        known = reading.known_rows
        self.flipped_ = np.zeros(reading.rows.count, dtype=bool)
        self.flipped_[slice(None) if known is None else known] = codes != reading.labels.codes
        return codes, known
