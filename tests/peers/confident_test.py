"""Confident learning against cleanlab, on the same probabilities."""
import numpy
import pytest
from cleanlab.count import (estimate_py_and_noise_matrices_from_probabilities,
                            estimate_py_noise_matrices_and_cv_pred_proba, get_confident_thresholds)
from sklearn.linear_model import LogisticRegression

KINDS = ("usual", "absent class", "likely absent class", "ties", "class never likely", "few rows")


def random_case(seed):
    """Labels and probabilities; floats, because that is what the library takes, in double precision for cleanlab."""
    random = numpy.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    classes = int(random.choice([2, 3, 5, 10])) if "absent" not in kind else int(random.choice([3, 5, 10]))
    rows = classes * 6 if kind == "few rows" else int(random.integers(20 * classes, 1000))
    labels = random.integers(0, classes - 1 if "absent" in kind else classes, rows)
    logits = random.normal(size=(rows, classes))
    logits[numpy.arange(rows), labels] += random.uniform(0, 3)
    if kind == "likely absent class":
        logits[:, -1] += 2
    probabilities = numpy.exp(logits)
    if kind == "class never likely":
        probabilities[:, 0] = 0
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    if kind == "ties":
        probabilities = numpy.round(probabilities * 8) / 8
    return labels, probabilities.astype(numpy.float32)


@pytest.mark.parametrize("seed", range(30))
def test_equal_to_cleanlab(seed, ours, tmp_path):
    labels, probabilities = random_case(seed)
    numpy.save(tmp_path / "p.npy", probabilities)
    numpy.savetxt(tmp_path / "labels.txt", labels, fmt="%d")
    found = ours("confident", tmp_path / "p.npy", tmp_path / "labels.txt")
    exact = probabilities.astype(numpy.float64)
    prior, noise_matrix, _, joint = estimate_py_and_noise_matrices_from_probabilities(labels, exact)
    shape = joint.shape
    assert numpy.array_equal(numpy.reshape(found["counts"], shape), joint)
    numpy.testing.assert_allclose(found["thresholds"], get_confident_thresholds(labels, exact), rtol=0, atol=1e-9)
    numpy.testing.assert_allclose(found["prior"], prior, rtol=0, atol=1e-6)
    # cleanlab has the clean class in columns.
    numpy.testing.assert_allclose(numpy.reshape(found["transition"], shape), noise_matrix.T, rtol=0, atol=1e-6)


@pytest.mark.parametrize("classes", (2, 4))
def test_whole_estimate_is_near_cleanlabs(classes, ours, tmp_path):
    """Other folds, so not equal: what the draw of folds does to a rate of 6,000 rows is well below 0.02."""
    random = numpy.random.default_rng(classes)
    clean = random.integers(0, classes, 6000)
    rows = (random.normal(size=(classes, 15))[clean] + random.normal(size=(6000, 15))).astype(numpy.float32)
    labels = numpy.where(random.random(6000) < 0.15, (clean + 1) % classes, clean)
    numpy.save(tmp_path / "rows.npy", rows)
    numpy.savetxt(tmp_path / "labels.txt", labels, fmt="%d")
    found = ours("estimate", tmp_path / "rows.npy", tmp_path / "labels.txt", 1e-4)
    peer = LogisticRegression(C=1 / (1e-4 * 0.8 * len(rows)), max_iter=1000)
    prior, noise_matrix, *_ = estimate_py_noise_matrices_and_cv_pred_proba(rows, labels, clf=peer, cv_n_folds=5, seed=0)
    numpy.testing.assert_allclose(found["prior"], prior, rtol=0, atol=0.02)
    numpy.testing.assert_allclose(numpy.reshape(found["transition"], noise_matrix.shape), noise_matrix.T, rtol=0,
                                  atol=0.02)
