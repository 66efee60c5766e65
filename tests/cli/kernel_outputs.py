"""The commands whose outputs must be the same bytes with every kernel that has fused multiply-add, and
what they write. Also used by tests/neon, where another machine's program writes them."""
import math
import os
import random
import re
import subprocess

import numpy

AUDIT = ["audit", "t.csv", "--label", "y", "--drop", "clean", "--json", "{}.json", "--rows", "{}.csv"]
ARRAY = ["x.npy", "--labels", "y.npy"]
TRAIN = ["train", "t.csv", "--label", "y", "--drop", "clean", "--output", "{}.model", "--json", "{}.json"]
MLP = ["--model", "mlp", "--hidden", "21", "--epochs", "3", "--dropout", "0.2"]
TREES = ["--model", "trees", "--trees", "25", "--min-leaf-rows", "10"]
ESTIMATORS = ["auto", "curve", "moments", "latent-class", "edges", "overlap", "confident", "paper"]
MANY_CLASSES = [name for name in ESTIMATORS if name not in ("moments", "overlap", "paper")]

# {} is the name of the command, to which its outputs belong.
COMMANDS = {
    **{f"audit-{name}": [*AUDIT, "--estimator", name, "--group", "g"] for name in ESTIMATORS},
    **{f"audit-array-{name}": ["audit", *ARRAY, "--estimator", name, "--json", "{}.json", "--rows", "{}.csv"]
       for name in MANY_CLASSES},
    # Enough rows for the boosted trees inside auto.
    "audit-trees": ["audit", "large.csv", "--label", "y", "--drop", "clean", "--json", "{}.json", "--rows", "{}.csv"],
    "audit-probabilities": [*AUDIT, "--probabilities", "p.csv", "--group", "g"],
    "audit-suspects": [*AUDIT, "--suspects-file", "{}.suspects.csv", "--suspects", "50"],
    "audit-page": ["audit", "t.csv", "--label", "y", "--estimator", "moments", "--html", "{}.html"],
    "balance": ["balance", "t.csv", "--label", "y", "--drop", "clean", "--force", "--output", "{}.csv", "--json", "{}.json"],
    "balance-groups": ["balance", "t.csv", "--label", "y", "--drop", "clean", "--group", "g", "--force",
                       "--scope", "class-in-group", "--output", "{}.csv", "--json", "{}.json"],
    "balance-array": ["balance", *ARRAY, "--force", "--output", "{}.npy", "--json", "{}.json"],
    "train-ce": [*TRAIN],
    "train-backward": [*TRAIN, "--loss", "backward", "--transition", "T.txt"],
    "train-forward": [*TRAIN, "--loss", "forward", "--transition", "confident"],
    "train-peer": [*TRAIN, "--loss", "peer", "--alpha", "cv"],
    "train-group-peer": [*TRAIN, "--loss", "group-peer", "--group", "g", "--alpha", "0.2"],
    "train-array": ["train", *ARRAY, "--output", "{}.model", "--json", "{}.json"],
    "train-mlp": [*TRAIN, *MLP],
    "train-mlp-forward": [*TRAIN, *MLP, "--loss", "forward", "--transition", "T.txt"],
    "train-mlp-peer": [*TRAIN, *MLP, "--loss", "peer", "--alpha", "0.3"],
    "train-mlp-array": ["train", *ARRAY, *MLP, "--output", "{}.model", "--json", "{}.json"],
    "train-co-teaching": [*TRAIN, *MLP, "--loss", "co-teaching", "--forget", "0.2"],
    "train-trees": [*TRAIN, *TREES, "--hold-out", "0.2"],
    "train-trees-backward": [*TRAIN, *TREES, "--loss", "backward", "--transition", "T.txt"],
    "train-trees-forward": [*TRAIN, *TREES, "--loss", "forward", "--transition", "T.txt"],
    "train-trees-array": ["train", *ARRAY, *TREES, "--output", "{}.model", "--json", "{}.json"],
    "train-fair": [*TRAIN, "--group", "g", "--fair", "equalized-odds"],
    "train-fair-noise-aware": [*TRAIN, "--group", "g", "--fair", "equal-opportunity", "--noise-aware",
                               "--group-rate", "a=.1", "--group-rate", "b=.2"],
    "train-fair-auto": [*TRAIN, "--group", "g", "--fair", "equalized-odds", "--route", "auto"],
    "train-probabilities": [*TRAIN, "--loss", "forward", "--transition", "confident", "--probabilities", "p.csv"],
    **{f"predict-{name}": ["predict", f"train-{name}.model", "t.csv", "--output", "{}.csv"]
       for name in ("ce", "mlp", "trees", "fair")},
    **{f"predict-{name}": ["predict", f"train-{name}.model", "x.npy", "--output", "{}.csv"]
       for name in ("array", "mlp-array", "trees-array")},
    **{f"evaluate-{name}": ["evaluate", f"train-{name}.model", "t.csv", "--label", "clean", "--group", "g",
                            "--json", "{}.json"] for name in ("ce", "mlp", "trees", "fair")},
}


