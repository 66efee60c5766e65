#!/usr/bin/python3
"""Compares what two programs make of the same generated data: every number and every label must be the same bytes.

scripts/compare_outputs.py OLD_PROGRAM NEW_PROGRAM [--only NAME ...] [--keep FOLDER]

  csv, npy, transitions  byte for byte
  models                 byte for byte but for the notes in their header, which are for people
  JSON                   every number, as it is written, and every name under keys that both have; a key that is gone is a
                         difference. `seconds` do not count. Keys that are new and texts that changed are listed only.

The exit code is 1 where anything differs, 2 where a program cannot be run.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import numpy

TEXTS = {"condition", "reason", "rule", "text", "title", "too_small", "version", "warnings", "why", "why_not"}
MODEL_MAGIC = b"\x89noise+\n"
MODEL_ALIGNMENT = 64

TABLE = ["t.csv", "--label", "y", "--drop", "clean"]
ARRAY = ["x.npy", "--labels", "labels.csv", "--label", "y"]
PROBABILITIES = ["--labels", "labels.csv", "--label", "y", "--probabilities", "p.npy"]
RESULTS = ["--json", "{}.json", "--rows", "{}.csv"]
TRAIN = ["train", *TABLE, "--output", "{}.model", "--json", "{}.json"]
TRAIN_ARRAY = ["train", *ARRAY, "--output", "{}.model", "--json", "{}.json"]
MLP = ["--model", "mlp", "--hidden", "13", "--epochs", "3", "--dropout", "0.1"]
TREES = ["--model", "trees", "--trees", "15", "--min-leaf-rows", "10"]
FAIR = ["--group", "g", "--fair"]
TWO_CLASSES = ["auto", "curve", "moments", "latent-class", "edges", "overlap", "confident", "paper"]
MANY_CLASSES = ["auto", "curve", "latent-class", "edges", "confident"]

# {} is the name of the command, to which its outputs belong. `predict` and `evaluate` use models of commands before them.
COMMANDS = {
    **{f"audit-{name}": ["audit", *TABLE, "--estimator", name, *RESULTS] for name in TWO_CLASSES},
    "audit-groups": ["audit", *TABLE, "--group", "g", *RESULTS],
    "audit-suspects": ["audit", *TABLE, "--suspects", "50", "--suspects-file", "{}.csv", "--json", "{}.json"],
    "audit-anchors": ["audit", *TABLE, "--estimator", "moments", "--anchors", "300", "--json", "{}.json"],
    **{f"audit-array-{name}": ["audit", *ARRAY, "--estimator", name, *RESULTS] for name in MANY_CLASSES},
    "audit-array-groups": ["audit", "x.npy", "--labels", "labels.csv", "--label", "y", "--group", "g", *RESULTS],
    "audit-cosine": ["audit", *ARRAY, "--metric", "cosine", "--k", "7", *RESULTS],
    "audit-probabilities": ["audit", *PROBABILITIES, *RESULTS],
    "balance": ["balance", *TABLE, "--force", "--output", "{}.csv", "--json", "{}.json"],
    "balance-groups": ["balance", *TABLE, "--group", "g", "--scope", "class-in-group", "--force", "--output", "{}.csv",
                       "--json", "{}.json"],
    "balance-paper": ["balance", *TABLE, "--method", "paper", "--output", "{}.csv", "--json", "{}.json"],
    "balance-array": ["balance", *ARRAY, "--force", "--output", "{}.npy", "--json", "{}.json"],
    "corrupt": ["corrupt", "t.csv", "--label", "clean", "--rate", "yes=.3", "--rate", "no=.1", "--output", "{}.csv",
                "--transition-output", "{}.txt"],
    "corrupt-groups": ["corrupt", "t.csv", "--label", "clean", "--group", "g", "--group-rate", "a=.2", "--output", "{}.csv",
                       "--transition-output", "{}.txt"],
    "corrupt-gap": ["corrupt", "x.npy", "--labels", "labels.csv", "--label", "clean", "--random-gap", ".3", "--output",
                    "{}.npy", "--transition-output", "{}.txt"],
    "train-linear": TRAIN,
    "train-backward": [*TRAIN, "--loss", "backward", "--transition", "T.txt"],
    "train-forward": [*TRAIN, "--loss", "forward", "--transition", "latent-class"],
    "train-peer": [*TRAIN, "--loss", "peer", "--alpha", "cv"],
    "train-group-peer": [*TRAIN, "--loss", "group-peer", "--group", "g", "--alpha", ".2", "--group-rate", "a=.1",
                         "--group-rate", "b=.2"],
    "train-balanced": [*TRAIN, "--balance", "--force"],
    "train-mlp": [*TRAIN, *MLP],
    "train-co-teaching": [*TRAIN, *MLP, "--loss", "co-teaching", "--forget", ".2"],
    "train-trees": [*TRAIN, *TREES, "--hold-out", ".2"],
    "train-fair": [*TRAIN, *FAIR, "equalized-odds"],
    "train-fair-noise-aware": [*TRAIN, *FAIR, "equal-opportunity", "--noise-aware", "--group-rate", "a=.1", "--group-rate",
                               "b=.2"],
    "train-array": TRAIN_ARRAY,
    "train-array-mlp": [*TRAIN_ARRAY, *MLP],
    "train-array-trees": [*TRAIN_ARRAY, *TREES],
    **{f"predict-{name}": ["predict", f"train-{name}.model", "new.csv", "--output", "{}.csv"]
       for name in ("linear", "mlp", "trees", "fair")},
    **{f"predict-{name}": ["predict", f"train-{name}.model", "x.npy", "--output", "{}.csv"]
       for name in ("array", "array-mlp", "array-trees")},
    **{f"evaluate-{name}": ["evaluate", f"train-{name}.model", "new.csv", "--label", "clean", "--group", "g", "--json",
                            "{}.json"] for name in ("linear", "mlp", "trees", "fair")},
    "evaluate-noisy": ["evaluate", "train-linear.model", "new.csv", "--group", "g", "--group-rate", "a=.1", "--group-rate",
                       "b=.2", "--json", "{}.json"],
    "evaluate-array": ["evaluate", "train-array.model", "x.npy", "--labels", "labels.csv", "--label", "clean", "--json",
                       "{}.json"],
}


def write_inputs(folder):
    """Writes a two-class table with numbers, words, gaps and groups, and a ten-class array with probabilities."""
    draw = random.Random(21)
    (folder / "t.csv").write_text(table(draw, 700))
    (folder / "new.csv").write_text(table(draw, 200))
    (folder / "T.txt").write_text("0.9 0.1\n0.25 0.75\n")
    numbers = numpy.random.default_rng(21)
    clean = numbers.integers(0, 10, 900)
    rows = 3 * numbers.normal(size=(10, 11))[clean] + numbers.normal(size=(900, 11))
    given = numpy.where(numbers.random(900) < .05 + .02 * clean, (clean + 1) % 10, clean)
    groups = numbers.integers(0, 2, 900)
    logits = numbers.normal(size=(900, 10)) + 4 * numpy.eye(10)[clean]
    numpy.save(folder / "x.npy", rows.astype(numpy.float32))
    numpy.save(folder / "p.npy", numpy.exp(logits) / numpy.exp(logits).sum(axis=1, keepdims=True))
    (folder / "labels.csv").write_text("y,g,clean\n" + "".join(f"c{y},{'ab'[g]},c{c}\n" for y, g, c in zip(given, groups, clean)))


def table(draw, rows):
    lines = ["x,z,u,color,g,y,clean"]
    for _ in range(rows):
        group = draw.choice("ab")
        clean = "yes" if draw.random() < {"a": .55, "b": .4}[group] else "no"
        is_flipped = draw.random() < {"yes": .25, "no": .1}[clean]
        given = {"yes": "no", "no": "yes"}[clean] if is_flipped else clean
        gap = "" if draw.random() < .05 else f"{draw.gauss(0, 3):.3f}"
        color = draw.choice(["red", "blue", "green", ""])
        lines.append(f"{draw.gauss(2.5 if clean == 'yes' else 0, 1):.4f},{draw.gauss(0, 1):.4f},{gap},{color},{group},"
                     f"{given},{clean}")
    return "\n".join(lines) + "\n"


class Number(str):
    """A number of a JSON file as it is written there."""


class Comparison:
    def __init__(self):
        self.differences, self.added_keys, self.changed_texts = [], {}, {}
        self.numbers = self.files = 0

    def compare_files(self, name, old, new):
        self.files += 1
        if name.endswith(".json"):
            self.compare_json(name, "", *(json.loads(text, parse_int=Number, parse_float=Number) for text in (old, new)))
        elif name.endswith(".model"):
            self.compare_models(name, old, new)
        elif old != new:
            self.differences.append(f"{name}: {first_difference(old, new)}")

    def compare_json(self, name, key, old, new):
        leaf = key.rsplit(".", 1)[-1].removesuffix("[]")
        if leaf == "seconds":
            return
        if isinstance(old, dict) and isinstance(new, dict):
            for child in old:
                if child in new:
                    self.compare_json(name, f"{key}.{child}", old[child], new[child])
                elif child != "seconds":
                    self.differences.append(f"{name}: {key}.{child} is gone")
            for child in new.keys() - old.keys():
                self.added_keys.setdefault(f"{key}.{child}", name)
        elif type(old) is not type(new):
            self.differences.append(f"{name}: {key}: {short(old)} became {short(new)}")
        elif leaf in TEXTS and isinstance(old, (str, list)) and not isinstance(old, Number):
            if old != new:
                self.changed_texts.setdefault((key, short(old), short(new)), name)
        elif isinstance(old, list) and len(old) == len(new):
            for one, other in zip(old, new):
                self.compare_json(name, f"{key}[]", one, other)
        else:
            self.numbers += isinstance(old, Number)
            if old != new:
                self.differences.append(f"{name}: {key}: {short(old)} became {short(new)}")

    def compare_models(self, name, old, new):
        if old == new:
            return
        (old_header, old_bytes), (new_header, new_bytes) = model_parts(old), model_parts(new)
        old_notes, new_notes = old_header.pop("notes", None), new_header.pop("notes", None)
        if old_header != new_header:
            self.differences.append(f"{name}: the header differs: {short(old_header)} became {short(new_header)}")
        elif old_bytes != new_bytes:
            self.differences.append(f"{name}: the weights differ: {first_difference(old_bytes, new_bytes)}")
        elif old_notes != new_notes:
            self.changed_texts.setdefault(("notes of the model", short(old_notes), short(new_notes)), name)
        else:
            self.differences.append(f"{name}: the header is written in another way")


def model_parts(content):
    """The header, and what is below it without the checksum; docs/models.md has the layout."""
    if not content.startswith(MODEL_MAGIC):
        raise ValueError("a model begins with other bytes than docs/models.md says")
    begin = len(MODEL_MAGIC) + 8
    end = begin + int.from_bytes(content[begin - 4:begin], "little")
    header = json.loads(content[begin:end], parse_int=Number, parse_float=Number)
    weights = -(-end // MODEL_ALIGNMENT) * MODEL_ALIGNMENT
    return header, content[len(MODEL_MAGIC):begin - 4] + content[weights:-4]


def short(value):
    text = json.dumps(value)
    return text if len(text) <= 160 else f"{text[:157]}..."


def first_difference(old, new):
    old_lines, new_lines = old.splitlines(), new.splitlines()
    for number, (one, other) in enumerate(zip(old_lines, new_lines), 1):
        if one != other:
            try:
                return f"line {number}: {short(one.decode())} became {short(other.decode())}"
            except UnicodeDecodeError:
                break
    if len(old) != len(new):
        return f"{len(old)} bytes became {len(new)}"
    return f"byte {next(at for at, (one, other) in enumerate(zip(old, new)) if one != other)} of {len(old)}"


def run(program, name, folder):
    """Runs a command in the folder; its exit code, what it said, and what it wrote by the names of the files."""
    words = [word.replace("{}", name) for word in COMMANDS[name]]
    done = subprocess.run([program, *words, "--quiet"], capture_output=True, cwd=folder, timeout=600, check=False,
                          env={**os.environ, "SOURCE_DATE_EPOCH": "0"})
    return done.returncode, done.stderr.decode(errors="replace").strip(), {
        word: (folder / word).read_bytes() for word in words if word.startswith(f"{name}.") and (folder / word).exists()}


def compare(comparison, programs, name, folders):
    (old_code, old_error, old), (new_code, new_error, new) = (
        run(program, name, folder) for program, folder in zip(programs, folders))
    if old_code or new_code:
        comparison.differences.append(f"{name}: exit code {old_code} ({old_error}) and {new_code} ({new_error})")
    for file in sorted(old.keys() | new.keys()):
        if file in old and file in new:
            comparison.compare_files(file, old[file], new[file])
        else:
            comparison.differences.append(f"{file}: only the {'old' if file in old else 'new'} program wrote it")


def with_models(names):
    """The commands in their order, and before them those whose models they use."""
    used = {word.removesuffix(".model") for name in names for word in COMMANDS[name] if word.endswith(".model")}
    return [name for name in COMMANDS if name in names or name in used]


def print_result(comparison):
    for key, name in sorted(comparison.added_keys.items()):
        print(f"new key    {key}  (first in {name})")
    for (key, old, new), name in sorted(comparison.changed_texts.items()):
        print(f"new text   {key}  (first in {name})\n             {old}\n          -> {new}")
    for difference in comparison.differences:
        print(f"DIFFERENT  {difference}")
    print(f"{comparison.files} files with {comparison.numbers} numbers in JSON: "
          + (f"{len(comparison.differences)} differences" if comparison.differences else "the same numbers and labels"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", choices=COMMANDS, metavar="NAME", help="of " + ", ".join(COMMANDS))
    parser.add_argument("--keep", type=pathlib.Path, help="an empty folder for the data and both programs' outputs")
    options = parser.parse_args()
    programs = [shutil.which(program.resolve()) for program in (options.old, options.new)]
    if not all(programs):
        parser.error(f"{options.old} and {options.new} are not both programs")
    with tempfile.TemporaryDirectory() as temporary:
        folders = [(options.keep or pathlib.Path(temporary)) / part for part in ("old", "new")]
        for folder in folders:
            folder.mkdir(parents=True)
            write_inputs(folder)
        comparison = Comparison()
        for name in with_models(options.only or COMMANDS):
            compare(comparison, programs, name, folders)
    print_result(comparison)
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
