"""What the program says of itself: its commands, and the flags of each, from --help."""
import functools
import os
import re
import subprocess
from dataclasses import dataclass

from pages import ROOT

PROGRAM = os.path.abspath(os.environ.get("NOISEPLUS", ROOT / "build" / "noiseplus"))
TEXT_COLUMN = 30  # where help's explanations begin; a flag that is longer stands alone on its line
FLAG = re.compile(r"  (?:-\w,)?(?P<name>--[\w-]+)(?: (?P<takes>.*))?")
POSITIONAL = re.compile(r"^  (?P<name>[A-Z]+) .*REQUIRED", re.MULTILINE)
EXAMPLE = re.compile(r"^(?:Examples?: | {4,})(?P<line>noiseplus .*)$", re.MULTILINE)


@dataclass(frozen=True)
class Flag:
    name: str
    takes_value: bool
    required: bool
    default: str  # "" where none is shown


@functools.lru_cache(maxsize=None)
def help_of(*command):
    return subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout


@functools.lru_cache(maxsize=None)
def commands():
    names = re.findall(r"^  ([a-z][\w-]*) ", help_of().partition("Subcommands:\n")[2], re.MULTILINE)
    assert len(names) >= 8, help_of()
    return names


@functools.lru_cache(maxsize=None)
def flags_of(command):
    found = {}
    for line in help_of(command).splitlines():
        stands_alone = line[TEXT_COLUMN - 2:TEXT_COLUMN].strip() != ""
        flag = FLAG.fullmatch(line if stands_alone else line[:TEXT_COLUMN].rstrip())
        if flag:
            takes = "" if (flag["takes"] or "").startswith("Excludes") else flag["takes"] or ""
            found[flag["name"]] = Flag(flag["name"], bool(takes), "REQUIRED" in takes, takes.partition("=")[2])
    assert found["--help"] and found["--seed"].default == "0", help_of(command)
    return found


def positionals_of(command):
    return POSITIONAL.findall(help_of(command))


def examples_of(command):
    return [match["line"] for match in EXAMPLE.finditer(help_of(command))]
