"""The library's numbers beside those of peers from PyPI. Run by `make peers-test`."""
import json
import os
import pathlib
import subprocess

import pytest

# cleanlab orders by numpy.argsort, and that of vector instructions puts equal values in an order of its own, which
# differs from machine to machine. Set before numpy is imported; features a processor or a numpy has not do not matter.
os.environ["NPY_DISABLE_CPU_FEATURES"] = "AVX2 AVX512_SKX X86_V3 X86_V4"

PROGRAM = os.environ.get("PEERS_PROGRAM",
                         str(pathlib.Path(__file__).resolve().parents[2] / "build" / "peers-program"))


@pytest.fixture
def ours():
    """The result of peers-program, which prints all digits."""
    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return run
