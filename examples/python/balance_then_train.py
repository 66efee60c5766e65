"""Balances the noise of two classes, then trains any classifier of scikit-learn's on the result.

    python balance_then_train.py

Patients are generated; two fifths of the diagnoses "ill" were missed and stand in the data as
"well", while few of the others are wrong. A classifier that learns from such labels misses the ill
too. NoiseBalancer estimates how noisy each class is and flips labels of the cleaner one: more
labels are wrong then, but of both classes about as many. What the classifiers are worth is judged
by the clean labels of rows they never saw.
"""

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from noiseplus import NoiseBalancer, corrupt_labels

ROWS = 6000
WRONG_LABELS = {"ill": 0.4, "well": 0.05}

CLASSIFIERS = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "random forest": RandomForestClassifier(100, min_samples_leaf=10, random_state=0),
}


def make_patients(rows, rng):
    """Six measurements, and whether a patient is ill."""
    ill = rng.random(rows) < 0.5
    X = rng.normal(size=(rows, 6)) + 0.85 * ill[:, None]
    return X.astype(np.float32), np.where(ill, "ill", "well")


def wrong_by_class(given, truth):
    shares = {name: np.mean(given[truth == name] != name) for name in np.unique(truth)}
    return ", ".join(f"{name} {share:.3f}" for name, share in shares.items())


def judged(answers, truth):
    found = np.mean(answers[truth == "ill"] == "ill")
    return f"{np.mean(answers == truth):>9.4f} {found:.4f}"


def pipeline_accuracy(X, y, X_test, y_test):
    """The same in one object, that can be searched over and cross-validated; None without
    imbalanced-learn."""
    try:
        from imblearn.pipeline import make_pipeline as make_sampling_pipeline
    except ImportError:
        return None
    # Labels are balanced while fitting only; rows that are predicted go past the balancer.
    pipeline = make_sampling_pipeline(NoiseBalancer(), StandardScaler(), LogisticRegression())
    return pipeline.fit(X, y).score(X_test, y_test)


def main(seed=0):
    rng = np.random.default_rng(seed)
    X, truth = make_patients(ROWS, rng)
    X_test, truth_test = make_patients(ROWS, rng)
    y = corrupt_labels(truth, rates=WRONG_LABELS, seed=seed)

    balancer = NoiseBalancer(seed=seed)
    _, balanced = balancer.fit_resample(X, y)
    rates = zip(balancer.classes_, balancer.noise_rates_)
    print(f"estimated noise: {', '.join(f'{name} {rate:.3f}' for name, rate in rates)}")
    print(f"noisier class: {balancer.noisier_}")
    print(f"labels flipped: {balancer.flipped_.sum()} of {len(y)}")

    # The truth is known here, so we can look at what the balancer did.
    print(f"wrong labels as given:  {wrong_by_class(y, truth)}")
    print(f"wrong labels, balanced: {wrong_by_class(balanced, truth)}")

    print("\naccuracy on clean test rows, and the share of the ill that is found, trained on labels")
    print(f"{'':22}{'as given':>16}{'balanced':>16}{'clean':>16}")
    for name, classifier in CLASSIFIERS.items():
        said = [classifier.fit(X, labels).predict(X_test) for labels in (y, balanced, truth)]
        print(f"{name:22}" + "".join(judged(answers, truth_test) for answers in said))

    score = pipeline_accuracy(X, y, X_test, truth_test)
    if score is None:
        print("\nas a pipeline: imbalanced-learn is not installed")
    else:
        print(f"\nas a pipeline of imbalanced-learn's: {score:.4f}")


if __name__ == "__main__":
    main()
