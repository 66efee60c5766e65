"""NoiseRobust: any classifier of scikit-learn's kind, trained on noisy labels."""
import pickle

import numpy as np
import pytest
from noiseplus import NoiseRobust, corrupt_labels

pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

TREE = DecisionTreeClassifier(min_samples_leaf=3, random_state=0)
BOOSTED = HistGradientBoostingClassifier(max_iter=10, random_state=0)


class Data:
    def __init__(self, rows=1500, rates=None, seed=0):
        random = np.random.default_rng(seed)
        self.clean = random.integers(0, 2, rows)
        self.X = (random.normal(size=(rows, 4)) + 1.2 * self.clean[:, None]).astype(np.float32)
        self.y = corrupt_labels(self.clean, rates=rates or {0: 0.25, 1: 0.25}, seed=seed + 1)


@pytest.fixture(scope="module")
def data():
    return Data()


def test_noise_costs_a_tree_less_accuracy(data):
    robust = NoiseRobust(TREE).fit(data.X, data.y)
    plain = clone(TREE).fit(data.X, data.y)
    fresh = Data(seed=50)
    assert robust.score(fresh.X, fresh.clean) > plain.score(fresh.X, fresh.clean) + 0.05
    assert robust.route_ in ("weight", "prune", "soften")
    assert robust.route_ in robust.reason_
    assert robust.gains_[robust.route_].value > robust.gains_[robust.route_].standard_error > 0


def test_clean_labels_of_a_good_model_are_left_alone():
    random = np.random.default_rng(3)
    clean = random.integers(0, 2, 1200)
    X = random.normal(size=(1200, 3)) + 6 * clean[:, None]
    robust = NoiseRobust(LogisticRegression()).fit(X, clean)
    assert robust.route_ == "plain"
    assert robust.reason_.startswith("no route gains")


def test_the_estimator_that_is_given_is_not_fitted(data):
    model = clone(TREE)
    NoiseRobust(model, route="prune").fit(data.X, data.y)
    assert not hasattr(model, "tree_")


def test_pruning_leaves_out_mostly_wrong_labels(data):
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append((len(y), sample_weight))
            return super().fit(X, y, sample_weight=sample_weight)

    robust = NoiseRobust(Spy(min_samples_leaf=20), route="prune").fit(data.X, data.y)
    rows, weights = seen[-1]
    kept = robust.label_quality_ >= 0.5
    assert rows == kept.sum() and weights is None
    wrong = data.y != data.clean
    assert wrong[~kept].mean() > 0.6 > 0.2 > wrong[kept].mean()


def test_weights_of_rows_reach_the_estimator(data):
    given = np.linspace(0.5, 2, len(data.y))
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append(sample_weight)
            return super().fit(X, y, sample_weight=sample_weight)

    robust = NoiseRobust(Spy(), route="weight").fit(data.X, data.y, sample_weight=given)
    np.testing.assert_allclose(seen[-1], given * np.maximum(robust.label_quality_, 1e-3))


def test_classes_proved_to_differ_are_corrected_or_balanced():
    data = Data(rows=3000, rates={0: 0.0, 1: 0.45})
    robust = NoiseRobust(LogisticRegression()).fit(data.X, data.y)
    assert {"correct", "balance"} <= set(robust.gains_)
    plain = LogisticRegression().fit(data.X, data.y)
    assert robust.score(data.X, data.clean) > plain.score(data.X, data.clean) + 0.02


def test_names_of_classes_are_kept(data):
    names = np.array(["no", "yes"])
    robust = NoiseRobust(TREE, route="soften").fit(data.X, names[data.y])
    assert list(robust.classes_) == ["no", "yes"]
    assert set(robust.predict(data.X)) == {"no", "yes"}
    assert robust.predict_proba(data.X).shape == (len(data.y), 2)


def test_the_same_seed_gives_the_same_answers(data):
    answers = [NoiseRobust(TREE, seed=5).fit(data.X, data.y).predict_proba(data.X) for _ in range(2)]
    np.testing.assert_array_equal(*answers)


def test_pipelines_searches_clones_and_pickles(data):
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert NoiseRobust(pipeline, route="weight").fit(data.X, data.y).score(data.X, data.clean) > 0.8
    search = GridSearchCV(TREE, {"max_depth": [2, 6]}, cv=2)
    assert NoiseRobust(search, route="weight").fit(data.X, data.y).score(data.X, data.clean) > 0.75
    outer = GridSearchCV(NoiseRobust(TREE, route="prune"), {"estimator__max_depth": [2, 6]}, cv=2)
    assert outer.fit(data.X, data.y).best_params_["estimator__max_depth"] in (2, 6)
    inside = make_pipeline(StandardScaler(), NoiseRobust(TREE, route="weight"))
    assert cross_val_score(inside, data.X, data.y, cv=2).min() > 0.6
    fitted = clone(NoiseRobust(TREE, route="prune")).fit(data.X, data.y)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(data.X), fitted.predict(data.X))


