"""A build folder that was copied with its clone, with a stand-in for CMake: nothing is built here."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = (".ninja_deps", ".ninja_log")


@pytest.fixture
def configure(tmp_path):
    """Runs `make` in a clone whose build folder belongs to `home`; returns how CMake was called, and the build folder."""
    def call(home):
        clone = tmp_path / "clone"
        build = clone / "build"
        build.mkdir(parents=True)
        shutil.copy(ROOT / "Makefile", clone)
        (build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={home or clone.resolve()}\n")
        for name in RECORDS:
            (build / name).write_text("paths of the clone that was built")
        commands = tmp_path / "commands"
        commands.mkdir()
        (commands / "cmake").write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/called\n')
        (commands / "cmake").chmod(0o755)
        subprocess.run(["make", "-C", clone, "build/build.ninja", "PACKAGES=true"], check=True, timeout=60,
                       capture_output=True, env={**os.environ, "PATH": f"{commands}:{os.environ['PATH']}"})
        return (tmp_path / "called").read_text().split(), build
    return call


def test_a_copy_forgets_the_paths_of_the_first_clone(configure):
    arguments, build = configure("/somebody/else/clone")
    assert "--fresh" in arguments
    assert not [name for name in RECORDS if (build / name).exists()]


def test_a_build_of_this_clone_is_kept(configure):
    arguments, build = configure(None)
    assert "--fresh" not in arguments
    assert [name for name in RECORDS if (build / name).exists()] == list(RECORDS)
