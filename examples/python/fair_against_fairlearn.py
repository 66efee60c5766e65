"""Fair models from labels that are noisier in one group: FairClassifier beside fairlearn.

    python fair_against_fairlearn.py [SEED]

People of two groups are generated, with different shares of high incomes, as in the Adult data. In
the group b a fifth of the labels are wrong, in a one of twenty. Everyone trains on these labels, asks
for equalized odds with the same tolerance, and is judged by the clean labels of other rows: how far
the groups' true and false positive rates are apart, and how many answers are right.

The tolerance of both is how far the rate of a group may be from that of all rows. In fairlearn it
is `difference_bound`; `eps` limits the prices of the constraints. scikit-learn's C = 1 is our
ridge = 1 / rows. All models answer by lot, so that expected answers are compared and not one draw.
The noise is estimated where it is not known; the engine logs how sure it is of that.
"""

import sys
import time
import warnings

import numpy as np

from noiseplus import FairClassifier, corrupt_labels

ROWS, TEST_ROWS = 20000, 40000
TOLERANCE = 0.01
HIGH_INCOMES = {"a": 0.35, "b": 0.55}
WRONG_LABELS = {"a": 0.05, "b": 0.2}


def make_people(rows, rng):
    """Eight features, whether the income is high, and the group."""
    group = rng.choice(list(HIGH_INCOMES), rows, p=[0.6, 0.4])
    high = (rng.random(rows) < np.where(group == "a", *HIGH_INCOMES.values())).astype(int)
    X = rng.normal(size=(rows, 8))
    X[:, :4] += high[:, None]
    X[:, 4:6] += 0.8 * (group == "b")[:, None] + 0.4 * high[:, None]
    X[:, 7] = group == "b"
    return X.astype(np.float32), high, group


def violation(positive, y, group):
    """Of equalized odds: the larger of the groups' differences of TPR and FPR."""
    rates = [[positive[(y == label) & (group == name)].mean() for name in HIGH_INCOMES]
             for label in (0, 1)]
    return max(abs(a - b) for a, b in rates)


def ours(**options):
    def fit(X, y, group):
        model = FairClassifier(
            "equalized-odds", tolerance=TOLERANCE, ridge=1 / len(X), **options
        ).fit(X, y, groups=group)
        return lambda rows: model.predict_proba(rows)[:, 1]

    return fit


def fairlearns(X, y, group):
    from fairlearn.reductions import EqualizedOdds, ExponentiatedGradient
    from sklearn.linear_model import LogisticRegression

    model = ExponentiatedGradient(
        LogisticRegression(max_iter=1000), EqualizedOdds(difference_bound=TOLERANCE), eps=TOLERANCE
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries about each other's releases
        model.fit(X, y, sensitive_features=group)
    members = [(share, model.predictors_[i]) for i, share in model.weights_.items() if share > 0]
    return lambda rows: sum(share * member.predict(rows) for share, member in members)


TRAINERS = {
    "noiseplus, labels as given": ours(),
    "noiseplus, noise-aware": ours(noise_aware=True),
    "noiseplus, balanced": ours(balance=True),
    "noiseplus, rates known": ours(noise_aware=True, group_rates=WRONG_LABELS),
    "fairlearn": fairlearns,
}


def main(seed=0):
    rng = np.random.default_rng(seed)
    X, clean, group = make_people(ROWS, rng)
    X_test, clean_test, group_test = make_people(TEST_ROWS, rng)
    y = corrupt_labels(clean, group_rates=WRONG_LABELS, groups=group, seed=seed)

    print(f"{'':28}{'violation':>10}{'accuracy':>10}{'seconds':>10}")
    for name, fit in TRAINERS.items():
        start = time.perf_counter()
        try:
            positive_probability = fit(X, y, group)
        except ImportError:
            print(f"{name:28}  is not installed")
            continue
        seconds = time.perf_counter() - start
        positive = positive_probability(X_test)
        accuracy = 1 - np.abs(positive - clean_test).mean()
        apart = violation(positive, clean_test, group_test)
        print(f"{name:28}{apart:>10.4f}{accuracy:>10.4f}{seconds:>10.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
