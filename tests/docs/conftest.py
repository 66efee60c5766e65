"""Each page has a folder of its own, with the files that its commands read; commands run there one after the other."""
import os
import shutil
import subprocess

import pytest
import stand_in_files
from program import PROGRAM


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    stand_in_files.write_all(folder)
    return folder


@pytest.fixture(scope="session")
def shell(files, tmp_path_factory):
    """Runs a command line in the folder of its page; gives what it prints."""
    programs = tmp_path_factory.mktemp("programs")
    (programs / "noiseplus").symlink_to(PROGRAM)
    (programs / "python3").symlink_to("/usr/bin/python3")
    environment = {**os.environ, "LC_ALL": "C", "PATH": f"{programs}:{os.environ['PATH']}"}
    folders = {}

    def run(page, text):
        if page not in folders:
            folders[page] = tmp_path_factory.mktemp("page") / "here"
            shutil.copytree(files, folders[page], symlinks=True)
        done = subprocess.run(["sh", "-ec", text], cwd=folders[page], env=environment, capture_output=True, text=True,
                              timeout=120, check=False)
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        return done.stdout
    return run
