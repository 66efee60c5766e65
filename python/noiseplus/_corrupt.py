"""corrupt_labels: labels made noisy at known rates, for experiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

import numpy as np

from . import _core
from ._groups import code_groups
from ._labels import Kinds, code, like
from ._options import whole_number


def _check_rate(name: Any, rate: float) -> float:
    if not 0 <= rate <= 1:
        raise ValueError(f"the rate of {name!r} is {rate}; give one from 0 to 1")
    return float(rate)


def _symmetric(classes: int, rate: float) -> np.ndarray:
    matrix = np.full((classes, classes), rate / (classes - 1))
    np.fill_diagonal(matrix, 1 - rate)
    return matrix


def _by_class(rates: Mapping[Any, float], classes: Kinds) -> np.ndarray:
    size = len(classes.names)
    matrix = np.eye(size)
    for name, rate in rates.items():
        row = classes.position(name, "class")
        matrix[row] = _symmetric(size, _check_rate(name, rate))[row]
    return matrix[None]


def _by_group(rates: Mapping[Any, float], groups: Kinds, size: int) -> np.ndarray:
    matrices = np.stack([np.eye(size)] * len(groups.names))
    for name, rate in rates.items():
        group = groups.position(name, "group")
        matrices[group] = _symmetric(size, _check_rate(name, rate))
    return matrices


def corrupt_labels(
    y: Any,
    rates: Optional[Mapping[Any, float]] = None,
    *,
    transition: Any = None,
    group_rates: Optional[Mapping[Any, float]] = None,
    groups: Any = None,
    random_gap: Optional[float] = None,
    seed: int = 0,
) -> Any:
    """Labels with noise put in: those that `noiseplus corrupt` writes for the same seed.

    Give one of: `rates`, the share of each class's labels that becomes another; `transition`, a
    K x K matrix with a row a clean class; `group_rates` together with `groups`, one value a row;
    `random_gap`, for a random matrix in which two classes keep that much more of their labels.
    Draws are nested: a higher rate changes the same labels and more.

    >>> from noiseplus import corrupt_labels
    >>> corrupt_labels(["a", "b", "a", "b"] * 3, rates={"b": 1.0}).tolist()[:4]
    ['a', 'a', 'a', 'a']
    """
    rows = len(y)
    whole_number("seed", seed, 0)
    labels = code(y, "y", rows)
    size = len(labels.kinds.names)
    if size < 2:
        raise ValueError("y has one class only; there is no other to turn it into")
    ways = [way is not None for way in (rates, transition, group_rates, random_gap)]
    if sum(ways) != 1:
        raise ValueError("how noisy? Give one of rates, transition, group_rates and random_gap")
    coded = code_groups(None, groups, rows)
    if (coded is None) != (group_rates is None):
        raise ValueError("noise by group needs both groups and group_rates")
    if rates is not None:
        matrices = _by_class(rates, labels.kinds)
    elif group_rates is not None and coded is not None:
        matrices = _by_group(group_rates, coded.kinds, size)
    elif random_gap is not None:
        matrices = _core.random_gap_transition(size, random_gap, seed)[None]
    else:
        matrices = np.ascontiguousarray(transition, dtype=np.float64)[None]
        if matrices.shape != (1, size, size):
            raise ValueError(f"transition must be {size} x {size}, a row a class in sorted order")
    group_codes = np.zeros(0, dtype=np.int32) if coded is None else coded.codes
    noisy = _core.draw_labels(labels.codes, group_codes, matrices, seed, False)
    return like(y, labels.kinds.values[noisy])
