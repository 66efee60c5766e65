"""An input that is cut or written to while it is read: one line and exit code 5, or the result of the whole file."""
import gzip
import os
import struct
import subprocess
import threading
import time

import numpy
import pytest

ROWS, COLUMNS = 800, 8


@pytest.fixture
def data(tmp_path):
    """The same rows in every format; labels and groups are beside them."""
    draw = numpy.random.default_rng(1)
    y = draw.integers(0, 2, ROWS)
    x = (draw.normal(size=(ROWS, COLUMNS)) + 4 * y[:, None]).astype(numpy.float32)
    numpy.save(tmp_path / "x.npy", x)
    numpy.save(tmp_path / "h.npy", x.astype(numpy.float16))
    numpy.save(tmp_path / "d.npy", x.astype(numpy.float64))
    numpy.save(tmp_path / "f.npy", numpy.asfortranarray(x))
    positive = 1 / (1 + numpy.exp(8 - 4 * x[:, 0]))
    numpy.save(tmp_path / "p.npy", numpy.stack([1 - positive, positive], axis=1).clip(.02, .98).astype(numpy.float32))
    numpy.savez(tmp_path / "x.npz", X=x, y=y)
    numpy.savez_compressed(tmp_path / "c.npz", X=x, y=y)
    shape = struct.pack(">4B2I", 0, 0, 0x0D, 2, ROWS, COLUMNS)
    (tmp_path / "x.idx").write_bytes(shape + x.astype(">f4").tobytes())
    (tmp_path / "x.idx.gz").write_bytes(gzip.compress((tmp_path / "x.idx").read_bytes()))
    lines = [",".join(f"{value:.4f}" for value in row) for row in x]
    (tmp_path / "x.csv").write_text(",".join(f"c{i}" for i in range(COLUMNS)) + "\n" + "\n".join(lines) + "\n")
    (tmp_path / "x.tsv").write_text((tmp_path / "x.csv").read_text().replace(",", "\t"))
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress((tmp_path / "x.csv").read_bytes()))
    (tmp_path / "x.libsvm").write_text("".join(
        f"{label} " + " ".join(f"{i + 1}:{value:.4f}" for i, value in enumerate(row)) + "\n" for label, row in zip(y, x)))
    (tmp_path / "y.csv").write_text("y\n" + "".join(f"{label}\n" for label in y))
    (tmp_path / "y.txt").write_text("".join(f"{label}\n" for label in y))
    numpy.save(tmp_path / "y.npy", y)
    (tmp_path / "y.idx").write_bytes(struct.pack(">4BI", 0, 0, 8, 1, ROWS) + bytes(y.tolist()))
    (tmp_path / "g.csv").write_text("g\n" + "".join(f"{i % 2}\n" for i in range(ROWS)))
    return tmp_path


