"""What the tests of the package share."""

import json
import os
import subprocess

import numpy as np
import pytest

from noiseplus import corrupt_labels


class Clusters:
    """Two classes that hardly overlap, with noise of known rates, and a group for each row."""

    def __init__(self, rows=2000, columns=5, seed=0):
        rng = np.random.default_rng(seed)
        self.clean = rng.integers(0, 2, rows)
        self.group = rng.integers(0, 2, rows)
        self.X = (rng.normal(size=(rows, columns)) + 3 * self.clean[:, None]).astype(np.float32)
        self.y = corrupt_labels(self.clean, rates={0: 0.1, 1: 0.3}, seed=seed)


@pytest.fixture(scope="session")
def clusters():
    return Clusters()


@pytest.fixture(scope="session")
def program():
    """Runs the command line; skips where there is none beside the package."""
    path = os.environ.get("NOISEPLUS")
    if not path:
        pytest.skip("NOISEPLUS does not name the program")

    # A sanitizer that is preloaded for the module is not the program's own.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}

    def run(*arguments, folder=None):
        done = subprocess.run([path, *map(str, arguments), "--quiet"], cwd=folder, env=environment, capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def without_times(report):
    """A report's dict but for what differs from run to run."""
    found = json.loads(report) if isinstance(report, str) else dict(report)
    found.pop("seconds", None)
    # Said where rows are judged, which the package always does.
    found.pop("row_probabilities", None)
    found["findings"] = [finding for finding in found.get("findings", []) if finding["id"] != "row-scores"]
    for part in found.values():
        if isinstance(part, dict):
            part.pop("seconds", None)
    return found
