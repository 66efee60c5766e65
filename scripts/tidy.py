"""clang-tidy on the library, the program, the experiments and the Python module: scripts/tidy.py BUILD

Most of its time goes into headers that all files include, so files of one folder are read as one
text. Where such a text has a finding, or does not compile, its files are read one by one, and only
what is found then counts.
"""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from texts import ROOT, groups_of, name_of


def tidy(files, database):
    done = subprocess.run(["clang-tidy", "--quiet", "-p", database, *files], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def write_text(group, commands, folder):
    """Returns the text and how to compile it. Not by #include: some checks look at the main file only."""
    text = folder / name_of(group)
    text.write_text("".join(file.read_text() + "\n" for file in group))
    first = commands[group[0]]
    own = sorted({f"-iquote{file.parent}" for file in group})
    command = first["command"].replace(first["file"], str(text))
    return text, {"directory": first["directory"], "file": str(text),
                  "command": " ".join([command, *own])}


def main(build):
    commands = {Path(entry["file"]): entry
                for entry in json.loads((build / "compile_commands.json").read_text())}
    listed = subprocess.run(["git", "ls-files", "src/*.cpp", "cli/*.cpp", "experiments/*.cpp",
                             "python/binding/*.cpp"],
                            cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    groups = groups_of([ROOT / file for file in listed])
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
    sys.exit(main(Path(sys.argv[1]).resolve()))
