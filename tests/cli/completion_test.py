"""Completion in real shells, where they are installed."""
import gzip
import os
import subprocess

import pytest

from shells import SHELLS

HEADER = "age,work class,\"quoted, name\",sex,income\n"
ROW = "39,Private,x,Male,<=50K\n"


@pytest.fixture(params=SHELLS, scope="module")
def offered(request, program, tmp_path_factory):
    if os.environ.get("NOISEPLUS_SANITIZE", ""):
        pytest.skip("the scripts are the same; what they ask the program is asked below")
    home = tmp_path_factory.mktemp("home")
    folder = tmp_path_factory.mktemp("data")
    (folder / "people.csv").write_text(HEADER + ROW * 2)
    (folder / "people.tsv.gz").write_bytes(gzip.compress((HEADER + ROW).replace(",", "\t").encode()))
    (folder / "notes.txt").write_text("a\n")
    (folder / "results").mkdir()

    def call(*words):
        found = SHELLS[request.param](["noiseplus", *words], program, home, folder)
        # fish repeats what was typed before the last =, and marks folders
        return {word.rstrip("/ ").split("=")[-1] for word in found}
    call.shell = request.param
    return call


def test_commands(offered):
    found = offered("")
    assert {"audit", "balance", "corrupt", "train", "predict", "evaluate", "reproduce", "demo", "completion", "man"} <= found
    assert offered("pre") == {"predict"}


def test_flags(offered):
    assert {"--estimator", "--label", "--k", "--seed", "--quiet", "--json"} <= offered("audit", "--")
    assert "--loss" not in offered("audit", "--") and "--loss" in offered("train", "--")
    assert offered("audit", "people.csv", "--est") == {"--estimator"}


@pytest.mark.parametrize("words, expected", [
    (["audit", "--format", ""], {"csv", "tsv", "npy", "npz", "idx", "libsvm"}),
    (["audit", "--estimator", ""], {"auto", "curve", "moments", "latent-class", "edges", "overlap", "confident", "paper"}),
    (["audit", "people.csv", "--metric", "c"], {"cosine"}),
    (["balance", "--scope", ""], {"class", "group", "class-in-group"}),
    (["balance", "--method", "paper-"], {"paper-rebalanced"}),
    (["train", "--loss", ""], {"ce", "backward", "forward", "peer", "group-peer", "co-teaching"}),
    (["train", "--fair", ""], {"equalized-odds", "equal-opportunity", "demographic-parity", "fpr-parity", "error-parity"}),
    (["train", "--model", ""], {"linear", "mlp", "trees"}),
    (["reproduce", ""], {"table1", "table2", "table3", "table4", "figure-gap", "all"}),
    (["completion", ""], {"bash", "zsh", "fish"}),
    (["demo", "--colour", ""], {"auto", "always", "never"}),
    (["audit", "--anchors", ""], {"auto"}),
])
def test_values(offered, words, expected):
    assert offered(*words) == expected


def test_a_value_after_an_equals_sign(offered):
    words = ["audit", "--format", "=", "n"] if offered.shell == "bash" else ["audit", "--format=n"]
    assert offered(*words) == {"npy", "npz"}


def test_files_and_folders(offered):
    assert offered("audit", "peo") == {"people.csv", "people.tsv.gz"}
    assert offered("audit", "people.csv", "--json", "no") == {"notes.txt"}
    assert offered("demo", "--output", "") == {"results"}
    assert offered("report", "notes.txt", "-o", "x", "peo") == {"people.csv", "people.tsv.gz"}
    assert {"curve", "confident"} == offered("train", "--transition", "c")
    assert {"notes.txt"} == offered("train", "--transition", "no")


def test_columns_of_the_table_on_the_line(offered):
    assert {"age", "sex", "income"} <= offered("audit", "people.csv", "--label", "")
    assert offered("audit", "people.csv", "--label", "in") == {"income"}
    assert offered("audit", "people.tsv.gz", "--group", "s") == {"sex"}
    assert "income" not in offered("audit", "notes.txt", "--label", "")
    found = offered("train", "people.csv", "--drop", "age,s")
    assert found in ({"sex"}, {"age,sex"})


def columns(program, path):
    return subprocess.run([program, "completion", "--columns", path], capture_output=True, check=True,
                          timeout=20).stdout.decode().splitlines()


def test_columns_are_read_as_the_library_reads_them_and_never_wait(program, tmp_path):
    (tmp_path / "a.csv").write_text("\ufeff" + HEADER + ROW)
    assert columns(program, tmp_path / "a.csv") == ["age", "work class", "quoted, name", "sex", "income"]
    (tmp_path / "evil.csv").write_text("a,\"b\x1b[31m\",\"c\nd\",e\n1,2,3,4\n")
    assert columns(program, tmp_path / "evil.csv") == ["a", "e"]
    for name, content in {"bad.csv": b"a,b\n1\n", "x.npy": b"\x93NUMPY", "empty.csv": b"", "r.csv.gz": b"\x1f\x8b\x08rubbish"}.items():
        (tmp_path / name).write_bytes(content)
        assert columns(program, tmp_path / name) == []
    assert columns(program, tmp_path / "missing.csv") == columns(program, tmp_path) == columns(program, "/dev/zero") == []
    (tmp_path / "large.csv").write_text(HEADER + ROW * 100_000)
    assert len(columns(program, tmp_path / "large.csv")) == 5


def test_names_that_a_shell_would_obey_are_quoted(program, tmp_path):
    (tmp_path / "e.csv").write_text("$(touch hacked),\"a;touch hacked\",fine\n1,2,3\n")
    for shell, call in SHELLS.items():
        home = tmp_path / shell
        home.mkdir()
        call(["noiseplus", "audit", "e.csv", "--label", ""], program, home, tmp_path)
        assert not (tmp_path / "hacked").exists()
    quoted = SHELLS["bash"](["noiseplus", "audit", "e.csv", "--label", ""], program, tmp_path / "bash", tmp_path)
    assert quoted == [r"\$\(touch\ hacked\)", r"a\;touch\ hacked", "fine"]


def test_wrong_usage(noiseplus):
    assert b"There are bash, zsh and fish" in noiseplus("completion", code=2).stderr
    assert b"there are bash, zsh and fish" in noiseplus("completion", "tcsh", code=2).stderr
