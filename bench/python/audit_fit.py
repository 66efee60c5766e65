"""The same audit by NoiseAudit.fit, with its time and memory.

    python3 bench/python/audit_fit.py ROWS.npy LABELS.npy THREADS
"""
import json
import sys
import time

import numpy
from noiseplus import NoiseAudit


def status(field):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field)) / 1024


def main():
    rows, labels = numpy.load(sys.argv[1]), numpy.load(sys.argv[2])
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = status("VmRSS:")
    start = time.perf_counter()
    audit = NoiseAudit(n_threads=int(sys.argv[3])).fit(rows, labels)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "megabytes": status("VmHWM:") - before, "report": audit.report().to_dict()}))


if __name__ == "__main__":
    main()
