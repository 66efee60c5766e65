"""train and evaluate: every loss and model, every kind of data, and what they write."""
import csv
import gzip
import io
import itertools
import json
import math
import pathlib

import jsonschema
import pytest

from train_data import LOSSES, TRAIN, table

DOCS = pathlib.Path(__file__).parent / "../../docs"
SCHEMA = json.loads((DOCS / "evaluate.schema.json").read_text())
TRAIN_SCHEMA = json.loads((DOCS / "train.schema.json").read_text())


def read_json(done):
    report = json.loads(done.stdout)
    if "loss" in report:
        jsonschema.Draft202012Validator(TRAIN_SCHEMA).validate(report)
    return report


def evaluation(noiseplus, *arguments):
    report = read_json(noiseplus("evaluate", *arguments, "--json", "-"))
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def predictions(noiseplus, *arguments):
    return list(csv.DictReader(io.StringIO(noiseplus("predict", *arguments, "--output", "-").stdout.decode())))


def flags_of(loss, model):
    flags = ["--loss", loss, "--model", model]
    flags += {"backward": ["--transition", "T.txt"], "forward": ["--transition", "confident", "--folds", "3"],
              "peer": ["--alpha-folds", "1"] if model == "linear" else ["--alpha", "0.3"],
              "group-peer": ["--group", "g", "--alpha", "0.2"], "co-teaching": ["--forget", "0.2"]}.get(loss, [])
    return flags + {"mlp": ["--hidden", "8", "--epochs", "4", "--batch", "16", "--rate", "0.01"],
                    "trees": ["--trees", "60", "--leaves", "8", "--min-leaf-rows", "20"]}.get(model, [])


MODELS = [(loss, model) for loss in LOSSES for model in ("linear", "mlp", "trees")
          if loss != "co-teaching" or model == "mlp"]


@pytest.mark.threads
@pytest.mark.parametrize("loss, model", MODELS)
def test_every_loss_and_model(noiseplus, data, rows, tmp_path, loss, model):
    flags = flags_of(loss, model)
    text = noiseplus(*TRAIN, *flags, "--threads", "1", "--json", "m.json").stdout.decode()
    assert text.startswith(f"{model} model, loss {loss}: 300 rows, 6 features, 2 classes\n")
    one = (tmp_path / "m").read_bytes()
    noiseplus(*TRAIN, *flags, "--threads", "3")
    assert (tmp_path / "m").read_bytes() == one
    report = json.loads((tmp_path / "m.json").read_text())
    jsonschema.Draft202012Validator(TRAIN_SCHEMA).validate(report)
    assert {"version", "label", "rows", "features", "classes", "model", "loss", "steps", "converged", "objective",
            "noisy_accuracy", "held_out_accuracy", "warnings", "seconds"} <= set(report)
    assert (report["loss"], report["model"], report["label"], report["classes"]) == (loss, model, "y", ["no", "yes"])
    assert ("alpha" in report) == (loss in ("peer", "group-peer"))
    assert ("transition" in report) == (loss in ("backward", "forward"))
    assert report["held_out_accuracy"] is None

    judged = evaluation(noiseplus, "m", data, "--label", "clean", "--group", "g")
    assert judged["accuracy"] > 0.85 and judged["accuracy_interval"][0] < judged["accuracy"] < judged["accuracy_interval"][1]
    said = predictions(noiseplus, "m", data)
    assert judged["accuracy"] == sum(p["prediction"] == row[6] for p, row in zip(said, rows)) / len(rows)
    agreeing = sum(p["prediction"] == row[5] for p, row in zip(said, rows)) / len(rows)
    assert report["noisy_accuracy"] == pytest.approx(agreeing, abs=1e-12)
    assert evaluation(noiseplus, "m", data)["accuracy"] == agreeing  # the model knows its label


