"""train --fair, and what predict and evaluate make of such a model."""
import csv
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys

import pytest

FAIR = ["train", "f.csv", "--label", "y", "--drop", "clean", "--output", "m", "--group", "g", "--fair", "equalized-odds"]
GIVEN_RATES = ["--group-rate", "a=.1", "--group-rate", "b=.2"]
BASE_RATES = {"a": 0.6, "b": 0.35}
NOISE = {"a": 0.1, "b": 0.2}


def group_rows(rows=600, seed=5):
    """Two classes that overlap, in two groups with more positives and less noise in the first."""
    draw = random.Random(seed)
    for n in range(rows):
        group = "ab"[n % 2]
        clean = "yes" if draw.random() < BASE_RATES[group] else "no"
        x = draw.gauss(1.5 if clean == "yes" else 0, 1)
        noisy = {"yes": "no", "no": "yes"}[clean] if draw.random() < NOISE[group] else clean
        yield [f"{x:.4f}", f"{draw.gauss(0, 1):.4f}", group, draw.choice(["old", "young"]), noisy, clean]


def table(rows):
    return "\n".join(["x,z,g,age,y,clean", *(",".join(row) for row in rows)]) + "\n"


@pytest.fixture(scope="module", name="people")
def people_fixture():
    return list(group_rows())


@pytest.fixture(autouse=True)
def file(people, tmp_path):
    (tmp_path / "f.csv").write_text(table(people))


def predictions(noiseplus, *flags, data="f.csv"):
    done = noiseplus("predict", "m", data, "--output", "-", *flags)
    return list(csv.DictReader(io.StringIO(done.stdout.decode())))


def rates(people, said, column, label_column=4):
    """tpr and fpr of each value of a column, by the probabilities of the answers."""
    found = {}
    for name in sorted({row[column] for row in people}):
        for label in ("yes", "no"):
            called = [float(p["p_yes"]) for p, row in zip(said, people) if row[column] == name and row[label_column] == label]
            found[name, label] = sum(called) / len(called)
    return found


def test_answers_are_drawn(noiseplus, people):
    noiseplus(*FAIR)
    said = predictions(noiseplus)
    assert said == predictions(noiseplus) and said == predictions(noiseplus, "--threads", "1")
    other = predictions(noiseplus, "--seed", "1")
    assert [p["p_yes"] for p in said] == [p["p_yes"] for p in other]
    assert [p["prediction"] for p in said] != [p["prediction"] for p in other]
    for p in said:
        chance = float(p["p_" + p["prediction"]])
        assert 0 < chance <= 1 and float(p["p_yes"]) + float(p["p_no"]) == pytest.approx(1, abs=1e-5)
    by_lot = [n for n, p in enumerate(said) if 0 < float(p["p_yes"]) < 1]
    assert len(by_lot) > 30  # else nothing is drawn
    draws = [predictions(noiseplus, "--seed", seed) for seed in range(20)]
    drawn = sum(p[n]["prediction"] == "yes" for p in draws for n in by_lot)
    chances = [float(said[n]["p_yes"]) for n in by_lot]
    spread = (20 * sum(p * (1 - p) for p in chances)) ** .5
    assert abs(drawn - 20 * sum(chances)) < 4 * spread
    within = rates(people, said, 2)
    for label in ("yes", "no"):
        assert abs(within["a", label] - within["b", label]) <= 0.02 + 1e-5


def test_thresholded_warns(noiseplus):
    noiseplus(*FAIR)
    done = noiseplus("predict", "m", "f.csv", "--output", "o.csv", "--thresholded")
    warnings = [line for line in done.stderr.decode().splitlines() if "break the constraint" in line]
    assert len(warnings) == 1 and "(equalized-odds)" in warnings[0] and "% of the rows are predicted 'yes'" in warnings[0]
    said = predictions(noiseplus, "--thresholded")
    assert all(float(p["p_" + p["prediction"]]) >= 0.5 - 1e-6 for p in said)
    report = json.loads(noiseplus("evaluate", "m", "f.csv", "--group", "g", "--thresholded", "--json", "-").stdout)
    assert any("break the constraint" in warning and "points between groups" in warning for warning in report["warnings"])


