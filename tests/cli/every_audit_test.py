"""An audit that ends well writes all that it was asked for: JSON, page and rows. tests/report/every_audit_test.cpp tries
more such tables in the library.
"""
import csv
import json
import os
import random
import re
import subprocess

import numpy
import pytest

pytestmark = pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "",
                                reason="takes long; the library's tests run such tables under the sanitizers")


def expect_outputs(folder, rows=None):
    report = json.loads((folder / "a.json").read_bytes())
    page = (folder / "a.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="noiseplus-data">(.*?)</script>', page, re.DOTALL)[1])
    assert data["documents"][0]["report"]["classes"]
    if rows is not None:
        with open(folder / "a.csv", newline="", encoding="utf-8", errors="surrogateescape") as file:
            assert len(list(csv.DictReader(file))) == rows
    return report


def write_clusters(folder, rates, rows):
    """Small clusters, many to a class, whose labels are clean; the rates as `corrupt` takes them."""
    draw = numpy.random.default_rng(1)
    clean = numpy.arange(rows) % len(rates)
    places = numpy.stack([100 * clean, 10 * draw.integers(0, 20, rows)], axis=1)
    numpy.save(folder / "x.npy", (places + draw.random((rows, 2))).astype(numpy.float32))
    numpy.save(folder / "y.npy", clean)
    return [word for label, rate in enumerate(rates) for word in ("--rate", f"{label}={rate}")]


# A class that keeps at most 1/K of its labels cannot be balanced; that is found and no error.
@pytest.mark.parametrize("estimator", ["auto", "latent-class"])
@pytest.mark.parametrize("rates", [[.8, .02, .02], [.66, .66, .1]], ids=str)
def test_labels_worse_than_chance_are_reported(noiseplus, tmp_path, rates, estimator):
    given = write_clusters(tmp_path, rates, 3000)
    noiseplus("corrupt", "x.npy", "--labels", "y.npy", *given, "--output", "noisy.npy")
    noiseplus("audit", "x.npy", "--labels", "noisy.npy", "--estimator", estimator, "--json", "a.json", "--html", "a.html")
    assert len(expect_outputs(tmp_path)["classes"]) == 3


def test_a_p_value_too_small_for_a_normal_number_is_shown(noiseplus, tmp_path):
    """Of so many rows and these rates it is denormal, which not every reader of numbers takes."""
    given = write_clusters(tmp_path, [.05, .35], 44531)
    noiseplus("corrupt", "x.npy", "--labels", "y.npy", *given, "--output", "noisy.npy")
    noiseplus("audit", "x.npy", "--labels", "noisy.npy", "--estimator", "moments", "--json", "a.json", "--html", "a.html")
    expect_outputs(tmp_path)
    assert 0 < float(re.search(r'"p_value": ([^,\s]+)', (tmp_path / "a.json").read_text())[1]) < 2.2e-308


# Cases of random_table with a number that no float holds.
REFUSED = {2, 4}


def random_cell(kind, scale, offset, position, draw):
    """At any scale, of one value only, too small for a normal number, whole, missing here and there, or text."""
    if kind == 0:
        return "7"
    if kind == 1:
        return repr(round(position * 8) * 5e-324)
    if kind == 2:
        return str(round(position))
    if kind == 3:
        return "" if draw.random() < .1 else repr(position)
    if kind == 4:
        return f"t{round(position)}"
    return repr(offset + scale * position)


def random_table(seed):
    """A csv file as far from the usual as it can be read, and the flags to audit it with."""
    draw = random.Random(seed)
    classes = draw.choice([2, 2, 3, 5, 12])
    rows = draw.choice([40, 150, 600])
    groups = draw.choice([0, 0, 1, 4])
    apart = draw.choice([0, 2, 8, 40])
    worst = draw.choice([.1, .4, .7, .97])
    rates = [0 if draw.random() < .3 else worst * draw.random() for _ in range(classes)]
    weights = [draw.random() ** 2 + .05 for _ in range(classes)]
    names = draw.choice([str, lambda c: f"</script>&\u00e9{c}", lambda c: f"{c}{'x' * 5000}{c}", lambda c: f"\udcff{c}"])
    columns = []
    for _ in range(draw.randint(1, 5)):
        scale = 10.0 ** draw.uniform(-300, 300)
        columns.append((draw.randrange(7), scale, draw.choice([0, 1000 * scale])))
    lines = [",".join([f"x{j}" for j in range(len(columns))] + ["g"] * (groups > 0) + ["y"])]
    for _ in range(rows):
        clean = draw.choices(range(classes), weights)[0]
        given = draw.randrange(classes) if draw.random() < rates[clean] else clean
        cells = [random_cell(*column, apart * (clean * (j + 1) % classes) + draw.random(), draw)
                 for j, column in enumerate(columns)]
        if groups:
            cells.append(f"group{groups - 1 if draw.random() < .01 else draw.randrange(groups)}")
        lines.append(",".join([*cells, names(given)]))
    estimators = ["auto", "auto", "curve", "latent-class", "confident", "paper"]
    if classes == 2:
        estimators += ["moments", "edges", "overlap"]
    flags = ["--estimator", draw.choice(estimators), "--k", str(draw.randint(2, 12)), "--seed", str(seed)]
    if draw.random() < .2:
        flags += ["--metric", "cosine"]
    return lines, rows, flags + ["--group", "g"] * (groups > 0)


@pytest.mark.parametrize("seed", range(10))
def test_any_audit_that_ends_well_writes_its_files(program, tmp_path, seed):
    lines, rows, flags = random_table(seed)
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", errors="surrogateescape")
    arguments = ["audit", "t.csv", "--label", "y", *flags, "--json", "a.json", "--html", "a.html", "--rows", "a.csv"]
    done = subprocess.run([program, *arguments], cwd=tmp_path, capture_output=True, timeout=120, check=False)
    if done.returncode == 0:
        expect_outputs(tmp_path, rows)
        return
    assert done.returncode == 3 and seed in REFUSED, done.stderr
    assert done.stderr.startswith(b"noiseplus: ") and done.stderr.count(b"\n") == 1
    assert not [name for name in ("a.json", "a.html", "a.csv") if (tmp_path / name).exists()]
