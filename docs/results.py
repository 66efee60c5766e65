"""docs/results.md, its pictures and README's table: all from one run of `noiseplus reproduce all`.

    python3 docs/results.py build/noiseplus DATA FOLDER      # runs it in FOLDER, then writes
    python3 docs/results.py FOLDER                           # writes again from what is there

Every number of the page is counted here, so that none can be left over from an earlier run.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE / "figures"))
import accuracy as picture  # noqa: E402  (beside demo.py, whose drawing it shares)

SEEDS = 5
NAMES = {"adult": "Adult", "compas": "COMPAS", "fairface": "FairFace", "mnist": "MNIST", "cifar10": "CIFAR-10",
         "cifar10n": "CIFAR-10N", "clothing1m": "Clothing1M"}


def run(program, data, folder):
    if pathlib.Path(folder, "cells").exists():
        sys.exit(f"{folder}/cells: finished cells of an earlier run; remove the folder or name another")
    start = time.monotonic()
    subprocess.run([program, "reproduce", "all", "--data", data, "--seeds", str(SEEDS), "--output", folder], check=True)
    took = {"seconds": time.monotonic() - start,
            "cores": len(os.sched_getaffinity(0)),
            "bytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024}
    pathlib.Path(folder, "took.json").write_text(json.dumps(took))


class Table:
    """means[dataset][setting][method], of one metric."""

    def __init__(self, folder, name, metric="accuracy"):
        self.means, self.deviations = {}, {}
        for row in json.loads(pathlib.Path(folder, f"{name}.json").read_text())["rows"]:
            if row["metric"] == metric:
                place = self.means.setdefault(row["dataset"], {}).setdefault(row["setting"], {})
                place[row["method"]] = row["mean"]
                self.deviations[row["dataset"], row["setting"], row["method"]] = row["sd"]

    def settings(self, *datasets):
        return [(name, setting, values) for name, settings in self.means.items() if not datasets or name in datasets
                for setting, values in settings.items()]

    def mean(self, method, dataset):
        return statistics.mean(values[method] for values in self.means[dataset].values())

    def wins(self, ours, theirs, *datasets, by=0.):
        """In how many settings ours is better, by more than so much."""
        return sum(values[ours] > values[theirs] + by for _, _, values in self.settings(*datasets))

    def lead(self, ours, theirs, *datasets):
        return statistics.mean(values[ours] - values[theirs] for _, _, values in self.settings(*datasets))

    def largest_lead(self, ours, theirs, *datasets):
        return max((values[ours] - values[theirs], f"{NAMES[name]} {setting}")
                   for name, setting, values in self.settings(*datasets))


class Figure:
    """Where the measured curves of the figure, in the mean, first come down to zero; none where they do not."""

    def __init__(self, folder):
        curves = {}
        for row in json.loads(pathlib.Path(folder, "figure-gap.json").read_text())["rows"]:
            variant, epsilon = row["method"].split()
            curves.setdefault((row["dataset"], variant), []).append((float(epsilon), row["mean"]))
        self.roots = {key: self.root(sorted(points)) for key, points in curves.items()}

    @staticmethod
    def root(points):
        for (left, above), (right, below) in zip(points, points[1:]):
            if above > 0 >= below:
                return left + (right - left) * above / (above - below)
        return None


def markdown(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def in_short(table):
    """Means over the settings of each data set."""
    columns = {"ce": "CE", "peer": "Peer", "est-sl": "Est. SL", "paper-ce": "paper’s search, CE",
               "paper-peer": "paper’s search, Peer", "balanced-ce": "**Noise+ CE**", "balanced-peer": "**Noise+ Peer**",
               "auto-sl": "SL by auto", "oracle-ce": "oracle flip", "clean-ce": "clean labels"}
    rows = [[NAMES[name]] + [f"{table.mean(method, name):.1f}" for method in columns] for name in table.means]
    return markdown(["accuracy, %", *columns.values()], rows)


def readme_table(table):
    columns = {"ce": "labels as given", "paper-ce": "paper’s search", "balanced-ce": "**noiseplus**",
               "clean-ce": "clean labels"}
    rows = [[f"{NAMES[name]}, {len(settings)} noise settings"] + [f"{table.mean(m, name):.1f} %" for m in columns]
            for name, settings in table.means.items()]
    return markdown(["accuracy of a linear model", *columns.values()], rows)


def body_of(folder, name):
    """A table's page, one heading deeper."""
    text = pathlib.Path(folder, f"{name}.md").read_text()
    return re.sub(r"^#", "##", text, flags=re.M)


def put_into_readme(text):
    path = HERE.parent / "README.md"
    begin, end = "<!-- results -->\n", "<!-- /results -->"
    readme = path.read_text()
    start, stop = readme.index(begin) + len(begin), readme.index(end)
    path.write_text(readme[:start] + text + readme[stop:])


def main(folder):
    folder = pathlib.Path(folder)
    took = json.loads((folder / "took.json").read_text())
    one, two, three = (Table(folder, f"table{n}") for n in (1, 2, 3))
    four, unfair = Table(folder, "table4"), Table(folder, "table4", "violation")
    figure = Figure(folder)
    claims = {name: re.findall(r"\| ([^|]*(?:right|silent)[^|]*) \|", (folder / f"{name}.md").read_text())
              for name in ("table2",)}
    from results_reading import reading
    page = f"""# The paper, computed again

    noiseplus reproduce all --data DIR --seeds {SEEDS}

made the tables and the figure on this page, in {took['seconds'] / 60:.0f} minutes on {took['cores']} cores, with at most
{took['bytes'] / 1e6:.0f} MB. What the data are, where to get them and what each method does: [reproduce.md](reproduce.md).
`make results` writes the page; what the reading says of the tables is counted from them.

## In short

{in_short(one)}
Means over all settings of Table 1, a linear model, clean test rows. *SL by auto* corrects the loss with the rates that
`auto` found; *oracle flip* balances with the true rates; nobody has clean labels.

![Accuracy of a linear model in the 27 settings of Table 1](figures/accuracy.svg)

{reading(one, two, three, four, unfair, figure, claims)}
"""
    for name in ("table1", "table2", "table3", "table4"):
        page += "\n" + body_of(folder, name)
    page += """
## Figure: PA − NA over ε

![Agreement gap over the share of flipped labels, measured and predicted](figures/figure-gap.svg)
"""
    (HERE / "results.md").write_text(page)
    shutil.copyfile(folder / "figure-gap.svg", HERE / "figures/figure-gap.svg")
    picture.draw(picture.read(folder), HERE / "figures/accuracy.svg")
    put_into_readme(readme_table(one))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        run(*sys.argv[1:])
    main(sys.argv[-1])
