"""Models from files, whoever trained them."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._input import read_rows
from ._options import thread_count
from ._progress import log_warnings


class SavedClassifier:
    """A model that `noiseplus train`, or `save` of a classifier, has written.

    `classes_` are texts, because a file knows the names of classes and not their types.
    """

    def __init__(
        self,
        model: _core.Model,
        seed: int = 0,
        thresholded: bool = False,
        n_threads: Optional[int] = None,
    ) -> None:
        self.model_ = model
        self.seed = seed
        self.thresholded = thresholded
        self.n_threads = n_threads
        self.classes_ = np.array(model.classes)

    def predict_proba(self, X: Any) -> np.ndarray:
        """n x K, in the order of `classes_`: how likely each class is, or each answer."""
        rows = read_rows(X, self.model_.missing)
        threads = thread_count(self.n_threads)
        data = _core.Data(rows.source, {"label": self.model_.label}, self.model_, threads)
        log_warnings(data.warnings)
        return self.model_.probabilities(data, threads)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row: drawn by `seed` and the row's place where the model answers by
        lot."""
        shares = self.predict_proba(X)
        if self.thresholded or not self.model_.answers_by_lot:
            return self.classes_[_core.most_likely(shares)]
        return self.classes_[_core.drawn(shares, self.seed)]


def load_model(
    path: Union[str, PathLike[str]],
    *,
    seed: int = 0,
    thresholded: bool = False,
    n_threads: Optional[int] = None,
    max_unpacked: Optional[int] = None,
) -> SavedClassifier:
    """Read a model file, for predicting; `thresholded` as of FairClassifier.

    A compressed file may unpack to `max_unpacked` bytes; None: 100 times its size, or 256 MiB where
    that is more, and at most half of the memory.

    >>> import os, tempfile
    >>> import numpy as np
    >>> from noiseplus import RobustClassifier, load_model
    >>> X = np.arange(20, dtype="float32").reshape(-1, 1)
    >>> path = os.path.join(tempfile.mkdtemp(), "m.model")
    >>> RobustClassifier().fit(X, ["low"] * 10 + ["high"] * 10).save(path)
    >>> load_model(path).predict([[0.0], [19.0]]).tolist()
    ['low', 'high']
    """
    model = _core.Model.read(fspath(path), max_unpacked, thread_count(n_threads))
    return SavedClassifier(model, seed, thresholded, n_threads)
