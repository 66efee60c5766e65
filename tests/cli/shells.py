"""What a real shell offers at the end of a command line, with the script that `noiseplus completion` prints."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

BASH = r"""
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
_noiseplus noiseplus
[[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
"""

# zsh completes where somebody types. What is added is printed, between two marks.
ZSH = r"""
PROMPT= RPROMPT=
unsetopt zle_bracketed_paste 2>/dev/null
autoload -Uz compinit && compinit -u -C -d "$HOME/dump"
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab false
mark() { print -r -- '<<<' }
finish() { print -r -- '>>>'; exit }
compprefuncs=(mark)
comppostfuncs=(finish)
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -rl -- '=> '$IPREFIX$^hits
  builtin compadd "$@"
}
print READY
"""


def environment(program, home):
    """The program under its own name, and nothing of whoever runs the tests."""
    folder = home / "bin"
    if not folder.exists():
        folder.mkdir(parents=True)
        (folder / "noiseplus").symlink_to(os.path.abspath(program))
    return {"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(home), "TERM": "xterm", "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home)}


def script(shell, program, home):
    path = home / ("_noiseplus" if shell == "zsh" else f"completion.{shell}")
    if path.exists():
        return path
    path.write_bytes(subprocess.run([program, "completion", shell], capture_output=True, check=True, timeout=60).stdout)
    return path


def require(shell):
    if shutil.which(shell, path="/usr/bin:/bin") is None:
        pytest.skip(f"{shell} is not installed")


def bash(words, program, home, folder):
    require("bash")
    done = subprocess.run(["bash", "--norc", "-c", BASH, "-", str(script("bash", program, home)), *words], cwd=folder,
                          capture_output=True, text=True, env=environment(program, home), check=False, timeout=60)
    assert done.stderr == "", done.stderr
    return done.stdout.splitlines()


def fish(words, program, home, folder):
    require("fish")
    done = subprocess.run(["fish", "--no-config", "-c", f"source {script('fish', program, home)}; complete -C $argv[1]",
                           " ".join(words)], cwd=folder, capture_output=True, text=True,
                          env=environment(program, home), check=False, timeout=60)
    assert done.stderr == "", done.stderr
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


def read_until(descriptor, mark, seconds=30):
    text = b""
    deadline = time.monotonic() + seconds
    while mark not in text:
        left = deadline - time.monotonic()
        assert left > 0, text.decode(errors="replace")
        if select.select([descriptor], [], [], left)[0]:
            try:
                text += os.read(descriptor, 65536)
            except OSError:
                break
    return text


def zsh(words, program, home, folder):
    require("zsh")
    functions = script("zsh", program, home).parent
    (home / "setup.zsh").write_text(f"fpath=({functions} $fpath)\n" + ZSH)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder,
                               env=environment(program, home), start_new_session=True)
    os.close(theirs)
    try:
        os.write(ours, f"source {home}/setup.zsh\n".encode())
        read_until(ours, b"READY\r\n")
        os.write(ours, " ".join(words).encode() + b"\t")
        text = read_until(ours, b">>>").decode()
    finally:
        process.kill()
        process.wait(timeout=10)
        os.close(ours)
    return re.findall(r"^=> (.*?)\r?$", text[text.index("<<<"):], re.MULTILINE)


SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}
