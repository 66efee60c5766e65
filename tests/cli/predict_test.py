"""predict, by model files that are written here as docs/models.md says."""
import csv
import gzip
import io
import json
import math
import struct
import subprocess
import zlib

import numpy
import pytest


def model_bytes(header, floats):
    text = json.dumps(header, ensure_ascii=False).encode()
    file = b"\x89noise+\n" + struct.pack("<II", 1, len(text)) + text
    file += bytes(-len(file) % 64) + struct.pack(f"<{len(floats)}f", *floats)
    return file + struct.pack("<I", zlib.crc32(file))


def number(column, offset=0.0, scale=1.0, fill=0.0, indicates_missing=False):
    return {"column": column, "kind": "number", "offset": offset, "scale": scale, "fill": fill,
            "indicates_missing": indicates_missing}


def text(column, categories, pools_rare=False, indicates_missing=False):
    return {"column": column, "kind": "text", "categories": categories, "pools_rare": pools_rare,
            "indicates_missing": indicates_missing}


def header(classes, layers, columns, encoder=None, spellings=None, label="y", missing=(), first_index=None):
    return {"label": label, "classes": classes, "spellings": spellings or classes, "positive": len(classes) - 1,
            "layers": layers, "notes": [["loss", "ce"]],
            "recipe": {"columns": columns, "missing": list(missing), "first_index": first_index, "encoder": encoder}}


# Of age, where it is missing, and the cities P and Q.
TABLE = header(["<=50K", ">50K"], [[4, 1]], 4, spellings=["<=50K", ">50K, or so"], missing=["NA"],
               encoder=[number("age", 40.0, 0.1, 40.0, True), text("city", ["P", "Q"])])
TABLE_WEIGHTS = [2.0, 0.5, 1.0, -1.0, 0.25]
ARRAY = header(["0", "1", "2"], [[2, 2], [2, 3]], 2)
ARRAY_WEIGHTS = [1, -1, 2, 0.5, 0.1, 0.2, 1, 0, -1, 0.5, 2, 0, 0.3, -0.3, 0]


@pytest.fixture
def table_model(tmp_path):
    (tmp_path / "t.model").write_bytes(model_bytes(TABLE, TABLE_WEIGHTS))
    return "t.model"


@pytest.fixture
def array_model(tmp_path):
    (tmp_path / "a.model").write_bytes(model_bytes(ARRAY, ARRAY_WEIGHTS))
    return "a.model"


def rows_of(content, delimiter=","):
    return list(csv.reader(io.StringIO(content.decode()), delimiter=delimiter))


def softmax(values):
    largest = max(values)
    powers = [math.exp(v - largest) for v in values]
    return [p / sum(powers) for p in powers]


def array_probabilities(x):
    w = ARRAY_WEIGHTS
    hidden = [max(0, x[0] * w[j] + x[1] * w[2 + j] + w[4 + j]) for j in range(2)]
    return softmax([hidden[0] * w[6 + c] + hidden[1] * w[9 + c] + w[12 + c] for c in range(3)])


def test_a_table(noiseplus, table_model, tmp_path):
    (tmp_path / "n.csv").write_text("city,age\nP,50\nQ,NA\nQ,20\n")
    done = noiseplus("predict", table_model, "n.csv", "--output", "o.csv")
    assert done.stdout == b"" and done.stderr == b""
    rows = rows_of((tmp_path / "o.csv").read_bytes())
    assert rows[0] == ["prediction", "p_<=50K", "p_>50K"]
    logits = [2 * 1 + 1 + 0.25, 0.5 - 1 + 0.25, 2 * -2 - 1 + 0.25]
    assert [row[0] for row in rows[1:]] == [">50K, or so", "<=50K", "<=50K"]
    for row, logit in zip(rows[1:], logits):
        assert float(row[2]) == pytest.approx(1 / (1 + math.exp(-logit)), rel=1e-5)
        assert float(row[1]) + float(row[2]) == pytest.approx(1, abs=1e-5)


