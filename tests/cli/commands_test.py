"""The four commands on good input."""
import gzip
import json
import pathlib
import random
import subprocess

import jsonschema
import numpy
import pytest

SCHEMA = json.loads((pathlib.Path(__file__).parent / "../../docs/audit.schema.json").read_text())


def read_json(text):
    report = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def test_schema_itself_is_valid_and_strict():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate({"rows": 1})


@pytest.fixture
def noisy_csv(noiseplus, clean_csv, tmp_path):
    noiseplus("corrupt", clean_csv, "--label", "y", "--rate", "yes=0.3", "--rate", "no=0.1", "--output", "noisy.csv")
    return tmp_path / "noisy.csv"


AUDIT = ["--label", "y_noisy", "--drop", "id,color"]


def test_corrupt_audit_balance(noiseplus, clean_csv, noisy_csv, tmp_path):
    report = read_json(noiseplus("audit", noisy_csv, *AUDIT, "--json", "-").stdout)
    assert report["classes"] == ["no", "yes"] and report["rows"] == 4000 and report["features"] == 3
    assert report["noisier"] == "yes" and report["cleaner"] == "no" and report["identified"]
    rates = {noise["class"]: noise for noise in report["noise"]}
    assert rates["yes"]["low"] < 0.3 < rates["yes"]["high"]
    assert rates["no"]["low"] < 0.1 < rates["no"]["high"]
    assert abs(report["gap"]["value"] - 0.2) < 0.06
    assert any("y" in warning and "label in another state" in warning for warning in report["warnings"])

    text = noiseplus("balance", noisy_csv, *AUDIT, "--output", "balanced.csv", "--json", "b.json").stdout.decode()
    assert "Flipped" in text
    balanced = read_json((tmp_path / "b.json").read_text())
    assert balanced["plan"] == report["plan"]
    rows = [line.split(",") for line in (tmp_path / "balanced.csv").read_text().splitlines()]
    header, rows = rows[0], rows[1:]
    assert header[-3:] == ["y", "y_noisy", "y_noisy_balanced"]
    wrong = {name: [row[-1] != row[-3] for row in rows if row[-3] == name] for name in ("yes", "no")}
    share = {name: sum(flags) / len(flags) for name, flags in wrong.items()}
    assert abs(share["yes"] - share["no"]) < 0.06
    flipped = sum(row[-1] != row[-2] for row in rows)
    assert flipped == sum(balanced["flipped"].values()) == balanced["flipped"]["no"]


def test_pipe(program, clean_csv):
    command = (f"'{program}' corrupt '{clean_csv}' --label y --rate yes=0.3 --output - | "
               f"'{program}' audit - --label y_noisy --drop id,color --json -")
    done = subprocess.run(["bash", "-c", "set -o pipefail; " + command], capture_output=True, check=True, timeout=60)
    assert read_json(done.stdout)["noisier"] == "yes"


def test_every_input_byte_is_kept(noiseplus, tmp_path):
    text = "\ufeffid;x,\"a \"\"b\"\"\",y\r\n" + "".join(
        f"{i} , \"{i % 7}\r\n\",{'p' if i % 2 else 'q'}\r\n" for i in range(60))
    (tmp_path / "t.csv").write_bytes(text.encode())
    noiseplus("corrupt", "t.csv", "--label", "y", "--rate", "p=1", "--output", "o.csv")
    written = (tmp_path / "o.csv").read_bytes().decode()
    assert written.startswith("\ufeffid;x,\"a \"\"b\"\"\",y,y_noisy\r\n0 , \"0\r\n\",q,q\r\n1 , \"1\r\n\",p,q\r\n")
    assert written.replace(",y_noisy\r\n", "\r\n").replace(",q,q\r\n", ",q\r\n").replace(",p,q\r\n", ",p\r\n") == text


