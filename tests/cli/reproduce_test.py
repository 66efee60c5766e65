"""`noiseplus reproduce` on small generated stand-ins, in the formats of the official files."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree

import numpy
import pytest

import stand_ins

# Cells are computed by tests/experiments/methods under TSan too; whole tables would take minutes there.
pytestmark = pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE") == "thread", reason="takes long")

# One setting of each data set in each table.
SOME = [f"--only={name}" for name in (
    "adult:0.2:0.4", "compas:0.2:0.4", "fairface:0.2:0.4", "mnist:gap0.2", "cifar10:gap0.2", "cifar10n:aggre",
    "clothing1m", "mnist:0.3:0.1")]
NOISE_METHODS = ["mis-sl", "est-sl", "ce", "peer", "paper-ce", "paper-peer", "balanced-ce", "balanced-peer", "oracle-ce",
                 "clean-ce"]
METHODS = {
    "table1": NOISE_METHODS,
    "table2": NOISE_METHODS,
    "table3": ["ce", "forward", "co-teaching", "balanced-ce"],
    "table4": ["lr", "gpl", "balanced-lr", "balanced-peer", "noise-aware-lr"],
}
SETS = {
    "table1": {"adult", "compas", "fairface"},
    "table2": {"mnist", "cifar10", "cifar10n"},
    "table3": {"cifar10n", "clothing1m"},
    "table4": {"adult", "compas", "fairface"},
}
SEEDS = 1 if os.environ.get("NOISEPLUS_SANITIZE") else 2
# What only computes the same cells again: it shows that bytes are equal, which needs no sanitizer.
again = pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="takes long")


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sets")
    stand_ins.write_all(folder)
    if os.environ.get("NOISEPLUS_SANITIZE"):
        stand_ins.write_mnist(folder, training=200, test=100)
    return folder


@pytest.fixture(scope="module")
def results(program, sets, tmp_path_factory):
    """All tables and the figure."""
    folder = tmp_path_factory.mktemp("results")
    subprocess.run([program, "reproduce", "all", "--data", sets, "--seeds", str(SEEDS), "--output", folder, *SOME],
                   check=True, capture_output=True, timeout=280)
    return folder


def rows_of(path):
    return json.loads(pathlib.Path(path).read_text())["rows"]


@pytest.mark.parametrize("table", METHODS)
def test_each_table_has_each_method_of_each_data_set(results, table):
    rows = rows_of(results / f"{table}.json")
    assert {row["dataset"] for row in rows} == SETS[table]
    for row in rows:
        assert list(row) == ["dataset", "setting", "method", "metric", "mean", "sd", "seeds"]
        assert row["seeds"] == SEEDS and 0 <= row["mean"] <= 100 and row["sd"] >= 0, row
    metrics = {"accuracy", "violation"} if table == "table4" else {"accuracy"}
    for name in SETS[table]:
        found = {(row["method"], row["metric"]) for row in rows if row["dataset"] == name}
        assert found >= {(method, metric) for method in METHODS[table] for metric in metrics}


def test_settings_are_spelled_as_in_the_paper(results):
    settings = {(row["dataset"], row["setting"]) for table in METHODS for row in rows_of(results / f"{table}.json")}
    assert settings == {("adult", "0.2:0.4"), ("compas", "0.2:0.4"), ("fairface", "0.2:0.4"), ("mnist", "gap0.2"),
                        ("cifar10", "gap0.2"), ("cifar10n", "aggre"), ("clothing1m", "given")}


def test_pages_have_the_papers_numbers_beside_ours(results):
    page = (results / "table1.md").read_text()
    adult = next(line for line in page.splitlines() if line.startswith("| 0.2 | 0.4 |"))
    for printed in ("(72.06)", "(71.97)", "(63.49)", "(65.99)", "(71.43)"):
        assert printed in adult
    assert "**" in adult and ("right" in adult or "silent" in adult or "wrong" in adult)
    assert "(3.16)" in (results / "table4.md").read_text()
    assert "(70.37)" in (results / "table3.md").read_text()


def test_models_learn_something(results):
    """Stand-ins are easy: clean labels, and most of what knows of the noise, do well."""
    for table in ("table1", "table2"):
        for row in rows_of(results / f"{table}.json"):
            if row["method"] == "clean-ce":
                assert row["mean"] > (90 if table == "table2" else 60), row


def test_the_figure_is_a_picture_with_both_roots(results):
    picture = xml.etree.ElementTree.parse(results / "figure-gap.svg").getroot()
    words = " ".join(picture.itertext())
    assert "0.167" in words and "0.444" in words
    gaps = rows_of(results / "figure-gap.json")
    assert {row["metric"] for row in gaps} == {"gap"} and len(gaps) == 50
    assert max(abs(row["mean"]) for row in gaps) > 1  # per cent


@again
def test_all_bytes_again_at_one_thread(program, sets, results, tmp_path):
    subprocess.run([program, "reproduce", "all", "--data", sets, "--seeds", str(SEEDS), "--output", tmp_path, *SOME,
                    "--threads", "1"], check=True, capture_output=True, timeout=280)
    assert files(tmp_path) == files(results)


SMALL = ["table1", "--only", "adult:0.2:0.4", "--seeds", "2"]


@pytest.fixture
def reproduce(noiseplus, sets):
    return lambda *arguments, **more: noiseplus("reproduce", *arguments, "--data", sets, **more)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@again
def test_the_same_bytes_again_at_any_number_of_threads(reproduce, tmp_path):
    reproduce(*SMALL, "--output", "a", "--threads", "1")
    reproduce(*SMALL, "--output", "b", "--threads", "2")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    reproduce(*SMALL, "--output", "c", "--seed", "5")
    assert files(tmp_path / "a")["table1.json"] != files(tmp_path / "c")["table1.json"]


def test_a_finished_cell_is_not_computed_again(reproduce, tmp_path):
    assert b"2 cells computed, 0 found" in reproduce(*SMALL, "--output", "a").stdout
    before = files(tmp_path / "a")
    assert b"0 cells computed, 2 found" in reproduce(*SMALL, "--output", "a").stdout
    (tmp_path / "a/cells/table1-adult-0.2-0.4-seed0.json").write_bytes(b"{\"finger")
    assert b"1 cells computed, 1 found" in reproduce(*SMALL, "--output", "a").stdout
    assert files(tmp_path / "a") == before
    assert b"1 cells computed, 2 found" in reproduce(*SMALL[:-1], "3", "--output", "a").stdout


@again
def test_cells_of_other_data_are_computed_again(noiseplus, sets, tmp_path):
    shutil.copytree(sets / "adult", tmp_path / "sets/adult")
    call = ["reproduce", *SMALL, "--output", "a", "--data", "sets"]
    noiseplus(*call)
    lines = (tmp_path / "sets/adult/adult.data").read_text().splitlines()
    (tmp_path / "sets/adult/adult.data").write_text("\n".join(lines[1:]) + "\n")
    assert b"2 cells computed, 0 found" in noiseplus(*call).stdout


def test_an_interrupt_keeps_finished_cells_and_writes_no_table(program, reproduce, sets, tmp_path):
    process = subprocess.Popen([program, "reproduce", "table1", "--data", sets, "--seeds", "50", "--output", "a"],
                               cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    cells = tmp_path / "a/cells"
    for _ in range(600):
        if cells.is_dir() and len(list(cells.iterdir())) >= 3:
            break
        time.sleep(.1)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert process.returncode == 130 and message == b"noiseplus: interrupted\n"
    assert not list((tmp_path / "a").glob("table1.*"))
    assert b"0 found" not in reproduce("table1", "--only", "adult:0:0.1", "--only", "adult:0:0.2", "--seeds", "1",
                                       "--output", "a").stdout


def test_other_features(reproduce, sets, tmp_path):
    call = ["table2", "--only", "cifar10:gap0.2", "--seeds", "1", "--output"]
    reproduce(*call, "a")
    noise = numpy.random.default_rng(1).normal(size=(400, 4)).astype(numpy.float32)
    numpy.save(tmp_path / "noise.npy", noise)
    reproduce(*call, "b", "--features", "cifar10=noise.npy")
    accuracy = {folder: {row["method"]: row["mean"] for row in rows_of(tmp_path / folder / "table2.json")}
                for folder in "ab"}
    assert accuracy["a"]["clean-ce"] > 80 > 30 > accuracy["b"]["clean-ce"]
    assert "features as given; 4 columns" in (tmp_path / "b/table2.md").read_text()
    shutil.copytree(sets / "clothing1m", tmp_path / "mine")
    reproduce("table3", "--only", "clothing1m", "--seeds", "1", "--features", "clothing1m=mine", "--output", "c")
    assert rows_of(tmp_path / "c/table3.json")


def test_data_that_are_not_there_are_left_out_with_a_word(noiseplus, sets, tmp_path):
    shutil.copytree(sets / "compas", tmp_path / "sets/compas")
    done = noiseplus("reproduce", "table1", "--data", "sets", "--seeds", "1", "--output", "a")
    for name in ("adult", "fairface"):
        assert f"warning: {name} is left out: put it into sets/{name}, from ".encode() in done.stderr
    assert {row["dataset"] for row in rows_of(tmp_path / "a/table1.json")} == {"compas"}
    assert "## Adult\n\nNot at hand: the paper's numbers only." in (tmp_path / "a/table1.md").read_text()


@pytest.mark.parametrize("arguments, code, words", [
    (["table5"], 2, "there are table1, table2"),
    (["table1", "--only", "mnist"], 2, "no such data set here; there are adult, compas, fairface"),
    (["table1", "--only", "adult:0.5:0.5"], 2, "no such setting here"),
    (["table1", "--seeds", "0"], 2, "--seeds"),
    (["table1", "--output", ""], 2, "--output"),
    (["table1", "--data", "x" * 300], 5, "cannot look at it"),
    (["table2", "--features", "mnist=x.npy"], 2, "cifar10=FILE.npy"),
    (["table2", "--features", "cifar10"], 2, "cifar10=FILE.npy"),
    (["table1", "--data", "nowhere"], 5, "nowhere: no folder of any data set is there"),
    (["table1", "--data", "empty", "--only", "adult"], 5, "empty/adult, from the UCI"),
    (["table1", "--data", "broken", "--only", "adult"], 5, "adult.data"),
    (["table1", "--data", "broken", "--only", "compas"], 3, "two_year_recid"),
])
def test_faults(noiseplus, tmp_path, arguments, code, words):
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken/adult").mkdir(parents=True)
    (tmp_path / "broken/compas").mkdir(parents=True)
    (tmp_path / "broken/compas/compas-scores-two-years.csv").write_text("age\n3\n")
    output = [] if "--output" in arguments else ["--output", "out"]
    done = noiseplus("reproduce", *arguments, *output, code=code)
    assert words.encode() in done.stderr
    assert not (tmp_path / "out").exists() or "broken" in arguments
    assert not list(tmp_path.glob("out/table*"))


def test_a_terminal_shows_the_cell(on_terminal, sets):
    terminal = on_terminal("reproduce", "table1", "--data", sets, "--seeds", "500", "--only", "adult", "--output", "a")
    assert re.search(r"table1 adult 0\.\d:0\.\d, seed \d+ \[", terminal.read(until=" ["))
    terminal.interrupt()
