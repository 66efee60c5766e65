"""Finding wrong labels: ours against cleanlab and a vote of neighbors, on the same probabilities and neighbors. Real
data, whose true labels decide."""
import csv
import gzip
import pathlib

import numpy
import pytest
from cleanlab.rank import get_label_quality_scores
from sklearn.metrics import roc_auc_score

DATA = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
CLASSES = 10
NEIGHBORS = (10, 30)


@pytest.fixture(scope="module")
def mnist():
    """The pixels' first 50 principal components, and the digits."""
    folder = DATA / "mnist"
    if not folder.is_dir():
        pytest.skip("no ../shared/data/mnist")
    with gzip.open(folder / "train-images-idx3-ubyte.gz") as file:
        pixels = numpy.frombuffer(file.read(), numpy.uint8, offset=16).reshape(-1, 784).astype(numpy.float32) / 255
    with gzip.open(folder / "train-labels-idx1-ubyte.gz") as file:
        digits = numpy.frombuffer(file.read(), numpy.uint8, offset=8).astype(int)
    pixels -= pixels.mean(axis=0)
    _, directions = numpy.linalg.eigh(pixels.T @ pixels)
    return pixels @ directions[:, -50:], digits


@pytest.fixture(scope="module")
def cifar():
    """Out-of-sample probabilities of a network, human labels, and the true ones."""
    folder = DATA / "cifar10n"
    if not folder.is_dir():
        pytest.skip("no ../shared/data/cifar10n")
    with gzip.open(folder / "cifar10n_labels.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    labels, clean = (numpy.array([int(row[name]) for row in rows]) for name in ("aggre_label", "clean_label"))
    return numpy.load(folder / "aggre_swin_probabilities.npy"), labels, clean


def symmetric(rate):
    transition = numpy.full((CLASSES, CLASSES), rate / (CLASSES - 1))
    numpy.fill_diagonal(transition, 1 - rate)
    return transition


def random_transition(seed):
    """Each class with a rate and favorite wrong labels of its own."""
    random = numpy.random.default_rng(seed)
    rows = []
    for clean in range(CLASSES):
        rate = random.uniform(0.1, 0.5)
        rows.append(numpy.insert(rate * random.dirichlet(numpy.full(CLASSES - 1, 0.5)), clean, 1 - rate))
    return numpy.array(rows)


def corrupt(clean, transition, seed):
    draws = numpy.random.default_rng(seed).random(len(clean))
    return (draws[:, None] > transition.cumsum(axis=1)[clean]).sum(axis=1).clip(0, CLASSES - 1)


def peers(labels, probabilities, neighbors):
    """The credibility of each label by every peer and setting."""
    found = {}
    shares = {}
    for k in NEIGHBORS:
        votes = labels[neighbors[:, :k]]
        shares[k] = (votes[:, :, None] == numpy.arange(CLASSES)).mean(axis=1)
        found[f"vote of {k}"] = shares[k][numpy.arange(len(labels)), labels]
    for name, source in (("", probabilities), (" of votes", shares[NEIGHBORS[-1]])):
        for method in ("self_confidence", "normalized_margin", "confidence_weighted_entropy"):
            found[f"cleanlab {method}{name}"] = get_label_quality_scores(labels, source, method=method)
    return found


def compare(ours, tmp_path, case, rows, labels, clean, probabilities=None):
    numpy.save(tmp_path / "rows.npy", rows)
    numpy.savetxt(tmp_path / "labels.txt", labels, fmt="%d")
    given = []
    if probabilities is not None:
        given = [tmp_path / "probabilities.npy"]
        numpy.save(given[0], probabilities)
    result = ours("quality", tmp_path / "rows.npy", tmp_path / "labels.txt", *given)
    right = numpy.array(result["right"])
    wrong = labels != clean
    scores = {name: roc_auc_score(wrong, -credible)
              for name, credible in peers(labels, numpy.reshape(result["probabilities"], (-1, CLASSES)),
                                          numpy.reshape(result["neighbours"], (len(labels), -1))).items()}
    mine = roc_auc_score(wrong, -right)
    print(f"\n{case}: {wrong.mean():.1%} wrong, {result['mode']}, power {result['power']:.2f}, "
          f"Brier {((right - ~wrong) ** 2).mean():.4f}, suggestions right {(result['suggested'] == clean).mean():.4f}")
    for name, score in sorted({"ours": mine, **scores}.items(), key=lambda item: -item[1]):
        print(f"  {score:.5f} {name}")
    assert mine >= max(scores.values())
    return right, wrong


@pytest.mark.parametrize("case, transition", (("20 %", symmetric(0.2)), ("40 %", symmetric(0.4)),
                                              ("random matrix", random_transition(7))), ids=lambda value: str(value)[:6])
def test_mnist(case, transition, mnist, ours, tmp_path):
    rows, clean = mnist
    right, wrong = compare(ours, tmp_path, f"MNIST, {case}", rows, corrupt(clean, transition, 1), clean)
    # Probabilities, not only an order.
    assert abs(right.mean() - (~wrong).mean()) < 0.02
    assert ((right - ~wrong) ** 2).mean() < 0.015


@pytest.mark.parametrize("given", ("linear", "network"))
def test_cifar(given, cifar, ours, tmp_path):
    """The network's probabilities as features of a linear model, and as they are."""
    probabilities, labels, clean = cifar
    right, wrong = compare(ours, tmp_path, f"CIFAR-10N aggre, {given}", probabilities, labels, clean,
                           probabilities if given == "network" else None)
    assert abs(right.mean() - (~wrong).mean()) < 0.02
    assert ((right - ~wrong) ** 2).mean() < 0.015
