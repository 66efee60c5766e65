"""What can be done about noisy labels before a model is trained on them, and how routes compare."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

# A row that is surely mislabeled keeps a little weight, so that no class loses all of its rows.
MIN_WEIGHT = 1e-3
# Importance weights are divided by the share of labels that a class keeps, which is uncertain.
MIN_KEPT = 0.3
# Corrected accuracies divide by how much the labels still tell; below this they are chance.
MIN_EIGENVALUE = 0.15
# The best of three routes that are worth nothing looks about so many standard errors better than
# plain training: the expected maximum of three normal numbers whose correlation is .7.
CHANCE = 0.5
# The same where no label is sure to be wrong: there a route has little to mend, so that what it
# seems to gain is more often chance. It must gain a whole standard error.
CHANCE_IF_CLEAN = 1.0


@dataclass(frozen=True)
class Evidence:
    """What audits say of the rows of a data set."""

    quality: np.ndarray  # how likely each label is right
    alternative: np.ndarray  # the likeliest class but the given one, as a code
    transition: np.ndarray  # K x K, T[i, j] = P(label j | clean class i)
    balanced: Optional[np.ndarray]  # codes after balancing; None: no class is proved to be noisier
    some_are_wrong: bool = True  # whether an audit's interval of the share of wrong labels is above 0

    @property
    def classes_differ(self) -> bool:
        return self.balanced is not None


@dataclass(frozen=True)
class TrainingSet:
    """Which rows to train on, with which labels and weights."""

    rows: np.ndarray  # indices; a row may occur twice, with two labels
    codes: np.ndarray  # one per index
    weights: Optional[np.ndarray]  # None: all rows count alike


def plain(codes: np.ndarray, evidence: Evidence) -> TrainingSet:
    """All rows as they are."""
    return TrainingSet(np.arange(len(codes)), codes, None)


def weight(codes: np.ndarray, evidence: Evidence) -> TrainingSet:
    """Each row counts as much as its label is likely to be right."""
    return TrainingSet(np.arange(len(codes)), codes, np.maximum(evidence.quality, MIN_WEIGHT))


def correct(codes: np.ndarray, evidence: Evidence) -> TrainingSet:
    """Importance weights P(clean label | row) / P(given label | row), as of Liu and Tao (2016)."""
    kept = np.maximum(np.diag(evidence.transition), MIN_KEPT)
    weights = np.maximum(evidence.quality / kept[codes], MIN_WEIGHT)
    return TrainingSet(np.arange(len(codes)), codes, weights / weights.mean())


def prune(codes: np.ndarray, evidence: Evidence) -> TrainingSet:
    """Rows whose label is more likely wrong than right are left out."""
    keep = evidence.quality >= 0.5
    if len(np.unique(codes[keep])) < len(np.unique(codes)):  # a class would vanish
        keep = np.ones(len(codes), dtype=bool)
    rows = np.flatnonzero(keep)
    return TrainingSet(rows, codes[rows], None)


def soften(codes: np.ndarray, evidence: Evidence) -> TrainingSet:
    """Each row twice: with its label, and with the likeliest other one, by their probabilities."""
    rows = np.arange(len(codes))
    right = evidence.quality
    return TrainingSet(
        np.concatenate([rows, rows]),
        np.concatenate([codes, evidence.alternative]),
        np.maximum(np.concatenate([right, 1 - right]), MIN_WEIGHT),
    )


def balance(codes: np.ndarray, evidence: Evidence) -> TrainingSet:
    """Labels of the cleaner classes flipped, so that all are equally noisy."""
    balanced = codes if evidence.balanced is None else evidence.balanced
    return TrainingSet(np.arange(len(codes)), balanced, None)


ROUTES: dict[str, Callable[[np.ndarray, Evidence], TrainingSet]] = {
    "plain": plain,
    "weight": weight,
    "prune": prune,
    "soften": soften,
    "correct": correct,
    "balance": balance,
}
NEED_WEIGHTS = {"weight", "soften", "correct"}
NEED_A_DIFFERENCE = {"correct", "balance"}


@dataclass(frozen=True)
class Gain:
    """Accuracy of a route minus that of plain training, on rows held out, with its standard error."""

    value: float
    standard_error: float
    by_given_labels: Optional[Gain] = None  # where the value is by corrected labels

    def beyond(self, errors: float) -> float:
        """What is left of the value after so many standard errors."""
        return self.value - errors * self.standard_error


def clean_accuracy_gain(
    codes: np.ndarray, plain_answers: np.ndarray, answers: np.ndarray, evidence: Evidence
) -> Gain:
    """How much accuracy `answers` gain over `plain_answers`, judged by noisy labels.

    Both have an answer per row for each repetition of the comparison.
    Equal noise lowers all accuracies alike, so the noisy labels order answers as the clean ones
    would. Where classes are proved to differ, each label is replaced by its unbiased estimate of
    the clean one, a row of the inverse of the transition matrix.
    """
    classes = len(evidence.transition)
    by_given = _gain(np.eye(classes), codes, plain_answers, answers)
    if not (evidence.classes_differ and _can_be_inverted(evidence.transition)):
        return by_given
    corrected = _gain(np.linalg.inv(evidence.transition), codes, plain_answers, answers)
    return Gain(corrected.value, corrected.standard_error, by_given)


def _gain(
    worth: np.ndarray, codes: np.ndarray, plain_answers: np.ndarray, answers: np.ndarray
) -> Gain:
    differences = (worth[codes, answers] - worth[codes, plain_answers]).mean(axis=0)
    error = differences.std() / np.sqrt(len(codes))
    return Gain(float(differences.mean()), float(error))


def best_route(gains: Mapping[str, Gain], evidence: Evidence) -> tuple[str, str]:
    """The route to take, and why."""
    errors = CHANCE if evidence.some_are_wrong else CHANCE_IF_CLEAN
    worth_it = {name: gain for name, gain in gains.items() if _is_worth_it(name, gain, errors)}
    name, best = max((worth_it or gains).items(), key=lambda item: item[1].beyond(errors))
    told = f"changes accuracy by {_points(best)} on held-out rows, judged by noisy labels"
    if best.by_given_labels is not None:
        told += f" corrected for their rates, and by {_points(best.by_given_labels)} by the labels as they are"
    if worth_it:
        return name, f"{name} {told}"
    return "plain", f"no route gains more than chance: the best of them, {name}, {told}"


def _is_worth_it(name: str, gain: Gain, errors: float) -> bool:
    """Weighing or leaving out rows must help with the labels as they are too: labels corrected by
    rates that are wrong, as those of mistakes on hard rows are, promise gains that are not there."""
    given = gain.by_given_labels
    must_gain = [gain] if given is None or name in NEED_A_DIFFERENCE else [gain, given]
    return all(one.beyond(errors) > 0 for one in must_gain)


def _points(gain: Gain) -> str:
    return f"{100 * gain.value:+.1f} points (standard error {100 * gain.standard_error:.1f})"


def _can_be_inverted(transition: Any) -> bool:
    return bool(np.linalg.svd(transition, compute_uv=False).min() > MIN_EIGENVALUE)
