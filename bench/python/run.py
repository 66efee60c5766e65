"""NoiseAudit.fit against the same call from C++, turn by turn: time, memory, and that all numbers are the same.

    python3 bench/python/run.py BUILD_FOLDER [--quick]

Exit code 2: something could not be run, or the numbers differ.
"""
import argparse
import json
import os
import subprocess
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, COLUMNS, THREADS = 108_501, 50, 2


def make(folder, rows):
    """Twenty clusters of two classes, with noise of .1 and .3."""
    os.makedirs(folder, exist_ok=True)
    files = [os.path.join(folder, f"audit-{rows}-{part}.npy") for part in ("rows", "labels")]
    draw = numpy.random.default_rng(0)
    cluster = draw.integers(0, 20, rows)
    values = draw.normal(size=(rows, COLUMNS)) + 2 * draw.normal(size=(20, COLUMNS))[cluster]
    clean = cluster % 2
    wrong = draw.random(rows) < numpy.where(clean == 1, 0.3, 0.1)
    numpy.save(files[0], values.astype(numpy.float32))
    numpy.save(files[1], clean ^ wrong)
    return files


def measure(command, environment):
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    found = json.loads(done.stdout)
    del found["report"]["seconds"]
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true")
    flags = parser.parse_args()
    rows, rounds = (5_000, 1) if flags.quick else (ROWS, 5)
    files = make(os.path.join(flags.build, "bench-data"), rows)
    environment = {**os.environ, "PYTHONPATH": os.path.join(flags.build, "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    commands = {"C++: audit()": [os.path.join(flags.build, "audit-call"), *files, str(THREADS)],
                "Python: NoiseAudit.fit": [sys.executable, os.path.join(HERE, "audit_fit.py"), *files, str(THREADS)]}
    runs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(measure(command, environment))
    reports = [run["report"] for of in runs.values() for run in of]
    if any(report != reports[0] for report in reports):
        print("the reports differ", file=sys.stderr)
        sys.exit(2)
    base = min(run["seconds"] for run in runs["C++: audit()"])
    print(f"Audit of {rows:,} x {COLUMNS} float32 ({rows * COLUMNS * 4 / 2**20:.1f} MB), {THREADS} threads, "
          f"best of {rounds}, turn by turn; all numbers the same\n")
    print("| call | seconds | ratio | memory added, MB |\n|---|---|---|---|")
    for name, of in runs.items():
        best = min(run["seconds"] for run in of)
        print(f"| {name} | {best:.3f} | {best / base:.3f} | {min(run['megabytes'] for run in of):.1f} |")


if __name__ == "__main__":
    main()
