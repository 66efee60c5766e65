"""NoiseRobust: any classifier of scikit-learn's kind, trained on noisy labels."""

import datetime
import pickle

import numpy as np
import pytest
from noiseplus import NoiseRobust, corrupt_labels
from noiseplus._routes import Evidence, Gain, best_route, clean_accuracy_gain

pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier, StackingClassifier
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


def boosted(library, **options):
    """A small model of a library that may not be installed."""
    if library == "hist":
        return HistGradientBoostingClassifier(max_iter=options.pop("rounds", 10), random_state=0, **options)
    module = pytest.importorskip(library)
    rounds = options.pop("rounds", 10)
    if library == "lightgbm":
        return module.LGBMClassifier(n_estimators=rounds, verbose=-1, n_jobs=1, **options)
    if library == "xgboost":
        return module.XGBClassifier(n_estimators=rounds, n_jobs=1, **options)
    return module.CatBoostClassifier(iterations=rounds, verbose=0, thread_count=1, allow_writing_files=False, **options)


LIBRARIES = ["hist", "lightgbm", "xgboost", "catboost"]


@pytest.mark.parametrize("library", ["lightgbm", "xgboost", "catboost"])
def test_boosting_libraries_stop_early_by_rows_that_are_passed_as_they_are(data, library):
    held_out = Data(rows=len(data.y), seed=9)  # as many rows as X: nothing but the name tells them from rows of X
    parameters = {"eval_set": [(held_out.X, held_out.y)]}
    if library == "lightgbm":
        model = boosted(library, rounds=200)
        parameters["callbacks"] = [pytest.importorskip(library).early_stopping(5, verbose=False)]
    elif library == "xgboost":
        model = boosted(library, rounds=200, early_stopping_rounds=5)
        parameters["verbose"] = False
    else:
        model = boosted(library, rounds=200, learning_rate=0.3)
        parameters = {"eval_set": pytest.importorskip(library).Pool(held_out.X, held_out.y), "early_stopping_rounds": 5}
    robust = NoiseRobust(model, route="weight").fit(data.X, data.y, **parameters)
    name = "best_iteration" if library == "xgboost" else "best_iteration_"
    assert getattr(robust.estimator_, name) < 150
    assert robust.score(held_out.X, held_out.clean) > 0.75


def test_rows_to_validate_with_are_never_cut(data):
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None, X_val=None, sample_weight_eval_set=None, interval=None):
            seen.append((len(y), len(X_val), len(sample_weight_eval_set), len(interval)))
            return super().fit(X, y, sample_weight=sample_weight)

    entries = np.ones(len(data.y))
    NoiseRobust(make_pipeline(StandardScaler(), Spy()), route="prune").fit(
        data.X, data.y, spy__X_val=data.X, spy__sample_weight_eval_set=entries, spy__interval=entries
    )
    assert len(seen) == 6
    assert all((held, weights) == (1500, 1500) and interval == rows < 1500 for rows, held, weights, interval in seen)


def test_early_stopping_of_scikit_learns_trees(data):
    model = HistGradientBoostingClassifier(max_iter=200, early_stopping=True, n_iter_no_change=3, random_state=0)
    assert NoiseRobust(model, route="weight").fit(data.X, data.y).estimator_.n_iter_ < 150


@pytest.mark.parametrize("library", LIBRARIES)
def test_labels_come_back_as_the_type_they_were_of(data, library):
    pandas = pytest.importorskip("pandas")
    names = np.array(["no", "yes"])
    forms = {
        "bool": (data.y.astype(bool), [False, True]),
        "float": (data.y.astype(float), [0.0, 1.0]),
        "Int64": (pandas.Series(data.y).astype("Int64"), [0, 1]),
    }
    if library != "xgboost":  # takes 0 .. K-1 alone
        forms["text"] = (names[data.y], ["no", "yes"])
        forms["category"] = (pandas.Series(names[data.y], dtype="category"), ["no", "yes"])
        forms["signs"] = (2 * data.y - 1, [-1, 1])
    for name, (y, classes) in forms.items():
        robust = NoiseRobust(boosted(library), route="prune").fit(data.X, y)
        answers = robust.predict(data.X)
        assert robust.classes_.tolist() == classes, name
        assert answers.shape == (1500,) and answers.dtype == robust.classes_.dtype, name
        assert np.mean(answers == np.array(classes)[data.clean]) > 0.75, name
        assert robust.predict_proba(data.X).shape == (1500, 2), name


