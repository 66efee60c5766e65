"""FairClassifier(route="auto"): which route was taken, and why."""

import numpy as np
import pytest
from noiseplus import FairClassifier
from sklearn.base import clone


def people(noise, base_rates=(0.6, 0.3), rows=4000):
    """Two groups, of which the second may be noisier."""
    rng = np.random.default_rng(1)
    group = rng.integers(0, 2, rows)
    clean = (rng.random(rows) < np.take(base_rates, group)).astype(int)
    X = np.column_stack([rng.normal(size=(rows, 4)) + 1.2 * clean[:, None], group]).astype(np.float32)
    wrong = rng.random(rows) < np.take(noise, group)
    return X, np.where(wrong, 1 - clean, clean), clean, group


def violation(model, X, clean, group):
    share = model.predict_proba(X)[:, 1]
    rates = [[share[(group == z) & (clean == c)].mean() for c in (0, 1)] for z in (0, 1)]
    return np.abs(np.subtract(*rates)).max()


def test_unequal_noise_is_accounted_for():
    X, y, clean, group = people((0.02, 0.3))
    plain = FairClassifier(route="plain").fit(X, y, groups=group)
    chosen = FairClassifier(route="auto").fit(X, y, groups=group)
    assert plain.route_ == "plain" and plain.reason_.startswith("labels are taken as given")
    assert chosen.route_ in ("noise-aware", "balance"), chosen.reason_
    assert "--" not in plain.reason_ + chosen.reason_ and "noise_aware" in plain.reason_
    assert chosen.reason_ == chosen.report_.to_dict()["fair"]["advice"]["why"]
    assert violation(chosen, X, clean, group) < violation(plain, X, clean, group) - 0.05


def test_without_noise_the_constraint_is_plain():
    X, y, clean, group = people((0, 0))
    chosen = FairClassifier(route="auto").fit(X, y, groups=group)
    assert chosen.route_ == "plain" and "no noise is proved" in chosen.reason_
    np.testing.assert_array_equal(chosen.predict_proba(X), FairClassifier().fit(X, y, groups=group).predict_proba(X))


def test_route_of_the_other_options():
    X, y, _, group = people((0.05, 0.3), rows=1500)
    assert FairClassifier(balance=True).fit(X, y, groups=group).route_ == "balance"
    assert FairClassifier(noise_aware=True, group_rates={0: 0.05, 1: 0.3}).fit(X, y, groups=group).route_ == "noise-aware"
    assert clone(FairClassifier(route="auto")).route == "auto"


@pytest.mark.filterwarnings("ignore:FairClassifier was given no groups")
@pytest.mark.parametrize("options, route", [
    ({"route": "auto"}, "plain"), ({"route": "plain"}, "plain"), ({"route": "noise-aware"}, "plain"),
    ({"noise_aware": True}, "plain"), ({"route": "balance"}, "balance"), ({"balance": True}, "balance"),
], ids=str)
def test_route_without_groups_is_what_was_done(options, route):
    X, y, _, _ = people((0.2, 0.4), rows=1500)
    alone = FairClassifier(**options).fit(X, y)
    assert (alone.route_, alone.reason_) == (route, "there are no groups")
    assert ("balanced" in alone.report_.to_dict()) == (route == "balance")


def test_routes_are_those_of_the_engine():
    X, y, _, group = people((0.05, 0.3), rows=200)
    with pytest.raises(ValueError) as ours:
        FairClassifier(route="x").fit(X, y, groups=group)
    unchecked = FairClassifier(route="x")
    unchecked._check_route = lambda: None
    with pytest.raises(ValueError) as engines:
        unchecked.fit(X, y, groups=group)
    assert str(ours.value) == str(engines.value)
