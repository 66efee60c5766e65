"""Groups, many classes and single rows, as a user asks for them."""
import csv
import io
import json
import random

import pytest


def population(rows=4000, seed=3, noise=(.1, .3)):
    """csv of tight clusters, each of one class and group; noise of groups a and b."""
    draw = random.Random(seed)
    lines = ["x1,x2,sex,race,truth,y"]
    while len(lines) <= rows:
        sex, race, truth = draw.choice("ab"), draw.choice("uv"), draw.choice(["no", "yes"])
        center = [draw.random() * 100 for _ in range(2)]
        for _ in range(40):
            wrong = draw.random() < noise[sex == "b"]
            label = {"no": "yes", "yes": "no"}[truth] if wrong else truth
            lines.append(",".join([*(f"{c + draw.gauss(0, .02):.4f}" for c in center), sex, race, truth, label]))
    return "\n".join(lines[:rows + 1]) + "\n"


@pytest.fixture
def people(tmp_path):
    (tmp_path / "p.csv").write_text(population())
    return ["p.csv", "--label", "y", "--drop", "truth"]


@pytest.mark.threads
def test_groups_in_json_and_text(noiseplus, people):
    report = json.loads(noiseplus("audit", *people, "--group", "sex", "--json", "-").stdout)
    assert [group["group"] for group in report["groups"]] == ["a", "b"]
    assert report["noisier_group"] == "b" and report["cleaner_group"] == "a" and report["group_by"] == "sex"
    for group, rate in zip(report["groups"], (.1, .3)):
        assert abs(group["rate"] - rate) < .04 and group["low"] <= group["rate"] <= group["high"]
        assert len(group["noise"]) == 2 and len(group["transition"]) == 2
    assert [part["group"] for part in report["plan"]] == ["a", "b"] and report["scope"] == "group"
    text = noiseplus("audit", *people, "--group", "sex").stdout.decode()
    assert "Group 'b' is noisier than 'a'" in text and all(len(line) <= 400 for line in text.splitlines())


def test_intersections(noiseplus, people):
    report = json.loads(noiseplus("audit", *people, "--group", "sex", "--group", "race", "--json", "-").stdout)
    assert [group["group"] for group in report["groups"]] == ["a|u", "a|v", "b|u", "b|v"]
    assert report["group_by"] == "sex|race"
    for pair in report["group_claims"]:
        assert pair["noisier"].startswith("b") and pair["cleaner"].startswith("a")


