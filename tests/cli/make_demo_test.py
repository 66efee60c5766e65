"""What `make demo` asks for, with stand-ins for CMake and for the program: nothing is built or installed here."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ONLY_THE_PROGRAM = ["-DNOISEPLUS_TESTS=OFF", "-DNOISEPLUS_PYTHON=OFF"]


@pytest.fixture
def make(tmp_path):
    """Runs `make TARGET` in a clone whose build folder was configured with or without tests, or not at all."""
    def call(target, tests=None):
        clone = tmp_path / "clone"
        build = clone / "build"
        build.mkdir(parents=True)
        shutil.copy(ROOT / "Makefile", clone)
        if tests:
            (build / "CMakeCache.txt").write_text(
                f"CMAKE_HOME_DIRECTORY:INTERNAL={clone.resolve()}\nNOISEPLUS_TESTS:BOOL={tests}\n")
            (build / "build.ninja").write_text("")
        for path, name in ((tmp_path / "cmake", "cmake"), (tmp_path / "packages", "packages"), (build / "noiseplus", "noiseplus")):
            path.write_text(f'#!/bin/sh\necho "{name} $*" >> {tmp_path}/called\n')
            path.chmod(0o755)
        subprocess.run(["make", "-C", clone, target, f"PACKAGES={tmp_path}/packages"], check=True, timeout=60,
                       capture_output=True, env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"})
        return (tmp_path / "called").read_text().splitlines()
    return call


def test_the_demo_installs_and_builds_the_program_alone(make):
    packages, configure, build, run = make("demo")
    assert packages == "packages program demo"
    assert configure.split()[-2:] == ONLY_THE_PROGRAM
    assert build == "cmake --build build --target noiseplus-cli"
    assert run == "noiseplus demo"


def test_the_demo_leaves_a_whole_build_as_it_is(make):
    called = make("demo", tests="ON")
    assert "cmake --preset release" in called


def test_all_after_the_demo_is_configured_anew(make):
    packages, configure, build = make("all", tests="OFF")
    assert packages == "packages build test"
    assert configure == "cmake --preset release" and build == "cmake --build build"


def test_a_whole_build_is_not_configured_again(make):
    assert make("all", tests="ON") == ["cmake --build build"]
