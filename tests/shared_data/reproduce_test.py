"""Table 1 of the paper on the real data, all 27 settings: what docs/results.md says of it must be so.

There it is of five seeds, here of two; `make shared-data-test SEEDS=5` computes them all.
"""
import collections
import json
import os
import pathlib
import statistics
import subprocess

import pytest

from conftest import PROGRAM

SEEDS = int(os.environ.get("SEEDS", "2"))


@pytest.fixture(scope="module")
def folder(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("table1")
    subprocess.run([PROGRAM, "reproduce", "table1", "--data", data, "--seeds", str(SEEDS), "--output", folder],
                   check=True, timeout=900)
    return folder


@pytest.fixture(scope="module")
def accuracy(folder):
    """accuracy[dataset, setting][method]"""
    means = collections.defaultdict(dict)
    for row in json.loads((folder / "table1.json").read_text())["rows"]:
        assert row["seeds"] == SEEDS, row
        means[row["dataset"], row["setting"]][row["method"]] = row["mean"]
    return means


def test_balancing_pays(accuracy):
    """At least half a point more than labels as given, or within .3 of clean ones, in 20 of 27; never a point less."""
    assert len(accuracy) == 27
    good = [key for key, value in accuracy.items()
            if value["balanced-ce"] >= value["ce"] + .5 or value["balanced-ce"] >= value["clean-ce"] - .3]
    print(f"{len(good)} of 27")
    assert len(good) >= 20
    for key, value in accuracy.items():
        assert value["balanced-ce"] > value["ce"] - 1, key


def test_estimates_do_as_well_as_the_truth(accuracy):
    for key, value in accuracy.items():
        assert value["balanced-ce"] > value["oracle-ce"] - 1, key


def test_the_expected_numbers_of_adult(accuracy):
    adult = accuracy["adult", "0.2:0.4"]
    for method, expected in ("ce", 72), ("paper-ce", 71), ("balanced-ce", 79.8), ("oracle-ce", 80.6):
        assert adult[method] == pytest.approx(expected, abs=1.6), method


def test_rates_are_equal_after_the_flip(folder):
    """Highest minus lowest share of wrong labels, by the clean ones; the mean over seeds."""
    left = collections.defaultdict(list)
    for path in pathlib.Path(folder, "cells").iterdir():
        name = path.stem.rsplit("-seed", 1)[0]
        left[name].append(json.loads(path.read_text())["facts"]["gap left"])
    assert len(left) == 27
    for name, gaps in left.items():
        assert statistics.mean(gaps) < (3 if "fairface" in name else 5), name