def test_json_of_train(noiseplus, data):
    train = [*TRAIN, "--json", "-"]
    peer = read_json(noiseplus(*train, "--loss", "peer", "--alpha-folds", "1"))
    assert len(peer["alphas"]) == 33 and peer["alphas"][0]["alpha"] == -0.8
    best = max(trial["accuracy"] for trial in peer["alphas"])
    assert best == next(trial["accuracy"] for trial in peer["alphas"] if trial["alpha"] == peer["alpha"])
    given = read_json(noiseplus(*train, "--loss", "backward", "--transition", "T.txt"))
    assert given["transition"] == [[0.9, 0.1], [0.25, 0.75]] and given["transition_from"] == "given"
    found = read_json(noiseplus(*train, "--loss", "forward"))
    assert found["transition_from"] == "auto" and abs(found["transition"][1][1] - 0.75) < 0.15
    confident = read_json(noiseplus(*train, "--loss", "co-teaching", "--transition", "confident", "--epochs", "1"))
    assert confident["transition_from"] == "confident" and confident["steps"] == 1
    held = read_json(noiseplus(*train, "--hold-out", "0.2", "--patience", "3"))
    assert 0.5 < held["held_out_accuracy"] <= 1
    assert noiseplus(*train, "--quiet").stdout.startswith(b"{")
    assert noiseplus(*TRAIN, "--quiet").stdout == b""


def test_misspecified_has_the_trace_and_depends_on_the_seed(noiseplus, data):
    train = [*TRAIN, "--loss", "backward", "--transition", "T.txt", "--misspecify", "--json", "-"]
    first, again, other = (read_json(noiseplus(*train, "--seed", seed)) for seed in (1, 1, 2))
    assert first["transition_from"] == "given, misspecified"
    assert first["transition"] == again["transition"] != other["transition"]
    for report in (first, other):
        matrix = report["transition"]
        assert matrix[0][0] + matrix[1][1] == pytest.approx(1.65)
        assert all(sum(row) == pytest.approx(1) for row in matrix)


def test_group_peer_with_rates_given_and_estimated(noiseplus, data):
    train = [*TRAIN, "--loss", "group-peer", "--group", "g", "--alpha", "0.2", "--json", "-"]
    given = read_json(noiseplus(*train, "--group-rate", "a=0.1", "--group-rate", "b=0.2"))
    assert [group["group"] for group in given["groups"]] == ["a", "b"]
    assert [group["delta"] for group in given["groups"]] == pytest.approx([0.8, 0.6])
    found = read_json(noiseplus(*train))
    assert found["transition_from"] == "auto"
    assert all(0.3 < group["delta"] < 0.95 for group in found["groups"])
    confident = read_json(noiseplus(*train, "--transition", "confident"))
    assert any("overlapping classes" in warning for warning in confident["warnings"])
    everyone = read_json(noiseplus(*train, "--group-rate", "a=0.1", "--group-rate", "b=0.2", "--peers-from-all-rows"))
    assert everyone["objective"] != given["objective"]


def test_arrays_of_every_kind(noiseplus, arrays, tmp_path):
    _, y, _ = arrays
    models = []
    for name, train in {"npy": ["x.npy", "--labels", "y.npy"], "npz": ["d.npz"], "libsvm": ["d.libsvm"],
                        "csv": ["x.npy", "--labels", "labels.csv", "--label", "y"]}.items():
        noiseplus("train", *train, "--output", name, "--loss", "backward")
        models.append([row["prediction"] for row in predictions(noiseplus, name, "x.npy")])
    assert all(model == models[0] for model in models)
    right = sum(int(said) == label for said, label in zip(models[0], y)) / len(y)
    for arguments in (["npy", "x.npy", "--labels", "y.npy"], ["npz", "d.npz"], ["libsvm", "d.libsvm"], ["npy", "d.libsvm"],
                      ["csv", "x.npy", "--labels", "labels.csv"]):  # the model knows which column
        assert evaluation(noiseplus, *arguments)["accuracy"] == pytest.approx(right)
    assert b"say which is the label" in noiseplus("train", "x.npy", "--labels", "labels.csv", "--output", "m", code=2).stderr
    confusion = evaluation(noiseplus, "npy", "x.npy", "--labels", "y.npy", "--groups", "g.npy")["confusion"]
    assert [sum(row) for row in confusion] == [int((y == c).sum()) for c in range(3)]


