"""Which source files can be read as one text, because what each declares for itself has a name that
no other has. Headers that all include are then read once.

scripts/texts.py FOLDER FILE...   writes texts that include the files, and says what to compile
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECLARED = re.compile(r"^(?!namespace|template|return)[A-Za-z][^;={(\[]*?(\w+)\s*([;={(\[])")
USED = re.compile(r"^\s*using [\w:]+::(\w+);")


class Names:
    """What a file declares, as far as lines show it."""

    def __init__(self, text):
        self.functions, self.others = {}, set()
        for line in text.splitlines():
            if declared := DECLARED.match(line):
                if declared[2] == "(":
                    self.functions.setdefault(declared[1], set()).add(line[declared.end():])
                else:
                    self.others.add(declared[1])
            # Of two that are the same the one nobody needs would go unnoticed.
            if used := USED.match(line):
                self.others.add(used[1])

    def clash(self, other):
        return (self.others & (other.others | other.functions.keys())
                or other.others & self.functions.keys()
                or any(lines & other.functions.get(name, set())
                       for name, lines in self.functions.items()))


def groups_of_folder(files):
    groups = []
    for file in files:
        text = file.read_text()
        if "HWY_TARGET_INCLUDE" in text:  # includes itself
            groups.append(([file], None))
            continue
        names = Names(text)
        for group, taken in groups:
            if taken and not any(names.clash(other) for other in taken):
                group.append(file)
                taken.append(names)
                break
        else:
            groups.append(([file], [names]))
    return [group for group, _ in groups]


def groups_of(files):
    """The files in groups: of one stage of src/ or of its tests, of cli/ or of experiments/."""
    folders = {}
    for file in sorted(files):
        parts = file.relative_to(ROOT).parts
        folders.setdefault(parts[:2] if parts[0] in ("src", "tests") else parts[:1], []).append(file)
    return [group for files in folders.values() for group in groups_of_folder(files)]


def name_of(group):
    first = group[0].relative_to(ROOT)
    return "_".join([*first.parent.parts, first.stem]) + ".cpp"


def main(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    compiled = []
    for group in groups_of(files):
        if len(group) == 1:
            compiled.append(group[0])
            continue
        text = folder / name_of(group)
        lines = "".join(f'#include "{file}"\n' for file in group)
        if not text.exists() or text.read_text() != lines:
            text.write_text(lines)
        compiled.append(text)
    print(";".join(map(str, compiled)))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: scripts/texts.py FOLDER FILE...")
    main(Path(sys.argv[1]), [Path(file).resolve() for file in sys.argv[2:]])