def test_balance_keeps_every_byte_too(noiseplus, noisy_csv, tmp_path):
    given = noisy_csv.read_bytes().replace(b"\n", b"\r\n")
    (tmp_path / "w.csv").write_bytes(given)
    noiseplus("balance", "w.csv", *AUDIT, "--output", "b.csv")
    lines = (tmp_path / "b.csv").read_bytes().split(b"\r\n")
    assert b"\r\n".join(line.rsplit(b",", 1)[0] for line in lines) == given
    in_place = given.replace(b"\r\n", b"\n")
    (tmp_path / "w.csv").write_bytes(in_place)
    noiseplus("balance", "w.csv", *AUDIT, "--output", "w.csv")
    assert b"y_noisy_balanced" in (tmp_path / "w.csv").read_bytes()


def test_unchanged_labels_are_spelled_as_they_were(noiseplus, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "1,1\n2,1.0\n3,0\n4,0.0\n" * 10)
    noiseplus("corrupt", "t.csv", "--label", "y", "--rate", "1=0", "--output", "o.csv")
    assert all(line.split(",")[1] == line.split(",")[2] for line in (tmp_path / "o.csv").read_text().splitlines()[1:])


def test_flags_may_stand_before_the_data(noiseplus, clean_csv):
    noiseplus("corrupt", "--rate", "yes=.3", clean_csv, "--label", "y", "--output", "o.csv")
    noiseplus("corrupt", "--rate", "yes=.3", clean_csv, "--label", "y", "--positive", "no", "--output", "o.csv")
    noiseplus("corrupt", "--rate", "yes=.3", clean_csv, "--label", "y", "--positive", "z", "--output", "o.csv", code=2)
    noiseplus("audit", "--drop", "id,color", clean_csv, "--label", "y")


def test_gzip_in_and_out(noiseplus, clean_csv, tmp_path):
    (tmp_path / "in.csv.gz").write_bytes(gzip.compress(clean_csv.read_bytes()))
    noiseplus("corrupt", "in.csv.gz", "--label", "y", "--rate", "yes=0", "--output", "out.csv.gz")
    lines = gzip.decompress((tmp_path / "out.csv.gz").read_bytes()).decode().splitlines()
    assert lines[0].endswith(",y,y_noisy") and len(lines) == 4001
    assert all(line.split(",")[-1] == line.split(",")[-2] for line in lines[1:])


def test_transition_file(noiseplus, clean_csv, tmp_path):
    (tmp_path / "T.txt").write_text("1 0\n0.5 0.5\n")
    noiseplus("corrupt", clean_csv, "--label", "y", "--transition", "T.txt", "--output", "o.csv")
    rows = [line.split(",") for line in (tmp_path / "o.csv").read_text().splitlines()[1:]]
    assert all(row[-1] == "no" for row in rows if row[-2] == "no")
    kept = [row[-1] == "yes" for row in rows if row[-2] == "yes"]
    assert abs(sum(kept) / len(kept) - 0.5) < 0.06


