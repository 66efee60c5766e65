"""NoiseRobust: any classifier, trained on labels that may be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Optional

import numpy as np

from ._audit import NoiseAudit
from ._options import whole_number
from ._progress import LOGGER
from ._routes import (
    NEED_A_DIFFERENCE,
    NEED_WEIGHTS,
    ROUTES,
    Evidence,
    Gain,
    TrainingSet,
    clean_accuracy_gain,
)
from ._sklearn import BaseEstimator, ClassifierMixin, NotFittedError
from ._stages import apply_plan

# Folds of the audits inside the comparison of routes, where fewer rows are left to train on.
COMPARISON_FOLDS = 3


class NoiseRobust(ClassifierMixin, BaseEstimator):
    """Trains any classifier on labels that may be wrong.

    Audits the labels with the classifier's own out-of-fold probabilities and with the built-in
    models, then does what helps: weights or leaves out rows whose labels are doubtful, corrects or
    balances rates that differ between classes, or leaves the labels alone.

    The route is chosen without clean labels. Each route is tried on folds whose rows neither the
    audit nor the classifier has seen, and is judged by the noisy labels there (corrected where one
    class is proved to be noisier). A route is taken only if it gains more than one standard error
    over plain training. `route_` and `reason_` say what was chosen and why. That takes about 30
    trainings of the classifier; with a given route it takes `cv` + 1.

    Parameters
    ----------
    estimator : classifier
        With `fit`, `predict` and `predict_proba` as of scikit-learn: LightGBM, XGBoost, CatBoost,
        HistGradientBoosting, linear models, a Pipeline, a search. Never fitted itself: clones are.
    route : {"auto", "plain", "weight", "prune", "soften", "correct", "balance"}
        "weight" counts a row as much as its label is likely to be right; "prune" leaves out rows
        that are more likely wrong than right; "soften" trains on each row twice, with its label and
        with the likeliest other one, by their probabilities; "correct" divides the weights by the
        share of its labels that a class keeps; "balance" flips labels of the cleaner class. "auto"
        compares those that the estimator can take, the last two only where one class is proved
        to be noisier.
    cv : int
        Folds of the out-of-fold probabilities.
    comparison_cv : int
        Folds of the comparison of routes.
    noise_estimator : str
        The estimator of the audits, as of NoiseAudit.
    seed : int
    n_threads : int, optional
        Of the audits. None: one for each core.

    Attributes
    ----------
    estimator_ : the classifier, fitted
    route_, reason_ : str, what was chosen, and why
    gains_ : dict
        For each route that was compared, its accuracy minus that of plain training, and the
        standard error of that difference. Empty where the route was given.
    audit_ : NoiseAudit, fitted with the classifier's own probabilities
    label_quality_ : array of n, how likely each label is right: the mean of both audits
    classes_, n_features_in_, feature_names_in_ : as scikit-learn has them

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from noiseplus import NoiseRobust, corrupt_labels
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.integers(0, 2, 2000)
    >>> X = rng.normal(size=(2000, 4)).astype("float32") + 2 * clean[:, None]
    >>> y = corrupt_labels(clean, rates={0: 0.2, 1: 0.3}, seed=0)
    >>> tree = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
    >>> robust = NoiseRobust(tree).fit(X, y)
    >>> robust.route_
    'soften'
    >>> bool(robust.score(X, clean) > tree.fit(X, y).score(X, clean) + 0.1)
    True
    """

    def __init__(
        self,
        estimator: Any,
        *,
        route: str = "auto",
        cv: int = 5,
        comparison_cv: int = 3,
        noise_estimator: str = "auto",
        seed: int = 0,
        n_threads: Optional[int] = None,
    ) -> None:
        self.estimator = estimator
        self.route = route
        self.cv = cv
        self.comparison_cv = comparison_cv
        self.noise_estimator = noise_estimator
        self.seed = seed
        self.n_threads = n_threads

    # ------------------------------------------------------------------------------------- fitting

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, **fit_params: Any
    ) -> NoiseRobust:
        """Train on the rows of X and their labels.

        `sample_weight` is multiplied by the weights of the route. `groups`, one value per row, are
        audited apart, as of NoiseAudit.fit. Other parameters go to the estimator's `fit` as they
        are (eval_set, callbacks, ...); arrays with one entry per row are cut with the rows.
        """
        self._check_parameters()
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        task = _Task(self, X, y, sample_weight, groups, fit_params)
        everything = np.arange(task.count)
        probabilities = task.out_of_fold(everything, self.cv)
        evidence, audit = task.examine(everything, probabilities)
        self.gains_: dict[str, Gain] = {}
        self.route_, self.reason_ = self._choose(task, evidence)
        chosen = ROUTES[self.route_](task.codes, evidence)
        self.estimator_ = task.train(everything, chosen)
        self.audit_ = audit
        self.label_quality_ = evidence.quality
        self.classes_ = task.classes
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        LOGGER.info("%s: %s", self.route_, self.reason_)
        return self

    def _check_parameters(self) -> None:
        if self.route != "auto" and self.route not in ROUTES:
            raise ValueError(f"route={self.route!r}: give 'auto' or one of {', '.join(ROUTES)}")
        whole_number("cv", self.cv, 2)
        whole_number("comparison_cv", self.comparison_cv, 2)
        whole_number("seed", self.seed, 0)
        if not hasattr(self.estimator, "fit"):
            raise TypeError(f"estimator={self.estimator!r} is no classifier: it has no fit")
        if not hasattr(self.estimator, "predict_proba"):
            raise TypeError(
                f"{type(self.estimator).__name__} has no predict_proba, which the audit needs; wrap "
                "it in sklearn.calibration.CalibratedClassifierCV"
            )
        if self.route in NEED_WEIGHTS and weight_parameter(self.estimator) is None:
            raise ValueError(
                f"route={self.route!r}: {type(self.estimator).__name__} takes no sample_weight; give "
                "'prune', or 'auto' for a route that it can take"
            )

    def _choose(self, task: _Task, evidence: Evidence) -> tuple[str, str]:
        if self.route != "auto":
            return self.route, "as given"
        names = [
            name
            for name in ROUTES
            if (name not in NEED_WEIGHTS or task.takes_weights)
            and (name not in NEED_A_DIFFERENCE or evidence.classes_differ)
        ]
        answers = task.compare(names, self.comparison_cv)
        for name in names[1:]:
            self.gains_[name] = clean_accuracy_gain(
                task.codes, answers["plain"], answers[name], evidence
            )
        return _best_route(self.gains_, evidence)

    # ------------------------------------------------------------------------------------ answering

    def predict(self, X: Any) -> np.ndarray:
        """The likeliest class of each row."""
        return np.asarray(self._fitted().predict(X)).ravel()

    def predict_proba(self, X: Any) -> np.ndarray:
        """n x K, in the order of `classes_`."""
        return np.asarray(self._fitted().predict_proba(X))

    def _fitted(self) -> Any:
        if not hasattr(self, "estimator_"):
            raise NotFittedError(
                "This NoiseRobust instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this estimator."
            )
        return self.estimator_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def _more_tags(self) -> dict[str, Any]:  # before scikit-learn 1.6
        return {"allow_nan": True, "requires_y": True}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.target_tags.required = True
        return tags


def _best_route(gains: Mapping[str, Gain], evidence: Evidence) -> tuple[str, str]:
    judged = "noisy labels corrected for their rates" if evidence.classes_differ else "noisy labels"
    name, best = max(gains.items(), key=lambda item: item[1].beyond_chance)
    told = (
        f"changes accuracy by {100 * best.value:+.1f} points (standard error "
        f"{100 * best.standard_error:.1f}) on held-out rows, judged by {judged}"
    )
    if best.beyond_chance > 0:
        return name, f"{name} {told}"
    return "plain", f"no route gains more than chance: the best of them, {name}, {told}"


class _Task:
    """The data of one fit, and what is done with parts of them."""

    def __init__(
        self,
        owner: NoiseRobust,
        X: Any,
        y: Any,
        sample_weight: Any,
        groups: Any,
        fit_params: Mapping[str, Any],
    ) -> None:
        try:
            from sklearn.utils import indexable
        except ImportError as error:
            raise ImportError("NoiseRobust needs scikit-learn: pip install scikit-learn") from error
        self.owner = owner
        self.X, self.y = indexable(X, y)
        values = np.asarray(self.y)
        if values.ndim != 1:
            raise ValueError(f"y is of shape {values.shape}; give one label per row")
        self.classes, self.codes = np.unique(values, return_inverse=True)
        self.count = len(self.codes)
        smallest = np.bincount(self.codes).min()
        if len(self.classes) < 2:
            raise ValueError(f"y has one class only ({self.classes[0]!r}); give two at least")
        if smallest < 2:
            rare = self.classes[np.bincount(self.codes).argmin()]
            raise ValueError(f"class {rare!r} has one row only; give two at least, or leave it out")
        self.smallest = int(smallest)
        self.weights = None if sample_weight is None else _one_per_row(sample_weight, self.count)
        self.groups = groups
        self.fit_params = fit_params
        self.weight_name = weight_parameter(owner.estimator)
        if self.weights is not None and self.weight_name is None:
            raise ValueError(f"{type(owner.estimator).__name__} takes no sample_weight")

    @property
    def takes_weights(self) -> bool:
        return self.weight_name is not None

    def train(self, rows: np.ndarray, chosen: TrainingSet) -> Any:
        """A clone of the classifier, trained on what a route made of these rows."""
        from sklearn.base import clone

        rows = rows[chosen.rows]
        weights = chosen.weights
        if self.weights is not None:
            weights = self.weights[rows] * (1 if weights is None else weights)
        parameters = {name: _cut(value, rows, self.count) for name, value in self.fit_params.items()}
        if weights is not None and self.weight_name is not None:
            parameters[self.weight_name] = weights
        return clone(self.owner.estimator).fit(
            _cut(self.X, rows, self.count), self.classes[chosen.codes], **parameters
        )

    def folds(self, rows: np.ndarray, count: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        from sklearn.model_selection import StratifiedKFold

        codes = self.codes[rows]
        count = max(2, min(count, int(np.bincount(codes)[np.unique(codes)].min())))
        splitter = StratifiedKFold(count, shuffle=True, random_state=seed)
        yield from splitter.split(np.zeros((len(rows), 1)), codes)

    def out_of_fold(self, rows: np.ndarray, count: int) -> np.ndarray:
        """Class probabilities of each of these rows, by a classifier that has not seen it."""
        shares = np.zeros((len(rows), len(self.classes)), dtype=np.float32)
        for trained, held_out in self.folds(rows, count, self.owner.seed):
            codes = self.codes[rows[trained]]
            everything = TrainingSet(np.arange(len(trained)), codes, None)
            model = self.train(rows[trained], everything)
            columns = np.searchsorted(self.classes, model.classes_)
            answers = model.predict_proba(_cut(self.X, rows[held_out], self.count))
            shares[np.ix_(held_out, columns)] = answers
        return shares

    def examine(self, rows: np.ndarray, probabilities: np.ndarray) -> tuple[Evidence, NoiseAudit]:
        """What the audit by these probabilities and that by the built-in models say together."""
        owner = self.owner
        given = _cut(self.y, rows, self.count)
        groups = None if self.groups is None else _cut(self.groups, rows, self.count)
        X = _cut(self.X, rows, self.count) if _engine_reads(self.X) else None
        audits = []
        for shares in (probabilities, None):
            if shares is None and X is None:
                continue
            audit = NoiseAudit(owner.noise_estimator, seed=owner.seed, n_threads=owner.n_threads)
            audits.append(audit.fit(X, given, groups=groups, probabilities=shares))
        return self._together(audits, rows, probabilities), audits[0]

    def _together(
        self, audits: list[NoiseAudit], rows: np.ndarray, probabilities: np.ndarray
    ) -> Evidence:
        codes = self.codes[rows]
        quality = np.mean([np.asarray(audit.label_quality_) for audit in audits], axis=0)
        others = np.array(probabilities)
        others[np.arange(len(rows)), codes] = -1
        balanced = None
        if all(audit.noisier_ is not None for audit in audits):
            groups = None if self.groups is None else _cut(self.groups, rows, self.count)
            balanced = np.asarray(apply_plan(audits[0].plan_, codes, groups, seed=self.owner.seed))
        return Evidence(
            quality=quality,
            alternative=others.argmax(axis=1),
            transition=np.mean([audit.transition_ for audit in audits], axis=0),
            balanced=balanced,
        )

    def compare(self, names: list[str], count: int) -> dict[str, np.ndarray]:
        """What each route answers to rows that neither its audit nor its classifier has seen."""
        answers = {name: np.zeros(self.count, dtype=np.intp) for name in names}
        everything = np.arange(self.count)
        for trained, held_out in self.folds(everything, count, self.owner.seed + 1):
            probabilities = self.out_of_fold(trained, COMPARISON_FOLDS)
            evidence, _ = self.examine(trained, probabilities)
            rows = _cut(self.X, held_out, self.count)
            for name in names:
                model = self.train(trained, ROUTES[name](self.codes[trained], evidence))
                found = np.searchsorted(self.classes, np.asarray(model.predict(rows)).ravel())
                answers[name][held_out] = found
        return answers


def weight_parameter(estimator: Any) -> Optional[str]:
    """What `fit` calls the weights of rows; None where it takes none."""
    from sklearn.utils.validation import has_fit_parameter

    if hasattr(estimator, "steps"):  # a pipeline hands them to its last step
        name, last = estimator.steps[-1]
        inner = weight_parameter(last)
        return None if inner is None else f"{name}__{inner}"
    if has_fit_parameter(estimator, "sample_weight"):
        return "sample_weight"
    if hasattr(estimator, "param_grid") or hasattr(estimator, "param_distributions"):
        return weight_parameter(estimator.estimator)  # a search hands them on
    return None


def _one_per_row(values: Any, count: int) -> np.ndarray:
    array = np.asarray(values, dtype=np.float64)
    if array.shape != (count,):
        raise ValueError(f"sample_weight is of shape {array.shape}, and there are {count} rows")
    if not (np.isfinite(array).all() and (array >= 0).all()):
        raise ValueError("sample_weight has a value that is negative or not finite")
    return array


def _cut(value: Any, rows: np.ndarray, count: int) -> Any:
    """These rows of something with one entry per row; anything else as it is."""
    from sklearn.utils import _safe_indexing

    is_array = hasattr(value, "shape") or hasattr(value, "iloc") or isinstance(value, list)
    if not is_array or getattr(value, "shape", (len(value),))[:1] != (count,):
        return value
    return _safe_indexing(value, rows)


def _engine_reads(X: Any) -> bool:
    """Whether the built-in models can look at X: a table, or an array of numbers."""
    if hasattr(X, "columns") or hasattr(X, "column_names"):
        return True
    return isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "fiub"
