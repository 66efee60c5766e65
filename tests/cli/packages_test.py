"""scripts/packages.sh with stand-ins for the system's commands: nothing is installed here."""
import os
import pathlib
import subprocess

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/packages.sh"


@pytest.fixture
def run(tmp_path):
    def call(*lists, missing=(), user=0, update=0):
        log = tmp_path / "log"
        log.write_text("")
        commands = {
            "dpkg-query": f'for p in {" ".join(missing)} ""; do [ "$4" = "$p" ] && exit 1; done; printf installed',
            "id": f"echo {user}",
            "apt-get": f'echo "$@" >> {log}; [ "$1" = update ] && exit {update}; exit 0',
        }
        for name, body in commands.items():
            (tmp_path / name).write_text("#!/bin/sh\n" + body + "\n")
            (tmp_path / name).chmod(0o755)
        # dpkg-query is called as: dpkg-query -W -f=... PACKAGE
        text = (tmp_path / "dpkg-query").read_text().replace('"$4"', '"$3"')
        (tmp_path / "dpkg-query").write_text(text)
        done = subprocess.run(["sh", str(SCRIPT), *lists], capture_output=True, text=True, check=False, timeout=20,
                              env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"})
        return done, log.read_text()
    return call


def test_nothing_missing_needs_no_root_and_says_nothing(run):
    done, log = run("build", "test", "demo", user=1000)
    assert (done.returncode, done.stdout, done.stderr, log) == (0, "", "", "")


def test_only_what_is_missing_is_installed(run):
    done, log = run("build", missing=["libhwy-dev", "libzip-dev"])
    assert done.returncode == 0
    assert log.splitlines()[-1].split()[-2:] == ["libhwy-dev", "libzip-dev"]


def test_without_root_it_says_what_to_install(run):
    done, log = run("build", missing=["libhwy-dev"], user=1000)
    assert done.returncode == 1 and log == ""
    assert "as root run:  apt-get install libhwy-dev" in done.stderr


def test_the_demo_goes_on_without_its_data_and_without_a_network(run):
    done, _ = run("build", "demo", missing=["dataset-fashion-mnist"], update=100)
    assert done.returncode == 0
    done, _ = run("build", "demo", missing=["dataset-fashion-mnist"], user=1000)
    assert done.returncode == 0


def test_the_demo_needs_no_package_of_the_tests_or_of_python(run):
    done, log = run("program", "demo", missing=["libgtest-dev", "python3-pytest", "pybind11-dev", "libbenchmark-dev"])
    assert (done.returncode, log) == (0, "")
    for name in ("program", "build"):
        _, log = run(name, missing=["libhwy-dev"])
        assert "libhwy-dev" in log


def test_what_is_installed_is_said_before(run):
    done, _ = run("build", "test", missing=["pybind11-dev", "libgtest-dev"])
    assert done.stdout == "installing: pybind11-dev libgtest-dev\n"


def test_an_unknown_list_is_refused(run):
    done, _ = run("everything")
    assert done.returncode == 2 and "no list called everything" in done.stderr
