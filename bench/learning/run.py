"""Our trainers against scikit-learn's, cleanlab's and LightGBM's, in one run, as Markdown tables.

    python3 bench/learning/run.py BUILD_FOLDER [--quick] [--only PART] [--shared-data FOLDER]

Two threads each, best of three. Exit code 1: the linear models' objectives differ; 2: something could not be run.
"""
import copy
import os
import subprocess
import sys

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
# What both contests need is there; before the packages, of which one is called tables too.
sys.path.insert(1, os.path.join(HERE, "..", "neighbors"))

import data
from judge import objective
from programs import Disagreed, Failed, core_types, processor, run_contest, run_json, say
from tables import print_table, shape, whole

PARTS = ("linear", "confident", "mlp", "trees")
# As `make peers-test` installs them, so that one environment serves both.
PINS = os.path.join(HERE, "..", "..", "scripts", "pins", "peers.txt")
THREADS = (2, 1)  # of rivals: small products are often faster on one, and far faster where cores are not free
TYPES = ("float32", "float64")
SAME_OBJECTIVE = 1e-6  # relative
OUR_TOLERANCES = ("3e-6", "1e-6")  # the usual one, and one for who wants the objective to more digits
RIVAL_TOLERANCE = "1e-8"  # of scikit-learn's linear models: the objective is to be the lowest there is
TRIAL_STEPS = "10"  # enough to tell settings apart
EPOCHS = (1, 6)  # the time of an epoch is a fifth of the difference: what is done once drops out
BATCH = "200"
HIDDEN = (128, 256)
EPOCHS_TO_THE_END = 15
TREE_NOISE = (.1, .2)  # P(label 1 | clean 0) and P(label 0 | clean 1)


class Peers:
    """bench/learning/peers.py in the virtual environment of `make peers-test`."""

    def __init__(self, build):
        folder = os.path.join(build, "peers-venv")
        script = os.path.join(HERE, "..", "..", "scripts", "peers.sh")
        self.python = os.path.join(folder, "bin", "python")
        self.available = subprocess.run(["sh", script, folder, PINS]).returncode == 0

    def run(self, what, rows, setting, *arguments):
        core_type, threads = setting
        return run_json([self.python, os.path.join(HERE, "peers.py"), what, rows.rows, rows.codes, *arguments],
                        core_type, settings=environment(threads))[0][0]

    def best_setting(self, what, rows, *arguments):
        """Of OpenBLAS's core types and numbers of threads, by one short run each; and in words what came of it."""
        trials = {(core, threads): self.run(what, rows, (core, threads), "--runs", "1", *arguments)["seconds"]
                  for threads in THREADS for core in core_types()}
        best = min(trials, key=trials.get)
        as_it_comes = trials[None, THREADS[0]] / trials[best]
        return best, (f"OpenBLAS for {best[0] or 'what it detects'}, threads: {best[1]}; as it comes, on two, a trial "
                      f"took {as_it_comes:.1f} times as long")


def environment(threads):
    return {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}


def how(line):
    runs = "one run" if line["runs"] == 1 else f"best of {line['runs']}"
    return ", ".join(part for part in (line.get("how"), runs) if part)


def megabytes(line):
    return whole(line["megabytes"]) if "megabytes" in line else ""


def fastest(lines):
    return min(lines, key=lambda line: line["seconds"])


def judged_trees(line, path, clean):
    found = numpy.load(path).astype(float)
    return dict(line, loss=-numpy.log(found[numpy.arange(len(clean)), clean]).mean(),
                accuracy=(found.argmax(1) == clean).mean())