def test_noise_by_group(noiseplus, tmp_path):
    rows = [(i % 3, "ab"[i // 3 % 2]) for i in range(6000)]
    (tmp_path / "t.csv").write_text("x,y,g\n" + "".join(f"{i},{y},{g}\n" for i, (y, g) in enumerate(rows)))
    said = noiseplus("corrupt", "t.csv", "--label", "y", "--group", "g", "--group-rate", "b=0.3",
                     "--transition-output", "T.txt", "--output", "o.csv").stdout.decode()
    assert said.splitlines()[1].split() == ["a", "3,000", "0", "0.0", "%"] and said.splitlines()[2].startswith("b ")
    noisy = [line.split(",") for line in (tmp_path / "o.csv").read_text().splitlines()[1:]]
    assert all(row[1] == row[3] for row in noisy if row[2] == "a")
    assert abs(sum(row[1] != row[3] for row in noisy if row[2] == "b") / 3000 - 0.3) < 0.04
    assert len([row for row in noisy if row[1:] == ["0", "b", "1"]]) > 100  # to all others alike
    assert len([row for row in noisy if row[1:] == ["0", "b", "2"]]) > 100
    assert (tmp_path / "T.txt").read_text() == ("1 0 0\n0 1 0\n0 0 1\n\n" + "0.7 0.15 0.15\n0.15 0.7 0.15\n0.15 0.15 0.7\n")
    numpy.save(tmp_path / "x.npy", numpy.zeros((6000, 1)))
    numpy.save(tmp_path / "y.npy", numpy.array([y for y, _ in rows]))
    (tmp_path / "g.txt").write_text("".join(g + "\n" for _, g in rows))
    noiseplus("corrupt", "x.npy", "--labels", "y.npy", "--groups", "g.txt", "--group-rate", "b=0.3", "--output", "n.npy")
    assert (numpy.load(tmp_path / "n.npy") == [int(row[3]) for row in noisy]).all()


def test_a_random_gap(noiseplus, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n" + "".join(f"{i},{i % 10}\n" for i in range(20000)))
    call = ["corrupt", "t.csv", "--label", "y", "--random-gap", "0.2"]
    said = noiseplus(*call, "--seed", "3", "--transition-output", "T.txt", "--output", "o.csv").stdout.decode()
    matrix = numpy.loadtxt(tmp_path / "T.txt")
    assert sorted(numpy.diag(matrix).round(9)) == [0.4] * 8 + [0.6] * 2 and abs(matrix.sum(1) - 1).max() < 1e-12
    shown = [line.split()[1:] for line in said.splitlines()[-10:]]
    assert abs(numpy.array(shown, dtype=float) - matrix).max() < 0.0006
    labels = numpy.loadtxt(tmp_path / "o.csv", delimiter=",", skiprows=1, dtype=int)
    counts = numpy.zeros((10, 10))
    numpy.add.at(counts, (labels[:, 1], labels[:, 2]), 1 / 2000)
    assert abs(counts - matrix).max() < 0.05
    again = ["corrupt", "t.csv", "--label", "y", "--seed", "3", "--transition", "T.txt", "--output", "again.csv"]
    noiseplus(*again)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "o.csv").read_bytes()
    noiseplus(*call, "--seed", "4", "--transition-output", "U.txt", "--output", "o.csv")
    assert (tmp_path / "U.txt").read_bytes() != (tmp_path / "T.txt").read_bytes()


@pytest.mark.parametrize("kind", ["npy", "npz", "idx", "libsvm"])
def test_arrays_give_the_same_audit_in_every_format(noiseplus, clean_csv, tmp_path, kind):
    rows = [line.split(",") for line in clean_csv.read_text().splitlines()[1:]]
    x = numpy.array([row[2:5] for row in rows], dtype=numpy.float32)
    y = numpy.array([row[5] == "yes" for row in rows]).astype(numpy.int64)
    numpy.save(tmp_path / "y.npy", y)
    noiseplus("corrupt", "missing-is-fine", "--labels", "y.npy", "--rate", "1=0.3", "--output", "n.npy", code=5)
    numpy.save(tmp_path / "x.npy", x)
    noiseplus("corrupt", "x.npy", "--labels", "y.npy", "--rate", "1=0.3", "--output", "n.npy")
    noisy = numpy.load(tmp_path / "n.npy")
    assert noisy.dtype == numpy.int64 and noisy.shape == y.shape
    assert 0.2 < (noisy != y)[y == 1].mean() < 0.4 and (noisy == y)[y == 0].all()
    if kind == "npy":
        arguments = ["x.npy", "--labels", "n.npy"]
    elif kind == "npz":
        numpy.savez_compressed(tmp_path / "d.npz", X=x, y=noisy)
        arguments = ["d.npz"]
    elif kind == "idx":
        (tmp_path / "x.idx").write_bytes(b"\0\0\x0d\x02" + len(x).to_bytes(4, "big") + (3).to_bytes(4, "big")
                                         + x.astype(">f4").tobytes())
        (tmp_path / "n.idx").write_bytes(b"\0\0\x08\x01" + len(x).to_bytes(4, "big") + noisy.astype(numpy.uint8).tobytes())
        arguments = ["x.idx", "--labels", "n.idx"]
    else:
        lines = [f"{int(label)} " + " ".join(f"{c + 1}:{float(v)!r}" for c, v in enumerate(row))
                 for label, row in zip(noisy, x)]
        (tmp_path / "d.libsvm").write_text("\n".join(lines) + "\n")
        arguments = ["d.libsvm"]
    report = read_json(noiseplus("audit", *arguments, "--json", "-").stdout)
    reference = read_json(noiseplus("audit", "x.npy", "--labels", "n.npy", "--json", "-").stdout)
    assert report["noisier"] == "1" and report["classes"] == ["0", "1"]
    for key in ("noise", "gap", "plan", "transition"):
        assert report[key] == reference[key]


@pytest.mark.parametrize("flags", [[], ["--anchors", "500"], ["--estimator", "paper"], ["--scale"]])
@pytest.mark.parametrize("missing", [False, True])
def test_float16_gives_the_audit_of_the_same_numbers_in_float32(noiseplus, noisy_csv, tmp_path, flags, missing):
    rows = [line.split(",") for line in noisy_csv.read_text().splitlines()[1:]]
    x = numpy.array([row[2:5] for row in rows], dtype=numpy.float16)
    if missing:
        x[::50, 1] = numpy.nan
    (tmp_path / "y.txt").write_text("".join(row[6] + "\n" for row in rows))
    reports = []
    for kind in (numpy.float16, numpy.float32):
        numpy.save(tmp_path / "x.npy", x.astype(kind))
        reports.append(read_json(noiseplus("audit", "x.npy", "--labels", "y.txt", *flags, "--json", "-").stdout))
        del reports[-1]["seconds"]
    assert reports[0] == reports[1]
    assert reports[0]["features"] == (4 if missing else 3)


def test_labels_from_a_csv_beside_arrays(noiseplus, clean_csv, tmp_path):
    rows = [line.split(",") for line in clean_csv.read_text().splitlines()[1:]]
    numpy.save(tmp_path / "x.npy", numpy.array([row[2:5] for row in rows], dtype=numpy.float16))
    (tmp_path / "labels.csv").write_text("who,answer\n" + "".join(f"a,{row[5]}\n" for row in rows))
    noiseplus("balance", "x.npy", "--labels", "labels.csv", "--label", "answer", "--output", "b.csv", "--force")
    assert (tmp_path / "b.csv").read_text().splitlines()[0] == "answer_balanced"
    noiseplus("balance", "x.npy", "--labels", "labels.csv", "--label", "answer", "--output", "b.npy")
    assert set(numpy.load(tmp_path / "b.npy")) == {"no", "yes"}


@pytest.mark.parametrize("method", [pytest.param("closed-form", marks=pytest.mark.threads), "paper-rebalanced"])
def test_same_bytes_at_any_number_of_threads(noiseplus, noisy_csv, tmp_path, method):
    for threads in (1, 2, 5):
        noiseplus("balance", noisy_csv, *AUDIT, "--method", method, "--threads", threads,
                  "--seed", 7, "--output", f"{threads}.csv", "--json", f"{threads}.json")
    assert len({(tmp_path / f"{t}.csv").read_bytes() for t in (1, 2, 5)}) == 1
    reports = [json.loads((tmp_path / f"{t}.json").read_text()) for t in (1, 2, 5)]
    for report in reports:
        del report["seconds"]
    assert reports[0] == reports[1] == reports[2]


def test_anchors_by_precision(noiseplus, noisy_csv):
    automatic = read_json(noiseplus("audit", noisy_csv, *AUDIT, "--anchors", "auto", "--precision", "0.04",
                                    "--json", "-").stdout)
    assert automatic["precision"]["wanted"] == 0.04 and 0 < automatic["precision"]["reached"] <= 0.04
    assert automatic["precision"]["reached"] == pytest.approx((automatic["gap"]["high"] - automatic["gap"]["low"]) / 2)
    assert automatic["anchors"] < automatic["rows"]
    by_number = read_json(noiseplus("audit", noisy_csv, *AUDIT, "--anchors", automatic["anchors"], "--json", "-").stdout)
    assert "precision" not in by_number
    for report in (automatic, by_number):
        report.pop("precision", None), report.pop("seconds")
        report["findings"] = [finding for finding in report["findings"] if finding["id"] != "precision"]
    assert automatic == by_number
    text = noiseplus("audit", noisy_csv, *AUDIT, "--anchors", "auto", "--precision", "0.04").stdout.decode()
    assert "rows were enough to know the difference to" in text and "(wanted: 4)" in text


def test_anchors_auto_wants_one_point_and_says_when_all_rows_miss_it(noiseplus, noisy_csv, tmp_path):
    noiseplus("balance", noisy_csv, *AUDIT, "--anchors", "auto", "--output", "b.csv", "--json", "b.json")
    report = read_json((tmp_path / "b.json").read_text())
    assert report["precision"]["wanted"] == 0.01 < report["precision"]["reached"]
    assert report["anchors"] == report["rows"]
    assert any("--precision 0.01 is not reached: all 4000 rows" in warning for warning in report["warnings"])


def test_metric_is_said(noiseplus, noisy_csv):
    for metric in ("euclidean", "cosine"):
        flags = [noisy_csv, *AUDIT, "--metric", metric]
        assert read_json(noiseplus("audit", *flags, "--json", "-").stdout)["metric"] == metric
        assert ("by cosine" in noiseplus("audit", *flags).stdout.decode()) == (metric == "cosine")


def test_cosine_looks_at_directions_only(noiseplus, tmp_path):
    draw = numpy.random.default_rng(0)
    centers = draw.normal(size=(80, 16))
    cluster = numpy.arange(4000) % 80
    directions = centers[cluster] + draw.normal(0, .02, size=(4000, 16))
    clean = (cluster % 2).astype(numpy.int64)
    numpy.save(tmp_path / "y.npy", numpy.where(draw.random(4000) < numpy.where(clean == 1, .3, .1), 1 - clean, clean))
    numpy.save(tmp_path / "x.npy", (directions * 10 ** draw.uniform(-3, 3, size=(4000, 1))).astype(numpy.float32))

    def audit(metric, *flags):
        return read_json(noiseplus("audit", "x.npy", "--labels", "y.npy", "--metric", metric, *flags, "--json", "-").stdout)
    by_cosine, by_length = (audit(metric, "--estimator", "moments") for metric in ("cosine", "euclidean"))
    assert audit("cosine")["noisier"] == "1"
    assert by_cosine["noisier"] == "1" and abs(by_cosine["gap"]["value"] - .2) < .06
    assert by_cosine["conditioning"] > 1.3 * by_length["conditioning"]
    assert audit("cosine", "--anchors", "auto", "--precision", "0.05")["noisier"] == "1"
    for method in ("paper", "paper-rebalanced"):
        noiseplus("balance", "x.npy", "--labels", "y.npy", "--metric", "cosine", "--method", method, "--output", "b.npy")
    with_zeros = numpy.load(tmp_path / "x.npy")
    with_zeros[7] = 0
    numpy.save(tmp_path / "x.npy", with_zeros)
    noiseplus("audit", "x.npy", "--labels", "y.npy", "--metric", "cosine", code=3)
    noiseplus("audit", "x.npy", "--labels", "y.npy", "--metric", "cosine", "--anchors", "auto", code=3)


def test_paper_estimator_and_methods(noiseplus, noisy_csv, tmp_path):
    report = read_json(noiseplus("audit", noisy_csv, *AUDIT, "--estimator", "paper", "--json", "-").stdout)
    assert report["estimator"] == "paper" and "paper" in report
    for method in ("paper", "paper-rebalanced"):
        noiseplus("balance", noisy_csv, *AUDIT, "--method", method, "--output", "p.csv", "--json", "p.json")
        assert read_json((tmp_path / "p.json").read_text())["paper"]["successful"]
    noiseplus("balance", noisy_csv, *AUDIT, "--method", "paper", "--gamma", "0.99", "--output", "u.csv", code=4)
    assert not (tmp_path / "u.csv").exists()


def test_not_significant_leaves_labels_alone_unless_forced(noiseplus, clean_csv, tmp_path):
    noiseplus("corrupt", clean_csv, "--label", "y", "--rate", "yes=0.22", "--rate", "no=0.2", "--output", "n.csv")
    text = noiseplus("balance", "n.csv", *AUDIT, "--output", "b.csv").stdout.decode()
    assert "No label was flipped." in text
    rows = [line.split(",") for line in (tmp_path / "b.csv").read_text().splitlines()[1:]]
    assert all(row[-1] == row[-2] for row in rows)
    noiseplus("balance", "n.csv", *AUDIT, "--output", "f.csv", "--force")
    rows = [line.split(",") for line in (tmp_path / "f.csv").read_text().splitlines()[1:]]
    assert any(row[-1] != row[-2] for row in rows)


def test_not_identified(noiseplus, tmp_path):
    draw = random.Random(1)
    mixed = "".join(f"{draw.random():.4f},{draw.randrange(2)}\n" for i in range(600))
    (tmp_path / "m.csv").write_text("x,y\n" + mixed)
    report = read_json(noiseplus("audit", "m.csv", "--label", "y", "--json", "-").stdout)
    assert report["identified"] is False and report["noisier"] is None
    assert report["advice"]["action"] == "check"
    noiseplus("balance", "m.csv", "--label", "y", "--output", "b.csv", "--force", code=4)
    noiseplus("balance", "m.csv", "--label", "y", "--output", "b.csv")


def test_positive_does_not_reorder_classes(noiseplus, noisy_csv):
    report = read_json(noiseplus("audit", noisy_csv, *AUDIT, "--positive", "no", "--json", "-").stdout)
    assert report["classes"] == ["no", "yes"] and report["positive"] == "no" and report["noisier"] == "yes"


def test_no_header(noiseplus, clean_csv, tmp_path):
    body = clean_csv.read_text().split("\n", 1)[1]
    (tmp_path / "h.csv").write_text(body)
    noiseplus("corrupt", "h.csv", "--no-header", "--label", "6", "--rate", "yes=0.3", "--output", "o.csv")
    assert len((tmp_path / "o.csv").read_text().splitlines()) == 4000
    report = read_json(noiseplus("audit", "o.csv", "--no-header", "--label", "7", "--drop", "1,2,6", "--json", "-").stdout)
    assert report["noisier"] == "yes"


def test_demo_on_generated_data(noiseplus, tmp_path):
    text = noiseplus("demo", "--data", "", "--output", "out").stdout.decode()
    assert "true noise" in text and "trained on balanced labels" in text
    assert read_json((tmp_path / "out/audit.json").read_text())["noisier"] == "yes"
    assert (tmp_path / "out/report.txt").read_text() in text


def test_help_and_version(noiseplus):
    assert noiseplus("--version").stdout.decode().startswith("noiseplus 0.")
    assert noiseplus("audit", "--version").stdout.decode().startswith("noiseplus 0.")
    overall = noiseplus("--help").stdout.decode()
    for command in ("audit", "balance", "corrupt", "demo"):
        assert command in overall
        text = noiseplus(command, "--help").stdout.decode()
        assert "Example: noiseplus " + command in text and "--seed" in text and "--threads" in text
