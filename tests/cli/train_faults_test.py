"""train and evaluate on bad input: one line, the documented exit code, and no file."""
import math
import pathlib
import random

import numpy
import pytest

from train_data import LOSSES, TRAIN, table

WRONG_USAGE = [
    (["--loss", "magic"], "--loss"), (["--model", "tree"], "--model"), (["--transition", "T.txt"], "--transition does nothing here"),
    (["--alpha", "0.3"], "does nothing for --loss ce"), (["--loss", "peer", "--alpha", "x"], "a number below 1, or cv"),
    (["--loss", "peer", "--alpha", "1"], "a number below 1"), (["--loss", "peer", "--alpha", "nan"], "a number below 1"),
    (["--loss", "peer", "--alpha", "0.1", "--alpha-folds", "2"], "it is for --alpha cv"),
    (["--loss", "peer", "--alpha", "0.5", "--ridge", "0"], "choose a ridge above 0"),
    (["--loss", "peer", "--misspecify"], "it is for backward and forward"), (["--forget", "0.1"], "it is for co-teaching"),
    (["--epochs", "5"], "--epochs does nothing for --model linear; it is for --model mlp"),
    (["--model", "mlp", "--ridge", "1"], "it is for --model linear"), (["--patience", "3"], "it is for --hold-out"),
    (["--loss", "backward", "--transition", "T.txt", "--k", "5"], "it is for a --transition that looks at neighbors"),
    (["--loss", "backward", "--transition", "moments", "--folds", "5"], "it is for a --transition that looks at a linear model"),
    (["--loss", "co-teaching", "--model", "linear"], "say --model mlp"), (["--hold-out", "0.9"], "--hold-out"),
    (["--trees", "5"], "--trees does nothing for --model linear; it is for --model trees"),
    (["--model", "trees", "--hidden", "8"], "--hidden does nothing for --model trees; it is for --model mlp"),
    (["--model", "trees", "--ridge", "1"], "it is for --model linear"), (["--model", "trees", "--trees", "0"], "--trees"),
    (["--model", "trees", "--learning-rate", "2"], "--learning-rate"), (["--model", "trees", "--leaves", "1"], "--leaves"),
    (["--model", "trees", "--bins", "300"], "--bins"), (["--model", "trees", "--loss", "co-teaching"], "say --model mlp"),
    (["--model", "trees", "--group", "g", "--fair", "equalized-odds"], "--fair goes with the models linear and mlp"),
    (["--positive", "maybe"], "no such class; there are 'no' and 'yes'"), (["--weights", "nope"], "there is no column 'nope'"),
    (["--weights", "y"], "is the label"), (["--hold-out", "0.001"], "less than one"), (["--ridge", "inf"], "not a number from 0 on"),
    (["--model", "mlp", "--rate", "0"], "not a number above 0"), (["--label", "nope"], "there is no column 'nope'"), (["--ridge", "-1"], "--ridge"),
    (["--hidden", "0", "--model", "mlp"], "--hidden"), (["--loss", "backward", "--k", "-1"], "--k"),
    (["--loss", "group-peer"], "name their column with --group"),
    (["--loss", "group-peer", "--group-rate", "a=.1"], "--group-rate needs groups"),
    (["--loss", "group-peer", "--group", "nope"], "there is no column 'nope'"),
    (["--loss", "group-peer", "--group", "g", "--group-rate", "a=.1"], "the group 'b' has none"),
    (["--loss", "group-peer", "--group", "g", "--group-rate", "c=.1"], "there is no group 'c'; the first is 'a'"),
    (["--loss", "group-peer", "--group", "g", "--group-rate", "a=.5"], "no better than chance"),
    (["--loss", "group-peer", "--group", "g", "--group-rate", "a"], "write NAME=RATE"),
    (["--loss", "group-peer", "--group", "g", "--transition", "T.txt"], "use --group-rate"),
    (["--json", "m"], "given for two outputs"), (["--json", "t.csv"], "would replace the input"),
    (["--loss", "backward", "--transition", "T.txt", "--json", "T.txt"], "would replace the input"),
]


@pytest.mark.parametrize("flags, expected", WRONG_USAGE, ids=[" ".join(flags) for flags, _ in WRONG_USAGE])
def test_wrong_usage(noiseplus, data, tmp_path, flags, expected):
    arguments = [part for part in TRAIN if "--label" not in flags or part not in ("--label", "y")]
    assert expected in noiseplus(*arguments, *flags, code=2).stderr.decode()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["T.txt", "t.csv"]