def test_tables_keep_their_columns(data):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(data.X, columns=list("abcd"))
    robust = NoiseRobust(BOOSTED, route="weight").fit(table, pandas.Series(data.y, index=table.index + 7))
    assert list(robust.feature_names_in_) == list("abcd")
    assert robust.score(table, data.clean) > 0.75


def test_texts_in_a_pipeline_are_audited_by_probabilities_alone():
    from sklearn.feature_extraction.text import CountVectorizer

    random = np.random.default_rng(0)
    clean = random.integers(0, 2, 600)
    words = np.array([["red", "warm", "fire"], ["blue", "cold", "water"]])
    texts = [" ".join(random.choice(words[c], 4)) for c in clean]
    y = corrupt_labels(clean, rates={0: 0.2, 1: 0.2}, seed=1)
    robust = NoiseRobust(make_pipeline(CountVectorizer(), LogisticRegression()), route="prune").fit(texts, y)
    assert robust.score(texts, clean) > 0.95


def test_three_classes():
    random = np.random.default_rng(0)
    clean = random.integers(0, 3, 1500)
    X = random.normal(size=(1500, 4)) + 3 * np.eye(3, 4)[clean]
    y = corrupt_labels(clean, rates={0: 0.3, 1: 0.3, 2: 0.3}, seed=1)
    robust = NoiseRobust(TREE).fit(X, y)
    assert robust.score(X, clean) > clone(TREE).fit(X, y).score(X, clean) + 0.1


def test_groups_are_audited(data):
    groups = np.where(np.arange(len(data.y)) % 2 == 0, "a", "b")
    robust = NoiseRobust(TREE, route="weight").fit(data.X, data.y, groups=groups)
    assert list(robust.audit_.groups_) == ["a", "b"]


def test_a_model_without_weights_can_be_pruned(data):
    robust = NoiseRobust(KNeighborsClassifier(3)).fit(data.X, data.y)
    assert set(robust.gains_) <= {"prune", "balance"}
    with pytest.raises(ValueError, match="takes no sample_weight"):
        NoiseRobust(KNeighborsClassifier(3), route="weight").fit(data.X, data.y)


def test_parameters_of_fit_are_passed_on_and_cut_with_the_rows(data):
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None, note=None, per_row=None):
            seen.append((len(y), note, len(per_row)))
            return super().fit(X, y, sample_weight=sample_weight)

    NoiseRobust(Spy(), route="plain").fit(data.X, data.y, note="kept", per_row=np.arange(len(data.y)))
    assert len(seen) == 6 and all(note == "kept" and rows == entries for rows, note, entries in seen)


@pytest.mark.parametrize("library", ["lightgbm", "xgboost"])
def test_boosting_libraries_stop_early(data, library):
    module = pytest.importorskip(library)
    held_out = Data(rows=400, seed=9)
    if library == "lightgbm":
        model = module.LGBMClassifier(n_estimators=200, verbose=-1, n_jobs=1)
        parameters = {"callbacks": [module.early_stopping(5, verbose=False)]}
    else:
        model = module.XGBClassifier(n_estimators=200, early_stopping_rounds=5, n_jobs=1)
        parameters = {"verbose": False}
    robust = NoiseRobust(model, route="weight")
    robust.fit(data.X, data.y, eval_set=[(held_out.X, held_out.y)], **parameters)
    best = getattr(robust.estimator_, "best_iteration_", None) or robust.estimator_.best_iteration
    assert best < 150
    assert robust.score(held_out.X, held_out.clean) > 0.75


@pytest.mark.parametrize(
    ("estimator", "options", "y", "error", "message"),
    [
        (TREE, {"route": "magic"}, None, ValueError, "route='magic'"),
        (TREE, {"cv": 1}, None, ValueError, "cv=1"),
        (TREE, {"comparison_cv": 2.5}, None, TypeError, "comparison_cv"),
        (LinearSVC(), {}, None, TypeError, "has no predict_proba"),
        ("tree", {}, None, TypeError, "is no classifier"),
        (TREE, {}, [0] * 1500, ValueError, "one class only"),
        (TREE, {}, [0] * 1499 + [1], ValueError, "has one row only"),
        (TREE, {}, np.zeros((1500, 2)), ValueError, "one label per row"),
    ],
    ids=["route", "cv", "comparison_cv", "no-probabilities", "no-classifier", "one-class", "one-row", "two-columns"],
)
def test_misuse_is_told_in_one_line(data, estimator, options, y, error, message):
    with pytest.raises(error, match=message) as raised:
        NoiseRobust(estimator, **options).fit(data.X, data.y if y is None else y)
    assert "\n" not in str(raised.value)


def test_it_must_be_fitted_before_it_answers(data):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        NoiseRobust(TREE).predict(data.X)
    with pytest.raises(ValueError, match="sample_weight is of shape"):
        NoiseRobust(TREE).fit(data.X, data.y, sample_weight=[1, 2])
    with pytest.raises(ValueError, match="negative or not finite"):
        NoiseRobust(TREE).fit(data.X, data.y, sample_weight=-np.ones(len(data.y)))
