"""Labels that columns give away: no rate can be told from such features."""
import json
import random

import pytest


def rows_with(noise, seed=5, rows=1500):
    draw = random.Random(seed)
    for _ in range(rows):
        truth = draw.random() < .4
        label = truth != (draw.random() < noise)
        yield [f"{draw.gauss(truth, 1):.4f}" for _ in range(4)], "yes" if label else "no"


@pytest.fixture
def leak(tmp_path):
    """A column that gives the label away; 5 % of the labels are wrong."""
    lines = [",".join([*x, "P" if y == "yes" else "N", y]) for x, y in rows_with(.05)]
    (tmp_path / "leak.csv").write_text("\n".join(["a,b,c,d,outcome,y", *lines]) + "\n")
    return ["leak.csv", "--label", "y"]


@pytest.fixture
def ids(tmp_path):
    """Ids in a file that is sorted by label; 30 % of the labels are wrong."""
    ordered = sorted(rows_with(.3), key=lambda row: row[1])
    lines = [",".join([str(100 + n), *x, y]) for n, (x, y) in enumerate(ordered)]
    (tmp_path / "ids.csv").write_text("\n".join(["serial,a,b,c,d,y", *lines]) + "\n")
    return ["ids.csv", "--label", "y"]


@pytest.mark.parametrize("data, kind, column", [("leak", "column", "outcome"), ("ids", "id", "serial")])
def test_audit_names_the_column(noiseplus, request, data, kind, column):
    arguments = request.getfixturevalue(data)
    done = noiseplus("audit", *arguments, "--json", "audit.json")
    text = " ".join(done.stdout.decode().split())
    assert text.startswith("Cannot be judged from these features") and f"'{column}'" in text
    assert f"--drop {column}" in text and "0.0 to 0.0" not in text
    report = json.loads(noiseplus("audit", *arguments, "--json", "-").stdout)
    assert report["giveaway"]["kind"] == kind and report["giveaway"]["columns"] == [column]
    assert report["giveaway"]["share"] > .99 and not report["identified"] and report["claims"] == []
    assert [(rate["low"], rate["high"]) for rate in report["noise"]] == [(0, 1), (0, 1)]


@pytest.mark.parametrize("data, column", [("leak", "outcome"), ("ids", "serial")])
def test_without_the_column_it_is_judged(noiseplus, request, data, column):
    arguments = request.getfixturevalue(data)
    report = json.loads(noiseplus("audit", *arguments, "--drop", column, "--json", "-").stdout)
    assert "giveaway" not in report


def test_balance_flips_nothing(noiseplus, leak, tmp_path):
    noiseplus("balance", *leak, "--output", "balanced.csv")
    rows = [line.split(",") for line in (tmp_path / "balanced.csv").read_text().splitlines()[1:]]
    assert len(rows) == 1500 and all(row[-1] == row[-2] for row in rows)


def test_training_with_estimated_rates_is_refused(noiseplus, leak):
    done = noiseplus("train", *leak, "--loss", "forward", "--output", "model.npm", code=4)
    assert b"'outcome'" in done.stderr