def write_table(path, rows, seed):
    """Two classes with numbers, words, gaps and groups."""
    draw = random.Random(seed)
    lines = ["x,z,u,color,g,y,clean"]
    for _ in range(rows):
        group = draw.choice("ab")
        clean = "yes" if draw.random() < (.55 if group == "a" else .4) else "no"
        noisy = {"yes": "no", "no": "yes"}[clean] if draw.random() < {"yes": .25, "no": .1}[clean] else clean
        color = draw.choice(["red", "blue", "green", ""])
        gap = "" if draw.random() < .05 else f"{draw.gauss(0, 3):.3f}"
        lines.append(f"{draw.gauss(2.5 if clean == 'yes' else 0, 1):.4f},{draw.gauss(0, 1):.4f},{gap},"
                     f"{color},{group},{noisy},{clean}")
    path.write_text("\n".join(lines) + "\n")


def write_probabilities(path, table):
    """P(given label | x), as the rows of the table are drawn."""
    lines = ["no,yes"]
    for line in table.read_text().splitlines()[1:]:
        clean = 1 / (1 + math.exp(2.5 * (1.25 - float(line.split(",")[0]))))
        share = .75 * clean + .1 * (1 - clean)
        lines.append(f"{1 - share:.6f},{share:.6f}")
    path.write_text("\n".join(lines) + "\n")


def write_inputs(folder):
    """Two tables, the first with probabilities, and three classes in an array that no vector divides."""
    write_table(folder / "t.csv", 700, 7)
    write_table(folder / "large.csv", 2500, 9)
    write_probabilities(folder / "p.csv", folder / "t.csv")
    (folder / "T.txt").write_text("0.9 0.1\n0.25 0.75\n")
    numbers = numpy.random.default_rng(1)
    clean = numbers.integers(0, 3, 600)
    centers = 2 * numbers.normal(size=(3, 37))
    rows = (centers[clean] + numbers.normal(size=(600, 37))).astype(numpy.float32)
    given = numpy.where(numbers.random(600) < .15, (clean + 1) % 3, clean)
    numpy.save(folder / "x.npy", rows)
    numpy.save(folder / "y.npy", given)


def without_seconds(content):
    """A report or a page without the only thing that differs from run to run. Other tests use it too."""
    return re.sub(rb'"seconds":\s*(\{[^{}]*\}|[-+.e\d]+)', b'"seconds": {}', content)


def outputs(program, kernel, name, folder):
    """Runs a command in the folder, where the inputs are; what it wrote, by the name of the file, and its text."""
    words = [word.replace("{}", name) for word in COMMANDS[name]]
    done = subprocess.run([*program, *words, "--kernel", kernel, "--quiet"], capture_output=True, cwd=folder, timeout=600,
                          check=False, env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    assert done.returncode == 0, (name, kernel, done.returncode, done.stderr.decode(errors="replace"))
    written = {}
    for word in words:
        if not word.startswith(name + "."):
            continue
        content = (folder / word).read_bytes()
        written[word] = without_seconds(content)
    assert written and all(written.values()), name
    return written
