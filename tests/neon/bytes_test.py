"""The program built for aarch64, under qemu: the bytes of every command are those of this machine. Run by `make neon-test`."""
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent / "../cli"))
from kernel_outputs import COMMANDS, outputs, write_inputs  # noqa: E402

HERE = [os.path.abspath(os.environ["NOISEPLUS"])]
NEON_BUILD = pathlib.Path(os.environ["NOISEPLUS_NEON"]).absolute()
PACKAGES = NEON_BUILD / "packages/tree"
LIBRARIES = f"{PACKAGES}/usr/lib/aarch64-linux-gnu:{PACKAGES}/lib/aarch64-linux-gnu"
THERE = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", "-E", f"LD_LIBRARY_PATH={LIBRARIES}", str(NEON_BUILD / "noiseplus")]


@pytest.fixture(scope="module", name="folders")
def folders_fixture(tmp_path_factory):
    made = {name: tmp_path_factory.mktemp(name) for name in ("here", "scalar", "neon")}
    for folder in made.values():
        write_inputs(folder)
    return made


@pytest.mark.parametrize("kernel", ["scalar", "neon"])
@pytest.mark.parametrize("name", COMMANDS)
def test_same_bytes_as_here(folders, name, kernel):
    expected = outputs(HERE, "auto", name, folders["here"])
    found = outputs(THERE, kernel, name, folders[kernel])
    assert found.keys() == expected.keys()
    for file, content in found.items():
        assert content == expected[file], file
