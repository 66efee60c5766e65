"""Dates and durations of pandas as numbers of days, as the engine reads them from csv and Arrow."""

from __future__ import annotations

import datetime
from typing import Any, Optional

import numpy as np

SECONDS_PER_DAY = 86400


def days_of(series: Any) -> Optional[tuple[np.ndarray, bool]]:
    """Days of a column, NaN where missing, and whether they count from 1970-01-01; None where the
    column holds neither dates nor durations. Times with a zone are taken in UTC."""
    import pandas

    dtype, kind = series.dtype, pandas.api.types
    if isinstance(dtype, pandas.PeriodDtype):
        series = series.dt.to_timestamp()
    elif isinstance(dtype, pandas.DatetimeTZDtype):
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    elif type(dtype).__name__ == "ArrowDtype" and str(dtype).startswith(
        ("timestamp", "date", "duration")
    ):
        return days_of_objects(list(series.astype(object)))
    elif not (kind.is_datetime64_dtype(dtype) or kind.is_timedelta64_dtype(dtype)):
        return None
    values = series.to_numpy()
    return _days(values), values.dtype.kind == "M"


def days_of_objects(values: list[Any]) -> Optional[tuple[np.ndarray, bool]]:
    """The same of Python's own dates and durations, None and NaT among them."""
    import pandas

    known = [value for value in values if not pandas.isna(value)]
    missing: Any
    if known and all(isinstance(value, datetime.date) for value in known):
        kind, missing = "datetime64[us]", np.datetime64("NaT")
    elif known and all(isinstance(value, datetime.timedelta) for value in known):
        kind, missing = "timedelta64[us]", np.timedelta64("NaT")
    else:
        return None
    plain = [missing if pandas.isna(value) else _without_zone(value) for value in values]
    return _days(np.array(plain, dtype=kind)), kind.startswith("datetime")


def _without_zone(value: Any) -> Any:
    if getattr(value, "tzinfo", None) is None:
        return value
    return value.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def _days(moments: np.ndarray) -> np.ndarray:
    """Whole days, and the seconds of the last one as a fraction: the bits of the engine's own."""
    is_date = moments.dtype.kind == "M"
    zero = np.datetime64(0, "D") if is_date else np.timedelta64(0, "D")
    day = np.timedelta64(1, "D")
    missing = np.isnat(moments)
    elapsed = np.where(missing, np.timedelta64(0, "D"), moments - zero)
    whole = elapsed // day
    seconds = (elapsed - whole * day) / np.timedelta64(1, "s")
    return np.where(missing, np.nan, whole + seconds / SECONDS_PER_DAY)
