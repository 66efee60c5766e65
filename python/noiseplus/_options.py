"""Options that people give in more than one form."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any, Optional, Union


def texts_of(values: Union[None, str, Sequence[str]]) -> list[str]:
    """A list of texts: one text is a list of one, and None of none."""
    if values is None:
        return []
    return [values] if isinstance(values, str) else [str(value) for value in values]


def whole_number(name: str, value: Any, least: int) -> int:
    """`value` as an int. Throws TypeError for what is no whole number, ValueError below `least`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise TypeError(f"{name}={value!r} is of a wrong type: {type(value).__name__}")
    if value < least:
        raise ValueError(f"{name}={value!r} is out of range: give a number from {least} on")
    return int(value)


def thread_count(n_threads: Optional[int]) -> int:
    """0, one for each core, where nothing else is said."""
    if n_threads is None or n_threads == -1:
        return 0
    most = 256
    count = whole_number("n_threads", n_threads, 1)
    if count > most:
        raise ValueError(f"n_threads={n_threads!r}: at most {most}")
    return count
