"""What is shipped: the program and the Python module, in the build folder and in a wheel, are hardened as cmake/NoiseplusOptions.cmake asks, and what they link
is in the third-party notices.
"""
import os
import pathlib
import re
import subprocess
import sys

import pytest
from conftest import PROGRAM

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import notices  # noqa: E402

pytestmark = pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="sanitizers replace these checks")

MODULES = sorted((pathlib.Path(PROGRAM).parent / "python" / "noiseplus").glob("_core*.so"))
# Where tests/python/wheel.sh has unpacked the wheel.
WHEEL = os.environ.get("NOISEPLUS_WHEEL")
WHEEL_MODULES = sorted(pathlib.Path(WHEEL).glob("noiseplus/_core*.so")) if WHEEL else []
BINARIES = [pytest.param(PROGRAM, id="program")] + [
    pytest.param(str(path), id=name) for name, paths in (("python-module", MODULES), ("wheel-module", WHEEL_MODULES))
    for path in paths]


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *arguments], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("binary", BINARIES)
def test_code_is_position_independent(binary):
    assert re.search(r"Type:\s+DYN", readelf("--file-header", binary))


@pytest.mark.parametrize("binary", BINARIES)
def test_relocations_are_read_only_and_bound_at_start(binary):
    assert "GNU_RELRO" in readelf("--program-headers", binary)
    assert re.search(r"\(FLAGS(_1)?\).*NOW", readelf("--dynamic", binary))


@pytest.mark.parametrize("binary", BINARIES)
def test_no_segment_is_writable_and_executable(binary):
    segments = re.findall(r"^\s+(\w+)(?:\s+0x\w+){5}\s+([RWE ]{3})", readelf("--program-headers", binary), re.MULTILINE)
    assert dict(segments)["GNU_STACK"].strip() == "RW"
    assert [name for name, access in segments if "W" in access and "E" in access] == []


@pytest.mark.parametrize("binary", BINARIES)
def test_stack_protector_and_fortified_functions_are_used(binary):
    needed = readelf("--dyn-syms", binary)
    assert "__stack_chk_fail" in needed
    assert re.search(r"__\w+_chk\b", needed.replace("__stack_chk_fail", ""))


def without_control_flow_protection(archive):
    """The objects of the archive that a compiler has not marked for indirect branch tracking and a shadow stack."""
    objects = re.split(r"^File: ", readelf("--notes", archive), flags=re.MULTILINE)[1:]
    assert objects, f"no objects in {archive}"
    return [text.splitlines()[0] for text in objects if not re.search(r"x86 feature: .*IBT, SHSTK", text)]


def compiled(folder, *flags):
    """An archive of one small object."""
    (folder / "f.cpp").write_text("int f() { return 1; }\n")
    subprocess.run([os.environ.get("CXX", "c++"), *flags, "-c", "f.cpp"], cwd=folder, check=True)
    subprocess.run(["ar", "rc", "f.a", "f.o"], cwd=folder, check=True)
    return str(folder / "f.a")


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="for x86-64 only")
def test_control_flow_is_protected_in_every_object(tmp_path):
    if without_control_flow_protection(compiled(tmp_path, "-fcf-protection=full")):
        pytest.skip("the compiler does not mark its objects")
    assert without_control_flow_protection(compiled(tmp_path, "-fcf-protection=none")) != []
    archives = sorted(pathlib.Path(PROGRAM).parent.glob("libnoiseplus*.a"))
    assert archives
    for archive in archives:
        assert without_control_flow_protection(str(archive)) == []


@pytest.mark.parametrize("binary", BINARIES)
def test_every_linked_library_is_in_the_third_party_notices(binary):
    linked = notices.linked_by(binary)
    assert linked and notices.without_notice(linked) == []
    assert notices.without_notice(["libunknown.so.1"]) == ["libunknown"]
