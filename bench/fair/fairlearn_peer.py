"""fairlearn's reductions, with scikit-learn's logistic regression, on npy files.

    python fairlearn_peer.py ROWS.npy LABELS.npy GROUPS.npy

Run by the interpreter of a virtual environment that has it. Prints one JSON object. `make peers-test` imports it.
"""
import json
import resource
import sys
import time
import warnings

import fairlearn
import numpy
from fairlearn.reductions import EqualizedOdds, ExponentiatedGradient
from sklearn.linear_model import LogisticRegression

TOLERANCE = 0.01


def fit(rows, labels, groups):
    """Equalized odds; the model, and what it took. Its penalty, C = 1, is our ridge of 1 / rows."""
    model = ExponentiatedGradient(LogisticRegression(max_iter=1000), EqualizedOdds(difference_bound=TOLERANCE),
                                  eps=TOLERANCE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries about each other's releases
        start, start_processor = time.perf_counter(), time.process_time()
        model.fit(rows, labels, sensitive_features=groups)
        return model, dict(seconds=time.perf_counter() - start, processor=time.process_time() - start_processor)


def positive_probabilities(model, rows):
    """How likely the lot is to fall on a model that calls the row positive."""
    return sum(share * model.predictors_[member].predict(rows) for member, share in model.weights_.items() if share > 0)


def main():
    rows, labels, groups = map(numpy.load, sys.argv[1:])
    model, took = fit(rows, labels, groups)
    likely = positive_probabilities(model, rows)
    print(json.dumps(dict(took, name=f"fairlearn {fairlearn.__version__}", models=model.n_oracle_calls_,
                          error=float(numpy.abs(likely - labels).mean()),
                          violation=max(float(numpy.ptp([likely[(labels == label) & (groups == group)].mean()
                                                         for group in numpy.unique(groups)])) for label in (0, 1)),
                          megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)))


if __name__ == "__main__":
    main()
