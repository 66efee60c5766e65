"""How long work shows how far it is, and where warnings go."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Optional, Union

from . import _core

LOGGER = logging.getLogger("noiseplus")

Callback = Callable[[str, float], Any]
Progress = Union[None, bool, Callback]


class _Bar:
    """A bar of tqdm's for each stage of the work, in a notebook or on a terminal."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._bar: Any = None
        self._stage = ""

    def __call__(self, stage: str, done: float) -> None:
        if stage != self._stage:
            self.close()
            self._stage = stage
            self._bar = self._tqdm(total=100, desc=stage, unit="%", leave=False)
        self._bar.n = round(100 * done, 1)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextmanager
def callback_of(progress: Progress) -> Iterator[Optional[Callback]]:
    """What the engine calls: the user's function, a bar where True and tqdm is there, or nothing."""
    if not progress:
        yield None
    elif callable(progress):
        yield progress
    else:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            LOGGER.info("progress=True shows a bar where tqdm is installed, and it is not")
            yield None
            return
        bar = _Bar(tqdm)
        try:
            yield bar
        finally:
            bar.close()


_is_quiet: ContextVar[bool] = ContextVar("noiseplus_is_quiet", default=False)


@contextmanager
def without_warnings() -> Iterator[None]:
    """Inside, log_warnings passes nothing on: for work whose results nobody sees."""
    before = _is_quiet.set(True)
    try:
        yield
    finally:
        _is_quiet.reset(before)


def log_warnings(messages: Iterable[str]) -> None:
    """Pass the engine's warnings on to the logger "noiseplus"."""
    if _is_quiet.get():
        return
    for message in messages:
        LOGGER.warning("%s", _core.in_python_terms(message))
