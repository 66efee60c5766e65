"""Noise of five kinds, put into clean labels."""

from __future__ import annotations

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.model_selection import cross_val_predict

from sets import Split

KINDS = ("none", "class", "group", "equal", "hard rows")


def applies(kind: str, has_groups: bool) -> bool:
    return kind != "group" or has_groups


def corrupt(part: Split, kind: str, seed: int) -> np.ndarray:
    """Labels of which about 15 to 25 % are wrong, chosen by class, group, hardness, or none of these."""
    random = np.random.default_rng(1000 + seed)
    clean, rows = part.clean, len(part.clean)
    classes = int(clean.max()) + 1
    if kind == "none":
        return clean
    if kind == "class":
        rates = random.uniform(0, 0.4, classes)[clean]
    elif kind == "group":
        assert part.groups is not None
        rates = random.uniform(0, 0.4, 2)[part.groups]
    elif kind == "equal":
        rates = np.full(rows, random.uniform(0.1, 0.35))
    else:
        rates = _hardness_rates(part)
    wrong = random.random(rows) < rates
    shift = random.integers(1, classes, rows)
    return np.where(wrong, (clean + shift) % classes, clean)


def _hardness_rates(part: Split) -> np.ndarray:
    """0 for the easier half of the rows, from there up to .6: 15 % of all labels."""
    model = LGBMClassifier(n_estimators=50, verbose=-1, n_jobs=1)
    shares = cross_val_predict(model, part.X, part.clean, cv=3, method="predict_proba")
    doubt = 1 - shares[np.arange(len(part.clean)), part.clean]
    rank = doubt.argsort().argsort() / len(doubt)
    return np.clip(1.2 * (rank - 0.5), 0, 1)
