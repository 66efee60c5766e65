"""What RobustClassifier and FairClassifier have in common: training, predicting, saving."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._base import DataEstimator, Reading
from ._options import thread_count
from ._progress import callback_of, log_warnings
from ._report import Report
from ._sklearn import ClassifierMixin

GroupRates = Mapping[Any, Union[float, tuple[float, float]]]

# Options of training that the engine knows by the same names.
SAME_NAMES = (
    "loss model misspecify alpha_folds sampled_peers peers_from_all_rows forget k folds ridge steps "
    "tolerance_gradient hidden epochs batch rate dropout weight_decay trees learning_rate "
    "leaves depth min_leaf_rows leaf_ridge bins row_share column_share hold_out patience balance "
    "scope force seed constraint tolerance noise_aware fair_folds route"
).split()


def _pair(group: Any, rate: Any, classes: int) -> tuple[float, float]:
    if classes > 2 and isinstance(rate, (tuple, list)):
        raise ValueError(f"group_rates: {rate} of {group!r}: a pair is for two classes; give a rate")
    negative, positive = rate if isinstance(rate, (tuple, list)) else (rate, rate)
    # Labels by chance are wrong in K - 1 of K cases.
    noise = negative + positive if classes == 2 else positive * classes / (classes - 1)
    if not (min(negative, positive) >= 0 and noise < 1):
        raise ValueError(
            f"group_rates: {rate} of {group!r}: labels would be no better than chance; rates are 0 "
            "or above, and of two classes they add up to less than 1"
        )
    return float(negative), float(positive)


def noise_of_groups(rates: GroupRates, reading: Reading) -> list[tuple[float, float]]:
    """(e-, e+) of each group, in their order."""
    if reading.groups is None:
        raise ValueError("group_rates needs groups; give them to fit, or name group_columns")
    kinds, classes = reading.groups.kinds, len(reading.labels.kinds.names)
    found: dict[int, tuple[float, float]] = {}
    for group, rate in rates.items():
        found[kinds.position(group, "group")] = _pair(group, rate, classes)
    lacking = [name for place, name in enumerate(kinds.names) if place not in found]
    if lacking:
        raise ValueError(f"group_rates: the group {lacking[0]!r} has none; give one to each")
    return [found[place] for place in range(len(kinds.names))]


class EngineClassifier(ClassifierMixin, DataEstimator):
    """A classifier that the engine trains."""

    transition: Any
    alpha: Any
    group_rates: Optional[GroupRates]
    positive: Any
    loss: str
    balance: bool
    seed: int

    def _check_rows(self, X: Any) -> None:
        if X is None:
            raise ValueError(f"{type(self).__name__} is trained on features: X must not be None")

    def _train(self, reading: Reading, row_weights: Optional[np.ndarray] = None) -> None:
        options = {name: getattr(self, name) for name in SAME_NAMES if hasattr(self, name)}
        options |= self._noise_options(reading)
        options["positive"] = reading.positive_name(self.positive)
        options["alpha"] = None if isinstance(self.alpha, str) and self.alpha == "cv" else self.alpha
        options["row_weights"] = row_weights
        options["probabilities"] = reading.probabilities
        with callback_of(self.progress) as progress:
            found = _core.train(reading.data, options, thread_count(self.n_threads), progress)
        log_warnings(found["warnings"])
        self._remember(reading)
        self.report_ = Report("training", found["json"], found["text"])
        self.model_: _core.Model = found["model"]
        report = self.report_.to_dict()
        fair = report.get("fair")
        self.alpha_ = report.get("alpha")
        self.n_iter_ = max(1, fair["rounds"] if fair else report["steps"])
        self.converged_ = (fair or report)["converged"]
        self.transition_ = np.array(report["transition"]) if report.get("transition") else None

    def _noise_options(self, reading: Reading) -> dict[str, Any]:
        by_name = self.transition is None or isinstance(self.transition, str)
        if self.group_rates is not None:
            self._refuse_with_group_rates(by_name and self.transition in (None, "auto"))
            noise = noise_of_groups(self.group_rates, reading)
            if self.loss != "group-peer":
                return {"group_noise": noise}
            classes = len(reading.labels.kinds.names)
            return {"group_noise": noise, "deltas": _deltas(noise, classes)}
        if by_name:
            return {"transition": self.transition}
        if self.loss == "group-peer" or self._balances() or self._is_noise_aware():
            raise ValueError("one transition matrix cannot say how noisy several groups are; use group_rates")
        matrix = np.ascontiguousarray(self.transition, dtype=np.float64)
        classes = len(reading.labels.kinds.names)
        if matrix.shape != (classes, classes):
            raise ValueError(f"transition must have {classes} rows of as many numbers, and is {matrix.shape}")
        return {"transition_matrix": matrix}

    def _balances(self) -> bool:
        return self.balance

    def _is_noise_aware(self) -> bool:
        """Whether the noise of each group may be asked for."""
        return False

    def _refuse_with_group_rates(self, transition_is_free: bool) -> None:
        if not transition_is_free:
            raise ValueError("group_rates and transition both say how noisy groups are; give one of them")
        if self._balances():
            raise ValueError("balance goes by the noise it finds, and group_rates gives another; give one of them")

    # -------------------------------------------------------------------------------------- using

    def predict_proba(self, X: Any) -> np.ndarray:
        """n x K, in the order of `classes_`: how likely each class is, or each answer where the
        model answers by lot."""
        self._check_fitted()
        data = self._read_new(X, self.model_)
        log_warnings(data.warnings)
        return self.model_.probabilities(data, thread_count(self.n_threads))

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        probabilities = self.predict_proba(X)
        return self.classes_[_core.most_likely(probabilities)]

    def report(self) -> Report:
        """How the model was trained."""
        self._check_fitted()
        return self.report_

    def save(self, path: Union[str, PathLike[str]]) -> None:
        """Write the model as a file that `noiseplus predict` and `noiseplus evaluate` read."""
        self._check_fitted()
        self.model_.save(fspath(path))


def _deltas(noise: list[tuple[float, float]], classes: int) -> list[float]:
    if classes == 2:
        return [1 - negative - positive for negative, positive in noise]
    scale = classes / (classes - 1)
    return [1 - scale * positive for _, positive in noise]
