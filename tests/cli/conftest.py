"""How the tests call the program, and the data they give it."""
import os
import random
import subprocess

import numpy
import pytest

from terminals import Terminal
from train_data import noisy_rows, table

PROGRAM = os.environ.get("NOISEPLUS", os.path.join(os.path.dirname(__file__), "../../build/noiseplus"))


def pytest_configure(config):
    config.addinivalue_line("markers", "threads: runs the program's threads, for TSan; the other tests are left out there")


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


@pytest.fixture
def on_terminal(tmp_path):
    """Starts the program on a terminal of its own, in an empty folder."""
    started = []

    def start(*arguments, **settings):
        started.append(Terminal(PROGRAM, arguments, tmp_path, **settings))
        return started[-1]
    yield start
    for terminal in started:
        terminal.close()


def clusters(rows, positive=0.4, seed=1, columns=3):
    """csv text of tight clusters, each of one class."""
    draw = random.Random(seed)
    lines = ["id,color," + ",".join(f"x{c}" for c in range(columns)) + ",y"]
    while len(lines) <= rows:
        label = "yes" if draw.random() < positive else "no"
        center = [draw.random() * 100 for _ in range(columns)]
        for _ in range(25):
            point = ",".join(f"{c + draw.gauss(0, .05):.4f}" for c in center)
            lines.append(f"{len(lines)},{draw.choice(['red', 'blue'])},{point},{label}")
    return "\n".join(lines[:rows + 1]) + "\n"


@pytest.fixture
def clean_csv(tmp_path):
    path = tmp_path / "clean.csv"
    path.write_text(clusters(4000))
    return path


@pytest.fixture(scope="module")
def rows():
    return list(noisy_rows())


@pytest.fixture
def data(tmp_path, rows):
    (tmp_path / "t.csv").write_text(table(rows))
    (tmp_path / "T.txt").write_text("0.9 0.1\n0.25 0.75\n")
    return "t.csv"


@pytest.fixture
def arrays(tmp_path):
    """Three classes; the same rows as npy, npz, libsvm and csv, with labels and groups beside them."""
    draw = numpy.random.default_rng(1)
    y = draw.integers(0, 3, 200)
    g = draw.integers(0, 2, 200)
    x = draw.normal(size=(200, 3)).astype(numpy.float32).round(3)
    x[:, 0] += 4 * (y == 1)
    x[:, 1] += 4 * (y == 2)
    numpy.save(tmp_path / "x.npy", x)
    numpy.save(tmp_path / "y.npy", y)
    numpy.save(tmp_path / "g.npy", g)
    numpy.savez(tmp_path / "d.npz", X=x, y=y)
    (tmp_path / "labels.csv").write_text("who,y,g\n" + "".join(f"{i},{a},{b}\n" for i, (a, b) in enumerate(zip(y, g))))
    (tmp_path / "d.libsvm").write_text("".join(
        f"{label} " + " ".join(f"{c + 1}:{float(v)!r}" for c, v in enumerate(row)) + "\n" for label, row in zip(y, x)))
    return x, y, g
