"""FairClassifier: models that treat groups alike, from labels that may be wrong."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from . import _core
from ._base import Reading
from ._classify import EngineClassifier, GroupRates
from ._input import Columns
from ._progress import Progress

ROUTES = ("auto", "plain", "noise-aware", "balance")  # as the engine has them

WITHOUT_GROUPS = {"violation": None, "shares": [1.0], "why": "there are no groups"}


class FairClassifier(EngineClassifier):
    """The most accurate model in which the rates of no group are far from those of all rows.

    Two classes. The result may be a mixture that answers by lot: some promises no single model can
    keep. `predict_proba` tells how likely each answer is, `predict` draws it, by `seed` and the
    row's place.

    Parameters
    ----------
    constraint : str
        What is to be alike in all groups: "equalized-odds", "equal-opportunity",
        "demographic-parity", "fpr-parity" or "error-parity".
    tolerance : float
        How far the rate of a group may be from that of all rows.
    noise_aware : bool
        Rates by clean labels: with the noise of each group as `group_rates` gives it, or as
        `transition`'s estimator finds it.
    balance, scope, force
        Balance the labels first, as NoiseBalancer does: then the constraint is right again.
    route : {"auto", "plain", "noise-aware", "balance"}, optional
        How noise is accounted for. "auto" trains on each route, and keeps the one that is shown to
        pay by what an audit knows of the noise: the plain constraint, rates by clean labels, or
        balanced labels. None: as `noise_aware` and `balance` say.
    thresholded : bool
        Answer by what is likelier in place of drawing. Keeps no promise: see docs/fairness.md.
    fair_folds : int, optional
        Rates are counted on rows unseen, by so many folds. None: 5 where the noise is known, else 1.
    loss : {"ce", "backward", "peer", "group-peer"}

    The other parameters are those of RobustClassifier. Groups are given to `fit`, or named by
    `group_columns`; they are not needed to predict.

    Attributes
    ----------
    classes_, groups_ : arrays
    violation_ : largest difference between two groups, of the rates that the constraint is about
    shares_ : list, of the models in the mixture
    route_ : "plain", "noise-aware" or "balance": how noise was accounted for; without groups
        never "noise-aware"
    reason_ : why: of route "auto" what was compared, else by which labels the constraint judges

    Examples
    --------
    >>> import numpy as np
    >>> from noiseplus import FairClassifier
    >>> rng = np.random.default_rng(0)
    >>> group = rng.integers(0, 2, 4000)
    >>> y = (rng.random(4000) < 0.3 + 0.4 * group).astype(int)
    >>> X = (rng.normal(size=(4000, 3)) + y[:, None] + group[:, None]).astype("float32")
    >>> fair = FairClassifier("demographic-parity", tolerance=0.02).fit(X, y, groups=group)
    >>> positive = fair.predict_proba(X)[:, 1]
    >>> bool(abs(positive[group == 0].mean() - positive[group == 1].mean()) < 0.045)
    True
    """

    def __init__(
        self,
        constraint: str = "equalized-odds",
        *,
        tolerance: float = 0.01,
        noise_aware: bool = False,
        group_rates: Optional[GroupRates] = None,
        balance: bool = False,
        scope: Optional[str] = None,
        force: bool = False,
        route: Optional[str] = None,
        thresholded: bool = False,
        fair_folds: Optional[int] = None,
        loss: str = "ce",
        model: Optional[str] = None,
        transition: Any = "auto",
        alpha: Any = "cv",
        ridge: float = 1e-4,
        steps: int = 500,
        tolerance_gradient: float = 3e-6,
        hidden: int = 128,
        epochs: int = 20,
        batch: int = 128,
        rate: float = 1e-3,
        alpha_folds: int = 5,
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
        self.constraint = constraint
        self.tolerance = tolerance
        self.noise_aware = noise_aware
        self.group_rates = group_rates
        self.balance = balance
        self.scope = scope
        self.force = force
        self.route = route
        self.thresholded = thresholded
        self.fair_folds = fair_folds
        self.loss = loss
        self.model = model
        self.transition = transition
        self.alpha = alpha
        self.ridge = ridge
        self.steps = steps
        self.tolerance_gradient = tolerance_gradient
        self.hidden = hidden
        self.epochs = epochs
        self.batch = batch
        self.rate = rate
        self.alpha_folds = alpha_folds
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
        self, X: Any, y: Any, groups: Any = None, probabilities: Any = None
    ) -> FairClassifier:
        """Train so that all groups are treated alike; `groups` as of NoiseAudit.fit.

        `probabilities`, as of NoiseAudit.fit, serve where the noise is estimated: for `balance`,
        and for `noise_aware` without group_rates.
        """
        self._check_rows(X)
        self._check_route()
        if groups is None and self.group_columns is None:
            warnings.warn(
                "FairClassifier was given no groups: all rows are one group, and there is nobody "
                "to be fair to. Give groups to fit, or name group_columns",
                stacklevel=2,
            )
        reading = self._read(X, y, groups, probabilities)
        classes = len(reading.labels.kinds.names)
        if classes > 2:
            raise ValueError(f"Only binary classification is supported. y has {classes} classes")
        self._train(reading)
        fair = self.report_.to_dict().get("fair", WITHOUT_GROUPS)
        self.groups_ = None if self._group_kinds is None else self._group_kinds.values
        self.violation_ = fair["violation"]
        self.shares_ = fair["shares"]
        is_aware = self._is_noise_aware() and self.groups_ is not None
        asked = "balance" if self._balances() else "noise-aware" if is_aware else "plain"
        advice = fair.get("advice") or {"route": asked, "why": fair["why"]}
        self.route_: str = advice["route"]
        self.reason_ = _core.in_python_terms(advice["why"])
        return self

    def _check_route(self) -> None:
        if self.route is None or self.route in ROUTES:
            return
        if not isinstance(self.route, str):
            kind = type(self.route).__name__
            raise TypeError(f"route={self.route!r} is of a wrong type: {kind}")
        known = f"{', '.join(ROUTES[:-1])} and {ROUTES[-1]}"
        raise ValueError(f"route {self.route}: there are {known}")

    def _balances(self) -> bool:
        return self.balance or self.route == "balance"

    def _is_noise_aware(self) -> bool:
        return self.noise_aware or self.route in ("noise-aware", "auto")

    def _noise_options(self, reading: Reading) -> dict[str, Any]:
        options = super()._noise_options(reading)
        if reading.groups is not None:
            return options
        return {**options, "constraint": None, "route": None, "balance": self._balances()}

    def _refuse_with_group_rates(self, transition_is_free: bool) -> None:
        super()._refuse_with_group_rates(transition_is_free)
        if not self._is_noise_aware() and self.loss != "group-peer":
            raise ValueError(
                "group_rates does nothing here; it is for the loss group-peer, noise_aware=True and "
                "the routes auto and noise-aware"
            )

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row: drawn by lot where the model is a mixture."""
        shares = self.predict_proba(X)
        if self.thresholded or not self.model_.answers_by_lot:
            return self.classes_[_core.most_likely(shares)]
        return self.classes_[_core.drawn(shares, self.seed)]

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {**super()._more_tags(), "binary_only": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
