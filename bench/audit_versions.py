"""Two versions of the program on the same noisy labels: how many right claims each makes, and how long it takes.

    python3 bench/audit_versions.py OLD/noiseplus build/noiseplus ../shared/data

Claims: bank and credit card clients at the eight settings of docs/estimators.md. Time: MNIST's idx files with a random
matrix of ten classes, the programs in turns, the best of several runs; processor time is of user mode.
"""
import argparse
import csv
import gzip
import json
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy

SETTINGS = [(0, .1), (0, .2), (.1, .2), (.1, .3), (.2, .4), (.2, 0), (.3, .1), (.4, .2)]  # (e-, e+)
SETS = {"bank": ("bank/bank-full.csv.gz", "y"), "credit": ("credit/credit-card-clients.csv.gz", "default payment")}
THREADS = "2"


def read(path):
    with gzip.open(path, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def write_noisy(header, rows, label, rates, seed, path):
    """Returns the name of the class that is noisier."""
    at = header.index(label)
    classes = sorted({row[at] for row in rows})
    draws = numpy.random.default_rng(seed).random(len(rows))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        for row, draw in zip(rows, draws):
            clean = classes.index(row[at])
            given = classes[1 - clean if draw < rates[clean] else clean]
            writer.writerow(row[:at] + [given] + row[at + 1:])
    return classes[int(rates[1] > rates[0])]


def audit(program, *arguments):
    """The report, seconds, and seconds of processor time in user mode."""
    start, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([program, "audit", *map(str, arguments), "--threads", THREADS, "--json", "-"],
                          stdout=subprocess.PIPE, check=True)
    took = time.monotonic() - start
    return json.loads(done.stdout), took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used


def compare_claims(programs, data, folder):
    print("| data | program | claims right / wrong / silent |\n|---|---|---|")
    for name, (file, label) in SETS.items():
        header, rows = read(data / file)
        counts = {version: {"right": 0, "wrong": 0, "silent": 0} for version in programs}
        for seed, rates in enumerate(SETTINGS):
            noisier = write_noisy(header, rows, label, rates, seed, folder / "noisy.csv")
            for version, program in programs.items():
                claim = audit(program, folder / "noisy.csv", "--label", label)[0]["noisier"]
                counts[version]["silent" if claim is None else "right" if claim == noisier else "wrong"] += 1
        for version, count in counts.items():
            print(f"| {name} | {version} | {count['right']} / {count['wrong']} / {count['silent']} |", flush=True)


def compare_time(programs, data, folder, runs):
    images, labels = (data / "mnist" / f"train-{what}-ubyte.gz" for what in ("images-idx3", "labels-idx1"))
    subprocess.run([programs["new"], "corrupt", images, "--labels", labels, "--random-gap", ".2", "--output",
                    folder / "noisy.npy"], check=True, stdout=subprocess.DEVNULL)
    times = {version: [] for version in programs}
    for _ in range(runs):
        for version, program in programs.items():
            times[version].append(audit(program, images, "--labels", folder / "noisy.npy")[1:])
    print(f"\n| MNIST, best of {runs} | seconds | processor time |\n|---|---|---|")
    for version, pairs in times.items():
        print(f"| {version} | {min(wall for wall, _ in pairs):.1f} | {min(user for _, user in pairs):.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", choices=["claims", "time"])
    arguments = parser.parse_args()
    programs = {"old": arguments.old, "new": arguments.new}
    with tempfile.TemporaryDirectory() as folder:
        if arguments.only != "time":
            compare_claims(programs, arguments.data, pathlib.Path(folder))
        if arguments.only != "claims":
            compare_time(programs, arguments.data, pathlib.Path(folder), arguments.runs)


if __name__ == "__main__":
    main()