@pytest.mark.parametrize("library", LIBRARIES)
def test_columns_of_categories(data, library):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(data.X, columns=list("abcd"))
    table["color"] = pandas.Categorical(np.array(["red", "blue"])[data.clean])
    options, parameters = {}, {}
    if library == "xgboost":
        options["enable_categorical"] = True
    elif library == "catboost":
        table, parameters = table.astype({"color": object}), {"cat_features": ["color"]}
    elif library == "hist":
        table["color"] = table["color"].cat.codes
        options["categorical_features"] = [4]
    robust = NoiseRobust(boosted(library, **options), route="weight").fit(table, data.y, **parameters)
    assert robust.score(table, data.clean) > 0.95


@pytest.mark.parametrize("library", LIBRARIES)
def test_weights_searches_and_copies_of_every_library(data, library):
    X, y = data.X[:600], data.y[:600]
    inside = make_pipeline(StandardScaler(), NoiseRobust(boosted(library), route="prune"))
    inside.fit(X, y, noiserobust__sample_weight=np.linspace(0.5, 2, 600))
    assert inside.score(X, data.clean[:600]) > 0.75
    around = GridSearchCV(NoiseRobust(boosted(library), route="prune"), {"cv": [2, 3]}, cv=2, error_score="raise")
    copy = pickle.loads(pickle.dumps(clone(around).fit(X, y)))
    assert copy.best_score_ > 0.6
    search = GridSearchCV(boosted(library), {"learning_rate": [0.1, 0.3]}, cv=2, error_score="raise")
    assert NoiseRobust(search, route="weight").fit(X, y).score(X, data.clean[:600]) > 0.75


@pytest.mark.parametrize("library", LIBRARIES)
def test_three_classes_of_every_library(library):
    random = np.random.default_rng(0)
    clean = random.integers(0, 3, 900)
    X = random.normal(size=(900, 4)) + 3 * np.eye(3, 4)[clean]
    y = corrupt_labels(clean, rates={0: 0.3, 1: 0.3, 2: 0.3}, seed=1)
    robust = NoiseRobust(boosted(library), route="soften").fit(X, y)
    assert robust.score(X, clean) > 0.85
    assert robust.predict_proba(X).shape == (900, 3)


@pytest.mark.parametrize("form", ["csr_matrix", "csc_matrix", "coo_matrix"])
def test_sparse_rows_are_audited_by_probabilities_alone(data, form):
    sparse = pytest.importorskip("scipy.sparse")
    rows = getattr(sparse, form)(np.where(data.X > 0, data.X, 0))
    robust = NoiseRobust(LogisticRegression(), route="weight").fit(rows, data.y)
    assert robust.score(sparse.csr_matrix(rows), data.clean) > 0.8
    assert robust.audit_.report().to_dict()["features"] == 0


def test_columns_that_the_engine_cannot_read_are_left_to_the_estimator(data, caplog):
    pandas = pytest.importorskip("pandas")
    from sklearn.compose import make_column_transformer

    table = pandas.DataFrame(data.X, columns=list("abcd"))
    table["opens"] = datetime.time(9)
    model = make_pipeline(make_column_transformer(("passthrough", list("abcd"))), TREE)
    robust = NoiseRobust(model, route="weight").fit(table, data.y)
    assert robust.score(table, data.clean) > 0.7
    assert sum("only the probabilities" in text for text in caplog.messages) == 1


@pytest.mark.parametrize("options, groups, message", [
    ({"noise_estimator": "bogus"}, None, "bogus"), ({}, np.arange(7) % 2, "groups has 7"), ({"n_threads": 0}, None, "n_threads=0"),
], ids=["estimator", "groups", "threads"])
def test_other_faults_are_not_blamed_on_the_rows(data, caplog, options, groups, message):
    with pytest.raises(ValueError, match=message):
        NoiseRobust(TREE, **options).fit(data.X, data.y, groups=groups)
    assert not any("X is not audited" in text for text in caplog.messages)


def test_a_part_without_two_values_is_audited_by_probabilities_alone(caplog):
    X = np.ones((60, 1))
    X[7] = 2  # constant in the parts that do not have this row
    y = np.arange(60) % 2
    robust = NoiseRobust(TREE).fit(X, y)
    assert robust.gains_ and robust.audit_.report().to_dict()["features"] == 1
    assert not any("X is not audited" in text for text in caplog.messages)


def test_lists_of_numbers_are_audited_as_arrays(data):
    X = data.X.astype(float)
    from_lists = NoiseRobust(TREE, route="weight").fit(X.tolist(), data.y.tolist())
    from_arrays = NoiseRobust(TREE, route="weight").fit(X, data.y)
    np.testing.assert_array_equal(from_lists.label_quality_, from_arrays.label_quality_)


class Refusing(DecisionTreeClassifier):
    """As ensembles of models without weights: `fit` has the parameter, and refuses it."""

    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise TypeError("the part 'neighbors' does not support sample weights")
        return super().fit(X, y)


