"""The engine's stages one by one, for those who put them together differently."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _core
from ._groups import code_groups
from ._input import as_rows
from ._labels import code, code_as, like, name_of, position_of
from ._options import thread_count, whole_number
from ._progress import Progress, callback_of, log_warnings
from ._report import Report


def nearest_neighbors(
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

    `anchors` are the indices of the rows whose neighbors are wanted, or a mask of them; None: all.
    Equal distances are ordered by `seed`.

    >>> import numpy as np
    >>> from noiseplus import nearest_neighbors
    >>> ids, distances = nearest_neighbors(np.array([[0.0], [1.0], [3.0], [7.0]]), k=1)
    >>> ids.ravel().tolist(), distances.ravel().tolist()
    ([1, 0, 1, 2], [1.0, 1.0, 4.0, 16.0])
    """
    rows = as_rows(X)
    wanted = _anchors(anchors, len(rows))
    whole_number("k", k, 1)
    whole_number("seed", seed, 0)
    if anchors is not None and len(wanted) == 0:
        return np.empty((0, k), dtype=np.uint32), np.empty((0, k), dtype=np.float32)
    with callback_of(progress) as callback:
        return _core.neighbors(rows, k, metric, wanted, seed, thread_count(n_threads), callback)


def _anchors(anchors: Any, rows: int) -> list[int]:
    if anchors is None:
        return []
    array = np.asarray(anchors)
    if array.dtype.kind == "b":
        if array.shape != (rows,):
            raise ValueError(f"anchors is a mask of {array.shape}, and X has {rows} rows")
        array = np.flatnonzero(array)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError("anchors are indices of rows, or a mask")
    if array.size and not (array.min() >= 0 and array.max() < rows):
        raise ValueError(f"anchors: X has rows 0 to {rows - 1}")
    return [int(row) for row in array]


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
    kinds = labels.kinds
    place = len(kinds.names) - 1 if positive is None else kinds.position(positive, "class")
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
            rows, labels.codes, kinds.names, options, thread_count(n_threads), callback
        )
    log_warnings(found["warnings"])
    return found


def estimate_from_probabilities(pred_probs: Any, y: Any, *, classes: Any = None) -> dict[str, Any]:
    """Confident learning (Northcutt, Jiang, Chuang 2021) from out-of-sample probabilities of any
    model, n x K; the result as of estimate_noise. `classes` are those of the columns, where not all
    occur in y; None: the sorted ones of y.

    Takes rows of overlapping classes for mislabeled ones, which `NoiseAudit` does not.

    >>> from noiseplus import estimate_from_probabilities
    >>> sure = [[0.9, 0.1]] * 4 + [[0.1, 0.9]] * 4
    >>> found = estimate_from_probabilities(sure, [0, 0, 0, 1, 1, 1, 1, 1])
    >>> found["transition"].round(2).tolist()
    [[0.75, 0.25], [0.0, 1.0]]
    """
    shares = np.ascontiguousarray(pred_probs, dtype=np.float32)
    codes, names, _ = _of_columns(shares, y, classes)
    found = _core.estimate_from_probabilities(shares, codes, names)
    log_warnings(found["warnings"])
    return found


def _of_columns(shares: np.ndarray, y: Any, classes: Any) -> tuple[np.ndarray, list[str], Any]:
    """Codes, names and values of labels whose classes are the columns of an n x K array."""
    if shares.ndim != 2:
        raise ValueError(f"probabilities are n x K, and are of shape {shares.shape}")
    if classes is None:
        found = code(y, "y", len(shares))
        values, codes = found.kinds.values, found.codes
    else:
        values = np.asarray(classes)
        codes = code_as(values, y, "y", len(shares))
    if len(values) != shares.shape[1]:
        raise ValueError(
            f"there are probabilities of {shares.shape[1]} classes, and {len(values)} classes; say "
            "with classes= which the columns are of"
        )
    return codes, [name_of(value) for value in values], values