def test_arrays_of_every_kind_give_the_same(noiseplus, array_model, tmp_path):
    x = numpy.array([[1, 2], [-1, 0.5], [0, -3], [2, 0]], dtype=numpy.float32)
    numpy.save(tmp_path / "x.npy", x)
    numpy.save(tmp_path / "h.npy", x.astype(numpy.float16))
    numpy.savez(tmp_path / "x.npz", X=x, y=numpy.zeros(1))
    (tmp_path / "x.svm").write_text("".join(f"9 1:{a} 2:{b}\n" for a, b in x))
    expected = noiseplus("predict", array_model, "x.npy", "--output", "-").stdout
    for row, point in zip(rows_of(expected)[1:], x):
        wanted = array_probabilities(point)
        assert [float(cell) for cell in row[1:]] == pytest.approx(wanted, abs=1e-5)
        assert row[0] == str(wanted.index(max(wanted)))
    for name in ("h.npy", "x.npz", "x.svm"):
        assert noiseplus("predict", array_model, name, "--output", "-").stdout == expected
    assert noiseplus("predict", array_model, "x.npy", "--output", "-", "--threads", "1").stdout == expected


def test_outputs(noiseplus, table_model, tmp_path):
    (tmp_path / "n.csv").write_text("city,age\nP,50\n")
    whole = noiseplus("predict", table_model, "n.csv", "--output", "-").stdout
    assert noiseplus("predict", table_model, "-", "--output", "-", stdin=b"city,age\nP,50\n").stdout == whole
    noiseplus("predict", table_model, "n.csv", "--output", "o.csv.gz")
    assert gzip.decompress((tmp_path / "o.csv.gz").read_bytes()) == whole
    noiseplus("predict", table_model, "n.csv", "--output", "o.tsv")
    assert rows_of((tmp_path / "o.tsv").read_bytes(), "\t") == rows_of(whole)
    (tmp_path / "t.model.gz").write_bytes(gzip.compress((tmp_path / table_model).read_bytes()))
    assert noiseplus("predict", "t.model.gz", "n.csv", "--output", "-").stdout == whole
    assert rows_of(whole)[1][0] == ">50K, or so" and b'">50K, or so"' in whole


def test_no_header_and_missing(noiseplus, tmp_path):
    recipe = header(["a", "b"], [[2, 1]], 2, encoder=[number("1"), number("3", fill=7.0)], label="2")
    (tmp_path / "m").write_bytes(model_bytes(recipe, [1, 1, 0]))
    (tmp_path / "n.csv").write_text("0,a,-7\n1,b,none\n")
    done = noiseplus("predict", "m", "n.csv", "--no-header", "--missing", "none", "--output", "-")
    assert [row[0] for row in rows_of(done.stdout)] == ["prediction", "a", "b"]
    assert done.stderr == b""


def test_classes_that_are_not_utf8(noiseplus, tmp_path):
    names = ["klein", {"hex": "67726fdf"}]
    (tmp_path / "m").write_bytes(model_bytes(header(names, [[1, 1]], 1, encoder=[number("x")]), [1, 0]))
    done = noiseplus("predict", "m", "-", "--output", "-", stdin=b"x\n5\n-5\n")
    lines = done.stdout.split(b"\n")
    assert lines[0] == b"prediction,p_klein,p_gro\xdf"
    assert lines[1].startswith(b"gro\xdf,") and lines[2].startswith(b"klein,")


def test_warnings_are_lines_on_standard_error(noiseplus, table_model, tmp_path):
    (tmp_path / "n.csv").write_text("id,city,age,y,y_noisy\n1,P,50,<=50K,x\n2,R,20,what,x\n3,R,20,>50K,x\n4,Q,1,,x\n")
    done = noiseplus("predict", table_model, "n.csv", "--output", "o.csv")
    assert done.stderr.decode().splitlines() == [
        "noiseplus: warning: 1 column that the model does not use: id",
        "noiseplus: warning: column 'city': 2 rows hold a text that was not there in training, such as 'R' at "
        "n.csv:3:3; it counts as none of the known",
        "noiseplus: warning: column 'y': 1 row holds a label that was not there in training, such as 'what' at "
        "n.csv:3:8; predictions do not depend on it"]
    assert len(rows_of((tmp_path / "o.csv").read_bytes())) == 5
    assert noiseplus("predict", table_model, "n.csv", "--output", "o.csv", "--quiet").stderr == b""


def test_a_label_that_is_a_number_is_known_however_it_is_written(noiseplus, tmp_path):
    recipe = header(["0", "1"], [[1, 1]], 1, encoder=[number("x")])
    (tmp_path / "m").write_bytes(model_bytes(recipe, [1, 0]))
    assert noiseplus("predict", "m", "-", "--output", "-", stdin=b"x,y\n5,1.0\n-5,0\n").stderr == b""
    assert b"'2'" in noiseplus("predict", "m", "-", "--output", "-", stdin=b"x,y\n5,1.0\n-5,2\n").stderr