def test_evaluate_is_the_expectation(noiseplus, people):
    noiseplus(*FAIR)
    said = predictions(noiseplus)
    for label, column in (("y", 4), ("clean", 5)):
        report = json.loads(noiseplus("evaluate", "m", "f.csv", "--label", label, "--group", "g", "--json", "-").stdout)
        right = sum(float(p["p_" + row[column]]) for p, row in zip(said, people))
        assert report["accuracy"] == pytest.approx(right / len(people), abs=1e-5)
        within = rates(people, said, 2, column)
        for group in report["groups"]:
            assert group["tpr"] == pytest.approx(within[group["group"], "yes"], abs=1e-5)
            assert group["fpr"] == pytest.approx(within[group["group"], "no"], abs=1e-5)
        gap = max(abs(within["a", c] - within["b", c]) for c in ("yes", "no"))
        assert report["equalized_odds_violation"] == pytest.approx(gap, abs=1e-5)


@pytest.mark.parametrize("constraint, keys", [
    ("equalized-odds", ["tpr", "fpr"]), ("equal-opportunity", ["tpr"]), ("fpr-parity", ["fpr"]),
    ("demographic-parity", ["positive_rate"]), ("error-parity", ["error"])])
def test_json_and_text_of_every_constraint(noiseplus, tmp_path, constraint, keys):
    text = noiseplus(*FAIR[:-1], constraint, "--json", "m.json").stdout.decode()
    assert f"{constraint} within 0.01" in text and max(map(len, text.splitlines())) <= 80, text
    report = json.loads((tmp_path / "m.json").read_text())
    fair = report["fair"]
    assert set(fair) == {"constraint", "tolerance", "judged_by", "why", "groups", "violation", "error", "unconstrained_error",
                         "unconstrained_violation", "shares", "rounds", "models_trained", "folds", "converged"}
    assert (fair["constraint"], fair["tolerance"], fair["judged_by"]) == (constraint, 0.01, "given labels")
    assert [group["group"] for group in fair["groups"]] == ["a", "b"]
    for group in fair["groups"]:
        assert set(group) == {"group", "rows", "base_rate", *keys, *(key + "_spread" for key in keys)}
        assert group["rows"] == 300
    assert sum(fair["shares"]) == pytest.approx(1)
    for key in keys:
        assert abs(fair["groups"][0][key] - fair["groups"][1][key]) <= fair["violation"] + 1e-12 <= 0.02 + 1e-6
    assert fair["unconstrained_violation"] > fair["violation"]
    assert report["noisy_accuracy"] == pytest.approx(1 - fair["error"])
    noiseplus("report", "m.json", "-o", "m.html")  # which checks it against train.schema.json


def test_noise_aware(noiseplus, people, tmp_path):
    text = noiseplus(*FAIR, "--noise-aware", "--fair-folds", "1", *GIVEN_RATES, "--json", "m.json").stdout.decode()
    assert max(map(len, text.splitlines())) <= 80 and "judged by clean labels" in text
    fair = json.loads((tmp_path / "m.json").read_text())["fair"]
    assert [(g["negative_noise"], g["positive_noise"]) for g in fair["groups"]] == [(0.1, 0.1), (0.2, 0.2)]
    # The general form, by the answers' own probabilities.
    within = rates(people, predictions(noiseplus), 2)
    for group in fair["groups"]:
        name, e = group["group"], group["negative_noise"]
        q = sum(row[4] == "yes" for row in people if row[2] == name) / 300
        tpr = ((1 - e) * q * within[name, "yes"] - e * (1 - q) * within[name, "no"]) / (q - e)
        fpr = ((1 - e) * (1 - q) * within[name, "no"] - e * q * within[name, "yes"]) / (1 - q - e)
        assert (group["tpr"], group["fpr"]) == pytest.approx((tpr, fpr), abs=1e-4)
        assert group["base_rate"] == pytest.approx((q - e) / (1 - 2 * e))
    both = json.loads(noiseplus(*FAIR, "--noise-aware", "--group-rate", "a=.1:.3", "--group-rate", "b=0:.2", "--json", "-").stdout)
    assert [(g["negative_noise"], g["positive_noise"]) for g in both["fair"]["groups"]] == [(0.1, 0.3), (0, 0.2)]
    # --positive turns both around.
    turned = json.loads(noiseplus(*FAIR, "--noise-aware", "--positive", "no", "--group-rate", "a=.3:.1", "--group-rate", "b=.2:0",
                                  "--json", "-").stdout)
    assert turned["fair"]["error"] == pytest.approx(both["fair"]["error"], abs=0.01)
    assert turned["fair"]["groups"][0]["base_rate"] == pytest.approx(1 - both["fair"]["groups"][0]["base_rate"])


