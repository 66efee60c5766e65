"""Bad input: one line, the documented exit code, never a crash, never half a file."""
import gzip
import os
import signal
import subprocess
import time

import numpy
import pytest

from conftest import clusters

GOOD = clusters(200)

BAD_TABLES = {
    "empty": (b"", "the file is empty"),
    "only a header": (b"a,y\n", "no rows"),
    "ragged": (b"a,y\n1,0\n1\n2,1\n", "bad.csv:3:2:"),
    "surplus": (b"a,y\n1,0,5\n", "bad.csv:2:4:"),
    "stray quote": (b"a,y\n1\"2,0\n", "bad.csv:2:2:"),
    "open quote": (b"a,y\n\"12,0\n", "bad.csv:2:1:"),
    "infinite": (b"a,y\n1,0\ninf,1\n", "bad.csv:3:1:"),
    "too long a number": (b"a,y\n" + b"9" * 400 + b",0\n1,1\n", "bad.csv:2:1: an infinite number"),
    "no label": (b"a,y\n1,\n2,\n", "bad.csv: no row has a label in 'y'"),
    "label once": (b"a,y\n" + b"".join(b"%d,0\n" % i for i in range(20)) + b"1,1\n", "bad.csv: the label 'y' is '1' in row 21 only"),
    "too few rows": (b"a,y\n1,0\n2,1\n3,0\n4,1\n", "bad.csv: 4 rows are too few"),
    "constant features": (b"a,y\n" + b"1,0\n1,1\n" * 20, "no feature has two different values"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_tables(noiseplus, tmp_path, name):
    content, expected = BAD_TABLES[name]
    (tmp_path / "bad.csv").write_bytes(content)
    done = noiseplus("audit", "bad.csv", "--label", "y", "--json", "out.json", code=3)
    assert expected in done.stderr.decode()
    assert not (tmp_path / "out.json").exists()


def test_binary_rubbish_is_an_error_not_a_crash(program, tmp_path):
    for seed in range(20):
        rubbish = numpy.random.default_rng(seed).bytes(3000)
        for name in ("r.csv", "r.npy", "r.npz", "r.idx", "r.libsvm", "r.csv.gz"):
            (tmp_path / name).write_bytes(rubbish)
            done = subprocess.run([program, "audit", name, "--label", "y"], cwd=tmp_path, capture_output=True,
                                  timeout=60, check=False)
            assert done.returncode in (2, 3), (name, done.stderr)
            assert done.stderr.count(b"\n") == 1


def test_truncated_files(noiseplus, tmp_path):
    packed = gzip.compress(GOOD.encode())
    (tmp_path / "cut.csv.gz").write_bytes(packed[:-20])
    assert "cut short" in noiseplus("audit", "cut.csv.gz", "--label", "y", code=3).stderr.decode()
    numpy.save(tmp_path / "x.npy", numpy.zeros((50, 4), dtype=numpy.float32))
    whole = (tmp_path / "x.npy").read_bytes()
    (tmp_path / "y.txt").write_text("a\nb\n" * 25)
    (tmp_path / "x.npy").write_bytes(whole[:-5])
    noiseplus("audit", "x.npy", "--labels", "y.txt", code=3)


def test_hostile_npy_header(noiseplus, tmp_path):
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }"
    (tmp_path / "x.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    (tmp_path / "y.txt").write_text("a\nb\n")
    noiseplus("audit", "x.npy", "--labels", "y.txt", code=3)


def test_wrong_usage(noiseplus, clean_csv, tmp_path):
    for arguments in (
            [], ["nothing"], ["audit"], ["audit", clean_csv], ["audit", clean_csv, "--label", "nope"],
            ["audit", clean_csv, "--label", "y", "--k", "1"], ["audit", clean_csv, "--label", "y", "--k", "x"],
            ["audit", clean_csv, "--label", "y", "--estimator", "magic"],
            ["audit", clean_csv, "--label", "y", "--positive", "maybe"],
            ["audit", clean_csv, "--label", "y", "--drop", "nope"],
            ["audit", clean_csv, "--label", "y", "--no-such-flag"],
            ["balance", clean_csv, "--label", "y"],
            ["balance", clean_csv, "--label", "y", "--output", "o.csv", "--method", "magic"],
            ["balance", clean_csv, "--label", "y", "--output", "o.npy"],
            ["balance", clean_csv, "--label", "y", "--output", "-", "--json", "-"],
            ["balance", clean_csv, "--label", "y", "--output", "o.csv", "--json", "./o.csv"],
            ["balance", clean_csv, "--label", "y", "--output", ""],
            ["balance", clean_csv, "--label", "y", "--output", "o.tsv"],
            ["balance", clean_csv, "--label", "y", "--output", "o.csv", "--estimator", "paper"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "yes=.2", "--output", ""],
            ["audit", clean_csv, "--label", "y", "--json", ""],
            ["audit", clean_csv, "--label", "y", "--json", clean_csv],
            ["audit", clean_csv, "--label", "y", "--anchors", "-1"], ["audit", clean_csv, "--label", "y", "--seed", "-1"],
            ["audit", clean_csv, "--label", "y", "--metric", "manhattan"],
            ["audit", clean_csv, "--label", "y", "--views", "some"], ["audti", clean_csv],
            ["corrupt", clean_csv, "--label", "y", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "yes=.1", "--random-gap", ".1", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--random-gap", ".7", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--group-rate", "red=.1", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--group", "color", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--group", "color", "--rate", "yes=.1", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--group", "color", "--group-rate", "nope=.1", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "yes=.1", "--transition-output", "o.csv", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "yes=.1", "--transition-output", clean_csv, "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "yes", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "yes=2", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "maybe=.2", "--output", "o.csv"],
            ["corrupt", clean_csv, "--label", "y", "--rate", "yes=.2", "--rate", "yes=.3", "--output", "o.csv"]):
        noiseplus(*arguments, code=2)
    assert not list(tmp_path.glob("o.*"))


@pytest.mark.parametrize("flags, expected", [
    (["--precision", "0.1"], "--precision: is for --anchors auto"),
    (["--precision", "0.01", "--anchors", "500"], "--precision: is for --anchors auto"),
    (["--anchors", "auto", "--precision", "0"], "--precision 0: more than 0 and at most 0.5"),
    (["--anchors", "auto", "--precision", "-0.1"], "--precision -0.1: more than 0"),
    (["--anchors", "auto", "--precision", "0.51"], "--precision 0.51: more than 0 and at most 0.5"),
    (["--anchors", "auto", "--precision", "nan"], "--precision nan: more than 0"),
    (["--anchors", "auto", "--precision", "much"], "--precision"),
    (["--anchors", "automatic"], "--anchors: automatic is neither a whole number from 0 on nor auto"),
    (["--anchors", "010"], "--anchors: 010 is neither"),
    (["--anchors", "1.5"], "--anchors: 1.5 is neither"),
])
def test_anchors_and_precision_that_are_wrong(noiseplus, clean_csv, tmp_path, flags, expected):
    for command in (["audit"], ["balance", "--output", "o.csv"]):
        done = noiseplus(*command, clean_csv, "--label", "y", "--drop", "id,color", *flags, code=2)
        assert expected in done.stderr.decode()
    assert not (tmp_path / "o.csv").exists()


def test_the_papers_methods_take_no_sample(noiseplus, clean_csv):
    for anchors in ("auto", "500"):
        for command in (["audit", "--estimator", "paper"], ["balance", "--method", "paper", "--output", "o.csv"],
                        ["balance", "--method", "paper-rebalanced", "--output", "o.csv"]):
            done = noiseplus(*command, clean_csv, "--label", "y", "--anchors", anchors, code=2)
            assert "--anchors: the paper's method needs all rows; leave it out" in done.stderr.decode()


def test_messages_that_help(noiseplus, clean_csv, tmp_path):
    assert "unknown command 'audti'" in noiseplus("audti", code=2).stderr.decode()
    (tmp_path / "s.csv").write_text(clean_csv.read_text().replace(",", "~"))
    assert "separated otherwise" in noiseplus("audit", "s.csv", "--label", "y", code=2).stderr.decode()


def test_not_possible(noiseplus, tmp_path):
    (tmp_path / "one.csv").write_text("a,y\n" + "".join(f"{i},1\n" for i in range(30)))
    assert "class only" in noiseplus("audit", "one.csv", "--label", "y", code=4).stderr.decode()
    noiseplus("corrupt", "one.csv", "--label", "y", "--rate", "1=.5", "--output", "o.csv", code=4)
    (tmp_path / "three.csv").write_text("a,y\n" + "".join(f"{i},{i % 3}\n" for i in range(30)))
    noiseplus("balance", "three.csv", "--label", "y", "--force", "--output", "o.csv", code=4)


def test_cannot_read_or_write(noiseplus, clean_csv):
    noiseplus("audit", "missing.csv", "--label", "y", code=5)
    noiseplus("audit", ".", "--label", "y", code=5)
    noiseplus("audit", clean_csv, "--label", "y", "--json", "no/such/folder.json", code=5)
    noiseplus("corrupt", clean_csv, "--label", "y", "--rate", "yes=.2", "--output", "/dev/full", code=5)


def test_a_full_disk_keeps_the_old_file(program, clean_csv, tmp_path):
    (tmp_path / "o.csv").write_text("old")
    done = subprocess.run(["bash", "-c", "ulimit -f 4; trap '' XFSZ; exec \"$@\"", "-", program, "corrupt", clean_csv,
                           "--label", "y", "--rate", "yes=.2", "--output", "o.csv"],
                          cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert done.returncode == 5, done.stderr
    assert (tmp_path / "o.csv").read_text() == "old"


@pytest.fixture(scope="module")
def large_csv(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "large.csv"
    block = clusters(20000, columns=4)
    header, body = block.split("\n", 1)
    path.write_text(header + "\n" + body * (2 if os.environ.get("NOISEPLUS_SANITIZE") else 10))
    return path


def test_kill_during_a_write_leaves_no_half_file(program, large_csv, tmp_path):
    output = tmp_path / "out.csv.gz"
    killed_while_writing = 0
    arguments = [program, "corrupt", str(large_csv), "--label", "y", "--rate", "yes=.2", "--output", str(output)]
    subprocess.run(arguments, check=True, capture_output=True)
    whole = output.read_bytes()
    for attempt in range(12):
        output.unlink(missing_ok=True)
        if attempt % 2:
            output.write_bytes(b"old")
        started = time.monotonic()
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.05 + 0.06 * attempt)
        process.kill()
        killed_while_writing += process.wait() == -signal.SIGKILL
        found = output.read_bytes() if output.exists() else None
        assert found in ((None, whole) if attempt % 2 == 0 else (b"old", whole))
        assert time.monotonic() - started < 30
    assert killed_while_writing >= 3
    left = [path.name for path in tmp_path.iterdir() if path != output]
    assert all(".partial-" in name for name in left), left


def test_a_large_pipe_is_read_in_linear_time(program, large_csv):
    body = large_csv.read_bytes().split(b"\n", 1)
    text = body[0] + b"\n" + body[1] * 8
    start = time.monotonic()
    done = subprocess.run([program, "corrupt", "-", "--label", "y", "--rate", "yes=.2", "--output", "/dev/null"],
                          input=text, capture_output=True, check=True, timeout=120)
    assert done.stderr == b""
    assert time.monotonic() - start < 30  # some 70 MB, under sanitizers 14; quadratic growth took minutes


@pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="sanitizers reserve terabytes of addresses")
def test_more_threads_than_the_system_gives(program, clean_csv):
    done = subprocess.run(["bash", "-c", "ulimit -v 1500000; exec \"$@\"", "-", program, "audit", clean_csv,
                           "--label", "y", "--threads", "256"], capture_output=True, timeout=60, check=False)
    assert done.returncode in (0, 3), done.stderr


def test_a_reader_that_goes_away(program, large_csv):
    process = subprocess.Popen([program, "corrupt", large_csv, "--label", "y", "--rate", "yes=.2", "--output", "-"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(1000)
    process.stdout.close()
    message = process.stderr.read()
    assert process.wait(timeout=60) == 5
    assert message.startswith(b"noiseplus: -: cannot write")
