"""Color and progress: on a terminal, and only there."""
import re
import time

import pytest

from conftest import clusters
from terminals import without_escapes

AUDIT = ["audit", "t.csv", "--label", "y", "--drop", "id,color", "--estimator", "moments"]
# Far longer than anybody waits.
LONG = ["train", "t.csv", "--label", "y", "--model", "mlp", "--hidden", "2048", "--epochs", "100000", "--threads", "1",
        "--output", "m"]


@pytest.fixture(autouse=True)
def table(tmp_path):
    (tmp_path / "t.csv").write_text(clusters(600))


def test_color_where_a_terminal_shows_it(on_terminal, noiseplus):
    plain = noiseplus(*AUDIT).stdout.decode()
    assert "\x1b" not in plain
    shown = on_terminal(*AUDIT).end()
    assert shown.startswith("\x1b[1m") and without_escapes(shown) == plain
    assert all(line.count("\x1b[") == 2 * line.count("\x1b[0m") for line in shown.splitlines())


@pytest.mark.parametrize("flags, environment, colored", [
    ([], {"NO_COLOR": "1"}, False),
    ([], {"NO_COLOR": ""}, True),
    ([], {"TERM": "dumb"}, False),
    ([], {"TERM": None}, False),
    (["--colour", "never"], {}, False),
    (["--color", "always"], {"NO_COLOR": "1", "TERM": "dumb"}, True),
    (["--colour=auto"], {}, True),
])
def test_who_decides_of_color(on_terminal, flags, environment, colored):
    assert ("\x1b" in on_terminal(*AUDIT, *flags, environment=environment).end()) == colored


def test_color_in_a_pipe_only_when_asked_for(noiseplus):
    assert b"\x1b" not in noiseplus(*AUDIT).stdout
    assert noiseplus(*AUDIT, "--colour", "always").stdout.startswith(b"\x1b[1m")
    assert b"there are auto, always and never" in noiseplus(*AUDIT, "--colour", "red", code=2).stderr


def test_errors_are_marked_on_a_terminal(on_terminal, noiseplus):
    shown = on_terminal("audit", "missing.csv", "--label", "y").end(code=5)
    assert shown.startswith("\x1b[1;31mnoiseplus:\x1b[0m missing.csv: cannot read") and shown.count("\n") == 1
    plain = on_terminal("audit", "missing.csv", "--label", "y", environment={"NO_COLOR": "yes"}).end(code=5)
    assert plain == without_escapes(shown)
    assert "\x1b" not in on_terminal("audit", "missing.csv", "--label", "y", "--colour", "never").end(code=5)


def test_no_escape_from_the_data_reaches_a_terminal(on_terminal, tmp_path):
    evil = "e\x1b[2Jv\u009b1mil\u202e"
    (tmp_path / "t.csv").write_text(clusters(600).replace(",yes\n", f",{evil}\n"))
    shown = on_terminal(*AUDIT).end()
    assert "e?[2Jv?1mil?" in shown
    assert not re.search(r"\x1b(?!\[(0|1|2|36|1;33)m)|\u009b|\u202e", shown)
    (tmp_path / "u.csv").write_text(f"a,y\n1,{evil}\n2,{evil}\n")
    message = on_terminal("audit", "u.csv", "--label", evil).end(code=2)
    assert "\x1b[2J" not in message and "\u009b" not in message and "\u202e" not in message


def frames(terminal):
    """When each line of progress was drawn, and what it was."""
    return [(when, frame.replace("\x1b[K", "")) for when, piece in terminal.pieces
            for frame in piece.decode().split("\r") if frame.replace("\x1b[K", "").strip()]


@pytest.mark.threads
def test_progress_after_a_second_ten_times_a_second_and_erased(on_terminal):
    terminal = on_terminal(*LONG, streams=["stderr"])
    terminal.read(until="training")
    terminal.read(seconds=1)
    drawn = frames(terminal)
    assert drawn[0][0] > 0.9 and 1 < len(drawn) <= 14
    assert all(re.fullmatch(r"training     \[[#.]{30}\] {2,3}\d+ %.*", line) for _, line in drawn), drawn[0]
    assert terminal.interrupt() < 2  # a fraction of that where nothing else runs
    assert terminal.text.endswith("\r\x1b[K\x1b[1;31mnoiseplus:\x1b[0m interrupted\r\n")


def test_no_progress_where_nobody_can_see_it(on_terminal):
    hidden = [on_terminal(*LONG, "--quiet"), on_terminal(*LONG, environment={"TERM": "dumb"}),
              on_terminal(*LONG, columns=19), on_terminal(*LONG, streams=["stdout"])]
    seen = on_terminal(*LONG, "--colour", "never", streams=["stderr"], columns=30)
    seen.read(until="training")
    time.sleep(0.5)
    assert all(terminal.read(seconds=0.1) == "" for terminal in hidden)
    seen.read(seconds=0.1)
    assert max(len(line) for _, line in frames(seen)) <= 29
    for terminal in [*hidden, seen]:
        terminal.interrupt()


def test_a_quick_command_shows_no_progress(on_terminal):
    terminal = on_terminal(*AUDIT, "--json", "a.json")
    assert "neighbors   [" not in terminal.end()  # done in less than a second


def test_writing_shows_progress_and_can_be_interrupted(on_terminal, tmp_path):
    header, body = clusters(20000, columns=12).split("\n", 1)
    with open(tmp_path / "large.csv", "w", encoding="utf8") as file:
        file.write(header + "\n")
        for _ in range(20):
            file.write(body)
    terminal = on_terminal("corrupt", "large.csv", "--label", "y", "--rate", "yes=.1", "--output", "o.csv.gz",
                           streams=["stderr"])
    assert "writing      [" in terminal.read(until="writing")
    terminal.interrupt()
    assert not list(tmp_path.glob("o.csv.gz*"))
