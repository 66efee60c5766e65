"""The scripts in examples/python run, and what they print is what they are there to show."""

import functools
import os
import pathlib
import re
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


@functools.cache
def run(name, *arguments, modules=""):
    """What a script prints. Modules in that folder come before those that are installed."""
    path = os.pathsep.join(filter(None, [str(modules), os.environ.get("PYTHONPATH")]))
    done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120, env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def figures(output, start):
    """The numbers of the line that begins so."""
    lines = [line for line in output.splitlines() if line.strip().startswith(start)]
    assert len(lines) == 1, (start, output)
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", lines[0].strip()[len(start):])]


def test_audit_dataframe(tmp_path):
    pytest.importorskip("pandas")
    output = run("audit_dataframe.py", tmp_path)
    wrong, precision = figures(output, "suspects that are wrong:")
    assert wrong > 800 and precision > 0.98
    assert figures(output, "wrong labels that are suspects:")[0] > 0.98
    for branch in ("north:", "south:"):
        estimated, true = figures(output, branch)
        assert abs(estimated - true) < 0.02
    assert "noisier branch: south" in output
    table = output.split("The ten least credible labels:")[1].split("Wrong labels by branch")[0]
    credible = [float(line.split()[3]) for line in table.strip().splitlines()[1:]]
    assert len(credible) == 10 and credible == sorted(credible) and credible[-1] < 0.01
    page = (tmp_path / "audit.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and "south" in page


def test_audit_dataframe_needs_a_folder():
    pytest.importorskip("pandas")
    done = subprocess.run([sys.executable, EXAMPLES / "audit_dataframe.py"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("usage:")


def test_balance_then_train():
    pytest.importorskip("sklearn")
    output = run("balance_then_train.py")
    assert "noisier class: ill" in output
    given, balanced = (figures(output, f"wrong labels{how}:") for how in (" as given", ", balanced"))
    assert given[0] - given[1] > 0.3 and abs(balanced[0] - balanced[1]) < 0.03
    for classifier in ("logistic regression", "random forest"):
        accuracy_given, _, accuracy_balanced, _, accuracy_clean, _ = figures(output, classifier)
        assert accuracy_balanced > accuracy_given + 0.08
        assert accuracy_balanced > accuracy_clean - 0.03
        _, found_given, _, found_balanced, _, _ = figures(output, classifier)
        assert found_given < 0.55 and found_balanced > 0.75


def test_the_pipeline_is_the_same_as_the_steps():
    pytest.importorskip("imblearn")
    output = run("balance_then_train.py")
    assert figures(output, "as a pipeline of imbalanced-learn's:")[0] == figures(output, "logistic regression")[2]


def test_fair_models():
    output = run("fair_against_fairlearn.py")
    given, aware, balanced, known = (figures(output, f"noiseplus, {how}") for how in
                                     ("labels as given", "noise-aware", "balanced", "rates known"))
    assert given[0] > 0.1
    for violation, accuracy, _ in (aware, balanced, known):
        assert violation < 0.04
        assert accuracy > given[1] + 0.03


def test_fair_models_beside_fairlearn():
    """By clean labels; of the same noisy ones fairlearn keeps its promise as we do."""
    pytest.importorskip("fairlearn")
    output = run("fair_against_fairlearn.py")
    theirs = figures(output, "fairlearn")
    for how in ("noise-aware", "balanced", "rates known"):
        violation, accuracy, _ = figures(output, f"noiseplus, {how}")
        assert violation < theirs[0] and accuracy > theirs[1]


def test_without_fairlearn_it_says_so(tmp_path):
    (tmp_path / "fairlearn.py").write_text("raise ImportError")
    output = run("fair_against_fairlearn.py", modules=tmp_path)
    assert "\nfairlearn                     is not installed" in output
    assert len(figures(output, "noiseplus, noise-aware")) == 3