@pytest.mark.parametrize("scope", ["class", "group", "class-in-group"])
def test_scopes_of_balance(noiseplus, people, tmp_path, scope):
    noiseplus("balance", *people, "--group", "sex", "--scope", scope, "--force", "--output", "b.csv", "--json", "b.json")
    report = json.loads((tmp_path / "b.json").read_text())
    assert report["scope"] == scope and len(report["plan"]) == (1 if scope == "class" else 2)
    with open(tmp_path / "b.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    changed = [row for row in rows if row["y"] != row["y_balanced"]]
    assert len(changed) == sum(report["flipped"].values())
    if scope == "group":
        assert {row["sex"] for row in changed} == {"a"}
        assert abs(len(changed) / sum(row["sex"] == "a" for row in rows) - .25) < .06


def test_the_default_scope_follows_the_groups(noiseplus, people, tmp_path):
    noiseplus("balance", *people, "--group", "sex", "--output", "b.csv", "--json", "b.json")
    assert json.loads((tmp_path / "b.json").read_text())["scope"] == "group"
    noiseplus("balance", *people, "--output", "b.csv", "--json", "b.json")
    assert json.loads((tmp_path / "b.json").read_text())["scope"] == "class"


def test_the_papers_method_for_groups(noiseplus, people, tmp_path):
    noiseplus("balance", *people, "--group", "sex", "--method", "paper", "--gamma", ".01", "--output", "b.csv", "--json", "b.json")
    paper = json.loads((tmp_path / "b.json").read_text())["paper"]
    assert paper["successful"] and paper["noisiest"] == "b" and paper["parts"][0]["epsilon"] > .1


@pytest.fixture
def alike(tmp_path):
    (tmp_path / "alike.csv").write_text(population(noise=(.2, .2)))
    return ["alike.csv", "--label", "y", "--drop", "truth"]


def test_rows(noiseplus, alike):
    lines = noiseplus("audit", *alike, "--rows", "-").stdout.decode()
    rows = list(csv.DictReader(io.StringIO(lines)))
    assert list(rows[0]) == ["row", "given", "suggested", "probability"]
    assert [int(row["row"]) for row in rows] == list(range(1, 4001))
    assert all(0 <= float(row["probability"]) <= 1 for row in rows)
    truth = [line.split(",")[4] for line in population(noise=(.2, .2)).splitlines()[1:]]
    assert sum(row["suggested"] == t for row, t in zip(rows, truth)) > 3800
    assert sum(row["given"] == t for row, t in zip(rows, truth)) < 3400


@pytest.mark.threads
def test_every_estimator(noiseplus, alike):
    people = alike
    for name in ("curve", "moments", "latent-class", "edges", "overlap", "confident"):
        report = json.loads(noiseplus("audit", *people, "--estimator", name, "--json", "-").stdout)
        assert report["estimator"] == name and list(report["estimates"]) == [name]
    report = json.loads(noiseplus("audit", *people, "--json", "-").stdout)
    assert report["estimator"] == "auto" and len(report["estimates"]) == 7
    assert report["mode"] == "dense" and report["reason"]


def test_three_classes(noiseplus, tmp_path):
    draw = random.Random(1)
    lines = ["a,b,y"]
    for cluster in range(90):
        center = [draw.random() * 100, draw.random() * 100]
        for _ in range(50):
            label = (cluster + (draw.random() < (.1, .2, .4)[cluster % 3])) % 3
            lines.append(f"{center[0] + draw.gauss(0, .02):.4f},{center[1] + draw.gauss(0, .02):.4f},{label}")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    report = json.loads(noiseplus("audit", "t.csv", "--label", "y", "--json", "-").stdout)
    assert report["noisier"] == "2" and len(report["transition"]) == 3
    assert abs(report["transition"][2][0] - .4) < .05
    noiseplus("balance", "t.csv", "--label", "y", "--output", "b.csv")
    noiseplus("train", "t.csv", "--label", "y", "--loss", "forward", "--transition", "latent-class", "--output", "m")


def test_wrong_usage(noiseplus, people):
    for flags in (["--assume", "cloud"], ["--assume", "table", "--estimator", "edges"], ["--group", "nope"],
                  ["--group", "sex", "--anchors", "100"], ["--rows", "r.csv", "--anchors", "100"], ["--rows", "p.csv"],
                  ["--estimator", "curve", "--anchors", "100"]):
        noiseplus("audit", *people, *flags, code=2)
    for flags in (["--scope", "group"], ["--scope", "rows"], ["--group", "sex", "--scope", "class-in-group", "--method", "paper"]):
        noiseplus("balance", *people, *flags, "--output", "b.csv", code=2)


def test_small_groups_are_said_to_be_small(noiseplus, tmp_path):
    text = population()
    lines = text.splitlines()
    lines[1:4] = [line.replace(",a,", ",c,").replace(",b,", ",c,") for line in lines[1:4]]
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    report = json.loads(noiseplus("audit", "s.csv", "--label", "y", "--drop", "truth", "--group", "sex", "--json", "-").stdout)
    small = report["groups"][2]
    assert small["group"] == "c" and small["rows"] == 3 and not small["identified"] and "fewer than 50" in small["too_small"]
    assert 0 <= small["rate"] <= 1 and any("'c': too small" in warning for warning in report["warnings"])