@pytest.mark.parametrize("content, expected", [
    ("city\nP\n", "n.csv: lacks 1 column that the model was trained with: age; it has 1 columns"),
    ("a,b\n1,2\n", "n.csv: lacks 2 columns that the model was trained with: age, city"),
    ("city,age\nP,50\nQ,old\n", "n.csv:3:3: the column 'age' holds text ('old') where numbers were learned"),
    ("city,age\nP\n", "n.csv:2:2:"),
    ("city,age\nP,inf\n", "n.csv:2:3:"),
    ("", "the file is empty"),
])
def test_bad_tables(noiseplus, table_model, tmp_path, content, expected):
    (tmp_path / "n.csv").write_text(content)
    done = noiseplus("predict", table_model, "n.csv", "--output", "o.csv", code=3)
    assert expected in done.stderr.decode()
    assert not (tmp_path / "o.csv").exists()


def test_arrays_that_do_not_fit(noiseplus, array_model, table_model, tmp_path):
    def message(model, array):
        numpy.save(tmp_path / "x.npy", numpy.array(array, dtype=numpy.float32))
        return noiseplus("predict", model, "x.npy", "--output", "o.csv", code=3).stderr.decode()
    assert "has 3 columns, but the model was trained on 2" in message(array_model, [[1, 2, 3]])
    assert "has 1 columns, but the model was trained on 2" in message(array_model, [[1]])
    assert "row 1, column 2 is missing" in message(array_model, [[1, math.nan]])
    assert "age, city" in message(table_model, [[1, 2]])
    (tmp_path / "n.csv").write_text("city,age\nP,50\n")
    assert "is a table" in noiseplus("predict", array_model, "n.csv", "--output", "o.csv", code=3).stderr.decode()
    (tmp_path / "n.svm").write_text("0 1:5\n")
    noiseplus("predict", array_model, "n.svm", "--output", "o.csv")


def test_models_that_are_none(noiseplus, table_model, tmp_path):
    (tmp_path / "n.csv").write_text("city,age\nP,50\n")
    whole = (tmp_path / table_model).read_bytes()
    newer = whole[:8] + b"\xff" + whole[9:]
    for name, content, expected in (
            ("damaged", whole[:40] + b"!" + whole[41:], "checksum"), ("short", whole[:-9], "checksum"),
            ("foreign", b"city,age\nP,50\n", "is not a model"), ("empty", b"", "is not a model"),
            ("newer", newer, "written by a newer noiseplus"), ("text mode", whole.replace(b"\n", b"\r\n"), "not a model")):
        (tmp_path / "bad.model").write_bytes(content)
        done = noiseplus("predict", "bad.model", "n.csv", "--output", "o.csv", code=3)
        assert done.stderr.decode().startswith("noiseplus: bad.model: ") and expected in done.stderr.decode(), name
    assert not (tmp_path / "o.csv").exists()


def test_what_cannot_be_read_or_written(noiseplus, table_model, tmp_path):
    (tmp_path / "n.csv").write_text("city,age\nP,50\n")
    noiseplus("predict", "none.model", "n.csv", "--output", "o.csv", code=5)
    noiseplus("predict", table_model, "none.csv", "--output", "o.csv", code=5)
    noiseplus("predict", table_model, "n.csv", "--output", "no/such/o.csv", code=5)
    noiseplus("predict", table_model, "n.csv", "--output", "/dev/full", code=5)


def test_wrong_usage(noiseplus, table_model, tmp_path):
    (tmp_path / "n.csv").write_text("city,age\nP,50\n")
    for arguments in ([], [table_model], [table_model, "n.csv"], [table_model, "n.csv", "--output", ""],
                      [table_model, "n.csv", "--output", "o.npy"], [table_model, "n.csv", "--output", "n.csv"],
                      [table_model, "n.csv", "--output", "./t.model"], ["-", "-", "--output", "o.csv"],
                      [table_model, "n.csv", "--output", "o.csv", "--label", "y"],
                      [table_model, "n.csv", "more.csv", "--output", "o.csv"]):
        noiseplus("predict", *arguments, code=2)
    assert not (tmp_path / "o.csv").exists()
    assert (tmp_path / "n.csv").read_text() == "city,age\nP,50\n"
    assert b"--output" in noiseplus("predict", "--help").stdout


def test_a_reader_that_goes_away(program, table_model, tmp_path):
    (tmp_path / "n.csv").write_text("city,age\n" + "P,50\n" * 100000)
    done = subprocess.run(["bash", "-c", f"'{program}' predict {table_model} n.csv --output - | head -1; exit ${{PIPESTATUS[0]}}"],
                          cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.returncode == 5 and done.stdout.startswith(b"prediction,")
