"""Our exact neighbor search against its rivals, in one run, as Markdown tables.

    python3 bench/neighbors/run.py BUILD_FOLDER [--quick] [--only PART] [--kernel avx2] [--shared-data FOLDER]

Two threads each, best of three. Exit code 1: two exact searches disagree; 2: something could not be run.
"""
import os
import sys

import audit
from programs import HERE, Failed, Peers, Rivals, core_types, processor, run_contest, say
from tables import print_searches, print_table, shape, whole

MIXTURE_COMPONENTS, MIXTURE_SPREAD = 20, 2
LARGE_AUDIT = ("--anchors", "auto", "--precision", "0.02")


class Sizes:
    def __init__(self, quick):
        self.shrink = 10 if quick else 1
        self.run_count = 1 if quick else 3
        self.runs = ["--runs", str(self.run_count)]
        self.queries = ["--queries", "1024" if quick else "8192"]
        self.tree_queries = ["--tree-queries", "50" if quick else "100"]
        self.sgemm = 1000 if quick else 4000
        self.anchors = 1000 if quick else 8192

    def rows(self, count):
        return count // self.shrink


def with_core_type(measurement, source, core_type):
    settings = [f"OpenBLAS for {core_type or 'what it detects'}"]
    if measurement.get("setting"):
        settings.append(measurement["setting"])
    return dict(measurement, search=f"{source}'s {measurement['search']}", setting=", ".join(settings))


def fastest_and_first(measurements):
    """The fastest, and beside it the one with OpenBLAS as it comes, which is the first."""
    fastest = min(measurements, key=lambda measurement: measurement["seconds"])
    return [fastest] if fastest is measurements[0] else [fastest, measurements[0]]


