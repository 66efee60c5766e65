"""The estimators are scikit-learn's: its own checks pass, and its tools work on them."""

import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, RobustClassifier, corrupt_labels

# Without groups a FairClassifier warns, as it should.
pytestmark = pytest.mark.filterwarnings("ignore:FairClassifier was given no groups")

PEER = RobustClassifier(loss="peer", alpha=0.2)
NETWORK = RobustClassifier(model="mlp", hidden=16, epochs=60, batch=16, rate=0.02)
TREES = RobustClassifier(model="trees", trees=40, learning_rate=0.2, min_leaf_rows=5)
PLAIN = RobustClassifier()
ESTIMATORS = [NoiseAudit(), NoiseBalancer(), PLAIN, FairClassifier(), PEER, NETWORK, TREES]

SINGLE_PRECISION = ("models are of single precision, and rows in another order, or twice in place of weighted, are other "
                    "sums: they agree to 1e-3 (test_weights_are_as_good_as_rows) and are to agree to 1e-7")
# (estimator, check): why it is not asked.
NOT_ASKED = {
    (PLAIN, "check_sample_weight_equivalence_on_dense_data"): SINGLE_PRECISION,
    (PEER, "check_sample_weight_equivalence_on_dense_data"): SINGLE_PRECISION,
    (PEER, "check_sample_weights_invariance"): SINGLE_PRECISION,
    (NETWORK, "check_sample_weight_equivalence_on_dense_data"): "batches are dealt from all rows, those of weight 0 too",
    (NETWORK, "check_sample_weights_invariance"): "batches are dealt from all rows, those of weight 0 too",
    (TREES, "check_sample_weight_equivalence_on_dense_data"): "each tree draws rows by their number, and counts them in leaves",
    (TREES, "check_sample_weights_invariance"): "each tree draws rows by their number, and counts them in leaves",
}


def name_of(check):
    return getattr(check, "func", check).__name__


def all_checks():
    """(estimator, check) of every check that this version of scikit-learn has."""
    found = []
    for estimator in ESTIMATORS:
        if hasattr(estimator_checks, "estimator_checks_generator"):
            pairs = estimator_checks.estimator_checks_generator(estimator)
        else:
            pairs = estimator_checks.check_estimator(estimator, generate_only=True)
        for instance, check in pairs:
            reason = next((why for (of, name), why in NOT_ASKED.items()
                           if of is estimator and name_of(check) == name), None)
            marks = [pytest.mark.skip(reason=reason)] if reason else []
            found.append(pytest.param(instance, check, marks=marks, id=f"{estimator}-{name_of(check)}"))
    return found


@pytest.mark.parametrize("estimator, check", all_checks())
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_checks_are_many():
    assert len(all_checks()) > 200


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    clean = rng.integers(0, 2, 1200)
    X = (rng.normal(size=(1200, 5)) + 1.5 * clean[:, None]).astype(np.float32)
    return X, corrupt_labels(clean, rates={1: 0.3}, seed=2), clean, rng.integers(0, 2, 1200)


def test_weights_are_as_good_as_rows(data):
    X, y, _, _ = data
    weights = np.arange(len(y)) % 4
    for estimator in (PLAIN, PEER):
        weighted = clone(estimator).fit(X, y, sample_weight=weights).predict_proba(X)
        repeated = clone(estimator).fit(X.repeat(weights, axis=0), y.repeat(weights)).predict_proba(X)
        np.testing.assert_allclose(weighted, repeated, atol=1e-3)


@pytest.mark.parametrize("estimator", [RobustClassifier(loss="peer", alpha=0.1), FairClassifier(group_columns=4)],
                         ids=["robust", "fair"])
def test_cross_validation_clone_and_pickle(data, estimator):
    X, y, clean, group = data
    X = X.copy()
    X[:, 4] = group
    scores = cross_val_score(estimator, X, y, cv=3)
    assert scores.shape == (3,) and scores.min() > 0.6
    fitted = clone(estimator).fit(X, y)
    copy = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(copy.predict_proba(X), fitted.predict_proba(X))
    assert str(copy.report()) == str(fitted.report())
    assert clone(fitted).get_params() == estimator.get_params()


def test_grid_search_in_a_pipeline(data):
    X, y, clean, _ = data
    pipeline = make_pipeline(StandardScaler(), RobustClassifier(loss="peer", alpha=0.0))
    search = GridSearchCV(pipeline, {"robustclassifier__alpha": [-0.5, 0.0], "robustclassifier__ridge": [1e-4, 1e-2]},
                          cv=2, n_jobs=2)
    search.fit(X, y)
    assert search.best_score_ > 0.7
    assert set(search.best_params_) == {"robustclassifier__alpha", "robustclassifier__ridge"}


@pytest.mark.parametrize("estimator", [NoiseAudit(), NoiseBalancer()], ids=["audit", "balancer"])
def test_audits_can_be_cloned_and_pickled(data, estimator):
    X, y, _, _ = data
    fitted = clone(estimator).fit(X, y)
    copy = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(copy.noise_rates_, fitted.noise_rates_)
    assert copy.report().to_dict() == fitted.report().to_dict()
    assert copy.report()._repr_html_() == fitted.report()._repr_html_()


def test_groups_go_through_fit_params(data):
    X, y, _, group = data
    scores = cross_val_score(FairClassifier(), X, y, cv=2, **{fit_params_name(): {"groups": group}})
    assert scores.min() > 0.6


def fit_params_name():
    import inspect

    return "params" if "params" in inspect.signature(cross_val_score).parameters else "fit_params"


def test_balancing_inside_a_pipeline_of_imbalanced_learn(data):
    pipeline = pytest.importorskip("imblearn.pipeline")
    X, y, clean, group = data
    steps = pipeline.make_pipeline(NoiseBalancer(), LogisticRegression())
    assert steps.fit(X, y).score(X, clean) > LogisticRegression().fit(X, y).score(X, clean)
    assert cross_val_score(steps, X, y, cv=3).min() > 0.6
    grouped = pipeline.make_pipeline(NoiseBalancer(group_columns=5), LogisticRegression())
    grouped.fit(np.column_stack([X, group]), y)
    balancer = grouped.named_steps["noisebalancer"]
    assert balancer.scope_ == "class"  # the noise of these data depends on the class, not on the group
    assert [entry["group"] for entry in balancer.report().to_dict()["groups"]] == ["0", "1"]
    grouped.set_params(noisebalancer__scope="group").fit(np.column_stack([X, group]), y)
    assert balancer.scope_ == "group"
