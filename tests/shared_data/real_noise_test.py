"""Unedited real noise with known truth: every rate is said under its condition, and every claim is right.

Weak labels of Yoruba news titles are made by a lexicon, so that they are a function of the features. People labeled CIFAR-10N, and err
where images are hard. Neither noise depends on the class only, and rates may miss the truth; the report must say under which condition
they hold, before it shows any.
"""
import csv
import gzip
import json

import numpy
import pytest

CONDITION = "if mistakes do not depend on how hard a row is and the labels were not made from these features."


def yoruba(data, folder):
    text = pytest.importorskip("sklearn.feature_extraction.text")
    decomposition = pytest.importorskip("sklearn.decomposition")
    with open(data / "yoruba/yoruba_train.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    words = text.TfidfVectorizer().fit_transform([row["news_title"] for row in rows])
    features = decomposition.TruncatedSVD(100, random_state=0).fit_transform(words)
    numpy.save(folder / "x.npy", features.astype(numpy.float32))
    return [row["weak_label"] for row in rows], [row["gold"] for row in rows], ["x.npy"]


def cifar(column, as_probabilities):
    def read(data, _):
        with gzip.open(data / "cifar10n/cifar10n_labels.csv.gz", "rt") as file:
            rows = list(csv.DictReader(file))
        network = data / "cifar10n/aggre_swin_probabilities.npy"
        source = ["--probabilities", network] if as_probabilities else [network]
        return [row[column] for row in rows], [row["clean_label"] for row in rows], source
    return read


# The last number: how many intervals held when this was written. Fewer are a loss.
CASES = {
    "Yoruba, weak labels": (yoruba, 6),
    "CIFAR-10N aggre, Swin features": (cifar("aggre_label", False), 9),
    "CIFAR-10N aggre, Swin probabilities": (cifar("aggre_label", True), 9),
    "CIFAR-10N worse, Swin features": (cifar("worse_label", False), 6),
    "CIFAR-10N worse, Swin probabilities": (cifar("worse_label", True), 5),
}


def share(value):
    return f"{100 * value:.1f}"


@pytest.mark.parametrize("name", CASES)
def test_what_is_said_holds_under_its_condition(noiseplus, data, tmp_path, name):
    read, held_before = CASES[name]
    given, truth, source = read(data, tmp_path)
    (tmp_path / "y.csv").write_text("y\n" + "\n".join(given) + "\n", encoding="utf-8")
    text = noiseplus("audit", *source, "--labels", "y.csv", "--label", "y", "--json", "r.json").stdout.decode()
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    if "giveaway" in report or not report["identified"]:
        assert "at most" not in text and report["claims"] == []
        return
    assert CONDITION in report["condition"]
    flat = " ".join(text.split())
    assert 0 < flat.index(CONDITION) < flat.index("class labels true share noise rate")

    given, truth = numpy.array(given), numpy.array(truth)
    rates = {label: float(numpy.mean(given[truth == label] != label)) for label in report["classes"]}
    held = 0
    print(f"\n{name}: {share(numpy.mean(given != truth))} % of all labels are wrong; said {share(report['wrong_share']['low'])}"
          f" to {share(report['wrong_share']['high'])}; {len(report['claims'])} claims\n| class | truth | said | interval |")
    for rate in report["noise"]:
        true_rate = rates[rate["class"]]
        said = f"at most {share(rate['high'])}" if rate["upper_bound"] else share(rate["rate"])
        inside = rate["low"] <= true_rate <= rate["high"]
        held += inside
        print(f"| {rate['class']} | {share(true_rate)} | {said} | {share(rate['low'])} to {share(rate['high'])}{'' if inside else ' (missed)'} |")
        if rate["upper_bound"]:
            assert f"at most {share(rate['high'])} %" in text
    assert held >= held_before
    for claim in report["claims"]:
        assert rates[claim["noisier"]] > rates[claim["cleaner"]], claim
