"""The linear model against scikit-learn's logistic regression: the same objective, so the same minimum."""
import gzip
import os
import pathlib
import sys

import numpy
import pytest
from sklearn.linear_model import LogisticRegression

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "bench" / "learning"))

from judge import objective

DATA = pathlib.Path(os.environ.get("SHARED_DATA", ROOT.parent / "shared" / "data"))


def compare(ours, folder, rows, codes, ridge, weights=None):
    """Objectives to 1e-6 of scikit-learn's, both in double from the coefficients. A minimum is flat: objectives so near
    leave probabilities apart by about the root of that, 1e-3."""
    rows = rows.astype(numpy.float32)
    numpy.save(folder / "rows.npy", rows)
    numpy.savetxt(folder / "codes.txt", codes, fmt="%d")
    arguments = [folder / "rows.npy", folder / "codes.txt", ridge]
    if weights is not None:
        weights = weights.astype(numpy.float32)
        numpy.savetxt(folder / "weights.txt", weights, fmt="%.9g")
        arguments.append(folder / "weights.txt")
    found = ours("linear", *arguments)
    total = len(rows) if weights is None else weights.astype(numpy.float64).sum()
    peer = LogisticRegression(C=1 / (ridge * total), tol=1e-8, max_iter=100000)
    exact = rows.astype(numpy.float64)
    peer.fit(exact, codes, sample_weight=weights)
    shape = rows.shape[1], -1
    mine = numpy.vstack([numpy.reshape(found["weights"], shape), found["biases"]])
    theirs = numpy.vstack([peer.coef_.T, peer.intercept_])
    assert mine.shape == theirs.shape  # two classes: one vector of weights
    assert objective(rows, codes, mine, ridge, weights) == pytest.approx(
        objective(rows, codes, theirs, ridge, weights), rel=1e-6)
    numpy.testing.assert_allclose(numpy.reshape(found["probabilities"], (len(rows), -1)), peer.predict_proba(exact),
                                  rtol=0, atol=2e-3)


def random_rows(seed, rows, columns, classes):
    random = numpy.random.default_rng(seed)
    codes = random.integers(0, classes, rows)
    centers = random.normal(size=(classes, columns)) * 0.4
    return centers[codes] + random.normal(size=(rows, columns)), codes, random


@pytest.mark.parametrize("is_weighted", (False, True))
@pytest.mark.parametrize("classes", (2, 5))
def test_generated(classes, is_weighted, ours, tmp_path):
    rows, codes, random = random_rows(classes, 3000, 20, classes)
    compare(ours, tmp_path, rows, codes, 1e-3, random.uniform(0, 3, len(rows)) if is_weighted else None)


def test_adult(ours, tmp_path):
    path = DATA / "adult" / "adult.csv.gz"
    if not path.is_file():
        pytest.skip("no ../shared/data")
    import pandas
    table = pandas.read_csv(path)
    features = pandas.get_dummies(table.drop(columns="income"), dtype=float)
    rows = ((features - features.mean()) / features.std(ddof=0)).to_numpy()
    compare(ours, tmp_path, rows, pandas.factorize(table["income"], sort=True)[0], 1e-4)


def test_mnist(ours, tmp_path):
    folder = DATA / "mnist"
    if not folder.is_dir():
        pytest.skip("no ../shared/data")
    count = 6000
    with gzip.open(folder / "train-images-idx3-ubyte.gz") as file:
        rows = numpy.frombuffer(file.read(16 + count * 784), numpy.uint8, offset=16).reshape(count, 784) / 255
    with gzip.open(folder / "train-labels-idx1-ubyte.gz") as file:
        codes = numpy.frombuffer(file.read(8 + count), numpy.uint8, offset=8).astype(numpy.int64)
    compare(ours, tmp_path, rows, codes, 1e-3)
