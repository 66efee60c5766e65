"""--kernel: the same bytes with every kernel that has fused multiply-add, and one line where the processor has it not."""
import os
import platform
import re
import subprocess

import pytest

from kernel_outputs import COMMANDS, outputs, write_inputs

pytestmark = pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "",
                                reason="takes minutes; unit tests run each kernel under the sanitizers")

ALL = ["auto", "scalar", "sse4", "avx2", "avx512", "neon"]


@pytest.fixture(scope="module", name="kernels")
def kernels_fixture(program):
    """Those of the processor, as the program itself says: it refuses the kernel of another family of processors."""
    foreign = "avx2" if platform.machine() == "aarch64" else "neon"
    done = subprocess.run([program, "report", "--kernel", foreign, "x", "--html", "y"], capture_output=True, check=False)
    assert done.returncode == 2
    return re.search(r"it has (.*?);", done.stderr.decode())[1].replace(" and ", ", ").split(", ")


@pytest.fixture(scope="module", name="folders")
def folders_fixture(kernels, tmp_path_factory):
    """A folder for each kernel that is compared, with the same inputs."""
    made = {}
    for kernel in kernels:
        if kernel != "sse4":
            made[kernel] = tmp_path_factory.mktemp(kernel)
            write_inputs(made[kernel])
    return made


def test_processors_kernels_are_known(kernels):
    assert kernels[-1] == "scalar" and set(kernels) < set(ALL)
    if platform.machine() == "x86_64":
        with open("/proc/cpuinfo", encoding="ascii") as info:
            flags = re.search(r"^flags\s*:(.*)$", info.read(), re.MULTILINE)[1].split()
        assert ("avx2" in kernels) == ({"avx2", "fma", "f16c"} <= set(flags))


@pytest.mark.parametrize("name", COMMANDS)
def test_same_bytes_with_every_kernel(program, folders, name):
    expected = outputs([program], "scalar", name, folders["scalar"])
    for kernel, folder in folders.items():
        if kernel == "scalar":
            continue
        found = outputs([program], kernel, name, folder)
        assert found.keys() == expected.keys()
        for file, content in found.items():
            assert content == expected[file], (kernel, file)


def test_kernel_of_other_processors_is_wrong_usage(noiseplus, kernels, data):
    for kernel in ALL[1:]:
        if kernel not in kernels:
            for command in (["audit", data, "--label", "y"], ["predict", "no-model", data, "--output", "o"], ["demo"]):
                message = noiseplus(*command, "--kernel", kernel, code=2).stderr.decode()
                assert f"--kernel: this processor has no {kernel}; it has " in message
    message = noiseplus("audit", data, "--label", "y", "--kernel", "mmx", code=2).stderr.decode()
    assert "--kernel" in message and "mmx" in message


def test_every_kernel_runs(noiseplus, kernels, data):
    for kernel in ["auto", *kernels]:
        noiseplus("train", data, "--label", "y", "--output", "m", "--kernel", kernel)
