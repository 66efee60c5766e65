"""Every command line of the documentation is run, with small files of the right shape in place of the real ones, or it is
said here why not; and where a page shows what a command prints, it prints that.
"""
import pathlib
import re
import shlex

import pytest
from command_lines import NOT_RUN, OTHER_LANGUAGES, Line, calls_in, is_sh, lines_of
from pages import ROOT, all_pages
from program import commands, examples_of
from stand_in_files import made_smaller

PAGES = all_pages()
SH_BLOCKS = [block for page in PAGES for block in page.blocks if is_sh(block)]
LINES = [line for block in SH_BLOCKS for line in lines_of(block)]
IN_TEXT = [line for page in PAGES for line in calls_in(page)]
EXAMPLES = [Line(f"{command} --help", number, text) for command in commands()
            for number, text in enumerate(examples_of(command), 1) if text not in NOT_RUN]
# Output that differs from run to run.
SECONDS = re.compile(r"\b\d+\.\d+ s\b")


def as_typed(line):
    """The line itself, or with less work for it to do."""
    return shlex.join(made_smaller(line.words)) if line.words[1:2] in (["reproduce"], ["demo"]) else line.text


def test_every_block_is_of_a_known_kind():
    unknown = [f"{block}: a block of ```{block.language}" for page in PAGES for block in page.blocks
               if not is_sh(block) and block.language not in OTHER_LANGUAGES]
    unknown += [f"{line}: {line.text}" for line in LINES if line.kind() is None]
    assert not unknown, "indented blocks and ```sh are commands; tests/docs/command_lines.py says which are known"


def test_there_is_something_to_run():
    assert len([line for line in LINES if line.kind() == "run"]) > 15 and len(EXAMPLES) >= len(commands()) - 1


def output_shown(page, block):
    after = page.blocks[page.blocks.index(block) + 1:][:1]
    return after[0].text if after and after[0].language == "text" and after[0].shows else None


@pytest.mark.parametrize("page, block", [pytest.param(page, block, id=str(block)) for page in PAGES
                                         for block in page.blocks if is_sh(block)])
def test_block(shell, page, block):
    printed = ""
    for line in lines_of(block):
        if line.kind() == "run":
            printed += shell(page.name, as_typed(line))
    shown = output_shown(page, block)
    if shown is not None:
        assert SECONDS.sub("? s", printed) == SECONDS.sub("? s", shown)


@pytest.mark.parametrize("line", IN_TEXT, ids=str)
def test_command_in_the_text(shell, line):
    shell(line.page, as_typed(line))


@pytest.mark.parametrize("line", EXAMPLES, ids=str)
def test_example_of_help(shell, line):
    shell("help", as_typed(line))


def test_every_target_of_make_exists():
    targets = {line.words[1]: str(line) for line in LINES if line.kind() == "make"}
    targets |= {code.split()[1]: f"{page.name}:{number}" for page in PAGES for number, code in page.code_in_text()
                if re.fullmatch(r"make [\w-]+( \w+=\S+)*", code)}
    assert len(targets) > 10
    known = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {name: place for name, place in targets.items() if name not in known} == {}


def test_what_is_not_run_is_there():
    shown = {line.text.split("#")[0].strip() for line in LINES} | {code for page in PAGES for _, code in page.code_in_text()}
    for text in NOT_RUN:
        assert text in shown, f"{text} is on no page any more"
        script = next((word for word in text.split() if "/" in word), None)
        assert script is None or (ROOT / script).exists(), text


@pytest.mark.skipif(not pathlib.Path("/usr/share/datasets/fashion-mnist").exists(), reason="the demo's data are not there")
def test_the_demo_prints_what_readme_shows(shell):
    shown = next(block for block in PAGES[0].blocks if "true noise" in block.text)
    printed = shell("README.md", "noiseplus demo")
    for part in shown.text.split("\n\n"):
        assert part.rstrip("\n") in printed
