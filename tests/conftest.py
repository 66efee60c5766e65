"""For all tests in Python: a file whose optional package is missing is skipped, not failed."""

import os

import pytest

# On cores that others use too, threads of OpenBLAS and OpenMP that wait for each other make small problems take up to
# fifty times as long. Set before anything is imported that reads it.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

SKIPPED = 77  # what CTest is told with SKIP_RETURN_CODE; 0 would count as passed


def pytest_sessionfinish(session, exitstatus):
    """Changes the exit code where every test was skipped; a file without any test still fails, with pytest's code 5."""
    reports = session.config.pluginmanager.get_plugin("terminalreporter").stats
    is_all_skipped = reports.get("skipped") and not reports.get("passed") and not reports.get("xfailed")
    if is_all_skipped and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = SKIPPED
