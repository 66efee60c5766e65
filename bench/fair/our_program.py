"""Our program as a child that trains a fair model, with what it took."""
import json
import os
import subprocess
import tempfile
import time


class Failed(Exception):
    """The program did not do it; the message is its own."""


def train(program, rows, labels, groups, output, *arguments):
    """The program's report, whose seconds are those of training alone, with those of the whole process, by the clock
    (wall) and by the processor, and its peak of memory. Arguments are paths of npy files, then flags."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        with open(os.path.join(folder, "messages.txt"), "w+") as messages:
            start = time.perf_counter()
            child = subprocess.Popen(
                [str(part) for part in (program, "train", rows, "--labels", labels, "--groups", groups, "--output",
                                        output, "--json", report, "--quiet", *arguments)],
                stdout=subprocess.DEVNULL, stderr=messages)
            _, status, usage = os.wait4(child.pid, 0)  # of this child alone
            wall = time.perf_counter() - start
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                messages.seek(0)
                raise Failed(messages.read().strip() or f"{program} ended with {child.returncode}")
        with open(report) as file:
            return dict(json.load(file), wall=wall, processor=usage.ru_utime + usage.ru_stime,
                        megabytes=usage.ru_maxrss / 1024)
