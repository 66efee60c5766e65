"""A fair model of 500,000 generated rows: our program against fairlearn, in one run, as a Markdown table.

    python3 bench/fair/run.py BUILD_FOLDER [--quick]

Exit code 2: something could not be run.
"""
import argparse
import os
import subprocess
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
# What all contests need is there; before the packages, of which one is called tables too.
sys.path.insert(1, os.path.join(HERE, "..", "neighbors"))

import our_program
from programs import Failed, core_types, processor, run_json, say
from tables import print_table, shape, whole

ROWS, COLUMNS = 500_000, 30
BLOCK = 50_000  # rows made at a time: a child's peak of memory is never below that of its parent
THREADS = (1, 2)  # of fairlearn: on cores that others use too one is many times as fast
TOLERANCE = "0.01"  # as fairlearn_peer.py has it


class Data:
    """Two groups, of which one has more positives and other values in a third of the columns; a fifth of its labels is
    wrong, and two fifths of the other's."""

    def __init__(self, folder, rows):
        os.makedirs(folder, exist_ok=True)
        self.rows = rows
        self.files = [os.path.join(folder, f"fair-{rows}-{part}.npy") for part in ("rows", "labels", "groups")]
        if not all(map(os.path.exists, self.files)):
            self.make()

    def make(self):
        draw = numpy.random.default_rng(0)
        weights = draw.normal(size=COLUMNS).astype(numpy.float32) * 0.4
        shift = 0.5 * (numpy.arange(COLUMNS) % 3 == 0).astype(numpy.float32)
        groups = draw.integers(0, 2, self.rows, dtype=numpy.int32)
        labels = numpy.empty(self.rows, numpy.int32)
        with open(self.files[0], "wb") as file:
            numpy.lib.format.write_array_header_1_0(
                file, dict(descr="<f4", fortran_order=False, shape=(self.rows, COLUMNS)))
            for first in range(0, self.rows, BLOCK):
                part = slice(first, min(first + BLOCK, self.rows))
                values = draw.standard_normal((part.stop - first, COLUMNS), numpy.float32)
                values += groups[part, None] * shift
                chance = 1 / (1 + numpy.exp(0.5 - values @ weights - 0.5 * groups[part]))
                wrong = draw.random(len(values)) < numpy.take((0.4, 0.2), groups[part])
                labels[part] = (draw.random(len(values)) < chance) ^ wrong
                file.write(values.tobytes())
        numpy.save(self.files[1], labels)
        numpy.save(self.files[2], groups)


def ours(build, data):
    model = os.path.join(build, "bench-data", "fair.model")
    try:
        report = our_program.train(os.path.join(build, "noiseplus"), *data.files, model, "--fair", "equalized-odds",
                                   "--tolerance", TOLERANCE, "--ridge", 1 / data.rows, "--threads", 2)
    except (our_program.Failed, OSError) as error:
        raise Failed(str(error)) from error
    fair = report["fair"]
    return dict(report, name="noiseplus", models=fair["models_trained"], error=fair["error"],
                violation=fair["violation"], how="two threads")


def settings(threads):
    return {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}


def fairlearn(build, data, trial):
    """On its best setting, by one run each of a tenth of the rows; nothing when it cannot be had."""
    folder = os.path.join(build, "peers-venv")
    scripts = os.path.join(HERE, "..", "..", "scripts")
    pins = os.path.join(scripts, "pins", "peers.txt")
    if subprocess.run(["sh", os.path.join(scripts, "peers.sh"), folder, pins]).returncode != 0:
        say("fairlearn is left out: it cannot be installed")
        return None
    command = [os.path.join(folder, "bin", "python"), os.path.join(HERE, "fairlearn_peer.py")]
    trials = {(core, threads): run_json([*command, *trial.files], core, settings=settings(threads))[0][0]["seconds"]
              for threads in THREADS for core in core_types()}
    core, threads = best = min(trials, key=trials.get)
    say(f"fairlearn, seconds of a trial: {trials}")
    line = run_json([*command, *data.files], core, settings=settings(threads))[0][0]
    as_it_comes = trials[None, THREADS[-1]] / trials[best]
    return dict(line, how=f"OpenBLAS for {core or 'what it detects'}, threads: {threads}; as it comes, on two, a trial "
                          f"took {as_it_comes:.1f} times as long")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows: only to see that it works")
    arguments = parser.parse_args()
    folder = os.path.join(arguments.build, "bench-data")
    rows = ROWS // 10 if arguments.quick else ROWS
    data, trial = Data(folder, rows), Data(folder, rows // 10)
    mine = ours(arguments.build, data)
    lines = [line for line in (mine, fairlearn(arguments.build, data, trial)) if line]
    print(f"## Fair models\n\n{processor()}. Equalized odds within {TOLERANCE}, linear models, {shape(rows, COLUMNS)}, "
          "two groups. Seconds are those of training; memory is the peak of the whole process.\n")
    print_table(["trainer", "seconds", "ratio", "of the process", "models", "training error", "violation",
                 "peak memory, MB", "how"],
                [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / mine['seconds']:.1f}",
                  f"{line['wall']:.3g}" if "wall" in line else "", str(line["models"]), f"{line['error']:.4f}",
                  f"{line['violation']:.4f}", whole(line["megabytes"]), line["how"]] for line in lines])


if __name__ == "__main__":
    try:
        main()
    except Failed as problem:
        say(f"bench: {problem}")
        sys.exit(2)
