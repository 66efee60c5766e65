"""A caller may have closed standard input, output or error: what is written is the same to the byte."""
import itertools
import os
import subprocess

import numpy
import pytest

import stand_ins
from kernel_outputs import without_seconds
from train_data import noisy_rows, table

CLOSED = [[0], [1], [2], [0, 1], [0, 1, 2]]


def closing(descriptors, program, arguments, folder):
    closes = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in descriptors)
    return subprocess.run(["bash", "-c", f'exec "$@" {closes}', "-", program, *arguments], cwd=folder,
                          capture_output=True, timeout=120, check=False)


def contents(folder, names):
    """The files, but for the seconds they took."""
    return {name: without_seconds((folder / name).read_bytes()) for name in names}


COMMANDS = {
    "audit": (["audit", "t.csv", "--label", "y", "--json", "a.json", "--html", "a.html", "--rows", "a.csv",
               "--suspects-file", "s.csv"], ["a.json", "a.html", "a.csv", "s.csv"]),
    "balance": (["balance", "t.csv", "--label", "y", "--force", "--output", "b.csv.gz", "--json", "b.json",
                 "--html", "b.html"], ["b.csv.gz", "b.json", "b.html"]),
    "corrupt": (["corrupt", "t.csv", "--label", "y", "--rate", "yes=.2", "--output", "c.csv",
                 "--transition-output", "c.txt"], ["c.csv", "c.txt"]),
    "train": (["train", "t.csv", "--label", "y", "--output", "m.model", "--json", "m.json", "--html", "m.html"],
              ["m.model", "m.json", "m.html"]),
    "predict": (["predict", "trained.model", "t.csv", "--output", "p.csv"], ["p.csv"]),
    "evaluate": (["evaluate", "trained.model", "t.csv", "--json", "e.json", "--html", "e.html"],
                 ["e.json", "e.html"]),
    "report": (["report", "audit.json", "--output", "r.html"], ["r.html"]),
    "reproduce": (["reproduce", "table1", "--data", "sets", "--only", "adult:0.2:0.4", "--seeds", "1", "--output", "r"],
                  ["r/table1.json", "r/table1.md", "r/cells/table1-adult-0.2-0.4-seed0.json"]),
    "demo": (["demo", "--data", "", "--output", "d"], ["d/audit.json", "d/truth.json", "d/report.html", "d/report.txt"]),
}


@pytest.fixture
def prepared(noiseplus, tmp_path):
    (tmp_path / "t.csv").write_text(table(list(noisy_rows())))
    stand_ins.write_adult(tmp_path / "sets", training=120, test=60)
    noiseplus("train", "t.csv", "--label", "y", "--output", "trained.model", "--quiet")
    noiseplus("audit", "t.csv", "--label", "y", "--json", "audit.json", "--quiet")
    return tmp_path


@pytest.mark.parametrize("command", [
    pytest.param(name, marks=pytest.mark.skipif(name == "demo" and os.environ.get("NOISEPLUS_SANITIZE", "") != "",
                                                reason="takes minutes")) for name in COMMANDS])
def test_outputs_are_the_same_with_closed_streams(noiseplus, program, prepared, command):
    arguments, names = COMMANDS[command]
    noiseplus(*arguments)
    expected = contents(prepared, names)
    for closed in CLOSED:
        for name in names:
            (prepared / name).unlink()
        done = closing(closed, program, arguments, prepared)
        assert done.returncode == 0, (closed, done.stderr)
        assert contents(prepared, names) == expected, closed


def test_a_model_written_with_standard_output_closed_can_be_read(noiseplus, program, prepared):
    assert closing([1], program, ["train", "t.csv", "--label", "y", "--output", "m"], prepared).returncode == 0
    assert (prepared / "m").read_bytes() == (prepared / "trained.model").read_bytes()
    noiseplus("predict", "m", "t.csv", "--output", "-")


def test_labels_alone_with_closed_streams(program, arrays, tmp_path):
    del arrays
    arguments = ["corrupt", "x.npy", "--labels", "y.npy", "--rate", "1=.3", "--output", "noisy.npy"]
    results = []
    for closed in [[]] + CLOSED:
        assert closing(closed, program, arguments, tmp_path).returncode == 0
        results.append(numpy.load(tmp_path / "noisy.npy").tobytes())
    assert len(set(results)) == 1


@pytest.mark.parametrize("arguments", [
    ["audit", "t.csv", "--label", "y"], ["audit", "t.csv", "--label", "y", "--json", "-"],
    ["audit", "t.csv", "--label", "y", "--json", "a.json", "--rows", "-"],
    ["audit", "t.csv", "--label", "y", "--json", "a.json", "--suspects-file", "-"],
    ["balance", "t.csv", "--label", "y", "--output", "-"],
    ["train", "t.csv", "--label", "y", "--output", "-"], ["predict", "trained.model", "t.csv", "--output", "-"],
    ["report", "audit.json", "--output", "-"], ["evaluate", "trained.model", "t.csv", "--json", "/dev/stdout"],
    ["man"], ["completion", "bash"], ["--help"], ["audit", "--help"], ["--version"]])
def test_what_can_only_go_to_a_closed_output_is_an_error(program, prepared, arguments):
    before = sorted(path.name for path in prepared.iterdir())
    done = closing([1], program, arguments, prepared)
    assert done.returncode == 5
    assert done.stderr.startswith(b"noiseplus: ") and done.stderr.count(b"\n") == 1 and b"cannot write" in done.stderr
    assert sorted(path.name for path in prepared.iterdir()) == before


def test_a_closed_input_is_an_error(program, prepared):
    done = closing([0], program, ["audit", "-", "--label", "y", "--json", "a.json"], prepared)
    assert (done.returncode, done.stderr) == (5, b"noiseplus: -: cannot read: Bad file descriptor\n")
    assert not (prepared / "a.json").exists()


def test_errors_with_a_closed_error_stream_keep_their_exit_code(program, prepared):
    for closed in ([2], [1, 2], [0, 1, 2]):
        done = closing(closed, program, ["audit", "nothing.csv", "--label", "y", "--json", "a.json"], prepared)
        assert done.returncode == 5 and not (prepared / "a.json").exists()


def test_every_combination_of_streams(program, prepared):
    arguments, names = COMMANDS["corrupt"]
    seen = set()
    for count in range(4):
        for closed in itertools.combinations(range(3), count):
            assert closing(closed, program, arguments, prepared).returncode == 0
            seen.add(b"|".join(contents(prepared, names).values()))
    assert len(seen) == 1
