"""Reads a 200 MB numeric csv file with noiseplus and with pandas' C reader, in turns; best of five each.

    python3 bench/csv_reading.py BUILD_FOLDER [MEGABYTES]
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy
import pandas


def write_numbers(path, megabytes):
    """Columns such as tables have: small integers, measurements, money, and full-precision floats."""
    draw = numpy.random.default_rng(0)
    rows = 20000
    columns = [draw.integers(0, 100, rows) for _ in range(5)]
    columns += [draw.normal(50, 20, rows).round(2) for _ in range(8)]
    columns += [draw.lognormal(10, 1, rows).round(2) for _ in range(3)]
    columns += [draw.random(rows) for _ in range(4)]
    frame = pandas.DataFrame({f"c{i}": column for i, column in enumerate(columns)})
    text = frame.to_csv(index=False, header=False).encode()
    with open(path, "wb") as file:
        file.write((",".join(frame.columns) + "\n").encode())
        for _ in range(megabytes * 2**20 // len(text) + 1):
            file.write(text)


def noiseplus_seconds(build, path):
    text = subprocess.run([os.path.join(build, "csv-bench"), path, "--benchmark_format=json"],
                          check=True, capture_output=True).stdout
    runs = [run for run in json.loads(text)["benchmarks"] if run["run_type"] == "iteration"]
    best = {}
    for run in runs:
        threads = int(run["name"].split("threads:")[1].split("/")[0])
        best[threads] = min(best.get(threads, 1e9), run["real_time"] / 1000)
    return best, max(run["peak_MB"] for run in runs)


def pandas_seconds(path):
    start = time.perf_counter()
    pandas.read_csv(path, engine="c")
    return time.perf_counter() - start


def main():
    build, megabytes = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "numbers.csv")
        write_numbers(path, megabytes)
        size = os.path.getsize(path) / 2**20
        rival, ours, peak = [], {1: 1e9, 2: 1e9}, 0
        for _ in range(5):
            rival.append(pandas_seconds(path))
            best, peak = noiseplus_seconds(build, path)
            ours = {threads: min(ours[threads], best[threads]) for threads in ours}
        pandas_peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"csv, {size:.0f} MB of numbers, 20 columns")
    print(f"{'reader':28}{'seconds':>9}{'MB/s':>8}{'peak MB':>9}{'ratio':>8}")
    print(f"{'pandas ' + pandas.__version__ + ', C engine':28}{min(rival):9.2f}{size / min(rival):8.0f}{pandas_peak:9.0f}{1:8.1f}")
    for threads, seconds in ours.items():
        name = f"noiseplus, {threads} thread" + "s" * (threads > 1)
        print(f"{name:28}{seconds:9.2f}{size / seconds:8.0f}{peak:9.0f}{min(rival) / seconds:8.1f}")


if __name__ == "__main__":
    main()
