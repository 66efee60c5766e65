"""How far a file may unpack, how long a message may be, and formulas in what spreadsheets open."""
import csv
import gzip
import io
import zipfile

import numpy
import pytest

from conftest import clusters

MEGABYTE = 1_000_000


def packed_zeros(size):
    """gzip of so many zeros in one column, without making them."""
    block = b"0\n" * (MEGABYTE // 2)
    result = io.BytesIO()
    with gzip.GzipFile(fileobj=result, mode="wb", compresslevel=9) as packer:
        packer.write(b"y\n")
        for _ in range(size // MEGABYTE):
            packer.write(block)
    return result.getvalue()


@pytest.fixture(scope="module")
def bomb():
    return packed_zeros(400 * MEGABYTE)


@pytest.mark.parametrize("name", ["d.csv.gz", "d.tsv.gz", "d.libsvm.gz", "d.idx.gz", "d.npy.gz", "d.npz.gz"])
def test_gzip_that_unpacks_to_too_much(noiseplus, tmp_path, bomb, name):
    (tmp_path / name).write_bytes(bomb)
    done = noiseplus("audit", name, "--label", "y", "--json", "o.json", code=3)
    assert done.stderr.decode() == (f"noiseplus: {name}: {len(bomb) / 1000:.3g} kB unpack to more than 268 MB, the limit "
                                    "--max-unpacked; raise it if the file is what you expect\n")
    assert not (tmp_path / "o.json").exists()


def test_files_beside_the_data_and_standard_input_have_limits_too(noiseplus, arrays, tmp_path, bomb):
    del arrays
    (tmp_path / "y.csv.gz").write_bytes(bomb)
    for arguments in (["x.npy", "--labels", "y.csv.gz"], ["x.npy", "--labels", "y.npy", "--groups", "y.csv.gz"]):
        assert "unpack to more than" in noiseplus("audit", *arguments, code=3).stderr.decode()
    assert "unpack to more than" in noiseplus("audit", "-", "--label", "y", stdin=bomb, code=3).stderr.decode()


def test_npz_that_unpacks_to_too_much(noiseplus, tmp_path):
    with zipfile.ZipFile(tmp_path / "d.npz", "w", zipfile.ZIP_DEFLATED) as archive, archive.open("X.npy", "w") as file:
        header = b"{'descr': '|i1', 'fortran_order': False, 'shape': (4000000, 100), }"
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
        for _ in range(400):
            file.write(bytes(MEGABYTE))
    done = noiseplus("audit", "d.npz", code=3)
    assert "d.npz, array 'X':" in done.stderr.decode() and "unpack to more than 268 MB" in done.stderr.decode()


def test_the_limit_can_be_raised_and_lowered(noiseplus, tmp_path):
    text = clusters(2000).encode()
    (tmp_path / "d.csv.gz").write_bytes(gzip.compress(text))
    numpy.savez_compressed(tmp_path / "d.npz", X=numpy.zeros((1000, 10)), y=numpy.zeros(1000))
    for size in (str(len(text)), "1M", "0.5G", "2T"):
        noiseplus("audit", "d.csv.gz", "--label", "y", "--max-unpacked", size)
    for size in (str(len(text) - 1), "1K", "0"):
        assert "unpack to more than" in noiseplus("audit", "d.csv.gz", "--label", "y", "--max-unpacked", size,
                                                  code=3).stderr.decode()
    # Both arrays together.
    assert "array 'y'" in noiseplus("audit", "d.npz", "--max-unpacked", "81K", code=3).stderr.decode()
    for size in ("-1", "much", "1X", "", "nan", "1e30"):
        noiseplus("audit", "d.csv.gz", "--label", "y", "--max-unpacked", size, code=2)


def test_the_limit_is_for_every_file_that_is_read(noiseplus, data, tmp_path):
    noiseplus("train", data, "--label", "y", "--output", "m.gz", "--quiet")
    noiseplus("audit", data, "--label", "y", "--json", "a.json.gz", "--quiet")
    (tmp_path / "T.txt.gz").write_bytes(gzip.compress((tmp_path / "T.txt").read_bytes()))
    for file, arguments in (("m.gz", ["predict", "m.gz", data, "--output", "o.csv"]),
                            ("m.gz", ["evaluate", "m.gz", data]), ("a.json.gz", ["report", "a.json.gz", "--output", "o.html"]),
                            ("T.txt.gz", ["corrupt", data, "--label", "y", "--transition", "T.txt.gz", "--output", "o.csv"]),
                            ("T.txt.gz", ["train", data, "--label", "y", "--loss", "forward", "--transition", "T.txt.gz",
                                          "--output", "o.model"])):
        size = len(gzip.decompress((tmp_path / file).read_bytes()))
        message = noiseplus(*arguments, "--max-unpacked", size - 1, code=3).stderr.decode()
        assert message.startswith(f"noiseplus: {file}: ") and "the limit --max-unpacked;" in message
        noiseplus(*arguments, "--max-unpacked", size)


def test_what_is_not_packed_has_no_limit(noiseplus, tmp_path):
    (tmp_path / "d.csv").write_text(clusters(2000))
    noiseplus("audit", "d.csv", "--label", "y", "--max-unpacked", "1K")


LONG = "é" * 3000


@pytest.mark.parametrize("arguments, code", [
    (["audit", "d.csv", "--label", LONG], 2), (["audit", LONG + ".csv", "--label", "y"], 5),
    (["audit", "d.csv", "--label", "y", "--positive", LONG], 2), (["audit", "d.csv", "--label", "y", "--k", LONG], 2),
    (["audit", "d.csv", "--label", "y", "--estimator", LONG], 2), (["audit", "d.csv", "--label", "y", "--" + LONG], 2),
    ([LONG], 2), (["corrupt", "d.csv", "--label", "y", "--rate", LONG + "=.1", "--output", "o.csv"], 2),
    (["audit", "long.csv", "--label", "y"], 3), (["audit", "wide.csv", "--label", "y"], 2)])
def test_a_message_is_short_whatever_it_quotes(noiseplus, tmp_path, arguments, code):
    (tmp_path / "d.csv").write_text(clusters(200))
    (tmp_path / "long.csv").write_text("a,y\n" + "1,0\n2,0\n" * 20 + f"3,{LONG}\n")
    (tmp_path / "wide.csv").write_text(",".join(f"{LONG}{i}" for i in range(20)) + "\n" + ",".join("1" * 20) + "\n")
    message = noiseplus(*arguments, code=code).stderr
    assert len(message) <= 1100, len(message)
    message.decode()  # cut between characters


FORMULAS = ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1"]


@pytest.fixture
def formulas(tmp_path):
    """A class that is a formula, another that is a negative number, and one that is neither."""
    def make(formula):
        rows = [("a", 0.0), (formula, 50.0)]
        lines = [f'{x + i / 100},"{label}"' for i in range(40) for label, x in rows]
        (tmp_path / "f.csv").write_text("x,y\n" + "\n".join(lines) + "\n")
    return make


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_are_escaped_where_that_is_asked_for(noiseplus, formulas, formula):
    formulas(formula)
    noiseplus("train", "f.csv", "--label", "y", "--output", "m", "--quiet")
    for arguments, column in ((["audit", "f.csv", "--label", "y", "--rows", "-"], "given"),
                              (["predict", "m", "f.csv", "--output", "-"], "prediction")):
        raw = {row[column] for row in csv.DictReader(io.StringIO(noiseplus(*arguments).stdout.decode()))}
        assert raw == {"a", formula.strip()} or raw == {"a", formula}
        escaped = noiseplus(*arguments, "--escape-formulas").stdout.decode()
        found = {row[column] for row in csv.DictReader(io.StringIO(escaped))}
        assert found == {text if text == "a" else "'" + text for text in raw}


SUSPECT_CELLS = ["=1+1", "@x", "-2+3", '\t=1', "-1.5", "+2", "plain", 'say ""=1""', "a,=b", "-"]


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_suspects_are_escaped_cell_by_cell(noiseplus, tmp_path, delimiter):
    lines = [delimiter.join(["x", "=note", "y"])]
    for i in range(200):
        label = "=no" if i % 2 else "yes"
        if i % 20 == 5:
            label = "yes"
        lines.append(delimiter.join([str(i % 2 * 50 + i / 1000), f'"{SUSPECT_CELLS[i // 20]}"', f' "{label}"']))
    (tmp_path / "f.csv").write_text("\n".join(lines) + "\n")
    audit = ["audit", "f.csv", "--label", "y", "--features", "x", "--suspects-file"]
    noiseplus(*audit, "raw.csv")
    noiseplus(*audit, "escaped.csv", "--escape-formulas")
    raw, escaped = ((tmp_path / name).read_text() for name in ("raw.csv", "escaped.csv"))
    # As it is without the flag, byte by byte; so is a cell that is no formula with it.
    for line in raw.splitlines()[1:]:
        row = int(line.partition(delimiter)[0])
        assert line.endswith(delimiter + lines[row])
    assert delimiter + '"-1.5"' + delimiter in escaped
    before, after = (list(csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True))
                     for text in (raw, escaped))
    assert len(before) == 11 and {row[5] for row in before[1:]} == {text.replace('""', '"') for text in SUSPECT_CELLS}
    for row, found in zip(before, after):
        for cell, text in zip(row, found, strict=True):
            is_formula = cell[0] in "=+-@\t" and cell not in ("-1.5", "+2")
            assert text == ("'" + cell if is_formula else cell)


def test_negative_numbers_are_no_formulas(noiseplus, formulas):
    formulas("-1.5")
    escaped = noiseplus("audit", "f.csv", "--label", "y", "--rows", "-", "--escape-formulas").stdout.decode()
    assert {row["given"] for row in csv.DictReader(io.StringIO(escaped))} == {"a", "-1.5"}
