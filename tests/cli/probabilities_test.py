"""--probabilities: scores of the user's own model in place of the linear model's."""
import csv
import gzip
import io
import json

import numpy
import pytest

ROWS = 800


def draw(noise=(.05, .3), classes=("no", "yes"), rows=ROWS, seed=4):
    """Two overlapping normal classes: features, clean and given labels, and P(given label | row)."""
    random = numpy.random.default_rng(seed)
    clean = random.integers(0, 2, rows)
    features = random.normal(size=(rows, 2)) + 4 * (clean[:, None] - .5) * [1, 0]
    positive = 1 / (1 + numpy.exp(-4 * features[:, 0]))
    given = numpy.where(random.random(rows) < numpy.array(noise)[clean], 1 - clean, clean)
    share = positive * (1 - noise[1]) + (1 - positive) * noise[0]
    return features, clean, given, numpy.stack([1 - share, share], axis=1), numpy.array(classes)


@pytest.fixture
def files(tmp_path):
    features, clean, given, probabilities, classes = draw()
    numpy.save(tmp_path / "x.npy", features.astype("float32"))
    numpy.save(tmp_path / "p.npy", probabilities)
    numpy.save(tmp_path / "y.npy", given)
    with open(tmp_path / "labels.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "y", "sex"])
        writer.writerows([f"r{n}", classes[code], "fm"[n % 2]] for n, code in enumerate(given))
    with open(tmp_path / "d.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["a", "b", "y"])
        writer.writerows([*row, classes[code]] for row, code in zip(features.round(5), given))
    with gzip.open(tmp_path / "p.csv.gz", "wt", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["yes", "no"])
        writer.writerows(probabilities[:, ::-1].tolist())
    return tmp_path


def report_of(noiseplus, *arguments):
    return json.loads(noiseplus(*arguments, "--json", "-").stdout)


def without_seconds(report):
    return {key: value for key, value in report.items() if key not in ("seconds", "probabilities", "label", "classes")}


LABELS = ["--labels", "labels.csv", "--label", "y"]


def test_data_may_be_left_out(noiseplus, files):
    report = report_of(noiseplus, "audit", *LABELS, "--probabilities", "p.csv.gz", "--rows", "rows.csv")
    assert report["probabilities"] == "p.csv.gz" and report["features"] == 0 and report["rows"] == ROWS
    assert report["noisier"] == "yes" and abs(report["noise"][1]["rate"] - .3) < .1
    assert any("neighbors are rows with similar probabilities" in warning for warning in report["warnings"])
    assert not any("seen" in warning for warning in report["warnings"])
    rows = list(csv.DictReader((files / "rows.csv").open()))
    assert len(rows) == ROWS and {row["suggested"] for row in rows} == {"no", "yes"}


def test_text_names_the_file(noiseplus, files):
    text = " ".join(noiseplus("audit", *LABELS, "--probabilities", "p.npy").stdout.decode().split())
    assert "probabilities, label 'y'" in text and "scores of 'p.npy'" in text


@pytest.mark.threads
def test_every_form_of_the_same_numbers_gives_the_same_report(noiseplus, files):
    values = numpy.load(files / "p.npy").astype("float32")
    numpy.save(files / "f32.npy", values)
    numpy.save(files / "f64.npy", values.astype("float64"))
    numpy.save(files / "fortran.npy", numpy.asfortranarray(values))
    with open(files / "same.csv", "w") as file:
        file.write("yes,no\n" + "".join(f"{float(b)!r},{float(a)!r}\n" for a, b in values))
    reports = [without_seconds(report_of(noiseplus, "audit", *LABELS, "--probabilities", name, "--threads", threads))
               for name, threads in (("f32.npy", 1), ("f64.npy", 2), ("fortran.npy", 1), ("same.csv", 2))]
    assert all(report == reports[0] for report in reports)
    half = files / "half.npy"
    numpy.save(half, values.astype("float16"))
    noiseplus("audit", *LABELS, "--probabilities", half.name)


def test_with_data_neighbors_are_of_the_data_and_scores_of_the_file(noiseplus, files):
    plain = report_of(noiseplus, "audit", "d.csv", "--label", "y")
    given = report_of(noiseplus, "audit", "d.csv", "--label", "y", "--probabilities", "p.npy")
    assert given["features"] == 2 and given["probabilities"] == "p.npy" and "probabilities" not in plain
    assert given["estimates"]["latent-class"] == plain["estimates"]["latent-class"]
    for estimator in ("curve", "confident"):
        assert given["estimates"][estimator] != plain["estimates"][estimator], estimator


def test_groups_and_page(noiseplus, files):
    report = report_of(noiseplus, "audit", *LABELS, "--group", "sex", "--probabilities", "p.npy", "--html", "p.html",
                       "--suspects", 5)
    assert [group["group"] for group in report["groups"]] == ["f", "m"]
    assert report["suspects"]["columns"] == ["id", "sex"] and len(report["suspects"]["rows"]) == 5
    assert (files / "p.html").stat().st_size > 10000
    noiseplus("report", "-o", "again.html", "-", stdin=json.dumps(report).encode())


def test_balance_keeps_the_columns_of_the_labels(noiseplus, files):
    noiseplus("balance", *LABELS, "--probabilities", "p.npy", "--output", "out.csv")
    before, after = (list(csv.DictReader(io.StringIO((files / name).read_text()))) for name in ("labels.csv", "out.csv"))
    assert [{key: row[key] for key in before[0]} for row in after] == before
    flipped = sum(row["y"] != row["y_balanced"] for row in after)
    assert flipped > 30 and all(row["y"] == "no" for row in after if row["y"] != row["y_balanced"])
    noiseplus("balance", "--labels", "y.npy", "--probabilities", "p.npy", "--output", "out.npy")
    noiseplus("balance", "--labels", "y.npy", "--probabilities", "p.npy", "--output", "y.npy", code=2)
    noiseplus("balance", *LABELS, "--probabilities", "p.npy", "--output", "labels.csv")
    assert (files / "labels.csv").read_bytes() == (files / "out.csv").read_bytes()
    assert (numpy.load(files / "out.npy") != numpy.load(files / "y.npy")).sum() == flipped


def test_train_estimates_noise_with_them(noiseplus, files):
    arguments = ["train", "d.csv", "--label", "y", "--loss", "backward", "--transition", "confident", "--output", "m"]
    plain, given = (report_of(noiseplus, *arguments, *more) for more in ([], ["--probabilities", "p.npy"]))
    assert plain["transition"] != given["transition"]
    noiseplus("train", "d.csv", "--label", "y", "--output", "m", "--probabilities", "p.npy", code=2)
    noiseplus("train", *LABELS, "--probabilities", "p.npy", "--output", "m", code=2)


def test_probabilities_that_saw_their_labels_are_noticed(noiseplus, files):
    given = numpy.load(files / "y.npy")
    numpy.save(files / "seen.npy", numpy.where(given[:, None] == [0, 1], .8, .2))
    for data, words in ((["x.npy"], "seen their own labels"), ([], "predict every given label")):
        report = report_of(noiseplus, "audit", *data, "--labels", "y.npy", "--probabilities", "seen.npy")
        assert any(words in warning for warning in report["warnings"]), report["warnings"]


def test_folds_that_differ_are_noticed(noiseplus, files):
    values = numpy.load(files / "p.npy")
    values[:ROWS // 5] = numpy.where(numpy.arange(ROWS // 5)[:, None] % 2 == [0, 1], .95, .05)
    numpy.save(files / "bad.npy", values)
    report = report_of(noiseplus, "audit", "x.npy", "--labels", "y.npy", "--probabilities", "bad.npy")
    assert any("not of one kind" in warning for warning in report["warnings"]), report["warnings"]


def edited(values, row, column, value):
    changed = values.copy()
    changed[row, column] = value
    return changed


FAULTS = {
    "sum": (lambda p: edited(p, 6, 0, p[6, 0] + .01), ["row 7", "add up to"]),
    "negative": (lambda p: edited(p, 6, 0, -.25), ["row 7, column 1", "-0.25"]),
    "above one": (lambda p: edited(p, 6, 1, 1.25), ["row 7, column 2", "1.25"]),
    "nan": (lambda p: edited(p, 6, 1, numpy.nan), ["row 7, column 2", "missing"]),
    "rows": (lambda p: p[:-1], ["799 rows", "800 labels"]),
    "columns": (lambda p: numpy.hstack([p, p * 0]), ["4 columns", "2 classes"]),
    "logits": (lambda p: numpy.log(p), ["row 1, column 1", "predict_proba"]),
    "text": (lambda p: p.astype(str), ["numbers"]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_arrays(noiseplus, files, fault):
    change, parts = FAULTS[fault]
    numpy.save(files / "bad.npy", change(numpy.load(files / "p.npy")))
    message = noiseplus("audit", *LABELS, "--probabilities", "bad.npy", code=3).stderr.decode()
    assert all(part in message for part in ["bad.npy", *parts]), message


@pytest.mark.parametrize("text, parts", [
    ("no,yes\n.5,x\n", ["bad.csv:2:4", "'x'"]),
    ("no,yes\n.5,\n", ["bad.csv:2:4", "missing"]),
    ("no,yes\n1.5,-.5\n", ["bad.csv:2:1", "1.5"]),
    ("no,maybe\n.5,.5\n", ["'maybe'", "none of the classes"]),
    ("no\n1\n", ["no column", "'yes'"]),
    ("no,yes,no\n1,0,0\n", ["two columns", "'no'"]),
])
def test_faults_of_tables(noiseplus, files, text, parts):
    (files / "bad.csv").write_text(text + text.splitlines(keepends=True)[1] * (ROWS - 1))
    message = noiseplus("audit", *LABELS, "--probabilities", "bad.csv", code=3).stderr.decode()
    assert all(part in message for part in parts), message


@pytest.mark.parametrize("arguments, code", [
    (["audit"], 2),
    (["audit", "--labels", "labels.csv", "--label", "y"], 2),
    (["audit", "--probabilities", "p.npy"], 2),
    (["audit", *LABELS, "--probabilities", "p.npy", "--drop", "id"], 2),
    (["audit", *LABELS, "--probabilities", "p.npz"], 5),
    (["audit", *LABELS, "--probabilities", "d.csv"], 3),
    (["audit", *LABELS, "--probabilities", "p.npy", "--json", "p.npy"], 2),
    (["audit", "d.csv", "--label", "y", "--probabilities", "nowhere.npy"], 5),
])
def test_wrong_usage(noiseplus, files, arguments, code):
    noiseplus(*arguments, code=code)
