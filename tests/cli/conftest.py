"""How the tests call the program, and the data they give it."""
import os
import random
import subprocess

import pytest

PROGRAM = os.environ.get("NOISEPLUS", os.path.join(os.path.dirname(__file__), "../../build/noiseplus"))


@pytest.fixture(scope="session")
def program():
    return PROGRAM


@pytest.fixture
def noiseplus(tmp_path):
    """Runs the program in an empty folder; returns the finished process."""
    def call(*arguments, stdin=b"", code=0):
        done = subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True,
                              cwd=tmp_path, timeout=120, check=False)
        assert done.returncode == code, (arguments, done.returncode, done.stderr.decode(errors="replace"))
        if code != 0:
            message = done.stderr.decode(errors="replace")
            assert message.startswith("noiseplus: ") and message.count("\n") == 1, message
        return done
    return call


def clusters(rows, positive=0.4, seed=1, columns=3):
    """csv text of tight clusters, each of one class."""
    draw = random.Random(seed)
    lines = ["id,colour," + ",".join(f"x{c}" for c in range(columns)) + ",y"]
    while len(lines) <= rows:
        label = "yes" if draw.random() < positive else "no"
        centre = [draw.random() * 100 for _ in range(columns)]
        for _ in range(25):
            point = ",".join(f"{c + draw.gauss(0, .05):.4f}" for c in centre)
            lines.append(f"{len(lines)},{draw.choice(['red', 'blue'])},{point},{label}")
    return "\n".join(lines[:rows + 1]) + "\n"


@pytest.fixture
def clean_csv(tmp_path):
    path = tmp_path / "clean.csv"
    path.write_text(clusters(4000))
    return path
