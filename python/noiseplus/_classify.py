"""What RobustClassifier and FairClassifier have in common: training, predicting, saving."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._base import DataEstimator
from ._labels import Coded, position_of
from ._progress import callback_of, log_warnings, thread_count
from ._report import Report
from ._sklearn import ClassifierMixin

GroupRates = Mapping[Any, Union[float, tuple[float, float]]]

# Options of training that the engine knows by the same names.
SAME_NAMES = (
    "loss model misspecify alpha_folds sampled_peers peers_from_all_rows forget k folds ridge steps "
    "tolerance_gradient hidden epochs batch rate dropout weight_decay hold_out patience balance "
    "scope force seed constraint tolerance noise_aware fair_folds"
).split()


def _pair(group: Any, rate: Any) -> tuple[float, float]:
    negative, positive = rate if isinstance(rate, (tuple, list)) else (rate, rate)
    if min(negative, positive) < 0 or not negative + positive < 1:
        raise ValueError(
            f"group_rates: {rate} of {group!r}: rates are 0 or above, and those of both classes add "
            "up to less than 1"
        )
    return float(negative), float(positive)


def noise_of_groups(rates: GroupRates, groups: Optional[Coded]) -> list[tuple[float, float]]:
    """(e-, e+) of each group, in their order."""
    if groups is None:
        raise ValueError("group_rates needs groups; give them to fit, or name group_columns")
    found: dict[int, tuple[float, float]] = {}
    for group, rate in rates.items():
        found[position_of(group, groups.names, "group")] = _pair(group, rate)
    lacking = [name for place, name in enumerate(groups.names) if place not in found]
    if lacking:
        raise ValueError(f"group_rates: the group {lacking[0]!r} has none; give one to each")
    return [found[place] for place in range(len(groups.names))]


class EngineClassifier(ClassifierMixin, DataEstimator):
    """A classifier that the engine trains."""

    transition: Any
    alpha: Any
    group_rates: Optional[GroupRates]
    positive: Any
    loss: str
    seed: int

    def _train(self, data: _core.Data, row_weights: Optional[np.ndarray] = None) -> None:
        options = {name: getattr(self, name) for name in SAME_NAMES if hasattr(self, name)}
        options |= self._noise_options()
        options["positive"] = self._positive_name(self.positive)
        options["alpha"] = None if self.alpha == "cv" else self.alpha
        options["row_weights"] = row_weights
        with callback_of(self.progress) as progress:
            found = _core.train(data, options, thread_count(self.n_threads), progress)
        log_warnings(found["warnings"])
        self.report_ = Report("training", found["json"], found["text"])
        self.model_: _core.Model = found["model"]
        report = self.report_.to_dict()
        self.alpha_ = report.get("alpha")
        how = report.get("fair", report)
        self.n_iter_ = max(1, how["rounds"] if "fair" in report else how["steps"])
        self.converged_ = how["converged"]
        self.transition_ = np.array(report["transition"]) if report.get("transition") else None

    def _noise_options(self) -> dict[str, Any]:
        if self.group_rates is not None:
            noise = noise_of_groups(self.group_rates, self._groups)
            if self.loss != "group-peer":
                return {"group_noise": noise}
            return {"group_noise": noise, "deltas": self._deltas(noise)}
        if self.transition is None or isinstance(self.transition, str):
            return {"transition": self.transition}
        return {"transition_matrix": np.asarray(self.transition, dtype=np.float64)}

    def _deltas(self, noise: list[tuple[float, float]]) -> list[float]:
        classes = len(self.classes_)
        if classes == 2:
            return [1 - negative - positive for negative, positive in noise]
        return [1 - positive * classes / (classes - 1) for _, positive in noise]

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