def label_quality(
    posterior: Any,
    y: Any,
    transition: Any,
    prior: Any,
    *,
    classes: Any = None,
    n_threads: Optional[int] = None,
) -> tuple[np.ndarray, np.ndarray]:
    """How likely each label is right, and the likeliest one, by Bayes' rule.

    `posterior` is n x K, P(clean class | row) from all but the row's own label, such as
    out-of-sample probabilities of a model; `transition` and `prior` are those of an estimate.
    `classes` are those of the columns, where not all occur in y; None: the sorted ones of y.

    >>> from noiseplus import label_quality
    >>> sure = [[0.9, 0.1]] * 4 + [[0.1, 0.9]] * 4
    >>> right, likeliest = label_quality(sure, [0, 0, 0, 1] + [1] * 4, [[0.8, 0.2], [0, 1]], [0.5, 0.5])
    >>> likeliest.tolist(), bool(right[3] < 0.5 < right[7])
    ([0, 0, 0, 0, 1, 1, 1, 1], True)
    """
    shares = np.ascontiguousarray(posterior, dtype=np.float32)
    codes, _, values = _of_columns(shares, y, classes)
    right, suggested = _core.label_quality(
        shares,
        codes,
        np.ascontiguousarray(transition, dtype=np.float64),
        np.ascontiguousarray(prior, dtype=np.float64),
        thread_count(n_threads),
    )
    return right, values[suggested]


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
        if classes is None:
            raise ValueError("how many classes are there? A plan of groups needs classes=")
        rates = np.ascontiguousarray(group_rates, dtype=np.float64)
        return _core.groups_plan(rates, classes, [str(g + 1) for g in range(len(rates))])
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
    values = labels.kinds.values
    matrices = np.ascontiguousarray(plan, dtype=np.float64)
    if matrices.ndim == 2:
        matrices = matrices[None]
    if matrices.shape[1:] != (len(values),) * 2:
        raise ValueError(f"the plan is of shape {matrices.shape}, and y has {len(values)} classes")
    coded = code_groups(None, groups, rows)
    if len(matrices) > 1 and (coded is None or len(coded.kinds.names) != len(matrices)):
        raise ValueError(f"the plan is of {len(matrices)} groups; give the group of each row")
    codes = np.zeros(0, dtype=np.int32) if coded is None else coded.codes
    seed = whole_number("seed", seed, 0)
    return like(y, values[_core.draw_labels(labels.codes, codes, matrices, seed, True)])


def evaluate(y: Any, answers: Any, groups: Any = None, *, positive: Any = None) -> Report:
    """Accuracy and, by group, the rates that fairness is about, each with its 95 % interval.

    `answers` are predicted labels, or n x K probabilities of the answers in the order of the sorted
    classes of y.

    >>> from noiseplus import evaluate
    >>> evaluate([0, 0, 1, 1], [0, 1, 1, 1], groups=["a", "b", "a", "b"]).to_dict()["accuracy"]
    0.75
    """
    rows = len(y)
    if np.ndim(answers) == 2:
        labels = code(y, "y", rows)
        values, codes = labels.kinds.values, labels.codes
        given: np.ndarray = np.ascontiguousarray(answers, dtype=np.float32)
    else:
        both = np.concatenate([np.asarray(y), np.asarray(answers)])
        values = code(both, "y", len(both)).kinds.values
        codes = code_as(values, y, "y", rows)
        given = code_as(values, answers, "answers", rows)
    names = [name_of(value) for value in values]
    place = len(names) - 1 if positive is None else position_of(positive, names, "class")
    coded = code_groups(None, groups, rows)
    group_codes = np.zeros(0, dtype=np.int32) if coded is None else coded.codes
    group_names = [] if coded is None else coded.kinds.names
    found = _core.evaluate(given, codes, names, place, group_codes, group_names)
    log_warnings(found["warnings"])
    return Report("evaluation", found["json"], found["text"])
