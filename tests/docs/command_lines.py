"""Which pieces of the documentation are command lines, and of what kind."""
import re
import shlex
from dataclasses import dataclass

from pages import Block
from program import commands, flags_of, positionals_of

# DIR is the name of a folder here, so that lines with it can be run.
PLACEHOLDER = re.compile(r"\[-|\[[A-Z:]|\.\.\.|\S\|\S|[()]|(?<![\w.=-])[A-Z]{4,}\b")
HEREDOC = re.compile(r"<<-?\s*'?(?P<end>\w+)'?")

# What else is run: programs that every system has.
OTHER_PROGRAMS = ("head", "python3", "sort")

# Blocks of the languages that other tests take care of, and which.
OTHER_LANGUAGES = {
    "python": "tests/python/docs_test.py runs it",
    "text": "output of the block before it, or a formula",
    "cmake": "tests/install builds a project with it",
}

# Command lines that are not run here, and the test that runs the like.
NOT_RUN = {
    "pip install .": "tests/python/wheel.sh installs the wheel that pip would build",
    "scripts/packages.sh build": "tests/cli/packages_test.py, with stand-ins for the system's commands",
    "source <(noiseplus completion bash)": "tests/cli/completion_test.py, in a bash of its own",
    "noiseplus completion fish | source": "the same, in a fish",
    "noiseplus man | man -l -": "tests/cli/help_test.py reads it with mandoc",
    "scripts/compare_outputs.py ../before/build/noiseplus build/noiseplus": "tests/cli/compare_outputs_test.py",
    "python3 bench/neighbors/run.py build --only wide": "takes minutes; `make bench QUICK=1` runs it",
    "python3 bench/neighbors/run.py build --kernel avx2": "takes minutes; `make bench QUICK=1` runs it without",
    "python3 bench/learning/run.py build --only mlp": "takes minutes; `make bench QUICK=1` runs it",
}


@dataclass(frozen=True)
class Line:
    """A command as it would be typed: one line, with its continuations and what it is given in place of a file."""
    page: str
    number: int
    text: str

    def __str__(self):
        return f"{self.page}:{self.number}"

    @property
    def words(self):
        return shlex.split(self.text.partition("\n")[0], comments=True)

    def kind(self):
        """run, synopsis, make or listed; None where nobody has said what to do with such a line."""
        if self.text.split("#")[0].strip() in NOT_RUN:
            return "listed"
        first = self.text.split()[0]
        if first in ("noiseplus", "build/noiseplus"):
            return "synopsis" if PLACEHOLDER.search(outside_quotes(self.text.partition("\n")[0])) else "run"
        if first == "make":
            return "make"
        return "run" if first in OTHER_PROGRAMS else None


def outside_quotes(text):
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", text)


def lines_of(block: Block):
    """The commands of a block of ```sh, or of one that is indented."""
    rest = list(enumerate(block.text.rstrip("\n").split("\n"), block.line + (1 if block.language else 0)))
    while rest:
        number, text = rest.pop(0)
        while text.endswith("\\"):
            text = text[:-1] + rest.pop(0)[1].lstrip()
        heredoc = HEREDOC.search(text)
        if heredoc:
            while not text.endswith("\n" + heredoc["end"]):
                text += "\n" + rest.pop(0)[1]
        if text.strip() and not text.startswith("#"):
            yield Line(block.page, number, text)


def is_sh(block):
    return block.language in ("", "sh")


def calls_in(page):
    """Commands in the text that lack nothing, as they would be typed; the program's name may be left out there."""
    for number, code in page.code_in_text():
        command = called(code)
        if command and is_complete(*command) and code not in NOT_RUN:
            yield Line(page.name, number, shlex.join(["noiseplus", command[0], *command[1]]))


def called(code):
    """The command's name and its arguments where a piece of code in the text begins with one, else None."""
    try:
        words = shlex.split(code)
    except ValueError:
        return None
    if words and words[0] in ("noiseplus", "build/noiseplus"):
        words = words[1:]
    elif len(words) < 2 or not any(word.startswith("--") for word in words[1:]):
        return None
    return (words[0], words[1:]) if words and words[0] in commands() else None


def is_complete(command, arguments):
    """Whether nothing that the command needs is left out."""
    if PLACEHOLDER.search(" ".join(arguments)):
        return False
    flags, given, positionals = flags_of(command), [], 0
    words = list(arguments)
    while words:
        word = words.pop(0)
        if word.startswith("--"):
            given.append(word.partition("=")[0])
            if word in flags and flags[word].takes_value and words:
                words.pop(0)
        else:
            positionals += 1
    return positionals >= len(positionals_of(command)) > 0 and all(
        flag.name in given for flag in flags.values() if flag.required)