def test_models_that_refuse_weights_are_pruned(data):
    assert set(NoiseRobust(Refusing(min_samples_leaf=3)).fit(data.X, data.y).gains_) <= {"prune", "balance"}
    with pytest.raises(TypeError, match="does not support"):
        NoiseRobust(Refusing(), route="weight").fit(data.X, data.y)
    with pytest.raises(TypeError, match="does not support"):
        NoiseRobust(Refusing()).fit(data.X, data.y, sample_weight=np.ones(len(data.y)))


def test_probabilities_that_show_only_when_fitted(data):
    stacked = StackingClassifier([("tree", TREE), ("linear", LogisticRegression())], cv=2)
    assert NoiseRobust(stacked, route="prune").fit(data.X, data.y).score(data.X, data.clean) > 0.75


def test_weights_for_the_last_step_count_beside_those_of_the_route(data):
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append(sample_weight)
            return super().fit(X, y, sample_weight=sample_weight)

    given = np.linspace(0.5, 2, len(data.y))
    robust = NoiseRobust(make_pipeline(StandardScaler(), Spy()), route="weight")
    robust.fit(data.X, data.y, spy__sample_weight=given)
    np.testing.assert_allclose(seen[-1], given * np.maximum(robust.label_quality_, 1e-3))
    with pytest.raises(ValueError, match="both weigh the rows"):
        robust.fit(data.X, data.y, sample_weight=given, spy__sample_weight=given)


@pytest.mark.parametrize("rows, trainings", [(1500, 5 + 21 + 1), (1000, 5 + 2 * 21 + 1), (300, 5 + 4 * 21 + 1)])
def test_few_rows_are_compared_several_times(data, rows, trainings):
    seen = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append(len(y))
            return super().fit(X, y, sample_weight=sample_weight)

    NoiseRobust(Spy(min_samples_leaf=3)).fit(data.X[:rows], data.y[:rows])
    assert len(seen) == trainings


def evidence_of(rows, some_are_wrong=True):
    return Evidence(np.ones(rows), np.zeros(rows, dtype=int), np.eye(2), None, some_are_wrong)


@pytest.mark.parametrize("values, errors, some_are_wrong, route", [
    ((0.4, 0.9), (1, 1), True, "prune"), ((0.4, 0.4), (1, 1), True, "plain"), ((-1, -2), (0.1, 0.1), True, "plain"),
    ((1, 1.2), (0.2, 2), True, "weight"), ((0.4, 0.9), (1, 1), False, "plain"), ((0.4, 1.1), (1, 1), False, "prune"),
])
def test_a_route_must_gain_more_than_the_best_would_by_chance(values, errors, some_are_wrong, route):
    gains = {name: Gain(*pair) for name, pair in zip(("weight", "prune"), zip(values, errors))}
    assert best_route(gains, evidence_of(4, some_are_wrong))[0] == route


def test_labels_of_which_none_is_surely_wrong_ask_for_more_gain(data):
    class Chosen(NoiseRobust):
        def _choose(self, task, evidence):
            self.some_are_wrong = evidence.some_are_wrong
            return "plain", ""

    assert Chosen(TREE).fit(data.X, data.y).some_are_wrong
    clean = (data.X[:, 0] > 0.6).astype(int)
    assert not Chosen(TREE).fit(data.X, clean).some_are_wrong


def test_gains_by_wrong_rates_must_show_by_the_given_labels_too():
    """Of mistakes on hard rows every transition matrix is wrong, that of the truth too."""
    random = np.random.default_rng(0)
    chance = random.beta(0.5, 2, 8000)  # that a row is of class 1, a fifth of all
    clean = (random.random(8000) < chance).astype(int)
    is_hard = (chance > 0.2) & (chance < 0.8)
    y = np.where(is_hard & (random.random(8000) < 0.45), 1 - clean, clean)
    plain, eager = ((chance > threshold).astype(int) for threshold in (0.5, 0.25))
    assert np.mean(eager == clean) < np.mean(plain == clean) - 0.05
    rates = np.array([[np.mean(y[clean == i] == j) for j in (0, 1)] for i in (0, 1)])
    evidence = Evidence(np.ones(8000), 1 - y, rates, balanced=y)
    gain = clean_accuracy_gain(y, plain[None], eager[None], evidence)
    assert gain.beyond(1) > 0.04 > 0 > gain.by_given_labels.value
    for name in ("weight", "prune", "soften"):
        route, reason = best_route({name: gain}, evidence)
        assert route == "plain"
        assert "corrected for their rates" in reason and "as they are" in reason
    assert best_route({"prune": gain, "weight": Gain(0.01, 0.001, Gain(0.01, 0.001))}, evidence)[0] == "weight"
    assert best_route({"correct": gain}, evidence)[0] == "correct"  # is meant to move answers between classes


