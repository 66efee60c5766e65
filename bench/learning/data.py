"""The rows of the contest as npy files, which every contestant reads. What is not there is generated."""
import gzip
import os

import numpy

from programs import run_json, say

FASHION = "/usr/share/datasets/fashion-mnist"


class Rows:
    """Where rows and their labels are, and what they are called."""

    def __init__(self, name, folder, stem):
        self.name = name
        self.rows, self.codes, self.test_rows, self.test_codes = (
            os.path.join(folder, f"learn-{stem}-{part}.npy") for part in ("rows", "codes", "test-rows", "test-codes"))

    def save(self, rows, codes, test_rows=None, test_codes=None):
        """Labels are int32: floats and codes are all that our reader takes."""
        numpy.save(self.rows, rows.astype(numpy.float32))
        numpy.save(self.codes, codes.astype(numpy.int32))
        if test_rows is not None:
            numpy.save(self.test_rows, test_rows.astype(numpy.float32))
            numpy.save(self.test_codes, test_codes.astype(numpy.int32))
        return self

    def shape(self):
        return numpy.load(self.rows, mmap_mode="r").shape

    def head(self, count, folder):
        """The first rows only; rows of these data are in no order."""
        rows, codes = numpy.load(self.rows, mmap_mode="r"), numpy.load(self.codes)
        shorter = Rows(f"{self.name}, the first {count:,} rows", folder, f"head-{os.path.basename(self.rows)[6:-9]}")
        test = (numpy.load(self.test_rows), numpy.load(self.test_codes)) if os.path.exists(self.test_rows) else ()
        return shorter.save(rows[:count], codes[:count], *test)


def generated(name, folder, stem, rows, columns, classes, tests):
    """Overlapping Gaussians of which a few columns matter; labels that no model can know for sure."""
    say(f"{name}: not there, generated rows of the same shape take its place")
    draw = numpy.random.default_rng(0)
    centers = draw.normal(size=(classes, columns)) * (draw.random(columns) < 0.2) * 0.5
    codes = draw.integers(0, classes, rows + tests)
    values = (centers[codes] + draw.normal(size=(rows + tests, columns))).astype(numpy.float32)
    made = Rows(f"generated in place of {name}", folder, stem)
    return made.save(values[:rows], codes[:rows], *((values[rows:], codes[rows:]) if tests else ()))


def adult(program, shared_data, folder):
    """Encoded by our own encoder: indicators of texts, all columns standardized."""
    source = os.path.join(shared_data, "adult", "adult.csv.gz")
    if not os.path.exists(source):
        return generated("Adult", folder, "adult", 48842, 108, 2, 0)
    rows = Rows("Adult", folder, "adult")
    run_json([program, "encode", source, "--label", "income", "--rows-output", rows.rows, "--codes-output", rows.codes])
    return rows


def read_idx(path):
    with gzip.open(path) as file:
        data = file.read()
    sizes = [int.from_bytes(data[4 + 4 * i:8 + 4 * i], "big") for i in range(data[3])]
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * data[3]).reshape(sizes)


def images(shared_data, folder):
    for name, source in (("MNIST", os.path.join(shared_data, "mnist")), ("Fashion-MNIST", FASHION)):
        files = [os.path.join(source, f"{part}-ubyte.gz") for part in
                 ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")]
        if not all(map(os.path.exists, files)):
            continue
        rows, codes, test_rows, test_codes = map(read_idx, files)
        flat = [part.reshape(len(part), -1).astype(numpy.float32) / 255 for part in (rows, test_rows)]
        return Rows(name, folder, name.lower()).save(flat[0], codes, flat[1], test_codes)
    return generated("MNIST", folder, "mnist", 60000, 784, 10, 10000)
