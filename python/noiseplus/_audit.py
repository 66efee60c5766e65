"""NoiseAudit: which class or group has the noisier labels, by how much, with what certainty."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Optional, Union

import numpy as np

from . import _core
from ._base import DataEstimator, Reading
from ._input import Columns
from ._labels import with_gaps
from ._options import thread_count
from ._progress import LOGGER, Progress, callback_of, log_warnings
from ._report import Report

DEFAULT_NEIGHBORS = 10


class Auditor(DataEstimator):
    """How the labels are looked at: what NoiseAudit and NoiseBalancer have in common."""

    estimator: str
    assume: Optional[str]
    k: Optional[int]
    metric: str
    views: str
    positive: Any
    seed: int

    def _audit_options(self, reading: Reading) -> dict[str, Any]:
        k, rows = self.k, reading.count
        if k is None:
            k = min(DEFAULT_NEIGHBORS, rows - 1)
            if k < DEFAULT_NEIGHBORS:
                log_warnings([f"{rows} rows only: k is {k} in place of 10"])
        return {
            "estimator": self.estimator,
            "assume": self.assume,
            "k": k,
            "metric": self.metric,
            "views": self.views,
            "positive": reading.positive_name(self.positive),
            "seed": self.seed,
            "probabilities": reading.probabilities,
        }

    def _take(self, kind: str, reading: Reading, found: dict[str, Any]) -> dict[str, Any]:
        """Set the attributes that tell what was found, and return the report's numbers."""
        self._remember(reading)
        report = Report(kind, found["json"], found["text"])
        self.report_ = report
        log_warnings(found["warnings"])
        data = report.to_dict()
        LOGGER.info("%s of %d rows: %s", report.kind, data["rows"], data["seconds"])
        self.noise_rates_ = np.array([rate["rate"] for rate in data["noise"]])
        self.intervals_ = np.array([[rate["low"], rate["high"]] for rate in data["noise"]])
        self.transition_ = np.array(data["transition"])
        self.prior_ = np.array(data["prior"])
        self.gap_ = data["gap"]["value"]
        self.gap_interval_ = (data["gap"]["low"], data["gap"]["high"])
        self.p_value_ = data["gap"]["p_value"]
        self.identified_ = data["identified"]
        self.noisier_ = self._kinds.called(data["noisier"])
        self.cleaner_ = self._kinds.called(data["cleaner"])
        self.leans_ = self._kinds.called(data["leans"])
        self.estimates_ = {name: np.array(rates) for name, rates in data["estimates"].items()}
        self.plan_ = np.array([part["flip"] for part in data["plan"]])
        self.scope_ = data["scope"]
        self._take_groups(data)
        return data

    def _take_groups(self, data: dict[str, Any]) -> None:
        groups, kinds = data["groups"], self._group_kinds
        self.groups_ = None if kinds is None else kinds.values
        self.group_rates_ = np.array([group["rate"] for group in groups])
        self.group_intervals_ = np.array([[g["low"], g["high"]] for g in groups]).reshape(-1, 2)
        self.group_transitions_ = np.array([group["transition"] for group in groups])
        self.noisier_group_ = None if kinds is None else kinds.called(data["noisier_group"])
        self.cleaner_group_ = None if kinds is None else kinds.called(data["cleaner_group"])

    def report(self) -> Report:
        """All that was found: print it, look at it in a notebook, or take its dict."""
        self._check_fitted()
        return self.report_

    def to_html(self, path: Union[str, PathLike[str]]) -> None:
        """Write the report as a page to look at, all in one file."""
        self.report().to_html(path)


