"""Real data beside the project; without it these checks are skipped."""
import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
PROGRAM = os.environ.get("NOISEPLUS", str(ROOT / "build/noiseplus"))


@pytest.fixture(scope="session")
def data():
    if not (SHARED / "data").is_dir():
        pytest.skip("no ../shared/data")
    return SHARED / "data"


@pytest.fixture(scope="session")
def prototype():
    """The numpy oracle of the estimators."""
    path = SHARED / "prototype/auto.py"
    if not path.is_file():
        pytest.skip("no ../shared/prototype")
    import importlib.util
    spec = importlib.util.spec_from_file_location("prototype", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def noiseplus(tmp_path):
    def call(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, cwd=tmp_path, timeout=300, check=False)
        assert done.returncode == 0, done.stderr.decode(errors="replace")
        return done
    return call


@pytest.fixture
def audit(noiseplus):
    return lambda *arguments: json.loads(noiseplus("audit", *arguments, "--json", "-").stdout)
