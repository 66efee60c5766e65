"""Whether the time of an audit grows with the size of its input and not faster.

    python3 bench/scaling.py BUILD_FOLDER [--quick]

Each line is one kind of input at two sizes, the second twice the first; what counts is the ratio of
the times, about 2 where the time is proportional to the size. Times are those the report has for
all but the neighbor search (whose time grows with the square of the rows by nature), the best of
three; for wide tables they are those of the whole program.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np


def clusters(rows, classes, columns, seed):
    """Labels of many classes, a fifth of them wrong."""
    rng = np.random.default_rng(seed)
    clean = np.arange(rows) % classes
    centers = 3 * rng.normal(size=(classes, columns))
    features = centers[clean] + rng.normal(size=(rows, columns))
    wrong = rng.random(rows) < 0.2
    labels = np.where(wrong, rng.integers(0, classes, rows), clean)
    return features.astype(np.float32), labels.astype(np.int32)


def hubs(rows, count, columns, seed):
    """A few rows near the center, the others far from it and farther from each other, as short and long
    texts are: the neighbors of all are among the few."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(rows, columns))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    features[rng.permutation(rows)[:count]] *= 0.1
    return features.astype(np.float32), rng.integers(0, 2, rows).astype(np.int32)


class Runner:
    def __init__(self, program, folder, repeats):
        self.program, self.folder, self.repeats = program, pathlib.Path(folder), repeats

    def _time(self, arguments):
        """Seconds of the whole program, and without the neighbor search."""
        out = self.folder / "report.json"
        best = []
        for _ in range(self.repeats):
            start = time.perf_counter()
            subprocess.run([self.program, "audit", *arguments, "--json", out, "--quiet"], check=True)
            whole = time.perf_counter() - start
            best.append((whole, json.loads(out.read_text())["seconds"]["estimate"]))
        return [min(times) for times in zip(*best)]

    def arrays(self, features, labels, *more):
        np.save(self.folder / "x.npy", features)
        np.save(self.folder / "y.npy", labels)
        return self._time([self.folder / "x.npy", "--labels", self.folder / "y.npy", *more])[1]

    def groups(self, rows):
        features, labels = clusters(rows, 2, 4, 1)
        np.save(self.folder / "g.npy", np.arange(rows) * 7919 % (rows // 6))
        return self.arrays(features, labels, "--estimator", "moments", "--groups", self.folder / "g.npy")

    def classes(self, classes):
        return self.arrays(*clusters(60 * 1000 if self.repeats > 1 else 6000, classes, 16, 2))

    def rows(self, rows):
        return self.arrays(*clusters(rows, 500 if self.repeats > 1 else 50, 16, 3))

    def hubs(self, rows, count):
        return self.arrays(*hubs(rows, count, 64, 4), "--estimator", "moments", "--k", "30")

    def columns(self, columns):
        values = np.random.default_rng(5).integers(0, 100, size=(50, columns))
        table = self.folder / "wide.csv"
        with table.open("w") as file:
            file.write(",".join(f"c{i}" for i in range(columns)) + ",y\n")
            for row, line in enumerate(values.tolist()):
                file.write(",".join(map(str, line)) + f",{row % 2}\n")
        return self._time([table, "--label", "y"])[0]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--quick", action="store_true", help="a tenth of the size, one run")
    options = arguments.parse_args()
    smaller = 10 if options.quick else 1
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(options.build / "noiseplus", folder, 1 if options.quick else 3)
        cases = [
            ("rows, a group for every six", runner.groups, 60000 // smaller),
            ("rows whose neighbors are 40 hubs", lambda rows: runner.hubs(rows, 40), 20000 // smaller),
            ("rows whose neighbors are 100 hubs", lambda rows: runner.hubs(rows, 100), 20000 // smaller),
            ("rows of 500 classes", runner.rows, 30000 // smaller),
            ("classes of 60,000 rows", runner.classes, 500 // smaller),
            ("columns of 50 rows, csv", runner.columns, 500000 // smaller),
        ]
        print("| what is doubled | from | seconds | twice as many | ratio |")
        print("|---|---|---|---|---|")
        for name, run, size in cases:
            once, twice = run(size), run(2 * size)
            print(f"| {name} | {size:,} | {once:.2f} | {twice:.2f} | {twice / once:.2f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
