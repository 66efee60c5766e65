"""Writes into a page what its commands print now, below each that shows its output. For whoever has changed the output on
purpose; look at the difference before you commit it.

    NOISEPLUS=build/noiseplus python3 tests/docs/rewrite_output.py docs/tutorial.md
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import stand_in_files
from command_lines import is_sh, lines_of
from pages import ROOT, Page
from program import PROGRAM


def output_of(folder, block):
    environment = {**os.environ, "LC_ALL": "C", "PATH": f"{folder}/build:{os.environ['PATH']}"}
    return "".join(subprocess.run(["sh", "-ec", line.text], cwd=folder, env=environment, capture_output=True, text=True,
                                  check=True).stdout for line in lines_of(block) if line.kind() == "run")


def rewritten(page, folder):
    lines = (ROOT / page.name).read_text(encoding="utf-8").split("\n")
    changes = []
    for block, after in zip(page.blocks, [*page.blocks[1:], None]):
        if is_sh(block):
            printed = output_of(folder, block)
            if after is not None and after.language == "text" and after.shows:
                changes.append((after, printed.rstrip("\n").split("\n")))
    for block, printed in reversed(changes):
        end = lines.index("```", block.line)
        lines[block.line:end] = printed
    return "\n".join(lines)


if __name__ == "__main__":
    assert os.path.exists(PROGRAM), PROGRAM
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as scratch:
            stand_in_files.write_all(pathlib.Path(scratch))
            (ROOT / name).write_text(rewritten(Page(name), scratch), encoding="utf-8")