def test_groups_of_arrays(noiseplus, arrays):
    peer = ["train", "x.npy", "--loss", "group-peer", "--alpha", "0.2", "--group-rate", "0=0.2", "--group-rate", "1=0.4"]
    first = read_json(noiseplus(*peer, "--labels", "y.npy", "--groups", "g.npy", "--output", "m", "--json", "-"))
    # Of three classes, noise of rate e that goes to both others alike leaves 1 - 3 / 2 e.
    assert [group["delta"] for group in first["groups"]] == pytest.approx([0.7, 0.4])
    second = read_json(noiseplus(*peer, "--labels", "labels.csv", "--label", "y", "--group", "g", "--output", "m", "--json", "-"))
    assert first["objective"] == second["objective"]
    report = evaluation(noiseplus, "m", "x.npy", "--labels", "labels.csv", "--group", "g")
    assert [group["group"] for group in report["groups"]] == ["0", "1"]
    assert b"must be below 0.66" in noiseplus(*peer[:-1], "1=0.7", "--labels", "y.npy", "--groups", "g.npy", "--output",
                                              "m", code=2).stderr


def test_tsv_gzip_and_standard_input(noiseplus, data, rows, tmp_path):
    noiseplus(*TRAIN)
    model = (tmp_path / "m").read_bytes()
    (tmp_path / "t.tsv").write_text(table(rows, delimiter="\t"))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(table(rows).encode()))
    for source in ("t.tsv", "t.csv.gz"):
        noiseplus("train", source, *TRAIN[2:])
        assert (tmp_path / "m").read_bytes() == model
    assert noiseplus("train", "-", *TRAIN[2:-1], "-", stdin=table(rows).encode()).stdout == model
    expected = evaluation(noiseplus, "m", data)
    assert json.loads(noiseplus("evaluate", "m", "-", "--json", "-", stdin=table(rows).encode()).stdout) == expected
    assert json.loads(noiseplus("evaluate", "-", data, "--json", "-", stdin=model).stdout) == expected


def test_row_weights(noiseplus, rows, tmp_path):
    doubled = [row[:4] + ["2" if n % 3 else "0"] + row[5:] for n, row in enumerate(rows)]
    (tmp_path / "weighted.csv").write_text(table(doubled))
    (tmp_path / "repeated.csv").write_text(table([row for row in doubled if row[4] == "2" for _ in range(2)]))
    flags = ["--label", "y", "--features", "x,z", "--no-scale", "--json", "-", "--output"]
    weighted = read_json(noiseplus("train", "weighted.csv", "--weights", "w", *flags, "a"))
    repeated = read_json(noiseplus("train", "repeated.csv", *flags, "b"))
    assert weighted["objective"] == pytest.approx(repeated["objective"], rel=1e-5)
    for model in ("peer", "co-teaching"):
        options = ["--alpha", ".3"] if model == "peer" else ["--forget", ".2"]
        noiseplus("train", "weighted.csv", "--weights", "w", *flags, "c", "--loss", model, *options)


@pytest.mark.parametrize("names", [
    ['say "yes"', "no, never"], ["größe", "日本"], ["1", "1.0x"], ["0", "1.0"], ["-1", "+1"], ["a\tb", "c\nd"],
    ["<", "p_<"], ["yes", "Yes"]])