def test_more_wrong_usage(noiseplus, data, arrays):
    del arrays
    for arguments in (["train"], ["train", data], ["train", data, "--label", "y"], ["train", data, "--output", "m"],
                      ["train", data, "--label", "y", "--output", ""], ["train", data, "--label", "y", "--output", data],
                      ["train", "x.npy", "--output", "m"], ["train", "-", "--labels", "-", "--output", "m"],
                      ["train", "x.npy", "--labels", "y.npy", "--group", "g", "--output", "m"],
                      ["evaluate"], ["evaluate", "m"], ["evaluate", "-", "-"]):
        noiseplus(*arguments, code=2)
    assert b"which x.npy is not" in noiseplus("train", "x.npy", "--labels", "y.npy", "--weights", "w", "--output", "m", code=2).stderr
    assert b"is for two classes" in noiseplus("train", "d.npz", "--loss", "backward", "--transition", "moments", "--output", "m",
                                              code=2).stderr
    noiseplus(*TRAIN)
    for flags in (["--label", "nope"], ["--group", "nope"], ["--positive", "nope"], ["--json", "m"], ["--json", data]):
        noiseplus("evaluate", "m", data, *flags, code=2)
    noiseplus("train", "x.npy", "--labels", "y.npy", "--output", "array")
    assert b"holds no labels" in noiseplus("evaluate", "array", "x.npy", code=2).stderr


@pytest.mark.parametrize("matrix, expected", [
    ("0.9 0.1\n", "M.txt:2:1: too few lines"), ("", "M.txt:1:1: too few lines"), ("1 0 0\n0 1 0\n0 0 1\n", "M.txt:1:5: too many"),
    ("0.9 0.2\n0.1 0.9\n", "M.txt:1:1: the line adds up to 1.1"), ("a b\nc d\n", "M.txt:1:1: not a number"),
    ("1.2 -0.2\n0 1\n", "M.txt:1:"), ("nan 1\n0 1\n", "M.txt:1:")])
def test_bad_transition_files(noiseplus, data, tmp_path, matrix, expected):
    (tmp_path / "M.txt").write_text(matrix)
    for loss in ("backward", "forward", "co-teaching"):
        assert expected in noiseplus(*TRAIN, "--loss", loss, "--transition", "M.txt", code=3).stderr.decode()
    assert not (tmp_path / "m").exists()


def test_what_is_not_possible(noiseplus, data, tmp_path):
    (tmp_path / "M.txt").write_text("0.5 0.5\n0.5 0.5\n")
    for loss in ("backward", "forward"):
        assert b"cannot be inverted" in noiseplus(*TRAIN, "--loss", loss, "--transition", "M.txt", code=4).stderr
    (tmp_path / "one.csv").write_text("x,y\n" + "".join(f"{i},a\n" for i in range(20)))
    for loss in LOSSES:
        done = noiseplus("train", "one.csv", "--label", "y", "--loss", loss, "--output", "m", code=4)
        assert b"one class only ('a')" in done.stderr
    draw = random.Random(1)
    (tmp_path / "chance.csv").write_text("x,y\n" + "".join(f"{draw.random()},{draw.choice('ab')}\n" for _ in range(60)))
    done = noiseplus("train", "chance.csv", "--label", "y", "--loss", "backward", "--output", "m", code=4)
    assert b"not identified" in done.stderr and b"--transition FILE" in done.stderr
    assert b"lower --rate" in noiseplus(*TRAIN, "--model", "mlp", "--rate", "1e30", code=4).stderr
    assert not (tmp_path / "m").exists()


def test_a_class_with_fewer_rows_than_folds(noiseplus, tmp_path):
    (tmp_path / "few.csv").write_text("x,g,y\n" + "".join(f"{i},{i % 2},{'a' if i < 17 else 'b'}\n" for i in range(20)))
    train = ["train", "few.csv", "--label", "y", "--output", "m"]
    few = "class 'b' has 3 rows, fewer than the 5 folds; use 3 folds or fewer"
    done = noiseplus(*train, "--loss", "backward", "--transition", "confident", code=3)
    assert f"--transition confident: {few}" in done.stderr.decode()
    for loss in ("peer", "group-peer"):
        flags = ["--loss", loss] + (["--group", "g", "--group-rate", "0=.1", "--group-rate", "1=.1"] if loss != "peer" else [])
        assert f"--alpha cv with --alpha-folds 5: {few}" in noiseplus(*train, *flags, code=3).stderr.decode()
        noiseplus(*train, *flags, "--alpha-folds", "3")
        noiseplus(*train, *flags, "--alpha", "0.1")
    done = noiseplus(*train, "--loss", "group-peer", "--group", "g", code=3)
    assert "group '0': --transition auto" in done.stderr.decode()


@pytest.mark.parametrize("cell", ["", "?", "-1", "heavy", "1e31"])
def test_bad_weights(noiseplus, tmp_path, rows, cell):
    bad = [row[:4] + [cell if n == 2 else "1"] + row[5:] for n, row in enumerate(rows)]
    (tmp_path / "t.csv").write_text(table(bad))
    message = noiseplus("train", "t.csv", "--label", "y", "--weights", "w", "--output", "m", code=3).stderr.decode()
    assert "column 'w': a row weight must be a number from 0 on" in message
    assert message.startswith("noiseplus: t.csv:2:" if cell == "heavy" else "noiseplus: t.csv:4:")


