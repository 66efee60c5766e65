"""Out of memory is one line and exit code 3, wherever the memory runs out: never a crash, never half a file.

tests/cli/failing_malloc.cpp makes single allocations fail, or all from one on. It counts from main on.
"""
import json
import os
import random
import resource
import subprocess
from pathlib import Path

import pytest

import stand_ins
from kernel_outputs import without_seconds

PROGRAM = Path(os.environ["NOISEPLUS"])
SHIM = PROGRAM.parent / "libfailing-malloc.so"
POINTS = 100
MEGABYTE = 1 << 20

pytestmark = pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="a sanitizer allocates by itself")


def table(rows=60):
    """Two clusters, a column of texts with a gap, labels of which some are wrong, and two groups."""
    numbers = random.Random(1)
    lines = ["x,z,c,g,y"]
    for n in range(rows):
        y = n % 2
        label = y if numbers.random() > .15 else 1 - y
        text = "" if n == 7 else numbers.choice("ab")
        lines.append(f"{4 * y + numbers.gauss(0, 1):.3f},{numbers.gauss(0, 1):.3f},{text},{'uv'[n // 2 % 2]},{label}")
    return "\n".join(lines) + "\n"


# A command, and the files it writes.
COMMANDS = {
    "audit": (["audit", "t.csv", "--label", "y", "--json", "out.json", "--rows", "out.csv", "--html", "out.html",
               "--suspects-file", "suspects.csv"], ["out.json", "out.csv", "out.html", "suspects.csv"]),
    "balance": (["balance", "t.csv", "--label", "y", "--estimator", "moments", "--output", "out.csv.gz", "--json", "out.json",
                 "--html", "out.html"], ["out.csv.gz", "out.json", "out.html"]),
    "train-linear": (["train", "t.csv", "--label", "y", "--output", "out.model"], ["out.model"]),
    "train-mlp": (["train", "t.csv", "--label", "y", "--model", "mlp", "--hidden", "4", "--epochs", "2", "--output", "out.model"],
                  ["out.model"]),
    "train-trees": (["train", "t.csv", "--label", "y", "--model", "trees", "--trees", "3", "--output", "out.model"],
                    ["out.model"]),
    "train-fair": (["train", "t.csv", "--label", "y", "--group", "g", "--fair", "demographic-parity", "--tolerance", "0.2",
                    "--output", "out.model"], ["out.model"]),
    "train-fair-auto": (["train", "t.csv", "--label", "y", "--group", "g", "--fair", "demographic-parity", "--route", "auto",
                         "--output", "out.model", "--json", "out.json"], ["out.model", "out.json"]),
    "predict": (["predict", "m.model", "t.csv", "--output", "out.csv"], ["out.csv"]),
    "evaluate": (["evaluate", "m.model", "t.csv", "--label", "y", "--group", "g", "--json", "out.json"], ["out.json"]),
    "corrupt": (["corrupt", "t.csv", "--label", "y", "--rate", "0=.2", "--output", "out.csv"], ["out.csv"]),
    "report": (["report", "a.json", "--output", "out.html"], ["out.html"]),
    "reproduce": (["reproduce", "table1", "--data", "sets", "--only", "adult:0.2:0.4", "--seeds", "1", "--output", "r"],
                  ["r/table1.json", "r/table1.md", "r/cells/table1-adult-0.2-0.4-seed0.json"]),
    "demo": (["demo", "--data", "", "--output", "d"], ["d/audit.json", "d/truth.json", "d/report.html", "d/report.txt"]),
}


