"""The runner of bench/advice: what it keeps where a run is cut off or a cell fails.

It needs packages of PyPI: `make python-test` runs it, `make test` does not.
"""
import json
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("cleanlab")
pytest.importorskip("lightgbm")
sys.path.insert(0, str(Path(__file__).parents[3] / "bench/advice"))
import routes
import run
import sets

CELL = {"set": "tiny", "noise": "none", "model": "trees", "seed": 0, "accuracy": {"plain": 90.0}, "seconds": 1.0}


def tiny(folder):
    random = np.random.default_rng(0)
    clean = random.integers(0, 2, 200)
    return sets.DataSet((random.normal(size=(200, 2)) + clean[:, None]).astype(np.float32), clean, clean)


def accuracies(model, part, given, wanted):
    if (given != part.clean).any():
        raise FloatingPointError("too noisy")
    return {"accuracy": {name: 80.0 for name in wanted}}


@pytest.fixture
def start(monkeypatch, tmp_path):
    monkeypatch.setattr(sets, "SETS", {"tiny": tiny})
    monkeypatch.setattr(routes, "accuracies", accuracies)

    def start(*flags):
        path = tmp_path / "cells.jsonl"
        options = ["--models", "trees", "--seeds", "0-1", "--workers", "1", *flags]
        monkeypatch.setattr(sys, "argv", ["run.py", str(tmp_path), str(path), *options])
        run.main()

    return tmp_path / "cells.jsonl", start


def test_a_line_that_was_cut_off_is_left_out_and_its_cell_run_again(start):
    path, start = start
    path.write_text(json.dumps(CELL) + "\n" + json.dumps(CELL | {"noise": "equal"})[:40])
    start("--kinds", "none", "--routes", "plain")
    assert path.read_text() == json.dumps(CELL) + "\n"


def test_cells_after_one_that_fails_are_run_and_the_exit_code_says_so(start, capsys):
    path, start = start
    with pytest.raises(SystemExit) as stopped:
        start("--kinds", "equal,none", "--routes", "plain")
    assert stopped.value.code == 1
    assert "failed: tiny, equal, trees, 0: FloatingPointError: too noisy" in capsys.readouterr().err
    cells = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted("error" in cell for cell in cells) == [False, True]
    with pytest.raises(SystemExit):  # only the one that failed is tried again
        start("--kinds", "equal,none", "--routes", "plain")
    assert len(path.read_text().splitlines()) == 3


def test_routes_that_a_cell_has_not_are_added(start, capsys):
    path, start = start
    path.write_text(json.dumps(CELL) + "\n")
    start("--kinds", "none", "--routes", "prune")
    assert run.read_cells(path)[0]["accuracy"] == {"plain": 90.0, "prune": 80.0}
    assert " s of one core for 1 cells" in capsys.readouterr().out


def test_names_that_are_not_known_are_named(start):
    with pytest.raises(SystemExit, match="moon is none of tiny"):
        start[1]("--sets", "moon")