class Contest:
    def __init__(self, build, shared_data, quick):
        self.program = os.path.join(build, "learn-rivals")
        if not os.access(self.program, os.X_OK):
            raise Failed(f"{self.program} is not built")
        self.folder, self.shared_data, self.quick = os.path.join(build, "bench-data"), shared_data, quick
        os.makedirs(self.folder, exist_ok=True)
        self.disagreements = []
        self.runs = ["--runs", "1" if quick else "3"]
        self.peers = Peers(build)
        if not self.peers.available:
            say("scikit-learn and cleanlab are left out: they cannot be installed")

    def ours(self, what, rows, *arguments):
        line = run_json([self.program, what, rows.rows, rows.codes, *self.runs, *arguments],
                        settings=environment(2))[0][0]
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

    def rival_linear(self, rows, ridge, runs):
        path = os.path.join(self.folder, "learn-coefficients.npy")
        lines = []
        for kind in TYPES:
            common = ["--type", kind, "--ridge", str(ridge), "--tolerance", RIVAL_TOLERANCE]
            setting, words = self.peers.best_setting("linear", rows, *common, "--steps", TRIAL_STEPS)
            line = self.peers.run("linear", rows, setting, *common, *runs, "--coefficients", path)
            line = dict(line, name=f"{line['name']}, {kind}", how=words)
            lines.append(self.judged(line, rows, ridge, path))
        return lines

    def linear_on(self, rows, ridge, rival_runs):
        say(f"linear: {rows.name}")
        path = os.path.join(self.folder, "learn-coefficients.npy")
        ours = []
        for tolerance in OUR_TOLERANCES:
            line = self.ours("linear", rows, "--ridge", str(ridge), "--tolerance", tolerance, "--coefficients", path)
            line["name"] += f", tolerance {tolerance}"
            ours.append(self.judged(line, rows, ridge, path))
        rivals = self.rival_linear(rows, ridge, rival_runs) if self.peers.available else []
        lines = ours + rivals
        lowest = min(line["objective"] for line in lines)
        print(f"### Linear model, {rows.name}, {shape(*rows.shape())}, ridge {ridge:g}\n")
        print_table(["trainer", "seconds", "ratio", "objective", "above the lowest", "steps",
                     "memory beyond the input, MB", "how"],
                    [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / ours[0]['seconds']:.1f}",
                      f"{line['objective']:.10g}", f"{line['objective'] / lowest - 1:.1e}", str(line["steps"]),
                      megabytes(line), how(line)] for line in lines])
        self.compare_objectives(rows.name, ours, rivals, lowest)

    def compare_objectives(self, name, ours, rivals, lowest):
        """Of both sides only who reaches the objective counts."""
        ours, rivals = ([line for line in side if line["objective"] / lowest - 1 <= SAME_OBJECTIVE]
                        for side in (ours, rivals))
        if not ours:
            self.disagreements.append(f"{name}: none of our linear models is within {SAME_OBJECTIVE:g} of the lowest "
                                      "objective")
        elif rivals:
            print(f"Of those within {SAME_OBJECTIVE:g} of the lowest objective the fastest rival takes "
                  f"**{fastest(rivals)['seconds'] / fastest(ours)['seconds']:.1f} times** as long as "
                  f"{fastest(ours)['name']}.\n", flush=True)

    def linear(self):
        self.linear_on(self.adult(), 1e-4, [*self.runs, "--enough-seconds", "30"])
        self.linear_on(self.images(), 1e-3, ["--runs", "1"])  # minutes

    # ------------------------------------------------------------------------------------ confident

    def confident(self):
        rows = self.adult()
        say(f"confident: {rows.name}")
        ours = self.ours("confident", rows, "--ridge", "1e-4")
        lines = [ours]
        if self.peers.available:
            for kind in TYPES:
                common = ["--type", kind, "--ridge", "1e-4"]
                setting, words = self.peers.best_setting("confident", rows, *common, "--steps", TRIAL_STEPS)
                line = self.peers.run("confident", rows, setting, *common, *self.runs, "--enough-seconds", "30")
                lines.append(dict(line, name=f"{line['name']}, scikit-learn, {kind}", how=words))
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
        """Seconds of one epoch, by two runs of different length."""
        short, long = run(EPOCHS[0]), run(EPOCHS[1])
        return dict(long, seconds=(long["seconds"] - short["seconds"]) / (EPOCHS[1] - EPOCHS[0]))

    def rival_epoch(self, rows, hidden, setting):
        return self.epoch(lambda epochs: self.peers.run(
            "mlp", rows, setting, "--hidden", str(hidden), "--batch", BATCH, *self.runs, "--enough-seconds", "40",
            "--epochs", str(epochs)))

    def mlp_to_the_end(self, rows, hidden, setting):
        common = ["--hidden", str(hidden), "--batch", BATCH, "--epochs", str(EPOCHS_TO_THE_END), "--test-rows",
                  rows.test_rows, "--test-codes", rows.test_codes, "--runs", "1"]
        line = run_json([self.program, "mlp", rows.rows, rows.codes, *common], settings=environment(2))[0][0]
        lines = [dict(line, name="noiseplus")]
        if self.peers.available:
            lines.append(self.peers.run("mlp", rows, setting, *common))
        return lines

    def mlp(self):
        rows = self.images()
        setting = None
        for hidden in HIDDEN:
            say(f"mlp: {rows.name}, {hidden} hidden units")
            ours = self.epoch(lambda epochs: self.ours("mlp", rows, "--hidden", str(hidden), "--batch", BATCH,
                                                       "--epochs", str(epochs)))
            rivals = []
            if self.peers.available:
                setting, words = self.peers.best_setting("mlp", rows, "--hidden", str(hidden), "--batch", BATCH,
                                                         "--epochs", "1")
                rivals = [dict(self.rival_epoch(rows, hidden, setting), how=words)]
            print(f"### Perceptron, one epoch, {rows.name}, {shape(*rows.shape())}, {hidden} hidden units, batches of "
                  f"{BATCH}\n")
            print_table(["trainer", "seconds an epoch", "ratio", "memory beyond the input, MB", "how"],
                        [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / ours['seconds']:.1f}",
                          megabytes(line), how(line)] for line in [ours, *rivals]])
        lines = self.mlp_to_the_end(rows, HIDDEN[-1], setting)
        print(f"### Perceptron, {EPOCHS_TO_THE_END} epochs, {HIDDEN[-1]} hidden units: on rows it has not seen\n")
        print_table(["trainer", "seconds", "ratio", "accuracy", "how"],
                    [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / lines[0]['seconds']:.1f}",
                      f"{line['accuracy']:.2%}", how(line)] for line in lines])

    # ------------------------------------------------------------------------------------ trees

    def with_noise(self, rows):
        """The same rows with labels of known noise."""
        clean = numpy.load(rows.codes)
        drawn = numpy.random.default_rng(0).random(len(clean))
        noisy = copy.copy(rows)
        noisy.codes = os.path.join(self.folder, "learn-noisy-codes.npy")
        is_wrong = drawn < numpy.take(TREE_NOISE, clean)
        numpy.save(noisy.codes, numpy.where(is_wrong, 1 - clean, clean).astype(numpy.int32))
        return noisy

    def trees(self):
        """Rivals are judged by clean labels, which nobody has seen; each draws folds of its own."""
        rows = self.adult()
        say(f"trees: {rows.name}")
        clean = numpy.load(rows.codes)
        noisy = self.with_noise(rows)
        e_minus, e_plus = TREE_NOISE
        path = os.path.join(self.folder, "learn-tree-scores.npy")
        common = ["--scores", path, "--transition", *map(str, (1 - e_minus, e_minus, e_plus, 1 - e_plus))]
        lines = self.tree_lines("trees", noisy, clean, path, common)
        print(f"### Boosted trees, five folds of 120, {rows.name}, {shape(*rows.shape())}\n")
        print_table(["trainer", "seconds", "ratio", "loss on clean labels", "accuracy on clean labels",
                     "memory beyond the input, MB", "how"],
                    [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / lines[0]['seconds']:.1f}",
                      f"{line['loss']:.4f}", f"{line['accuracy']:.2%}", megabytes(line), how(line)] for line in lines])

        lines = self.tree_lines("tree-model", noisy, clean, path, common)
        print(f"### One model of 120 trees, {rows.name}: training and predicting all rows\n")
        print_table(["trainer", "seconds", "ratio", "seconds to predict", "ratio", "accuracy on clean labels", "how"],
                    [[line["name"], f"{line['seconds']:.3g}", f"{line['seconds'] / lines[0]['seconds']:.1f}",
                      f"{line['predict_seconds']:.3g}", f"{line['predict_seconds'] / lines[0]['predict_seconds']:.1f}",
                      f"{line['accuracy']:.2%}", how(line)] for line in lines])

    def tree_lines(self, what, noisy, clean, path, common):
        """Ours and the rivals', which leave their probabilities in the file at `path`."""
        lines = [judged_trees(self.ours(what, noisy, *common), path, clean)]
        if self.peers.available:
            for threads in THREADS:
                line = self.peers.run(what, noisy, (None, threads), *common, "--threads", str(threads), *self.runs)
                lines.append(dict(judged_trees(line, path, clean), how=f"threads: {threads}"))
        return lines

    def run(self, only):
        print("## Trainers\n")
        print(f"{processor()}, two threads. The ratio is to ours. Rivals are on their best settings.\n")
        for name in [only] if only else PARTS:
            getattr(self, name)()
        if self.disagreements:
            raise Disagreed("; ".join(self.disagreements))


if __name__ == "__main__":
    sys.exit(run_contest(Contest, PARTS, __doc__.splitlines()[0]))