def run(folder, arguments, limit=None, **settings):
    environment = {"PATH": os.environ["PATH"]}
    if settings:
        # By a name without a folder before it: the loader splits the value at blanks and colons.
        shim = folder / "shim.so"
        if not shim.is_symlink():
            shim.symlink_to(SHIM)
        environment |= {"LD_PRELOAD": "./shim.so"} | {name: str(value) for name, value in settings.items()}
    before = (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None
    one_thread = [] if "--threads" in arguments or "--version" in arguments else ["--threads", "1"]
    return subprocess.run([PROGRAM, *arguments, *one_thread], cwd=folder, env=environment, preexec_fn=before,
                          capture_output=True, timeout=60)


def outputs(folder, names):
    """The bytes of the files; what depends on the clock left out."""
    return {name: without_seconds((folder / name).read_bytes()) for name in names if (folder / name).exists()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("memory")
    (place / "t.csv").write_text(table())
    stand_ins.write_adult(place / "sets", training=120, test=60)
    for arguments in (["train", "t.csv", "--label", "y", "--output", "m.model"],
                      ["audit", "t.csv", "--label", "y", "--estimator", "moments", "--json", "a.json"]):
        ended = run(place, arguments)
        assert ended.returncode == 0, ended.stderr
    assert json.loads((place / "a.json").read_text())["rows"] == 60
    return place


def points(last, count):
    """Half of them spread evenly, half by their logarithm: most of what can go wrong is at the start."""
    evenly = {1 + i * (last - 1) // (count // 2) for i in range(count // 2)}
    early = {round(last ** (i / count)) for i in range(count)}
    numbers = random.Random(0)
    chosen = evenly | set(numbers.sample(sorted(early - evenly), min(count // 2, len(early - evenly))))
    while len(chosen) < min(count, last):
        chosen.add(numbers.randint(1, last))
    return sorted(chosen)


def check(ended, found, expected, what):
    if ended.returncode == 0:
        assert found == expected, what
        return
    assert ended.returncode == 3, (what, ended.returncode, ended.stderr)
    lines = ended.stderr.decode().splitlines()
    assert len(lines) == 1 and lines[0].startswith("noiseplus: out of memory"), (what, ended.stderr)
    for name, content in found.items():
        assert content == expected[name], what


@pytest.mark.parametrize("command", COMMANDS)
def test_a_failing_allocation_is_one_line_or_success(folder, command):
    arguments, names = COMMANDS[command]
    count = folder / "count"
    ended = run(folder, arguments, COUNT_FILE=count)
    assert ended.returncode == 0, ended.stderr
    expected = outputs(folder, names)
    assert len(expected) == len(names)
    last = int(count.read_text())
    count.unlink()
    assert last > 200, "the shim counts nothing"
    files = set(os.listdir(folder)) - set(names)
    refused = 0
    for i, point in enumerate(points(last, POINTS)):
        for name in names:
            (folder / name).unlink(missing_ok=True)
        settings = {"FAIL_AT": point} | ({"FAIL_ALL": 1} if i % 2 else {})
        ended = run(folder, arguments, **settings)
        check(ended, outputs(folder, names), expected, f"{command} with {settings} of {last}")
        assert set(os.listdir(folder)) - set(names) == files, f"{command} with {settings} left a file"
        refused += ended.returncode == 3
    assert refused > POINTS // 2, "hardly a failing allocation was noticed"


@pytest.mark.parametrize("command", ["audit", "train-mlp", "predict"])
def test_failing_allocations_in_threads_end_as_well(folder, command):
    arguments, names = COMMANDS[command]
    assert run(folder, arguments).returncode == 0
    expected = outputs(folder, names)
    for point in (300, 1000, 2000, 3000, 5000, 8000):
        for mode in ({}, {"FAIL_ALL": 1}):
            for name in names:
                (folder / name).unlink(missing_ok=True)
            ended = run(folder, [*arguments, "--threads", "3"], FAIL_AT=point, **mode)
            check(ended, outputs(folder, names), expected, f"{command} at {point}, three threads")


@pytest.mark.parametrize("command", ["audit", "train-linear", "predict"])
def test_a_system_without_threads_gives_the_same_bytes(folder, command):
    arguments, names = COMMANDS[command]
    assert run(folder, arguments).returncode == 0
    expected = outputs(folder, names)
    ended = run(folder, [*arguments, "--threads", "4"], FAIL_THREADS=1)
    assert ended.returncode == 0, ended.stderr
    assert outputs(folder, names) == expected


@pytest.mark.parametrize("command", ["audit", "train-mlp", "predict", "corrupt"])
def test_a_limit_on_memory_is_one_line_or_success(folder, command):
    arguments, names = COMMANDS[command]
    assert run(folder, arguments).returncode == 0
    expected = outputs(folder, names)
    starts = next(size for size in range(8, 200, 2) if run(folder, ["--version"], limit=size * MEGABYTE).returncode == 0)
    for size in [starts + more for more in (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64)] + [40]:
        for name in names:
            (folder / name).unlink(missing_ok=True)
        ended = run(folder, [*arguments, "--threads", "2"], limit=max(size, starts) * MEGABYTE)
        check(ended, outputs(folder, names), expected, f"{command} within {size} MB")


def test_data_larger_than_a_limit_is_one_line(folder, tmp_path):
    (tmp_path / "wide.csv").write_text(table(40000))
    ended = run(tmp_path, ["audit", "wide.csv", "--label", "y"], limit=40 * MEGABYTE)
    assert ended.returncode == 3, ended.stderr
    assert ended.stderr.decode().startswith("noiseplus: out of memory")
    assert ended.stderr.count(b"\n") == 1
