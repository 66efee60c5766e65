"""Outputs: all of them or none, never an input, never two in one file, and links stay links."""
import os
import subprocess

import pytest

import stand_ins


def to_full_device(program, arguments, folder):
    with open("/dev/full", "wb") as full:
        return subprocess.run([program, *arguments], cwd=folder, stdout=full, stderr=subprocess.PIPE, timeout=120,
                              check=False)


WRITING = {
    "audit": ["audit", "t.csv", "--label", "y", "--json", "o1", "--html", "o2", "--rows", "o3"],
    "balance": ["balance", "t.csv", "--label", "y", "--output", "o1", "--json", "o2"],
    "corrupt": ["corrupt", "t.csv", "--label", "y", "--rate", "yes=.2", "--output", "o1", "--transition-output", "o2"],
    "train": ["train", "t.csv", "--label", "y", "--output", "o1", "--json", "o2"],
    "evaluate": ["evaluate", "m", "t.csv", "--json", "o1"],
    "mixed": ["audit", "t.csv", "--label", "y", "--json", "o1", "--rows", "-"],
}


@pytest.mark.parametrize("old", [None, "old"])
@pytest.mark.parametrize("command", WRITING)
def test_text_that_cannot_be_written_leaves_the_old_files(noiseplus, program, data, tmp_path, command, old):
    if command == "evaluate":
        noiseplus("train", data, "--label", "y", "--output", "m")
    names = [name for name in WRITING[command] if name in ("o1", "o2", "o3")]
    for name in names if old else []:
        (tmp_path / name).write_text(old)
    before = sorted(path.name for path in tmp_path.iterdir())
    done = to_full_device(program, WRITING[command], tmp_path)
    assert done.returncode == 5
    assert b"cannot write: No space left on device" in done.stderr and done.stderr.count(b"\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert all((tmp_path / name).read_text() == old for name in names if old)


def test_without_text_a_full_device_does_not_matter(program, data, tmp_path):
    del data
    assert to_full_device(program, WRITING["balance"] + ["--quiet"], tmp_path).returncode == 0
    assert (tmp_path / "o1").exists() and (tmp_path / "o2").exists()


def test_reproduce_leaves_its_cells_and_no_table(program, tmp_path):
    """The cells are kept in any case, so that a run can go on where it ended."""
    stand_ins.write_adult(tmp_path / "sets", training=120, test=60)
    arguments = ["reproduce", "table1", "--data", "sets", "--only", "adult:0.2:0.4", "--seeds", "1", "--output", "r"]
    done = to_full_device(program, arguments, tmp_path)
    assert done.returncode == 5
    assert b"cannot write: No space left on device" in done.stderr and done.stderr.count(b"\n") == 1
    assert [path.name for path in (tmp_path / "r").iterdir()] == ["cells"]
    assert len(list((tmp_path / "r/cells").iterdir())) == 1
    assert to_full_device(program, [*arguments, "--quiet"], tmp_path).returncode == 0
    assert (tmp_path / "r/table1.json").exists()


@pytest.mark.skipif(os.environ.get("NOISEPLUS_SANITIZE", "") != "", reason="takes minutes")
def test_the_demo_leaves_nothing_either(program, tmp_path):
    done = to_full_device(program, ["demo", "--data", "", "--output", "d"], tmp_path)
    assert done.returncode == 5 and not list((tmp_path / "d").iterdir())


def run_until_it_reads(program, folder, arguments, meanwhile):
    """Runs the program on t.csv by way of a pipe, which it opens after its outputs; `meanwhile` comes between."""
    os.mkfifo(folder / "pipe.csv")
    process = subprocess.Popen([program, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(folder / "pipe.csv", "wb") as pipe:
        meanwhile()
        pipe.write((folder / "t.csv").read_bytes())
    _, message = process.communicate(timeout=120)
    return process.returncode, message.decode()


def test_an_output_that_fails_before_the_first_rename_leaves_the_others(program, data, tmp_path):
    del data
    (tmp_path / "o1").write_text("old")
    (tmp_path / "folder").mkdir()
    before = sorted(path.name for path in tmp_path.iterdir() if path.name != "folder")
    code, message = run_until_it_reads(
        program, tmp_path, ["audit", "pipe.csv", "--label", "y", "--json", "o1", "--rows", "folder/o2"],
        (tmp_path / "folder").rmdir)
    assert (code, message) == (5, "noiseplus: folder/o2: cannot write: No such file or directory\n")
    assert (tmp_path / "o1").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(before + ["pipe.csv"])


def test_a_rename_that_fails_says_what_is_written_already(program, data, tmp_path):
    del data
    (tmp_path / "o1").write_text("old")
    code, message = run_until_it_reads(
        program, tmp_path, ["audit", "pipe.csv", "--label", "y", "--json", "o1", "--rows", "o2", "--html", "o3"],
        (tmp_path / "o3").mkdir)
    assert (code, message) == (5, "noiseplus: o3: cannot write: Is a directory; already written: o1 and o2\n")
    assert (tmp_path / "o1").read_text() != "old" and (tmp_path / "o2").exists()
    assert not list(tmp_path.glob(".noiseplus*"))


def named(folder, how, target, name="other"):
    """Another name of the file `target`."""
    if how == "link":
        os.symlink(target, folder / name)
    elif how == "link to a link":
        os.symlink(target, folder / "between")
        os.symlink("between", folder / name)
    elif how == "hard link":
        os.link(folder / target, folder / name)
    elif how == "longer path":
        (folder / "sub").mkdir()
        return f"sub/../{target}"
    return name


HOW = ["link", "link to a link", "hard link", "longer path"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("arguments, source", [
    (["audit", "t.csv", "--label", "y", "--json"], "t.csv"), (["audit", "t.csv", "--label", "y", "--rows"], "t.csv"),
    (["audit", "x.npy", "--labels", "y.npy", "--json"], "y.npy"),
    (["audit", "x.npy", "--labels", "y.npy", "--groups", "g.npy", "--html"], "g.npy"),
    (["balance", "t.csv", "--label", "y", "--output", "o.csv", "--json"], "t.csv"),
    (["balance", "x.npy", "--labels", "y.npy", "--output"], "x.npy"),
    (["balance", "x.npy", "--labels", "y.npy", "--output"], "y.npy"),
    (["corrupt", "t.csv", "--label", "y", "--transition", "T.txt", "--output"], "T.txt"),
    (["corrupt", "t.csv", "--label", "y", "--transition", "T.txt", "--output", "o.csv", "--transition-output"], "T.txt"),
    (["corrupt", "x.npy", "--labels", "y.npy", "--rate", "1=.1", "--output"], "y.npy"),
    (["corrupt", "x.npy", "--labels", "y.npy", "--rate", "1=.1", "--output", "o.npy", "--transition-output"], "y.npy"),
    (["train", "t.csv", "--label", "y", "--output"], "t.csv"),
    (["train", "t.csv", "--label", "y", "--loss", "forward", "--transition", "T.txt", "--output"], "T.txt"),
    (["predict", "m.csv", "t.csv", "--output"], "m.csv"), (["predict", "m.csv", "t.csv", "--output"], "t.csv"),
    (["evaluate", "m.csv", "t.csv", "--json"], "m.csv"), (["evaluate", "m.csv", "t.csv", "--html"], "t.csv"),
    (["report", "a.json", "--output"], "a.json")])
def test_no_output_replaces_an_input(noiseplus, data, arrays, tmp_path, arguments, source, how):
    del data, arrays
    for name in ("m.csv", "a.json"):
        (tmp_path / name).write_text("never read")
    before = (tmp_path / source).read_bytes()
    other = named(tmp_path, how, source, "other" + os.path.splitext(source)[1])
    for output in (source, other):
        done = noiseplus(*arguments, output, code=2)
        assert done.stderr.decode() == f"noiseplus: {output}: would replace the input; name another file\n"
    assert (tmp_path / source).read_bytes() == before


# A hard link needs a file.
@pytest.mark.parametrize("how, exists", [(how, exists) for how in HOW for exists in (True, False)
                                         if exists or how != "hard link"])
@pytest.mark.parametrize("arguments", [["audit", "t.csv", "--label", "y", "--json", "q", "--html"],
                                       ["audit", "t.csv", "--label", "y", "--rows", "q", "--json"],
                                       ["balance", "t.csv", "--label", "y", "--output", "q", "--html"],
                                       ["train", "t.csv", "--label", "y", "--output", "q", "--json"]])
def test_two_outputs_are_two_files(noiseplus, data, tmp_path, arguments, exists, how):
    del data
    if exists:
        (tmp_path / "q").write_text("old")
    other = named(tmp_path, how, "q")
    done = noiseplus(*arguments, other, code=2)
    assert done.stderr.decode() in [f"noiseplus: {name}: given for two outputs; name two files\n" for name in ("q", other)]
    assert (tmp_path / "q").exists() == exists


def test_standard_output_by_two_names(noiseplus, program, data, tmp_path):
    noiseplus("audit", data, "--label", "y", "--json", "-", "--rows", "/dev/stdout", code=2)
    with open(tmp_path / "q", "wb") as output:
        done = subprocess.run([program, "audit", data, "--label", "y", "--json", "-", "--html", "q"], cwd=tmp_path,
                              stdout=output, stderr=subprocess.PIPE, check=False, timeout=60)
    assert done.returncode == 2 and b"given for two outputs" in done.stderr


def test_standard_output_by_its_name_is_appended_to(noiseplus, program, data, tmp_path):
    expected = noiseplus("audit", data, "--label", "y", "--rows", "-").stdout
    (tmp_path / "log").write_bytes(b"before\n")
    with open(tmp_path / "log", "ab") as output:
        subprocess.run([program, "audit", data, "--label", "y", "--rows", "/dev/stdout"], cwd=tmp_path, stdout=output,
                       check=True, timeout=60)
    assert (tmp_path / "log").read_bytes() == b"before\n" + expected


@pytest.mark.parametrize("arguments", [["balance", "--json", "b.json"], ["corrupt", "--rate", "yes=.2"]])
@pytest.mark.parametrize("how", ["same", "link"])
def test_a_table_may_be_replaced_by_itself_with_a_column_more(noiseplus, data, tmp_path, arguments, how):
    before = (tmp_path / data).read_text().splitlines()
    output = data if how == "same" else named(tmp_path, "link", data, "other.csv")
    noiseplus(arguments[0], data, "--label", "y", *arguments[1:], "--output", output)
    after = (tmp_path / data).read_text().splitlines()
    assert [line.rsplit(",", 1)[0] for line in after] == before
    assert (tmp_path / output).is_symlink() == (how == "link")


def test_a_link_to_no_file_yet_stays_a_link(noiseplus, data, tmp_path):
    (tmp_path / "folder").mkdir()
    os.symlink("folder/new.json", tmp_path / "link")
    os.symlink("link", tmp_path / "link to a link")
    noiseplus("audit", data, "--label", "y", "--json", "link to a link")
    assert (tmp_path / "link to a link").is_symlink() and (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder/new.json").read_text().startswith("{")
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["new.json"]


def test_links_that_lead_nowhere(noiseplus, data, tmp_path):
    os.symlink("b", tmp_path / "a")
    os.symlink("a", tmp_path / "b")
    os.symlink("no/such/folder", tmp_path / "c")
    for name, why in (("a", "Too many levels of symbolic links"), ("c", "No such file or directory")):
        done = noiseplus("audit", data, "--label", "y", "--json", name, code=5)
        assert done.stderr.decode() == f"noiseplus: {name}: cannot write: {why}\n"
        assert (tmp_path / name).is_symlink()


def test_a_file_in_shared_memory_is_replaced_whole(noiseplus, data):
    path = f"/dev/shm/noiseplus-test-{os.getpid()}.json"
    try:
        with open(path, "wb") as old:
            old.write(b"x" * 1_000_000)
        noiseplus("audit", data, "--label", "y", "--json", path)
        with open(path, "rb") as new:
            assert new.read().endswith(b"}\n")
    finally:
        os.unlink(path)
