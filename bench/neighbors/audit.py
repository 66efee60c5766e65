"""A whole audit of a large mapped file as a child: its time, and the memory it takes beyond the mapping."""
import json
import os
import subprocess
import tempfile
import time

SAMPLING_SECONDS = 0.01


def takes_precision(program):
    """Whether this build chooses the number of anchors by itself."""
    text = subprocess.run([program, "audit", "--help"], capture_output=True, text=True).stdout
    return "--precision" in text


def anonymous_megabytes(process):
    """What the process has in memory that is no file's: VmHWM would count the pages of the mapping too."""
    try:
        with open(f"/proc/{process}/status") as status:
            for line in status:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass  # it has just ended
    return 0


def run_audit(program, features, labels, *arguments):
    """The audit's JSON with `wall` seconds and peak anonymous `megabytes`; None when it fails."""
    command = [program, "audit", features, "--labels", labels, "--threads", "2", "--quiet", "--json", "-", *arguments]
    peak = 0
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as report:
        child = subprocess.Popen(command, stdout=report)
        while child.poll() is None:
            peak = max(peak, anonymous_megabytes(child.pid))
            time.sleep(SAMPLING_SECONDS)
        wall = time.perf_counter() - start
        report.seek(0)
        text = report.read()
    if child.returncode != 0:
        return None
    shown = " ".join([os.path.basename(program), *(os.path.basename(argument) for argument in command[1:])])
    return dict(json.loads(text), wall=wall, megabytes=peak, command=shown)