def test_rare_classes_are_in_every_training(data):
    y = data.y.copy()
    y[:2] = 2
    classes = []

    class Spy(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            classes.append(len(np.unique(y)))
            return super().fit(X, y, sample_weight=sample_weight)

    NoiseRobust(Spy()).fit(data.X, y)
    assert set(classes) == {3}


@pytest.mark.parametrize("rows, comparison_cv, compares", [
    ((30, 2), 3, False), ((30, 3), 2, False), ((30, 3), 3, True), ((30, 4), 2, True), ((3, 3), 2, False), ((2, 2), 3, False),
    ((2, 2, 2), 3, False), ((2, 2, 3), 3, False), ((3, 3, 3), 3, True), ((30, 2, 2), 3, True),
], ids=str)
def test_routes_are_compared_where_each_part_has_rows_enough(rows, comparison_cv, compares):
    y = np.repeat(np.arange(len(rows)), rows)
    X = np.random.default_rng(0).normal(size=(len(y), 3))
    robust = NoiseRobust(TREE, comparison_cv=comparison_cv).fit(X, y)
    assert (robust.gains_ != {}) == compares
    assert compares or (robust.route_ == "plain" and "too few rows" in robust.reason_)


def test_audits_inside_the_comparison_warn_of_nothing(data, caplog):
    NoiseRobust(TREE).fit(data.X[:300], data.y[:300])
    assert len(caplog.messages) == len(set(caplog.messages))


def test_column_vectors_are_flattened_with_a_warning(data):
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning):
        robust = NoiseRobust(TREE, route="plain").fit(data.X, data.y[:, None])
    assert robust.predict(data.X).shape == (1500,)


def test_polars_and_pyarrow(data):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    names = np.array(["no", "yes"])[data.y]
    frame = polars.DataFrame(data.X, schema=list("abcd"))
    robust = NoiseRobust(boosted("lightgbm"), route="weight")
    from_polars = robust.fit(frame, polars.Series(names.tolist())).predict(data.X)
    from_arrow = robust.fit(frame.to_arrow(), pyarrow.array(names.tolist())).predict(data.X)
    np.testing.assert_array_equal(from_polars, from_arrow)
    assert np.mean((from_polars == "yes") == (data.clean == 1)) > 0.75


@pytest.fixture()
def network():
    torch, skorch = pytest.importorskip("torch"), pytest.importorskip("skorch")
    torch.manual_seed(0)
    torch.set_num_threads(1)

    class Network(torch.nn.Module):
        def __init__(self, classes=2):
            super().__init__()
            self.layers = torch.nn.Sequential(torch.nn.Linear(4, 16), torch.nn.ReLU(), torch.nn.Linear(16, classes))

        def forward(self, X):
            return self.layers(X)

    return skorch.NeuralNetClassifier(
        Network, criterion=torch.nn.CrossEntropyLoss, max_epochs=10, lr=0.1, verbose=0, device="cpu"
    )


def test_networks_of_skorch_are_pruned(data, network):
    robust = NoiseRobust(network).fit(data.X, data.y.astype(np.int64))
    assert set(robust.gains_) <= {"prune", "balance"}
    assert robust.score(data.X, data.clean) > 0.75
    assert robust.predict_proba(data.X).shape == (1500, 2)
    pipeline = make_pipeline(StandardScaler(), NoiseRobust(network, route="prune"))
    search = GridSearchCV(pipeline, {"noiserobust__estimator__lr": [0.05, 0.1]}, cv=2, error_score="raise")
    assert search.fit(data.X, data.y.astype(np.int64)).best_score_ > 0.55


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
        (TREE, {}, np.zeros((1500, 2)), ValueError, "1d array"),
    ],
    ids=["route", "cv", "comparison_cv", "no-probabilities", "no-classifier", "one-class", "one-row", "two-columns"],
)
def test_misuse_is_told_in_one_line(data, estimator, options, y, error, message):
    with pytest.raises(error, match=message) as raised:
        NoiseRobust(estimator, **options).fit(data.X, data.y if y is None else y)
    assert "\n" not in str(raised.value)


def test_no_labels_at_all():
    with pytest.raises(ValueError, match="^y has no labels$"):
        NoiseRobust(TREE).fit(np.zeros((0, 3)), [])


def test_it_must_be_fitted_before_it_answers(data):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        NoiseRobust(TREE).predict(data.X)
    with pytest.raises(ValueError, match="sample_weight is of shape"):
        NoiseRobust(TREE).fit(data.X, data.y, sample_weight=[1, 2])
    with pytest.raises(ValueError, match="negative or not finite"):
        NoiseRobust(TREE).fit(data.X, data.y, sample_weight=-np.ones(len(data.y)))
