"""Accuracy of a model on clean test rows, trained on noisy labels in eight ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any, Optional

import numpy as np
from cleanlab.classification import CleanLearning
from lightgbm import LGBMClassifier
from noiseplus import NoiseAudit, NoiseBalancer, NoiseRobust, RobustClassifier
from sets import Split
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neural_network import MLPClassifier

SEED = 0


def trees() -> LGBMClassifier:
    return LGBMClassifier(verbose=-1, n_jobs=1, random_state=SEED)


def linear() -> LogisticRegression:
    return LogisticRegression(max_iter=300)


def perceptron() -> MLPClassifier:
    return MLPClassifier((64,), max_iter=20, batch_size=256, random_state=SEED)


MODELS: dict[str, Callable[[], Any]] = {"trees": trees, "linear": linear, "MLP": perceptron}
ROUTES = ("plain", "CleanLearning", "prune", "weights", "forward", "backward", "balance", "NoiseRobust")
# What an audit may advise. Only where all of these are wanted is its advice judged.
ADVISED = ("plain", "weights", "forward", "backward", "balance")


def accuracies(model: str, part: Split, given: np.ndarray, wanted: Sequence[str] = ROUTES) -> dict[str, Any]:
    """Of the routes that are wanted, in percent, and what NoiseRobust and the audit's advice chose."""
    return _Comparison(model, part, given).run(wanted)


class _Comparison:
    def __init__(self, model: str, part: Split, given: np.ndarray) -> None:
        self.name = model
        self.make = MODELS[model]
        self.part = part
        self.given = given

    @cached_property
    def shares(self) -> np.ndarray:
        folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
        return cross_val_predict(self.make(), self.part.X, self.given, cv=folds, method="predict_proba")

    @cached_property
    def audit(self) -> NoiseAudit:
        """By the model's own probabilities. Its advice is not asked for, and so no route is tried."""
        audit = NoiseAudit(compare_routes=False, n_threads=1)
        return audit.fit(self.part.X, self.given, probabilities=self.shares)

    @cached_property
    def as_shipped(self) -> NoiseAudit:
        """What the command line sees."""
        return NoiseAudit(n_threads=1).fit(self.part.X, self.given)

    def run(self, wanted: Sequence[str]) -> dict[str, Any]:
        ways: dict[str, Callable[[], Optional[np.ndarray]]] = {
            "plain": lambda: self.is_right(self.make().fit(self.part.X, self.given)),
            "CleanLearning": self.clean_learning,
            "prune": self.pruned,
            "weights": lambda: self.weighted(self.as_shipped),
            "forward": lambda: self.corrected("forward"),
            "backward": lambda: self.corrected("backward"),
            "balance": self.balanced,
        }
        cell: dict[str, Any] = {}
        right = {name: ways[name]() for name in wanted if name in ways}
        if "NoiseRobust" in wanted:
            robust = NoiseRobust(self.make(), n_threads=1).fit(self.part.X, self.given)
            right["NoiseRobust"] = self.is_right(robust)
            gains = {name: asdict(gain) for name, gain in robust.gains_.items()}
            cell |= {"route": robust.route_, "reason": robust.reason_, "gains": gains}
        if set(ADVISED) <= set(wanted):
            cell["audit"] = said(self.as_shipped)
            if cell["audit"]["advice"]["action"] == "fix":
                right["fix"] = self.fixed(self.as_shipped)
        if "prune" in wanted:
            right["own weights"] = self.weighted(self.audit)
            cell["own audit"] = said(self.audit)
        scores = {name: None if found is None else 100 * float(found.mean()) for name, found in right.items()}
        return {"accuracy": scores, "errors": standard_errors(right)} | cell

    def is_right(self, model: Any) -> np.ndarray:
        found: np.ndarray = model.predict(self.part.X_test) == self.part.y_test
        return found

    def clean_learning(self) -> Optional[np.ndarray]:
        learner = CleanLearning(self.make(), find_label_issues_kwargs={"n_jobs": 1}, seed=SEED)
        try:
            return self.is_right(learner.fit(self.part.X, self.given))
        except ValueError:  # it left no row of some class
            return None

    def weighted(self, audit: NoiseAudit) -> np.ndarray:
        weights = np.maximum(audit.label_quality_, 1e-3)
        return self.is_right(self.make().fit(self.part.X, self.given, sample_weight=weights))

    def pruned(self) -> np.ndarray:
        keep = self.audit.suggested_labels_ == self.given
        if len(np.unique(self.given[keep])) < len(np.unique(self.given)):
            keep[:] = True
        return self.is_right(self.make().fit(self.part.X[keep], self.given[keep]))

    def corrected(self, loss: str) -> Optional[np.ndarray]:
        """The loss corrected for the audit's transition matrix: of our own models, or as an objective."""
        T = self.audit.transition_
        try:
            if self.name != "trees":
                model = RobustClassifier(
                    loss, model="linear" if self.name == "linear" else "mlp", transition=T, scale=True, n_threads=1
                )
                return self.is_right(model.fit(self.part.X, self.given))
            model = LGBMClassifier(
                objective=corrected_objective(T, loss), verbose=-1, n_jobs=1, random_state=SEED
            ).fit(self.part.X, self.given)
            raw = model.predict(self.part.X_test, raw_score=True)
            answers = raw.argmax(axis=1) if raw.ndim == 2 else (raw > 0).astype(int)
            right: np.ndarray = answers == self.part.y_test
            return right
        except ValueError:  # the matrix has no inverse
            return None

    def fixed(self, audit: NoiseAudit) -> float:
        """After a person has given the most suspicious rows their clean labels."""
        rows = audit.report().to_dict()["advice"]["rows_to_fix"]
        first = np.argsort(audit.label_quality_, kind="stable")[:rows]
        labels = self.given.copy()
        labels[first] = self.part.clean[first]
        return self.is_right(self.make().fit(self.part.X, labels))

    def balanced(self) -> np.ndarray:
        _, labels = NoiseBalancer(n_threads=1).fit_resample(
            self.part.X, self.given, probabilities=self.shares
        )
        return self.is_right(self.make().fit(self.part.X, labels))


