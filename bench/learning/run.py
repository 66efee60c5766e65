"""Our trainers against scikit-learn's and cleanlab's, in one run, as Markdown tables.

    python3 bench/learning/run.py BUILD_FOLDER [--quick] [--only PART] [--shared-data FOLDER]

Two threads each, best of three. Exit code 1: the linear models' objectives differ; 2: something could not be run.
"""
import argparse
import os
import subprocess
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "neighbours"))  # what both contests need is there

import data
from judge import objective
from programs import Disagreed, Failed, core_types, processor, run_json, say
from tables import print_table, shape, whole

PARTS = ("linear", "confident", "mlp")
SHARED_DATA = os.path.join(HERE, "..", "..", "..", "shared", "data")
# As `make peers-test` installs them, so that one environment serves both.
PEERS = ("cleanlab==2.9.*", "scikit-learn", "numpy", "pytest")
SETTINGS = {"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
TYPES = ("float32", "float64")
SAME_OBJECTIVE = 1e-6  # relative
RIVAL_TOLERANCE = "1e-8"  # of scikit-learn's linear models: the objective is to be the lowest there is
TRIAL_STEPS = "10"  # enough to tell settings apart where a whole run takes minutes
EPOCHS = (1, 6)  # the time of an epoch is a fifth of the difference: what is done once drops out
BATCH = "200"
HIDDEN = (128, 256)
EPOCHS_TO_THE_END = 15


class Peers:
    """bench/learning/peers.py in the virtual environment of `make peers-test`."""

    def __init__(self, build):
        folder = os.path.join(build, "peers-venv")
        script = os.path.join(HERE, "..", "..", "scripts", "peers.sh")
        self.python = os.path.join(folder, "bin", "python")
        self.available = subprocess.run(["sh", script, folder, *PEERS]).returncode == 0

    def run(self, what, rows, core_type, *arguments):
        line = run_json([self.python, os.path.join(HERE, "peers.py"), what, rows.rows, rows.codes, *arguments],
                        core_type, settings=SETTINGS)[0][0]
        return dict(line, core_type=core_type, how=f"OpenBLAS for {core_type or 'what it detects'}")


def how(line):
    runs = "one run" if line["runs"] == 1 else f"best of {line['runs']}"
    return ", ".join(part for part in (line.get("how"), runs) if part)


def megabytes(line):
    return whole(line["megabytes"]) if "megabytes" in line else ""


def fastest(lines):
    return min(lines, key=lambda line: line["seconds"])


def fastest_and_first(lines):
    """The fastest, and beside it the one with OpenBLAS as it comes, which is the first."""
    return [fastest(lines)] if fastest(lines) is lines[0] else [fastest(lines), lines[0]]


class Contest:
    def __init__(self, build, shared_data, quick):
        self.program = os.path.join(build, "learn-rivals")
        if not os.access(self.program, os.X_OK):
            raise Failed(f"{self.program} is not built")
        self.folder, self.shared_data, self.quick = os.path.join(build, "bench-data"), shared_data, quick
        os.makedirs(self.folder, exist_ok=True)
        self.runs = ["--runs", "1" if quick else "3"]
        self.peers = Peers(build)
        if not self.peers.available:
            say("scikit-learn and cleanlab are left out: they cannot be installed")

    def ours(self, what, rows, *arguments):
        line = run_json([self.program, what, rows.rows, rows.codes, *self.runs, *arguments], settings=SETTINGS)[0][0]
        return dict(line, name="noiseplus")

    def shortened(self, rows):
        """A tenth of the rows when it is to be quick."""
        return rows.head(rows.shape()[0] // 10, self.folder) if self.quick else rows

    def adult(self):
        return self.shortened(data.adult(self.program, self.shared_data, self.folder))

    def images(self):
        return self.shortened(data.images(self.shared_data, self.folder))

    # ------------------------------------------------------------------------------------ linear

    def judged(self, line, rows, ridge, path):
        """With the objective, in double, of the coefficients that the contestant has left in a file."""
        found = objective(numpy.load(rows.rows, mmap_mode="r"), numpy.load(rows.codes), numpy.load(path), ridge)
        return dict(line, objective=found)

    def rival_linear(self, rows, ridge, is_slow):
        """Each type with each core type; where a run takes minutes, the core type is chosen by a few steps and there
        is one run."""
        path = os.path.join(self.folder, "learn-coefficients.npy")
        lines = []
        for kind in TYPES:
            common = ["--type", kind, "--ridge", str(ridge), "--tolerance", RIVAL_TOLERANCE]
            types, runs = core_types(), [*self.runs, "--enough-seconds", "10"]
            if is_slow:
                trials = [self.peers.run("linear", rows, core, *common, "--runs", "1", "--steps", TRIAL_STEPS)
                          for core in types]
                types, runs = [fastest(trials)["core_type"]], ["--runs", "1"]
            found = []
            for core in types:
                line = self.peers.run("linear", rows, core, *common, *runs, "--coefficients", path)
                line = self.judged(line, rows, ridge, path)
                found.append(dict(line, name=f"{line['name']}, {kind}"))
            lines += fastest_and_first(found)
        return lines

    def linear_on(self, rows, ridge, is_slow):
        say(f"linear: {rows.name}")
        path = os.path.join(self.folder, "learn-coefficients.npy")
        ours = self.judged(self.ours("linear", rows, "--ridge", str(ridge), "--coefficients", path), rows, ridge, path)
        lines = [ours] + (self.rival_linear(rows, ridge, is_slow) if self.peers.available else [])
        lowest = min(line["objective"] for line in lines)
        print(f"### Linear model, {rows.name}, {shape(*rows.shape())}, ridge {ridge:g}\n")
        print_table(["trainer", "seconds", "ratio", "objective", "above the lowest", "steps", "memory beyond the input, "
                     "MB", "how"],
                    [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / ours['seconds']:.1f}",
                      f"{line['objective']:.10g}", f"{line['objective'] / lowest - 1:.1e}", str(line["steps"]),
                      megabytes(line), how(line)] for line in lines])
        self.compare_objectives(lines, lowest)

    def compare_objectives(self, lines, lowest):
        ours, rivals = lines[0], lines[1:]
        reaching = [line for line in rivals if line["objective"] / lowest - 1 <= SAME_OBJECTIVE]
        if reaching:
            print(f"The fastest rival within {SAME_OBJECTIVE:g} of the lowest objective takes "
                  f"**{fastest(reaching)['seconds'] / ours['seconds']:.1f} times** as long as ours.\n", flush=True)
        if ours["objective"] / lowest - 1 > SAME_OBJECTIVE:
            raise Disagreed(f"our objective is {ours['objective']:.10g}, a rival's {lowest:.10g}")

    def linear(self):
        self.linear_on(self.adult(), 1e-4, is_slow=False)
        self.linear_on(self.images(), 1e-3, is_slow=not self.quick)

    # ------------------------------------------------------------------------------------ confident

    def confident(self):
        rows = self.adult()
        say(f"confident: {rows.name}")
        ours = self.ours("confident", rows, "--ridge", "1e-4")
        lines = [ours]
        if self.peers.available:
            for kind in TYPES:
                found = [self.peers.run("confident", rows, core, "--type", kind, "--ridge", "1e-4", *self.runs,
                                        "--enough-seconds", "20") for core in core_types()]
                lines += [dict(line, name=f"{line['name']}, scikit-learn, {kind}") for line in fastest_and_first(found)]
        print(f"### Confident learning from rows to rates, five folds, {rows.name}, {shape(*rows.shape())}\n")
        table = []
        for line in lines:
            apart = numpy.abs(numpy.subtract(line["transition"], ours["transition"])).max()
            table.append([line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / ours['seconds']:.1f}",
                          "" if line is ours else f"{apart:.4f}", megabytes(line), how(line)])
        print_table(["estimate", "seconds", "ratio", "largest difference of T to ours", "memory beyond the input, MB",
                     "how"], table)

    # ------------------------------------------------------------------------------------ mlp

    def epoch(self, run):
        """Seconds of one epoch by `run(epochs, runs)`."""
        short, long = run(EPOCHS[0]), run(EPOCHS[1])
        return dict(long, seconds=(long["seconds"] - short["seconds"]) / (EPOCHS[1] - EPOCHS[0]))

    def rival_epochs(self, rows, hidden):
        """The fastest core type by one epoch each, and the first; then properly."""
        common = ["--hidden", str(hidden), "--batch", BATCH]
        trials = [self.peers.run("mlp", rows, core, *common, "--runs", "1", "--epochs", "1") for core in core_types()]
        return [self.epoch(lambda epochs, core=trial["core_type"]: self.peers.run(
            "mlp", rows, core, *common, *self.runs, "--enough-seconds", "40", "--epochs", str(epochs)))
            for trial in fastest_and_first(trials)]

    def mlp_to_the_end(self, rows, hidden, core_type):
        common = ["--hidden", str(hidden), "--batch", BATCH, "--epochs", str(EPOCHS_TO_THE_END), "--test-rows",
                  rows.test_rows, "--test-codes", rows.test_codes, "--runs", "1"]
        line = run_json([self.program, "mlp", rows.rows, rows.codes, *common], settings=SETTINGS)[0][0]
        lines = [dict(line, name="noiseplus")]
        if self.peers.available:
            lines.append(self.peers.run("mlp", rows, core_type, *common))
        return lines

    def mlp(self):
        rows = self.images()
        core_type = None
        for hidden in HIDDEN:
            say(f"mlp: {rows.name}, {hidden} hidden units")
            ours = self.epoch(lambda epochs: self.ours("mlp", rows, "--hidden", str(hidden), "--batch", BATCH, "--epochs",
                                                       str(epochs)))
            rivals = self.rival_epochs(rows, hidden) if self.peers.available else []
            if rivals:
                core_type = fastest(rivals)["core_type"]
            print(f"### Perceptron, one epoch, {rows.name}, {shape(*rows.shape())}, {hidden} hidden units, batches of "
                  f"{BATCH}\n")
            print_table(["trainer", "seconds an epoch", "ratio", "memory beyond the input, MB", "how"],
                        [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / ours['seconds']:.1f}",
                          megabytes(line), how(line)] for line in [ours, *rivals]])
        lines = self.mlp_to_the_end(rows, HIDDEN[-1], core_type)
        print(f"### Perceptron, {EPOCHS_TO_THE_END} epochs, {HIDDEN[-1]} hidden units: on rows it has not seen\n")
        print_table(["trainer", "seconds", "ratio", "accuracy", "how"],
                    [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / lines[0]['seconds']:.1f}",
                      f"{line['accuracy']:.2%}", how(line)] for line in lines])

    def run(self, only):
        print("## Trainers\n")
        print(f"{processor()}, two threads. The ratio is to ours. Rivals are on their best settings.\n")
        for name in [only] if only else PARTS:
            getattr(self, name)()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, one run: only to see that it works")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--shared-data", default=SHARED_DATA, help="folder with adult and mnist")
    arguments = parser.parse_args()
    try:
        Contest(arguments.build, arguments.shared_data, arguments.quick).run(arguments.only)
    except Disagreed as error:
        say(f"bench: {error}")
        return 1
    except Failed as error:
        say(f"bench: {error}")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
