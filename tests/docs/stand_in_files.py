"""The files that the documentation's commands read, small, so that each can be run as it stands."""
import gzip
import pathlib
import subprocess
import sys

import numpy

from pages import ROOT
from program import PROGRAM

sys.path.insert(0, str(ROOT / "tests" / "cli"))
import stand_ins  # noqa: E402

ADULT = ("age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,capital_gain,"
         "capital_loss,hours_per_week,native_country,income")


def write_all(folder):
    folder = pathlib.Path(folder)
    draw = numpy.random.default_rng(5)
    lines = [line.replace(", ", ",") for line in stand_ins.adult_lines(draw, 2400)]
    table = "\n".join([ADULT, *lines[:1600]]) + "\n"
    (folder / "adult.csv.gz").write_bytes(gzip.compress(table.encode(), mtime=0))
    checked = "\n".join([ADULT, *lines[1600:]]) + "\n"
    for name in ("checked.csv", "adult-test.csv", "test.csv"):
        (folder / name).write_text(checked)
    (folder / "people.csv").write_text(table)
    write_clean(folder / "clean.csv", draw)
    write_clean(folder / "a.csv", draw)
    for name in ("DIR", "data"):
        write_sets(folder / name)
    for name in ("income.model", "adult.model"):
        noiseplus(folder, "train", "adult.csv.gz", "--label", "income", "--output", name)
    noiseplus(folder, "audit", "adult.csv.gz", "--label", "income", "--json", "audit.json")
    for name in ("before.json", "after.json"):
        noiseplus(folder, "evaluate", "income.model", "checked.csv", "--json", name)
    (folder / "build").mkdir()
    (folder / "build" / "noiseplus").symlink_to(PROGRAM)


def noiseplus(folder, *arguments):
    subprocess.run([PROGRAM, *arguments, "--quiet"], cwd=folder, check=True)


def write_clean(path, draw):
    """Two classes, called yes and no, and two groups."""
    label = draw.random(1000) < .5
    points = draw.normal(size=(1000, 2)) + 4 * label[:, None]
    stand_ins.write_csv(path, "a,b,g,y", ((f"{a:.3f}", f"{b:.3f}", "fm"[at % 2], ("no", "yes")[int(of)])
                                          for at, ((a, b), of) in enumerate(zip(points, label))))


def write_sets(folder):
    stand_ins.write_adult(folder, training=300, test=150)
    stand_ins.write_cifar10n(folder, rows=200)
    stand_ins.write_clothing1m(folder, training=200, test=80)


# The real tables take a quarter of an hour. One draw of one setting of each shows that the command is right.
SETTING = {"table1": "adult:0.2:0.4", "table2": "cifar10:gap0.2", "table3": "clothing1m", "table4": "adult:0.2:0.4",
           "all": "adult:0.2:0.4", "figure-gap": "adult"}


def made_smaller(words):
    """The words of a `noiseplus reproduce` with one draw and one setting; of a `noiseplus demo` with generated rows."""
    if words[1] == "demo":
        return words + ["--data", ""]
    words = [word for at, word in enumerate(words) if word != "--seeds" and words[at - 1] != "--seeds"]
    return words + ["--seeds", "1"] + ([] if "--only" in words else ["--only", SETTING[words[2]]])