def audit_again(part: Split, given: np.ndarray) -> dict[str, Any]:
    """What the audit says today, for cells whose accuracies are known."""
    return said(NoiseAudit(n_threads=1).fit(part.X, given))


def standard_errors(right: Mapping[str, Optional[np.ndarray]]) -> dict[str, float]:
    """In points, of each route's difference from plain training on the same test rows."""
    plain = right.get("plain")
    return {
        name: 100 * float((found.astype(float) - plain).std() / np.sqrt(len(found)))
        for name, found in right.items()
        if found is not None and plain is not None
    }


def said(audit: NoiseAudit) -> dict[str, Any]:
    """What an audit claims, as far as advice rests on it."""
    report = audit.report().to_dict()
    names = ("advice", "wrong_share", "identified", "estimator", "noisier", "gap", "rates", "giveaway", "warnings")
    return {name: report[name] for name in names if name in report}


def corrected_objective(transition: np.ndarray, loss: str) -> Callable[..., Any]:
    """Gradient and curvature for LightGBM of the forward or backward corrected cross entropy."""
    T = 0.98 * np.asarray(transition) + 0.02 / len(transition)
    worth = np.linalg.inv(T)  # a row per given label: unbiased estimates of the clean one

    def objective(labels: np.ndarray, raw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        given = labels.astype(int)
        binary = raw.ndim == 1
        scores = np.stack([np.zeros_like(raw), raw], axis=1) if binary else raw
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        if loss == "forward":
            joint = shares * T[:, given].T  # P(clean, given label | row)
            target = joint / joint.sum(axis=1, keepdims=True)
        else:
            target = worth[given]
        gradient = shares - target
        curvature = np.maximum(shares * (1 - shares), 1e-6)
        if binary:
            return gradient[:, 1], curvature[:, 1]
        factor = len(T) / (len(T) - 1)
        return gradient, factor * curvature

    return objective