class Contest:
    def __init__(self, build, shared_data, quick, kernel):
        self.build, self.shared_data, self.sizes = build, shared_data, Sizes(quick)
        self.kernel, self.core_types = kernel, core_types(kernel)
        self.rivals, self.peers = Rivals(build, kernel), Peers(build, kernel)
        self.peak = 0
        if not self.rivals.has_faiss:
            say("Debian's FAISS is left out: it was not found when this was built")
        if not self.peers.available:
            say("PyPI's faiss-cpu and scikit-learn are left out: they cannot be installed")

    def generated(self, kind, rows, columns, *arguments, variant=""):
        name = f"{kind}{variant}-{rows}x{columns}.npy"
        return self.rivals.make(name, kind, "--rows", str(rows), "--columns", str(columns), *arguments)

    def ours(self, path, k, *arguments):
        return self.rivals.search(path, k, *self.sizes.runs, *arguments)[0]

    # ------------------------------------------------------------------------------------ the machine

    def measure_peak(self):
        say("the machine's peak")
        found = []
        if self.rivals.has_faiss:
            for core_type in self.core_types:
                measured = self.rivals.sgemm(core_type, self.sizes.sgemm)
                chosen = f"told it is a {core_type}" if core_type else "as it chooses itself"
                found.append((f"Debian's {' '.join(measured['sgemm'].split()[:2])}, {chosen}", measured["gflops"]))
        if self.peers.available:
            measured = self.peers.run("sgemm", "--size", str(self.sizes.sgemm), core_type=self.core_types[0])[0]
            found.append((f"PyPI's {measured['sgemm']}", measured["gflops"]))
        self.peak = max([gflops for _, gflops in found], default=0)
        found += [(f"our tile kernel alone, {columns} columns", self.rivals.kernel_rate(columns))
                  for columns in (16, 50, 128, 512)]
        size = whole(self.sizes.sgemm)
        print(f"### The machine: sgemm, {size} × {size} × {size}, two threads; the largest is the peak\n")
        print_table(["what", "GFLOP/s"],
                    [[name, f"**{whole(rate)}**" if rate == self.peak else whole(rate)] for name, rate in found])

    # ------------------------------------------------------------------------------------ rivals

    def with_debian_faiss(self, path, k):
        """Ours, and Debian's FAISS in turns with it."""
        faiss = []
        common = [*self.sizes.runs, *self.sizes.queries, "--faiss"]
        for core_type in self.core_types:
            is_first = core_type == self.core_types[0]
            lines = self.rivals.search(path, k, *common, *([] if is_first else ["--no-ours"]), core_type=core_type)
            if is_first:
                ours, agreement = lines.pop(0), lines.pop()["agreement"]
            faiss.append(with_core_type(lines[0], "Debian", core_type))
        ours["setting"] = f"{agreement:.2%} of FAISS's queries answered alike"
        return [ours, *fastest_and_first(faiss)]

    def peers_by_k(self, path, ks):
        asked = [path, *self.sizes.runs, *self.sizes.queries, *self.sizes.tree_queries]
        for k in ks:
            asked += ["--k", str(k)]
        faiss = [with_core_type(line, "PyPI", core_type)
                 for core_type in self.core_types for line in self.peers.run("faiss", *asked, core_type=core_type)]
        others = [dict(line, search=f"PyPI's {line['search']}") for line in self.peers.run("scikit-learn", *asked)]
        return {k: fastest_and_first([line for line in faiss if line["k"] == k]) +
                   [line for line in others if line["k"] == k] for k in ks}

    def against_rivals(self, title, path, rows, columns, ks):
        say(title)
        peers = self.peers_by_k(path, ks) if self.peers.available else {k: [] for k in ks}
        for k in ks:
            measurements = self.with_debian_faiss(path, k) if self.rivals.has_faiss else [self.ours(path, k)]
            print_searches(f"{title}, k = {k}", measurements + peers[k], rows, columns, self.peak)

    # ------------------------------------------------------------------------------------ our own ways

    def against_noise(self):
        """Real data have structure; noise of the same shape has none."""
        adult = os.path.join(self.shared_data, "adult", "adult.csv.gz")
        mnist = os.path.join(self.shared_data, "mnist", "train-images-idx3-ubyte.gz")
        lines = []
        for name, source, arguments, ks in (("Adult, encoded", adult, ["--label", "income"], (10, 2)),
                                            ("MNIST, training images", mnist, [], (2,))):
            if not os.path.exists(source):
                say(f"{name}: left out, there is no {os.path.normpath(source)}")
                continue
            if self.sizes.shrink > 1 and source == mnist:
                say(f"{name}: left out, it is not quick")
                continue
            say(name)
            path = self.rivals.make(os.path.basename(source).split(".")[0] + ".npy", "features", source, *arguments,
                                    again=True)  # the encoder may have changed
            for k in ks:
                real = self.ours(path, k, "--enough-seconds", "20")
                noise_path = self.generated("noise", real["rows"], real["columns"])
                noise = self.ours(noise_path, k, "--enough-seconds", "20")
                lines.append([name, shape(real["rows"], real["columns"]), str(k), f"{real['seconds']:.3g}",
                              f"{noise['seconds']:.3g}", f"{noise['seconds'] / real['seconds']:.2f}",
                              whole(real.get("megabytes", 0))])
        if lines:
            print("### Real data, ours, against Gaussian noise of the same shape\n")
            print_table(["data", "shape", "k", "seconds", "noise, seconds", "ratio", "memory beyond the input, MB"],
                        lines)

    def types_and_metrics(self, path, rows, columns, k):
        say("float16 and cosine")
        plain = self.ours(path, k)
        lines = []
        for name, arguments in (("float32, euclidean", []), ("float16, euclidean", ["--type", "float16"]),
                                ("float32, cosine", ["--metric", "cosine"])):
            measured = self.ours(path, k, *arguments) if arguments else plain
            lines.append([name, f"{measured['seconds']:.3g}", f"{measured['seconds'] / plain['seconds']:.2f}",
                          whole(measured.get("megabytes", 0))])
        print(f"### Types and metrics, ours, mixture of {shape(rows, columns)}, k = {k}\n")
        print_table(["rows", "seconds", "ratio", "memory beyond the input, MB"], lines)

    def large_audit(self, rows, columns):
        program = os.path.join(self.build, "noiseplus")
        if not audit.takes_precision(program):
            say("audit of a large file: left out, this build has no --precision")
            return
        say("audit of a large file")
        labels = self.rivals.path(f"classes-{rows}x{columns}-labels.npy")
        path = self.generated("classes", rows, columns, "--labels-output", labels)
        in_memory = self.ours(path, 10, "--anchors", str(self.sizes.anchors))
        in_memory_rate = 2 * in_memory["queries"] * rows * columns / in_memory["seconds"] / 1e9
        rate = self.rivals.kernel_rate(columns)
        audits = [audit.run_audit(program, path, labels, "--kernel", self.kernel, *LARGE_AUDIT)
                  for _ in range(self.sizes.run_count)]
        if None in audits:
            raise Failed("noiseplus audit failed on " + path)
        found = min(audits, key=lambda report: report["wall"])
        expected = 2 * found["anchors"] * rows * columns / rate / 1e9
        searching = found["seconds"]["neighbours"]
        print(f"### Audit of {shape(rows, columns)} float32 in a mapped npy file\n")
        print(f"`{found['command']}`\n")
        print_table(["what", "value"], [
            ["anchors it chose", whole(found["anchors"])],
            ["whole program, seconds", f"{found['wall']:.3g}"],
            ["search, seconds", f"{searching:.3g}"],
            [f"rate of {whole(in_memory['queries'])} anchors in memory, GFLOP/s", whole(in_memory_rate)],
            ["rate of the kernel alone, GFLOP/s", whole(rate)],
            ["anchors · rows · columns · 2 at that rate, seconds", f"{expected:.3g}"],
            ["search to that", f"{searching / expected:.2f}"],
            ["memory beyond the mapping (peak RssAnon), MB", whole(max(report["megabytes"] for report in audits))]])

    # ------------------------------------------------------------------------------------ all of it

    def mixture(self):
        rows, columns = self.sizes.rows(108501), 50
        path = self.generated("mixture", rows, columns, "--components", str(MIXTURE_COMPONENTS), "--spread",
                              str(MIXTURE_SPREAD), variant=f"-{MIXTURE_COMPONENTS}-{MIXTURE_SPREAD}")
        return path, rows, columns

    def mixture_against_rivals(self):
        path, rows, columns = self.mixture()
        title = (f"Mixture of {MIXTURE_COMPONENTS} unit Gaussians, centers N(0, {MIXTURE_SPREAD}²) a column, "
                 f"{shape(rows, columns)}")
        self.against_rivals(title, path, rows, columns, (2, 10))

    def noise_against_rivals(self, rows, columns, ks):
        self.against_rivals(f"Gaussian noise, {shape(rows, columns)}", self.generated("noise", rows, columns), rows,
                            columns, ks)

    def run(self, only):
        parts = {
            "mixture": self.mixture_against_rivals,
            "noise": lambda: self.noise_against_rivals(self.sizes.rows(108501), 50, (2, 10)),
            "wide": lambda: self.noise_against_rivals(self.sizes.rows(50000), 512, (2,)),
            "types": lambda: self.types_and_metrics(*self.mixture(), 10),
            "real": self.against_noise,
            "audit": lambda: self.large_audit(self.sizes.rows(1000000), 128),
        }
        print("## Exact nearest neighbors\n")
        held = "" if self.kernel == "auto" else f", held to {self.kernel}"
        print(f"{processor()}{held}, two threads. Seconds are for all rows as queries; GFLOP/s count n² d operations, each "
              "pair once; the ratio is to ours. Rivals look for k + 1 rows, because the row itself is among them.\n")
        self.measure_peak()
        for name in [only] if only else parts:
            parts[name]()


PARTS = ("mixture", "noise", "wide", "types", "real", "audit")


if __name__ == "__main__":
    sys.exit(run_contest(Contest, PARTS, __doc__.splitlines()[0], "one part, after the machine's peak",
                         kernels=("auto", "avx2")))
