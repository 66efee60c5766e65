"""What the documentation says of flags is what --help says: names, defaults, choices, and which are needed."""
import re

import pytest
from command_lines import called, is_sh, lines_of
from pages import ROOT, all_pages
from program import commands, flags_of, help_of, positionals_of

PAGES = all_pages()
COMMANDS_PAGE = next(page for page in PAGES if page.name == "docs/commands.md")
SYNOPSES = [line for page in PAGES for block in page.blocks if is_sh(block) for line in lines_of(block)
            if line.kind() == "synopsis"]
# Of other programs: GoogleTest's, and the benchmarks' own.
OTHER_FLAGS = {"--gtest_filter"}
ALL_FLAGS = {name for command in commands() for name in flags_of(command)} | {"--version"} | OTHER_FLAGS
SYNOPSIS_FLAG = re.compile(r"(?P<bracket>\[?)(?P<name>--[\w-]+)(?: (?P<value>[^\s\])]+))?")


@pytest.mark.parametrize("line", SYNOPSES, ids=str)
def test_synopsis(line):
    command = line.text.split()[1]
    flags, text = flags_of(command), line.text
    for flag in SYNOPSIS_FLAG.finditer(text):
        assert flag["name"] in flags, flag[0]
        value, default = flag["value"], flags[flag["name"]].default
        if value and "|" in value:
            missing = [choice for choice in value.split("|") if choice == choice.lower()
                       and choice not in help_of(command)]
            assert not missing, flag[0]
        elif value and value == value.lower() and flag["bracket"] and default:
            assert value == default or value in default, f"{flag[0]}: the default is {default}"
    optional = re.sub(r"\([^()]*\)", "", text)
    while "[" in optional:
        optional = re.sub(r"\[[^][]*\]", "", optional)
    for needed in [flag.name for flag in flags.values() if flag.required]:
        assert needed in optional, f"{needed} is required"
    words = [word for word in optional.split() if re.match("[A-Z]{2,}", word) or "|" in word]
    assert len(words) >= len(positionals_of(command)), positionals_of(command)


def test_every_command_has_a_synopsis():
    first_words = {line.text.split()[1] for block in COMMANDS_PAGE.blocks if is_sh(block) for line in lines_of(block)
                   if line.text.startswith("noiseplus ")}
    assert first_words == set(commands())


def section_of(command):
    """The lines of docs/commands.md about a command."""
    lines, inside = [], False
    for _, text in COMMANDS_PAGE.prose:
        if text.startswith("## "):
            inside = text[3:] == command
        if inside:
            lines.append(text)
    assert lines, f"docs/commands.md has no section {command}"
    return lines


def table_rows(lines):
    """Pairs of the flags and the defaults of a table with the columns flag, default and meaning."""
    for text in lines:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", text)[1:-1]]
        if len(cells) == 3 and cells[0].startswith("`--"):
            yield re.findall(r"`(--[\w-]+)", cells[0]), [cell.strip() for cell in cells[1].split(",")]


@pytest.mark.parametrize("command", commands())
def test_tables_agree_with_help(command):
    flags = flags_of(command)
    for names, defaults in table_rows(section_of(command)):
        for at, name in enumerate(names):
            assert name in flags, f"{command} has no {name}"
            shown = flags[name].default
            if shown and len(defaults) == len(names) and defaults[at]:
                assert same(defaults[at], shown), f"{command} {name}: {defaults[at]} on the page, {shown} in --help"


def same(one, other):
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


@pytest.mark.parametrize("command", commands())
def test_every_flag_is_described(command):
    """In the section of the command, among the flags of all commands, or on the page about data."""
    text = "\n".join([*section_of(command), *section_of("Flags of every command"),
                      (ROOT / "docs" / "data.md").read_text(encoding="utf-8")])
    text += "".join(line.text for line in SYNOPSES if line.text.split()[1] == command)
    if command == "balance":  # "It takes the flags of `audit` too."
        text += "\n".join(section_of("audit"))
    missing = [name for name in flags_of(command) if name not in ("--help", "--version")
               and not re.search(rf"{name}\b(?!-)", text)]
    assert not missing


def test_flags_in_the_text_exist():
    unknown = []
    for page in PAGES:
        for number, code in page.code_in_text():
            command = called(code)
            known = set(flags_of(command[0])) if command else ALL_FLAGS
            names = re.findall(r"(?<![\w-])--[a-z][\w-]*", code) if command or code.startswith("--") else []
            unknown += [f"{page.name}:{number}: {code}" for name in names if name not in known]
    assert not unknown


def test_tests_named_in_the_text_exist():
    """--gtest_filter='Suite.*' on a page names suites of ours."""
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.cpp"))
    filters = [(page.name, part) for page in PAGES for _, code in page.code_in_text()
               for found in re.findall(r"--gtest_filter='([^']+)'", code) for part in found.split(":")]
    assert filters
    for page, part in filters:
        assert re.search(rf"\b\w*{part.split('.')[0].strip('*')}", tests), f"{page}: {part}"
