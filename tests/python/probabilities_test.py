"""Probabilities of the caller's own model, as Python gives them."""

import numpy as np
import pytest

from conftest import without_times
from noiseplus import FairClassifier, NoiseAudit, NoiseBalancer, RobustClassifier


@pytest.fixture(scope="module")
def sample():
    rng = np.random.default_rng(4)
    clean = rng.integers(0, 2, 1500)
    X = (rng.normal(size=(1500, 2)) + 4 * (clean[:, None] - 0.5) * [1, 0]).astype("float32")
    h = 1 / (1 + np.exp(-4 * X[:, 0].astype(float)))
    y = np.where(rng.random(1500) < np.array([0.05, 0.3])[clean], 1 - clean, clean)
    p = h * 0.7 + (1 - h) * 0.05
    return X, y, np.stack([1 - p, p], axis=1), clean


def test_the_same_numbers_as_the_command_line(program, sample, tmp_path):
    X, y, P, _ = sample
    np.save(tmp_path / "P.npy", P)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    for rows, files in ((None, []), (X, ["X.npy"])):
        program("audit", *files, "--labels", "y.npy", "--probabilities", "P.npy", "--json", "out.json", folder=tmp_path)
        audit = NoiseAudit().fit(rows, y, probabilities=P)
        expected = (tmp_path / "out.json").read_text().replace('"probabilities": "P.npy"', '"probabilities": true')
        assert without_times(audit.report().to_json()) == without_times(expected)
        assert audit.noisier_ == 1 and abs(audit.noise_rates_[1] - 0.3) < 0.1


def test_wrong_labels_are_found_without_features(sample):
    _, y, P, clean = sample
    audit = NoiseAudit().fit(None, y, probabilities=P)
    assert audit.n_features_in_ == 0
    assert np.mean(audit.suggested_labels_ == clean) > 0.95


def test_tables_are_ordered_by_their_names(sample):
    pd = pytest.importorskip("pandas")
    _, y, P, _ = sample
    names = np.array(["no", "yes"])[y]
    frame = pd.DataFrame({"yes": P[:, 1], "no": P[:, 0]})
    by_name = NoiseAudit().fit(None, names, probabilities=frame)
    np.testing.assert_array_equal(by_name.noise_rates_, NoiseAudit().fit(None, names, probabilities=P).noise_rates_)
    for wrong in (frame.rename(columns={"no": "maybe"}), frame[["yes"]], frame.assign(more=0.0)):
        with pytest.raises(ValueError, match="probabilities"):
            NoiseAudit().fit(None, names, probabilities=wrong)


def test_balancing_and_training_use_them(sample):
    X, y, P, _ = sample
    rows, balanced = NoiseBalancer().fit_resample(None, y, probabilities=P)
    assert rows is None and 0 < np.sum(balanced != y) < 400 and np.all(y[balanced != y] == 0)
    options = {"loss": "backward", "transition": "confident"}
    plain = RobustClassifier(**options).fit(X, y)
    given = RobustClassifier(**options).fit(X, y, probabilities=P)
    assert not np.array_equal(plain.transition_, given.transition_)
    FairClassifier("demographic-parity", balance=True).fit(X, y, groups=np.arange(len(y)) % 2, probabilities=P)
    for model in (RobustClassifier(), FairClassifier()):
        with pytest.raises(ValueError, match="X must not be None"):
            model.fit(None, y, groups=np.arange(len(y)) % 2, probabilities=P)


def wrong_sum(P):
    P[3] = 0.4
    return P


@pytest.mark.parametrize("change, words", [
    (lambda P: P[:-1], "shape"), (lambda P: P[:, 0], "shape"), (lambda P: np.hstack([P, P]), "shape"),
    (wrong_sum, "row 4"), (lambda P: np.log(P), "below 0"), (lambda P: P * np.nan, "missing"),
    (lambda P: P.astype(str), "numbers"),
])
def test_faults(sample, change, words):
    _, y, P, _ = sample
    with pytest.raises(ValueError, match=words):
        NoiseAudit().fit(None, y, probabilities=change(P.copy()))


def test_x_may_be_left_out_with_probabilities_only(sample):
    with pytest.raises(ValueError, match="needs X"):
        NoiseAudit().fit(None, sample[1])


def test_rounding_beyond_one_is_no_fault(sample):
    _, y, P, _ = sample
    P = P.astype("float32")
    P[0] = [np.float32(1.0000001), 0]
    NoiseAudit().fit(None, y, probabilities=P)


def test_out_of_fold_is_not_taken_for_in_sample(sample):
    ensemble = pytest.importorskip("sklearn.ensemble")
    linear_model = pytest.importorskip("sklearn.linear_model")
    selection = pytest.importorskip("sklearn.model_selection")
    X, y, _, _ = sample
    forest = ensemble.RandomForestClassifier(30, random_state=0)
    boosted = ensemble.GradientBoostingClassifier(n_estimators=20, random_state=0)

    def seen(P, rows):
        warnings = NoiseAudit(n_threads=1).fit(rows, y, probabilities=P).report().to_dict()["warnings"]
        return any("seen their own labels" in text or "predict every given label" in text for text in warnings)

    for model in (forest, boosted, linear_model.LogisticRegression()):
        honest = selection.cross_val_predict(model, X, y, cv=5, method="predict_proba")
        assert not seen(honest, X), model
    memorized = forest.fit(X, y).predict_proba(X)
    assert seen(memorized, X)  # without X only probabilities that predict every label are noticed
