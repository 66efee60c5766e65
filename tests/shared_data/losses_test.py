"""Adult, classes balanced, 40 % of the labels of one class and 20 % of the other wrong: what each loss makes of it.

The table that `make losses-table` prints is the one in docs/learning.md; otherwise only what is checked is trained.
Everything goes through the program, as a user would do it.
"""
import csv
import gzip
import json
import os
import random
import statistics

import pytest

SEEDS = range(5)
RATES = {">50K": .4, "<=50K": .2}  # e+, e-
TRAIN = {
    "ce, clean labels": ("income", ["--loss", "ce"]),
    "ce": ("income_noisy", ["--loss", "ce"]),
    "peer": ("income_noisy", ["--loss", "peer"]),
    "backward, true T": ("income_noisy", ["--loss", "backward", "--transition", "T.txt"]),
    "backward, misspecified T": ("income_noisy", ["--loss", "backward", "--transition", "T.txt", "--misspecify"]),
    "backward, confident T": ("income_noisy", ["--loss", "backward", "--transition", "confident"]),
    "forward, true T": ("income_noisy", ["--loss", "forward", "--transition", "T.txt"]),
    "forward, confident T": ("income_noisy", ["--loss", "forward", "--transition", "confident"]),
    "co-teaching (mlp), true T": ("income_noisy", ["--loss", "co-teaching", "--transition", "T.txt"]),
    "ce (mlp)": ("income_noisy", ["--loss", "ce", "--model", "mlp"]),
    "backward, true T (mlp)": ("income_noisy", ["--loss", "backward", "--transition", "T.txt", "--model", "mlp"]),
    "ce, clean labels (trees)": ("income", ["--loss", "ce", "--model", "trees"]),
    "ce (trees)": ("income_noisy", ["--loss", "ce", "--model", "trees"]),
    "backward, true T (trees)": ("income_noisy", ["--loss", "backward", "--transition", "T.txt", "--model", "trees"]),
    "forward, true T (trees)": ("income_noisy", ["--loss", "forward", "--transition", "T.txt", "--model", "trees"]),
}
if not os.environ.get("WHOLE_TABLE"):
    CHECKED = ("ce, clean labels", "ce", "backward, true T", "backward, confident T", "forward, true T",
               "ce, clean labels (trees)", "ce (trees)", "forward, true T (trees)")
    TRAIN = {name: TRAIN[name] for name in CHECKED}


@pytest.fixture(scope="module")
def rows(data):
    with gzip.open(data / "adult/adult.csv.gz", "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_split(rows, folder, seed):
    """train.csv and test.csv: as many rows of each class, four to one."""
    draw = random.Random(seed)
    of_class = {name: [row for row in rows if row["income"] == name] for name in RATES}
    size = min(map(len, of_class.values()))
    chosen = [row for name in sorted(RATES) for row in draw.sample(of_class[name], size)]
    draw.shuffle(chosen)
    cut = len(chosen) * 4 // 5
    for name, part in ("train", chosen[:cut]), ("test", chosen[cut:]):
        with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(part)
    return len(chosen)


@pytest.fixture(scope="module")
def table(rows, tmp_path_factory):
    """Accuracy on clean test labels, of each way of training and each seed."""
    import subprocess
    from conftest import PROGRAM
    results = {name: [] for name in TRAIN}
    for seed in SEEDS:
        folder = tmp_path_factory.mktemp(f"seed{seed}")

        def call(*arguments):
            return subprocess.run([PROGRAM, *map(str, arguments), "--seed", str(seed)], cwd=folder, check=True,
                                  capture_output=True, timeout=300)
        assert write_split(rows, folder, seed) == 23374
        (folder / "T.txt").write_text(f"{1 - RATES['<=50K']} {RATES['<=50K']}\n{RATES['>50K']} {1 - RATES['>50K']}\n")
        call("corrupt", "train.csv", "--label", "income", "--transition", "T.txt", "--output", "noisy.csv")
        for name, (label, flags) in TRAIN.items():
            call("train", "noisy.csv", "--label", label, *flags, "--output", "a.model")
            report = call("evaluate", "a.model", "test.csv", "--label", "income", "--json", "-")
            results[name].append(100 * json.loads(report.stdout)["accuracy"])
    print("\n\n| trained by | accuracy on clean labels, % | sd |\n|---|---|---|")
    for name, found in results.items():
        print(f"| {name} | {statistics.mean(found):.2f} | {statistics.stdev(found):.2f} |")
    return {name: statistics.mean(found) for name, found in results.items()}


def test_true_rates_bring_back_most_of_the_accuracy(table):
    assert table["backward, true T"] > table["ce, clean labels"] - 2.5
    assert table["forward, true T"] > table["ce, clean labels"] - 2.5


def test_trees_gain_from_the_true_rates(table):
    assert table["forward, true T (trees)"] > table["ce (trees)"] + 1
    assert table["forward, true T (trees)"] > table["ce, clean labels (trees)"] - 2.5
    assert table["ce, clean labels (trees)"] > table["ce, clean labels"]


def test_correction_beats_ignoring_the_noise(table):
    assert table["backward, true T"] > table["ce"] + 1
    assert table["backward, confident T"] > table["ce"]
