"""RobustClassifier: models trained on labels that may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from ._base import Reading
from ._classify import EngineClassifier, GroupRates
from ._input import Columns
from ._labels import as_column
from ._progress import Progress


class RobustClassifier(EngineClassifier):
    """A linear model, a perceptron or boosted trees, with a loss that knows of noise in the labels.

    Parameters
    ----------
    loss : {"ce", "backward", "forward", "peer", "group-peer", "co-teaching"}
        Plain cross entropy, corrected for noise rates ("backward" is the best bet where these are
        identified), peer losses that need none, or two networks that teach each other.
    model : {"linear", "mlp", "trees"}, optional
        None: linear, and mlp for co-teaching. Boosted trees take every loss but co-teaching.
    transition : str or K x K array
        Where the noise rates come from: an estimator of NoiseAudit, or the rates themselves,
        T[i, j] = P(label j | clean class i).
    alpha : float or "cv"
        Of the peer losses: a number below 1, or by accuracy on noisy labels held out.
    group_rates : mapping, optional
        Of "group-peer": the share of wrong labels in each group, or a pair of those of its
        negatives and positives.
    balance, scope, force
        Balance the labels first, as NoiseBalancer does.
    ridge, steps, tolerance_gradient
        Of linear models: the penalty `ridge / 2 |w|^2` (biases are free), and when to stop.
    hidden, epochs, batch, rate, dropout, weight_decay
        Of perceptrons.
    trees, learning_rate, leaves, depth, min_leaf_rows, leaf_ridge, bins, row_share, column_share
        Of boosted trees: how many, the part of each that counts, how large one may grow, the
        penalty on the squares of leaf values, into how many bins a column is cut, and the shares of
        the rows and of the columns that each tree sees.
    hold_out, patience
        Share of rows kept aside: training stops when their noisy accuracy no longer rises.
    misspecify, sampled_peers, peers_from_all_rows, forget, folds, k, alpha_folds
        As on the command line (docs/learning.md).
    positive, scale, missing, missing_label, drop, group_columns, seed, n_threads, progress
        As of NoiseAudit.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_ : as scikit-learn has them
    transition_ : K x K array, the noise that was accounted for, or None
    alpha_ : float or None
    coef_, intercept_ : of linear models, of the columns after encoding
    n_iter_, converged_ : how training ended

    Examples
    --------
    >>> import numpy as np
    >>> from noiseplus import RobustClassifier, corrupt_labels
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.integers(0, 2, 3000)
    >>> X = rng.normal(size=(3000, 4)).astype("float32") + clean[:, None]
    >>> y = corrupt_labels(clean, rates={1: 0.4}, seed=0)
    >>> plain = RobustClassifier(loss="ce").fit(X, y).score(X, clean)
    >>> T = [[1, 0], [0.4, 0.6]]
    >>> robust = RobustClassifier(loss="backward", transition=T).fit(X, y).score(X, clean)
    >>> bool(robust > plain + 0.02)
    True
    """

    def __init__(
        self,
        loss: str = "ce",
        *,
        model: Optional[str] = None,
        transition: Any = "auto",
        alpha: Any = "cv",
        group_rates: Optional[GroupRates] = None,
        balance: bool = False,
        scope: Optional[str] = None,
        force: bool = False,
        ridge: float = 1e-4,
        steps: int = 500,
        tolerance_gradient: float = 3e-6,
        hidden: int = 128,
        epochs: int = 20,
        batch: int = 128,
        rate: float = 1e-3,
        dropout: float = 0.0,
        weight_decay: float = 0.0,
        trees: int = 120,
        learning_rate: float = 0.05,
        leaves: int = 15,
        depth: int = 4,
        min_leaf_rows: int = 50,
        leaf_ridge: float = 5.0,
        bins: int = 64,
        row_share: float = 0.8,
        column_share: float = 0.8,
        hold_out: float = 0.0,
        patience: int = 5,
        misspecify: bool = False,
        alpha_folds: int = 5,
        sampled_peers: bool = False,
        peers_from_all_rows: bool = False,
        forget: Optional[float] = None,
        folds: int = 5,
        k: int = 10,
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
        self.loss = loss
        self.model = model
        self.transition = transition
        self.alpha = alpha
        self.group_rates = group_rates
        self.balance = balance
        self.scope = scope
        self.force = force
        self.ridge = ridge
        self.steps = steps
        self.tolerance_gradient = tolerance_gradient
        self.hidden = hidden
        self.epochs = epochs
        self.batch = batch
        self.rate = rate
        self.dropout = dropout
        self.weight_decay = weight_decay
        self.trees = trees
        self.learning_rate = learning_rate
        self.leaves = leaves
        self.depth = depth
        self.min_leaf_rows = min_leaf_rows
        self.leaf_ridge = leaf_ridge
        self.bins = bins
        self.row_share = row_share
        self.column_share = column_share
        self.hold_out = hold_out
        self.patience = patience
        self.misspecify = misspecify
        self.alpha_folds = alpha_folds
        self.sampled_peers = sampled_peers
        self.peers_from_all_rows = peers_from_all_rows
        self.forget = forget
        self.folds = folds
        self.k = k
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
        self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        groups: Any = None,
        probabilities: Any = None,
    ) -> RobustClassifier:
        """Train on the rows of X and their labels; `groups` as of NoiseAudit.fit.

        `probabilities`, as of NoiseAudit.fit, serve where the noise is estimated: for losses that
        need a transition matrix, and for `balance`.
        """
        self._check_rows(X)
        reading = self._read(X, y, groups, probabilities)
        self._train(reading, _weights(sample_weight, reading))
        return self

    @property
    def coef_(self) -> np.ndarray:
        """1 x d of two classes, the logit of the second; K x d of more."""
        return self._only_layer()[0].T

    @property
    def intercept_(self) -> np.ndarray:
        """One an output."""
        return self._only_layer()[1]

    def _only_layer(self) -> tuple[np.ndarray, np.ndarray]:
        layers = self.model_.layers if hasattr(self, "model_") else []
        if len(layers) != 1:
            raise AttributeError("only a linear model that is fitted has coefficients")
        return layers[0]


def _weights(sample_weight: Any, reading: Reading) -> Optional[np.ndarray]:
    """Of the rows that have a label."""
    if sample_weight is None:
        return None
    sample_weight = np.asarray(sample_weight)
    if sample_weight.ndim == 0:  # all rows count alike
        return None
    weights = as_column(sample_weight, "sample_weight", reading.rows.count)
    if reading.known_rows is not None:
        weights = weights[reading.known_rows]
    codes = reading.labels.codes
    if len(np.unique(codes[weights != 0])) < 2:
        raise ValueError("the sample_weight is zero of all rows, but for those of one class")
    return np.ascontiguousarray(weights, dtype=np.float32)
