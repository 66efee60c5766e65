"""NoiseRobust: any classifier, trained on labels that may be wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from copy import deepcopy
from typing import Any, Optional

import numpy as np

from ._audit import NoiseAudit
from ._input import is_table
from ._labels import MissingLabels, code, name_of, plain, with_gaps
from ._options import thread_count, whole_number
from ._progress import LOGGER, log_warnings, without_warnings
from ._routes import (
    NEED_A_DIFFERENCE,
    NEED_WEIGHTS,
    ROUTES,
    Evidence,
    Gain,
    TrainingSet,
    best_route,
    clean_accuracy_gain,
)
from ._sklearn import BaseEstimator, ClassifierMixin, NotFittedError
from ._stages import apply_plan

# Folds of the audits inside the comparison of routes, where fewer rows are left to train on.
COMPARISON_FOLDS = 3
# Few rows tell routes apart badly: below so many the comparison is repeated on other folds.
ROWS_FOR_ONE_COMPARISON = 2000
MAX_COMPARISONS = 4
# In the names of parameters of `fit` that hold rows to validate with: never cut with the rows of X.
VALIDATION_WORDS = {"eval", "val", "valid", "validation", "test"}


class NoiseRobust(ClassifierMixin, BaseEstimator):
    """Trains any classifier on labels that may be wrong.

    Audits the labels with the classifier's own out-of-fold probabilities and with the built-in
    models, then does what helps: weights or leaves out rows whose labels are doubtful, corrects or
    balances rates that differ between classes, or leaves the labels alone.

    The route is chosen without clean labels. Each route is tried on folds whose rows neither the
    audit nor the classifier has seen, and is judged by the noisy labels there (corrected where one
    class is proved to be noisier; weights, pruning and soft labels must gain by the labels as they
    are too). A route is taken only if it gains more over plain training than the best of several
    would by chance: half a standard error, or a whole one where no audit is sure that any label is
    wrong. `route_` and `reason_` say what was chosen and why.

    Cost: with the default settings 27 trainings of the classifier and 8 audits, or 33 trainings
    where one class is proved to be noisier. Below some 1,300 rows the comparison, 21 of these
    trainings and 6 of the audits, is made two to four times. A given route takes `cv` + 1 trainings and 2
    audits.

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
    missing_label : {"drop", "error"}
        As of NoiseAudit: rows without a label are left out, or are an error.
    seed : int
    n_threads : int, optional
        Of the audits. None: one for each core.

    Attributes
    ----------
    estimator_ : the classifier, fitted
    route_, reason_ : str, what was chosen, and why
    gains_ : dict
        For each route that was compared, its accuracy minus that of plain training (`value`), and
        the `standard_error` of that difference; `by_given_labels` has both by the noisy labels
        where they were corrected. Empty where the route was given.
    audit_ : NoiseAudit, fitted with the classifier's own probabilities
    label_quality_ : array of n
        How likely each label is right: the mean of both audits; NaN where it is missing.
    n_missing_labels_ : int
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
        missing_label: str = "drop",
        seed: int = 0,
        n_threads: Optional[int] = None,
    ) -> None:
        self.estimator = estimator
        self.route = route
        self.cv = cv
        self.comparison_cv = comparison_cv
        self.noise_estimator = noise_estimator
        self.missing_label = missing_label
        self.seed = seed
        self.n_threads = n_threads

    # ------------------------------------------------------------------------------------- fitting

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, **fit_params: Any
    ) -> NoiseRobust:
        """Train on the rows of X and their labels.

        `sample_weight` is multiplied by the weights of the route. `groups`, one value per row, are
        audited apart, as of NoiseAudit.fit. Other parameters go to the estimator's `fit` as they
        are (callbacks, eval_set, ...); arrays with one entry per row are cut with the rows, but for
        those to validate with (`eval`, `val`, `valid`, `validation` or `test` in the name).
        """
        self._check_parameters()
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        task = _Task(self, X, y, sample_weight, groups, fit_params)
        probabilities = task.out_of_fold(task.rows, self.cv)
        evidence, audit = task.examine(task.rows, probabilities, quietly=False)
        self.gains_: dict[str, Gain] = {}
        self.route_, self.reason_ = self._choose(task, evidence)
        chosen = ROUTES[self.route_](task.codes[task.rows], evidence)
        self.estimator_ = task.train(task.rows, chosen)
        self.audit_ = audit
        self.label_quality_ = with_gaps(evidence.quality, task.known_rows, task.count)
        self.n_missing_labels_ = task.count - len(task.rows)
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
        thread_count(self.n_threads)
        if not hasattr(self.estimator, "fit"):
            raise TypeError(f"estimator={self.estimator!r} is no classifier: it has no fit")
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
        if not task.has_rows_to_compare(self.comparison_cv):
            return "plain", "too few rows of some class to compare routes"
        answers = task.compare(names, self.comparison_cv)
        codes, unchanged = task.codes[task.rows], answers.pop("plain")
        self.gains_ = {
            name: clean_accuracy_gain(codes, unchanged, found, evidence)
            for name, found in answers.items()
        }
        return best_route(self.gains_, evidence)

    # ------------------------------------------------------------------------------------ answering

    def predict(self, X: Any) -> np.ndarray:
        """The likeliest class of each row."""
        found = self._fitted().predict(X)
        answers: np.ndarray = self.classes_[class_codes(found, self.classes_)]
        return answers

    def predict_proba(self, X: Any) -> np.ndarray:
        """n x K, in the order of `classes_`."""
        model = self._fitted()
        return class_shares(model, X, self.classes_)

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
        (self.X,) = indexable(X)
        self.count = _row_count(self.X)
        self.groups = groups
        self._take_labels(y)
        self._take_weights(sample_weight, dict(fit_params))
        self.readable_X = _readable(self.X)
        problem = self._reading_problem(self.rows)
        if problem is not None:
            log_warnings([f"X is not audited, only the probabilities of the estimator: {problem}"])
            self.readable_X = None

    def _take_labels(self, y: Any) -> None:
        labels = code(y, "y", self.count, missing=MissingLabels.parse(self.owner.missing_label))
        self.codes = labels.codes
        self.classes = labels.kinds.values
        self.known_rows = labels.known_rows
        self.rows = np.arange(self.count) if self.known_rows is None else self.known_rows
        rows_of_class = np.bincount(self.codes[self.rows])
        if len(self.classes) == 0:
            raise ValueError("y has no labels")
        if len(self.classes) < 2:
            raise ValueError(f"y has one class only ({self.classes[0]!r}); give two at least")
        if rows_of_class.min() < 2:
            rare = self.classes[rows_of_class.argmin()]
            raise ValueError(f"class {rare!r} has one row only; give two at least, or leave it out")
        if len(self.rows) < self.count:
            count = self.count - len(self.rows)
            log_warnings([f"{count} of {self.count} rows have no label and are left out"])

    def _take_weights(self, sample_weight: Any, fit_params: dict[str, Any]) -> None:
        name = weight_parameter(self.owner.estimator)
        self.weight_name = name
        if name is not None and name in fit_params:
            if sample_weight is not None:
                raise ValueError(f"sample_weight and {name} both weigh the rows; give one of them")
            sample_weight = fit_params.pop(name)
        if sample_weight is not None and name is None:
            raise ValueError(f"{type(self.owner.estimator).__name__} takes no sample_weight")
        self.weights = None if sample_weight is None else _one_per_row(sample_weight, self.count)
        self.fit_params = fit_params

    @property
    def takes_weights(self) -> bool:
        return self.weight_name is not None

    def train(self, rows: np.ndarray, chosen: TrainingSet) -> Any:
        """A clone of the classifier, trained on what a route made of these rows."""
        rows = rows[chosen.rows]
        weights = chosen.weights
        if self.weights is not None:
            weights = self.weights[rows] * (1 if weights is None else weights)
        parameters = {
            name: value if _is_for_validation(name) else _cut(value, rows, self.count)
            for name, value in self.fit_params.items()
        }
        if weights is not None and self.weight_name is not None:
            parameters[self.weight_name] = weights
        labels = self.classes[chosen.codes]
        return _copy(self.owner.estimator).fit(_cut(self.X, rows, self.count), labels, **parameters)

    def shares(self, model: Any, rows: np.ndarray) -> np.ndarray:
        """What a model that was trained here says of these rows."""
        if not hasattr(model, "predict_proba"):
            raise TypeError(
                f"{type(model).__name__} has no predict_proba, which the audit needs; wrap it in "
                "sklearn.calibration.CalibratedClassifierCV"
            )
        return class_shares(model, _cut(self.X, rows, self.count), self.classes)

    def folds(self, rows: np.ndarray, count: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Rows to train on and rows held out, as places in `rows`. Every class is in every
        training part: the only row of a class is never held out."""
        from sklearn.model_selection import StratifiedKFold

        codes = self.codes[rows]
        rows_of_class = np.bincount(codes)
        is_single = rows_of_class[codes] == 1
        several = np.flatnonzero(~is_single)
        if len(several) == 0:
            raise ValueError(f"{self.count} rows are too few: some class needs two in every part")
        fewest = int(rows_of_class[rows_of_class > 1].min())
        splitter = StratifiedKFold(min(count, fewest), shuffle=True, random_state=seed)
        for trained, held_out in splitter.split(np.zeros((len(several), 1)), codes[several]):
            singles = np.flatnonzero(is_single)
            yield np.sort(np.concatenate([several[trained], singles])), several[held_out]

    def out_of_fold(self, rows: np.ndarray, count: int) -> np.ndarray:
        """Class probabilities of each of these rows, by a classifier that has not seen it. The only
        row of a class, which all have seen, is said to be of any class."""
        shares = np.full((len(rows), len(self.classes)), 1 / len(self.classes), dtype=np.float32)
        for trained, held_out in self.folds(rows, count, self.owner.seed):
            everything = TrainingSet(np.arange(len(trained)), self.codes[rows[trained]], None)
            shares[held_out] = self.shares(self.train(rows[trained], everything), rows[held_out])
        return shares

    def examine(
        self, rows: np.ndarray, probabilities: np.ndarray, *, quietly: bool
    ) -> tuple[Evidence, NoiseAudit]:
        """What the audit by these probabilities and that by the built-in models say together."""
        X = None if self.readable_X is None else _cut(self.readable_X, rows, self.count)
        try:
            audits = self._audits(X, rows, probabilities, quietly)
        except ValueError:
            # Of few rows every column may be constant, though of all rows none is.
            if len(rows) == len(self.rows) or self._reading_problem(rows) is None:
                raise
            audits = self._audits(None, rows, probabilities, quietly)
        return self._together(audits, rows, probabilities), audits[0]

    def _reading_problem(self, rows: np.ndarray) -> Optional[ValueError]:
        """Why the built-in models cannot look at these rows of X; None where they can, or where X
        is nothing for them."""
        if self.readable_X is None:
            return None
        reader = NoiseAudit(n_threads=self.owner.n_threads)
        try:
            with without_warnings():
                reader._read(_cut(self.readable_X, rows, self.count), self.classes[self.codes[rows]])
        except ValueError as error:
            return error
        return None

    def _audits(
        self, X: Any, rows: np.ndarray, probabilities: np.ndarray, quietly: bool
    ) -> list[NoiseAudit]:
        with without_warnings() if quietly else nullcontext():
            audits = [self._audit(X, rows, probabilities)]
        if X is not None:
            with without_warnings():  # they would be the same
                audits.append(self._audit(X, rows, None))
        return audits

    def _audit(self, X: Any, rows: np.ndarray, probabilities: Optional[np.ndarray]) -> NoiseAudit:
        owner = self.owner
        groups = None if self.groups is None else _cut(self.groups, rows, self.count)
        audit = NoiseAudit(
            owner.noise_estimator,
            compare_routes=False,  # it is done here, with the caller's own classifier
            seed=owner.seed,
            n_threads=owner.n_threads,
        )
        return audit.fit(X, self.classes[self.codes[rows]], groups=groups, probabilities=probabilities)

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
            some_are_wrong=any(_is_surely_noisy(audit) for audit in audits),
        )

    def has_rows_to_compare(self, count: int) -> bool:
        """Whether the training part of each of so many folds can be audited and cut again: both of
        two classes keep two rows there, of more classes one does."""
        rows_of_class = np.bincount(self.codes[self.rows])
        folds = min(count, int(rows_of_class.min()))
        kept = rows_of_class - np.ceil(rows_of_class / folds)
        return bool((kept.min() if len(kept) == 2 else kept.max()) >= 2)

    def compare(self, names: list[str], count: int) -> dict[str, np.ndarray]:
        """What each route answers to rows that neither its audit nor its classifier has seen: an
        array of answers for each repetition, with other folds."""
        repetitions = round(ROWS_FOR_ONE_COMPARISON / len(self.rows))
        repetitions = max(1, min(repetitions, MAX_COMPARISONS))
        answers = {name: np.zeros((repetitions, len(self.rows)), dtype=np.intp) for name in names}
        for place in range(repetitions):
            for fold in self.folds(self.rows, count, self.owner.seed + 1 + place):
                self._answer(place, *fold, answers)
        return answers

    def _answer(
        self, place: int, trained: np.ndarray, held_out: np.ndarray, answers: dict[str, np.ndarray]
    ) -> None:
        rows = self.rows[trained]
        probabilities = self.out_of_fold(rows, COMPARISON_FOLDS)
        evidence, _ = self.examine(rows, probabilities, quietly=True)
        X = _cut(self.X, self.rows[held_out], self.count)
        for name in list(answers):
            model = self._train_or_none(name, rows, evidence)
            if model is None:
                del answers[name]
            else:
                answers[name][place, held_out] = class_codes(model.predict(X), self.classes)

    def _train_or_none(self, name: str, rows: np.ndarray, evidence: Evidence) -> Any:
        """None where the classifier refuses the weights that its `fit` has a parameter for."""
        chosen = ROUTES[name](self.codes[rows], evidence)
        if name not in NEED_WEIGHTS or self.weights is not None:
            return self.train(rows, chosen)
        try:
            return self.train(rows, chosen)
        except (TypeError, ValueError) as error:  # some part of an ensemble takes none
            LOGGER.info("%s is not tried: %s", name, error)
            return None


def _is_surely_noisy(audit: NoiseAudit) -> bool:
    share = audit.report().to_dict().get("wrong_share")
    return share is not None and share["low"] > 0


def class_codes(values: Any, classes: np.ndarray) -> np.ndarray:
    """The places of predicted classes in `classes`; True may come back as 1 or "True"."""
    found, inverse = np.unique(np.asarray(values).ravel(), return_inverse=True)
    names = [name_of(value) for value in classes]
    by_name = {name: place for place, name in enumerate(names)}
    by_value = {value: place for place, value in enumerate(classes.tolist())}
    places = []
    for value in found:
        place = by_name.get(name_of(value), by_value.get(plain(value)))
        if place is None:
            raise ValueError(f"the estimator predicts {value!r}, which is none of the classes of y")
        places.append(place)
    return np.asarray(places, dtype=np.intp)[inverse.reshape(-1)]


def class_shares(model: Any, X: Any, classes: np.ndarray) -> np.ndarray:
    """A model's probabilities, with a column for each of `classes`."""
    given = np.asarray(model.predict_proba(X))
    shares = np.zeros((len(given), len(classes)), dtype=given.dtype)
    shares[:, class_codes(model.classes_, classes)] = given
    return shares


def _copy(estimator: Any) -> Any:
    from sklearn.base import clone

    try:
        return clone(estimator)
    except RuntimeError:  # CatBoost changes lists of its parameters, which clone refuses
        return deepcopy(estimator)


def _row_count(X: Any) -> int:
    shape = getattr(X, "shape", None)
    return int(shape[0]) if shape else len(X)


def weight_parameter(estimator: Any) -> Optional[str]:
    """What `fit` calls the weights of rows; None where it takes none."""
    from sklearn.utils.validation import has_fit_parameter

    if hasattr(estimator, "steps"):  # a pipeline hands them to its last step
        name, last = estimator.steps[-1]
        inner = weight_parameter(last) if hasattr(last, "fit") else None
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


def _is_for_validation(name: str) -> bool:
    """eval_set, X_val, sample_weight_eval_set, ...: rows of their own, perhaps as many as X has."""
    return any(word in VALIDATION_WORDS for word in name.split("__")[-1].lower().split("_"))


def _cut(value: Any, rows: np.ndarray, count: int) -> Any:
    """These rows of something with one entry per row; anything else as it is."""
    from sklearn.utils import _safe_indexing

    if isinstance(value, list):
        entries = len(value)
    elif hasattr(value, "shape") and len(value.shape) > 0:
        entries = value.shape[0]
    else:
        return value
    if entries != count:
        return value
    if hasattr(value, "column_names") and hasattr(value, "take"):  # pyarrow
        return value.take(rows)
    return _safe_indexing(value, rows)


def _readable(X: Any) -> Any:
    """X as the built-in models may be able to look at it: a table, or an array of numbers."""
    if is_table(X):
        return X
    if not (isinstance(X, list) or hasattr(X, "__array__")):
        return None
    try:
        array = np.asarray(X)
    except ValueError:  # lists of different lengths
        return None
    return array if array.ndim == 2 and array.dtype.kind in "fiub" else None