def run_with_pause(program, folder, arguments, content, meanwhile):
    """Runs the program, which reads `pipe` after the file that `meanwhile` changes; opening it waits for that."""
    pipe = folder / "pipe.csv"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    process = subprocess.Popen([program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(pipe, "wb") as writer:
        meanwhile()
        writer.write(content)
    _, message = process.communicate(timeout=120)
    return process.returncode, message


ARGUMENTS = ["--labels", "pipe.csv", "--estimator", "moments", "--rows", "rows.csv"]


@pytest.mark.parametrize("name", ["x.npy", "h.npy"])
@pytest.mark.parametrize("how", ["to nothing", "to a page", "by a byte", "written again", "touched"])
def test_an_array_that_changes_where_it_is_mapped(program, data, name, how):
    path = data / name
    size = path.stat().st_size

    def change():
        if how == "written again":
            path.write_bytes(path.read_bytes()[::-1])
        elif how == "touched":
            os.utime(path)
        else:
            os.truncate(path, {"to nothing": 0, "to a page": 4096, "by a byte": size - 1}[how])
    time.sleep(0.02)  # a file system's clock is coarse
    (data / "rows.csv").write_text("old")
    code, message = run_with_pause(program, data, ["audit", name, *ARGUMENTS], (data / "y.csv").read_bytes(), change)
    assert (code, message.decode()) == (5, f"noiseplus: {name}: changed while it was read; "
                                           "run it again when the file is whole\n")
    assert (data / "rows.csv").read_text() == "old"


@pytest.mark.parametrize("command", ["train", "evaluate", "balance"])
def test_every_command_that_maps(noiseplus, program, data, command):
    noiseplus("train", "x.npy", "--labels", "y.csv", "--output", "m", "--quiet")
    arguments = {"train": ["train", "x.npy", "--labels", "pipe.csv", "--output", "o.csv"],
                 "balance": ["balance", "x.npy", "--labels", "pipe.csv", "--output", "o.csv"],
                 "evaluate": ["evaluate", "m", "x.npy", "--labels", "pipe.csv", "--json", "o.csv"]}[command]
    code, message = run_with_pause(program, data, arguments, (data / "y.csv").read_bytes(),
                                   lambda: os.truncate(data / "x.npy", 1000))
    assert code == 5
    assert message.startswith(b"noiseplus: x.npy: changed while it was read") and message.count(b"\n") == 1
    assert not (data / "o.csv").exists()


def test_data_cut_while_predictions_are_written(noiseplus, program, data):
    """The output is more than a pipe holds, so that the program waits in the middle of it."""
    noiseplus("train", "x.npy", "--labels", "y.csv", "--output", "m", "--quiet")
    numpy.save(data / "long.npy", numpy.tile(numpy.load(data / "x.npy"), (400, 1)))
    arguments = [program, "predict", "m", "long.npy", "--output", "-"]
    expected = subprocess.run(arguments, cwd=data, capture_output=True, check=True).stdout
    process = subprocess.Popen(arguments, cwd=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    begin = os.read(process.stdout.fileno(), 1000)
    os.truncate(data / "long.npy", 1000)
    rest, message = process.communicate(timeout=120)
    if process.returncode == 0:
        assert (begin + rest, message) == (expected, b"")
    else:
        assert process.returncode == 5
        assert message.startswith(b"noiseplus: long.npy: changed while it was read") and message.count(b"\n") == 1


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.csv.gz", "d.npy", "f.npy", "x.npz", "c.npz", "x.idx", "x.idx.gz",
                                  "x.libsvm"])
def test_what_was_read_does_not_change(noiseplus, program, data, name):
    noiseplus("audit", name, "--labels", "y.csv", *ARGUMENTS[2:])
    expected = (data / "rows.csv").read_bytes()
    code, message = run_with_pause(program, data, ["audit", name, *ARGUMENTS], (data / "y.csv").read_bytes(),
                                   lambda: os.truncate(data / name, 0))
    assert (code, message) == (0, b"")
    assert (data / "rows.csv").read_bytes() == expected


@pytest.mark.parametrize("name", ["y.csv", "y.txt", "y.npy", "y.idx"])
def test_labels_that_were_read_do_not_change(noiseplus, program, data, name):
    arguments = ["audit", "x.npy", "--labels", name, *ARGUMENTS[2:], "--groups"]
    noiseplus(*arguments, "g.csv")
    expected = (data / "rows.csv").read_bytes()
    code, message = run_with_pause(program, data, [*arguments, "pipe.csv"], (data / "g.csv").read_bytes(),
                                   lambda: os.truncate(data / name, 0))
    assert (code, message) == (0, b"")
    assert (data / "rows.csv").read_bytes() == expected


CUT = {
    **{name: ["audit", name, "--labels", "y.csv", "--estimator", "moments"]
       for name in ("x.npy", "h.npy", "d.npy", "x.csv", "x.csv.gz", "x.npz", "x.idx", "x.libsvm")},
    **{name: ["audit", "x.npy", "--labels", name, "--estimator", "moments"] for name in ("y.csv", "y.npy")},
    "p.npy": ["audit", "--labels", "y.csv", "--probabilities", "p.npy"],
    "x.npy of predict": ["predict", "m", "long.npy", "--output", "-"],
}


@pytest.mark.parametrize("case", CUT)
def test_cut_at_any_time_is_never_a_crash(noiseplus, program, data, case):
    arguments = [program, *CUT[case]]
    name = "long.npy" if "predict" in case else case
    if name == "long.npy":
        noiseplus("train", "x.npy", "--labels", "y.csv", "--output", "m", "--quiet")
        numpy.save(data / "long.npy", numpy.tile(numpy.load(data / "x.npy"), (50, 1)))
    whole = (data / name).read_bytes()
    started = time.monotonic()
    subprocess.run(arguments, cwd=data, capture_output=True, check=True)
    duration = time.monotonic() - started
    for attempt in range(10):
        (data / name).write_bytes(whole)
        process = subprocess.Popen(arguments, cwd=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        timer = threading.Timer(duration * attempt / 10, os.truncate, (data / name, 1000))
        timer.start()
        _, message = process.communicate(timeout=120)
        timer.join()
        assert process.returncode in (0, 3, 5), (attempt, process.returncode)
        assert message.count(b"\n") == (process.returncode != 0), message
