"""An interrupt ends the work and leaves nothing. How soon is measured, so nothing else runs then."""
import signal
import subprocess
import time

import numpy
import pytest

from train_data import TRAIN

pytestmark = pytest.mark.threads


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_work_at_once_and_writes_nothing(program, tmp_path_factory, tmp_path, number):
    # Noise, which nothing can prune: all rows against all rows take far longer than the second waited.
    source = tmp_path_factory.mktemp("noise")
    random = numpy.random.default_rng(1)
    numpy.save(source / "x.npy", random.standard_normal((250_000, 64), dtype=numpy.float32))
    numpy.save(source / "y.npy", random.integers(0, 2, 250_000))
    process = subprocess.Popen([program, "audit", source / "x.npy", "--labels", source / "y.npy", "--json",
                                tmp_path / "a.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.5)
    sent = time.monotonic()
    process.send_signal(number)
    _, message = process.communicate(timeout=20)
    assert process.returncode == 130
    assert message == b"noiseplus: interrupted\n"
    assert time.monotonic() - sent < 2
    assert not list(tmp_path.iterdir())


def test_an_interrupt_while_waiting_for_input(program, tmp_path):
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([program, "audit", "-", "--label", "y"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path)
        time.sleep(0.5)
        process.send_signal(number)
        assert process.wait(timeout=10) == 130
        assert process.stderr.read() == b"noiseplus: interrupted\n"


def test_an_interrupt_of_training_leaves_nothing(program, data, tmp_path):
    process = subprocess.Popen([program, *TRAIN, "--model", "mlp", "--epochs", "100000", "--hidden", "512"], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=20)
    assert process.returncode == 130 and message == b"noiseplus: interrupted\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["T.txt", data]
