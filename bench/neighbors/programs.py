"""The programs of the contest as children: ours with Debian's FAISS, and the peers from PyPI."""
import argparse
import json
import os
import platform
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED_DATA = os.path.join(HERE, "..", "..", "..", "shared", "data")
PINS = os.path.join(HERE, "..", "..", "scripts", "pins", "bench.txt")
DISAGREEMENT, NO_RIVALS = 1, 3  # exit codes of neighbors-rivals
# Idle threads of OpenMP otherwise spin, and take the cores from the search whose turn it is.
ENVIRONMENT = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}


class Failed(Exception):
    """A child that failed; the message is one line."""


class Disagreed(Failed):
    """Two exact searches found different neighbors."""


def say(text):
    """Progress and what is left out, apart from the tables."""
    print(text, file=sys.stderr, flush=True)


def processor():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def core_types(kernel="auto"):
    """Processors that OpenBLAS may be told to take this one for; None lets it choose. An old OpenBLAS, such as Debian's
    and the one in faiss-cpu's wheel, does not know new processors and chooses badly: a rival is to have its best.
    Where ours is held to AVX2, so are the rivals."""
    if kernel == "avx2":
        return ["Haswell"]
    with open("/proc/cpuinfo") as file:
        flags = set(next((line for line in file if line.startswith("flags")), "").split())
    return [None] + ["Haswell"] * ("avx2" in flags) + ["SkylakeX"] * ({"avx512f", "avx512dq"} <= flags)


def run_json(command, core_type=None, accepted=(0,), settings=ENVIRONMENT):
    """The JSON lines of a child, and its exit code."""
    environment = dict(os.environ, **settings)
    if core_type:
        environment["OPENBLAS_CORETYPE"] = core_type
    child = subprocess.run(command, env=environment, capture_output=True, text=True)
    if child.returncode == DISAGREEMENT and os.path.basename(command[0]) == "neighbors-rivals":
        raise Disagreed(child.stderr.strip())
    if child.returncode not in accepted:
        last_words = (child.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failed(f"{' '.join(command)} failed with {child.returncode}: {last_words}")
    return [json.loads(line) for line in child.stdout.splitlines()], child.returncode


class Rivals:
    """build/neighbors-rivals: data, our search, and FAISS where it is built in."""

    def __init__(self, build, kernel):
        self.program = os.path.join(build, "neighbors-rivals")
        self.kernel = ["--kernel", kernel]
        self.folder = os.path.join(build, "bench-data")
        os.makedirs(self.folder, exist_ok=True)
        if not os.access(self.program, os.X_OK):
            raise Failed(f"{self.program} is not built")
        _, code = run_json([self.program, "sgemm", "--size", "8"], accepted=(0, NO_RIVALS))
        self.has_faiss = code == 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name, command, *arguments, again=False):
        """A data file by its name, made unless an earlier run did."""
        path = self.path(name)
        if again or not os.path.exists(path):
            run_json([self.program, command, *arguments, "--output", path])
        return path

    def sgemm(self, core_type, size):
        return run_json([self.program, "sgemm", "--size", str(size)], core_type)[0][0]

    def kernel_rate(self, columns):
        return run_json([self.program, *self.kernel, "kernel", "--columns", str(columns)])[0][0]["gflops"]

    def search(self, path, k, *arguments, core_type=None):
        return run_json([self.program, *self.kernel, "search", path, "--k", str(k), *arguments], core_type)[0]


class Peers:
    """bench/neighbors/peers.py in a virtual environment of its own below the build folder."""

    def __init__(self, build, kernel):
        # The wheel of faiss-cpu has code for several instruction sets of its own.
        self.settings = dict(ENVIRONMENT, **({"FAISS_OPT_LEVEL": "avx2"} if kernel == "avx2" else {}))
        folder = os.path.join(build, "peers")
        script = os.path.join(HERE, "..", "..", "scripts", "peers.sh")
        self.python = os.path.join(folder, "bin", "python")
        self.available = subprocess.run(["sh", script, folder, PINS]).returncode == 0

    def run(self, what, *arguments, core_type=None):
        return run_json([self.python, os.path.join(HERE, "peers.py"), what, *arguments], core_type,
                        settings=self.settings)[0]


def run_contest(contest, parts, description, only_help=None, kernels=()):
    """The command line of a contest: contest(build, shared_data, quick).run(only). Returns the exit code. Where there
    are `kernels` to choose from, contest takes a `kernel` too."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, one run: only to see that it works")
    parser.add_argument("--only", choices=parts, help=only_help)
    parser.add_argument("--shared-data", default=SHARED_DATA, help="folder with adult and mnist")
    if kernels:
        parser.add_argument("--kernel", choices=kernels, default=kernels[0], help="the instruction set, ours and rivals'")
    arguments = parser.parse_args()
    options = {"kernel": arguments.kernel} if kernels else {}
    try:
        contest(arguments.build, arguments.shared_data, arguments.quick, **options).run(arguments.only)
    except Disagreed as error:
        say(f"bench: {error}")
        return 1
    except Failed as error:
        say(f"bench: {error}")
        return 2
    return 0
