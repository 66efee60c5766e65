"""--help, man page, completion and docs/commands.md say the same, and --help fits a terminal."""
import pathlib
import re
import shutil
import subprocess

import pytest

COMMANDS = ["audit", "balance", "train", "predict", "evaluate", "corrupt", "report", "reproduce", "demo", "completion", "man"]
DOCS = pathlib.Path(__file__).parent / "../../docs"


@pytest.fixture(scope="module")
def helps(program):
    def text(*arguments):
        return subprocess.run([program, *arguments, "--help"], capture_output=True, text=True, check=True,
                              timeout=60).stdout
    texts = {command: text(command) for command in COMMANDS}
    return {"": text(), **texts}


def flags_in(text):
    """Names at the beginning of an entry: "  --k N   Neighbors" or "  --colour, --color auto|..."."""
    return [name for line in re.findall(r"^  (--?[a-z].*)$", text, re.MULTILINE)
            for name in re.findall(r"(?:^|, )(--?[a-z][a-z-]*)", line.split("  ")[0])]


def section(text, command):
    """What docs/commands.md says of a command, and of every one."""
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return "".join(part for part in parts if part.startswith((command + "\n", "Flags of every command\n")))


def test_every_command_is_there(helps):
    listed = re.findall(r"^  ([a-z]+) {2,}", helps[""].split("Commands:")[1].split("Common:")[0], re.MULTILINE)
    assert sorted(listed) == sorted(set(listed)) and set(COMMANDS) <= set(listed)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_terminal_and_has_all_its_parts(helps, command):
    text = helps[command]
    assert max(map(len, text.splitlines())) <= 80, max(text.splitlines(), key=len)
    assert f"\nUsage: noiseplus {command}" in text and f"\nExample: noiseplus {command}" in text
    assert "TEXT:" not in text and " in [" not in text  # what CLI11 would say
    assert {"--help", "-h", "--version"} <= set(flags_in(text))
    assert len(flags_in(text)) == len(set(flags_in(text)))


def test_what_help_says_of_a_flag(helps):
    audit = " ".join(helps["audit"].split())
    assert "--estimator auto|curve|moments|latent-class|edges|overlap|confident|paper " in audit
    assert "--k N Neighbors of a row, 2 to 255 (default: 10)" in audit
    assert "--threads N Threads; 0 is one for each core (0 to 256; default: 0)" in audit
    assert "--output FILE File for the model (required)" in " ".join(helps["train"].split())
    assert max(map(len, helps[""].splitlines())) <= 80


@pytest.fixture(scope="module")
def manual(program):
    return subprocess.run([program, "man"], capture_output=True, text=True, check=True, timeout=60).stdout


def test_every_flag_is_in_the_manual(helps, manual):
    plain = re.sub(r"\\f[BIR]", "", manual.replace("\\-", "-").replace("\\:", ""))
    of_every_command = plain.split(".SH OPTIONS OF EVERY COMMAND")[1].split(".SH EXIT")[0]
    for command in COMMANDS:
        own = plain.split(f".SS {command}\n")[1].split(".SS ")[0].split(".SH ")[0]
        for flag in flags_in(helps[command]):
            assert re.search(rf"^(.*, )?{flag}[ ,\n]", own + of_every_command, re.MULTILINE), (command, flag)
        example = re.search(r"^Example: (.*)$", helps[command], re.MULTILINE)[1]
        assert example.replace("'", "\\(aq") in own


def test_the_manual_has_its_sections(manual):
    sections = re.findall(r"^\.SH (.*)$", manual, re.MULTILINE)
    assert sections == ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS OF EVERY COMMAND", "EXIT STATUS",
                        "ENVIRONMENT", "FILES", "SEE ALSO"]
    for code in (0, 1, 2, 3, 4, 5, 130):
        assert f".TP\n.B {code}\n" in manual


def test_the_manual_is_good_roff(manual, tmp_path):
    path = tmp_path / "noiseplus.1"
    path.write_text(manual)
    if shutil.which("mandoc"):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True,
                              check=False, timeout=60)
        # A date would make two builds of one version differ.
        said = [line for line in done.stdout.splitlines() if "missing date" not in line]
        assert not said
    if shutil.which("man") and shutil.which("groff"):
        done = subprocess.run(["man", "--warnings", "-l", path], capture_output=True, text=True, check=True, timeout=60,
                              env={"PATH": "/usr/bin:/bin", "MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
        assert done.stderr == "" and "--tolerance-gradient NUMBER" in done.stdout


def test_every_flag_is_completed(program, helps):
    for shell in ("bash", "zsh", "fish"):
        script = subprocess.run([program, "completion", shell], capture_output=True, text=True, check=True,
                                timeout=60).stdout
        for command in COMMANDS:
            own = {"bash": rf"^    {command}\) echo '(.*?)' ;;$",
                   "zsh": rf"^    {command}\)$(.*?)^      ;;$",
                   "fish": rf"'__noiseplus_command_is {command}'(.*?)(?=\n\n|\Z)"}[shell]
            text = re.search(own, script, re.MULTILINE | re.DOTALL)[1]
            for flag in flags_in(helps[command]):
                if shell == "fish":
                    spelled = f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}"
                    assert re.search(re.escape(spelled) + r"[ \n]", text), (shell, command, flag)
                elif flag.startswith("--"):
                    assert re.search(rf"{flag}(?![a-z-])", text), (shell, command, flag)


def test_every_flag_is_in_the_docs(helps):
    text = (DOCS / "commands.md").read_text(encoding="utf8") 
    data = (DOCS / "data.md").read_text(encoding="utf8")
    for command in COMMANDS:
        own = section(text, command)
        assert own.startswith("Flags of every command") and f"{command}\n" in own
        if command == "balance":  # "takes the flags of audit too"
            own += section(text, "audit")
        if command in ("audit", "balance", "train", "predict", "evaluate", "corrupt"):
            own += data  # where the data are
        for flag in flags_in(helps[command]):
            assert re.search(rf"`{flag}(?![a-z-])|\s{flag}(?![a-z-])|\[{flag}(?![a-z-])", own), (command, flag)