class NoiseAudit(Auditor):
    """Says which class or protected group has the noisier labels, without any ground truth.

    Parameters
    ----------
    estimator : str
        "auto" looks at how far the classes overlap and chooses; or "curve", "moments",
        "latent-class", "edges", "overlap", "confident", "paper" (docs/estimators.md).
    assume : {"embedding", "table"}, optional
        What you know of the rows, in place of what "auto" finds out.
    k : int, optional
        Neighbors that are looked at: 10, or fewer where there are fewer rows.
    anchors : int or "auto", optional
        Rows whose neighbors are searched; all where nothing is said. "auto": as many as
        `precision` needs.
    precision : float, optional
        With anchors="auto": the wanted half-width of the gap's 95 % interval; 0.01 where nothing is
        said.
    metric : {"euclidean", "cosine"}
    views : {"all", "anchored"}
        Of "moments".
    positive : label, optional
        Two classes: which is called positive; the last where nothing is said.
    judge_rows : bool, optional
        Whether to say of each row how likely its label is right. None: where all rows are looked at.
    suspects : int
        How many of the rows most likely mislabeled go into the report and its page, with their
        values and their neighbors' labels; up to 1000. Two classes: the paper's agreements after
        flips go with them.
    compare_routes : bool
        Whether the advice rests on what training gains from weights, a corrected loss or balanced
        labels, tried with built-in models on a sample of the rows. It takes a second or two.
    scale : bool, optional
        Standardize the columns. None: tables yes, arrays no.
    missing : sequence of str
        Texts in tables that mean a missing cell, besides "" and "?".
    missing_label : {"drop", "error"}
        Rows without a label (None, NaN, NaT, "", "?", the text "nan", or one of `missing`) are left
        out of all estimates and counted, or are an error.
    drop : sequence of str
        Columns of a table that are no features.
    group_columns : str, int or a list of these, optional
        Columns of X that name a row's group, where `fit` is not given groups.
    seed : int
    n_threads : int, optional
        None: one for each core. The answer does not depend on it.
    progress : bool or callable, optional
        True: a bar of tqdm's. A function is called with (stage, share done) now and then, and stops
        the work by returning False.

    Attributes
    ----------
    classes_, noise_rates_, intervals_ : arrays of K, K and K x 2
        Share of the labels of each class that are wrong, with its 95 % interval.
    transition_ : K x K array, T[i, j] = P(label j | clean class i)
    prior_ : array of K, the shares of the clean classes
    gap_, gap_interval_, p_value_ : highest minus lowest rate, and how sure it is
    identified_ : bool
        False: the rates are not to be relied on, and the report says why.
    noisier_, cleaner_ : label or None
        Where it is proved. None says that no difference is claimed.
    leans_ : label or None, a class that looks noisier without being proved so
    label_quality_, suggested_labels_ : arrays of n, or None
        A score of how credible each label is, and the likeliest label. Rows without a label have
        NaN, and None (NaN where labels are floats).
    rows_are_calibrated_ : bool, or None where rows were not judged
        True: ``label_quality_`` are probabilities, if noise depends on the class only. False: they
        rank the rows, the least credible label lowest, and are not probabilities.
    n_missing_labels_ : int, rows without a label
    groups_, group_rates_, group_intervals_, group_transitions_, noisier_group_, cleaner_group_
        The same of groups.
    estimates_ : dict, rates by each estimator
    plan_, scope_ : what balancing would flip: a K x K matrix a group, or one for all

    Examples
    --------
    >>> import numpy as np
    >>> from noiseplus import NoiseAudit, corrupt_labels
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.integers(0, 2, 4000)
    >>> X = rng.normal(size=(4000, 4)).astype("float32") + 4 * clean[:, None]
    >>> y = corrupt_labels(clean, rates={1: 0.3}, seed=0)
    >>> audit = NoiseAudit().fit(X, y)
    >>> audit.noise_rates_.round(2)
    array([0.  , 0.31])
    >>> audit.noisier_
    1
    >>> bool(np.mean(y[audit.suspicious_rows()] != clean[audit.suspicious_rows()]) > 0.95)
    True
    """

    def __init__(
        self,
        estimator: str = "auto",
        *,
        assume: Optional[str] = None,
        k: Optional[int] = None,
        anchors: Union[None, int, str] = None,
        precision: Optional[float] = None,
        metric: str = "euclidean",
        views: str = "all",
        positive: Any = None,
        judge_rows: Optional[bool] = None,
        suspects: int = 0,
        compare_routes: bool = True,
        scale: Optional[bool] = None,
        missing: Sequence[str] = (),
        missing_label: str = "drop",
        drop: Sequence[str] = (),
        group_columns: Columns = None,
        seed: int = 0,
        n_threads: Optional[int] = None,
        progress: Progress = None,
    ) -> None:
        self.estimator = estimator
        self.assume = assume
        self.k = k
        self.anchors = anchors
        self.precision = precision
        self.metric = metric
        self.views = views
        self.positive = positive
        self.judge_rows = judge_rows
        self.suspects = suspects
        self.compare_routes = compare_routes
        self.scale = scale
        self.missing = missing
        self.missing_label = missing_label
        self.drop = drop
        self.group_columns = group_columns
        self.seed = seed
        self.n_threads = n_threads
        self.progress = progress

    def fit(
        self, X: Any, y: Any, groups: Any = None, probabilities: Any = None
    ) -> NoiseAudit:
        """Look at the rows of X and their labels.

        `y` is one label a row, or the name of a column of the table X. `groups` is one value a row,
        several (each combination is a group), or names of columns of X.

        `probabilities` are out-of-fold class probabilities of a model of your own, n x K in the
        order of the sorted classes (as cross_val_predict gives them), or a table with a column per
        class. They take the place of the built-in linear model. X may then be None: neighbors are
        those of the probabilities.
        """
        reading = self._read(X, y, groups, probabilities)
        options = self._audit_options(reading) | self._anchor_options()
        options |= {"suspects": self.suspects, "agreements": self.suspects > 0}
        options["compare_routes"] = self.compare_routes
        with callback_of(self.progress) as progress:
            found = _core.audit(reading.data, options, thread_count(self.n_threads), progress)
        data = self._take("audit", reading, found)
        self._take_rows(found["right"], found["suggested"], reading)
        calibration = data.get("row_probabilities")
        self.rows_are_calibrated_ = None if calibration is None else calibration == "calibrated"
        return self

    def _take_rows(self, right: np.ndarray, suggested: np.ndarray, reading: Reading) -> None:
        if len(right) == 0:  # not asked for
            self.label_quality_ = self.suggested_labels_ = None
            self._suspects = None
            return
        known, count = reading.known_rows, reading.rows.count
        self.label_quality_ = with_gaps(right, known, count)
        self.suggested_labels_ = with_gaps(self.classes_[suggested], known, count)
        rows = np.flatnonzero(suggested != reading.labels.codes)
        rows = rows[np.argsort(right[rows], kind="stable")]
        self._suspects = rows if known is None else known[rows]

    def _anchor_options(self) -> dict[str, Any]:
        samples = self.anchors is not None or self.precision is not None
        judge_rows = self.judge_rows
        if judge_rows is None:
            judge_rows = not samples
        if self.anchors == "auto" or (self.anchors is None and self.precision is not None):
            precision = 0.01 if self.precision is None else self.precision
            return {"precision": precision, "judge_rows": judge_rows}
        if isinstance(self.anchors, str) or (self.anchors is not None and self.precision is not None):
            raise ValueError(
                f"anchors={self.anchors!r}, precision={self.precision!r}: anchors is a number of "
                "rows, or 'auto' for as many as the precision needs"
            )
        if self.anchors is not None and self.anchors < 1:
            raise ValueError(f"anchors={self.anchors}: give a number from 1 on")
        return {"anchors": self.anchors, "judge_rows": judge_rows}

    def suspicious_rows(self, limit: Optional[int] = None) -> np.ndarray:
        """Rows whose likeliest label is not the given one, the least credible first."""
        self._check_fitted()
        if self._suspects is None:
            raise ValueError("rows were not judged: fit with judge_rows=True, and on all rows")
        return self._suspects[:limit]