def test_route(noiseplus, tmp_path):
    """Which route pays, and why: in the text, and for the page in the JSON."""
    draw = random.Random(2)
    rows = []
    for n in range(3000):
        group, clean = "ab"[n % 2], int(draw.random() < (0.6 if n % 2 == 0 else 0.3))
        label = 1 - clean if draw.random() < (0.02 if n % 2 == 0 else 0.3) else clean
        rows.append([f"{draw.gauss(2.5 * clean, 1):.4f}", f"{draw.gauss(clean, 1):.4f}", group, label])
    (tmp_path / "r.csv").write_text("x,z,g,y\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    train = ["train", "r.csv", "--label", "y", "--group", "g", "--fair", "equalized-odds", "--output", "m", "--json", "m.json"]
    text = noiseplus(*train, "--route", "auto", "--threads", "1").stdout.decode()
    one_thread, model = json.loads((tmp_path / "m.json").read_text()), (tmp_path / "m").read_bytes()
    advice = one_thread["fair"]["advice"]
    assert f"Route: {advice['route']}." in text and max(map(len, text.splitlines())) <= 80
    assert [trial["route"] for trial in advice["trials"]] == ["noise-aware", "balance"]
    assert advice["route"] != "plain" and "points" in advice["why"]
    assert [trial["route"] for trial in advice["trials"] if trial["why_not"] is None] == [advice["route"]]
    noiseplus("report", "m.json", "-o", "m.html")  # which checks it against train.schema.json
    noiseplus(*train, "--route", "auto", "--threads", "2")
    assert json.loads((tmp_path / "m.json").read_text())["fair"] == one_thread["fair"]
    assert (tmp_path / "m").read_bytes() == model
    # By given rates there is nothing to balance by, and nothing to be unsure of.
    noiseplus(*train, "--route", "auto", "--group-rate", "a=.02", "--group-rate", "b=.3")
    given = json.loads((tmp_path / "m.json").read_text())["fair"]["advice"]
    assert [trial["route"] for trial in given["trials"]] == ["noise-aware"]
    for flags, route in (([], "plain"), (["--balance"], "balance"), (["--noise-aware"], "noise-aware")):
        noiseplus(*train, *flags)
        by_flag = (tmp_path / "m").read_bytes()
        noiseplus(*train, "--route", route)
        assert (tmp_path / "m").read_bytes() == by_flag
        assert "advice" not in json.loads((tmp_path / "m.json").read_text())["fair"]


@pytest.mark.parametrize("flags, expected", [
    (["--route", "clean"], "--route"),
    (["--route", "auto", "--balance"], "--balance and --route auto: give one of them"),
    (["--route", "plain", "--noise-aware"], "--noise-aware and --route plain: give one of them"),
    (["--route", "auto", "--scope", "group"], "--scope does nothing here"),
    (["--route", "plain", "--group-rate", "a=.1"], "--group-rate does nothing here"),
    (["--route", "balance", *GIVEN_RATES], "--group-rate does nothing here")])
def test_misuse_of_routes(noiseplus, flags, expected):
    done = noiseplus(*FAIR, *flags, code=2)
    assert expected in done.stderr.decode()


def test_route_is_for_fair(noiseplus):
    done = noiseplus("train", "f.csv", "--label", "y", "--output", "m", "--route", "auto", code=2)
    assert "--route does nothing here; it is for --fair" in done.stderr.decode()


def test_intersections_of_columns(noiseplus, people):
    report = json.loads(noiseplus(*FAIR, "--group", "age", "--tolerance", "0.02", "--json", "-").stdout)
    assert [group["group"] for group in report["fair"]["groups"]] == ["a|old", "a|young", "b|old", "b|young"]
    joined = [row[:2] + [f"{row[2]}|{row[3]}"] + row[3:] for row in people]
    within = rates(joined, predictions(noiseplus), 2)
    for label in ("yes", "no"):
        values = [rate for (_, of), rate in within.items() if of == label]
        assert max(values) - min(values) <= 0.04 + 1e-5


@pytest.mark.threads
def test_threads_and_seeds(noiseplus, tmp_path):
    models = []
    for threads in ("1", "2", "1"):
        noiseplus(*FAIR, "--seed", "4", "--threads", threads)
        models.append((tmp_path / "m").read_bytes())
    assert models[0] == models[1] == models[2]


@pytest.mark.parametrize("flags", [
    ["--loss", "peer", "--alpha", "0.2"], ["--loss", "backward", "--transition", "T.txt"],
    ["--loss", "group-peer", "--alpha", "0.2", *GIVEN_RATES], ["--model", "mlp", "--hidden", "4", "--epochs", "5"]])
def test_losses_and_models(noiseplus, people, tmp_path, flags):
    (tmp_path / "T.txt").write_text("0.85 0.15\n0.15 0.85\n")
    report = json.loads(noiseplus(*FAIR, *flags, "--tolerance", "0.05", "--json", "-").stdout)
    assert report.get("alpha") == (0.2 if "--alpha" in flags else None)
    within = rates(people, predictions(noiseplus), 2)
    assert abs(within["a", "yes"] - within["b", "yes"]) <= 0.1 + 1e-5


def test_a_group_that_was_not_there(noiseplus, tmp_path):
    noiseplus(*FAIR)
    (tmp_path / "new.csv").write_text("x,z,g,age\n1,0,a,old\n0,0,c,old\n0,1,c,old\n")
    done = noiseplus("predict", "m", "new.csv", "--output", "o.csv")
    assert ("column 'g': 2 rows hold a group that was not there in training, such as 'c' at new.csv:3:5; the promise of "
            "equalized-odds says nothing of such rows") in done.stderr.decode()


def test_a_small_group(noiseplus, people, tmp_path):
    few = [[*row[:2], "c", *row[3:4], label, label] for row, label in zip(people, ("yes", "no", "yes"))]
    (tmp_path / "f.csv").write_text(table(people + few))
    report = json.loads(noiseplus(*FAIR, "--json", "-").stdout)
    assert any("group 'c' has 3 rows" in warning for warning in report["warnings"])


WRONG_USAGE = [
    (["--fair", "equalized-odds"], "--fair needs groups; name their column with --group"),
    (["--group", "g", "--fair", "equal"], "--fair"),
    (["--group", "one", "--fair", "equalized-odds"], "all rows are of one: 'x'"),
    (["--group", "g", "--tolerance", "0.1"], "it is for --fair"), (["--group", "g", "--noise-aware"], "it is for --fair"),
    (["--group", "g", "--fair", "fpr-parity", "--tolerance", "1.5"], "--tolerance"),
    (["--group", "g", "--fair", "fpr-parity", "--tolerance", "nan"], "tolerance"),
    (["--group", "g", "--fair", "demographic-parity", "--noise-aware"], "does nothing for demographic-parity"),
    (["--group", "g", "--fair", "fpr-parity", "--noise-aware", "--group-rate", "a=.1"], "the group 'b' has none"),
    (["--group", "g", "--fair", "fpr-parity", "--noise-aware", "--group-rate", "c=.1"], "there is no group 'c'"),
    (["--group", "g", "--fair", "fpr-parity", "--noise-aware", "--group-rate", "a=.1", "--group-rate", "a=.2"], "given twice"),
    (["--group", "g", "--fair", "fpr-parity", "--noise-aware", "--group-rate", "a=.5"], "no better than chance"),
    (["--group", "g", "--fair", "fpr-parity", "--noise-aware", "--group-rate", "a=.1:x"], "write NAME=RATE"),
    (["--group", "g", "--fair", "fpr-parity", *GIVEN_RATES], "it is for group-peer, --noise-aware and --route auto"),
    (["--group", "g", "--fair", "fpr-parity", "--noise-aware", "--balance", *GIVEN_RATES], "give one of them"),
    (["--group", "g", "--fair", "fpr-parity", "--scope", "group"], "it is for --balance"),
    (["--group", "g", "--fair", "fpr-parity", "--force"], "it is for --balance"),
    (["--group", "g", "--fair", "fpr-parity", "--balance", "--scope", "person"], "scope"),
    (["--group", "g", "--fair", "fpr-parity", "--loss", "forward"], "goes with the losses"),
    (["--group", "g", "--fair", "fpr-parity", "--loss", "co-teaching"], "goes with the losses"),
    (["--group", "g", "--fair", "fpr-parity", "--weights", "w"], "leave --weights out"),
    (["--group", "g", "--fair", "fpr-parity", "--hold-out", "0.2"], "leave --hold-out out"),
    (["--group", "g", "--fair", "fpr-parity", "--loss", "peer", "--sampled-peers"], "leave --sampled-peers out"),
]


@pytest.mark.parametrize("flags, expected", WRONG_USAGE, ids=[" ".join(flags) for flags, _ in WRONG_USAGE])
def test_wrong_usage(noiseplus, people, tmp_path, flags, expected):
    (tmp_path / "u.csv").write_text("x,g,one,w,y\n" + "".join(f"{row[0]},{row[2]},x,1,{row[4]}\n" for row in people))
    assert expected in noiseplus("train", "u.csv", "--label", "y", "--output", "m", *flags, code=2).stderr.decode()
    assert not (tmp_path / "m").exists()


def test_three_classes(noiseplus, people, tmp_path):
    (tmp_path / "f.csv").write_text(table(people[:-1] + [people[-1][:4] + ["maybe", "no"]]))
    for flags in ([], ["--noise-aware", *GIVEN_RATES]):
        assert b"is for two classes, and the label 'y' has 3" in noiseplus(*FAIR, *flags, code=2).stderr


def test_what_is_not_possible(noiseplus, people, tmp_path):
    (tmp_path / "f.csv").write_text(table(row[:4] + ["no" if row[2] == "b" else row[4], "no"] for row in people))
    message = noiseplus(*FAIR, code=4).stderr.decode()
    assert "group 'b' has no row labeled 'yes'" in message and "leave the group out, join it to another" in message
    noiseplus(*FAIR[:-1], "error-parity")
    noiseplus(*FAIR[:-1], "demographic-parity")
    (tmp_path / "f.csv").write_text(table(people))
    (tmp_path / "m").unlink()
    message = noiseplus(*FAIR, "--noise-aware", "--group-rate", "a=.1", "--group-rate", "b=.45:.1", code=4).stderr.decode()
    assert "group 'b': 0.4" in message and "of its labels are 'yes'" in message and "give lower noise rates" in message
    # The one column says the opposite in the smaller group.
    lines = [f"{'1' if (n // 10 % 2 == 1) == (n % 10 < 7) else '-1'},{'a' if n % 10 < 7 else 'b'},{n // 10 % 2}" for n in range(200)]
    (tmp_path / "f.csv").write_text("x,g,y\n" + "\n".join(lines) + "\n")
    opposite = ["train", "f.csv", "--label", "y", "--features", "x", "--group", "g", "--fair", "equalized-odds", "--output", "m"]
    assert b"raise --tolerance" in noiseplus(*opposite, "--tolerance", "0", code=4).stderr
    assert not (tmp_path / "m").exists()
    noiseplus(*opposite, "--tolerance", "1")


def clusters(groups=("a", "b"), rows=2400, seed=2):
    """Tight clusters of one class: here balancing finds out how noisy a group is."""
    draw = random.Random(seed)
    yield "x,z,g,y"
    for cluster in range(rows // 20):
        group = groups[cluster % 2]
        clean = draw.random() < (0.6 if group == groups[0] else 0.3)
        center = [draw.random() * 10 + (3 if clean else 0), draw.random() * 10]
        for _ in range(20):
            wrong = draw.random() < (0.1 if group == groups[0] else 0.3)
            yield ",".join([*(f"{c + draw.gauss(0, .01):.4f}" for c in center), group, "yes" if clean != wrong else "no"])


def test_balance_first(noiseplus, tmp_path):
    (tmp_path / "c.csv").write_text("\n".join(clusters()) + "\n")
    train = ["train", "c.csv", "--label", "y", "--group", "g", "--balance", "--output", "m"]
    text = noiseplus(*train, "--fair", "equalized-odds", "--json", "m.json").stdout.decode()
    report = json.loads((tmp_path / "m.json").read_text())
    assert report["balanced"]["scope"] == "group" and sum(report["balanced"]["flipped"].values()) > 50
    assert report["fair"]["judged_by"] == "clean labels" and "the noise of each" in report["fair"]["why"]
    assert max(len(line) for line in text.splitlines() if not line.startswith("warning: ")) <= 80
    # By the labels before the flips, which count in expectation.
    noise = sorted(group["positive_noise"] for group in report["fair"]["groups"])
    assert abs(noise[0] - 0.1) < 0.06 and abs(noise[1] - 0.3) < 0.06
    noiseplus(*train, "--fair", "demographic-parity", "--scope", "class")
    noiseplus(*train)  # without a constraint


def test_estimated_noise(noiseplus, tmp_path):
    (tmp_path / "c.csv").write_text("\n".join(clusters()) + "\n")
    report = json.loads(noiseplus("train", "c.csv", "--label", "y", "--group", "g", "--fair", "equal-opportunity", "--noise-aware",
                                  "--output", "m", "--json", "-").stdout)
    found = [group["positive_noise"] for group in report["fair"]["groups"]]
    assert found == pytest.approx([0.1, 0.3], abs=0.08)


def write_tutorial_files(folder):
    """The files of docs/tutorial.md, by its own code: 6,000 loans to learn from and 3,000 that somebody has checked."""
    text = (pathlib.Path(__file__).parents[2] / "docs/tutorial.md").read_text()
    script = re.search(r"python3 - <<'END'\n(.*?)END\n", text, re.DOTALL).group(1)
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True)


# Under a sanitizer one draw calls all that five do.
@pytest.mark.parametrize("seed", range(1 if os.environ.get("NOISEPLUS_SANITIZE") else 5))
def test_balancing_class_noise_does_not_harm_fairness(noiseplus, tmp_path, seed):
    """As many mistakes in one direction in both groups, whose base rates differ. Group rates that mistook class noise for group
    noise once made the violation 20 points, twice that without --balance. By the true labels of the file itself it is at most 3
    points in these five draws of noise. That is no promise for other rows: on the 3,000 checked ones it is 4.4 points at seed 0,
    and over 25 files and draws it is above 3 points in 3 (the file itself) and 6 (60,000 fresh rows), because 6,000 noisy labels
    do not tell the rates of a group any better (docs/fairness.md)."""
    write_tutorial_files(tmp_path)
    noiseplus("corrupt", "loans.csv", "--label", "repaid", "--rate", "yes=0.3", "--rate", "no=0.05", "--seed", str(seed),
              "--output", "records.csv")
    audit = json.loads(noiseplus("audit", "records.csv", "--label", "repaid_noisy", "--group", "sex", "--json", "-").stdout)
    assert audit["scope"] == "class" and audit["beyond_class"]["differs"] is False

    def violations(*balance):
        noiseplus("train", "records.csv", "--label", "repaid_noisy", "--group", "sex", "--fair", "equalized-odds", *balance,
                  "--seed", str(seed), "--output", "m")
        judged = [json.loads(noiseplus("evaluate", "m", name, "--label", "repaid", "--group", "sex", "--json", "-").stdout)
                  for name in ("records.csv", "checked.csv")]
        return [evaluation["equalized_odds_violation"] for evaluation in judged]

    plain, balanced = violations(), violations("--balance")
    assert balanced[0] <= 0.03 < plain[0]
    assert balanced[1] < plain[1]