def test_weights_that_leave_one_class(noiseplus, tmp_path, rows):
    (tmp_path / "t.csv").write_text(table([row[:4] + [str(int(row[5] == "no"))] + row[5:] for row in rows]))
    for loss in ("ce", "peer"):
        done = noiseplus("train", "t.csv", "--label", "y", "--weights", "w", "--loss", loss, "--output", "m", code=4)
        assert b"only one class is there to learn ('no')" in done.stderr


def test_bad_rows(noiseplus, arrays, data, tmp_path):
    x, _, _ = arrays
    infinite, missing = x.copy(), x.copy()
    infinite[7, 2], missing[7, 2] = math.inf, math.nan
    numpy.save(tmp_path / "inf.npy", infinite)
    numpy.save(tmp_path / "nan.npy", missing)
    numpy.save(tmp_path / "few.npy", x[:, :2])
    numpy.save(tmp_path / "many.npy", numpy.hstack([x, x]))
    (tmp_path / "many.libsvm").write_text("0 1:1 9:1\n1 1:2\n")
    (tmp_path / "less.libsvm").write_text("0 1:1\n1 1:2\n")
    (tmp_path / "short.txt").write_text("1\n" * 199)
    assert b"inf.npy: row 8, column 3 is infinite" in noiseplus("train", "inf.npy", "--labels", "y.npy", "--output", "m", code=3).stderr
    assert b"199 labels for 200 rows" in noiseplus("train", "x.npy", "--labels", "short.txt", "--output", "m", code=3).stderr
    assert b"199 groups for 200 rows" in noiseplus("train", "x.npy", "--labels", "y.npy", "--groups", "short.txt", "--output", "m",
                                                   code=3).stderr
    noiseplus("train", "nan.npy", "--labels", "y.npy", "--output", "gaps")
    noiseplus("evaluate", "gaps", "x.npy", "--labels", "y.npy")
    noiseplus("train", "d.libsvm", "--output", "array")
    noiseplus("evaluate", "array", "less.libsvm")
    noiseplus(*TRAIN[:-1], "table")
    (tmp_path / "label.csv").write_text(pathlib.Path(tmp_path / data).read_text().replace(",yes\n", ",what\n"))
    (tmp_path / "lacking.csv").write_text("x,y\n1,yes\n")
    for arguments, expected in (
            (["array", "nan.npy", "--labels", "y.npy"], "row 8, column 3 is missing (NaN)"),
            (["array", "inf.npy", "--labels", "y.npy"], "row 8, column 3 is infinite"),
            (["array", "few.npy", "--labels", "y.npy"], "has 2 columns, but the model was trained on 3"),
            (["array", "many.npy", "--labels", "y.npy"], "has 6 columns, but the model was trained on 3"),
            (["array", "many.libsvm"], "has 9 columns, but the model was trained on 3"),
            (["array", data, "--label", "y"], "is a table"), (["table", "x.npy", "--labels", "y.npy"], "lacks 4 columns"),
            (["table", "lacking.csv"], "lacks 3 columns that the model was trained with: z, color, g"),
            (["table", "label.csv", "--label", "clean"], "the label 'what' is none of the model's classes no, yes"),
            ([data, data], "is not a model")):
        assert expected in noiseplus("evaluate", *arguments, code=3).stderr.decode()
    whole = (tmp_path / "table").read_bytes()
    for name, content in (("cut", whole[:-1]), ("damaged", whole[:100] + b"#" + whole[101:])):
        (tmp_path / name).write_bytes(content)
        assert b"checksum" in noiseplus("evaluate", name, data, "--json", "e.json", code=3).stderr
    assert not (tmp_path / "m").exists() and not (tmp_path / "e.json").exists()


def test_what_cannot_be_read_or_written(noiseplus, data):
    noiseplus("train", "none.csv", "--label", "y", "--output", "m", code=5)
    noiseplus(*TRAIN[:-1], "no/such/m", code=5)
    noiseplus(*TRAIN[:-1], "/dev/full", code=5)
    noiseplus(*TRAIN, "--loss", "backward", "--transition", "none.txt", code=5)
    noiseplus("evaluate", "none", data, code=5)
    noiseplus(*TRAIN)
    noiseplus("evaluate", "m", "none.csv", code=5)
    noiseplus("evaluate", "m", data, "--json", "no/such.json", code=5)


def test_help(noiseplus):
    for command, flags in (("train", ["--loss", "--transition", "--alpha", "--weights", "--hold-out", "Example"]),
                           ("evaluate", ["MODEL", "--group", "--positive", "--json", "Example"])):
        text = noiseplus(command, "--help").stdout.decode()
        assert all(flag in text for flag in flags)
