"""The engine's stages one by one, for those who put them together differently."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _core
from ._input import as_rows, code_groups
from ._labels import code, like, position_of
from ._progress import Progress, callback_of, log_warnings, thread_count
from ._report import Report


def nearest_neighbours(
    X: Any,
    k: int = 10,
    *,
    metric: str = "euclidean",
    anchors: Any = None,
    seed: int = 0,
    n_threads: Optional[int] = None,
    progress: Progress = None,
) -> tuple[np.ndarray, np.ndarray]:
    """The k nearest other rows of each row, exactly: indices and squared distances.

    `anchors` are the indices of the rows whose neighbours are wanted, among all rows; None: all.
    Equal distances are ordered by `seed`.

    >>> import numpy as np
    >>> from noiseplus import nearest_neighbours
    >>> ids, distances = nearest_neighbours(np.array([[0.0], [1.0], [3.0], [7.0]]), k=1)
    >>> ids.ravel().tolist(), distances.ravel().tolist()
    ([1, 0, 1, 2], [1.0, 1.0, 4.0, 16.0])
    """
    rows = as_rows(X)
    wanted = [] if anchors is None else np.asarray(anchors, dtype=np.uint32).tolist()
    with callback_of(progress) as callback:
        return _core.neighbours(rows, k, metric, wanted, seed, thread_count(n_threads), callback)


def estimate_noise(
    X: Any,
    y: Any,
    estimator: str = "auto",
    *,
    k: int = 10,
    metric: str = "euclidean",
    positive: Any = None,
    posterior: bool = False,
    seed: int = 0,
    n_threads: Optional[int] = None,
    progress: Progress = None,
) -> dict[str, Any]:
    """One estimator's rates, without a report: "rates" (K x 3: value, low, high), "transition",
    "prior", "gap", "p_value", "identified", "noisier" (a position, or -1) and the like.

    `posterior`: also P(clean class | row), which `label_quality` takes.
    """
    rows = as_rows(X)
    labels = code(y, "y", len(rows))
    place = len(labels.classes) - 1
    if positive is not None:
        place = position_of(positive, labels.names, "class")
    options = {
        "estimator": estimator,
        "k": k,
        "metric": metric,
        "positive": place,
        "posterior": posterior,
        "seed": seed,
    }
    with callback_of(progress) as callback:
        found = _core.estimate(
            rows, labels.codes, labels.names, options, thread_count(n_threads), callback
        )
    log_warnings(found["warnings"])
    return found


def estimate_from_probabilities(pred_probs: Any, y: Any) -> dict[str, Any]:
    """Confident learning (Northcutt, Jiang, Chuang 2021) from out-of-sample probabilities of any
    model, n x K in the order of the sorted classes of y; the result as of estimate_noise.

    Takes rows of overlapping classes for mislabelled ones, which `NoiseAudit` does not.
    """
    shares = np.ascontiguousarray(pred_probs, dtype=np.float32)
    labels = code(y, "y", len(shares))
    found = _core.estimate_from_probabilities(shares, labels.codes, labels.names)
    log_warnings(found["warnings"])
    return found


def label_quality(
    posterior: Any, y: Any, transition: Any, prior: Any, *, n_threads: Optional[int] = None
) -> tuple[np.ndarray, np.ndarray]:
    """How likely each label is right, and the likeliest one, by Bayes' rule.

    `posterior` is n x K, P(clean class | row) from all but the row's own label, such as
    out-of-sample probabilities of a model; `transition` and `prior` are those of an estimate.
    """
    shares = np.ascontiguousarray(posterior, dtype=np.float32)
    labels = code(y, "y", len(shares))
    right, suggested = _core.label_quality(
        shares,
        labels.codes,
        np.ascontiguousarray(transition, dtype=np.float64),
        np.ascontiguousarray(prior, dtype=np.float64),
        thread_count(n_threads),
    )
    return right, labels.classes[suggested]


def balancing_plan(
    transition: Any = None, *, group_rates: Any = None, classes: Optional[int] = None
) -> np.ndarray:
    """What to flip so that all classes, or groups, are equally noisy: G x K x K probabilities.

    `transition` of K x K: the classes are made alike; of G x K x K: the classes of each group, and
    the groups. `group_rates`, one a group, with `classes`: the groups alone.

    >>> from noiseplus import balancing_plan
    >>> balancing_plan([[0.9, 0.1], [0.3, 0.7]])[0].round(3)
    array([[0.833, 0.167],
           [0.   , 1.   ]])
    """
    if (transition is None) == (group_rates is None):
        raise ValueError("give one of transition and group_rates")
    if group_rates is not None:
        rates = np.ascontiguousarray(group_rates, dtype=np.float64)
        return _core.groups_plan(rates, classes or 2, [str(g + 1) for g in range(len(rates))])
    matrices = np.ascontiguousarray(transition, dtype=np.float64)
    if matrices.ndim not in (2, 3) or matrices.shape[-1] != matrices.shape[-2]:
        raise ValueError(f"transition must be K x K, or G x K x K, and is {matrices.shape}")
    names = [str(c + 1) for c in range(matrices.shape[-1])]
    if matrices.ndim == 2:
        return _core.classes_plan(matrices, names)
    groups = [str(g + 1) for g in range(len(matrices))]
    return _core.classes_in_groups_plan(matrices, names, groups)


def apply_plan(plan: Any, y: Any, groups: Any = None, *, seed: int = 0) -> Any:
    """Labels flipped by a plan: the same rows for the same seed, and more of them by a larger plan."""
    rows = len(y)
    labels = code(y, "y", rows)
    matrices = np.ascontiguousarray(plan, dtype=np.float64)
    if matrices.ndim == 2:
        matrices = matrices[None]
    if matrices.shape[1:] != (len(labels.classes),) * 2:
        raise ValueError(
            f"the plan is of shape {matrices.shape}, and y has {len(labels.classes)} classes"
        )
    coded = code_groups(None, groups, rows)
    if len(matrices) > 1 and (coded is None or len(coded.classes) != len(matrices)):
        raise ValueError(f"the plan is of {len(matrices)} groups; give the group of each row")
    codes = np.zeros(0, dtype=np.int32) if coded is None else coded.codes
    return like(y, labels.classes[_core.draw_labels(labels.codes, codes, matrices, seed, True)])


def evaluate(y: Any, answers: Any, groups: Any = None, *, positive: Any = None) -> Report:
    """Accuracy and, by group, the rates that fairness is about, each with its 95 % interval.

    `answers` are predicted labels, or n x K probabilities of the answers in the order of the sorted
    classes of y.
    """
    rows = len(y)
    labels = code(y, "y", rows)
    place = len(labels.classes) - 1
    if positive is not None:
        place = position_of(positive, labels.names, "class")
    if np.ndim(answers) == 2:
        given: np.ndarray = np.ascontiguousarray(answers, dtype=np.float32)
    else:
        predicted = code(answers, "answers", rows)
        places = [position_of(value, labels.names, "class") for value in predicted.classes.tolist()]
        given = np.asarray(places, dtype=np.int32)[predicted.codes]
    coded = code_groups(None, groups, rows)
    codes = np.zeros(0, dtype=np.int32) if coded is None else coded.codes
    names = [] if coded is None else coded.names
    found = _core.evaluate(given, labels.codes, labels.names, place, codes, names)
    return Report("evaluation", found["json"], found["text"])
