"""What the program says of itself: its commands, and the flags of each, from --help."""
import functools
import os
import re
import subprocess
from dataclasses import dataclass

from pages import ROOT

PROGRAM = os.path.abspath(os.environ.get("NOISEPLUS", ROOT / "build" / "noiseplus"))
# "  --output, -o FILE   File for ..."; a value or text that is too long begins on the next line.
FLAG = re.compile(r"^  (?P<names>--[\w-]+(?:, --?[\w-]+)*)(?:(?: |\n {4}(?! ))(?P<value>\S+))?(?=  |\n)"
                  r"(?P<text>.*(?:\n {6,}.*)*)", re.MULTILINE)
POSITIONAL = re.compile(r"^  (?P<name>[A-Z]+)  ", re.MULTILINE)
EXAMPLE = re.compile(r"^Example: (?P<line>noiseplus .*)$", re.MULTILINE)


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
    listed = help_of().partition("Commands:\n")[2].partition("\n\n")[0]
    names = re.findall(r"^  ([a-z][\w-]*) ", listed, re.MULTILINE)
    assert len(names) >= 8, help_of()
    return names


@functools.lru_cache(maxsize=None)
def flags_of(command):
    found = {}
    for flag in FLAG.finditer(help_of(command)):
        text = " ".join(flag["text"].split())
        default = re.search(r"default: ([^()]*(?:\([^()]*\))?[^()]*)\)$", text)
        for name in re.findall(r"--[\w-]+", flag["names"]):
            found[name] = Flag(name, flag["value"] is not None, "(required" in text or "; required" in text,
                               default[1] if default else "")
    assert found["--help"] and not found["--help"].takes_value, help_of(command)
    return found


def positionals_of(command):
    return POSITIONAL.findall(help_of(command))


def examples_of(command):
    return [match["line"] for match in EXAMPLE.finditer(help_of(command))]