def test_class_names_survive_the_round_trip(noiseplus, rows, tmp_path, names):
    with open(tmp_path / "t.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["x", "y"])
        writer.writerows([row[0], names[row[6] == "yes"]] for row in rows)
    noiseplus("train", "t.csv", "--label", "y", "--output", "m", "--positive", names[0])
    said = [row["prediction"] for row in predictions(noiseplus, "m", "t.csv")]
    assert set(said) == set(names)
    report = evaluation(noiseplus, "m", "t.csv")
    labels = [names[row[6] == "yes"] for row in rows]
    assert report["accuracy"] == sum(a == b for a, b in zip(said, labels)) / len(labels)
    noiseplus("evaluate", "m", "t.csv", "--positive", names[1])


def test_numbers_that_are_equal_are_one_class(noiseplus, rows, tmp_path):
    spellings = itertools.cycle(["1", "1.0", "1e0"])
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(
        f"{row[0]},{next(spellings) if row[6] == 'yes' else 0}\n" for row in rows))
    noiseplus("train", "t.csv", "--label", "y", "--output", "m")
    report = evaluation(noiseplus, "m", "t.csv")
    assert report["classes"] == ["0", "1"] and report["accuracy"] > 0.9


def test_what_evaluate_says(noiseplus, data, rows):
    noiseplus(*TRAIN)
    report = evaluation(noiseplus, "m", data, "--label", "clean", "--group", "g")
    said = [row["prediction"] for row in predictions(noiseplus, "m", data)]
    assert report["positive"] == "yes" and report["rows"] == 300
    confusion = [[sum(row[6] == i and p == j for row, p in zip(rows, said)) for j in ("no", "yes")] for i in ("no", "yes")]
    assert report["confusion"] == confusion
    groups = {}
    for name in "ab":
        pairs = [(row[6], p) for row, p in zip(rows, said) if row[3] == name]
        positive = [p == "yes" for label, p in pairs if label == "yes"]
        negative = [p == "yes" for label, p in pairs if label == "no"]
        groups[name] = (sum(positive) / len(positive), sum(negative) / len(negative), sum(p == "yes" for _, p in pairs) / len(pairs))
    for group in report["groups"]:
        assert (group["tpr"], group["fpr"], group["positive_rate"]) == pytest.approx(groups[group["group"]])
        assert group["tpr_interval"][0] <= group["tpr"] <= group["tpr_interval"][1]
    gaps = [abs(a - b) for a, b in zip(groups["a"], groups["b"])]
    assert report["equalized_odds_violation"] == pytest.approx(max(gaps[:2]))
    assert report["demographic_parity_violation"] == pytest.approx(gaps[2])
    low, high = report["equalized_odds_violation_interval"]
    assert 0 <= low <= report["equalized_odds_violation"] <= high <= 1
    # Wilson's interval of the accuracy.
    n, share, z = 300, report["accuracy"], 1.959964
    center, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    assert report["accuracy_interval"] == pytest.approx([(center - half) / (1 + z * z / n), (center + half) / (1 + z * z / n)])
    other = evaluation(noiseplus, "m", data, "--label", "clean", "--positive", "no")
    assert other["tpr"] == pytest.approx(1 - report["fpr"]) and other["groups"] == []
    assert other["equalized_odds_violation"] is None
    text = noiseplus("evaluate", "m", data, "--label", "clean", "--group", "g").stdout.decode()
    assert "Equalized odds" in text and "95 % interval" in text and max(map(len, text.splitlines())) <= 80


def test_warnings(noiseplus, data, tmp_path):
    assert "trained without them" in noiseplus(*TRAIN, "--group", "g").stdout.decode()
    (tmp_path / "turned.txt").write_text("0.25 0.75\n0.9 0.1\n")
    text = noiseplus(*TRAIN, "--loss", "backward", "--transition", "turned.txt").stdout.decode()
    assert "is row 1 the one of 'no'?" in text
    # Claims half of the positives to be wrong, where no label is: clean losses are never below 0.
    (tmp_path / "much.txt").write_text("0.6 0.4\n0.4 0.6\n")
    much = ["--label", "clean", "--loss", "backward", "--transition", "much.txt", "--output", "m"]
    warned = noiseplus("train", data, *much, "--drop", "y,w").stdout.decode()
    assert "claims more noise than there is" in " ".join(warned.split())
    noiseplus(*TRAIN, "--features", "x")
    assert "does not use: z, color" in noiseplus("evaluate", "m", data).stdout.decode()
