"""What can be done about noisy labels before a model is trained on them, and how routes compare."""

from __future__ import annotations

from collections.abc import Callable
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


@dataclass(frozen=True)
class Evidence:
    """What audits say of the rows of a data set."""

    quality: np.ndarray  # how likely each label is right
    alternative: np.ndarray  # the likeliest class but the given one, as a code
    transition: np.ndarray  # K x K, T[i, j] = P(label j | clean class i)
    balanced: Optional[np.ndarray]  # codes after balancing; None: no class is proved to be noisier

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

    @property
    def beyond_chance(self) -> float:
        """What is left of the value when the best of several routes is taken."""
        return self.value - CHANCE * self.standard_error


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
    worth = np.eye(classes)
    if evidence.classes_differ and _can_be_inverted(evidence.transition):
        worth = np.linalg.inv(evidence.transition)
    differences = (worth[codes, answers] - worth[codes, plain_answers]).mean(axis=0)
    error = differences.std() / np.sqrt(len(codes))
    return Gain(float(differences.mean()), float(error))


def _can_be_inverted(transition: Any) -> bool:
    return bool(np.linalg.svd(transition, compute_uv=False).min() > MIN_EIGENVALUE)
