#!/usr/bin/python3
"""The edit loop behind `make dev`: builds what the files you touched belong to, and runs their fast tests.

scripts/dev.py FOLDER [SINCE]   FOLDER is a configured build; SINCE is a commit: HEAD where files are changed since, else
                                where this branch left main

A file of src/STAGE/PART runs tests/STAGE/PART where there is such a folder, else tests/STAGE; a test runs itself.
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITE = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(\s*(\w+)", re.MULTILINE)
NO_STAGE = {"kernels.h": "core", "version.h": "core", "noiseplus.h": "pipeline"}
PYTHON_TESTS = {"cli": "cli", "scripts": "cli", "python": "python", "docs": "docs"}
# What tells soonest that the program or the package is broken, for a file that has no test of its name.
USUAL_TESTS = {"cli": "cli/commands_test.py", "python": "python/parity_test.py", "docs": "docs/links_test.py"}


def tests_of(file):
    """The test files that a file belongs to, as paths from the top; none for what no fast test looks at."""
    path = pathlib.PurePath(file)
    top = path.parts[0]
    if top == "tests":
        return own_test(path)
    if path.parts[:2] == ("include", "noiseplus"):
        return cpp_tests(f"tests/{NO_STAGE.get(path.name, path.stem)}")
    if top == "src" and len(path.parts) > 2:
        folder = "/".join(path.parts[1:-1])
        return cpp_tests(f"tests/{folder}") or cpp_tests(f"tests/{path.parts[1]}")
    if top == "experiments":
        return cpp_tests("tests/experiments")
    if path.suffix == ".md":
        return ["tests/docs/links_test.py"]
    if top not in PYTHON_TESTS or path.suffix not in (".cpp", ".h", ".py"):
        return []
    folder = PYTHON_TESTS[top]
    named = f"tests/{folder}/{path.stem.strip('_')}_test.py"
    if (ROOT / named).exists():
        return [named]
    return [f"tests/{USUAL_TESTS[folder]}"] if top != "scripts" else []


def own_test(path):
    if re.search(r"_test\.(cpp|py)$", path.name) and (ROOT / path).exists():
        return [str(path)]
    return cpp_tests(str(path.parent)) if path.suffix == ".h" and len(path.parts) > 2 else []


def cpp_tests(folder):
    return sorted(str(test.relative_to(ROOT)) for test in (ROOT / folder).rglob("*_test.cpp"))


def suites_of(tests):
    return sorted({suite for test in tests for suite in SUITE.findall((ROOT / test).read_text())})


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()


def touched(since):
    is_changed = git("status", "--porcelain")
    since = since or ("HEAD" if is_changed else (git("merge-base", "HEAD", "main") or ["HEAD"])[0])
    return sorted({*git("diff", "--name-only", since), *git("ls-files", "--others", "--exclude-standard")})


def commands_for(build, tests):
    """What to run, in this order: the build, then the tests."""
    cpp = [test for test in tests if test.endswith(".cpp")]
    python = [test for test in tests if test.endswith(".py")]
    targets = ["unit-tests"] if cpp else []
    if python:
        targets.append("noiseplus-cli")
    if any(test.startswith("tests/python/") for test in python):
        targets.append("noiseplus-python")
    commands = [["cmake", "--build", build, "--target", *targets]]
    if cpp:
        suites = suites_of(cpp)
        # Those with parameters have their instance before the name, and typed ones a number behind.
        names = ":".join(f"{suite}.*:*/{suite}.*:{suite}/*" for suite in suites)
        commands.append([f"{build}/unit-tests", "--gtest_brief=1", f"--gtest_filter={names}"])
    if python:
        commands.append([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *python])
    return commands


def main(build, since=None):
    files = touched(since)
    tests = sorted({test for file in files for test in tests_of(file)})
    print(f"touched: {' '.join(files) or 'nothing'}\ntests: {' '.join(tests) or 'none'}", flush=True)
    if not tests:
        return subprocess.run(["cmake", "--build", build, "--target", "noiseplus-cli"], cwd=ROOT, check=False).returncode
    environment = {**os.environ, "NOISEPLUS": f"{ROOT / build}/noiseplus", "PYTHONPATH": f"{ROOT / build}/python",
                   "NOISEPLUS_SANITIZE": "", "PYTHONDONTWRITEBYTECODE": "1"}
    for command in commands_for(build, tests):
        done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: scripts/dev.py FOLDER [SINCE]")
    sys.exit(main(*sys.argv[1:]))
