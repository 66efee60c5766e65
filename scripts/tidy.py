"""clang-tidy on the library, the program and the experiments: scripts/tidy.py BUILD

Most of its time goes into headers that all files include, so files of one folder are read as one
text. Where such a text has a finding, or does not compile, its files are read one by one, and only
what is found then counts.
"""
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDERS = ("src", "cli", "experiments")
DECLARED = re.compile(r"^(?!namespace|template|return)[A-Za-z][^;={(\[]*?(\w+)\s*([;={(\[])")
USED = re.compile(r"^\s*using [\w:]+::(\w+);")


class Names:
    """What a file declares for itself, or for all to see: no two files of a text have the same."""

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
        return (
            self.others & (other.others | other.functions.keys())
            or other.others & self.functions.keys()
            or any(lines & other.functions.get(name, set())
                   for name, lines in self.functions.items()))


def texts_of(files):
    """The files in groups that can be read as one text."""
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


def tidy(files, database):
    done = subprocess.run(["clang-tidy", "--quiet", "-p", database, *files], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def write_text(group, commands, folder):
    """Returns the text and how to compile it."""
    text = folder / f"{'_'.join(group[0].parent.parts)}_{group[0].stem}.cpp"
    text.write_text("".join(file.read_text() + "\n" for file in group))
    first = commands[group[0]]
    own = sorted({f"-iquote{file.parent.resolve()}" for file in group})
    command = first["command"].replace(first["file"], str(text.resolve()))
    return text, {"directory": first["directory"], "file": str(text.resolve()),
                  "command": " ".join([command, *own])}


def main(build):
    root = Path.cwd()
    commands = {Path(entry["file"]).relative_to(root): entry
                for entry in json.loads((build / "compile_commands.json").read_text())
                if Path(entry["file"]).is_relative_to(root)}
    listed = subprocess.run(["git", "ls-files", *(f"{folder}/*.cpp" for folder in FOLDERS)],
                            check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    folders = {}
    for file in map(Path, listed):
        folders.setdefault(file.parts[:2] if file.parts[0] == "src" else file.parts[:1], []).append(file)
    groups = [group for files in folders.values() for group in texts_of(files)]
    groups.sort(key=lambda group: -sum(file.stat().st_size for file in group))

    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    texts = [write_text(group, commands, folder) for group in groups]
    (folder / "compile_commands.json").write_text(json.dumps([entry for _, entry in texts]))

    def of_group(group, text):
        if len(group) > 1 and tidy([text], folder)[0] == 0:
            return 0
        code, found = tidy(group, build)
        if code:
            print(found, flush=True)
        elif len(group) > 1:
            print(f"{text}: not one text after all, {len(group)} files read one by one", flush=True)
        return code

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = list(pool.map(of_group, groups, (text for text, _ in texts)))
    return 1 if any(codes) else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: scripts/tidy.py BUILD")
    sys.exit(main(Path(sys.argv[1])))
