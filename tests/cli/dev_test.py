"""Which tests `make dev` runs for a file that was touched (scripts/dev.py)."""
import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("dev", ROOT / "scripts/dev.py")
dev = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(dev)


@pytest.mark.parametrize("file, tests", [
    ("src/noise/edges/edges.cpp", ["tests/noise/edges/edges_test.cpp"]),
    ("tests/noise/edges/edges_test.cpp", ["tests/noise/edges/edges_test.cpp"]),
    ("tests/cli/help_test.py", ["tests/cli/help_test.py"]),
    ("cli/predict.cpp", ["tests/cli/predict_test.py"]),
    ("cli/main.cpp", ["tests/cli/commands_test.py"]),
    ("python/noiseplus/_html.py", ["tests/python/html_test.py"]),
    ("scripts/packages.sh", []),
    ("scripts/dev.py", ["tests/cli/dev_test.py"]),
    ("docs/data.md", ["tests/docs/links_test.py"]),
    ("web/src/words.ts", []),
    ("Makefile", []),
])
def test_a_file_has_its_tests(file, tests):
    assert (ROOT / file).exists()
    assert dev.tests_of(file) == tests


@pytest.mark.parametrize("file", ["src/noise/scores.h", "include/noiseplus/noise.h"])
def test_what_a_whole_stage_uses_runs_the_stage(file):
    tests = dev.tests_of(file)
    assert "tests/noise/moments/moments_test.cpp" in tests and "tests/noise/misuse_test.cpp" in tests
    assert all(test.startswith("tests/noise/") for test in tests)


@pytest.mark.parametrize("stage", sorted(folder.name for folder in (ROOT / "src").iterdir()))
def test_every_stage_has_tests_to_run(stage):
    assert dev.cpp_tests(f"tests/{stage}")


def test_usual_tests_exist():
    assert all((ROOT / "tests" / test).exists() for test in dev.USUAL_TESTS.values())


def test_only_what_the_tests_need_is_built_before_they_run():
    build, units = dev.commands_for("build-dev", ["tests/noise/edges/edges_test.cpp"])
    assert build == ["cmake", "--build", "build-dev", "--target", "unit-tests"]
    assert "Edges.*" in units[-1] and "Votes.*" in units[-1] and "Moments" not in units[-1]
    build, tests = dev.commands_for("build-dev", ["tests/python/html_test.py"])
    assert build[-2:] == ["noiseplus-cli", "noiseplus-python"] and tests[-1] == "tests/python/html_test.py"
